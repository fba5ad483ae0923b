//! [`Adjusted`]: any centre and any width up to the table's, by rejection from the bimodal
//! distribution.
//!
//! Let r = mu - floor(mu) and z' = b + (2b - 1) z with z an unfolded half of width s, b a fair bit.
//! Accepted with probability exp(-((z' - r)^2 / 2 s'^2 - z^2 / 2 s^2)), s' <= s, the sample
//! floor(mu) + z' has distribution D_{mu, s'}. With c = r for b = 0 and c = 1 - r for b = 1,
//! |z' - r| = z + c, and the exponent is a sum of terms that are not negative:
//!
//! x = z^2 A + 2 z c B + c^2 B,  B = 1 / 2 s'^2,  A = B - 1 / 2 s^2 >= 0:
//!
//! the acceptance is at most one, and nothing cancels. Its mean is sum_z rho_{s'}(z - r) / (2 R).
//!
//! # Precision
//! The acceptance probability is an integer multiple of 2^-63 from `f64` arithmetic with fused
//! multiply-add, the same bits on every instruction set; its relative error is below (x + 4) 2^-51
//! (tested against big numbers). On AVX-512 it is looked up where there is one centre and the base
//! has few values; elsewhere a shorter polynomial, FACCT's, decides unless the uniform number is
//! within 2^-43 of the probability, and then the block is decided by the definition: the samples
//! are the same.
//!
//! # Constant time
//! In centres, widths, samples and the stream, except for the number and place of the rejections:
//! those reveal the acceptance rate, which depends on s' (and hardly on mu). [`Width::scaled`]
//! makes it independent of a secret s' by accepting s_min / s' as often. The arithmetic relies on
//! `f64` addition, multiplication and fused multiply-add of normal numbers taking constant time
//! (see [`crate::facct`]); there is no division. Without FMA hardware the portable path's `mul_add`
//! is a library routine with branches.
//!
//! # Source
//! Howe, Prest, Ricosset, Rossi, PQCrypto 2020 (Falcon's `SamplerZ`; the factor is its `ccs`), with
//! an exact base.

use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroize;

use super::builder::Builder;
use super::kind::Kind;
use super::sampler::Bitslice;
use crate::error::Error;

mod accept;
mod centre;
mod coordinates;
mod fill;
mod single;
#[cfg(test)]
mod tests;
mod thresholds;
mod trials;
mod vector;

use accept::Exponent;
pub use single::Centred;

/// Smallest s' / s: the acceptance rate is about the ratio, so that this bounds the work.
const MIN_RATIO: f64 = 1.0 / 16.0;
/// Smallest s': below, a centre between two integers is hardly ever accepted.
const MIN_WIDTH: f64 = 0.4;
/// A target width s', as its inverse and the scale of the acceptance. [`Adjusted::new`] checks
/// both; erased on drop.
pub struct Width {
    inverse: f64,
    /// s_min / s', or 1.
    scale: f64,
}

impl Width {
    /// A public s', which is divided by.
    #[must_use]
    pub fn public(sigma: f64) -> Self {
        Self { inverse: 1.0 / sigma, scale: 1.0 }
    }

    /// A secret s', given as `inverse` = 1 / s' (so that no division sees it), not below the public
    /// `s_min`: the acceptance rate becomes the one of `s_min`, which is at least s / 16.
    #[must_use]
    pub fn scaled(inverse: f64, s_min: f64) -> Self {
        Self { inverse, scale: s_min * inverse }
    }
}

impl Drop for Width {
    fn drop(&mut self) {
        self.inverse.zeroize();
        self.scale.zeroize();
    }
}

/// Secret widths are not printed.
impl core::fmt::Debug for Width {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Width([REDACTED])")
    }
}

/// A sampler of D_{mu, s'} for one width and any centres.
///
/// ```
/// use tautochrone_ctr::{Label, Seed};
/// use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Width};
///
/// // D_{0.5, 1.9} from a base of width 2.
/// let sampler = Adjusted::new(&Bitslice::builder().sigma(2.0), Width::public(1.9))?;
/// let mut samples = [0_i64; 100];
/// let mut stream = Seed::from_os()?.stream(Label::new("adjusted"), 0);
/// sampler.fill(0.5, &mut stream, &mut samples)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Adjusted {
    base: Bitslice,
    width: Width,
    exponent: Exponent,
    /// Whether the trials run on lanes in memory.
    #[cfg(any(test, tautochrone_ctgrind))]
    emulated: bool,
}

impl core::fmt::Debug for Adjusted {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Adjusted").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Adjusted {
    /// The sampler of this target width from a base of width s, sigma of `base`; its kind is set to
    /// [`Kind::Bimodal`].
    ///
    /// # Errors
    /// [`Error::Adjust`] unless max(0.4, s / 16) <= s' <= s and s / 16 <= `s_min` <= s'; for the
    /// base [`Error::Sigma`], [`Error::Precision`], [`Error::Bits`] or [`Error::Tail`]. One
    /// comparison tells whether a secret width is in range, nothing more.
    pub fn new(base: &Builder, width: Width) -> Result<Self, Error> {
        let base = base.clone().kind(Kind::Bimodal).build()?;
        let s = base.sigma();
        let least = MIN_WIDTH.max(s * MIN_RATIO);
        // One part in 2^40 of slack for inverses that were rounded.
        let slack = 1.0 + 1.0 / (1_u64 << 40) as f64;
        let inside = (width.inverse * least <= slack) & (width.inverse * s * slack >= 1.0);
        // s_min >= s / 16: fewer would be accepted than the ratio of widths bounds, down to none.
        let often = width.scale * slack >= MIN_RATIO * s * width.inverse;
        if !declassify(inside & often & (width.scale <= slack)) {
            return Err(Error::Adjust { least, limit: s });
        }
        let exponent = Exponent::new(s, width.inverse, width.scale.min(1.0));
        Ok(Self {
            base,
            width,
            exponent,
            #[cfg(any(test, tautochrone_ctgrind))]
            emulated: false,
        })
    }

    /// The sampler with the vector kernel on [`Emulated`](tautochrone_simd::vector::Emulated)
    /// registers: for valgrind, which cannot run AVX-512 instructions. Very slow.
    ///
    /// # Errors
    /// [`Error::Adjust`] unless max(0.4, s / 16) <= s' <= s and s / 16 <= `s_min` <= s';
    /// [`Error::Sigma`], [`Error::Precision`], [`Error::Bits`] or [`Error::Tail`] for the base.
    #[cfg(any(test, tautochrone_ctgrind))]
    pub fn new_emulated(base: &Builder, width: Width) -> Result<Self, Error> {
        let base = base.clone().isa(Isa::PORTABLE);
        Ok(Self { emulated: true, ..Self::new(&base, width)? })
    }

    /// The instruction set in use.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.base.isa()
    }
}
