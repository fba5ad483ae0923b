//! Numbers of small entries, and tables of what they add.
#![expect(
    clippy::integer_division_remainder_used,
    reason = "the bound is public, and tables of all indices are made"
)]

use alloc::vec;
use alloc::vec::Vec;

use crate::ternary::row::Line;

/// Terms of a number: the tables of four are 10 KiB, of five 31 KiB, all of a first-level cache.
pub(super) const MAX_TERMS: usize = 4;
/// Rows of a line.
pub(super) const LANES: usize = 64;
/// As many as a byte names, so that an index needs no comparison: 3^4 at most are in use.
pub(super) const TABLES: usize = 1 << 8;
/// Bytes of a table.
const NUMBERS: usize = 2 * LANES;

/// 64 bytes.
pub(super) type Bytes = Line<u8, LANES>;

/// The summand of each number, a byte each.
pub(super) type Table = [Bytes; 2];

/// How many entries of at most `bound` make a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digits {
    bound: u8,
    terms: usize,
}

impl Digits {
    /// As many terms, up to `MAX_TERMS`, as give no more numbers than a table has bytes; `bound` is
    /// at most 63.
    pub(super) const fn new(bound: u8) -> Self {
        let base = 2 * bound as usize + 1;
        let (mut terms, mut numbers) = (1, base);
        while terms < MAX_TERMS && numbers * base <= NUMBERS {
            terms += 1;
            numbers *= base;
        }
        Self { bound, terms }
    }

    /// The largest |x|.
    pub(super) const fn bound(self) -> u8 {
        self.bound
    }

    /// Entries that make a number.
    pub(super) const fn terms(self) -> usize {
        self.terms
    }

    const fn base(self) -> usize {
        2 * self.bound as usize + 1
    }

    /// The number of zeros only.
    pub(super) fn middle(self) -> Bytes {
        Line([(self.base().pow(self.terms as u32) / 2) as u8; LANES])
    }

    /// Look-ups whose sum is certain to fit a signed byte.
    pub(super) fn max_byte_lookups(self) -> usize {
        i8::MAX as usize / (self.terms * usize::from(self.bound.max(1)))
    }

    /// The table of `index`, a number of `terms` digits in base three: byte sum_i (x_i + b) (2 b +
    /// 1)^i is sum_i x_i (index_i - 1).
    fn table(self, index: usize) -> Table {
        let mut sums = [0_i8; NUMBERS];
        let (mut known, mut rest) = (1, index);
        for _ in 0..self.terms {
            let y = (rest % 3) as i8 - 1;
            // From the last digit's block to the first, from which the others are made.
            for digit in (0..self.base()).rev() {
                let product = (digit as i8 - self.bound as i8) * y;
                for number in 0..known {
                    sums[digit * known + number] = sums[number] + product;
                }
            }
            known *= self.base();
            rest /= 3;
        }
        let (low, high) = sums.split_at(LANES);
        [low, high].map(|half| Line(core::array::from_fn(|i| half[i].cast_unsigned())))
    }

    /// The tables of all indices.
    pub(super) fn tables(self) -> Vec<Table> {
        let mut tables = vec![[Line::zero(); 2]; TABLES];
        for (index, table) in tables.iter_mut().enumerate().take(3_usize.pow(self.terms as u32)) {
            *table = self.table(index);
        }
        tables
    }
}
