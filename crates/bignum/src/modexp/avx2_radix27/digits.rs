//! Digits of 27 bits.
use tautochrone_simd::vector::{U64x4, Vector as _};
use tautochrone_simd::{Avx2, Scratch};
use zeroize::Zeroizing;

use crate::digits::digit;

/// Bits of a digit.
pub(super) const RADIX: usize = 27;
/// Lanes of a register.
pub(super) const LANES: usize = 4;
/// Four digits or columns.
pub(super) type Register = U64x4<Avx2>;

/// `registers` of zeros.
#[inline(always)]
pub(super) fn zeros(token: Avx2, registers: usize) -> Scratch<Register> {
    Scratch::new(registers, Register::zero(token))
}

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
