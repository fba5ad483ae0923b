//! Z in tiles of rows, and what its columns pick.

use alloc::vec;
use alloc::vec::Vec;

use crate::error::Error;
use crate::kernel::lookup::{
    DEPTH, LANES, PACKED, ROWS, Scratch, TERMS, Tile, WORDS, Words, registers,
};
use crate::kernel::ternary::Line;
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::{Multiplier, check};

impl Multiplier {
    /// `kernel` for tiles of `ROWS` rows. Each thread makes tables of its own, a tenth of the work for 1024 columns.
    pub(super) fn by_lookups(
        &self,
        x: Matrix<'_, u32>,
        y: Matrix<'_, i8>,
        z: MatrixMut<'_, u32>,
        kernel: impl Fn(Tile<'_, '_>) + Sync,
    ) -> Result<(), Error> {
        check((x.rows(), x.columns()), (y.rows(), y.columns()), &z)?;
        self.share_columns(x.columns(), LANES, z, |first, z| {
            let picks = Picks::new(y.columns_in(first..first + z.columns()));
            let scratch = &mut Scratch::new(z.columns());
            for row in (0..x.rows()).step_by(ROWS) {
                let x = x.rows_in(row..x.rows().min(row + ROWS));
                kernel(Tile { x, picks: &picks.0, row, z, scratch });
            }
        });
        Ok(())
    }
}

/// Which sum every column of Y picks of every three rows, as a [`Tile`] wants them; erased when dropped.
struct Picks(Vec<Words>);

impl Picks {
    fn new(y: Matrix<'_, i8>) -> Self {
        let (k, registers) = (y.rows(), registers(y.columns()));
        let mut picks = Self(vec![Line::zero(); k.div_ceil(DEPTH) * registers * WORDS]);
        let mut column = vec![0_i8; k.next_multiple_of(DEPTH)];
        for j in 0..y.columns() {
            match y.strides() {
                (1, stride) => column[..k].copy_from_slice(&y.data()[j * stride..][..k]),
                _ => column[..k].iter_mut().enumerate().for_each(|(i, entry)| *entry = y.at(i, j)),
            }
            for (block, entries) in column.chunks_exact(DEPTH).enumerate() {
                let lines = &mut picks.0[(block * registers + j / LANES) * WORDS..][..WORDS];
                for (line, entries) in lines.iter_mut().zip(entries.chunks_exact(TERMS * PACKED)) {
                    let pick = |entries: &[i8]| {
                        let digit = |pick: u8, &entry: &i8| {
                            pick.wrapping_mul(3).wrapping_add_signed(entry).wrapping_add(1)
                        };
                        u32::from(entries.iter().rfold(0, digit))
                    };
                    line.0[j % LANES] = entries
                        .chunks_exact(TERMS)
                        .rfold(0, |word, entries| word << 8 | pick(entries));
                }
            }
        }
        column.fill(0);
        zeroize::optimization_barrier(column.as_slice());
        picks
    }
}

impl Drop for Picks {
    fn drop(&mut self) {
        self.0.fill(Line::zero());
        zeroize::optimization_barrier(self.0.as_slice());
    }
}
