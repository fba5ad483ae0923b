//! A histogram for the terminal: bars of the samples, a mark where the ideal law says they should end.

use std::collections::BTreeMap;

/// Rows at most; wider ranges are grouped.
const ROWS: u64 = 32;
/// Characters of the longest bar.
const WIDTH: f64 = 60.0;

/// Counts of the values seen.
#[derive(Debug, Default)]
pub(crate) struct Histogram(BTreeMap<i64, u64>);

impl Histogram {
    pub(crate) fn add(&mut self, samples: &[i64]) {
        for &z in samples {
            *self.0.entry(z).or_default() += 1;
        }
    }

    /// One line a row: the smallest value of the row, its share, a bar; `|` marks the ideal share, by `weight` up to a
    /// factor.
    pub(crate) fn lines(&self, weight: impl Fn(i64) -> Option<f64>) -> Vec<String> {
        let (Some((&least, _)), Some((&most, _))) =
            (self.0.first_key_value(), self.0.last_key_value())
        else {
            return Vec::new();
        };
        let span = (most.abs_diff(least) + 1).div_ceil(ROWS);
        let row = |z: i64| (z.abs_diff(least) / span) as usize;
        let mut counts = vec![0_u64; row(most) + 1];
        for (&z, &count) in &self.0 {
            counts[row(z)] += count;
        }
        // The weight in the middle of a row stands for all of it: rows are narrow against sigma, or single values.
        let ideal: Option<Vec<f64>> = (0..counts.len() as i64)
            .map(|i| {
                let first = least.saturating_add(i * span as i64);
                if span == 1 {
                    weight(first)
                } else {
                    weight(first.saturating_add(span as i64 / 2))
                }
            })
            .collect();
        let ideal = ideal.unwrap_or_else(|| vec![1.0; counts.len()]);
        let all: u64 = counts.iter().sum();
        let whole: f64 = ideal.iter().sum();
        let share = |count: u64| count as f64 / all as f64;
        let top = counts.iter().map(|&c| share(c)).chain(ideal.iter().map(|w| w / whole));
        let top = top.fold(f64::MIN_POSITIVE, f64::max);
        (0..)
            .zip(counts.iter().zip(&ideal))
            .map(|(i, (&count, ideal))| {
                let column = |share: f64| (share / top * WIDTH).round() as usize;
                let (bar, mark) = (column(share(count)), column(ideal / whole));
                let mut bar: Vec<char> = "#".repeat(bar).chars().collect();
                bar.resize(bar.len().max(mark + 1), ' ');
                bar[mark] = '|';
                let first = least.saturating_add(i * span as i64);
                let bar: String = bar.into_iter().collect();
                format!("{first:>12} {:>8.5}  {bar}", share(count)).trim_end().to_owned()
            })
            .collect()
    }
}
