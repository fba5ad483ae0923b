//! [`Claim`]: a proof to be checked, and what it is said to show.

use crate::argument::{Claims, KeyRanges, Slot};
use crate::source::ReadAt;
use crate::statement::Statement;

/// A proof to be checked in a batch: the proof file, and what it is said to show in which context.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The statement, of the same A as the others in the batch.
    pub statement: &'a Statement,
    /// Its file, from which T is read; `None` if the statement was [loaded](Statement::load).
    pub statement_file: Option<&'a dyn ReadAt>,
    /// The purpose that the proof was made for.
    pub context: &'a [u8],
    /// The claim that it shows.
    pub shows: Shown<'a>,
    /// The proof file.
    pub proof: &'a [u8],
}

impl core::fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Claim").field("context", &self.context).finish_non_exhaustive()
    }
}

/// The claim of a proof: which method of a verifier would be called for it, and with what.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Shown<'a> {
    /// That somebody knows S: [`Verifier::verify`](crate::Verifier::verify).
    Knowledge,
    /// Claims about messages: [`Verifier::verify_claims`](crate::Verifier::verify_claims).
    Claims(&'a Slot, &'a Claims),
    /// That keys are well formed: [`ExactKeys::new`](crate::argument::ExactKeys::new), and its
    /// [`verify`](crate::argument::ExactKeys::verify).
    Keys(KeyRanges),
}
