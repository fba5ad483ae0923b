//! Products by a public matrix of entries -1, 0, 1, without multiplications:
//! [`Multiplier::multiply_add_ternary_vartime`].
//!
//! The method of the four Russians (Arlazarov, Dinic, Kronrod, Faradzev 1970) in base three: of every G columns of X all
//! 3^G signed sums are tabulated, and each column of Y then picks one. With G = 3 a table costs 27 additions and stores and
//! replaces up to 3 n additions by n, n the number of columns of Y; with G = 4, 81 and 4 n by n, which is better for many.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::Isa;

use crate::error::Error;
use crate::kernel::ternary::{OF_FOUR, OF_THREE, Picks, Scratch, Tile, group, multiply};
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::Multiplier;
use crate::parallel;
use crate::word::Word;

/// Tables of three columns in use at a time: 8 of 27 sums of 64 bytes are 14 KiB, which with the sums of 142 columns of Z,
/// 9 KiB, stay in a first-level cache of 32 KiB.
pub(crate) const FEW: usize = 8;
/// Tables of four columns: 4 of 81 sums are 20 KiB; the sums of many columns stream from the second level anyway.
const MANY: usize = 4;
/// Columns of Z from which tables of four columns are better (measured; a proof has 142, 16 have 2272).
const MANY_COLUMNS: usize = 512;

impl Multiplier {
    /// Z += X Y, of operands whose shapes agree.
    pub(crate) fn ternary_product<W: Word>(
        &self,
        x: Matrix<'_, W>,
        y: Matrix<'_, i8>,
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        if y.columns() < MANY_COLUMNS {
            self.by_tables::<W, FEW, OF_THREE>(x, y, z)
        } else {
            self.by_tables::<W, MANY, OF_FOUR>(x, y, z)
        }
    }

    fn by_tables<W: Word, const T: usize, const ROOM: usize>(
        &self,
        x: Matrix<'_, W>,
        y: Matrix<'_, i8>,
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        let picks = picks::<T, ROOM>(y)?;
        match W::BITS {
            8 => self.tiles(x, &picks, z, multiply::<W, 64, T, ROOM>),
            16 => self.tiles(x, &picks, z, multiply::<W, 32, T, ROOM>),
            32 => self.tiles(x, &picks, z, multiply::<W, 16, T, ROOM>),
            _ => self.tiles(x, &picks, z, multiply::<W, 8, T, ROOM>),
        }
        Ok(())
    }

    /// `kernel` for tiles of `L` rows, 64 bytes. Each thread fills tables of its own, a fifth of the work for 142 columns.
    pub(crate) fn tiles<W: Word, Z: Word, const L: usize, const T: usize, const ROOM: usize>(
        &self,
        x: Matrix<'_, W>,
        picks: &[u64],
        z: MatrixMut<'_, Z>,
        kernel: impl Fn(Isa, Tile<'_, '_, W, Z, L, T, ROOM>) + Sync,
    ) {
        let columns = z.columns();
        self.share_columns(x.columns(), 1, z, |first, z| {
            let picks = Picks { words: picks, columns, first };
            let scratch = &mut Scratch::new(z.columns());
            for row in (0..x.rows()).step_by(L) {
                let x = x.rows_in(row..x.rows().min(row + L));
                kernel(self.isa(), Tile { x, picks, row, z, scratch });
            }
        });
    }

    /// Calls `f(first, columns of Z from there on)` on threads that share the columns of a sum of `k` terms an entry, each a
    /// multiple of `multiple` but the last; not at all where there is nothing to add.
    pub(crate) fn share_columns<Z: Word>(
        &self,
        k: usize,
        multiple: usize,
        z: MatrixMut<'_, Z>,
        f: impl Fn(usize, &mut MatrixMut<'_, Z>) + Sync,
    ) {
        let (m, n) = (z.rows(), z.columns());
        if m == 0 || n == 0 || k == 0 {
            return;
        }
        let parallel = self.is_parallel(m.saturating_mul(n).saturating_mul(k));
        let share = if parallel { n.div_ceil(parallel::threads()) } else { n };
        let share = share.next_multiple_of(multiple).min(n);
        let (stride, data) = z.into_data();
        parallel::for_each_chunk(data, (share * stride).max(m), parallel, |part, data| {
            let first = part * share;
            let columns = share.min(n - first);
            let z = &mut MatrixMut::strided(data, m, columns, stride).expect("some columns of Z");
            f(first, z);
        });
    }
}

/// For every batch of T groups of rows of Y, and for every column, the numbers of the sums that it picks,
/// sum_i (y_i + 1) 3^i, a byte a group, the first lowest; rows beyond the end count as 0.
pub(crate) fn picks<const T: usize, const ROOM: usize>(
    y: Matrix<'_, i8>,
) -> Result<Vec<u64>, Error> {
    let (k, n) = (y.rows(), y.columns());
    let batch = group(ROOM) * T;
    let mut picks = vec![0; k.div_ceil(batch) * n];
    for_each_column(y, batch, |j, column| {
        let picks = picks.iter_mut().skip(j).step_by(n);
        for (entries, picks) in column.chunks_exact(batch).zip(picks) {
            for (i, entries) in entries.chunks_exact(group(ROOM)).enumerate() {
                let pick = match entries.first_chunk() {
                    Some(four) => pick::<4>(four),
                    None => pick::<3>(entries.as_array().expect("a group is three or four")),
                };
                *picks |= u64::from(pick) << (8 * i);
            }
        }
    })?;
    Ok(picks)
}

/// sum_i (y_i + 1) 3^i of at most four entries.
#[inline(always)]
pub(crate) fn pick<const N: usize>(entries: &[i8; N]) -> u8 {
    const { assert!(N <= 4, "a pick has four digits") }
    let mut digits = [-1; 4];
    digits[..N].copy_from_slice(entries);
    let digits = u32::from_le_bytes(digits.map(i8::cast_unsigned));
    // One added to each byte, without carries between them.
    let digits = (digits & 0x7f7f_7f7f).wrapping_add(0x0101_0101) ^ (digits & 0x8080_8080);
    // All products with a power of three that fall on the last byte; those before it are at most 2 (27 + 9 + 3).
    let powers = u32::from_le_bytes([27, 9, 3, 1]);
    (digits.wrapping_mul(powers) >> 24) as u8
}

/// Calls `f` with the index and the entries of each column of Y, zeros added up to a multiple of `multiple`.
///
/// # Errors
/// [`Error::NotTernary`].
pub(crate) fn for_each_column(
    y: Matrix<'_, i8>,
    multiple: usize,
    mut f: impl FnMut(usize, &[i8]),
) -> Result<(), Error> {
    let k = y.rows();
    if k == 0 {
        // Its columns may begin beyond the slice.
        return Ok(());
    }
    let mut column = vec![0_i8; k.next_multiple_of(multiple)];
    for j in 0..y.columns() {
        match y.strides() {
            (1, stride) => column[..k].copy_from_slice(&y.data()[j * stride..][..k]),
            _ => column[..k].iter_mut().enumerate().for_each(|(i, entry)| *entry = y.at(i, j)),
        }
        // One test of all, which is done in registers, before a search.
        let outside = |entry: &i8| !(-1..=1).contains(entry);
        if column.iter().fold(false, |any, entry| any | outside(entry)) {
            let row = column.iter().position(outside).unwrap_or_default();
            return Err(Error::NotTernary { row, column: j, got: column[row] });
        }
        f(j, &column);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::pick;

    #[test]
    fn picks_are_numbers_in_base_three() {
        let digit = |number: u8, i: u32| (number / 3_u8.pow(i) % 3) as i8 - 1;
        for number in 0..81 {
            let entries: [i8; 4] = core::array::from_fn(|i| digit(number, i as u32));
            assert_eq!(pick(&entries), number);
            let [a, b, c, _] = entries;
            assert_eq!(pick(&[a, b, c]), number % 27);
            assert_eq!(pick(&[a, b]), number % 9);
            assert_eq!(pick(&[a]), number % 3);
        }
    }
}
