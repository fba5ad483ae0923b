//! Single limbs, from which all else is built. Every function is constant-time in all arguments
//! unless it says otherwise.
use core::hint::black_box;

/// All ones iff `w != 0`.
#[inline(always)]
#[must_use]
pub fn is_nonzero(w: u64) -> u64 {
    // The top bit of w | -w is set iff w != 0; the barrier stops the optimiser from turning the
    // mask into a branch.
    black_box((w | w.wrapping_neg()) >> 63).wrapping_neg()
}

/// All ones iff `w == 0`.
#[inline(always)]
#[must_use]
pub fn is_zero(w: u64) -> u64 {
    !is_nonzero(w)
}

/// The mask of a bit: all ones iff the lowest bit of `bit` is set.
#[inline(always)]
#[must_use]
pub fn mask(bit: u64) -> u64 {
    black_box(bit & 1).wrapping_neg()
}

/// `b` where `gate` has ones, else `a`.
#[inline(always)]
#[must_use]
pub fn mux(a: u64, b: u64, gate: u64) -> u64 {
    a ^ (gate & (a ^ b))
}

/// `a + b + carry` as (sum, carry), `carry <= 1`.
#[inline(always)]
#[must_use]
pub fn add(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let t = u128::from(a) + u128::from(b) + u128::from(carry);
    (t as u64, (t >> 64) as u64)
}

/// `a - b - borrow` as (difference, borrow), `borrow <= 1`.
#[inline(always)]
#[must_use]
pub fn sub(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let t = u128::from(a).wrapping_sub(u128::from(b)).wrapping_sub(u128::from(borrow));
    (t as u64, (t >> 127) as u64)
}

/// `a b + c + d` as (low, high); it cannot overflow, as (B - 1)^2 + 2 (B - 1) = B^2 - 1.
#[inline(always)]
#[must_use]
pub fn mac(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let t = u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d);
    (t as u64, (t >> 64) as u64)
}

/// `w << amount` where `gate` is all ones, else `w`; `amount < 64` is public.
#[inline(always)]
#[must_use]
pub fn shl_gated(w: u64, amount: u32, gate: u64) -> u64 {
    mux(w, w << amount, gate)
}

/// `w >> amount` where `gate` is all ones, else `w`; `amount < 64` is public.
#[inline(always)]
#[must_use]
pub fn shr_gated(w: u64, amount: u32, gate: u64) -> u64 {
    mux(w, w >> amount, gate)
}
