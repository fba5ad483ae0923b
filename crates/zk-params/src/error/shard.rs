//! Errors of shards.

/// An error of a shard, or of the shards together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardProblem {
    /// Not a shard file.
    #[error("not a witness shard (its first bytes differ, or it is shorter than its header)")]
    Magic,
    /// Made for another statement.
    #[error("the shard's {name} is {got}; this statement needs {expected}")]
    Parameter {
        /// Which parameter.
        name: &'static str,
        /// In the shard.
        got: u64,
        /// In the statement.
        expected: u64,
    },
    /// The length of the file is not what its header implies.
    #[error("the shard has {got} bytes; its header implies {expected} (truncated or extended?)")]
    Length {
        /// Bytes present.
        got: u64,
        /// Bytes implied.
        expected: u128,
    },
    /// No range of whole blocks within the statement.
    #[error(
        "{count} columns from {first} on are no whole blocks of 256 columns among the statement's {l}"
    )]
    Range {
        /// First column.
        first: u64,
        /// Columns.
        count: u64,
        /// Columns of the statement.
        l: u64,
    },
    /// Columns that nobody has.
    #[error("no shard holds columns {first} to {}", end - 1)]
    Gap {
        /// First missing column.
        first: u64,
        /// Column after the last missing one.
        end: u64,
    },
    /// A column that two shards have.
    #[error("shards {one} and {other} both hold column {column}")]
    Overlap {
        /// A shard, by its place in the list.
        one: usize,
        /// Another.
        other: usize,
        /// The first such column.
        column: u64,
    },
    /// The number of block hashes differs from the number of blocks.
    #[error("{got} block hashes; the statement has {expected} blocks")]
    Hashes {
        /// Hashes given.
        got: u64,
        /// Blocks.
        expected: u64,
    },
    /// The sum M = S C of all parts has the wrong shape, or an entry beyond b l.
    #[error("the sum of the parts of S C is not v x n, or has entries beyond b l")]
    Sum,
    /// Workers sent the wrong number of field elements for an argument, or values that contradict
    /// earlier ones.
    #[error(
        "what the workers sent for an argument is not one element of the field for each of its values"
    )]
    Elements,
    /// The product T C has the wrong word size or shape.
    #[error("the sum of the parts of T C is not r x n words modulo 2^w")]
    Product,
    /// Binary challenges are not offered in shards.
    #[error("binary challenges need a norm of the whole witness; take ternary ones")]
    Binary,
}
