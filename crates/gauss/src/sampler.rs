//! [`Sampler`]: what all samplers of a Gaussian have in common.

use tautochrone_simd::Isa;

use crate::error::Error;
use crate::source::Source;

/// A sampler of a Gaussian, for code that takes any of them: `&dyn Sampler` works.
///
/// [`Facct`](crate::facct::Facct) and [`Bitslice`](crate::bitslice::Bitslice) take constant time in
/// the random bits and the samples, [`Ziggurat`](crate::ziggurat::Ziggurat) does not.
pub trait Sampler {
    /// Fills `out` with independent samples.
    ///
    /// # Constant time
    /// As the `fill` of the sampler.
    fn fill(&self, source: &mut dyn Source, out: &mut [i64]);

    /// The standard deviation parameter.
    fn sigma(&self) -> f64;

    /// The largest absolute value of a sample.
    fn bound(&self) -> u64;

    /// The instruction set in use.
    fn isa(&self) -> Isa;

    /// Whether every sample fits 32 bits.
    ///
    /// # Errors
    /// [`Error::Output`] or [`Error::Centre`] if not.
    fn check_i32(&self) -> Result<(), Error> {
        Error::check_output(self.bound(), i32::MAX.unsigned_abs().into(), || self.sigma())
    }
}

impl<S: Sampler + ?Sized> Sampler for &S {
    fn fill(&self, source: &mut dyn Source, out: &mut [i64]) {
        (**self).fill(source, out);
    }

    fn sigma(&self) -> f64 {
        (**self).sigma()
    }

    fn bound(&self) -> u64 {
        (**self).bound()
    }

    fn isa(&self) -> Isa {
        (**self).isa()
    }

    fn check_i32(&self) -> Result<(), Error> {
        (**self).check_i32()
    }
}

/// [`Sampler`] by a type's own methods of the same names.
macro_rules! by_own_methods {
    ($type:ty) => {
        impl $crate::Sampler for $type {
            fn fill(&self, source: &mut dyn $crate::Source, out: &mut [i64]) {
                Self::fill(self, source, out);
            }

            fn sigma(&self) -> f64 {
                Self::sigma(self)
            }

            fn bound(&self) -> u64 {
                Self::bound(self)
            }

            fn isa(&self) -> tautochrone_simd::Isa {
                self.isa
            }
        }
    };
}
pub(crate) use by_own_methods;
