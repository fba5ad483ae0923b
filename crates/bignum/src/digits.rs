//! Digits in base 2^RADIX, RADIX < 64, from limbs and back.

/// Digit `j` of `x`.
#[inline(always)]
pub(crate) fn digit<const RADIX: usize>(x: &[u64], j: usize) -> u64 {
    let (w, b) = (RADIX * j >> 6, RADIX * j & 63);
    let low = x.get(w).copied().unwrap_or(0);
    let high = x.get(w + 1).copied().unwrap_or(0);
    (low >> b | (high << 1) << (63 - b)) & ((1 << RADIX) - 1)
}

/// The number with these digits, as far as it fits: `out` is zero before.
#[inline(always)]
pub(crate) fn join<const RADIX: usize>(out: &mut [u64], digits: impl Iterator<Item = u64>) {
    for (j, d) in digits.enumerate() {
        let (w, b) = (RADIX * j >> 6, RADIX * j & 63);
        if let Some(o) = out.get_mut(w) {
            *o |= d << b;
        }
        if let Some(o) = out.get_mut(w + 1) {
            *o |= (d >> 1) >> (63 - b);
        }
    }
}
