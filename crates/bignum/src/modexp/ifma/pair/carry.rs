//! Carries of columns in the halves of registers.
use tautochrone_simd::vector::Mask as _;

use super::register::{HALF, Register};

/// Columns below 2^64 become digits, modulo beta^(4 N), in each half: as
/// [`radix52::normalise`](crate::radix52::normalise), with four lanes of each register and no more
/// than 64 digits.
#[inline(always)]
pub(super) fn normalise<V: Register, const N: usize>(x: &mut [V; N]) {
    const { assert!(HALF * N <= 64, "a bit for each digit") };
    let token = x[0].token();
    let digit = V::digit_mask(token);
    let mut below = V::zero(token);
    for v in x.iter_mut() {
        let above = v.carry();
        *v = v.and(digit).add(above.up_in_halves(below, 1));
        below = above;
    }
    // A column above 2^52 - 1 generates a carry, a column of 2^52 - 1 passes one on.
    let (mut generate, mut pass) = ([0; 2], [0; 2]);
    for (k, v) in x.iter().enumerate() {
        let (g, p) = (u64::from(digit.lt(*v).bits()), u64::from(v.eq(digit).bits()));
        for half in 0..2 {
            generate[half] |= (g >> (HALF * half) & 15) << (HALF * k);
            pass[half] |= (p >> (HALF * half) & 15) << (HALF * k);
        }
    }
    let mut carries = [0; 2];
    for half in 0..2 {
        carries[half] = pass[half].wrapping_add(generate[half] << 1) ^ pass[half];
    }
    for (k, v) in x.iter_mut().enumerate() {
        let [low, high] = [carries[0] >> (HALF * k) & 15, carries[1] >> (HALF * k) & 15];
        let arrives = V::mask_from_bits(token, (low | high << HALF) as u32);
        *v = V::blend(arrives, v.add(V::splat(token, 1)), *v).and(digit);
    }
}
