//! [`CoreFloat`]: what the standard library gives `f64` and `core` does not.

/// Operations of IEEE 754 that `core` lacks, by the crate `libm`: the same bits as in `std`.
///
/// A module that compiles without `std` imports it; where there is `std`, the methods of `f64`
/// itself are called, which are instructions. Constant time: `sqrt`, `floor` and `ceil` serve
/// public values only; `mul_add` is constant time where it is one instruction, which `libm` finds
/// on x86-64 with FMA and on aarch64.
pub trait CoreFloat: Sized {
    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The largest integer that is not above it.
    #[must_use]
    fn floor(self) -> Self;
    /// The smallest integer that is not below it.
    #[must_use]
    fn ceil(self) -> Self;
    /// The nearest integer, halves away from zero.
    #[must_use]
    fn round(self) -> Self;
    /// self * factor + term, rounded once.
    #[must_use]
    fn mul_add(self, factor: Self, term: Self) -> Self;
}

impl CoreFloat for f64 {
    fn sqrt(self) -> Self {
        libm::sqrt(self)
    }
    fn floor(self) -> Self {
        libm::floor(self)
    }
    fn ceil(self) -> Self {
        libm::ceil(self)
    }
    fn round(self) -> Self {
        libm::round(self)
    }
    fn mul_add(self, factor: Self, term: Self) -> Self {
        libm::fma(self, factor, term)
    }
}

/// 2^k, for exponents of normal numbers.
#[inline]
#[must_use]
pub(crate) const fn power_of_two(k: i32) -> f64 {
    debug_assert!(-1022 <= k && k <= 1023);
    f64::from_bits(((k + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Both ways to compute agree in every bit, and so do builds with and without `std`.
    fn agree(x: f64, y: f64, z: f64) {
        let same = |name: &str, core: f64, std: f64| {
            let equal = core.to_bits() == std.to_bits() || core.is_nan() && std.is_nan();
            assert!(equal, "{name} of {x:e}, {y:e}, {z:e}: {core:e}, {std:e}");
        };
        same("sqrt", CoreFloat::sqrt(x), f64::sqrt(x));
        same("floor", CoreFloat::floor(x), f64::floor(x));
        same("ceil", CoreFloat::ceil(x), f64::ceil(x));
        same("round", CoreFloat::round(x), f64::round(x));
        same("mul_add", CoreFloat::mul_add(x, y, z), f64::mul_add(x, y, z));
    }

    proptest! {
        #[test]
        fn libm_and_std_agree(x: u64, y: u64, z: u64) {
            agree(f64::from_bits(x), f64::from_bits(y), f64::from_bits(z));
        }

        #[test]
        fn libm_and_std_agree_on_moderate_numbers(x in -1e9..1e9, y in -1.0..1.0, z in -1e9..1e9) {
            agree(x, y, z);
        }
    }

    #[test]
    fn libm_and_std_agree_at_the_edges() {
        let edges =
            [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 4_503_599_627_370_495.5, f64::MAX, f64::MIN_POSITIVE];
        for x in edges {
            for y in edges {
                agree(x, y, -x * y);
            }
        }
    }

    #[test]
    fn powers_of_two() {
        for k in -1022..=1023 {
            assert_eq!(power_of_two(k).to_bits(), 2.0_f64.powi(k).to_bits(), "{k}");
        }
    }
}
