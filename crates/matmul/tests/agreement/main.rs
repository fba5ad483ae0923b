//! Every kind of product gives the product of the definition. One program: the kernels are compiled
//! once for all.

mod packed;
mod ternary;
mod vectors;

use tautochrone_matmul::{Matrix, MatrixMut, Operand, Word, reference};

/// Entries from 64 bits each, many of which are the extremes of every width.
fn fill<T>(len: usize, seed: u64, from: impl Fn(u64) -> T) -> Vec<T> {
    let mut state = seed;
    let next = |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        from(match state >> 61 {
            0 => u64::MAX,
            1 => 1 << 63 | 1 << 31 | 1 << 15 | 1 << 7,
            2 => 0x7fff_ffff_7fff_7f7f,
            3 => 0,
            _ => state >> 3 ^ state << 40,
        })
    };
    (0..len).map(next).collect()
}

/// A column-major Z.
fn z_view<W: Word>(z: &mut [W], m: usize, n: usize) -> MatrixMut<'_, W> {
    MatrixMut::column_major(z, m, n).expect("shape")
}

/// Z + X Y by the definition.
fn defined<W: Word, X: Operand, Y: Operand>(z: &[W], x: Matrix<'_, X>, y: Matrix<'_, Y>) -> Vec<W> {
    let mut z = z.to_vec();
    reference::multiply_add(x, y, z_view(&mut z, x.rows(), y.columns()));
    z
}
