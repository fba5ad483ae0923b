//! Errors of requests.

use super::matrix::MatrixProblem;

/// A request that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestProblem {
    /// No dimensions reach a goal: before binding is strong enough, 4 B exceeds 2^(w-1).
    #[error(
        "no parameters with w = {w} bind {l} columns with entries up to {b}; take w = 64, fewer columns or a smaller bound"
    )]
    NoParameters {
        /// log2 q.
        w: u32,
        /// Bound on the entries of the witness.
        b: u32,
        /// Columns of the witness.
        l: u64,
    },
    /// No preset has this name.
    #[error("unknown preset; known are {}", .0.join(", "))]
    Preset(&'static [&'static str]),
    /// A column was to be opened that no opening may show: its pads mask what proofs send.
    #[error(
        "column {column} masks proofs, and is never opened; columns {} to {} are closed",
        closed.start, closed.end - 1
    )]
    ClosedColumn {
        /// Column, from 0.
        column: u64,
        /// The columns that are never opened.
        closed: core::ops::Range<u64>,
    },
    /// A text is no `Requirement`, or one that no proof can meet.
    #[error(
        "expected exact-keys:S:E, range:[FIRST+]ROWS:LOW:HIGH with 0 in it, or \
         norm:[FIRST+]ROWS:SQUARED, as exact-keys:1:1, range:1024:0:1 or norm:1024:15476"
    )]
    Requirement,
    /// Every slot of pads of some commitments was used for another claim.
    #[error("all {slots} slots of pads of these commitments are used, each for one claim")]
    NoSlot {
        /// How many there are.
        slots: u32,
    },
    /// T of a statement that was not loaded, and no file to read it from.
    #[error("T is not in memory; load the statement, or prove and verify with its file")]
    NotLoaded,
    /// A matrix A that cannot be used.
    #[error(transparent)]
    Matrix(#[from] MatrixProblem),
    /// A public key is not the column of T with its number, the first that is not.
    #[error("key {column} is not column {column} of T: they differ in row {row}")]
    Key {
        /// Column, from 0.
        column: u64,
        /// Its first row that differs, from 0.
        row: u64,
    },
    /// Public keys to compare with are not r x l words.
    #[error(
        "the keys have {got} bytes; expected {expected} (l keys of r words of ceil(w / 8) bytes)"
    )]
    KeysLength {
        /// Bytes present.
        got: u64,
        /// Bytes of r l words.
        expected: u64,
    },
}
