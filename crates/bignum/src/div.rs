//! Division with remainder, one bit at a time: constant-time in both operands.
use zeroize::Zeroizing;

use crate::fz;

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
