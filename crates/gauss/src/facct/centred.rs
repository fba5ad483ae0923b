//! [`Centred`]: one centre for all samples.

use tautochrone_simd::{Isa, declassify, wipe};

use super::Facct;
use super::centre::{Centre, LIMIT};
use crate::centres;
use crate::error::Error;
use crate::sampler::Sampler;
use crate::source::{Generator, Source};

impl Facct {
    /// The sampler around the real number mu: P(z) is proportional to
    /// exp(-(z - mu)^2 / (2 sigma^2)) for |z - mu| <= [`Self::bound`] + 1.
    ///
    /// # Errors
    /// [`Error::Centre`] unless |mu| < 2^51.
    pub fn at(&self, mu: f64) -> Result<Centred<'_>, Error> {
        centres::check(self.isa, &[mu], LIMIT)?;
        Ok(Centred { sampler: self, centre: Centre::new(mu) })
    }
}

/// A [`Facct`] around one centre: [`Facct::at`]. The centre is erased on drop.
///
/// # Constant time
/// In the centre, the random bits and the samples: the acceptance probability depends on the centre
/// by less than 2^-112. [`Sampler::check_i32`] tells whether the samples fit 32 bits.
pub struct Centred<'a> {
    sampler: &'a Facct,
    centre: Centre,
}

impl Sampler for Centred<'_> {
    fn fill(&self, source: &mut dyn Source, out: &mut [i64]) {
        self.sampler.fill_any(Some(&self.centre), source, out);
    }

    fn sigma(&self) -> f64 {
        self.sampler.sigma
    }

    /// |floor(mu)| + 1 + [`Facct::bound`]: as secret as the centre.
    fn bound(&self) -> u64 {
        self.centre.floor.unsigned_abs() + 1 + self.sampler.bound()
    }

    fn isa(&self) -> Isa {
        self.sampler.isa
    }

    /// Tells no more of the centre than whether it is below the limit.
    fn check_i32(&self) -> Result<(), Error> {
        self.sampler.check_i32()?;
        let limit = u64::from(i32::MAX.unsigned_abs()).saturating_sub(self.sampler.bound());
        let inside = self.centre.floor.unsigned_abs() < limit;
        if declassify(inside) { Ok(()) } else { Err(Error::Centre { limit: limit as f64 }) }
    }
}

/// Secret centres are not printed.
impl core::fmt::Debug for Centred<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Centred").field("sampler", self.sampler).finish_non_exhaustive()
    }
}

impl Drop for Centred<'_> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.centre), Centre::default());
    }
}

impl rand::distr::Distribution<i64> for Centred<'_> {
    /// One sample straight from `rng`, two words a trial, in constant time.
    /// [`Sampler::fill`] and [`Buffered`](crate::Buffered) are many times faster.
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.sampler.one(Some(&self.centre), &mut Generator(rng))
    }
}
