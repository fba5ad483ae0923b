//! The lazily exact decision u < p for a uniform real u in [0, 1), read 64 bits at a time.
//!
//! The rule is canonical: words of u are read as long as they equal the binary digits of p. How
//! precisely p has to be computed to follow it is a matter of speed only, so that output and
//! consumption of randomness do not depend on it.

use num_bigint::{BigInt, BigUint};

use super::curve::Curve;

/// How many bits of u and p are compared: all that it takes, or omega.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digits {
    /// Words of u that may be read.
    words: usize,
    /// Ones over the bits of the last word that do not count. u with these bits set is below p
    /// exactly if omega bits of u are below omega bits of p.
    ignored: u64,
}

impl Digits {
    /// All bits, or the first omega of 53..=128.
    pub(super) fn new(omega: Option<u32>) -> Self {
        match omega {
            None => Self { words: usize::MAX, ignored: 0 },
            Some(omega) => {
                let words = omega.div_ceil(64) as usize;
                let unused = 64 * words as u32 - omega;
                Self { words, ignored: (1 << unused) - 1 }
            }
        }
    }

    /// Word number `index` of u as it enters the comparison.
    #[inline]
    pub(super) fn word(self, index: usize, word: u64) -> u64 {
        if index + 1 == self.words { word | self.ignored } else { word }
    }
}

/// Decides u < p(i, x) with as many bits of p as it takes, where `first` is the first word of u,
/// `more` gives the others, and level 1 could not tell: once in 2^30 draws at most.
#[cold]
pub(super) fn decide(
    curve: &Curve,
    digits: Digits,
    (i, x): (usize, u64),
    first: u64,
    more: &mut impl FnMut() -> u64,
) -> bool {
    let (mut u, mut known) = (BigUint::from(first), 1);
    let slack = BigInt::from(3);
    let mut spare = 128;
    loop {
        let p = curve.level_3(i, x, 64 * known as u32 + spare);
        let floor = |p: BigInt| p >> spare;
        let (low, high) = (floor(&p - &slack), floor(&p + &slack));
        let ours = BigInt::from(u.clone());
        if ours < low {
            return true;
        }
        if ours > high {
            return false;
        }
        if low == high {
            if known == digits.words {
                return false;
            }
            u = u << 64_u32 | BigUint::from(digits.word(known, more()));
            known += 1;
        } else if x == 0 && spare > rational_gap(curve, i) {
            // p(i, 0) is rational: closer than its denominator allows, it is the multiple of
            // 2^-(64 known) itself.
            return ours < high;
        } else {
            spare *= 2;
        }
    }
}

/// p(i, 0) = (1 + X_i) (1 / S - T_i) times 2^64k is an integer or at least 2^-this away from one.
fn rational_gap(curve: &Curve, i: usize) -> u32 {
    let denominators: u32 = curve.sides[i..].iter().map(|n| 64 - n.leading_zeros()).sum();
    denominators + 256
}
