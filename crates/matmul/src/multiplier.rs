//! [`Multiplier`]: blocking, packing and threads around the kernels.

use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::kernel::Kernel;
use crate::matrix::{Matrix, MatrixMut};
use crate::pack::pack;
use crate::word::{Lane, Operand, Word};

/// Columns of X and rows of Y that a block takes: a strip of X of this depth and a strip of Y stay in the first-level
/// cache (at w = 64: 16 rows * 256 * 8 bytes = 32 KiB and 6 columns * 256 * 8 = 12 KiB).
const DEPTH: usize = 256;
/// Rows of X that are packed at a time: 96 strips of at most 64 rows stay in the second-level cache.
const HEIGHT: usize = 384;

/// Forms products on one instruction set. Cheap to make, holds no memory.
#[derive(Clone, Copy, Debug)]
pub struct Multiplier {
    isa: Isa,
}

impl Default for Multiplier {
    fn default() -> Self {
        Self::new()
    }
}

impl Multiplier {
    /// On the best instruction set.
    #[must_use]
    pub fn new() -> Self {
        Self::new_on(Isa::detect())
    }

    /// On a chosen instruction set.
    #[must_use]
    pub const fn new_on(isa: Isa) -> Self {
        Self { isa }
    }

    /// Z = X Y mod 2^w.
    ///
    /// # Errors
    /// [`Error::Shape`].
    pub fn multiply<W: Word, X: Operand, Y: Operand>(
        &self,
        x: Matrix<'_, X>,
        y: Matrix<'_, Y>,
        mut z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        check(&x, &y, &z)?;
        z.clear();
        self.multiply_add(x, y, z)
    }

    /// Z += X Y mod 2^w.
    ///
    /// # Errors
    /// [`Error::Shape`].
    pub fn multiply_add<W: Word, X: Operand, Y: Operand>(
        &self,
        x: Matrix<'_, X>,
        y: Matrix<'_, Y>,
        z: MatrixMut<'_, W>,
    ) -> Result<(), Error> {
        check(&x, &y, &z)?;
        if x.rows() == 0 || y.columns() == 0 || x.columns() == 0 {
            return Ok(());
        }
        let kernel = W::Lane::kernel(self.isa);
        spread(&kernel, &x, &y, 0, z, tasks());
        Ok(())
    }
}

fn check<W: Word, X: Operand, Y: Operand>(
    x: &Matrix<'_, X>,
    y: &Matrix<'_, Y>,
    z: &MatrixMut<'_, W>,
) -> Result<(), Error> {
    if x.columns() == y.rows() && x.rows() == z.rows() && y.columns() == z.columns() {
        return Ok(());
    }
    Err(Error::Shape {
        x_rows: x.rows(),
        x_columns: x.columns(),
        y_rows: y.rows(),
        y_columns: y.columns(),
        z_rows: z.rows(),
        z_columns: z.columns(),
    })
}

/// Tasks worth making.
fn tasks() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// Halves the columns of Z until there is a piece for every task.
fn spread<W: Word, X: Operand, Y: Operand>(
    kernel: &Kernel<W::Lane>,
    x: &Matrix<'_, X>,
    y: &Matrix<'_, Y>,
    first: usize,
    z: MatrixMut<'_, W>,
    tasks: usize,
) {
    let strips = z.columns().div_ceil(kernel.columns);
    if tasks <= 1 || strips <= 1 {
        return block(kernel, x, y, first, z);
    }
    let (left_tasks, right_tasks) = (tasks / 2, tasks - tasks / 2);
    let columns = (strips * left_tasks).div_ceil(tasks) * kernel.columns;
    let (left, right) = z.split_at(columns);
    let right_first = first + columns;
    let left = || spread(kernel, x, y, first, left, left_tasks);
    let right = || spread(kernel, x, y, right_first, right, right_tasks);
    #[cfg(feature = "rayon")]
    rayon::join(left, right);
    #[cfg(not(feature = "rayon"))]
    {
        left();
        right();
    }
}

/// Z += X Y for the columns of Y from `first` on that Z has.
fn block<W: Word, X: Operand, Y: Operand>(
    kernel: &Kernel<W::Lane>,
    x: &Matrix<'_, X>,
    y: &Matrix<'_, Y>,
    first: usize,
    mut z: MatrixMut<'_, W>,
) {
    let (mr, nr) = (kernel.rows, kernel.columns);
    let strips = z.columns().div_ceil(nr);
    let depth = DEPTH.min(x.columns());
    let height = HEIGHT.min(x.rows()).next_multiple_of(mr);
    // Erased when dropped: they hold copies of what may be secret.
    let mut x_pack = Zeroizing::new(vec![W::Lane::default(); height * depth]);
    let mut y_pack = Zeroizing::new(vec![W::Lane::default(); strips * nr * depth]);
    let mut tile = Zeroizing::new(vec![W::Lane::default(); mr * nr]);
    let transposed = y.transposed();

    for k in (0..x.columns()).step_by(DEPTH) {
        let depth = DEPTH.min(x.columns() - k);
        for (strip, out) in y_pack.chunks_exact_mut(nr * depth).take(strips).enumerate() {
            pack(&transposed, first + strip * nr, nr, k, depth, out);
        }
        for i in (0..x.rows()).step_by(HEIGHT) {
            let rows = HEIGHT.min(x.rows() - i);
            let x_strips = rows.div_ceil(mr);
            for (strip, out) in x_pack.chunks_exact_mut(mr * depth).take(x_strips).enumerate() {
                pack(x, i + strip * mr, mr, k, depth, out);
            }
            for (y_strip, y) in y_pack.chunks_exact(nr * depth).take(strips).enumerate() {
                let columns = nr.min(z.columns() - y_strip * nr);
                for (x_strip, x) in x_pack.chunks_exact(mr * depth).take(x_strips).enumerate() {
                    kernel.run(x, y, &mut tile);
                    let top = i + x_strip * mr;
                    for (j, tile) in tile.chunks_exact(mr).take(columns).enumerate() {
                        for (z, &lane) in z.column(y_strip * nr + j)[top..].iter_mut().zip(tile) {
                            *z = z.wrapping_add(W::from_lane(lane));
                        }
                    }
                }
            }
        }
    }
}
