//! The samplers behind one face; `build.rs` makes one.

use tautochrone::ctr::Stream;
use tautochrone::gauss::bitslice::{Adjusted, Bitslice};
use tautochrone::gauss::facct::Facct;
use tautochrone::gauss::uniform;
use tautochrone::gauss::ziggurat::Ziggurat;
use tautochrone::simd::Isa;

use tautochrone_cli::Failure;

/// A sampler with its parameters filled in.
pub(crate) enum Sampler {
    Uniform { bits: u32 },
    Facct { sampler: Box<Facct>, mu: f64 },
    Bitslice(Bitslice),
    Adjusted { sampler: Adjusted, mu: f64 },
    Ziggurat(Box<Ziggurat>),
}

impl Sampler {
    /// Fills `out`; returns how many candidates that took where the sampler counts them.
    pub(crate) fn fill(&self, stream: &mut Stream, out: &mut [i64]) -> Result<u64, Failure> {
        match self {
            Self::Uniform { bits } => {
                let mut unsigned = vec![0_u64; out.len()];
                uniform::fill_bits(stream, *bits, &mut unsigned).map_err(Failure::new)?;
                for (out, z) in out.iter_mut().zip(unsigned) {
                    *out = z.cast_signed();
                }
            }
            Self::Facct { sampler, mu } if *mu == 0.0 => sampler.fill(stream, out),
            Self::Facct { sampler, mu } => {
                sampler.fill_centred(*mu, stream, out).map_err(Failure::new)?;
            }
            Self::Bitslice(sampler) => sampler.fill(stream, out),
            Self::Adjusted { sampler, mu } => {
                return sampler.fill(*mu, stream, out).map_err(Failure::new);
            }
            Self::Ziggurat(sampler) => sampler.fill(stream, out),
        }
        Ok(out.len() as u64)
    }

    /// Share of the candidates that become samples; `measured` for the sampler that counts them.
    /// `None`: none is rejected.
    pub(crate) fn acceptance(&self, measured: f64) -> Option<f64> {
        match self {
            Self::Uniform { .. } | Self::Bitslice(_) => None,
            Self::Facct { sampler, .. } => Some(sampler.acceptance()),
            Self::Adjusted { .. } => Some(measured),
            Self::Ziggurat(sampler) => Some(sampler.partition().acceptance()),
        }
    }

    pub(crate) fn isa(&self, common: Isa) -> Isa {
        match self {
            Self::Uniform { .. } => common,
            Self::Facct { sampler, .. } => sampler.isa(),
            Self::Bitslice(sampler) => sampler.isa(),
            Self::Adjusted { sampler, .. } => sampler.isa(),
            Self::Ziggurat(sampler) => sampler.isa(),
        }
    }

    pub(crate) fn is_constant_time(&self) -> bool {
        !matches!(self, Self::Ziggurat(_))
    }
}
