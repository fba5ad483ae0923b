//! Exact claims about committed data: about the very vectors to which a commitment is bound.
//!
//! A proof of knowledge shows, for every column t_j of T, an integer vector s'_j with `A s'_j =
//! t_j` and `||s'_j|| <= 2 B`, to which the prover is bound. [`Claims`] speak of message rows of
//! these vectors: a [`Fact`] is a linear equation modulo p = 2^61 - 1, or the entries of a block;
//! [`Ranges`] say that entries are bits, say, or in [-1, 1], and how long columns are, over the
//! integers. A proof of any number of claims is a proof of knowledge with one element of a field of
//! 2^183 elements for every column besides, 24 bytes each, and reveals nothing but that they hold.
//!
//! The [first page](crate) has an example of keys, of ranges and facts, and of circuits.
//!
//! # Norms
//! Gaussian errors are shown to be short by their norm: [`Ranges::with_norms`] claims that the sum
//! of the squares of some entries of every column, and of bits in other rows times powers of 2, is
//! beta^2. [`GaussianErrors`] lays such columns out, with a [`Preset`](crate::Preset) for them.
//!
//! # Keys
//! LWE keys that somebody has already carry no pads. [`ExactKeys`] shows that they are well formed,
//! with all entries of secrets and errors within bounds of at most 8, and gives away a random
//! linear combination of the entries of each, on which [`KeyRanges`] has more to say.
//!
//! # Circuits
//! A [`Circuit`] is rank-1 constraints over F = Z / p, on secret wires that are committed for it
//! and on public inputs: a [`CircuitClaim`] says that they satisfy every one, exactly. p is 2^61 -
//! 1 or 2^64 - 2^32 + 1 ([`Goldilocks`]), which compilers of circuits know (`--prime goldilocks` of
//! circom).
//!
//! Values can be committed to before anybody knows for which circuits (`InputSpace`, feature
//! `committed`). A `CommittedCircuit` has some of them as its first wires; the others are committed
//! to in the proof, and the old commitments stay as they were published. Each such claim uses up a
//! slot.
//!
//! # Openings
//! **All columns of messages can be opened**, before and after any proofs, in any order
//! ([`Layout::open`]). What masks proofs are the pads of all columns and the columns in front of
//! the messages, a block for each slot, which are never opened, nor a sum that has one
//! ([`Error::Request`](crate::Error::Request)).
//!
//! # Whose T
//! Whoever gets answers about two T from one prover, one of them altered, gets the committed data.
//! Provers compare T with A S: by the [digest](crate::Statement::owner_digest) that `commit` leaves
//! in the statement, which an owner stores with S for statements that are read from a file later,
//! or by multiplying again.
//!
//! # What is not shown
//! Of a fact alone, that entries are within b: entries of s'_j may be as large as 2 B, and whoever
//! commits to other integers than bits proves any sum of "bits". Hence the claim of ranges in the
//! same list above. A block has no such gap, as its entries are given; and the claims hold of the
//! entries of every opening that is shown later: another one would solve SIS.
//!
//! # How
//! Every claim that is not linear is reduced to linear ones by a sum-check of its own; one
//! sum-check over the rows shows all linear claims, and leaves one value of each column, which the
//! proof of knowledge shows to be the column's own. docs/protocol.md, section 12, has the theorems
//! and their proofs.

mod circuit;
mod claims;
mod column_sums;
mod digits;
mod fact;
mod field;
mod file;
mod gaussian;
mod joined;
pub(crate) mod keys;
mod layout;
mod linear;
pub(crate) mod proof;
mod protocol;
mod ranges;
mod relation;
mod request;
mod space;
mod tables;
mod worker;

#[doc(inline)]
#[cfg(feature = "shards")]
pub use crate::field::{ELEMENT_LEN, Element, ElementOf};
pub use crate::field::{Goldilocks, P61};
#[doc(inline)]
pub use crate::scalar::{Scalar, ScalarOf};
pub use circuit::{Assignment, Circuit, CircuitBuilder, CircuitClaim, Combination, Wire};
#[cfg(feature = "committed")]
pub use circuit::{CommittedCircuit, InputSpace, Inputs, UsedSlots};
pub use claims::{Claim, Claims};
pub use fact::Fact;
pub use field::CircuitField;
pub use gaussian::GaussianErrors;
pub use keys::ExactKeys;
#[cfg(feature = "shards")]
pub use keys::{KeyArgument, KeyWorker};
pub use layout::{Layout, Slot};
#[cfg(feature = "shards")]
pub use proof::Argument;
pub use ranges::{Ranges, RowNorm, RowRange};
#[cfg(feature = "relations")]
pub use relation::{
    Coefficient, Family, FamilyShape, InstanceErrors, Relation, Structure, UnknownPart,
};
pub use space::PaddedMessages;
#[doc(hidden)] // For files of circuits whose field only they say, and for prints.
pub use {
    crate::field::{P, P127},
    circuit::CircuitFile,
    field::ArgumentField,
};
#[cfg(feature = "shards")]
pub use {
    request::{Ask, Columns, Combine, Elements, Request},
    worker::ArgumentWorker,
};

#[doc(inline)]
pub use crate::keys::KeyRanges;
#[cfg(feature = "shards")]
pub use crate::opening::transcript::{decode as decode_elements, encode as encode_elements};

#[cfg(test)]
pub(crate) mod tests;
