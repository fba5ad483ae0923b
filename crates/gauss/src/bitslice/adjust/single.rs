//! [`Centred`]: one centre for all samples.

use rand::distr::Distribution;
use tautochrone_simd::{Isa, declassify, vectorize};
use zeroize::{Zeroize, Zeroizing};

use super::Adjusted;
use super::centre::LIMIT;
use crate::centres;
use crate::error::Error;
use crate::sampler::Sampler;
use crate::source::{Generator, Source};

impl Adjusted {
    /// The sampler at one centre: a [`Sampler`] and a [`rand::distr::Distribution`].
    ///
    /// # Errors
    /// [`Error::Centre`] unless |mu| < 2^30.
    pub fn at(&self, centre: f64) -> Result<Centred<'_>, Error> {
        centres::check(self.isa(), &[centre], LIMIT)?;
        Ok(Centred::new(self, centre))
    }
}

/// An [`Adjusted`] sampler at one centre: [`Adjusted::at`]. The centre is erased on drop.
///
/// # Constant time
/// As [`Adjusted`]: in the centre and the samples, the number of rejections apart.
pub struct Centred<'a> {
    sampler: &'a Adjusted,
    floor: i64,
    fraction: f64,
}

impl<'a> Centred<'a> {
    /// The centre has been checked.
    pub(super) fn new(sampler: &'a Adjusted, centre: f64) -> Self {
        let (floor, fraction) = centres::parts(centre);
        Self { sampler, floor, fraction }
    }

    fn one(&self, source: &mut (impl Source + ?Sized)) -> i32 {
        loop {
            let candidate = self.sampler.base.one(source);
            let threshold = vectorize!(
                self.sampler.isa(),
                self.sampler.exponent.threshold(candidate, self.fraction)
            );
            let mut uniform = Zeroizing::new([0]);
            source.fill_u64(&mut *uniform);
            if declassify(uniform[0] >> 1 < threshold) {
                return (self.floor + i64::from(candidate)) as i32;
            }
        }
    }
}

impl Sampler for Centred<'_> {
    fn fill(&self, source: &mut dyn Source, out: &mut [i64]) {
        self.sampler.fill_one((self.floor, self.fraction), source, out);
    }

    /// The target width, from its inverse. As secret as that, which is divided by.
    fn sigma(&self) -> f64 {
        1.0 / self.sampler.width.inverse
    }

    /// Above |floor(mu)| by as much as the base's samples reach: as secret as the centre.
    fn bound(&self) -> u64 {
        self.floor.unsigned_abs() + self.sampler.base.bound()
    }

    fn isa(&self) -> Isa {
        self.sampler.isa()
    }

    /// Always: centres are below 2^30.
    fn check_i32(&self) -> Result<(), Error> {
        Ok(())
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
        self.floor.zeroize();
        self.fraction.zeroize();
    }
}

impl Distribution<i32> for Centred<'_> {
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i32 {
        self.one(&mut Generator(rng))
    }
}

impl Distribution<i64> for Centred<'_> {
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.one(&mut Generator(rng)).into()
    }
}
