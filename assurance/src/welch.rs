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

/// The result of a test of two classes.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The largest |t| over crops of the slow tail (interrupts).
    pub largest_t: f64,
    /// How often, of permutations of the classes within blocks, the difference is at least as large
    /// as it was. A class that is slower in every block makes this tiny; a machine that is slower
    /// for a while, and so in both classes, does not, however large |t| is.
    pub permuted: f64,
    /// Measurements.
    pub count: usize,
}

/// Permutations of a test: the smallest value of [`Outcome::permuted`] is a thousandth.
const PERMUTATIONS: usize = 999;
/// Measurements that are prepared, and then taken, at a time; a block of the permutation test.
const BLOCK: usize = 64;

/// Measures random secrets of two classes, one of which is all zeros.
pub fn test(
    time: Duration,
    random: &mut Stream,
    mut measure: impl FnMut(&[u64; 64]) -> Duration,
) -> Outcome {
    let mut samples = Vec::new();
    let start = Instant::now();
    while start.elapsed() < time {
        // A batch is prepared before any of it is measured, and by selection, so that neither a
        // mispredicted branch nor a store in flight tells the classes apart.
        let mut batch = [([0; 64], 0); BLOCK];
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
    let permuted = permuted(&samples, random);
    let mut sorted: Vec<f64> = samples.iter().map(|&(_, t)| t).collect();
    sorted.sort_by(f64::total_cmp);
    let largest_t = [0.5, 0.8, 0.95, 1.0]
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
    Outcome { largest_t, permuted, count: samples.len() }
}

/// The permutation test: within a block the medians of the classes change places or not, by a coin
/// (Fisher's randomisation test of matched pairs).
fn permuted(samples: &[(usize, f64)], random: &mut Stream) -> f64 {
    let median = |block: &[(usize, f64)], class| {
        let mut times: Vec<f64> =
            block.iter().filter(|&&(c, _)| c == class).map(|&(_, t)| t).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    let differences: Vec<f64> = samples
        .chunks(BLOCK)
        .filter_map(|block| Some(median(block, 0)? - median(block, 1)?))
        .collect();
    let found = differences.iter().sum::<f64>().abs();
    let mut coins = vec![0; differences.len().div_ceil(64)];
    let as_large = (0..PERMUTATIONS)
        .filter(|_| {
            random.fill_u64(&mut coins);
            let flipped = differences.iter().enumerate().map(|(i, difference)| {
                if coins[i / 64] >> (i % 64) & 1 == 1 { -difference } else { *difference }
            });
            flipped.sum::<f64>().abs() >= found
        })
        .count();
    (as_large + 1) as f64 / (PERMUTATIONS + 1) as f64
}

#[cfg(test)]
mod tests {
    use tautochrone_ctr::{Label, Seed};

    use super::*;

    /// Times of two classes, of which one is slower by `delay`, on a machine that is twice as slow
    /// for one half of the time.
    fn times(delay: f64, random: &mut Stream) -> Vec<(usize, f64)> {
        let mut words = vec![0; 6400];
        random.fill_u64(&mut words);
        let time = |(i, word): (usize, &u64)| {
            let class = (word & 1) as usize;
            let noise = (word >> 32) as f64 / (1_u64 << 32) as f64;
            let machine = if i > 3200 { 200.0 } else { 100.0 };
            (class, machine + 10.0 * noise + delay * class as f64)
        };
        words.iter().enumerate().map(time).collect()
    }

    #[test]
    fn permutations_tell_a_slow_class_from_a_slow_machine() {
        let mut random = Seed::from_bytes([3; 32]).stream(Label::new("welch"), 0);
        let slow = times(3.0, &mut random);
        assert!(permuted(&slow, &mut random) < 0.01);
        let alike = times(0.0, &mut random);
        assert!(permuted(&alike, &mut random) > 0.01);
    }
}
