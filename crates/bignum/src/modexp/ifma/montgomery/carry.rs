//! Carries of columns in parts.
use tautochrone_simd::vector::Mask as _;

use super::arrangement::Arrangement;
use crate::radix52::Radix52;

/// Columns below 2^64 become digits, modulo beta^D.
///
/// The carries move up by one column, which leaves less than 2^52 + 2^12 in each; what leaves the
/// highest column of a part goes to the next one. Then they ripple through all parts at once. A
/// part out of which one comes is below 2^12 beta^(N - 1) then; a part of the largest digits alone
/// passes one on. With both as bits g and p, the carries that arrive at parts are the carries of
/// the sum p + 2 g: in a run of passing parts the bits of p flip, and the first part after it is
/// set.
#[inline(always)]
pub(super) fn normalise<V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize>(
    x: &mut [V; N],
) {
    let token = x[0].token();
    let digit = V::digit_mask(token);
    let mut below = A::up(x[N - 1].carry());
    for v in x.iter_mut() {
        let above = v.carry();
        *v = v.and(digit).add(below);
        below = above;
    }
    let generate = ripple(x, V::zero(token));
    let all = x.iter().fold(digit, |all, &v| all.and(v));
    let generate = V::zero(token).lt(generate).bits() & A::INNER;
    let pass = all.eq(digit).bits() & A::INNER;
    let arrives = V::mask_from_bits(token, pass.wrapping_add(generate << 1) ^ pass);
    ripple(x, V::blend(arrives, V::splat(token, 1), V::zero(token)));
}

/// Columns of each part, and a carry into the lowest, become digits and the carry out of the
/// highest.
#[inline(always)]
fn ripple<V: Radix52, const N: usize>(x: &mut [V; N], mut carry: V) -> V {
    let digit = V::digit_mask(carry.token());
    for v in x.iter_mut() {
        let sum = v.add(carry);
        carry = sum.carry();
        *v = sum.and(digit);
    }
    carry
}

// For kernels for x86-64: elsewhere, where nothing runs them, registers of so many lanes in memory
// take a compiler half an hour.
#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use tautochrone_simd::vector::Emulated;

    use super::super::arrangement::{InHalves, Whole};
    use super::*;
    use crate::radix52::{DIGIT, LANES, RADIX};

    const N: usize = 3;

    /// Normalises columns of P numbers, one after the other, and compares with the carries of
    /// columns one by one.
    #[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
    fn agrees<A: Arrangement<Emulated<8>, P>, const P: usize>(columns: &[u64; N * LANES]) {
        let mut x: [Emulated<8>; N] = core::array::from_fn(|j| {
            Emulated::from_array((), core::array::from_fn(|l| columns[N * l + j]))
        });
        normalise::<_, A, P, N>(&mut x);
        let mut want = *columns;
        for number in want.chunks_mut(N * A::PARTS) {
            let mut carry = 0;
            for column in number {
                let sum = u128::from(*column) + carry;
                (*column, carry) = (sum as u64 & DIGIT, sum >> RADIX);
            }
        }
        let got: [u64; N * LANES] = core::array::from_fn(|i| x[i % N].to_array()[i / N]);
        assert_eq!(got, want, "{P} of {columns:x?}");
    }

    #[test]
    fn carries_ripple_through_parts() {
        // Runs of the largest digits from each column on, with a carry from below, and one in their
        // midst.
        for start in 0..N * LANES {
            for end in start..=N * LANES {
                let run = |i: usize| if start < i && i < end { DIGIT } else { 0 };
                let mut columns: [u64; N * LANES] = core::array::from_fn(run);
                columns[start] = DIGIT + 1;
                agrees::<Whole, 1>(&columns);
                agrees::<InHalves, 2>(&columns);
                columns[(start + end) >> 1] |= 0xfff << RADIX;
                agrees::<Whole, 1>(&columns);
                agrees::<InHalves, 2>(&columns);
            }
        }
        let mut state = 1_u64;
        for _ in 0..1000 {
            let columns = core::array::from_fn(|_| {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                state
            });
            agrees::<Whole, 1>(&columns);
            agrees::<InHalves, 2>(&columns);
        }
    }
}
