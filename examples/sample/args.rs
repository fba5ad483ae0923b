//! The command line of `sample`.

use std::f64::consts::LOG2_E;
use std::path::{Path, PathBuf};

use tautochrone::gauss::float;

use tautochrone_cli::{Failure, Seeded};

/// Draws integers: uniform, or discrete Gaussian by one of three samplers
///
/// facct: constant time, every real sigma in [2, 2^32), any centre. bitslice: constant time,
/// fastest for small sigma, also half and bimodal distributions. ziggurat: variable time, exact, up
/// to 2^40. uniform: [0, 2^BITS).
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  sample --sampler bitslice --sigma 2 --histogram\n  sample --sampler facct --sigma 1e6 --mu 0.5 --count 10000000 --json\n  sample --sampler ziggurat --sigma 10 --rectangles 63 --factor 1 --omega 106"
)]
pub(crate) struct Args {
    /// Which sampler
    #[arg(long, value_parser = ["uniform", "bitslice", "facct", "ziggurat"], default_value = "facct")]
    pub sampler: String,
    /// Standard deviation of a Gaussian
    #[arg(long, value_name = "S")]
    pub sigma: Option<f64>,
    /// Centre of a full Gaussian [default: 0]
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub mu: Option<f64>,
    /// Which distribution, of a Gaussian X: full is X, half is |X|, bimodal is -Z or Z + 1 with
    /// equal probability, where Z is X given X >= 0 (half and bimodal: bitslice)
    #[arg(long, value_parser = ["half", "full", "bimodal"], default_value = "full")]
    pub kind: String,
    /// uniform: bits of a sample, 1 to 63 [default: 32]; bitslice: bits that every sample must fit
    #[arg(long, value_name = "N")]
    pub bits: Option<u32>,
    /// bitslice: bits of a probability, 32 to 128 [default: 64]
    #[arg(long, value_name = "W")]
    pub precision: Option<u32>,
    /// ziggurat: number of rectangles [default: 1024]
    #[arg(long, value_name = "M")]
    pub rectangles: Option<usize>,
    /// ziggurat: extra chord points in each rectangle [default: no chords]
    #[arg(long, value_name = "F")]
    pub factor: Option<u32>,
    /// ziggurat: bits of a comparison, 53 to 128; 106 in the tables of More and Katti [default:
    /// all]
    #[arg(long, value_name = "BITS")]
    pub omega: Option<u32>,
    /// How many samples
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub count: u64,
    /// Write the samples: 64-bit little-endian integers; `-` is stdout, which then has no report
    #[arg(long, value_name = "OUT|-")]
    pub out: Option<PathBuf>,
    /// Draw the histogram and the ideal curve
    #[arg(long)]
    pub histogram: bool,
    /// The same as a picture, an SVG file whose name ends in .svg
    #[arg(long, value_name = "OUT")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub common: Seeded,
}

impl Args {
    pub(crate) fn centre(&self) -> f64 {
        self.mu.unwrap_or(0.0)
    }

    /// Whether a histogram is asked for.
    pub(crate) fn draws(&self) -> bool {
        self.histogram || self.plot.is_some()
    }

    /// Whether stdout has the samples, and nothing else may go there.
    pub(crate) fn to_stdout(&self) -> bool {
        self.out.as_deref() == Some(Path::new("-"))
    }

    /// The distribution's weight at z, up to a factor; `None` for a uniform one.
    pub(crate) fn weight(&self, z: i64) -> Option<f64> {
        let sigma = self.sigma?;
        let rho = |z: f64| float::exp2(-z * z / (2.0 * sigma * sigma) * LOG2_E);
        let x = z as f64;
        Some(match self.kind.as_str() {
            "half" if z < 0 => 0.0,
            "half" => rho(x) * if z == 0 { 0.5 } else { 1.0 },
            // -z or z + 1 for z >= 0.
            "bimodal" => rho(if z > 0 { x - 1.0 } else { x }),
            _ => rho(x - self.centre()),
        })
    }

    /// The distribution in words.
    pub(crate) fn title(&self) -> String {
        let distribution = match (self.sigma, self.kind.as_str()) {
            (None, _) => "uniform".to_owned(),
            (Some(sigma), "full") => format!("sigma {sigma}, centre {}", self.centre()),
            (Some(sigma), kind) => format!("sigma {sigma}, {kind}"),
        };
        format!("{} samples by {}: {distribution}", self.count, self.sampler)
    }

    /// Refuses options that the sampler does not have.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for (given, option, samplers) in [
            (self.sigma.is_some(), "sigma", &["facct", "bitslice", "ziggurat"][..]),
            (self.mu.is_some_and(|mu| mu != 0.0), "mu", &["facct", "bitslice"]),
            (self.bits.is_some(), "bits", &["uniform", "bitslice"]),
            (self.precision.is_some(), "precision", &["bitslice"]),
            (self.kind != "full", "kind", &["bitslice"]),
            (self.rectangles.is_some(), "rectangles", &["ziggurat"]),
            (self.factor.is_some(), "factor", &["ziggurat"]),
            (self.omega.is_some(), "omega", &["ziggurat"]),
        ] {
            if given && !samplers.contains(&self.sampler.as_str()) {
                let samplers = samplers.join(" or ");
                return Err(Failure::new(format!(
                    "--{option} is for --sampler {samplers}, not for {}",
                    self.sampler
                )));
            }
        }
        if self.to_stdout() && self.histogram {
            return Err(Failure::new("--out - and --histogram both want stdout; give a file name"));
        }
        let svg = |path: &Path| path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("svg"));
        if let Some(path) = self.plot.as_deref().filter(|path| !svg(path)) {
            return Err(Failure::file(path, "expected a file name that ends in .svg"));
        }
        Ok(())
    }
}
