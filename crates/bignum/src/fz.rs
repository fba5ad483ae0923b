//! Whole numbers of a fixed width: comparison, logic, addition. Constant-time in every value;
//! widths are public.
use crate::limb;

/// `x := 0`.
pub fn clear(x: &mut [u64]) {
    x.fill(0);
}

/// `x := w`; `x` has at least one limb.
pub fn set_limb(x: &mut [u64], w: u64) {
    clear(x);
    x[0] = w;
}

/// `x := y` where `gate` is all ones.
pub fn mux(x: &mut [u64], y: &[u64], gate: u64) {
    assert_eq!(x.len(), y.len(), "widths differ");
    for (a, &b) in x.iter_mut().zip(y) {
        *a = limb::mux(*a, b, gate);
    }
}

/// Exchanges `x` and `y` where `gate` is all ones.
pub fn swap(x: &mut [u64], y: &mut [u64], gate: u64) {
    assert_eq!(x.len(), y.len(), "widths differ");
    for (a, b) in x.iter_mut().zip(y) {
        let t = gate & (*a ^ *b);
        *a ^= t;
        *b ^= t;
    }
}

/// Mask of `x = 0`.
#[must_use]
pub fn is_zero(x: &[u64]) -> u64 {
    limb::is_zero(x.iter().fold(0, |a, &w| a | w))
}

/// Mask of an odd `x`, which has at least one limb.
#[must_use]
pub fn is_odd(x: &[u64]) -> u64 {
    limb::mask(x[0])
}

/// Mask of `x = y`.
#[must_use]
pub fn eq(x: &[u64], y: &[u64]) -> u64 {
    assert_eq!(x.len(), y.len(), "widths differ");
    limb::is_zero(x.iter().zip(y).fold(0, |a, (&u, &v)| a | (u ^ v)))
}

/// Mask of `x < y`: the borrow of `x - y`.
#[must_use]
pub fn lt(x: &[u64], y: &[u64]) -> u64 {
    assert_eq!(x.len(), y.len(), "widths differ");
    limb::mask(x.iter().zip(y).fold(0, |borrow, (&u, &v)| limb::sub(u, v, borrow).1))
}

/// Mask of `x > y`.
#[must_use]
pub fn gt(x: &[u64], y: &[u64]) -> u64 {
    lt(y, x)
}

/// `x := x + y`, returns the carry.
pub fn add(x: &mut [u64], y: &[u64]) -> u64 {
    add_gated(x, y, u64::MAX)
}

/// `x := x + y` where `gate` is all ones, returns the carry.
pub fn add_gated(x: &mut [u64], y: &[u64], gate: u64) -> u64 {
    assert_eq!(x.len(), y.len(), "widths differ");
    let mut carry = 0;
    for (a, &b) in x.iter_mut().zip(y) {
        (*a, carry) = limb::add(*a, b & gate, carry);
    }
    carry
}

/// `x := 2 x + carry` for a carry of 0 or 1, returns the carry.
pub fn double(x: &mut [u64], mut carry: u64) -> u64 {
    for a in x {
        (*a, carry) = (*a << 1 | carry, *a >> 63);
    }
    carry
}

/// `x := x + w`, returns the carry.
pub fn add_limb(x: &mut [u64], w: u64) -> u64 {
    let mut carry = w;
    for a in x {
        (*a, carry) = limb::add(*a, carry, 0);
    }
    carry
}

/// `x := x - y`, returns the borrow.
pub fn sub(x: &mut [u64], y: &[u64]) -> u64 {
    sub_gated(x, y, u64::MAX)
}

/// `x := x - y` where `gate` is all ones, returns the borrow.
pub fn sub_gated(x: &mut [u64], y: &[u64], gate: u64) -> u64 {
    assert_eq!(x.len(), y.len(), "widths differ");
    let mut borrow = 0;
    for (a, &b) in x.iter_mut().zip(y) {
        (*a, borrow) = limb::sub(*a, b & gate, borrow);
    }
    borrow
}

/// `x := |x - y|`, returns the mask of `x < y`.
pub fn abs_diff(x: &mut [u64], y: &[u64]) -> u64 {
    let less = limb::mask(sub(x, y));
    neg_gated(x, less);
    less
}

/// `x := -x` modulo 2^(64 n).
pub fn neg(x: &mut [u64]) {
    neg_gated(x, u64::MAX);
}

/// `x := -x` where `gate` is all ones: complement, add one.
pub fn neg_gated(x: &mut [u64], gate: u64) {
    let mut carry = gate & 1;
    for a in x {
        (*a, carry) = limb::add(*a ^ gate, 0, carry);
    }
}

/// `x := x - y` if `x + top B^n >= y`, for `top` in {0, 1} with `x + top B^n < y + B^n`; returns
/// the mask of having subtracted. `spare`, of the same width, is overwritten.
pub fn reduce_once(x: &mut [u64], top: u64, y: &[u64], spare: &mut [u64]) -> u64 {
    spare.copy_from_slice(x);
    let borrow = sub(spare, y);
    let taken = limb::mask(top | (borrow ^ 1));
    mux(x, spare, taken);
    taken
}

/// `x := x & y`.
pub fn and(x: &mut [u64], y: &[u64]) {
    assert_eq!(x.len(), y.len(), "widths differ");
    x.iter_mut().zip(y).for_each(|(a, b)| *a &= b);
}

/// `x := x | y`.
pub fn or(x: &mut [u64], y: &[u64]) {
    assert_eq!(x.len(), y.len(), "widths differ");
    x.iter_mut().zip(y).for_each(|(a, b)| *a |= b);
}

/// `x := x ^ y`.
pub fn xor(x: &mut [u64], y: &[u64]) {
    assert_eq!(x.len(), y.len(), "widths differ");
    x.iter_mut().zip(y).for_each(|(a, b)| *a ^= b);
}

/// `x := !x`.
pub fn not(x: &mut [u64]) {
    for a in x {
        *a = !*a;
    }
}
