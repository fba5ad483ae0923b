//! [`Sampler`]: what all samplers of a Gaussian have in common.

use tautochrone_ctr::Stream;
use tautochrone_simd::Isa;

/// A sampler of a Gaussian, for code that takes any of them: `&dyn Sampler` works.
///
/// [`Facct`](crate::facct::Facct) and [`Bitslice`](crate::bitslice::Bitslice) take constant time in
/// the stream and the samples, [`Ziggurat`](crate::ziggurat::Ziggurat) does not.
pub trait Sampler {
    /// Fills `out` with independent samples.
    ///
    /// # Constant time
    /// As the `fill` of the sampler.
    fn fill(&self, stream: &mut Stream, out: &mut [i64]);

    /// The standard deviation parameter.
    fn sigma(&self) -> f64;

    /// The largest absolute value of a sample.
    fn bound(&self) -> u64;

    /// The instruction set in use.
    fn isa(&self) -> Isa;
}

#[cfg(test)]
mod tests;
