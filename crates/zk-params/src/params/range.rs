//! The ranges in which the protocol is defined.

use super::Params;
use crate::error::ParameterError;
use crate::rows::Distribution;
use crate::suite::{Challenge, Masks};

type Range = core::ops::RangeInclusive<u128>;

/// Columns of S and T; b l is below the upper end, so that S C fits 32-bit integers.
pub(super) const COLUMNS: Range = 1..=1 << 31;
/// Rows of S.
pub(super) const ROWS: Range = 1..=1 << 20;
/// Words of A', which is expanded whole: at most 2 GiB for any statement's header.
pub(super) const A_WORDS: Range = 1..=1 << 28;
/// Columns of C and Z.
pub(super) const REPETITIONS: Range = 1..=1024;
/// Bounds on the entries of S.
pub(super) const BOUND: Range = 1..=1 << 20;
/// Bounds on the entries of S where its operator norm is certified, of signed bytes.
const BINARY_BOUND: Range = 1..=127;
/// The widths that the sampler draws from.
pub(super) const SIGMA: Range = 2..=(1 << 32) - 1;
/// Bounds on the largest singular value of S.
pub(super) const NORM_BOUND: Range = 1..=1 << 40;

pub(super) fn in_range(
    name: &'static str,
    got: u128,
    range: Range,
    expected: &'static str,
) -> Result<(), ParameterError> {
    ParameterError::unless(range.contains(&got), name, got, expected)
}

impl Params {
    /// These fields, if they are in range.
    ///
    /// # Errors
    /// The first field that is not.
    pub(super) fn checked(mut self) -> Result<Self, ParameterError> {
        let known = [128, 256].contains(&self.lambda);
        ParameterError::unless(known, "lambda", self.lambda, "128 or 256")?;
        let (least, expected) = match self.masks {
            Masks::Wide => (25, "25 to 64"),
            _ => (17, "17 to 64"),
        };
        in_range("w", self.w.into(), least..=64, expected)?;
        in_range("v", self.v.into(), ROWS, "1 to 2^20")?;
        let below_v = u128::from(self.v) - 1;
        in_range("r", self.r.into(), 1..=below_v, "1 to v - 1")?;
        let words = u128::from(self.r) * u128::from(self.z_rows());
        in_range("number of entries of A'", words, A_WORDS, "at most 2^28")?;
        in_range("l", self.l.into(), COLUMNS, "1 to 2^31 columns")?;
        in_range("n", self.n.into(), REPETITIONS, "1 to 1024")?;
        self.check_groups()?;
        self.wide = self.message_masks();
        let largest = u128::from(self.b()) * u128::from(self.l);
        let below = 1..=COLUMNS.end() - 1;
        in_range("b * l", largest, below, "below 2^31, so that S C fits 32-bit integers")?;
        in_range("sigma", self.sigma.into(), SIGMA, "2 to 2^32 - 1")?;
        self.check_rounding()?;
        // 4 B < 2^(w - 1), that is B^2 < 2^(2 w - 6).
        in_range(
            "B^2",
            self.norm_bound_squared,
            1..=(1 << (2 * self.w - 6)) - 1,
            "below 2^(2 w - 6), that is 4 B < 2^(w-1); take a larger w, or a smaller sigma (fewer columns, smaller b)",
        )?;
        if let Challenge::Binary { norm_bound } = self.challenge {
            in_range("norm bound", norm_bound.into(), NORM_BOUND, "1 to 2^40")?;
            in_range("b", self.b().into(), BINARY_BOUND, "1 to 127 with binary challenges")?;
            // Else T_0 C, a part of E, would have a mean.
            in_range("round_t", self.round_t.into(), 0..=0, "0 with binary challenges")?;
        }
        self.check_narrow()?;
        Ok(self)
    }

    /// That the groups of rows are all rows, with bounds that fit an entry.
    pub(super) fn check_groups(&self) -> Result<(), ParameterError> {
        let groups = self.row_groups();
        let rows: u128 = groups.iter().map(|group| u128::from(group.rows)).sum();
        let v = u128::from(self.v);
        in_range("rows of the groups", rows, v..=v, "v, the rows of S")?;
        let mut row = 0;
        for group in groups {
            in_range("rows of a group", group.rows.into(), ROWS, "1 to v")?;
            in_range("b", group.bound.into(), BOUND, "1 to 2^20")?;
            row += u128::from(group.rows);
            if group.distribution == Distribution::Any {
                let above = 0..=u128::from(self.v - self.r);
                in_range("rows of messages", row, above, "rows that A' is multiplied with")?;
            }
            if let Distribution::Gaussian { micros } = group.distribution {
                let most = 1_000_000 * u128::from(group.bound);
                let expected = "at least 2 and at most b, in millionths";
                in_range("standard deviation", micros.into(), 2_000_000..=most, expected)?;
            }
        }
        Ok(())
    }

    /// The numbers of rounded-off bits, and F^2.
    fn check_rounding(&self) -> Result<(), ParameterError> {
        let (w, d) = (u128::from(self.w), self.round_w);
        // (|h| + 1/2) 2^d < q / 2 for the largest hint, 20.
        in_range("round_w", d.into(), 1..=w - 6, "1 to w - 6")?;
        // 2^d <= 4 sigma: more would leave too little entropy to an entry of W.
        let most = 4 * u128::from(self.sigma);
        in_range("2^round_w", 1 << d, 1..=most, "at most 4 sigma")?;
        in_range("round_t", self.round_t.into(), 0..=w - 2, "0 to w - 2")?;
        let most = if self.round_t == 0 { 1 } else { 127 };
        let expected = "1 to 127, and 1 where T is not rounded";
        in_range("residual_weight", self.residual_weight.into(), 1..=most, expected)?;
        in_range("F^2", self.frobenius_squared, 1..=1 << 80, "1 to 2^80")?;
        // The honest opening of a column, rounding included, is an opening.
        let weight = u128::from(self.residual_weight);
        let residual = (weight << self.round_t) >> 1;
        let mixed = self.wide.rows > 0;
        let messages = self.groups.but_last().filter(|_| mixed);
        let messages = messages.map_or(0, |groups| groups.column_squared());
        let opening = residual
            .checked_mul(residual)
            .and_then(|square| square.checked_mul(self.r.into()))
            .and_then(|squares| squares.checked_add(self.groups.column_squared() - messages));
        let most = |squared: u128| 4 * squared.min(1 << 124);
        let expected = "small enough that columns open within 2 B";
        let fits = messages <= most(self.wide.norm_bound_squared);
        let fits = fits && opening.is_some_and(|opening| opening <= most(self.norm_bound_squared));
        ParameterError::unless(fits, "round_t", self.round_t, expected)
    }
}
