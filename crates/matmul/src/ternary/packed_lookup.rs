//! Products of small entries by a public matrix, by look-ups within registers of bytes.
//!
//! t entries of a row of X, |x| <= b, are the digits of a number below (2 b + 1)^t. For each of the
//! 3^t choices of t entries of Y, which are public, a table says what every number adds, a byte
//! each. `vpermi2b` looks up one of 128 bytes for a register of rows, in a time that does not
//! depend on X. Without AVX-512 VBMI, X is stored as it is, and multiplied by tables of sums of its
//! columns.

#[cfg(any(test, tautochrone_ctgrind))]
mod emulated;
mod tables;
mod tiles;
#[cfg(target_arch = "x86_64")]
mod vbmi;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

#[cfg(any(test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Emulated;
use tautochrone_simd::{Isa, declassify, vectorize, wipe};
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::{Token, Vbmi, vector::U64x8};

use super::Ternary;
use super::indices::{for_each_column, index};
use super::public_tables::{self, SMALL_ROWS};
use super::row::{Line, Row, column_of};
use super::share_columns;
use crate::buffer::Buffer;
use crate::error::Error;
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::Multiplier;
use tables::{Bytes, Digits, MAX_TERMS};
use tiles::{COLUMNS, ROWS, Share};

/// A left operand of small entries, by [`Multiplier::pack_narrow`], for products modulo 2^32 with
/// public [`Ternary`] matrices; erased when dropped.
///
/// ```
/// use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Ternary};
///
/// let (x, y) = ([1_i8, -1, 0, 1], [1_i8, 1]);
/// let multiplier = Multiplier::new();
/// let x = multiplier.pack_narrow(Matrix::row_major(&x, 2, 2)?, 1)?;
/// let y = Ternary::public_vartime(Matrix::column_major(&y, 2, 1)?)?;
/// let mut z = [0_u32; 2];
/// multiplier.product(&x, y).write_to(MatrixMut::column_major(&mut z, 2, 1)?)?;
/// assert_eq!(z, [0, 1]);
/// # Ok::<(), tautochrone_matmul::Error>(())
/// ```
pub struct PackedNarrow {
    rows: usize,
    columns: usize,
    bound: u8,
    form: Form,
}

enum Form {
    /// The entries, for tables of sums of columns: tiles of [`SMALL_ROWS`] rows, each column after
    /// column, which are cache lines; rows beyond the last are zero.
    Plain(Buffer),
    /// Numbers of entries, for look-ups in registers.
    Numbers(Backend, Digits, Vec<[Bytes; ROWS]>),
}

/// The instructions that look up; the variants carry the proof.
#[derive(Clone, Copy)]
enum Backend {
    #[cfg(target_arch = "x86_64")]
    Vbmi(Vbmi),
    /// For tests and for tools that do not know AVX-512.
    #[cfg(any(test, tautochrone_ctgrind))]
    Emulated,
}

impl Backend {
    fn pack(self, digits: Digits, x: Matrix<'_, u8>) -> Vec<[Bytes; ROWS]> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vbmi(token) => vectorize!(token, tiles::pack::<U64x8<_>>(token, digits, x)),
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::Emulated => tiles::pack::<Emulated<8>>((), digits, x),
        }
    }

    fn add_share(self, share: Share<'_, '_>) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vbmi(token) => vectorize!(token, tiles::run::<U64x8<_>>(token, share)),
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::Emulated => tiles::run::<Emulated<8>>((), share),
        }
    }
}

impl PackedNarrow {
    /// Rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.form {
            Form::Plain(_) => plain_bytes(self.rows, self.columns),
            Form::Numbers(_, _, numbers) => size_of_val(numbers.as_slice()),
        }
    }

    /// For [`Multiplier::pack_narrow`].
    pub(crate) fn new(
        multiplier: &Multiplier,
        x: Matrix<'_, i8>,
        bound: u8,
    ) -> Result<Self, Error> {
        check(multiplier.isa(), x, bound)?;
        #[cfg(target_arch = "x86_64")]
        if let Some(vbmi) = multiplier.isa().vbmi() {
            return Ok(Self::numbers(Backend::Vbmi(vbmi), x, bound));
        }
        let _ = multiplier;
        let (rows, columns) = (x.rows(), x.columns());
        let mut entries = Buffer::default();
        pack_plain(x.as_unsigned(), entries.bytes_mut(plain_bytes(rows, columns)));
        Ok(Self { rows, columns, bound, form: Form::Plain(entries) })
    }

    fn numbers(backend: Backend, x: Matrix<'_, i8>, bound: u8) -> Self {
        let digits = Digits::new(bound);
        let form = Form::Numbers(backend, digits, backend.pack(digits, x.as_unsigned()));
        Self { rows: x.rows(), columns: x.columns(), bound, form }
    }

    /// [`Multiplier::pack_narrow`] for emulated AVX-512 VBMI, for tools that do not know it.
    ///
    /// # Errors
    /// As [`Multiplier::pack_narrow`].
    #[cfg(any(test, tautochrone_ctgrind))]
    pub fn emulated(x: Matrix<'_, i8>, bound: u8) -> Result<Self, Error> {
        check(Isa::detect_vectors(), x, bound)?;
        Ok(Self::numbers(Backend::Emulated, x, bound))
    }
}

/// Entries of at most `bound` that become one number, one where entries stay as they are; `None` if
/// such entries are not packed at all.
pub(crate) fn terms(isa: Isa, bound: u32) -> Option<usize> {
    let bound = u8::try_from(bound).ok().filter(|&bound| bound <= public_tables::MAX_SMALL)?;
    #[cfg(target_arch = "x86_64")]
    if isa.vbmi().is_some() {
        return Some(Digits::new(bound).terms());
    }
    let _ = (isa, bound);
    Some(1)
}

/// Bytes of the tiles of [`Form::Plain`].
const fn plain_bytes(rows: usize, columns: usize) -> usize {
    rows.next_multiple_of(SMALL_ROWS) * columns
}

/// Writes the tiles of [`Form::Plain`].
fn pack_plain(x: Matrix<'_, u8>, tiles: &mut [u8]) {
    let (lines, _) = tiles.as_chunks_mut::<SMALL_ROWS>();
    for (tile, first) in lines.chunks_mut(x.columns().max(1)).zip((0..).step_by(SMALL_ROWS)) {
        let x = x.rows_in(first..x.rows().min(first + SMALL_ROWS));
        for (j, line) in tile.iter_mut().enumerate() {
            column_of::<_, SMALL_ROWS, Line<_, SMALL_ROWS>>((), x, j).store(line);
        }
    }
}

/// Whether |x| <= `bound` <= [`public_tables::MAX_SMALL`]; only this verdict on X is revealed.
fn check(isa: Isa, x: Matrix<'_, i8>, bound: u8) -> Result<(), Error> {
    if bound > public_tables::MAX_SMALL {
        return Err(Error::Bound { got: bound, max: public_tables::MAX_SMALL });
    }
    // The highest bit of bound - |x|, which is at least -128, is set iff |x| > bound. (Not the
    // largest |x|: a maximum is a branch on machines without a conditional move.)
    let mut beyond = 0;
    vectorize!(isa, {
        x.for_each_run(|run| {
            let entries = run.iter();
            beyond = entries.fold(beyond, |any, x| any | bound.wrapping_sub(x.unsigned_abs()));
        });
    });
    if declassify(beyond >> 7 != 0) {
        return Err(Error::BeyondBound { bound });
    }
    Ok(())
}

impl fmt::Debug for PackedNarrow {
    /// The shape only: entries may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackedNarrow({} x {})", self.rows, self.columns)
    }
}

impl Drop for PackedNarrow {
    fn drop(&mut self) {
        match &mut self.form {
            // A buffer erases itself.
            Form::Plain(_) => {}
            Form::Numbers(_, _, numbers) => wipe(numbers, [Line::zero(); ROWS]),
        }
    }
}

/// Z += X Y modulo 2^32, of operands whose shapes agree.
///
/// # Constant time
/// In X and Z; the entries of Y index tables.
#[expect(clippy::integer_division_remainder_used, reason = "indices of columns are public")]
pub(crate) fn add_product(
    multiplier: &Multiplier,
    x: &PackedNarrow,
    y: Ternary<'_>,
    z: MatrixMut<'_, u32>,
) {
    match &x.form {
        Form::Plain(entries) => {
            public_tables::add_small_product(multiplier, entries.bytes(x.bytes()), x.bound, y, z);
        }
        &Form::Numbers(backend, digits, ref packed) => {
            let indices = table_indices(digits, y);
            share_columns(multiplier, x.columns, COLUMNS, z, |first, z| {
                let indices = &indices[first / COLUMNS..][..z.columns().div_ceil(COLUMNS)];
                backend.add_share(Share { packed, digits, indices, z });
            });
        }
    }
}

/// The indices of a [`Share`].
fn table_indices(digits: Digits, y: Ternary<'_>) -> Vec<Vec<[u8; COLUMNS]>> {
    match digits.terms() {
        1 => indices_of::<1>(y),
        2 => indices_of::<2>(y),
        3 => indices_of::<3>(y),
        _ => indices_of::<MAX_TERMS>(y),
    }
}

/// For numbers of N terms.
#[expect(clippy::integer_division_remainder_used, reason = "indices of columns are public")]
fn indices_of<const N: usize>(y: Ternary<'_>) -> Vec<Vec<[u8; COLUMNS]>> {
    // Padding columns, which fill the last group of columns, index a table of zeros.
    let padding = [index(&[0; N]); COLUMNS];
    let (k, n) = y.shape();
    let mut indices = vec![vec![padding; k.div_ceil(N)]; n.div_ceil(COLUMNS)];
    for_each_column(y.entries(), N, |j, column| {
        for (indices, entries) in indices[j / COLUMNS].iter_mut().zip(column.as_chunks::<N>().0) {
            indices[j % COLUMNS] = index(entries);
        }
    });
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;

    #[test]
    fn the_emulation_agrees_with_the_definition() {
        for (bound, (m, k, n)) in [
            (0, (3, 4, 5)),
            (1, (65, 41, 7)),
            (2, (300, 70, 3)),
            (3, (9, 7, 13)),
            (4, (9, 7, 13)),
            (5, (64, 33, 6)),
        ] {
            let width = 2 * bound as usize + 1;
            let x: Vec<i8> = (0..m * k).map(|i| (i * i % 97 % width) as i8 - bound as i8).collect();
            let y: Vec<i8> = (0..k * n).map(|i| (i * i % 3) as i8 - 1).collect();
            let x = Matrix::column_major(&x, m, k).expect("shape");
            let y = Matrix::column_major(&y, k, n).expect("shape");
            let start: Vec<u32> = (0..m * n).map(|i| u32::MAX / (i as u32 + 1)).collect();
            let (mut want, mut got) = (start.clone(), start);
            let z = |z| MatrixMut::column_major(z, m, n).expect("shape");
            reference::multiply_add(x, y, z(&mut want));
            let packed = PackedNarrow::emulated(x, bound).expect("small");
            let y = Ternary::public_vartime(y).expect("ternary");
            add_product(&Multiplier::new(), &packed, y, z(&mut got));
            assert!(got == want, "entries up to {bound}");
        }
    }
}
