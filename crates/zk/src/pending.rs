//! [`Pending`]: a proof that is checked as far as neither A nor T are needed, and the rest of the
//! check of many proofs, with one product by A.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::check::Check;
use crate::entry::parts_of;
use crate::error::Error;
use crate::hash::Digest;
use crate::matrix::with_engine;
use crate::parallel;
use crate::product::multiply_by_challenges;
use crate::products::{Engine, ProductWord};
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::words::ModQ;

/// The open part of the check of any proof: V = A' Z_1 - T C, and the T that it is about.
pub(crate) struct Pending<'a> {
    check: Check<'a>,
    statement: Cow<'a, Statement>,
    /// Where T, or the columns in front of the statement's own ones, are read from, if the
    /// statement does not hold them.
    file: Option<&'a dyn ReadAt>,
}

impl<'a> Pending<'a> {
    /// A proof about a statement that was published, or has columns of its own.
    pub(crate) const fn new(
        check: Check<'a>,
        statement: Cow<'a, Statement>,
        file: Option<&'a dyn ReadAt>,
    ) -> Self {
        Self { check, statement, file }
    }

    /// Whether two proofs are about one T, which is to be had in the same place.
    fn has_t_of(&self, other: &Self) -> bool {
        let same_file = match (self.file, other.file) {
            (Some(one), Some(other)) => core::ptr::addr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_file
            && self.statement.is_loaded() == other.statement.is_loaded()
            && self.statement == other.statement
    }

    /// T C for these challenges, in one pass over T.
    fn multiply_tc(&self, challenge_hashes: &[&Digest]) -> Result<Vec<ModQ>, Error> {
        multiply_by_challenges(self.check.matrix(), &self.statement, self.file, challenge_hashes)
    }
}

/// The verdict on a proof.
///
/// # Errors
/// The error with which the check began; errors of [`Check::compare`], of reading T and of a
/// device.
pub(crate) fn settle_one(begun: Result<Pending<'_>, Error>) -> Result<(), Error> {
    settle(vec![begun]).remove(0)
}

/// The verdicts on some proofs, in their order: a product by A for all that are over the same one,
/// and a pass over T for those that follow each other and are about the same one.
pub(crate) fn settle(begun: Vec<Result<Pending<'_>, Error>>) -> Vec<Result<(), Error>> {
    let mut verdicts: Vec<Option<Result<(), Error>>> = Vec::with_capacity(begun.len());
    let mut left = Vec::with_capacity(begun.len());
    for (place, begun) in begun.into_iter().enumerate() {
        match begun {
            Ok(pending) => {
                verdicts.push(None);
                left.push((place, pending));
            }
            Err(error) => verdicts.push(Some(Err(error))),
        }
    }
    while let Some((_, first)) = left.first() {
        let matrix = first.check.matrix();
        let over_it =
            |(_, pending): &(usize, Pending<'_>)| core::ptr::eq(pending.check.matrix(), matrix);
        let (together, others) = left.into_iter().partition(over_it);
        left = others;
        let (places, pending): (Vec<usize>, Vec<Pending<'_>>) = Vec::into_iter(together).unzip();
        let settled = with_engine!(matrix, engine => check_equations(engine, &pending));
        for (place, verdict) in places.into_iter().zip(settled) {
            verdicts[place] = Some(verdict);
        }
    }
    verdicts.into_iter().map(|verdict| verdict.expect("each of them was settled")).collect()
}

/// Recomputes V = A' Z_1 - T C for every proof, and compares the hash of W_H with the challenge.
fn check_equations<W: ProductWord>(
    engine: &Engine<W>,
    pending: &[Pending<'_>],
) -> Vec<Result<(), Error>> {
    let checks: Vec<_> = pending.iter().map(|pending| &pending.check).collect();
    let mut az = match Check::multiply_az(engine, &checks) {
        Ok(az) => az,
        Err(error) => return vec![Err(error); checks.len()],
    };
    let size = parts_of(&az, checks.len());
    let mut rest = &mut az[..];
    let mut verdicts = Vec::with_capacity(checks.len());
    for run in pending.chunk_by(Pending::has_t_of) {
        let az = rest.split_off_mut(..size * run.len()).expect("one A' Z_1 a check");
        let hashes: Vec<_> = run.iter().map(|pending| pending.check.challenge_hash()).collect();
        match run[0].multiply_tc(&hashes) {
            Ok(tc) => {
                let compare =
                    |k: usize, az: &mut [W]| Ok::<_, Infallible>(run[k].check.compare(az, &tc[k]));
                let Ok(compared) = parallel::try_map_chunks(az, size, compare);
                verdicts.extend(compared);
            }
            Err(error) => verdicts.extend(run.iter().map(|_| Err(error.clone()))),
        }
    }
    verdicts
}
