//! The acceptance battery at length, for every sampler, with all its p-values and scores:
//!
//! `cargo run --release -p tautochrone-gauss --example statistics -- [SAMPLES [NAME]]`
//!
//! SAMPLES of each distribution, 10^9 if it is not given (an hour or two); only distributions whose
//! name begins with NAME, if it is given. Seeds are fixed: the same number gives the same report.
//! Exit code 1 if any test of any distribution fails.

use std::process::ExitCode;

use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Form, Kind, Width};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::uniform;
use tautochrone_gauss::ziggurat::Ziggurat;
use tautochrone_testkit::{Battery, Distribution};

/// Prints reports and counts distributions and failures.
struct Run {
    samples: usize,
    name: String,
    distributions: u64,
    /// The statistics whose name does not begin with `name`.
    skipped: u64,
    rejected: u64,
}

impl Run {
    fn check(
        &mut self,
        name: &str,
        distribution: Distribution,
        lanes: usize,
        mut fill: impl FnMut(&mut Stream, &mut [i64]),
    ) {
        if !name.starts_with(&self.name) {
            self.distributions += 1;
            self.skipped += 1;
            return;
        }
        let mut stream =
            Seed::from_bytes([42; 32]).stream(Label::new("statistics"), self.distributions);
        let report =
            Battery::new(distribution).lanes(lanes).run(self.samples, |out| fill(&mut stream, out));
        self.distributions += 1;
        self.rejected += u64::from(report.rejects());
        println!("{} {name}\n{report}", if report.rejects() { "REJECTED" } else { "accepted" });
    }
}

fn main() -> ExitCode {
    let samples = match std::env::args().nth(1).map(|text| text.parse::<f64>()) {
        None => 1e9,
        Some(Ok(samples)) if (1e4..=1e12).contains(&samples) => samples,
        Some(_) => {
            eprintln!(
                "usage: statistics [SAMPLES of each distribution, 10000 to 1e12 [PREFIX of names]]"
            );
            return ExitCode::from(2);
        }
    };
    let name = std::env::args().nth(2).unwrap_or_default();
    let mut run =
        Run { samples: samples as usize, name, distributions: 0, skipped: 0, rejected: 0 };

    for sigma in [2.0, 2.5, 3.3, 215.0, 300.0, 1000.7, 3.5e5, 1e6, 4.6e7, 2e9, 4_294_967_295.0] {
        let sampler = Facct::new(sigma).expect("in range");
        run.check(
            &format!("facct, sigma {sigma}"),
            Distribution::full(sigma, 0.0),
            8,
            |stream, out| {
                sampler.fill(stream, out);
            },
        );
    }
    for (sigma, centre) in [(3.3, 0.5), (215.0, -3.7), (1e6, 1e6 + 1.0 / 3.0)] {
        let sampler = Facct::new(sigma).expect("in range");
        let name = format!("facct, sigma {sigma}, centre {centre}");
        run.check(&name, Distribution::full(sigma, centre), 8, |stream, out| {
            sampler.fill_centred(centre, stream, out).expect("in range");
        });
    }

    let bitslice = |sigma: f64| Bitslice::builder().sigma(sigma);
    for sigma in [0.5, 1.5, 2.0, 3.19, 10.0, 34.0, 215.0, 1000.0] {
        let sampler = bitslice(sigma).build().expect("a supported sigma");
        run.check(
            &format!("bitslice, sigma {sigma}"),
            Distribution::full(sigma, 0.0),
            512,
            |stream, out| {
                sampler.fill(stream, out);
            },
        );
    }
    for (form, kind, distribution) in [
        (Form::Planes, Kind::FoldedHalf, Distribution::folded_half(3.19)),
        (Form::Bytes, Kind::FoldedHalf, Distribution::folded_half(3.19)),
        (Form::Bytes, Kind::UnfoldedHalf, Distribution::unfolded_half(3.19)),
        (Form::Bytes, Kind::Bimodal, Distribution::bimodal(3.19)),
    ] {
        let sampler = bitslice(3.19).form(form).kind(kind).build().expect("a sampler");
        run.check(&format!("bitslice, {form:?}, {kind:?}"), distribution, 512, |stream, out| {
            sampler.fill(stream, out);
        });
    }
    for (centre, sigma) in [(0.5, 1.9), (-3.7, 1.2)] {
        let sampler = Adjusted::new(&bitslice(2.0), Width::public(sigma)).expect("a width");
        let name = format!("bitslice, adjusted to {centre}, {sigma}");
        run.check(&name, Distribution::full(sigma, centre), 8, |stream, out| {
            sampler.fill(centre, stream, out).expect("a centre in range");
        });
    }

    for sigma in [0.8, 2.0, 10.0, 215.0, 1.6e5, 2e9] {
        let sampler = Ziggurat::new(sigma).expect("in range");
        run.check(
            &format!("ziggurat, sigma {sigma}"),
            Distribution::full(sigma, 0.0),
            8,
            |stream, out| {
                sampler.fill(stream, out);
            },
        );
    }

    uniforms(&mut run);

    let distributions = run.distributions - run.skipped;
    println!(
        "{distributions} distributions, {} samples each, {} rejected",
        run.samples, run.rejected
    );
    if run.rejected == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Uniform integers, from cells of every size and into elements of every size.
fn uniforms(run: &mut Run) {
    /// `$distribution` for what `$fill` writes into elements of `$type`; lanes as many as a
    /// register of 64 bytes has.
    macro_rules! check {
        ($name:expr, $distribution:expr, $type:ty, |$stream:ident, $out:ident| $fill:expr) => {
            let (name, lanes) =
                (format!("{}, {}", $name, stringify!($type)), 64 / size_of::<$type>());
            let mut numbers = Vec::new();
            run.check(&name, $distribution, lanes, |$stream, wide| {
                numbers.resize(wide.len(), 0 as $type);
                let $out = &mut numbers[..];
                $fill.expect("a width");
                for (wide, &number) in wide.iter_mut().zip(&numbers) {
                    *wide = number as i64;
                }
            });
        };
    }
    macro_rules! signed {
        ($($bits:literal $type:ty;)*) => {$(
            let range = (i64::MIN >> (64 - $bits), i64::MAX >> (64 - $bits));
            let uniform = Distribution::uniform(range.0, range.1);
            check!(concat!("uniform, signed ", $bits, " bits"), uniform, $type, |stream, out| {
                uniform::fill_signed(stream, $bits, out)
            });
        )*};
    }
    macro_rules! unsigned {
        ($($bits:literal $type:ty;)*) => {$(
            let uniform = Distribution::uniform(0, i64::MAX >> (63 - $bits));
            check!(concat!("uniform, ", $bits, " bits"), uniform, $type, |stream, out| {
                uniform::fill_bits(stream, $bits, out)
            });
        )*};
    }
    macro_rules! below {
        ($($n:expr, $type:ty;)*) => {$(
            let n: i64 = $n;
            let uniform = Distribution::uniform(0, n - 1);
            check!(format!("uniform below {n}"), uniform, $type, |stream, out| {
                uniform::fill_below(stream, n as u64, out)
            });
        )*};
    }
    // 15, 20, 33 and 60 bits would straddle words if they were packed.
    signed! { 7 i8; 15 i32; 20 i32; 33 i64; 60 i64; 64 i64; }
    unsigned! { 7 u8; 12 u16; 20 u64; 31 u32; 63 u64; }
    below! {
        3, u8; 3329, u16; 8_380_417, u32; 1_000_000_007, u32; 1_000_000_007, u64; (1 << 60) - 93, u64;
        (3 << 61) + 1, u64;
    }
}
