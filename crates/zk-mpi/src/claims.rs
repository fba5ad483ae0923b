//! Claims about messages in column shards, over the ranks: the table of [`ArgumentWorker`].
//!
//! | step | each rank | travels | rank 0 |
//! |---|---|---|---|
//! | masks | whether the claims hold of its columns; its masks | the masks that lie in columns, secret | |
//! | rounds | answers to rank 0's requests | requests to all; sums, secret, and what is left of columns: 24 bytes a column, secret | what is sent before Y |

use tautochrone_zk::argument::{
    Argument, ArgumentWorker, Ask, Claims, Combine, ELEMENT_LEN, Element, Elements, Request, Slot,
    decode_elements, encode_elements,
};
use tautochrone_zk::shard::Shard;
use tautochrone_zk::{Error, Params, Prover, WitnessSource};
use zeroize::Zeroizing;

use crate::exchange::{gather_columns, same};
use crate::{Comm, Fault, text};

/// Goes on only if all ranks prove what rank 0 does.
///
/// # Errors
/// Which rank differs.
pub fn same_claims(comm: &Comm, claims: Option<&Claims>) -> Result<(), Fault> {
    same(comm, format!("{claims:?}").as_bytes(), "proves other claims")
}

/// All that is sent for claims before Y, at rank 0, which has the prover; elsewhere nothing.
/// Columns are the own ones and, at rank 0, the columns of every rank; a rank reads its own ones of
/// S.
///
/// # Errors
/// If the claims do not hold of a rank's columns, or they cannot be read.
pub fn argue(
    comm: &Comm,
    prover: Option<&Prover<'_>>,
    (params, witness): (&Params, &dyn WitnessSource),
    (own, shards): (Shard, &[Shard]),
    (slot, claims): (&Slot, &Claims),
) -> Result<Option<Argument>, Fault> {
    comm.enter("masks");
    let worker = <ArgumentWorker<'_>>::new(params, witness, own, slot, claims);
    let mut worker = comm.agree(worker.map_err(text))?;
    let argue = prover.map(|prover| |ask: &mut Ask<'_>| Argument::new(prover, (slot, claims), ask));
    play(comm, shards, &mut |request| worker.answer(request), argue)
}

/// What a coordinator at rank 0 makes of the answers of all ranks to its requests; elsewhere, where
/// there is none, nothing.
///
/// # Errors
/// If a rank has no answer, or the coordinator takes none.
pub(crate) fn play<A>(
    comm: &Comm,
    shards: &[Shard],
    answer: &mut Ask<'_>,
    argue: Option<impl FnOnce(&mut Ask<'_>) -> Result<A, Error>>,
) -> Result<Option<A>, Fault> {
    let Some(argue) = argue else {
        while ask(comm, shards, answer, None)?.is_some() {}
        return comm.agree(Ok(None));
    };
    let mut fault = None;
    let argument = argue(&mut |request| {
        match ask(comm, shards, answer, Some(request)) {
            Ok(answer) => Ok(answer.unwrap_or_default()),
            Err(reason) => {
                fault = Some(reason);
                // Any error ends the argument; this one is not shown.
                Err(Error::FalseFact)
            }
        }
    });
    if let Some(fault) = fault {
        // The other ranks know it, and wait for nothing.
        return Err(fault);
    }
    ask(comm, shards, answer, None)?;
    comm.agree(argument.map(Some).map_err(text))
}

/// Rank 0's request, everywhere, and at rank 0 what becomes of all answers; `None` if rank 0 has
/// none.
fn ask(
    comm: &Comm,
    shards: &[Shard],
    answer: &mut Ask<'_>,
    request: Option<&Request>,
) -> Result<Option<Elements>, Fault> {
    comm.enter("rounds");
    let mut bytes = request.map(Request::to_bytes).unwrap_or_default();
    let bytes = Zeroizing::new(comm.broadcast_any(std::mem::take(&mut *bytes)));
    if bytes.is_empty() {
        return Ok(None);
    }
    let answer = Request::from_bytes(&bytes).and_then(|request| {
        let own = answer(&request)?;
        Ok((request, own))
    });
    let (request, own) = comm.agree(answer.map_err(text))?;
    let all = match request.combine() {
        Combine::Sum => sum(comm, &own),
        Combine::Concatenate => {
            comm.enter(if matches!(request, Request::Masks) { "masks" } else { "columns" });
            let all = gather_columns(comm, shards, &encode_elements(&own));
            decode_elements(&all, all.len() / ELEMENT_LEN).map_err(text)
        }
    };
    comm.agree(all).map(Some)
}

/// Elements that rank 0 gathers at most at once: messages are shorter than 2^31 bytes.
const MAX_ELEMENTS: usize = 1 << 26;

/// The sum of every rank's elements at rank 0; elsewhere nothing. Reductions of MPI do not know the
/// field.
///
/// # Errors
/// At rank 0, if a rank sent other than as many elements as its own.
fn sum(comm: &Comm, own: &[Element]) -> Result<Elements, String> {
    let mut sums = Zeroizing::new(Vec::new());
    for own in own.chunks(MAX_ELEMENTS.div_ceil(comm.size())) {
        let count = if comm.is_root() { own.len() } else { 0 };
        let mut sum = Zeroizing::new(vec![Element::ZERO; count]);
        for part in comm.gather(&encode_elements(own)) {
            let part = decode_elements(&part, count).map_err(text)?;
            sum.iter_mut().zip(part.iter()).for_each(|(sum, &x)| *sum += x);
        }
        sums.extend_from_slice(&sum);
    }
    Ok(sums)
}
