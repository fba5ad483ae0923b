//! The samplers behind one face.

use tautochrone::ctr::Stream;
use tautochrone::gauss::bitslice::{Adjusted, Bitslice, Kind, Width};
use tautochrone::gauss::facct::Facct;
use tautochrone::gauss::uniform;
use tautochrone::gauss::ziggurat::{Options, Ziggurat};
use tautochrone::simd::Isa;

use super::args::Args;
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
    /// All that depends on the parameters alone happens here: tables, circuits, partitions.
    pub(crate) fn new(args: &Args) -> Result<Self, Failure> {
        args.check()?;
        let (isa, mu) = (args.common.isa(), args.centre());
        let sigma = || args.sigma.ok_or_else(|| Failure::new("a Gaussian needs --sigma"));
        Ok(match args.sampler.as_str() {
            "uniform" => match args.bits.unwrap_or(32) {
                bits @ 1..=63 => Self::Uniform { bits },
                bits => {
                    return Err(Failure::new(format!("--bits is {bits}, expected 1 to 63")));
                }
            },
            "facct" => {
                let sampler = Facct::new_on(isa, sigma()?).map_err(|e| {
                    Failure::new(format!("{e}; --sampler bitslice takes smaller ones"))
                })?;
                Self::Facct { sampler: Box::new(sampler), mu }
            }
            "bitslice" => return Self::bitslice(args, sigma()?, mu),
            _ => {
                let default = Options::default();
                let rectangles = args.rectangles.unwrap_or(default.rectangles);
                let options = Options { rectangles, factor: args.factor, omega: args.omega };
                let sampler = Ziggurat::new_on(isa, sigma()?, options).map_err(Failure::new)?;
                Self::Ziggurat(Box::new(sampler))
            }
        })
    }

    /// With a centre, an integer base width just above sigma is adjusted to it.
    fn bitslice(args: &Args, sigma: f64, mu: f64) -> Result<Self, Failure> {
        let mut builder = Bitslice::builder().isa(args.common.isa());
        if let Some(precision) = args.precision {
            builder = builder.precision(precision);
        }
        if let Some(bits) = args.bits {
            builder = builder.bits(bits);
        }
        let kind = match args.kind.as_str() {
            "half" => Kind::FoldedHalf,
            "bimodal" => Kind::Bimodal,
            _ => Kind::Full,
        };
        if mu == 0.0 {
            let sampler = builder.sigma(sigma).kind(kind).build().map_err(Failure::new)?;
            return Ok(Self::Bitslice(sampler));
        }
        if kind != Kind::Full {
            return Err(Failure::new("--mu is for --kind full"));
        }
        if args.bits.is_some() {
            return Err(Failure::new("--bits is for distributions of centre 0"));
        }
        let base = builder.sigma(sigma.ceil());
        let sampler = Adjusted::new(&base, Width::public(sigma)).map_err(Failure::new)?;
        Ok(Self::Adjusted { sampler, mu })
    }

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
