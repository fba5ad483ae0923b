//! Products of narrow entries by a public matrix of entries -1, 0, 1:
//! [`Multiplier::multiply_add_narrow_ternary_vartime`].

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::error::Error;
#[cfg(target_arch = "x86_64")]
use crate::kernel::narrow::{Bytes, COLUMNS, Digits, Job, Kernel, MOST_TERMS, ROWS};
#[cfg(target_arch = "x86_64")]
use crate::kernel::ternary::Line;
use crate::kernel::ternary::{OF_THREE, Tile, group, multiply_narrow};
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::{Multiplier, check};
use crate::ternary::{FEW, picks};
#[cfg(target_arch = "x86_64")]
use crate::ternary::{for_each_column, pick};

/// The largest |x|: sums of one batch of tables must fit a signed byte.
const NARROW: u8 = i8::MAX as u8 / (FEW * group(OF_THREE)) as u8;

/// A left operand of narrow entries, by [`Multiplier::pack_narrow`]; erased when dropped.
pub struct PackedNarrow {
    rows: usize,
    columns: usize,
    bound: u8,
    form: Form,
}

enum Form {
    /// Column after column, for tables of sums of columns.
    Plain(Vec<i8>),
    /// Numbers of entries, for lookups in registers.
    #[cfg(target_arch = "x86_64")]
    Numbers(Kernel, Digits, Vec<[Bytes; ROWS]>),
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
            Form::Plain(entries) => entries.len(),
            #[cfg(target_arch = "x86_64")]
            Form::Numbers(_, _, numbers) => size_of_val(numbers.as_slice()),
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl PackedNarrow {
    fn numbers(kernel: Kernel, x: Matrix<'_, i8>, bound: u8) -> Self {
        let digits = Digits::new(bound);
        let form = Form::Numbers(kernel, digits, kernel.pack(digits, x.unsigned()));
        Self { rows: x.rows(), columns: x.columns(), bound, form }
    }

    /// [`Multiplier::pack_narrow`] for AVX-512 VBMI in plain Rust, for tools that do not know it.
    #[cfg(any(test, tautochrone_ctgrind))]
    #[must_use]
    pub fn emulated(x: Matrix<'_, i8>, bound: u8) -> Self {
        Self::numbers(Kernel::Emulated, x, bound)
    }
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
            Form::Plain(entries) => {
                entries.fill(0);
                zeroize::optimization_barrier(entries.as_slice());
            }
            #[cfg(target_arch = "x86_64")]
            Form::Numbers(_, _, numbers) => {
                numbers.fill([Line::zero(); ROWS]);
                zeroize::optimization_barrier(numbers.as_slice());
            }
        }
    }
}

impl Multiplier {
    /// Prepares X with |x| <= `bound` <= 5 for [`Self::multiply_add_narrow_ternary_vartime`].
    ///
    /// With AVX-512 VBMI up to four entries of a row become one byte (3^4 <= 128), so that `bound` = 1 takes a quarter of X's memory;
    /// elsewhere this is a copy. (An entry beyond the bound gives a wrong product.)
    ///
    /// # Errors
    /// [`Error::Bound`] if `bound` is above 5.
    ///
    /// # Constant time
    /// In X.
    pub fn pack_narrow(&self, x: Matrix<'_, i8>, bound: u8) -> Result<PackedNarrow, Error> {
        if bound > NARROW {
            return Err(Error::Bound { got: bound, most: NARROW });
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(vbmi) = self.isa().vbmi() {
            return Ok(PackedNarrow::numbers(Kernel::Vbmi(vbmi), x, bound));
        }
        let (rows, columns) = (x.rows(), x.columns());
        let mut entries = vec![0; rows * columns];
        for (j, column) in entries.chunks_exact_mut(rows.max(1)).enumerate() {
            match x.strides() {
                (1, stride) => column.copy_from_slice(&x.data()[j * stride..][..rows]),
                _ => column.iter_mut().enumerate().for_each(|(i, entry)| *entry = x.at(i, j)),
            }
        }
        Ok(PackedNarrow { rows, columns, bound, form: Form::Plain(entries) })
    }

    /// Z += X Y mod 2^32 for narrow X, and Y with entries in {-1, 0, 1}.
    ///
    /// X is m x k; Y k x n; Z m x n. With AVX-512 VBMI (when X was packed) up to four terms of 64 rows are looked up in registers by one
    /// instruction; elsewhere as [`Self::multiply_add_ternary_vartime`], with sums in bytes.
    ///
    /// # Errors
    /// [`Error::Shape`]; [`Error::NotTernary`].
    ///
    /// # Constant time
    /// As [`Self::multiply_add_ternary_vartime`].
    pub fn multiply_add_narrow_ternary_vartime(
        &self,
        x: &PackedNarrow,
        y: Matrix<'_, i8>,
        z: MatrixMut<'_, u32>,
    ) -> Result<(), Error> {
        check((x.rows, x.columns), (y.rows(), y.columns()), &z)?;
        match &x.form {
            Form::Plain(entries) => {
                let picks = picks::<FEW, OF_THREE>(y)?;
                let entries = Matrix::column_major(entries, x.rows, x.columns)?.unsigned();
                self.tiles(entries, &picks, z, |isa, tile: Tile<_, _, 64, FEW, OF_THREE>| {
                    multiply_narrow(isa, tile, x.bound);
                });
            }
            #[cfg(target_arch = "x86_64")]
            &Form::Numbers(kernel, digits, ref packed) => {
                let picks = number_picks(digits, y)?;
                self.share_columns(x.columns, COLUMNS, z, |first, z| {
                    let picks = &picks[first / COLUMNS..][..z.columns().div_ceil(COLUMNS)];
                    kernel.multiply(Job { packed, digits, picks, z });
                });
            }
        }
        Ok(())
    }
}

/// The picks of a [`Job`].
#[cfg(target_arch = "x86_64")]
fn number_picks(digits: Digits, y: Matrix<'_, i8>) -> Result<Vec<Vec<[u8; COLUMNS]>>, Error> {
    match digits.terms {
        1 => picks_of::<1>(y),
        2 => picks_of::<2>(y),
        3 => picks_of::<3>(y),
        _ => picks_of::<MOST_TERMS>(y),
    }
}

/// For numbers of N terms.
#[cfg(target_arch = "x86_64")]
fn picks_of<const N: usize>(y: Matrix<'_, i8>) -> Result<Vec<Vec<[u8; COLUMNS]>>, Error> {
    // Columns that fill the last six pick what adds nothing.
    let nothing = [pick(&[0; N]); COLUMNS];
    let mut picks = vec![vec![nothing; y.rows().div_ceil(N)]; y.columns().div_ceil(COLUMNS)];
    for_each_column(y, N, |j, column| {
        for (picks, entries) in picks[j / COLUMNS].iter_mut().zip(column.as_chunks::<N>().0) {
            picks[j % COLUMNS] = pick(entries);
        }
    })?;
    Ok(picks)
}

#[cfg(all(test, target_arch = "x86_64"))]
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
            let packed = PackedNarrow::emulated(x, bound);
            let multiplier = Multiplier::new();
            multiplier
                .multiply_add_narrow_ternary_vartime(&packed, y, z(&mut got))
                .expect("ternary");
            assert!(got == want, "entries up to {bound}");
        }
    }
}
