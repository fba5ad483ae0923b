//! A histogram and its drawing for the terminal: bars of the samples, a mark where the ideal
//! distribution says they should end.

use std::collections::BTreeMap;

/// Rows at most; wider ranges are grouped.
const ROWS: u64 = 32;
/// Characters of the longest bar.
const WIDTH: f64 = 60.0;

/// Counts of the values seen.
#[derive(Debug, Default)]
pub(crate) struct Histogram(BTreeMap<i64, u64>);

/// Some consecutive values: the smallest, their share of the samples, and what it should be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub first: i64,
    pub share: f64,
    pub ideal: f64,
}

impl Histogram {
    pub(crate) fn add(&mut self, samples: &[i64]) {
        for &z in samples {
            *self.0.entry(z).or_default() += 1;
        }
    }

    /// How many values each of the rows has.
    pub(crate) fn span(&self) -> u64 {
        self.range().map_or(1, |(least, most)| (most.abs_diff(least) + 1).div_ceil(ROWS))
    }

    /// The smallest and the largest value.
    fn range(&self) -> Option<(i64, i64)> {
        Some((*self.0.first_key_value()?.0, *self.0.last_key_value()?.0))
    }

    /// Rows of equally many values; `weight` is the ideal distribution up to a factor, `None` for a
    /// uniform one.
    pub(crate) fn rows(&self, weight: impl Fn(i64) -> Option<f64>) -> Vec<Row> {
        let Some((least, most)) = self.range() else { return Vec::new() };
        let span = self.span();
        let row = |z: i64| (z.abs_diff(least) / span) as usize;
        let mut rows: Vec<Row> = (0..=row(most) as i64)
            .map(|i| {
                let first = least.saturating_add(i * span as i64);
                // The weight in the middle of a row stands for all of it: rows are narrow against
                // sigma, or one value.
                let middle = first.saturating_add(span as i64 / 2);
                Row { first, share: 0.0, ideal: weight(middle).unwrap_or(1.0) }
            })
            .collect();
        let all: u64 = self.0.values().sum();
        for (&z, &count) in &self.0 {
            rows[row(z)].share += count as f64 / all as f64;
        }
        let whole: f64 = rows.iter().map(|row| row.ideal).sum();
        for row in &mut rows {
            row.ideal /= whole;
        }
        rows
    }
}

/// The largest share or ideal.
pub(crate) fn top(rows: &[Row]) -> f64 {
    rows.iter().flat_map(|row| [row.share, row.ideal]).fold(f64::MIN_POSITIVE, f64::max)
}

/// One line a row: the smallest value, the share, a bar; `|` marks the ideal share.
pub(crate) fn lines(rows: &[Row]) -> impl Iterator<Item = String> {
    let top = top(rows);
    rows.iter().map(move |row| {
        let column = |share: f64| (share / top * WIDTH).round() as usize;
        let mut bar: Vec<char> = "#".repeat(column(row.share)).chars().collect();
        let mark = column(row.ideal);
        bar.resize(bar.len().max(mark + 1), ' ');
        bar[mark] = '|';
        let bar: String = bar.into_iter().collect();
        format!("{:>12} {:>8.5}  {bar}", row.first, row.share).trim_end().to_owned()
    })
}
