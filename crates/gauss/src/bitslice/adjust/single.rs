//! [`Centred`]: one sample at a time, from any generator.

use rand::distr::Distribution;
use tautochrone_simd::declassify;
use zeroize::Zeroize;

use super::{Adjusted, centre};
use crate::error::Error;

impl Adjusted {
    /// The sampler at one centre, a [`rand::distr::Distribution`].
    ///
    /// # Errors
    /// [`Error::Centre`] unless |mu| < 2^30.
    pub fn at(&self, centre: f64) -> Result<Centred<'_>, Error> {
        centre::check(&[centre])?;
        Ok(Centred::new(self, centre))
    }
}

/// An [`Adjusted`] sampler at one centre: [`Adjusted::at`]. Its samples have the distribution of
/// [`Adjusted::fill`], which is tens of times faster. The centre is erased on drop.
///
/// # Constant time
/// As [`Adjusted`]: in the centre and the samples, the number of rejections apart.
pub struct Centred<'a> {
    sampler: &'a Adjusted,
    floor: i32,
    fraction: f64,
}

impl<'a> Centred<'a> {
    /// The centre has been checked.
    pub(super) fn new(sampler: &'a Adjusted, centre: f64) -> Self {
        let (floor, fraction) = centre::parts(centre);
        Self { sampler, floor, fraction }
    }

    fn one<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i32 {
        loop {
            let candidate = self.sampler.base.one(rng);
            let threshold = self.sampler.exponent.threshold(candidate, self.fraction);
            if declassify(rng.next_u64() >> 1 < threshold) {
                return self.floor + candidate;
            }
        }
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
        self.one(rng)
    }
}

impl Distribution<i64> for Centred<'_> {
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.one(rng).into()
    }
}
