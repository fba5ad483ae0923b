//! Shifts by public counts, and *quiet* shifts whose count is secret too.
use crate::limb;

/// `x := x << count` modulo 2^(64 n). Variable-time in `count` only, which is public.
pub fn shl(x: &mut [u64], count: usize) {
    let (limbs, bits) = (count >> 6, count & 63);
    for i in (0..x.len()).rev() {
        let at = |k: usize| if i >= k { x[i - k] } else { 0 };
        // (w >> 1) >> (63 - bits) is w >> (64 - bits), and 0 for bits = 0.
        x[i] = at(limbs) << bits | (at(limbs.saturating_add(1)) >> 1) >> (63 - bits);
    }
}

/// `x := x >> count`. Variable-time in `count` only, which is public.
pub fn shr(x: &mut [u64], count: usize) {
    let (limbs, bits) = (count >> 6, count & 63);
    for i in 0..x.len() {
        let at = |k: usize| x.get(i.saturating_add(k)).copied().unwrap_or(0);
        x[i] = at(limbs) >> bits | (at(limbs.saturating_add(1)) << 1) << (63 - bits);
    }
}

/// Bits of the value: 0 for zero, else 1 + floor(log2 x). Constant-time.
#[must_use]
pub fn measure(x: &[u64]) -> u64 {
    let mut bits = 0;
    for (i, &w) in (0u64..).zip(x) {
        let here = 64 * i + 64 - limb::leading_zeros(w);
        bits = limb::mux(bits, here, limb::is_nonzero(w));
    }
    bits
}

/// Number of trailing zero bits, 64 n for zero. Constant-time.
#[must_use]
pub fn trailing_zeros(x: &[u64]) -> u64 {
    let mut zeros = 64 * x.len() as u64;
    for (i, &w) in x.iter().enumerate().rev() {
        let here = 64 * i as u64 + limb::trailing_zeros(w);
        zeros = limb::mux(zeros, here, limb::is_nonzero(w));
    }
    zeros
}

/// `x := x << count` for secret `count < 64`, by the machine's barrel shifter.
pub fn sublimb_shl(x: &mut [u64], count: u64) {
    let mut carry = 0;
    for w in x {
        let v = *w;
        *w = v << count | carry;
        carry = (v >> 1) >> (63 - count);
    }
}

/// `x := x >> count` for secret `count < 64`, by the machine's barrel shifter.
pub fn sublimb_shr(x: &mut [u64], count: u64) {
    let mut carry = 0;
    for w in x.iter_mut().rev() {
        let v = *w;
        *w = v >> count | carry;
        carry = (v << 1) << (63 - count);
    }
}

/// [`sublimb_shl`] for machines whose shifter takes longer for larger counts: six gated shifts by
/// public amounts for the limb, six for the carry that leaves it (FFA Ch. 13, in the form of bvt's
/// 2019 rewrite).
pub fn sublimb_shl_soft(x: &mut [u64], count: u64) {
    let no_carry = limb::is_zero(count);
    let mut out = 0;
    for w in x {
        let (mut shifted, mut carry) = (*w, limb::mux(*w, 0, no_carry));
        for j in 0..6 {
            shifted = limb::shl_gated(shifted, 1 << j, limb::mask(count >> j));
            carry = limb::shr_gated(carry, 1 << j, limb::mask((64 - count) >> j));
        }
        *w = shifted | out;
        out = carry;
    }
}

/// [`sublimb_shr`] by gated shifts of public amounts, as [`sublimb_shl_soft`].
pub fn sublimb_shr_soft(x: &mut [u64], count: u64) {
    let no_carry = limb::is_zero(count);
    let mut out = 0;
    for w in x.iter_mut().rev() {
        let (mut shifted, mut carry) = (*w, limb::mux(*w, 0, no_carry));
        for j in 0..6 {
            shifted = limb::shr_gated(shifted, 1 << j, limb::mask(count >> j));
            carry = limb::shl_gated(carry, 1 << j, limb::mask((64 - count) >> j));
        }
        *w = shifted | out;
        out = carry;
    }
}

/// Levels of the barrel that moves whole limbs: 2^levels >= n.
fn levels(n: usize) -> u32 {
    n.next_power_of_two().trailing_zeros()
}

/// `x := x << count` for secret `count < 64 * 2^ceil(log2 n)`; counts from the width up give zero.
pub fn quiet_shl(x: &mut [u64], count: u64) {
    sublimb_shl(x, count & 63);
    for p in 0..levels(x.len()) {
        let (gate, d) = (limb::mask(count >> (6 + p)), 1 << p);
        for i in (0..x.len()).rev() {
            let from = if i >= d { x[i - d] } else { 0 };
            x[i] = limb::mux(x[i], from, gate);
        }
    }
}

/// `x := x >> count` for secret `count < 64 * 2^ceil(log2 n)`; counts from the width up give zero.
pub fn quiet_shr(x: &mut [u64], count: u64) {
    sublimb_shr(x, count & 63);
    for p in 0..levels(x.len()) {
        let (gate, d) = (limb::mask(count >> (6 + p)), 1 << p);
        for i in 0..x.len() {
            let from = x.get(i + d).copied().unwrap_or(0);
            x[i] = limb::mux(x[i], from, gate);
        }
    }
}
