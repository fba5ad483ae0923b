//! Which tiles are multiplied, and in which order: public, and the same for every step of a block.
//!
//! There are four tiles of sums, one for digits of columns of Y and three for digits of rows of X.
//! A tile that is loaded should serve several products, and all sums of an entry should be formed
//! at about the same time, so that they are joined once:
//!
//! | digits of X, of Y | sums at a time | loads for products |
//! |---|---|---|
//! | 1, 1 | one weight of 32 columns by 32 rows | 4 for 4 |
//! | l, 1 | two weights of 32 columns by 16 rows | 4 for 4 |
//! | 1, l | two weights of 16 columns by 32 rows | 4 for 4 |
//! | 2, 2 modulo 2^16 | two weights of 16 columns by 32 rows | 6 for 6 |
//! | else | four weights of 16 columns by 16 rows | for 4, 4 digits 8 for 10; for 8, 8 24 for 36 |

/// Bytes of a tile: 16 rows of 64 bytes.
pub(crate) const TILE: usize = 1024;
/// Cells of a tile, of four bytes.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
pub(super) const CELLS: usize = TILE / 4;
/// Digits of every line that a tile holds.
pub(crate) const STEP: usize = 64;
/// Lines of a tile.
pub(crate) const LINES: usize = 16;
/// Tiles of sums.
pub(super) const SUMS: usize = 4;

/// How the sums of a group of panels are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One weight: 2 panels of Y by 2 of X.
    Single,
    /// Y has one digit: 2 panels of Y by one of X.
    NarrowY,
    /// X has one digit: one panel of Y by 2 of X.
    NarrowX,
    /// Two digits each, two weights: one panel of Y by 2 of X.
    Double,
    /// Windows of four weights: one panel by one.
    Windows,
}

impl Form {
    /// For so many digits of X and Y and weights of products.
    pub(crate) fn new((x, y): (usize, usize), weights: usize) -> Self {
        match (x, y) {
            _ if weights == 1 => Self::Single,
            (_, 1) => Self::NarrowY,
            (1, _) => Self::NarrowX,
            (2, 2) if weights == 2 => Self::Double,
            _ => Self::Windows,
        }
    }

    /// Panels of X and Y in a group.
    pub(crate) const fn panels(self) -> (usize, usize) {
        match self {
            Self::Single => (2, 2),
            Self::NarrowY => (1, 2),
            Self::NarrowX | Self::Double => (2, 1),
            Self::Windows => (1, 1),
        }
    }
}

/// The steps at one digit of Y: bits of [`Entry::what`]. A window of sums has weights F .. F + 4;
/// entry `i` multiplies digit i of Y by digits F + 3 - i, .., F - i of X, which lie in three
/// registers: each digit of X is loaded into the register of the one that is needed last for
/// smaller i.
pub(super) mod what {
    /// Load digit i of Y.
    pub(crate) const LOAD_Y: u32 = 1;
    /// Load digit F - i of X, after the product with F + 3 - i.
    pub(crate) const LOAD_X: u32 = 2;
    /// Add the product of weight F + c to sum c.
    pub(crate) const fn product(c: usize) -> u32 {
        4 << c
    }
    /// The step ends.
    pub(crate) const LAST: u32 = 64;
}

/// A part of a step of a window of weights.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Entry {
    /// Bytes from the start of the step to the digit of Y.
    pub(super) y: u32,
    /// Bytes from the start of the step to the digit of X.
    pub(super) x: u32,
    pub(super) what: u32,
    pub(super) unused: u32,
}

/// The entries of a step of a window: at most three that load X, and eight for digits of Y.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    entries: [Entry; Self::MAX],
    len: usize,
}

impl Window {
    const MAX: usize = 11;

    /// For weights `first ..= last`, at most four, of products of `x` and `y` digits. Sums are
    /// aligned to the end: weight `last` is sum 3.
    pub(super) fn new((x, y): (usize, usize), first: usize, last: usize) -> Self {
        debug_assert!(first <= last && last < first + SUMS, "weights of a window");
        let (x, y, last) = (x as isize, y as isize, last as isize);
        let lowest = SUMS as isize - 1 - (last - first as isize);
        // The digit of X at sum c of entry i.
        let digit = |i: isize, c: isize| last - 3 + c - i;
        let used = |i: isize, c: isize| {
            (0..y).contains(&i) && c >= lowest && (0..x).contains(&digit(i, c))
        };
        let mut window = Self { entries: [Entry::default(); Self::MAX], len: 0 };
        for i in -3..y {
            let mut entry = Entry::default();
            for c in 0..SUMS {
                if used(i, c as isize) {
                    entry.what |= what::product(c) | what::LOAD_Y;
                    entry.y = (i * TILE as isize) as u32;
                }
            }
            // Digit F - i is at sum c of entry i + c.
            if (0..4).any(|c| used(i + c, c)) {
                entry.what |= what::LOAD_X;
                entry.x = (digit(i, 0) * TILE as isize) as u32;
            }
            if entry.what != 0 || window.len > 0 {
                window.entries[window.len] = entry;
                window.len += 1;
            }
        }
        while window.entries[window.len - 1].what == 0 {
            window.len -= 1;
        }
        window.entries[window.len - 1].what |= what::LAST;
        window
    }

    /// The entries; only the last has [`what::LAST`].
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries[..self.len]
    }
}

/// Splits `weights` sums into windows of four; the first takes the remainder. The
/// last sum of window i, of four, has weight `4 i + 3 - skipped`, with the result `(windows,
/// skipped)`.
pub(super) const fn windows(weights: usize) -> (usize, usize) {
    let windows = weights.div_ceil(SUMS);
    (windows, windows * SUMS - weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loads that the table at the top states.
    #[test]
    fn loads_are_few() {
        let loads = |(x, y), weights| {
            let (count, skipped) = windows(weights);
            let all = (0..count).flat_map(|index| {
                let last = SUMS * index + SUMS - 1 - skipped;
                let first = (SUMS * index).saturating_sub(skipped);
                Window::new((x, y), first, last).entries().to_vec()
            });
            let bits = all.map(|e| (e.what & (what::LOAD_X | what::LOAD_Y)).count_ones());
            bits.sum::<u32>()
        };
        assert_eq!(loads((4, 4), 4), 8);
        assert_eq!(loads((8, 8), 8), 24);
        assert_eq!(loads((5, 5), 5), 2 + 10);
    }
}
