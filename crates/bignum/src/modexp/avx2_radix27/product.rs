//! Products and squares: columns of a number of 2 D digits, not yet swept.
use zeroize::Zeroizing;

use super::copies::{Copies, Rows, add_rows};
use super::u64x4::{LANES, U64x4};

/// Registers of a block: eight rows are added to a register of columns while it is loaded.
pub(super) const BLOCK: usize = 2;
/// Digits of a block.
pub(super) const ROWS: usize = BLOCK * LANES;

/// Registers of a square's own block, with zeros below it and twice the block above it.
const OWN: usize = 3 * BLOCK;

/// Scratch space for a product of numbers of N registers.
pub(super) struct Scratch {
    /// 2 N registers.
    pub(super) columns: Zeroizing<Vec<U64x4>>,
    factor: Copies,
    /// For each block of a square, [`OWN`] registers.
    own: Zeroizing<Vec<U64x4>>,
}

/// Each digit in all lanes.
#[inline(always)]
pub(super) fn rows<const G: usize>(digits: &[u64]) -> Rows<G> {
    let mut rows = [[U64x4::default(); LANES]; G];
    for (row, &digit) in rows.as_flattened_mut().iter_mut().zip(digits) {
        *row = U64x4::factor(digit);
    }
    rows
}

impl Scratch {
    pub(super) fn new(registers: usize) -> Self {
        let zeros = |count| Zeroizing::new(vec![U64x4::default(); count]);
        Self {
            columns: zeros(2 * registers),
            factor: Copies::new(registers),
            own: zeros(OWN * registers.div_ceil(BLOCK)),
        }
    }

    /// Columns := x y.
    #[inline(always)]
    pub(super) fn multiply(&mut self, x: &[u64], y: &[u64]) {
        self.columns.fill(U64x4::default());
        self.factor.set(
            y,
            #[inline(always)]
            |y| y,
        );
        let y = self.factor.from::<BLOCK>(0);
        let (mut columns, mut blocks) = (&mut self.columns[..], x.chunks_exact(ROWS));
        for x in blocks.by_ref() {
            add_rows(columns, &rows::<BLOCK>(x), y);
            columns = &mut columns[BLOCK..];
        }
        if !blocks.remainder().is_empty() {
            add_rows(columns, &rows::<1>(blocks.remainder()), self.factor.from::<1>(0));
        }
    }

    /// Columns := x^2.
    ///
    /// With X_k for block k of x, x^2 is the sum over k of X_k (X_k + 2 (X_{k+1} + X_{k+2} + ..)):
    /// about half of the products. Where a row may move X_k to, X_k and 2 X_{k+1} are taken from
    /// [`OWN`] registers, above that the copies of 2 x serve. Blocks go from the top down: then the
    /// columns to which a block adds are already set.
    #[inline(always)]
    pub(super) fn square(&mut self, x: &[u64]) {
        self.factor.set(
            x,
            #[inline(always)]
            |x| x.add(x),
        );
        let mut above = [U64x4::default(); BLOCK];
        for (own, x) in self.own.chunks_exact_mut(OWN).zip(x.chunks(ROWS)).rev() {
            let low = U64x4::load(x, 0);
            let high = if x.len() == ROWS { U64x4::load(x, LANES) } else { U64x4::default() };
            own[BLOCK..].copy_from_slice(&[low, high, above[0], above[1]]);
            above = [low.add(low), high.add(high)];
        }
        for (k, own) in self.own.chunks_exact(OWN).enumerate().rev() {
            let own = U64x4::elements(own);
            let x = rows::<BLOCK>(&own[ROWS..]);
            let columns = &mut self.columns[BLOCK * k..];
            let (first, last) = (BLOCK * k, BLOCK * k + 2 * BLOCK);
            for (j, column) in columns[first..].iter_mut().take(last - first).enumerate() {
                let mut sum = U64x4::default();
                for (g, x) in x.iter().enumerate().take(j + 1) {
                    for (s, &x) in x.iter().enumerate() {
                        sum =
                            sum.add(U64x4::load(own, ROWS + LANES * j - LANES * g - s).product(x));
                    }
                }
                *column = sum;
            }
            if let Some(columns) = columns.get_mut(last..) {
                add_rows(columns, &x, self.factor.from::<BLOCK>(last));
            }
        }
    }
}
