//! The ranges in which the protocol is defined.

use super::Params;
use crate::error::ParameterError;
use crate::suite::Challenge;

type Range = core::ops::RangeInclusive<u128>;

/// Columns of S and T; b l is below the upper end, so that S C fits 32-bit integers.
pub(super) const COLUMNS: Range = 1..=1 << 31;
/// Rows of S.
pub(super) const ROWS: Range = 1..=1 << 20;
/// Words of A', which is expanded whole: at most 2 GiB for any statement's header.
pub(super) const A_WORDS: Range = 1..=1 << 28;
/// Columns of C and Z.
pub(super) const REPETITIONS: Range = 1..=1024;
/// Bounds on the entries of S, signed bytes.
pub(super) const BOUND: Range = 1..=127;
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
    if range.contains(&got) { Ok(()) } else { Err(ParameterError { name, got, expected }) }
}

impl Params {
    /// These fields, if they are in range.
    ///
    /// # Errors
    /// The first field that is not.
    pub(super) fn checked(self) -> Result<Self, ParameterError> {
        self.check_ranges()?;
        Ok(self)
    }

    fn check_ranges(&self) -> Result<(), ParameterError> {
        let one_of = |name, got: u32, allowed: [u32; 2], expected| {
            if allowed.contains(&got) {
                Ok(())
            } else {
                Err(ParameterError { name, got: got.into(), expected })
            }
        };
        one_of("lambda", self.lambda, [128, 256], "128 or 256")?;
        one_of("w", self.w, [32, 64], "32 or 64")?;
        in_range("v", self.v.into(), ROWS, "1 to 2^20")?;
        let below_v = u128::from(self.v) - 1;
        in_range("r", self.r.into(), 1..=below_v, "1 to v - 1")?;
        let words = u128::from(self.r) * u128::from(self.random_columns());
        in_range("number of entries of A'", words, A_WORDS, "at most 2^28")?;
        in_range("l", self.l.into(), COLUMNS, "1 to 2^31 columns")?;
        in_range("n", self.n.into(), REPETITIONS, "1 to 1024")?;
        in_range("b", self.b.into(), BOUND, "1 to 127")?;
        let largest = u128::from(self.b) * u128::from(self.l);
        let below = 1..=COLUMNS.end() - 1;
        in_range("b * l", largest, below, "below 2^31, so that S C fits 32-bit integers")?;
        in_range("sigma", self.sigma.into(), SIGMA, "2 to 2^32 - 1")?;
        // 4 B < 2^(w - 1), that is B^2 < 2^(2 w - 6).
        in_range(
            "B^2",
            self.norm_bound_squared,
            1..=(1 << (2 * self.w - 6)) - 1,
            "below 2^(2 w - 6), that is 4 B < 2^(w-1); take a larger w, or a smaller sigma (fewer columns, smaller b)",
        )?;
        if let Challenge::Binary { norm_bound } = self.challenge {
            in_range("norm bound", norm_bound.into(), NORM_BOUND, "1 to 2^40")?;
        }
        Ok(())
    }
}
