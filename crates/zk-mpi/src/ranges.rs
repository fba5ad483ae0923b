//! Ranges and norms in column shards, over the ranks: the table of [`RangeWorker`].
//!
//! | step | each rank | travels | rank 0 |
//! |---|---|---|---|
//! | pads | kappa and gamma of its columns; whether the claim holds of them | 48 bytes a column, secret | the pads of all |
//! | a round for the rows | its columns' sums | 24 e bytes a rank, secret; 24 to all | their sum, masked, and the challenge |
//! | end | what is left of its columns | 24 bytes a column, secret | rounds for the columns, v, X, Y, rho, all y_j |

use tautochrone::zk::argument::{RangeArgument, RangeCoordinator, RangeSlot, RangeWorker, Ranges};
use tautochrone::zk::shard::Shard;
use tautochrone::zk::{Params, Prover, WitnessSource};

use crate::exchange::{gather_columns, same};
use crate::{Comm, Fault, elements, text};

/// Most columns of a claim: rank 0 gathers 48 bytes of each, and one more of each rank, and
/// messages are shorter than 2^31 bytes.
const MOST_COLUMNS: u64 = 1 << 25;

/// Refuses claims of which rank 0 could not gather the pads.
///
/// # Errors
/// If there are more than 2^25 columns.
pub fn check_columns(columns: u64) -> Result<(), String> {
    if columns <= MOST_COLUMNS {
        return Ok(());
    }
    Err(format!("{columns} columns; exact claims of at most {MOST_COLUMNS} are proved over MPI"))
}

/// Goes on only if all ranks prove what rank 0 does.
///
/// # Errors
/// Which rank differs.
pub fn same_claim(comm: &Comm, claim: Option<&Ranges>) -> Result<(), Fault> {
    same(comm, format!("{claim:?}").as_bytes(), "proves another claim")
}

/// All that is sent for a claim before Y, at rank 0; elsewhere nothing. Columns are the own ones
/// and, at rank 0, those of every rank.
///
/// # Errors
/// If the claim does not hold of a rank's columns, or they cannot be read.
pub fn prove_ranges(
    comm: &Comm,
    prover: Option<&Prover<'_>>,
    params: &Params,
    witness: &dyn WitnessSource,
    (own, shards): (Shard, &[Shard]),
    (slot, ranges): (RangeSlot, &Ranges),
) -> Result<Option<RangeArgument>, Fault> {
    comm.enter("pads");
    let worker = RangeWorker::new(params, witness, own, slot, ranges);
    let mut worker = comm.agree(worker.map_err(text))?;
    let pads = gather_columns(comm, shards, &worker.pads());
    let begun = prover.map(|prover| RangeCoordinator::new(prover, slot, ranges, &pads));
    let mut coordinator = comm.agree(begun.transpose().map_err(text))?;
    drop(pads);
    let tau = coordinator.as_ref().map_or(&[][..], RangeCoordinator::tau);
    let tau = elements::broadcast(comm, tau, worker.challenges());
    worker.begin(&comm.agree(tau)?);
    comm.enter("rounds");
    for _ in 0..worker.rounds() {
        let own = comm.agree(worker.sums().map_err(text))?;
        let sums = comm.agree(elements::sum(comm, &own))?;
        let sent = coordinator.as_mut().map(|coordinator| coordinator.send(&sums));
        let r = comm.agree(sent.transpose().map_err(text))?;
        let r = elements::broadcast(comm, r.as_slice(), 1);
        worker.bind(comm.agree(r)?[0]);
    }
    comm.enter("columns");
    let images = comm.agree(worker.images().map_err(text))?;
    let images = gather_columns(comm, shards, &images);
    let argument = coordinator.map(|coordinator| coordinator.finish(&images));
    comm.agree(argument.transpose().map_err(text))
}
