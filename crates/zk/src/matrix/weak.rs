//! Which given A' is refused at sight: one with a row or a column of small entries, or with a
//! repeated one. A column a of small entries is a solution of SIS, (e_j, -a) of length ||a||, and
//! two equal ones are one of length sqrt 2; a row of small entries, or two equal ones, show errors.
//!
//! A uniform A' is refused with probability below 2^-128, for all dimensions (r and v - r below
//! 2^20):
//!
//! * *Small.* An entry a, centred modulo 2^w, *lacks* g bits, the largest g < w with |a| < 2^(w -
//!   g - 1), or none. Of the 2^w values fewer than 2^(w - j) lack j > 0 bits and more, so the
//!   number of bits that n uniform entries lack is at most a sum G of n geometric variables with
//!   P(g >= j) = 2^-j, of mean n. From E z^g = 1 / (2 - z) follows P(G >= y) <= z^-y (2 - z)^-n,
//!   for y > n least at z = 2 y / (n + y): ((n + y) / (2 y))^y ((n + y) / (2 n))^n. A row or column
//!   is refused if this is at most 2^-150; there are fewer than 2^21.
//! * *Repeated.* Two uniform columns of r entries are equal, or one the negative of the other, with
//!   probability 2^(1 - w r) at most, and there are fewer than 2^39 pairs. It is looked for if w r
//!   is 170 or more; of rows likewise. (Of more than two that agree in a hash of 64 bits,
//!   neighbours are compared; the hash is keyed by A'.)
//!
//! What is accepted may still be weak: whoever chooses A' may know short vectors of another kind.

use alloc::vec::Vec;

#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;
use tautochrone_gauss::float::log2;

use tautochrone_ctr::{Label, Seed};

use crate::error::{Error, MatrixProblem};

/// log2 of the probability with which a uniform row or column is called small.
const RARE: f64 = -150.0;
/// Bits of a row or column from which on no two of uniform ones are equal.
const LONG: u64 = 170;

const WEIGHTS: Label<'static> = Label::new("tautochrone-zk/2 lines of a given A'");

/// A', row after row, of entries below 2^w.
pub(super) struct Lines<'a, F> {
    pub(super) w: u32,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// The entry with this index, in this order.
    pub(super) entry: &'a F,
}

impl<F: Fn(usize) -> u64> Lines<'_, F> {
    /// # Errors
    /// [`Error::Request`] if a row or a column is small or repeated.
    pub(super) fn check(&self, key: [u8; 32]) -> Result<(), Error> {
        let seed = Seed::from_bytes(key);
        let weights = |count: usize, index| {
            let mut bytes = vec![0; 8 * count];
            seed.stream(WEIGHTS, index).fill(&mut bytes);
            let (words, _) = bytes.as_chunks::<8>();
            words.iter().map(|&word| u64::from_le_bytes(word) | 1).collect::<Vec<u64>>()
        };
        let (of_rows, of_columns) = (weights(self.columns, 0), weights(self.rows, 1));
        let mut rows = vec![Line::default(); self.rows];
        let mut columns = vec![Line::default(); self.columns];
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, column) in columns.iter_mut().enumerate() {
                let entry = self.centred(i, j);
                row.add(entry, self.w, of_rows[j]);
                column.add(entry, self.w, of_columns[i]);
            }
        }
        let weak = |line, index: usize, fault| {
            MatrixProblem::Weak { line, index: index as u64, fault }.into()
        };
        for (line, lines, len) in [("column", &columns, self.rows), ("row", &rows, self.columns)] {
            if let Some(index) = lines.iter().position(|line| is_small(len, line.lacking)) {
                return Err(weak(line, index, "has too many small entries"));
            }
        }
        if let Some(index) = self.repeated(&columns, self.rows, |i, j| self.centred(i, j)) {
            return Err(weak("column", index, "is another one, up to its sign"));
        }
        if let Some(index) = self.repeated(&rows, self.columns, |j, i| self.centred(i, j)) {
            return Err(weak("row", index, "is another one, up to its sign"));
        }
        Ok(())
    }

    /// The entry in row i and column j, from -2^(w-1) on.
    fn centred(&self, i: usize, j: usize) -> i64 {
        let unused = 64 - self.w;
        ((self.entry)(i * self.columns + j) << unused).cast_signed() >> unused
    }

    /// A line of `len` entries that is an earlier one or its negative.
    fn repeated(
        &self,
        lines: &[Line],
        len: usize,
        at: impl Fn(usize, usize) -> i64,
    ) -> Option<usize> {
        if u64::from(self.w) * (len as u64) < LONG {
            return None;
        }
        let mut sorted: Vec<(u64, usize)> = lines.iter().map(Line::hash).zip(0..).collect();
        sorted.sort_unstable();
        let same = |one: usize, other: usize| {
            let agree = |sign: i64| (0..len).all(|i| at(i, one) == at(i, other).wrapping_mul(sign));
            agree(1) || agree(-1)
        };
        let found = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        found.filter(|pair| same(pair[0].1, pair[1].1)).map(|pair| pair[1].1).min()
    }
}

/// The sums over a row or column.
#[derive(Clone, Copy, Default)]
struct Line {
    /// Bits that its entries lack in all.
    lacking: u64,
    /// Its entries, weighted, modulo 2^64.
    sum: u64,
}

impl Line {
    fn add(&mut self, entry: i64, w: u32, weight: u64) {
        let bits = u64::BITS - entry.unsigned_abs().leading_zeros();
        self.lacking += u64::from(w.saturating_sub(bits + 1));
        self.sum = self.sum.wrapping_add(entry.cast_unsigned().wrapping_mul(weight));
    }

    /// The same for a line and its negative.
    fn hash(&self) -> u64 {
        self.sum.min(self.sum.wrapping_neg())
    }
}

/// Whether so many entries lack so many bits only with probability 2^-150.
fn is_small(entries: usize, lacking: u64) -> bool {
    let (n, y) = (entries as f64, lacking as f64);
    y > n && y * log2((n + y) / (2.0 * y)) + n * log2((n + y) / (2.0 * n)) <= RARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::RequestProblem;

    const W: u32 = 29;

    fn check(rows: usize, columns: usize, entries: &[u64]) -> Result<(), (&'static str, u64)> {
        let entry = |index: usize| entries[index];
        let lines = Lines { w: W, rows, columns, entry: &entry };
        lines.check([5; 32]).map_err(|e| match e {
            Error::Request(RequestProblem::Matrix(MatrixProblem::Weak { line, index, .. })) => {
                (line, index)
            }
            other => panic!("{other}"),
        })
    }

    fn uniform(count: usize, index: u64) -> Vec<u64> {
        let mut bytes = vec![0; 8 * count];
        Seed::from_bytes([1; 32]).stream(Label::new("uniform"), index).fill(&mut bytes);
        let (words, _) = bytes.as_chunks::<8>();
        words.iter().map(|&word| u64::from_le_bytes(word) >> (64 - W)).collect()
    }

    #[test]
    fn uniform_matrices_are_accepted_of_any_shape() {
        for (index, shape) in
            [(1, 1), (1, 40), (40, 1), (2, 2), (6, 200), (90, 70)].iter().enumerate()
        {
            let (rows, columns) = *shape;
            let entries = uniform(rows * columns, index as u64);
            assert_eq!(check(rows, columns, &entries), Ok(()), "{shape:?}");
        }
        // Of so few entries any may be uniform.
        assert_eq!(check(2, 2, &[0; 4]), Ok(()));
    }

    #[test]
    fn small_and_repeated_lines_are_refused() {
        let (rows, columns) = (60, 80);
        let honest = uniform(rows * columns, 9);
        let q = 1_u64 << W;
        assert_eq!(check(rows, columns, &vec![0; rows * columns]), Err(("column", 0)));
        // All entries within 2^11, of either sign.
        let small = |bits: u32| -> Vec<u64> {
            let centre =
                |entry: &u64| (entry >> (W - bits)).wrapping_sub(1 << (bits - 1)) & (q - 1);
            honest.iter().map(centre).collect()
        };
        assert_eq!(check(rows, columns, &small(12)), Err(("column", 0)));
        let altered = |change: &dyn Fn(usize, usize) -> Option<u64>| {
            let mut entries = honest.clone();
            for (at, entry) in entries.iter_mut().enumerate() {
                *entry = change(at / columns, at % columns).unwrap_or(*entry);
            }
            check(rows, columns, &entries)
        };
        let at = |i: usize, j: usize| honest[i * columns + j];
        assert_eq!(altered(&|_, j| (j == 7).then_some(3)), Err(("column", 7)));
        // Half of a column, and a row that is larger by far than its smallest entries.
        assert_eq!(altered(&|i, j| (j == 7 && i % 2 == 0).then_some(0)), Err(("column", 7)));
        assert_eq!(altered(&|i, j| (i == 5 && j > 30).then_some(q - 9)), Err(("row", 5)));
        assert_eq!(altered(&|i, j| (j == 70).then(|| at(i, 3))), Err(("column", 70)));
        assert_eq!(altered(&|i, j| (j == 70).then(|| q - at(i, 3))), Err(("column", 70)));
        assert_eq!(altered(&|i, j| (i == 41).then(|| at(2, j))), Err(("row", 41)));
        assert_eq!(altered(&|i, j| (i == 41).then(|| q - at(2, j))), Err(("row", 41)));
        // But for one entry.
        assert_eq!(altered(&|i, j| (j == 70 && i > 0).then(|| at(i, 3))), Ok(()));
    }

    /// The tail bound at the threshold, and on either side of it.
    #[test]
    fn the_threshold_is_that_of_the_derivation() {
        for (entries, first) in [(8_usize, 191_u64), (40, 285), (800, 1484)] {
            assert!(is_small(entries, first) && !is_small(entries, first - 1), "{entries}");
        }
        assert!(!is_small(1, 29) && !is_small(800, 800) && !is_small(800, 0));
    }
}
