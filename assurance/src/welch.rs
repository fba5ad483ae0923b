//! Welch's t-test between two classes of times.

use core::hint::black_box;
use std::time::{Duration, Instant};

use tautochrone_ctr::Stream;

/// Running mean and variance (Welford 1962).
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn push(&mut self, x: f64) {
        self.count += 1.0;
        let before = x - self.mean;
        self.mean += before / self.count;
        self.squares += before * (x - self.mean);
    }

    /// Variance of the mean.
    fn error(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }
}

fn welch(a: &Moments, b: &Moments) -> f64 {
    (a.mean - b.mean) / (a.error() + b.error()).sqrt()
}

/// The largest |t| over crops of the slow tail (interrupts), and the number of measurements.
pub fn largest_t(
    time: Duration,
    random: &mut Stream,
    mut measure: impl FnMut(&[u64; 64]) -> Duration,
) -> (f64, usize) {
    let mut samples = Vec::new();
    let start = Instant::now();
    while start.elapsed() < time {
        // A batch is prepared before any of it is measured, and by selection, so that neither a
        // mispredicted branch nor a store in flight tells the classes apart.
        let mut batch = [([0; 64], 0); 64];
        for (secret, class) in &mut batch {
            random.fill_u64(&mut secret[..]);
            *class = (secret[63] >> 17 & 1) as usize;
            let keep = (*class as u64).wrapping_neg();
            for word in secret {
                *word &= black_box(keep);
            }
        }
        for (secret, class) in &batch {
            samples.push((*class, measure(black_box(secret)).as_nanos() as f64));
        }
    }
    let mut sorted: Vec<f64> = samples.iter().map(|&(_, t)| t).collect();
    sorted.sort_by(f64::total_cmp);
    let worst = [0.5, 0.8, 0.95, 1.0]
        .into_iter()
        .map(|quantile| {
            let limit = sorted[((sorted.len() - 1) as f64 * quantile) as usize];
            let mut classes = [Moments::default(); 2];
            for &(class, t) in samples.iter().filter(|&&(_, t)| t <= limit) {
                classes[class].push(t);
            }
            welch(&classes[0], &classes[1]).abs()
        })
        .filter(|t| t.is_finite())
        .fold(0.0, f64::max);
    (worst, samples.len())
}
