//! Digits of 27 bits.
use zeroize::Zeroizing;

use crate::digits::digit;

/// Bits of a digit.
pub(super) const RADIX: usize = 27;
/// The largest digit, 2^27 - 1.
pub(super) const DIGIT: u64 = (1 << RADIX) - 1;

/// `count` digits of x.
pub(super) fn digits_of(x: &[u64], count: usize) -> Zeroizing<Vec<u64>> {
    Zeroizing::new((0..count).map(|j| digit::<RADIX>(x, j)).collect())
}

/// The carry of each digit is moved to the next one.
pub(super) fn normalise(digits: &mut [u64]) {
    let mut carry = 0;
    for d in digits {
        let sum = *d + carry;
        (*d, carry) = (sum & DIGIT, sum >> RADIX);
    }
}
