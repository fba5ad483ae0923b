//! Products of 32-bit words by a secret matrix, by look-ups within AVX-512 registers.
//!
//! Three entries of a row of X have 27 sums with signs from {-1, 0, 1}, which fit two registers of
//! 32-bit words; `vpermi2d` looks up 16 of them, one for each of 16 columns of Y, in a time that
//! does not depend on which.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(test, tautochrone_ctgrind))]
mod emulated;
mod tiles;

use alloc::vec;
use alloc::vec::Vec;

#[cfg(any(test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Emulated;
use tautochrone_simd::wipe_on_drop;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::{Avx512, Token, vector::U64x8, vectorize};

use super::indices::{for_each_column, index};
use super::row::Line;
use super::{Ternary, share_columns};
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::Multiplier;
use tiles::{DEPTH, LANES, PACKED, ROWS, Scratch, TERMS, Tile, WORDS, Words, registers};

/// Z += X Y modulo 2^32, of operands whose shapes agree. X is best row-major, Y column-major.
///
/// # Constant time
/// In all entries. Copies and sums of them are erased.
#[cfg(target_arch = "x86_64")]
pub(crate) fn add_product(
    multiplier: &Multiplier,
    token: Avx512,
    x: Matrix<'_, u32>,
    y: Ternary<'_>,
    z: MatrixMut<'_, u32>,
) {
    for_each_tile(multiplier, x, y, z, |tile| {
        vectorize!(token, tiles::run::<U64x8<_>>(token, tile));
    });
}

/// [`add_product`] on emulated registers, for tools that do not know AVX-512.
#[cfg(any(test, tautochrone_ctgrind))]
pub(crate) fn add_product_emulated(
    multiplier: &Multiplier,
    x: Matrix<'_, u32>,
    y: Ternary<'_>,
    z: MatrixMut<'_, u32>,
) {
    for_each_tile(multiplier, x, y, z, |tile| tiles::run::<Emulated<8>>((), tile));
}

/// `kernel` for tiles of `ROWS` rows. Each thread makes tables of its own, a tenth of the work for
/// 1024 columns.
fn for_each_tile(
    multiplier: &Multiplier,
    x: Matrix<'_, u32>,
    y: Ternary<'_>,
    z: MatrixMut<'_, u32>,
    kernel: impl Fn(Tile<'_, '_>) + Sync,
) {
    share_columns(multiplier, x.columns(), LANES, z, |first, z| {
        let indices = TableIndices::new(y.entries().columns_in(first..first + z.columns()));
        let scratch = &mut Scratch::new(z.columns());
        for row in (0..x.rows()).step_by(ROWS) {
            let x = x.rows_in(row..x.rows().min(row + ROWS));
            kernel(Tile { x, indices: &indices.0, row, z, scratch });
        }
    });
}

/// Which sum of every three entries of a row every column of Y takes, in the order of a [`Tile`];
/// erased when dropped.
struct TableIndices(Vec<Words>);

impl TableIndices {
    #[expect(clippy::integer_division_remainder_used, reason = "indices of columns are public")]
    fn new(y: Matrix<'_, i8>) -> Self {
        let (k, registers) = (y.rows(), registers(y.columns()));
        let mut indices = Self(vec![Line::zero(); k.div_ceil(DEPTH) * registers * WORDS]);
        for_each_column(y, DEPTH, |j, column| {
            for (block, entries) in column.chunks_exact(DEPTH).enumerate() {
                let lines = &mut indices.0[(block * registers + j / LANES) * WORDS..][..WORDS];
                for (line, entries) in lines.iter_mut().zip(entries.chunks_exact(TERMS * PACKED)) {
                    line.0[j % LANES] = entries
                        .as_chunks::<TERMS>()
                        .0
                        .iter()
                        .rfold(0, |word, entries| word << 8 | u32::from(index(entries)));
                }
            }
        });
        indices
    }
}

wipe_on_drop!(TableIndices, 0: Line::zero());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;

    #[test]
    fn the_emulation_agrees_with_the_definition() {
        for (m, k, n) in [(1, 1, 1), (5, 4, 17), (33, 97, 65), (64, 192, 64)] {
            let x: Vec<u32> = (1..=(m * k) as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
            let y: Vec<i8> = (0..k * n).map(|i| (i * i % 3) as i8 - 1).collect();
            let x = Matrix::row_major(&x, m, k).expect("shape");
            let y = Matrix::column_major(&y, k, n).expect("shape");
            let start: Vec<u32> = (0..(m + 1) * n).map(|i| u32::MAX / (i as u32 + 1)).collect();
            let (mut want, mut got) = (start.clone(), start);
            let strided = |z| MatrixMut::strided(z, m, n, m + 1).expect("shape");
            reference::multiply_add(x, y, strided(&mut want));
            let y = Ternary::secret(y).expect("ternary");
            add_product_emulated(&Multiplier::new(), x, y, strided(&mut got));
            assert!(got == want, "{m} x {k} x {n}");
        }
    }
}
