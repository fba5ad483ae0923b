//! Divsteps (Bernstein, Yang 2019, "Fast constant-time gcd computation and modular inversion",
//! sections 8 and 9), in the form that starts with delta = 1/2 (Wuille 2021, in libsecp256k1's
//! `safegcd_implementation.md`): with f odd,
//!
//! (delta, f, g) -> (1 - delta, g, (g - f) / 2) if delta > 0 and g is odd,
//! else (1 + delta, f, (g + (g mod 2) f) / 2).
//!
//! gcd(f, g) stays the same, |f| and |g| never exceed the larger of the first two, and where a step
//! goes depends on delta and the lowest bits of f and g alone. So [`Matrix::next`] collects a
//! [`BATCH`] of steps from the lowest words, and `signed` applies it to whole numbers.
//!
//! # How many
//! If 0 <= g <= f <= 2^b and f is odd, then g = 0 after n steps for every n with 9437 b + 1 <= 4096
//! n: theorem `DIVSTEP_ENDTOEND_BITS_SIMPLE` of HOL Light (Divstep/divstep_bounds.ml), which
//! follows the convex hull of all values that steps may lead to, as Wuille does for single b
//! (safegcd-bounds). 9437 / 4096 is about 2.304 steps a bit.

use tautochrone_simd::value_barrier;
use zeroize::DefaultIsZeroes;

/// Steps of a matrix. Sums of a row's products with two words, and of a multiple of a modulus for
/// which that has 2^62 at most, then fit into 128 bits (`signed`).
pub(super) const BATCH: u32 = 61;

/// Batches after which g = 0, for 0 <= g <= f < 2^`bits`.
pub(super) const fn batches(bits: usize) -> usize {
    (9437 * bits + 1).div_ceil(4096).div_ceil(BATCH as usize)
}

/// A batch of steps: 2^`BATCH` (f', g') = (u f + v g, q f + r g), where |u| + |v| and |q| + |r| are
/// at most 2^`BATCH`, since each step at most doubles them.
#[derive(Clone, Copy, Default)]
pub(super) struct Matrix {
    pub(super) f: [i64; 2],
    pub(super) g: [i64; 2],
}

impl DefaultIsZeroes for Matrix {}

impl Matrix {
    /// For the lowest words of f and g; `delta` is 2 delta, and is brought up to date.
    ///
    /// # Constant time
    /// In all arguments.
    pub(super) fn next(delta: &mut i64, mut f: u64, mut g: u64) -> Self {
        let [mut u, mut v, mut q, mut r] = [1_i64, 0, 0, 1];
        let mut twice = *delta;
        for _ in 0..BATCH {
            // All ones or all zeros.
            let odd = value_barrier(0_u64.wrapping_sub(g & 1));
            let swap = odd & value_barrier(!((twice - 1) >> 63) as u64);
            let (odd_signed, swap_signed) = (odd as i64, swap as i64);
            // g - f or g + f, and likewise the rows that they are.
            g = g.wrapping_add(((f ^ swap).wrapping_sub(swap)) & odd);
            q += ((u ^ swap_signed) - swap_signed) & odd_signed;
            r += ((v ^ swap_signed) - swap_signed) & odd_signed;
            // The former g is the difference and f.
            f = f.wrapping_add(g & swap);
            u = (u + (q & swap_signed)) << 1;
            v = (v + (r & swap_signed)) << 1;
            g >>= 1;
            twice = ((twice ^ swap_signed) - swap_signed) + 2;
        }
        *delta = twice;
        Self { f: [u, v], g: [q, r] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step as it is defined, on numbers of less than 126 bits.
    fn step((delta, f, g): (i64, i128, i128)) -> (i64, i128, i128) {
        if delta > 0 && g & 1 == 1 {
            (2 - delta, g, (g - f) >> 1)
        } else {
            (2 + delta, f, (g + (g & 1) * f) >> 1)
        }
    }

    #[test]
    fn a_matrix_is_its_steps() {
        let mut random = 1_u64;
        for start in [1, -1, 3, -5, 61, -61, 301, -301] {
            for round in 0..200 {
                random = random.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ random >> 31;
                let f = i128::from(random | 1) >> (round % 3 * 20) | 1;
                let g = i128::from(random.wrapping_mul(0xd6e8_feb8_6659_fd93)) >> (round % 5 * 15);
                let (f, g) = if round & 1 == 0 { (f, g) } else { (-f, g) };
                let mut delta = start;
                let matrix = Matrix::next(&mut delta, f as u64, g as u64);
                let want = (0..BATCH).fold((start, f, g), |state, _| step(state));
                let row = |[a, b]: [i64; 2]| {
                    assert!(a.unsigned_abs() + b.unsigned_abs() <= 1 << BATCH);
                    (i128::from(a).wrapping_mul(f).wrapping_add(i128::from(b).wrapping_mul(g)))
                        >> BATCH
                };
                assert_eq!((delta, row(matrix.f), row(matrix.g)), want, "{start} {f} {g}");
            }
        }
    }

    /// The theorem's number of steps, for all small numbers; some need all but two of them.
    #[test]
    fn steps_suffice() {
        for bits in 1..10 {
            let bound = (9437 * bits + 1_usize).div_ceil(4096);
            let needed = |f: i128, g: i128| {
                let mut state = (1, f, g);
                (0..=2 * bound).find(|_| {
                    let done = state.2 == 0;
                    state = step(state);
                    done
                })
            };
            let most = (0..1_i128 << bits)
                .filter(|f| f & 1 == 1)
                .flat_map(|f| (0..=f).map(move |g| (f, g)))
                .filter_map(|(f, g)| needed(f, g))
                .max()
                .expect("a pair");
            assert!(most <= bound && most + 4 >= bound, "{bits} bits: {most}, {bound}");
        }
        // By hand: 9437 66 + 1 = 4096 152.06, 9437 1026 + 1 = 4096 2363.9.
        assert_eq!([batches(66), batches(1026)], [3, 39]);
    }
}
