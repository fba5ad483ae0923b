//! Raw blocks: magnitude and sign of each lane in one byte or word, and the last step from there to
//! samples.

use zeroize::DefaultIsZeroes;

use super::kind::Kind;
use super::lanes::BLOCK;
use crate::element::Sample;

/// A lane: the magnitude, and b in the top bit.
pub(super) trait Raw: DefaultIsZeroes + 'static {
    /// Bits of the magnitude that fit.
    const VALUE_BITS: u32;
    const ZERO: Self;

    /// Magnitude, and 0 or -1 for b.
    fn split(self) -> (i16, i16);
    /// Joins low bytes and, for the wide form, high bytes.
    fn join(low: u8, high: u8) -> Self;
}

impl Raw for u8 {
    const VALUE_BITS: u32 = 7;
    const ZERO: Self = 0;

    #[inline(always)]
    fn split(self) -> (i16, i16) {
        (i16::from(self & 0x7f), i16::from(self as i8 >> 7))
    }

    #[inline(always)]
    fn join(low: u8, _: u8) -> Self {
        low
    }
}

impl Raw for u16 {
    const VALUE_BITS: u32 = 15;
    const ZERO: Self = 0;

    #[inline(always)]
    fn split(self) -> (i16, i16) {
        ((self & 0x7fff) as i16, self as i16 >> 15)
    }

    #[inline(always)]
    fn join(low: u8, high: u8) -> Self {
        Self::from_le_bytes([low, high])
    }
}

/// Samples from raw lanes; with a factor k, sums x1 + k x2 of full Gaussians, x1 in the even blocks
/// of `raw` and x2 in the odd ones. Constant time; compiled in each instruction set's context and
/// vectorised there.
#[inline(always)]
pub(super) fn samples<R: Raw, T: Sample>(
    kind: Kind,
    factor: Option<u32>,
    raw: &[[R; BLOCK]],
    out: &mut [T],
) {
    let Some(k) = factor else {
        // A loop for each kind: compilers do not always take the choice out of the loop.
        match kind {
            Kind::FoldedHalf | Kind::UnfoldedHalf => every_lane(Kind::FoldedHalf, raw, out),
            Kind::Full => every_lane(Kind::Full, raw, out),
            Kind::Bimodal => every_lane(Kind::Bimodal, raw, out),
        }
        return;
    };
    for (out, pair) in out.chunks_mut(BLOCK).zip(raw.chunks_exact(2)) {
        for (out, (&x1, &x2)) in out.iter_mut().zip(pair[0].iter().zip(&pair[1])) {
            let (x1, x2) = (value(Kind::Full, x1), value(Kind::Full, x2));
            *out = T::cut(i64::from(x1 + k as i32 * x2));
        }
    }
}

/// [`samples`], vectorised for the registers of a token.
#[cfg(target_arch = "x86_64")]
macro_rules! vectorised_samples {
    ($token:ty, $features:literal) => {
        /// The last step, vectorised for these registers.
        pub(super) fn samples<R: Raw, T: Sample>(
            _: $token,
            kind: Kind,
            factor: Option<u32>,
            raw: &[[R; BLOCK]],
            out: &mut [T],
        ) {
            /// A function and no closure, which would hide from the compiler that `out` aliases
            /// nothing.
            #[target_feature(enable = $features)]
            fn of_lanes<R: Raw, T: Sample>(
                kind: Kind,
                factor: Option<u32>,
                raw: &[[R; BLOCK]],
                out: &mut [T],
            ) {
                raw::samples(kind, factor, raw, out);
            }
            // SAFETY: the token proves the instructions.
            unsafe { of_lanes(kind, factor, raw, out) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use vectorised_samples;

#[inline(always)]
fn every_lane<R: Raw, T: Sample>(kind: Kind, raw: &[[R; BLOCK]], out: &mut [T]) {
    for (out, &raw) in out.iter_mut().zip(raw.as_flattened()) {
        *out = T::cut(i64::from(value(kind, raw)));
    }
}

/// The sample of a raw lane.
#[inline(always)]
pub(super) fn value<R: Raw>(kind: Kind, raw: R) -> i32 {
    let (z, b) = raw.split();
    i32::from(match kind {
        // b is not drawn.
        Kind::FoldedHalf | Kind::UnfoldedHalf => z,
        // (-1)^b z.
        Kind::Full => (z ^ b) - b,
        // b = -1: z + 1; b = 0: -z.
        Kind::Bimodal => (z ^ !b) - !b - b,
    })
}
