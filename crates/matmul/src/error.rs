//! [`Error`].

/// Why a view cannot be made or a product not be formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A slice does not hold the matrix that was described.
    #[error(
        "a {rows} x {columns} matrix with these strides needs {needed} elements, the slice has {got}"
    )]
    Length {
        /// Rows described.
        rows: usize,
        /// Columns described.
        columns: usize,
        /// Elements needed: the index of the last one plus one; `usize::MAX` if beyond the address
        /// space.
        needed: usize,
        /// Elements in the slice.
        got: usize,
    },
    /// The columns of an output overlap: its column stride is below its number of rows.
    #[error("output columns overlap: column stride {stride} is less than the {rows} rows")]
    Overlap {
        /// Rows of the output.
        rows: usize,
        /// Distance of its columns.
        stride: usize,
    },
    /// An array of another library with a negative stride; of a result, one whose entries lie
    /// neither row after row nor column after column.
    #[error(
        "the array has a negative stride, or, as a result, is neither row-major nor column-major \
         without gaps; copy it into one that is"
    )]
    Strides,
    /// The shapes do not fit together.
    #[error(
        "cannot multiply {x_rows} x {x_columns} by {y_rows} x {y_columns} into {z_rows} x {z_columns}"
    )]
    #[allow(missing_docs, reason = "the names say it")]
    Shape {
        x_rows: usize,
        x_columns: usize,
        y_rows: usize,
        y_columns: usize,
        z_rows: usize,
        z_columns: usize,
    },
    /// An operand that was packed for narrower partners.
    #[error("the packed operand was made for partners of fewer bits than this one's {bits}")]
    TooWide {
        /// Bits of the partner.
        bits: u32,
    },
    /// Two packed operands that were packed for different kernels.
    #[error(
        "the packed operands were made for different kernels: pack each with the other's width"
    )]
    PackedDiffer,
    /// An entry outside the range that was stated by
    /// [`Matrix::with_bits`](crate::Matrix::with_bits).
    #[error("an entry does not fit the {bits} bits that were stated")]
    BeyondBits {
        /// Bits stated.
        bits: u32,
    },
    /// A stated bound on entries that is larger than a method takes.
    #[error("entries up to {got} in absolute value, expected at most {max}")]
    Bound {
        /// The bound.
        got: u8,
        /// The largest that the method takes.
        max: u8,
    },
    /// An entry beyond the bound that was stated.
    #[error("an entry exceeds the stated bound of {bound} in absolute value")]
    BeyondBound {
        /// The bound.
        bound: u8,
    },
    /// An entry other than -1, 0 and 1 in a matrix that was said to have none.
    #[error("an entry is not -1, 0 or 1")]
    NotTernary,
    /// A [`PackedNarrow`](crate::PackedNarrow) whose partner is not a public
    /// [`Ternary`](crate::Ternary) matrix.
    #[error("operands packed for look-ups are multiplied by public ternary matrices only")]
    NeedsPublicTernary,
}
