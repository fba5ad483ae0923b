//! Acceptance with probability 2^-e, for [`crate::facct`] and [`crate::bitslice::Adjusted`]: a
//! short polynomial and a comparison that says where a better one is needed.
//!
//! The probability P is computed as a multiple of 2^-64, with an error far below a margin, and
//! compared with a uniform number u. Where |u - P| is within the margin, modulo 2^64, the decision
//! is in doubt, and the caller decides by a rule that is exact or that defines the sampler. So the
//! errors of the polynomial never reach a sample; and as the doubt is modulo 2^64, it has the same
//! probability for every P, which an observer of the detour learns nothing from.

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

/// Minimax polynomial of degree 5, for registers; relative error below 2^-47.6.
const SHORT_POLYNOMIAL: [f64; 6] = [
    f64::from_bits(0xbf55d897e525c216),
    f64::from_bits(0x3f83b2c9b8a6caea),
    f64::from_bits(0xbfac6b08d6f2a289),
    f64::from_bits(0x3fcebfbdff555824),
    f64::from_bits(0xbfe62e42fefa39f3),
    f64::from_bits(0x3ff0000000000014),
];

/// By how much 2^64 P may be another on registers: less than 2^16.4 by the polynomial, 2^15 by e,
/// which they round otherwise (to 2^-50 each), and 2^11 by the rounding of 1 + P.
const SHORT_ERROR: u64 = 1 << 17;

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

/// The polynomial's highest terms, of f: the rest of e beyond the sixteenths.
#[inline(always)]
pub(crate) fn start<V: Float>(f: V) -> V {
    coefficient(f, 0).mul_add_f64(f, coefficient(f, 1))
}

/// One term more, from 2 on; with [`LAST_TERM`], 2^-f.
#[inline(always)]
pub(crate) fn term<V: Float>(q: V, f: V, i: usize) -> V {
    q.mul_add_f64(f, coefficient(f, i))
}

/// The last term of the polynomial on registers.
pub(crate) const LAST_TERM: usize = SHORT_POLYNOMIAL.len() - 1;

/// Coefficient `i` in all lanes of a register like `f`.
#[inline(always)]
fn coefficient<V: Float>(f: V, i: usize) -> V {
    V::splat_f64(f.token(), SHORT_POLYNOMIAL[i])
}

/// [`probability`] and [`decide`] on registers, in steps between which a kernel may do other work:
/// with [`SHORT_POLYNOMIAL`], and a margin that is wider by [`SHORT_ERROR`]. A decision is
/// as by [`decide`], and in doubt where that leaves it in doubt.
///
/// A probability is an integer, as in these, where a conversion is an instruction
/// ([`Float::CONVERTS`]). Elsewhere it is the `f64` 1 + P: its mantissa is P in units of 2^-52,
/// which are taken for units of 2^-62, as is the uniform number without its last two bits; so their
/// difference has a sign. All that is 2^-53 at most.
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
        let mut powers = *powers;
        if !V::CONVERTS {
            for power in &mut powers {
                // From units of 2^-64.
                *power = power.wrapping_sub(64 << 52);
            }
        }
        let table = V::table_64(token, &powers);
        wipe(&mut powers, 0);
        Self {
            powers: table,
            margin: V::splat(token, margin + SHORT_ERROR),
            twice_margin: V::splat(token, 2 * (margin + SHORT_ERROR)),
        }
    }

    /// As [`probability`], times the scale: [`sixteenths`], [`start`], every [`term`], and the last
    /// step.
    #[inline(always)]
    pub(crate) fn probability(&self, e: V) -> V {
        let sixteenths = sixteenths(e);
        let f = e.beyond_sixteenth();
        let mut q = start(f);
        for i in 2..=LAST_TERM {
            q = term(q, f, i);
        }
        self.scaled(q, sixteenths)
    }

    /// 2^-e of 2^-f, times the scale: 2^64 P, saturated, or 1 + P.
    #[inline(always)]
    pub(crate) fn scaled(&self, q: V, sixteenths: V) -> V {
        let power = sixteenths.look_up_64(&self.powers).sub(sixteenths.shl::<48>());
        if V::CONVERTS {
            power.mul_f64(q).to_u64()
        } else {
            power.mul_add_f64(q, V::splat_f64(q.token(), 1.0))
        }
    }

    /// As [`decide`].
    #[inline(always)]
    pub(crate) fn decide(&self, uniform: V, probability: V) -> (V::Mask, V::Mask) {
        let (below, distance) = self.compare(uniform, probability);
        (below, distance.lt(self.twice_margin))
    }

    /// Below what [`Self::compare`]'s second result says that a decision is in doubt.
    #[inline(always)]
    pub(crate) fn limit(&self) -> V {
        self.twice_margin
    }

    /// Whether u < P, and the difference plus the margin.
    #[inline(always)]
    pub(crate) fn compare(&self, uniform: V, probability: V) -> (V::Mask, V) {
        let (below, distance) = if V::CONVERTS {
            (uniform.lt(probability), uniform.sub(probability))
        } else {
            let one = V::splat_f64(uniform.token(), 1.0);
            let difference = uniform.shr::<2>().sub(probability.sub(one).shl::<10>());
            (difference.sign(), difference.shl::<2>())
        };
        (below, distance.add(self.margin))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tautochrone_simd::vector::Emulated;
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    use tautochrone_simd::vector::U64x2;
    #[cfg(target_arch = "x86_64")]
    use tautochrone_simd::vector::U64x4;
    use tautochrone_simd::{Isa, Token, vectorize};

    use super::*;

    /// 2^64 P on registers, modulo 2^64.
    fn on_registers<V: Float + LookUp>(token: V::Token, e: f64) -> u64 {
        let mut lanes = [0; 8];
        vectorize!(token, {
            let acceptance = Acceptance::<V>::new(token, 0);
            acceptance.probability(V::splat_f64(token, e)).store(&mut lanes);
        });
        if V::CONVERTS { lanes[0] } else { (lanes[0] - 1.0_f64.to_bits()) << 12 }
    }

    /// The same on every kind of register that this machine has.
    fn on_all_registers(e: f64) -> Vec<u64> {
        #[allow(unused_mut, reason = "other CPUs have no more")]
        let mut all = vec![on_registers::<Emulated<8>>((), e)];
        for isa in Isa::all() {
            #[cfg(target_arch = "x86_64")]
            all.extend(isa.avx2().map(|token| on_registers::<U64x4<_>>(token, e)));
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            all.extend(isa.neon().map(|token| on_registers::<U64x2<_>>(token, e)));
            let _ = isa;
        }
        all
    }

    fn distance(x: u64, y: u64) -> u64 {
        x.wrapping_sub(y).cast_signed().unsigned_abs()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn registers_are_off_by_less_than_the_margin_allows(e in prop_oneof![0.0..0.2, 0.0..2.0, 0.0..200.0]) {
            let want = probability(e);
            // Where e is the same; 2^15 are left for where it is rounded otherwise.
            let allowed = SHORT_ERROR - (1 << 15);
            for got in on_all_registers(e) {
                prop_assert!(distance(got, want) < allowed, "2^-{e}");
            }
        }
    }

    #[test]
    fn certainty_is_certain_on_registers() {
        for got in on_all_registers(0.0) {
            assert!(distance(got, u64::MAX) < SHORT_ERROR);
        }
    }
}
