//! The measurements of a run, for people and as JSON.

use super::args::Args;
use super::sampler::Sampler;
use tautochrone_cli::{Answer, Failure, Rounds};

/// Counts, moments and costs so far.
#[derive(Default)]
pub(crate) struct Run {
    /// The moments are taken around this, so that nothing cancels.
    around: f64,
    sum: f64,
    squares: f64,
    pub count: u64,
    pub trials: u64,
    /// Seconds a sample, of each of the first batches.
    pub times: Vec<f64>,
    pub random_bytes: u128,
}

impl Run {
    pub(crate) fn around(around: f64) -> Self {
        Self { around, ..Self::default() }
    }

    pub(crate) fn add(&mut self, samples: &[i64]) {
        self.count += samples.len() as u64;
        for &z in samples {
            let d = z as f64 - self.around;
            self.sum += d;
            self.squares += d * d;
        }
    }

    fn mean(&self) -> f64 {
        self.around + self.sum / self.count as f64
    }

    fn deviation(&self) -> f64 {
        let n = self.count as f64;
        (self.squares / n - (self.sum / n).powi(2)).max(0.0).sqrt()
    }
}

/// `setup`: seconds that the sampler's tables took; `histogram`: the last lines, for people alone.
pub(crate) fn print(
    args: &Args,
    sampler: &Sampler,
    run: &Run,
    setup: f64,
    histogram: impl Iterator<Item = String>,
) -> Result<Answer, Failure> {
    let n = run.count as f64;
    let Rounds { median, least } = Rounds::of(run.times.clone());
    let [rate, best] = [median, least].map(f64::recip);
    let random = run.random_bytes as f64 / n;
    let isa = sampler.isa(args.common.isa()).name();
    let acceptance = sampler.acceptance(n / run.trials as f64);
    let (mean, deviation) = (run.mean(), run.deviation());
    let json = serde_json::json!({
        "sampler": args.sampler, "kind": args.kind, "sigma": args.sigma, "mu": args.centre(),
        "count": args.count, "mean": mean, "sd": deviation, "acceptance": acceptance,
        "samples_per_second": rate, "best_samples_per_second": best,
        "random_bytes_per_sample": random, "isa": isa,
        "constant_time": sampler.is_constant_time(), "setup_seconds": setup,
    });
    let [rate, best] = [rate / 1e6, best / 1e6];
    let variable =
        "time        variable: not for secrets that an observer must not learn from timing";
    let lines = [
        Some(format!("samples     {} from {} ({isa})", args.count, args.sampler)),
        Some(format!("tables      {:.3} ms", setup * 1e3)),
        Some(format!("mean        {mean:.6}")),
        Some(format!("deviation   {deviation:.6}")),
        acceptance.map(|share| format!("acceptance  {:.2} % of the candidates", 100.0 * share)),
        Some(format!("randomness  {random:.3} bytes a sample")),
        Some(format!("rate        {rate:.1} million a second, at best {best:.1}")),
        (!sampler.is_constant_time()).then(|| variable.to_owned()),
    ];
    args.common.report(json, lines.into_iter().flatten().chain(histogram))
}
