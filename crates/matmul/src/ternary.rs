//! Products by a public matrix of entries -1, 0, 1, without multiplications: [`Multiplier::multiply_add_ternary_vartime`].
//!
//! The method of the four Russians (Arlazarov, Dinic, Kronrod, Faradzev 1970) in base three: of every four columns of X
//! all 3^4 = 81 signed sums are tabulated, and each column of Y then picks one. A table costs 81 additions and replaces
//! up to 4 n, n the number of columns of Y.

use alloc::vec;
use alloc::vec::Vec;

use crate::error::Error;
use crate::kernel::ternary::{GROUP, Line, TABLES, tiles};
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::{Multiplier, check};
use crate::parallel;
use crate::word::Word;

impl Multiplier {
    /// Z += X Y mod 2^w for Y with entries in {-1, 0, 1}.
    ///
    /// X is m x k, best column-major; Y k x n; Z m x n. Much faster than [`Multiplier::multiply_add`] from about 50
    /// columns of Y on, since nothing is multiplied and nothing packed.
    ///
    /// # Errors
    /// [`Error::Shape`]; [`Error::NotTernary`].
    ///
    /// # Constant time
    /// Variable time in Y, whose entries index tables. Nothing depends on X and Z in time, but sums of columns of X are not
    /// erased: for public operands.
    pub fn multiply_add_ternary_vartime<W: Word>(
        &self,
        x: Matrix<'_, W>,
        y: Matrix<'_, i8>,
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        check((x.rows(), x.columns()), (y.rows(), y.columns()), &z)?;
        let picks = picks(y)?;
        match W::BITS {
            8 => self.pick::<W, 64>(x, &picks, z),
            16 => self.pick::<W, 32>(x, &picks, z),
            32 => self.pick::<W, 16>(x, &picks, z),
            _ => self.pick::<W, 8>(x, &picks, z),
        }
        Ok(())
    }

    /// For tiles of `L` rows, 64 bytes, each by itself.
    fn pick<W: Word, const L: usize>(
        &self,
        x: Matrix<'_, W>,
        picks: &[[u8; TABLES]],
        mut z: MatrixMut<'_, W>,
    ) {
        let (m, n) = (z.rows(), z.columns());
        if m == 0 || n == 0 || x.columns() == 0 {
            return;
        }
        let mut sums = vec![Line::<W, L>::zero(); m.div_ceil(L) * n];
        let parallel = self.is_parallel(m.saturating_mul(n).saturating_mul(x.columns()));
        parallel::for_each_chunk(&mut sums, n, parallel, |tile, sums| {
            let rows = x.rows_in(tile * L..m.min((tile + 1) * L));
            tiles(self.isa(), rows, picks, sums);
        });
        for (tile, sums) in sums.chunks_exact(n).enumerate() {
            for (j, sums) in sums.iter().enumerate() {
                for (z, &sum) in z.column(j)[tile * L..].iter_mut().zip(sums.words()) {
                    *z = z.wrapping_add(sum);
                }
            }
        }
    }
}

/// For every batch of `TABLES` groups of `GROUP` rows of Y, and for every column: the number of the sum that it picks in
/// each group, sum_i (y_i + 1) 3^i; rows beyond the end count as 0.
fn picks(y: Matrix<'_, i8>) -> Result<Vec<[u8; TABLES]>, Error> {
    const BATCH: usize = GROUP * TABLES;
    let (k, n) = (y.rows(), y.columns());
    let mut picks = vec![[0_u8; TABLES]; k.div_ceil(BATCH) * n];
    for (batch, picks) in picks.chunks_exact_mut(n.max(1)).enumerate() {
        for (j, picks) in picks.iter_mut().enumerate() {
            let mut outside = None;
            for (group, pick) in picks.iter_mut().enumerate() {
                let start = batch * BATCH + group * GROUP;
                for i in (start..start + GROUP).rev() {
                    let entry = if i < k { y.at(i, j) } else { 0 };
                    if !(-1..=1).contains(&entry) {
                        outside = Some((i, entry));
                    }
                    *pick = pick.wrapping_mul(3).wrapping_add_signed(entry).wrapping_add(1);
                }
            }
            if let Some((row, got)) = outside {
                return Err(Error::NotTernary { row, column: j, got });
            }
        }
    }
    Ok(picks)
}
