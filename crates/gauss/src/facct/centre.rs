//! [`Centre`]: a real centre mu, split so that every integer lies on one side of it ([`super`], on
//! any centre). There is no negative zero to reject; the distance of m is at least m, so that the
//! proposal, made for m alone, dominates.

use crate::centres;

/// First |mu| that is rejected, 2^51: below it, floor(mu) and its neighbour are `f64` integers, and
/// the vector paths convert them by adding a constant.
pub(super) const LIMIT: f64 = 2_251_799_813_685_248.0;

/// mu, its floor, and its distances from the integers on both sides.
#[derive(Clone, Copy, Default)]
pub(super) struct Centre {
    pub(super) mu: f64,
    pub(super) floor: i64,
    /// mu - floor, rounded.
    pub(super) below: f64,
    /// floor + 1 - mu, rounded.
    pub(super) above: f64,
}

impl Centre {
    /// Splits mu, |mu| < [`LIMIT`].
    pub(super) fn new(mu: f64) -> Self {
        let (floor, below) = centres::parts(mu);
        Self { mu, floor, below, above: (floor + 1) as f64 - mu }
    }

    /// The distance beyond m, exactly: (whole, fraction of 2^128), cut after 128 bits.
    pub(super) fn distance(&self, negative: bool) -> (u64, u128) {
        let bits = self.mu.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
        let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
        // |mu| < 2^52 puts the last bit of the mantissa at 2^-1 or below.
        let shift = 128 + exponent;
        let magnitude =
            if shift >= 0 { mantissa << shift } else { mantissa.unbounded_shr(-shift as u32) };
        let below = if self.mu < 0.0 { magnitude.wrapping_neg() } else { magnitude };
        // A negative mu within 2^-128 of an integer from below lost its fraction.
        let lost = (self.mu < 0.0) & (below == 0) & (self.mu != self.floor as f64);
        let below = if lost { u128::MAX } else { below };
        match (negative, below) {
            (true, _) => (0, below),
            (false, 0) => (1, 0),
            (false, _) => (0, below.wrapping_neg()),
        }
    }
}
