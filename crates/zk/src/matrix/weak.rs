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
//!   is 170 or more; of rows likewise, by a hash of the line or its negative modulo 2^w.
//!
//! What is accepted may still be weak: whoever chooses A' may know short vectors of another kind.

use alloc::vec::Vec;

#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;
use tautochrone_gauss::float::log2;

use crate::error::{Error, MatrixProblem};

/// log2 of the probability with which a uniform row or column is called small.
const RARE: f64 = -150.0;
/// Bits of a row or column from which on no two of uniform ones are equal.
const LONG: u64 = 170;

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
    pub(super) fn check(&self) -> Result<(), Error> {
        let (mut rows, mut columns) = (vec![0; self.rows], vec![0; self.columns]);
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, column) in columns.iter_mut().enumerate() {
                let lacking = self.lacking(i, j);
                *row += lacking;
                *column += lacking;
            }
        }
        let weak = |line, index: usize, fault| {
            MatrixProblem::Weak { line, index: index as u64, fault }.into()
        };
        for (line, lacking, len) in [("column", columns, self.rows), ("row", rows, self.columns)] {
            if let Some(index) = lacking.iter().position(|&lacking| is_small(len, lacking)) {
                return Err(weak(line, index, "has too many small entries"));
            }
        }
        if let Some(index) = self.repeated(self.columns, self.rows, |j, i| self.top(i, j)) {
            return Err(weak("column", index, "is another one, up to its sign"));
        }
        if let Some(index) = self.repeated(self.rows, self.columns, |i, j| self.top(i, j)) {
            return Err(weak("row", index, "is another one, up to its sign"));
        }
        Ok(())
    }

    /// 2^(64-w) times the entry in row i and column j: modulo 2^64 what that is modulo 2^w.
    fn top(&self, i: usize, j: usize) -> u64 {
        (self.entry)(i * self.columns + j) << (64 - self.w)
    }

    /// Bits that the entry lacks.
    fn lacking(&self, i: usize, j: usize) -> u64 {
        let centred = self.top(i, j).cast_signed() >> (64 - self.w);
        let bits = u64::BITS - centred.unsigned_abs().leading_zeros();
        self.w.saturating_sub(bits + 1).into()
    }

    /// The first of `count` lines of `len` entries that is an earlier one or its negative.
    fn repeated(
        &self,
        count: usize,
        len: usize,
        at: impl Fn(usize, usize) -> u64,
    ) -> Option<usize> {
        if u64::from(self.w) * (len as u64) < LONG {
            return None;
        }
        let hash = |line| {
            // The sign for which the first entry that is not its own negative is below q/2.
            let entries = (0..len).map(|i| at(line, i));
            let first = entries.clone().find(|&entry| entry != entry.wrapping_neg());
            let negative = first.is_some_and(|entry| entry > entry.wrapping_neg());
            let sign = if negative { u64::MAX } else { 1 };
            let mut hasher = blake3::Hasher::new();
            for entry in entries {
                hasher.update(&entry.wrapping_mul(sign).to_le_bytes());
            }
            *hasher.finalize().as_bytes()
        };
        let mut sorted: Vec<_> = (0..count).map(|line| (hash(line), line)).collect();
        sorted.sort_unstable();
        let found = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        found.map(|pair| pair[1].1).min()
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
        check_words(W, rows, columns, entries)
    }

    fn check_words(
        w: u32,
        rows: usize,
        columns: usize,
        entries: &[u64],
    ) -> Result<(), (&'static str, u64)> {
        let entry = |index: usize| entries[index];
        Lines { w, rows, columns, entry: &entry }.check().map_err(|e| match e {
            Error::Request(RequestProblem::Matrix(MatrixProblem::Weak { line, index, .. })) => {
                (line, index)
            }
            other => panic!("{other}"),
        })
    }

    fn uniform(count: usize, index: u64) -> Vec<u64> {
        use tautochrone_ctr::{Label, Seed};

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
        // q/2 is its own negative, first in a line or later.
        for row in [0, 3] {
            let half = |i: usize, j: usize| if i == row { q / 2 } else { at(i, j) };
            let change = |i: usize, j: usize| match j {
                3 => Some(half(i, 3)),
                70 => Some((q - half(i, 3)) % q),
                _ => None,
            };
            assert_eq!(altered(&change), Err(("column", 70)));
        }
        // Of three lines one differs in the highest bits of words of 64 bits, of which a sum with
        // odd weights sees nothing.
        let mut words: Vec<u64> = honest.iter().map(|&entry| entry << 35 | entry).collect();
        for i in 0..rows {
            let entry = words[i * columns + 3];
            words[i * columns + 70] = entry;
            words[i * columns + 40] = if i < 2 { entry ^ 1 << 63 } else { entry };
        }
        assert_eq!(check_words(64, rows, columns, &words), Err(("column", 70)));
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
