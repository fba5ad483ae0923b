//! [`Claim`]: a proof to be checked, and what it is said to show.

use crate::erase::debug_fields;
use crate::shows::Shows;
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
    pub(crate) shows: &'a Shows,
    pub(crate) proof: &'a [u8],
}

debug_fields!("Claim", Claim<'_>; context);
