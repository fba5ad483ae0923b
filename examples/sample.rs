//! Draws from a sampler, measures it, writes the samples, shows their histogram.
//!
//! `cargo run --release --example sample -- --sampler facct --sigma 215 --histogram`

#[path = "support/cli.rs"]
mod cli;
#[path = "support/histogram.rs"]
mod histogram;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cli::{Answer, Common, Failure, Output, Privacy, say};
use histogram::Histogram;
use tautochrone::ctr::{Label, Seed, Stream};
use tautochrone::gauss::bitslice::{Adjusted, Bitslice, Kind, Width};
use tautochrone::gauss::facct::Facct;
use tautochrone::gauss::uniform;
use tautochrone::gauss::ziggurat::{Options, Ziggurat};
use tautochrone::simd::Isa;

/// Draws integers: uniform, or discrete Gaussian by one of three samplers
///
/// facct: constant time, every real sigma in [2, 2^32), any centre. bitslice: constant time, fastest for small sigma, also
/// half and bimodal laws. ziggurat: variable time, exact, up to 2^40. uniform: [0, 2^BITS).
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  sample --sampler bitslice --sigma 2 --histogram\n  sample --sampler facct --sigma 1e6 --mu 0.5 --count 10000000 --json"
)]
struct Args {
    /// Which sampler
    #[arg(long, value_parser = ["uniform", "bitslice", "facct", "ziggurat"], default_value = "facct")]
    sampler: String,
    /// Standard deviation of a Gaussian
    #[arg(long, value_name = "S")]
    sigma: Option<f64>,
    /// Centre of a full Gaussian [default: 0]
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    mu: Option<f64>,
    /// Law: |X|, X, or -|X| or |X| + 1 (bitslice)
    #[arg(long, value_parser = ["half", "full", "bimodal"], default_value = "full")]
    kind: String,
    /// uniform: bits of a sample, 1 to 63 [default: 32]; bitslice: bits that every sample must fit
    #[arg(long, value_name = "N")]
    bits: Option<u32>,
    /// bitslice: bits of a probability, 32 to 128 [default: 64]
    #[arg(long, value_name = "W")]
    precision: Option<u32>,
    /// ziggurat: number of rectangles [default: 512]
    #[arg(long, value_name = "M")]
    rectangles: Option<usize>,
    /// ziggurat: extra chord points in each rectangle [default: no chords]
    #[arg(long, value_name = "F")]
    factor: Option<u32>,
    /// How many samples
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    count: u64,
    /// Write the samples: 64-bit little-endian integers
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the histogram beside the ideal curve
    #[arg(long)]
    histogram: bool,
    #[command(flatten)]
    common: Common,
}

/// Samples that a histogram counts.
const SHOWN: u64 = 1 << 20;

/// A sampler with its parameters filled in.
enum Sampler {
    Uniform { bits: u32 },
    Facct { sampler: Box<Facct>, mu: f64 },
    Bitslice(Bitslice),
    Adjusted { sampler: Adjusted, mu: f64 },
    Ziggurat(Box<Ziggurat>),
}

impl Sampler {
    fn new(args: &Args) -> Result<Self, Failure> {
        let only = |given: bool, option: &str, sampler: &str| {
            if given && args.sampler != sampler {
                return Err(Failure::new(format!("--{option} is for --sampler {sampler}")));
            }
            Ok(())
        };
        only(args.precision.is_some(), "precision", "bitslice")?;
        only(args.kind != "full", "kind", "bitslice")?;
        only(args.rectangles.is_some(), "rectangles", "ziggurat")?;
        only(args.factor.is_some(), "factor", "ziggurat")?;
        let isa = args.common.isa;
        let mu = args.mu.unwrap_or(0.0);
        let sigma = || args.sigma.ok_or_else(|| Failure::new("a Gaussian needs --sigma"));
        match args.sampler.as_str() {
            "uniform" => {
                if args.sigma.is_some() || args.mu.is_some() {
                    return Err(Failure::new(
                        "--sigma and --mu are for Gaussians, not for uniform",
                    ));
                }
                let bits = args.bits.unwrap_or(32);
                if !(1..=63).contains(&bits) {
                    return Err(Failure::new(format!("--bits is {bits}, expected 1 to 63")));
                }
                Ok(Self::Uniform { bits })
            }
            "facct" => {
                let sampler = Facct::new_on(isa, sigma()?).map_err(Failure::new)?;
                Ok(Self::Facct { sampler: Box::new(sampler), mu })
            }
            "bitslice" => Self::bitslice(args, sigma()?, mu),
            _ => {
                if mu != 0.0 {
                    return Err(Failure::new(
                        "--mu is for facct and bitslice, the ziggurat has centre 0",
                    ));
                }
                let options = Options {
                    rectangles: args.rectangles.unwrap_or(Options::default().rectangles),
                    factor: args.factor,
                    ..Options::default()
                };
                let sampler = Ziggurat::new_on(isa, sigma()?, options).map_err(Failure::new)?;
                Ok(Self::Ziggurat(Box::new(sampler)))
            }
        }
    }

    /// With a centre, an integer base width just above sigma is adjusted to it.
    fn bitslice(args: &Args, sigma: f64, mu: f64) -> Result<Self, Failure> {
        let mut builder = Bitslice::builder().isa(args.common.isa);
        if let Some(precision) = args.precision {
            builder = builder.precision(precision);
        }
        if let Some(bits) = args.bits {
            builder = builder.bits(bits);
        }
        if mu != 0.0 {
            if args.kind != "full" {
                return Err(Failure::new("--mu is for --kind full"));
            }
            let base = builder.sigma(sigma.ceil());
            let sampler = Adjusted::new(&base, Width::public(sigma)).map_err(Failure::new)?;
            return Ok(Self::Adjusted { sampler, mu });
        }
        let kind = match args.kind.as_str() {
            "half" => Kind::FoldedHalf,
            "bimodal" => Kind::Bimodal,
            _ => Kind::Full,
        };
        Ok(Self::Bitslice(builder.sigma(sigma).kind(kind).build().map_err(Failure::new)?))
    }

    fn fill(&self, stream: &mut Stream, out: &mut [i64]) -> Result<(), Failure> {
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
                sampler.fill(*mu, stream, out).map_err(Failure::new)?;
            }
            Self::Ziggurat(sampler) => sampler.fill(stream, out),
        }
        Ok(())
    }

    fn isa(&self, common: Isa) -> Isa {
        match self {
            Self::Uniform { .. } => common,
            Self::Facct { sampler, .. } => sampler.isa(),
            Self::Bitslice(sampler) => sampler.isa(),
            Self::Adjusted { sampler, .. } => sampler.isa(),
            Self::Ziggurat(sampler) => sampler.isa(),
        }
    }

    fn is_constant_time(&self) -> bool {
        !matches!(self, Self::Ziggurat(_))
    }

    /// The law's weight at z, up to a factor; `None` for a uniform law.
    fn weight(&self, args: &Args, z: i64) -> Option<f64> {
        let sigma = args.sigma?;
        let rho = |z: f64| (-z * z / (2.0 * sigma * sigma)).exp();
        let x = z as f64;
        Some(match (self, args.kind.as_str()) {
            (_, "half") if z < 0 => 0.0,
            (_, "half") => rho(x) * if z == 0 { 0.5 } else { 1.0 },
            // -z or z + 1 for z >= 0.
            (_, "bimodal") => rho(if z > 0 { x - 1.0 } else { x }),
            _ => rho(x - args.mu.unwrap_or(0.0)),
        })
    }
}

/// What is known of the samples so far.
#[derive(Default)]
struct Moments {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, samples: &[i64], around: f64) {
        self.count += samples.len() as u64;
        for &z in samples {
            let d = z as f64 - around;
            self.sum += d;
            self.squares += d * d;
        }
    }

    fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }

    fn deviation(&self) -> f64 {
        (self.squares / self.count as f64 - self.mean().powi(2)).max(0.0).sqrt()
    }
}

fn main() -> ExitCode {
    cli::run(|args: Args| {
        args.common.start_threads()?;
        let sampler = Sampler::new(&args)?;
        let seed = match &args.common.seed {
            Some(bytes) => Seed::from_bytes(bytes.0),
            None => Seed::from_os().map_err(Failure::new)?,
        };
        let mut stream = seed.stream_on(args.common.isa, Label::new("sample"), 0);
        let mut output = args.out.as_deref().map(|path| Output::create(path, Privacy::Secret));
        let mut output = output.take().transpose()?;

        let around = args.mu.unwrap_or(0.0).floor();
        let (mut moments, mut shown) = (Moments::default(), Histogram::default());
        let mut samples = vec![0; 1 << 16];
        let mut bytes = Vec::new();
        let (mut time, mut left) = (Duration::ZERO, args.count);
        while left > 0 {
            let samples = &mut samples[..left.min(1 << 16) as usize];
            let start = Instant::now();
            sampler.fill(&mut stream, samples)?;
            time += start.elapsed();
            left -= samples.len() as u64;
            moments.add(samples, around);
            // The first million show the shape; a wide law has too many values to count them all.
            if args.histogram && moments.count <= SHOWN {
                shown.add(samples);
            }
            if let Some(output) = &mut output {
                bytes.clear();
                bytes.extend(samples.iter().flat_map(|z| z.to_le_bytes()));
                output.write_all(&bytes).map_err(|e| output.failure(e))?;
            }
        }
        if let Some(output) = output {
            output.finish()?;
        }
        report(&args, &sampler, &moments, around, time)?;
        if args.histogram && !args.common.json {
            for line in shown.lines(|z| sampler.weight(&args, z)) {
                say(line)?;
            }
        }
        Ok(Answer::Yes)
    })
}

fn report(
    args: &Args,
    sampler: &Sampler,
    moments: &Moments,
    around: f64,
    time: Duration,
) -> Result<(), Failure> {
    let rate = args.count as f64 / time.as_secs_f64();
    let (mean, deviation) = (around + moments.mean(), moments.deviation());
    let isa = sampler.isa(args.common.isa).name();
    let acceptance = match sampler {
        Sampler::Facct { sampler, .. } => Some(sampler.acceptance()),
        _ => None,
    };
    if args.common.json {
        return say(serde_json::json!({
            "sampler": args.sampler, "kind": args.kind, "sigma": args.sigma, "mu": args.mu.unwrap_or(0.0),
            "count": args.count, "mean": mean, "sd": deviation, "acceptance": acceptance,
            "samples_per_second": rate, "isa": isa, "constant_time": sampler.is_constant_time(),
        }));
    }
    say(format_args!("samples     {} from {} ({isa})", args.count, args.sampler))?;
    say(format_args!("mean        {mean:.6}"))?;
    say(format_args!("deviation   {deviation:.6}"))?;
    say(format_args!("rate        {:.1} million a second", rate / 1e6))?;
    if !sampler.is_constant_time() {
        say("time        variable: not for secrets that an observer must not learn from timing")?;
    }
    Ok(())
}
