//! Products, squares and low products of limbs by AVX-512 IFMA, in digits of 52 bits.
//!
//! # Constant time
//! In all values: straight loops over public widths; carries ripple in the adder of general
//! registers.
use tautochrone_simd::vector::Vector;
use tautochrone_simd::{Token, vectorize, wipe};

use crate::radix52::blocks::{self, of_registers};
use crate::radix52::columns::{All, Low, Square, columns};
use crate::radix52::{LANES, RADIX, normalise, zeros};

mod convert;

use convert::Register;

/// Widest factors, in limbs: a column adds up to 2 D products below 2^52 for D digits, which is
/// below 2^64 for D < 2048.
pub(crate) const MAX_LIMBS: usize = 1024;

/// Blocks of `n` limbs, and registers of each; a bit is spare, for twice the number.
fn blocks_of<V: Register>(n: usize) -> (usize, usize) {
    blocks::blocks_of::<V>((64 * n + 1).div_ceil(RADIX * LANES))
}

/// z := x y; x and y have n <= [`MAX_LIMBS`] limbs, z has 2 n.
pub(crate) fn mul<V: Register>(token: V::Token, z: &mut [u64], x: &[u64], y: &[u64]) {
    let (blocks, registers) = blocks_of::<V>(x.len());
    assert!(y.len() == x.len() && z.len() == 2 * x.len() && x.len() <= MAX_LIMBS, "widths");
    of_registers!(registers, mul_blocks<false>(token, z, x, y, blocks));
}

/// z := x^2; x has n <= [`MAX_LIMBS`] limbs, z has 2 n.
pub(crate) fn square<V: Register>(token: V::Token, z: &mut [u64], x: &[u64]) {
    let (blocks, registers) = blocks_of::<V>(x.len());
    assert!(z.len() == 2 * x.len() && x.len() <= MAX_LIMBS, "widths");
    of_registers!(registers, square_blocks(token, z, x, blocks));
}

/// z := x y modulo 2^(64 n); all have n <= [`MAX_LIMBS`] limbs.
pub(crate) fn mul_low<V: Register>(token: V::Token, z: &mut [u64], x: &[u64], y: &[u64]) {
    let (blocks, registers) = blocks_of::<V>(x.len());
    assert!(y.len() == x.len() && z.len() == x.len() && x.len() <= MAX_LIMBS, "widths");
    of_registers!(registers, mul_blocks<true>(token, z, x, y, blocks));
}

/// Registers on the stack, erased when dropped: one block needs no heap.
struct Erased<V: Vector, const N: usize, const M: usize>([[V; N]; M]);

impl<V: Vector, const N: usize, const M: usize> Erased<V, N, M> {
    #[inline(always)]
    fn zero(token: V::Token) -> Self {
        Self([[opaque_zero(token); N]; M])
    }
}

impl<V: Vector, const N: usize, const M: usize> Drop for Erased<V, N, M> {
    #[inline(always)]
    fn drop(&mut self) {
        let zero = opaque_zero(self.0[0][0].token());
        wipe(self.0.as_flattened_mut(), zero);
    }
}

/// A zero that the compiler does not know to be zero: for a known one it calls `memset`, which
/// takes longer than the few stores.
#[inline(always)]
fn opaque_zero<V: Vector>(token: V::Token) -> V {
    core::hint::black_box(V::zero(token))
}

/// out := digits of x.
fn split<V: Register>(token: V::Token, out: &mut [V], x: &[u64]) {
    vectorize!(token, convert::split(token, out, x));
}

/// z := limbs of the columns.
fn join<V: Register>(token: V::Token, z: &mut [u64], columns: &mut [V]) {
    vectorize!(token, join_inside(token, z, columns));
}

#[inline(always)]
fn join_inside<V: Register>(token: V::Token, z: &mut [u64], columns: &mut [V]) {
    normalise(token, columns, 0);
    convert::join(token, z, columns);
}

/// z := x y, or as many limbs of it as a factor has if `LOW`.
fn mul_blocks<V: Register, const N: usize, const LOW: bool>(
    token: V::Token,
    z: &mut [u64],
    x: &[u64],
    y: &[u64],
    blocks: usize,
) {
    if blocks == 1 {
        return vectorize!(token, {
            let mut factors = Erased::<V, N, 2>::zero(token);
            let [a, b] = &mut factors.0;
            convert::split(token, a, x);
            convert::split(token, b, y);
            if LOW {
                let mut sums = Erased(columns(token, a, &Low(b)));
                join_inside(token, z, &mut sums.0[0]);
            } else {
                let mut sums = Erased(columns(token, a, &All(b)));
                join_inside(token, z, sums.0.as_flattened_mut());
            }
        });
    }
    let mut space = zeros::<V>(token, if LOW { 3 } else { 4 } * blocks * N);
    let (digits, t) = space.split_at_mut(2 * blocks * N);
    let (a, b) = digits.split_at_mut(blocks * N);
    split(token, a, x);
    split(token, b, y);
    if LOW {
        blocks::add_low::<V, N>(token, t, a, b);
    } else {
        blocks::product::<V, N>(token, t, a, b);
    }
    join(token, z, t);
}

fn square_blocks<V: Register, const N: usize>(
    token: V::Token,
    z: &mut [u64],
    x: &[u64],
    blocks: usize,
) {
    if blocks == 1 {
        return vectorize!(token, {
            let mut factors = Erased::<V, N, 3>::zero(token);
            let [a, twice, next] = &mut factors.0;
            convert::split(token, a, x);
            let terms = Square::new(a, twice, next);
            let mut sums = Erased(columns(token, a, &terms));
            join_inside(token, z, sums.0.as_flattened_mut());
        });
    }
    let mut space = zeros::<V>(token, 3 * blocks * N);
    let (a, t) = space.split_at_mut(blocks * N);
    split(token, a, x);
    let mut doubled = Erased::<V, N, 2>::zero(token);
    blocks::square::<V, N>(token, t, a, doubled.0.as_flattened_mut());
    join(token, z, t);
}

// For kernels for x86-64: elsewhere, where nothing runs them, registers of so many lanes in memory
// take a compiler half an hour.
#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use tautochrone_simd::Isa;
    use tautochrone_simd::vector::Emulated;
    use tautochrone_simd::vector::U64x8;

    use super::*;
    use crate::check::{big, mixed};

    /// Both ends of the widths of every number of registers, and of several blocks.
    fn check<V: Register>(token: V::Token, widths: &[usize]) {
        for &n in widths {
            let ones = vec![u64::MAX; n];
            let mixed = mixed(n, 1);
            for (x, y) in [(&ones, &ones), (&ones, &mixed), (&mixed, &mixed)] {
                let (mut z, mut low) = (vec![1; 2 * n], vec![1; n]);
                mul::<V>(token, &mut z, x, y);
                assert_eq!(big(&z), big(x) * big(y), "{n}");
                mul_low::<V>(token, &mut low, x, y);
                assert_eq!(low, z[..n], "{n}");
                square::<V>(token, &mut z, y);
                assert_eq!(big(&z), big(y) * big(y), "{n}");
            }
        }
    }

    #[test]
    fn products_are_right_for_one_and_several_blocks() {
        check::<Emulated<8>>((), &[0, 1, 6, 13, 14, 19, 20, 26, 33, 46]);
        if let Some(ifma) = Isa::detect().ifma() {
            let ends =
                [1, 6, 7, 12, 13, 19, 20, 25, 26, 32, 33, 39, 45, 46, 52, 58, 64, 65, 72, 128];
            check::<U64x8<_>>(ifma, &ends);
            check::<U64x8<_>>(ifma, &[129, 130, 131, 195, 200, 260, 512, MAX_LIMBS]);
        }
    }
}
