//! Division with remainder, one bit at a time: constant-time in both operands.
use zeroize::Zeroizing;

use crate::{fz, limb};

/// `x := floor(x / y)`, `r := x mod y`; `x` of any width, `y` and `r` of n limbs. For `y = 0` the
/// quotient is all ones and the remainder the low limbs of `x`.
///
/// # Panics
/// If `r` and `y` differ in width.
pub fn div_rem(x: &mut [u64], r: &mut [u64], y: &[u64]) {
    assert_eq!(r.len(), y.len(), "widths differ");
    let mut spare = Zeroizing::new(vec![0; r.len()]);
    fz::clear(r);
    for i in (0..64 * x.len()).rev() {
        let (w, b) = (i >> 6, i & 63);
        // r < y, so 2 r + bit < 2 y: one subtraction is enough.
        let carry = fz::double(r, x[w] >> b & 1);
        let bit = fz::reduce_once(r, carry, y, &mut spare) & 1;
        x[w] = x[w] & !(1 << b) | bit << b;
    }
}

/// `x := (x + y) mod m` for `x, y < m`; all have one width, and `spare`, which is overwritten.
pub fn add_mod(x: &mut [u64], y: &[u64], m: &[u64], spare: &mut [u64]) {
    let carry = fz::add(x, y);
    fz::reduce_once(x, carry, m, spare);
}

/// `x := (x - y) mod m` for `x, y < m`, where `gate` is all ones; all have one width.
pub fn sub_mod_gated(x: &mut [u64], y: &[u64], m: &[u64], gate: u64) {
    let borrow = limb::mask(fz::sub_gated(x, y, gate));
    fz::add_gated(x, m, borrow);
}
