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

/// `sum + a b`, limbs from the lowest on, of fewer than 2^64 products.
#[inline(always)]
#[must_use]
pub fn add_product([low, middle, high]: [u64; 3], a: u64, b: u64) -> [u64; 3] {
    if cfg!(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")) {
        let sum = u128::from(middle) << 64 | u128::from(low);
        let (sum, over) = sum.overflowing_add(u128::from(a) * u128::from(b));
        [sum as u64, (sum >> 64) as u64, high + u64::from(over)]
    } else {
        add_product_without_flags([low, middle, high], a, b)
    }
}

/// The same where carries are not flags: compilers compare numbers of 128 bits by a branch there.
#[inline(always)]
fn add_product_without_flags([low, middle, high]: [u64; 3], a: u64, b: u64) -> [u64; 3] {
    let (low, carry) = mac(a, b, low, 0);
    let (middle, over) = add(middle, carry, 0);
    [low, middle, high + over]
}

/// How many of the highest bits are 0.
#[inline(always)]
#[must_use]
pub fn leading_zeros(w: u64) -> u64 {
    // 0, which has a branch of its own where no instruction counts, counts as 1 does,
    // and one more. Other instructions and sequences take the same time for every number.
    u64::from((w | 1).leading_zeros()) + (is_zero(w) & 1)
}

/// How many of the lowest bits are 0.
#[inline(always)]
#[must_use]
pub fn trailing_zeros(w: u64) -> u64 {
    // Where no instruction counts these, a compiler looks them up in a table: the place of the
    // lowest one is the index of the highest one in w & -w. 0 has 64 more than that says.
    63 - leading_zeros(w & w.wrapping_neg() | 1) + (is_zero(w) & 64)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_added_alike_with_and_without_flags() {
        let ends = [0, 1, 2, 1 << 63, u64::MAX - 1, u64::MAX];
        for (a, b) in ends.into_iter().flat_map(|a| ends.map(|b| (a, b))) {
            for (low, middle) in ends.into_iter().flat_map(|low| ends.map(|middle| (low, middle))) {
                let sum = [low, middle, 7];
                let expected = add_product(sum, a, b);
                assert_eq!(add_product_without_flags(sum, a, b), expected, "{sum:x?} {a:x} {b:x}");
            }
        }
        // (B - 1)^2 + B^2 - 1 = B^2 + (B - 2) B, and 1 more than fits.
        assert_eq!(add_product([u64::MAX, u64::MAX, 0], u64::MAX, u64::MAX), [0, u64::MAX - 1, 1]);
    }

    #[test]
    fn zeros_are_counted() {
        for shift in 0..64 {
            for w in [1 << shift, u64::MAX << shift, u64::MAX >> shift, 5_u64.rotate_left(shift), 0]
            {
                assert_eq!(leading_zeros(w), u64::from(w.leading_zeros()), "{w:#x}");
                assert_eq!(trailing_zeros(w), u64::from(w.trailing_zeros()), "{w:#x}");
            }
        }
    }
}
