//! Acceptance with probability 2^-e, for [`crate::facct`] and [`crate::bitslice::Adjusted`]: a short
//! polynomial and a comparison that says where a better one is needed.
//!
//! The probability P is computed as a multiple of 2^-64, with an error far below a margin, and
//! compared with a uniform number u. Where |u - P| is within the margin, modulo 2^64, the decision is
//! in doubt, and the caller decides by a rule that is exact or that defines the sampler. So the errors
//! of the polynomial never reach a sample; and as the doubt is modulo 2^64, it has the same probability
//! for every P, which an observer of the detour learns nothing from.

#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;
use tautochrone_simd::vector::{Float, LookUp};
use tautochrone_simd::wipe;

/// 2^64 2^(-j/16) as `f64` bits, plus j 2^48: subtracting `bits(m) << 48` then leaves exponent and
/// table entry apart.
pub(crate) const POWERS: [u64; 16] = [
    0x43f0000000000000,
    0x43efa4afa2a490da,
    0x43ef5818dcfba487,
    0x43ef199bdd85529c,
    0x43eee89f995ad3ad,
    0x43eec49182a3f090,
    0x43eeace5422aa0db,
    0x43eea11473eb0187,
    0x43eea09e667f3bcd,
    0x43eeab07dd485429,
    0x43eebfdad5362a27,
    0x43eedea64c123422,
    0x43ef06fe0a31b715,
    0x43ef387a6e756238,
    0x43ef72b83c7d517b,
    0x43efb5586cf9890f,
];

/// Minimax polynomial of 2^-f for |f| <= 1/32, degree 6, highest coefficient first.
pub(crate) const POLYNOMIAL: [f64; 7] = [
    f64::from_bits(0x3f2430a49610efc6),
    f64::from_bits(0xbf55d89be4c12513),
    f64::from_bits(0x3f83b2ab6fb09b31),
    f64::from_bits(0xbfac6b08d6e8a384),
    f64::from_bits(0x3fcebfbdff82c594),
    f64::from_bits(0xbfe62e42fefa39fd),
    f64::from_bits(0x3ff0000000000000),
];

/// 1.5 2^48: adding it rounds to a multiple of 1/16 and leaves 16 times the result in the low bits
/// of the mantissa.
pub(crate) const MAGIC: f64 = 422_212_465_065_984.0;

/// floor(2^64 2^-e), saturated at 2^64 - 1; relative error before rounding below 2^-51.
/// 0 <= e < 1000.
#[inline(always)]
pub(crate) fn probability(e: f64) -> u64 {
    let m = e + MAGIC;
    let f = e - (m - MAGIC);
    let sixteenths = m.to_bits();
    // Every entry is read, so no address is secret.
    let power = (0..).zip(&POWERS).fold(0, |power, (j, entry)| {
        power | entry & u64::from(j == sixteenths & 15).wrapping_neg()
    });
    let scale = power.wrapping_sub(sixteenths << 48);
    let [first, rest @ ..] = POLYNOMIAL;
    let q = rest.into_iter().fold(first, |q, c| q.mul_add(f, c));
    // A conversion from `f64` saturates.
    (f64::from_bits(scale) * q) as u64
}

/// Whether u < P, and whether that is in doubt.
#[inline(always)]
pub(crate) const fn decide(uniform: u64, probability: u64, margin: u64) -> (bool, bool) {
    let distance = uniform.wrapping_sub(probability).wrapping_add(margin);
    (uniform < probability, distance < 2 * margin)
}

/// 16 e, rounded, in the low bits.
#[inline(always)]
pub(crate) fn sixteenths<V: Float>(e: V) -> V {
    e.add_f64(V::splat_f64(e.token(), MAGIC))
}

/// f: what is left of e.
#[inline(always)]
pub(crate) fn fraction<V: Float>(e: V, sixteenths: V) -> V {
    e.sub_f64(sixteenths.sub_f64(V::splat_f64(e.token(), MAGIC)))
}

/// The polynomial's highest terms.
#[inline(always)]
pub(crate) fn start<V: Float>(f: V) -> V {
    let q = coefficient(f, 0).mul_add_f64(f, coefficient(f, 1));
    q.mul_add_f64(f, coefficient(f, 2))
}

/// The next ones.
#[inline(always)]
pub(crate) fn middle<V: Float>(q: V, f: V) -> V {
    q.mul_add_f64(f, coefficient(f, 3)).mul_add_f64(f, coefficient(f, 4))
}

/// 2^-f.
#[inline(always)]
pub(crate) fn finish<V: Float>(q: V, f: V) -> V {
    q.mul_add_f64(f, coefficient(f, 5)).mul_add_f64(f, coefficient(f, 6))
}

/// Coefficient `i` in all lanes of a register like `f`.
#[inline(always)]
fn coefficient<V: Float>(f: V, i: usize) -> V {
    V::splat_f64(f.token(), POLYNOMIAL[i])
}

/// [`probability`] and [`decide`] on registers, in steps between which a kernel may do other work.
pub(crate) struct Acceptance<V: LookUp> {
    powers: V::Table,
    margin: V,
    twice_margin: V,
}

impl<V: Float + LookUp> Acceptance<V> {
    /// P = 2^-e.
    #[inline(always)]
    pub(crate) fn new(token: V::Token, margin: u64) -> Self {
        Self::with_powers(token, margin, &POWERS)
    }

    /// P = `scale` 2^-e, 2^-900 < `scale` <= 1.
    #[inline(always)]
    pub(crate) fn with_scale(token: V::Token, margin: u64, scale: f64) -> Self {
        let mut powers = POWERS;
        for (j, power) in (0_u64..).zip(&mut powers) {
            let scaled = f64::from_bits(power.wrapping_sub(j << 48)) * scale;
            *power = scaled.to_bits() + (j << 48);
        }
        let acceptance = Self::with_powers(token, margin, &powers);
        wipe(&mut powers, 0);
        acceptance
    }

    #[inline(always)]
    fn with_powers(token: V::Token, margin: u64, powers: &[u64; 16]) -> Self {
        Self {
            powers: V::table_64(token, powers),
            margin: V::splat(token, margin),
            twice_margin: V::splat(token, 2 * margin),
        }
    }

    /// As [`probability`], times the scale: [`sixteenths`] to [`finish`], and the last step.
    #[inline(always)]
    pub(crate) fn probability(&self, e: V) -> V {
        let sixteenths = sixteenths(e);
        let f = fraction(e, sixteenths);
        self.scaled(finish(middle(start(f), f), f), sixteenths)
    }

    /// 2^64 2^-e of 2^-f, times the scale, saturated.
    #[inline(always)]
    pub(crate) fn scaled(&self, q: V, sixteenths: V) -> V {
        let power = sixteenths.look_up_64(&self.powers);
        power.sub(sixteenths.shl::<48>()).mul_f64(q).to_u64()
    }

    /// As [`decide`].
    #[inline(always)]
    pub(crate) fn decide(&self, uniform: V, probability: V) -> (V::Mask, V::Mask) {
        let distance = uniform.sub(probability).add(self.margin);
        (uniform.lt(probability), distance.lt(self.twice_margin))
    }
}
