//! Errors of the matrix A.

/// A matrix A that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixProblem {
    /// A matrix A was used with a statement that has other parameters or another seed of A.
    #[error("the matrix A belongs to another statement")]
    Foreign,
    /// A given A' is not as many bytes as its entries have.
    #[error(
        "the given A' has {got} bytes; expected {expected} (r rows of v - r entries of ceil(w / 8) bytes)"
    )]
    Length {
        /// Bytes present.
        got: u64,
        /// Bytes of its entries.
        expected: u64,
    },
    /// An entry of a given A' is 2^w or more.
    #[error("entry at row {row}, column {column} of the given A' is 2^{w} or more")]
    Entry {
        /// Row, from 0.
        row: u64,
        /// Column, from 0.
        column: u64,
        /// log2 q.
        w: u32,
    },
    /// A row or column of a given A' is one that a uniform A' has with probability below 2^-128, and
    /// that makes LWE or SIS easy.
    #[error("{line} {index} of the given A' {fault}: LWE or SIS is easy for it")]
    Weak {
        /// `row` or `column`.
        line: &'static str,
        /// Its number, from 0.
        index: u64,
        /// The error.
        fault: &'static str,
    },
}
