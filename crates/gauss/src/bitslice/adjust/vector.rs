//! The acceptance test on registers, eight candidates at a time: a look-up in a table of thresholds
//! where there is one centre and few candidates, the short polynomial of [`crate::acceptance`]
//! elsewhere, which leaves what is in doubt to [`Exponent::threshold`].

use bytemuck::cast_slice;
use tautochrone_simd::vector::{Compare, Compress, Float, LookUp, Mask};
use tautochrone_simd::{Token, declassify, vectorize};

use super::super::lanes::BLOCK;
use super::accept::{Accepted, Exponent};
use super::thresholds::Thresholds;
use super::trials::Block;
use crate::acceptance::Acceptance;
use crate::element::WideSample;

/// A register of eight lanes, with all that trials need.
pub(super) trait Register: Compare + Compress + Float + LookUp {}
impl<V: Compare + Compress + Float + LookUp> Register for V {}

/// Runs `$body` with `$V` the registers that a sampler's instruction set has, and `$token` the
/// proof of it; nothing if there are none that are faster than the portable code.
macro_rules! on_registers {
    ($sampler:expr, $token:ident, $V:ident, $body:expr) => {
        #[cfg(any(test, tautochrone_ctgrind))]
        if $sampler.emulated {
            type $V = tautochrone_simd::vector::Emulated<8>;
            let $token = ();
            $body
        }
        #[cfg(target_arch = "x86_64")]
        if let Some($token) = $sampler.isa().avx512() {
            type $V = tautochrone_simd::vector::U64x8<tautochrone_simd::Avx512>;
            $body
        }
    };
}
pub(super) use on_registers;

/// Beyond it probabilities are zero, and the polynomial's scale would leave the range of an `f64`.
const LARGEST: f64 = 900.0;

/// For eight candidates and their uniform words, where one is accepted, and where that is in doubt.
trait Rule<V: Register> {
    fn decide(&self, candidates: V, uniform: V) -> (V::Mask, V::Mask);
}

/// The thresholds of one centre, in four tables of sixteen.
struct LookedUp<V: Register> {
    tables: [V::Table; 4],
    zero: V,
}

impl<V: Register> LookedUp<V> {
    #[inline(always)]
    fn new(token: V::Token, thresholds: &Thresholds) -> Self {
        Self {
            tables: [
                V::table_64(token, thresholds.sixteen(0)),
                V::table_64(token, thresholds.sixteen(1)),
                V::table_64(token, thresholds.sixteen(2)),
                V::table_64(token, thresholds.sixteen(3)),
            ],
            zero: V::splat(token, Thresholds::ZERO),
        }
    }
}

impl<V: Register> Rule<V> for LookedUp<V> {
    #[inline(always)]
    fn decide(&self, candidates: V, uniform: V) -> (V::Mask, V::Mask) {
        let index = candidates.add(self.zero);
        let (upper, last) = (index.shl::<59>().sign(), index.shl::<58>().sign());
        let [a, b, c, d] = &self.tables;
        let first = V::blend(upper, index.look_up_64(b), index.look_up_64(a));
        let second = V::blend(upper, index.look_up_64(d), index.look_up_64(c));
        let threshold = V::blend(last, second, first);
        (uniform.shr::<1>().lt(threshold), V::zero(index.token()).sign())
    }
}

/// A width, for any centres.
struct Width<V: Register> {
    acceptance: Acceptance<V>,
    a: V,
    b: V,
    one: V,
    largest: V,
}

impl<V: Register> Width<V> {
    #[inline(always)]
    fn new(token: V::Token, e: &Exponent) -> Self {
        Self {
            acceptance: Acceptance::with_scale(token, e.margin, e.scale),
            a: V::splat_f64(token, e.a),
            b: V::splat_f64(token, e.b),
            one: V::splat_f64(token, 1.0),
            largest: V::splat_f64(token, LARGEST),
        }
    }

    /// [`Rule::decide`] around integers plus `fraction`.
    #[inline(always)]
    fn decide(&self, fraction: V, candidates: V, uniform: V) -> (V::Mask, V::Mask) {
        let token = candidates.token();
        let above = candidates.sub(V::splat(token, 1));
        let at_most_0 = above.sign();
        let z = V::blend(at_most_0, V::zero(token).sub(candidates), above).to_f64();
        let c = V::blend(at_most_0, fraction, self.one.sub_f64(fraction));
        // z (z A + 2 c B) + c^2 B.
        let cb = c.mul_f64(self.b);
        let x = z.mul_add_f64(z.mul_add_f64(self.a, cb.add_f64(cb)), c.mul_f64(cb));
        // Numbers that are not negative are in the order of their bits.
        let x = V::blend(x.lt(self.largest), x, self.largest);
        self.acceptance.decide(uniform, self.acceptance.probability(x))
    }
}

/// A width around one centre, by the polynomial.
struct Polynomial<V: Register> {
    width: Width<V>,
    fraction: V,
}

impl<V: Register> Rule<V> for Polynomial<V> {
    #[inline(always)]
    fn decide(&self, candidates: V, uniform: V) -> (V::Mask, V::Mask) {
        self.width.decide(self.fraction, candidates, uniform)
    }
}

/// The accepted ones of a block's candidates plus `floor`, at the front of `out`; how many, or
/// `None` if a decision is in doubt.
pub(super) fn one_centre<V: Register, T: WideSample>(
    token: V::Token,
    e: &Exponent,
    thresholds: Option<&Thresholds>,
    (floor, fraction): (i64, f64),
    trials: Block<'_>,
    out: &mut [T; BLOCK],
) -> Option<usize> {
    vectorize!(token, {
        if let Some(thresholds) = thresholds {
            let rule = LookedUp::<V>::new(token, thresholds);
            compress(token, &rule, floor, trials, out)
        } else {
            let fraction = V::splat_f64(token, fraction);
            let rule = Polynomial::<V> { width: Width::new(token, e), fraction };
            compress(token, &rule, floor, trials, out)
        }
    })
}

#[inline(always)]
fn compress<V: Register, T: WideSample>(
    token: V::Token,
    rule: &impl Rule<V>,
    floor: i64,
    trials: Block<'_>,
    out: &mut [T; BLOCK],
) -> Option<usize> {
    const { assert!(V::LANES == 8) };
    let floor = V::splat(token, floor.cast_unsigned());
    let mut doubt = V::zero(token).sign();
    let mut count = 0;
    for (candidates, uniform) in trials.pairs() {
        for (candidates, uniform) in candidates.iter().zip(uniform) {
            let candidates = V::load(token, cast_slice(candidates));
            let (accepted, doubtful) = rule.decide(candidates, V::load_bytes(token, uniform));
            doubt = doubt.or(doubtful);
            // Which are accepted is public.
            let accepted = declassify(accepted.bits());
            let to: &mut [T; 8] =
                out[count..].first_chunk_mut().expect("an element for each trial");
            T::compress(candidates.add(floor), accepted, to);
            count += accepted.count_ones() as usize;
        }
    }
    if declassify(doubt.bits() != 0) { None } else { Some(count) }
}

/// Each candidate of a block plus the floor of its centre in `out`, and which are accepted; `None`
/// if a decision is in doubt.
pub(super) fn centres<V: Register, T: WideSample>(
    token: V::Token,
    e: &Exponent,
    centres: &[f64; BLOCK],
    trials: Block<'_>,
    out: &mut [T; BLOCK],
) -> Option<Accepted> {
    const { assert!(V::LANES == 8) };
    vectorize!(token, {
        let width = Width::<V>::new(token, e);
        let mut all = [0; _];
        let mut doubt = V::zero(token).sign();
        let centres = centres.as_chunks::<8>().0.as_chunks::<2>().0;
        let out = out.as_chunks_mut::<8>().0.as_chunks_mut::<2>().0;
        let out = out.iter_mut().zip(all.as_chunks_mut::<2>().0);
        for (((candidates, uniform), centres), (out, all)) in trials.pairs().zip(centres).zip(out) {
            for i in 0..2 {
                let candidates = V::load(token, cast_slice(&candidates[i]));
                let centres = V::load(token, cast_slice(&centres[i]));
                let floor = centres.floor_f64();
                let fraction = centres.sub_f64(floor);
                let uniform = V::load_bytes(token, &uniform[i]);
                let (accepted, doubtful) = width.decide(fraction, candidates, uniform);
                doubt = doubt.or(doubtful);
                all[i] = declassify(accepted.bits()) as u8;
                T::compress(candidates.add(floor.to_i64()), 0xff, &mut out[i]);
            }
        }
        if declassify(doubt.bits() != 0) { None } else { Some(all) }
    })
}
