//! The kernel in plain Rust, which the compiler vectorises as far as the baseline goes.

use crate::word::Lane;

pub(super) fn kernel<L: Lane, const ROWS: usize, const COLUMNS: usize>(
    x: &[L],
    y: &[L],
    tile: &mut [L],
) {
    let mut sums = [[L::default(); ROWS]; COLUMNS];
    for (x, y) in x.as_chunks::<ROWS>().0.iter().zip(y.as_chunks::<COLUMNS>().0) {
        for (sums, &y) in sums.iter_mut().zip(y) {
            for (sum, &x) in sums.iter_mut().zip(x) {
                *sum = sum.wrapping_add(x.wrapping_mul(y));
            }
        }
    }
    tile.copy_from_slice(sums.as_flattened());
}
