//! Products modulo 2^w: calls of `tautochrone-matmul`.

use core::ffi::c_void;

use tautochrone_matmul::{self as matmul, Multiplier, Operand, Word};

use crate::memory;
use crate::status::{Failure, Status, guard};
use crate::threads;

/// Entries of 8 bits in two's complement.
pub const I8: u32 = 1;
/// Entries of 16 bits in two's complement.
pub const I16: u32 = 2;
/// Entries of 32 bits in two's complement.
pub const I32: u32 = 3;
/// Entries of 64 bits in two's complement.
pub const I64: u32 = 4;
/// Unsigned entries of 8 bits.
pub const U8: u32 = 5;
/// Unsigned entries of 16 bits.
pub const U16: u32 = 6;
/// Unsigned entries of 32 bits; of a result: modulo 2^32.
pub const U32: u32 = 7;
/// Unsigned entries of 64 bits; of a result: modulo 2^64.
pub const U64: u32 = 8;

/// A matrix to be read: entry (i, j) is element i row_stride + j column_stride of `data`.
#[repr(C)]
#[derive(Debug)]
pub struct Matrix {
    /// The elements, all initialised.
    pub data: *const c_void,
    /// Number of elements at `data`.
    pub len: usize,
    /// Their type: TAUTOCHRONE_I8 to TAUTOCHRONE_U64.
    pub entry: u32,
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Elements from a row to the next: `columns` if there are no gaps, row after row.
    pub row_stride: usize,
    /// Elements from a column to the next: 1, row after row.
    pub column_stride: usize,
}

/// A matrix to be written: as tautochrone_matrix, but one of the strides must be 1 and the other at
/// least the number of elements that it skips.
#[repr(C)]
#[derive(Debug)]
pub struct MatrixMut {
    /// The elements, all initialised. Elements between rows or columns are left as they are.
    pub data: *mut c_void,
    /// Number of elements at `data`.
    pub len: usize,
    /// Their type, which is the modulus: TAUTOCHRONE_U32 or TAUTOCHRONE_U64.
    pub entry: u32,
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Elements from a row to the next.
    pub row_stride: usize,
    /// Elements from a column to the next.
    pub column_stride: usize,
}

/// Z = X Y modulo 2^32 or 2^64, by the type of Z, exactly.
///
/// Entries of X and Y may be of any type: narrow ones make a product faster, signed ones stand for
/// their residues. Z may overlap neither. Constant time in all entries. On all threads of
/// RAYON_NUM_THREADS.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_multiply(
    x: *const Matrix,
    y: *const Matrix,
    z: *const MatrixMut,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { multiply(x, y, z, false) })
}

/// Z += X Y: as tautochrone_multiply.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn tautochrone_multiply_add(
    x: *const Matrix,
    y: *const Matrix,
    z: *const MatrixMut,
) -> Status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { multiply(x, y, z, true) })
}

/// # Safety
/// As [`memory::reference`], for all three and the arrays that they name.
unsafe fn multiply(
    x: *const Matrix,
    y: *const Matrix,
    z: *const MatrixMut,
    add: bool,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise, for all three.
    let (x, y, z) = unsafe {
        (memory::reference(x, "x")?, memory::reference(y, "y")?, memory::reference(z, "z")?)
    };
    let written = (z.data.cast_const(), z.len, entry_bytes(z.entry, "z")?, "z");
    memory::disjoint(written, (x.data, x.len, entry_bytes(x.entry, "x")?, "x"))?;
    memory::disjoint(written, (y.data, y.len, entry_bytes(y.entry, "y")?, "y"))?;
    // SAFETY: the caller's promise; the result is apart from the operands.
    unsafe {
        match z.entry {
            U32 => multiply_into::<u32>(x, y, z, add),
            U64 => multiply_into::<u64>(x, y, z, add),
            other => Err(Failure::parameter(format_args!(
                "z has entries of type {other}; expected {U32} (u32) or {U64} (u64)"
            ))),
        }
    }
}

/// Evaluates `$body` with `$view` bound to the typed view of a [`Matrix`].
macro_rules! with_view {
    ($matrix:expr, $name:literal, $view:ident => $body:expr) => {
        with_view!(@ $matrix, $name, $view => $body;
            I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
    };
    (@ $matrix:expr, $name:literal, $view:ident => $body:expr; $($entry:ident $t:ty),*) => {
        match $matrix.entry {
            $($entry => {
                let $view = $matrix.view::<$t>($name)?;
                $body
            })*
            _ => Err(unknown_entry($matrix.entry, $name)),
        }
    };
}

/// # Safety
/// As [`multiply`]; the result is apart from the operands.
unsafe fn multiply_into<W: Word>(
    x: &Matrix,
    y: &Matrix,
    z: &MatrixMut,
    add: bool,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        with_view!(x, "x", x => with_view!(y, "y", y => {
            let z = z.view::<W>()?;
            let multiplier = Multiplier::new();
            threads::install(|| {
                let product = multiplier.product(x, y);
                Ok(if add { product.add_to(z) } else { product.write_to(z) }?)
            })
        }))
    }
}

fn unknown_entry(entry: u32, name: &str) -> Failure {
    Failure::parameter(format_args!("{name} has entries of type {entry}, which there is not"))
}

/// Bytes of an entry.
fn entry_bytes(entry: u32, name: &str) -> Result<usize, Failure> {
    match entry {
        I8 | U8 => Ok(1),
        I16 | U16 => Ok(2),
        I32 | U32 => Ok(4),
        I64 | U64 => Ok(8),
        _ => Err(unknown_entry(entry, name)),
    }
}

impl Matrix {
    /// # Safety
    /// As [`memory::input`].
    unsafe fn view<T: Operand>(&self, name: &str) -> Result<matmul::Matrix<'_, T>, Failure> {
        // SAFETY: the caller's promise.
        let data = unsafe { memory::input(self.data.cast(), self.len, name) }?;
        let &Self { rows, columns, row_stride, column_stride, .. } = self;
        Ok(matmul::Matrix::strided(data, rows, columns, row_stride, column_stride)?)
    }
}

impl MatrixMut {
    /// # Safety
    /// As [`memory::updated`].
    unsafe fn view<W: Word>(&self) -> Result<matmul::MatrixMut<'_, W>, Failure> {
        // SAFETY: the caller's promise.
        let data = unsafe { memory::updated(self.data.cast(), self.len, "z") }?;
        let &Self { rows, columns, row_stride, column_stride, .. } = self;
        if row_stride == 1 || rows <= 1 {
            // With one row, columns may lie anywhere: the crate's are one element long then.
            return Ok(matmul::MatrixMut::strided(data, rows, columns, column_stride)?);
        }
        if column_stride == 1 || columns <= 1 {
            return Ok(matmul::MatrixMut::strided(data, columns, rows, row_stride)?.transposed());
        }
        Err(Failure::new(
            Status::Array,
            "z has neither adjacent rows nor adjacent columns: one of its strides must be 1",
        ))
    }
}
