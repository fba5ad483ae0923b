//! Karatsuba's products: three of half the width, and sums. Scratch space comes from the caller.
//!
//! # Constant time
//! In every value: signs are masks, and every sum runs over all of its limbs.
use crate::{fz, limb};

/// d := |x0 - x1| for the halves of x, returns the mask of x0 < x1.
pub(super) fn distance(d: &mut [u64], x: &[u64]) -> u64 {
    let (x0, x1) = x.split_at(d.len());
    d.copy_from_slice(x0);
    fz::abs_diff(d, x1)
}

/// The last step: z = low + high B^2h gains (low + high -+ d) B^h, for z of 4 h limbs and d of 2 h,
/// which is overwritten; `minus` is the mask of subtracting it.
pub(super) fn middle(z: &mut [u64], d: &mut [u64], minus: u64) {
    let h = z.len() >> 2;
    // The quarters are a0, a1, b0, b1: a1 becomes a0 + (a1 + b0), and b0 becomes (a1 + b0) + b1.
    let (a0, rest) = z.split_at_mut(h);
    let (a1, rest) = rest.split_at_mut(h);
    let (b0, b1) = rest.split_at_mut(h);
    // Carries to 2 h (the first also to 3 h) and to 3 h.
    let common = fz::add(a1, b0);
    b0.copy_from_slice(a1);
    let mut over = common + add(b0, b1, common);
    let first = fz::add(a1, a0);
    // z - d is z + !d + 1 - B^2h.
    for d in d.iter_mut() {
        *d ^= minus;
    }
    let (d0, d1) = d.split_at(h);
    let carry = add(a1, d0, minus & 1);
    over += add(b0, d1, carry);
    over += fz::add_limb(b0, first);
    // Not negative: the middle is x0 y1 + x1 y0.
    fz::add_limb(b1, over.wrapping_sub(minus & 1));
}

/// x := x + y + carry for a carry of 0 or 1, returns the carry.
fn add(x: &mut [u64], y: &[u64], mut carry: u64) -> u64 {
    for (a, &b) in x.iter_mut().zip(y) {
        (*a, carry) = limb::add(*a, b, carry);
    }
    carry
}
