//! [`Claim`]: a proof to be checked, and what it is said to show.

use crate::argument::{Claims, KeyRanges, Slot};
use crate::erase::debug_fields;
use crate::source::ReadAt;
use crate::statement::Statement;

/// A proof to be checked in a batch, and what it is said to show in which context: made by
/// [`Verifier::claim`](crate::Verifier::claim).
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    pub(crate) statement: &'a Statement,
    /// `None` if the statement was loaded.
    pub(crate) statement_file: Option<&'a dyn ReadAt>,
    pub(crate) context: &'a [u8],
    pub(crate) shows: Shown<'a>,
    pub(crate) proof: &'a [u8],
}

debug_fields!("Claim", Claim<'_>; context);

/// The claim of a proof: which method of a verifier would be called for it, and with what.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shown<'a> {
    /// That somebody knows S: [`Verifier::verify`](crate::Verifier::verify).
    Knowledge,
    /// Claims about messages: [`Verifier::verify_claims`](crate::Verifier::verify_claims).
    Claims(&'a Slot, &'a Claims),
    /// That keys are well formed: [`ExactKeys::new`](crate::argument::ExactKeys::new), and its
    /// [`verify`](crate::argument::ExactKeys::verify).
    Keys(KeyRanges),
}
