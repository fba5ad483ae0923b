//! [`RowGroup`]: rows of S that are distributed alike, and how long S is because of them.

#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

/// Bound on a digit of a pad beside small entries. Digits beyond 2 would need more of sigma, and
/// products by multiplications where small entries are looked up; digits in {-1, 0, 1} would be 39
/// a residue.
pub const PAD_BOUND: u32 = 2;
/// Rows of such a pad, an element of K: three times the 27 digits of an element of F to the base 5.
pub const PAD_ROWS: u32 = 81;
/// Bound on a digit where all messages are elements of F, eight digits each.
pub const DIGIT_BOUND: u32 = 99;
/// The same over the field of 2^64 - 2^32 + 1 elements, of nine digits each.
pub const GOLDILOCKS_DIGIT_BOUND: u32 = 69;

/// Groups that the rows of S may be divided into.
pub const MAX_GROUPS: usize = 4;

/// How the entries of some rows of an honest witness are distributed, as far as sigma and the
/// estimate of hiding rely on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Distribution {
    /// Uniform in [-b, b].
    Uniform,
    /// Messages: values that somebody chose. They hide nothing.
    Any,
    /// The discrete Gaussian of standard deviation `micros` / 10^6, cut off at b.
    Gaussian {
        /// The standard deviation in millionths: 3 200 000 for 3.2.
        micros: u64,
    },
}

/// Consecutive rows of S with one bound and one distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RowGroup {
    /// How many rows.
    pub rows: u32,
    /// b: the prover's bound on the absolute value of an entry.
    pub bound: u32,
    /// Their distribution.
    pub distribution: Distribution,
}

impl RowGroup {
    /// Rows of entries uniform in [-b, b].
    #[doc(hidden)]
    pub const fn uniform(rows: u32, bound: u32) -> Self {
        Self { rows, bound, distribution: Distribution::Uniform }
    }

    /// Mean and variance of a squared entry; b^2 and 0 where nothing is known but the bound.
    ///
    /// Uniform: E s^2 = b (b + 1) / 3 and E s^4 = b (b + 1) (3 b^2 + 3 b - 1) / 15. Gaussian: s^2
    /// and 3 s^4, which the discrete distribution's moments do not exceed by more than rounding
    /// where s >= 1, and which the bound only makes smaller.
    fn square_moments(&self) -> (f64, f64) {
        let b = f64::from(self.bound);
        match self.distribution {
            Distribution::Uniform => {
                let mean = b * (b + 1.0) / 3.0;
                let fourth = b * (b + 1.0) * (3.0 * b * b + 3.0 * b - 1.0) / 15.0;
                (mean, fourth - mean * mean)
            }
            Distribution::Any => (b * b, 0.0),
            Distribution::Gaussian { micros } => {
                let s = micros as f64 / 1e6;
                (s * s, 2.0 * s * s * s * s)
            }
        }
    }
}

/// All rows of S, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowGroups {
    groups: [RowGroup; MAX_GROUPS],
    count: usize,
}

impl RowGroups {
    /// `None` if they are none or too many.
    pub fn new(list: &[RowGroup]) -> Option<Self> {
        let mut groups = [RowGroup::uniform(0, 0); MAX_GROUPS];
        groups.get_mut(..list.len()).filter(|_| !list.is_empty())?.copy_from_slice(list);
        Some(Self { groups, count: list.len() })
    }

    /// From the first to the last.
    pub fn as_slice(&self) -> &[RowGroup] {
        &self.groups[..self.count]
    }

    /// All but the last group: with mixed masks, the groups of messages. `None` if there is one
    /// alone.
    pub fn but_last(&self) -> Option<Self> {
        Self::new(&self.as_slice()[..self.count - 1])
    }

    /// The last group.
    pub fn last(&self) -> RowGroup {
        self.groups[self.count - 1]
    }

    /// The standard deviation of the last group, in millionths, if it is of Gaussians; else 0.
    pub fn micros(&self) -> u64 {
        match self.last().distribution {
            Distribution::Gaussian { micros } => micros,
            _ => 0,
        }
    }

    /// The groups of the rows from `first` on, below `end`, with as many rows as lie between.
    pub fn between(&self, first: u32, end: u32) -> impl Iterator<Item = RowGroup> + '_ {
        let mut start = 0_u32;
        self.as_slice().iter().filter_map(move |group| {
            let from = start.max(first);
            start = start.saturating_add(group.rows);
            let rows = start.min(end).checked_sub(from).filter(|&rows| rows > 0)?;
            Some(RowGroup { rows, ..*group })
        })
    }

    /// The largest bound.
    pub fn bound(&self) -> u32 {
        self.as_slice().iter().map(|group| group.bound).max().unwrap_or(0)
    }

    /// F^2: a bound on `||S||_F^2` for l columns that honest witnesses exceed with probability
    /// below 2^-40 where v l >= 10^4, and that does not depend on the witness: ceil(sum of rows l
    /// m_2 + 8 sqrt(sum of rows l m_v)), m_2 and m_v are the mean and the variance of a squared
    /// entry under the rows' distribution. A sum of independent bounded terms is that close to its
    /// mean by Bernstein's inequality. Rows with nothing but a bound enter with b^2.
    pub fn frobenius_squared(&self, l: u64) -> u128 {
        let (mean, deviation) = self.squares(l);
        (mean + 8.0 * deviation).ceil() as u128
    }

    /// What honest witnesses fall below as rarely: floor(sum of rows l m_2 - 8 sqrt(sum of rows l
    /// m_v)), at least 0.
    pub fn least_frobenius_squared(&self, l: u64) -> u128 {
        let (mean, deviation) = self.squares(l);
        (mean - 8.0 * deviation).floor() as u128
    }

    /// The mean of `||S||_F^2`, and its standard deviation.
    fn squares(&self, l: u64) -> (f64, f64) {
        let (mut mean, mut variance) = (0.0, 0.0);
        for group in self.as_slice() {
            let entries = f64::from(group.rows) * l as f64;
            let (m2, mv) = group.square_moments();
            mean += entries * m2;
            variance += entries * mv;
        }
        (mean, variance.sqrt())
    }

    /// sum of rows b^2 l: the largest `||S||_F^2` within the bounds.
    pub fn largest_frobenius_squared(&self, l: u64) -> u128 {
        self.column_squared().saturating_mul(l.into())
    }

    /// sum of rows b^2: a bound on the squared norm of a column.
    pub fn column_squared(&self) -> u128 {
        let of_group = |group: &RowGroup| u128::from(group.rows) * u128::from(group.bound).pow(2);
        self.as_slice().iter().map(of_group).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups add up; where only the bound is known, every entry may be as large.
    #[test]
    fn groups_enter_as_what_they_are() {
        let gaussian = Distribution::Gaussian { micros: 3_200_000 };
        let message = RowGroup { rows: 10, bound: 100, distribution: Distribution::Any };
        let errors = RowGroup { rows: 1000, bound: 32, distribution: gaussian };
        let groups = RowGroups::new(&[message, RowGroup::uniform(20, 1), errors]).unwrap();
        assert_eq!((groups.bound(), groups.column_squared()), (100, 100_020 + 1000 * 1024));
        let l = 4000.0;
        let uniform = (20.0 * l * 2.0 / 3.0, 20.0 * l * 2.0 / 9.0);
        let squares = (1000.0 * l * 10.24, 1000.0 * l * 2.0 * 10.24 * 10.24);
        let expected =
            10.0 * l * 1e4 + uniform.0 + squares.0 + 8.0 * f64::sqrt(uniform.1 + squares.1);
        assert!((groups.frobenius_squared(4000) as f64 - expected).abs() < 2.0);
        let rows = |first, end| -> Vec<_> {
            groups.between(first, end).map(|group| (group.rows, group.bound)).collect()
        };
        assert_eq!(rows(0, 1030), [(10, 100), (20, 1), (1000, 32)]);
        assert_eq!(rows(5, 12), [(5, 100), (2, 1)]);
        assert_eq!(rows(30, 30), []);
        assert_eq!(rows(29, 5000), [(1, 1), (1000, 32)]);
    }

    #[test]
    fn there_is_a_group_and_not_too_many() {
        assert_eq!(RowGroups::new(&[]), None);
        assert!(RowGroups::new(&[RowGroup::uniform(1, 1); MAX_GROUPS]).is_some());
        assert_eq!(RowGroups::new(&[RowGroup::uniform(1, 1); MAX_GROUPS + 1]), None);
    }
}
