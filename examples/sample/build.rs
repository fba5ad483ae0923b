//! From the command line to a sampler: all that depends on the parameters alone happens here,
//! tables, circuits, partitions.

use tautochrone::gauss::bitslice::{Adjusted, Bitslice, Kind, Width};
use tautochrone::gauss::facct::Facct;
use tautochrone::gauss::ziggurat::{Options, Ziggurat};

use super::args::Args;
use super::sampler::Sampler;
use tautochrone_cli::Failure;

impl Sampler {
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
                let options = Options { rectangles, factor: args.factor, ..default };
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
}
