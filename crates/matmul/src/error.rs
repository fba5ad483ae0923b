//! [`Error`].

/// Why a view can not be made, or a product not be formed.
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
        /// Elements needed: the index of the last one plus one; `usize::MAX` if beyond the address space.
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
    /// A promised bound on entries that is larger than a method takes.
    #[error("entries up to {got} in absolute value, expected at most {most}")]
    Bound {
        /// The bound.
        got: u8,
        /// The largest that the method takes.
        most: u8,
    },
    /// An operand of which only -1, 0 and 1 were expected.
    #[error("entry ({row}, {column}) is {got}, expected -1, 0 or 1")]
    NotTernary {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The entry.
        got: i8,
    },
}
