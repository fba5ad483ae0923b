//! Errors of witnesses.

/// A witness, messages or secrets that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WitnessProblem {
    /// A witness entry exceeds b. Says where, not what: the value is secret.
    #[error("witness entry at row {row}, column {column} exceeds the bound b = {b}")]
    Bound {
        /// Row, from 0.
        row: u64,
        /// Column, from 0.
        column: u64,
        /// The bound.
        b: u32,
    },
    /// The sum of the squares of all entries of the witness exceeds F^2, the public bound from which
    /// sigma was computed.
    #[error(
        "the witness is longer than its parameters allow: its squared norm exceeds F^2 = {most}"
    )]
    Norm {
        /// F^2.
        most: u128,
    },
    /// The sum of the squares of all entries of the witness is below that sum for Gaussian entries,
    /// so that narrow masks do not hide it.
    #[error(
        "the witness is shorter than its parameters say: its squared norm is below {least}, and \
         narrow masks would not hide it"
    )]
    Short {
        /// Eight standard deviations below the mean.
        least: u128,
    },
    /// The witness does not have v x l entries.
    #[error("witness has {got} entries; expected {expected} (v * l, column after column)")]
    Length {
        /// Entries present.
        got: u64,
        /// v l.
        expected: u64,
    },
    /// A witness file is not as long as v x l entries are.
    #[error(
        "witness has {got} bytes; expected {expected} (v * l signed entries of {width} bytes, \
         little-endian, column after column)"
    )]
    FileLength {
        /// Bytes present.
        got: u64,
        /// v l times the width.
        expected: u128,
        /// Bytes of an entry: 1 where no b exceeds 127, 2 up to 32767, 4 above.
        width: usize,
    },
    /// A witness whose entries need more than a byte was asked for bytes.
    #[error(
        "entries of the witness may be as large as b = {b}, more than a byte holds: \
         WitnessSource::read_wide_columns delivers them"
    )]
    Wide {
        /// The largest bound.
        b: u32,
    },
    /// Messages to commit to are not rows x l entries.
    #[error(
        "messages have {got} entries; expected {expected} (message rows * l, column after column)"
    )]
    Messages {
        /// Entries present.
        got: u64,
        /// rows l.
        expected: u64,
    },
    /// Binary challenges: the witness' operator norm could not be certified to lie below the public
    /// bound.
    #[error("the largest singular value of the witness is not certified to be at most {bound}")]
    OperatorNorm {
        /// The public bound s.
        bound: u64,
    },
}
