//! Exponents, read by windows of bits.

/// An exponent of known length.
#[derive(Clone, Copy)]
pub(crate) struct Exponent<'a> {
    limbs: &'a [u64],
    bits: usize,
    public: bool,
}

impl<'a> Exponent<'a> {
    /// A secret number of public width.
    pub(crate) fn secret(limbs: &'a [u64]) -> Self {
        Self::below(limbs, 64 * limbs.len())
    }

    /// A secret number below 2^`bits`, which is public.
    pub(crate) fn below(limbs: &'a [u64], bits: usize) -> Self {
        debug_assert!(bits <= 64 * limbs.len(), "bits of the exponent");
        Self { limbs, bits, public: false }
    }

    /// A public number.
    pub(crate) fn public(limbs: &'a [u64]) -> Self {
        let used = limbs.iter().rposition(|&w| w != 0).map_or(0, |i| i + 1);
        let bits = limbs[..used].last().map_or(0, |w| 64 * used - w.leading_zeros() as usize);
        Self { limbs, bits, public: true }
    }

    /// The number.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn limbs(self) -> &'a [u64] {
        self.limbs
    }

    /// Bits of the number, or a bound of them.
    pub(crate) fn bits(self) -> usize {
        self.bits
    }

    /// Whether time may depend on the number.
    pub(crate) fn is_public(self) -> bool {
        self.public
    }

    /// Bits `at` to `at + width - 1`, for a `width` below 64.
    pub(crate) fn window(self, at: usize, width: usize) -> u64 {
        let (w, b) = (at >> 6, at & 63);
        let [limb, above] = [w, w + 1].map(|w| self.limbs.get(w).copied().unwrap_or(0));
        (limb >> b | (above << 1) << (63 - b)) & ((1 << width) - 1)
    }

    /// Bits of a window, at most `max`, for the fewest products: 2^w entries of a table and
    /// `bits` / w products by them; of a public number 2^(w - 1) entries, which are odd powers, and
    /// `bits` / (w + 1) products on average.
    #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
    pub(crate) fn window_bits(self, max: usize) -> usize {
        let products = |w: usize| {
            if self.public {
                (1 << (w - 1)) + self.bits / (w + 1)
            } else {
                (1 << w) + self.bits.div_ceil(w)
            }
        };
        (1..=max).min_by_key(|&w| products(w)).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_as_wide_as_the_length_is_worth() {
        let bits = |bits| Exponent::below(&[0; 64], bits).window_bits(6);
        assert_eq!([2, 64, 256, 800, 4096].map(bits), [1, 3, 4, 5, 6]);
        let numbers = [0, 1, 3, 65537];
        assert_eq!(numbers.map(|x| Exponent::public(&[x]).bits()), [0, 1, 2, 17]);
        assert_eq!(numbers.map(|x| Exponent::public(&[x]).window_bits(6)), [1, 1, 1, 2]);
        assert_eq!(Exponent::public(&[5, 1, 0]).bits(), 65);
    }

    #[test]
    fn windows_cross_limbs() {
        let exponent = Exponent::secret(&[1 << 63, 0b101]);
        assert_eq!(exponent.window(63, 4), 0b1011);
        assert_eq!(exponent.window(126, 5), 0);
        assert_eq!(exponent.window(128, 5), 0);
    }
}
