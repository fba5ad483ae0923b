//! Products and squares: columns of a number of 2 D digits, not yet swept.
use tautochrone_simd::vector::Vector as _;
use tautochrone_simd::{Avx2, Scratch};

use super::copies::{Copies, Rows, add_rows};
use super::digits::{LANES, Register, zeros};

/// Registers of a block: eight rows are added to a register of columns while it is loaded.
pub(super) const BLOCK: usize = 2;
/// Digits of a block.
pub(super) const ROWS: usize = BLOCK * LANES;

/// Registers of a square's own block, with zeros below it and twice the block above it.
const OWN: usize = 3 * BLOCK;

/// Scratch space for a product of numbers of N registers.
pub(super) struct Products {
    token: Avx2,
    /// 2 N registers.
    pub(super) columns: Scratch<Register>,
    factor: Copies,
    /// For each block of a square, [`OWN`] registers.
    own: Scratch<Register>,
}

/// Each digit in all lanes.
#[inline(always)]
pub(super) fn rows<const G: usize>(token: Avx2, digits: &[u64]) -> Rows<G> {
    let mut rows = [[Register::zero(token); LANES]; G];
    for (row, &digit) in rows.as_flattened_mut().iter_mut().zip(digits) {
        *row = Register::splat(token, digit).opaque();
    }
    rows
}

impl Products {
    pub(super) fn new(token: Avx2, registers: usize) -> Self {
        Self {
            token,
            columns: zeros(token, 2 * registers),
            factor: Copies::new(token, registers),
            own: zeros(token, OWN * registers.div_ceil(BLOCK)),
        }
    }

    /// Columns := x y.
    #[inline(always)]
    pub(super) fn multiply(&mut self, x: &[u64], y: &[u64]) {
        let token = self.token;
        self.columns.fill(Register::zero(token));
        self.factor.set(
            token,
            y,
            #[inline(always)]
            |y| y,
        );
        let y = self.factor.from::<BLOCK>(0);
        let (mut columns, mut blocks) = (&mut self.columns[..], x.chunks_exact(ROWS));
        for x in blocks.by_ref() {
            add_rows(columns, &rows::<BLOCK>(token, x), y);
            columns = &mut columns[BLOCK..];
        }
        if !blocks.remainder().is_empty() {
            add_rows(columns, &rows::<1>(token, blocks.remainder()), self.factor.from::<1>(0));
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
        let token = self.token;
        let zero = Register::zero(token);
        self.factor.set(
            token,
            x,
            #[inline(always)]
            |x| x.add(x),
        );
        let mut above = [zero; BLOCK];
        for (own, x) in self.own.chunks_exact_mut(OWN).zip(x.chunks(ROWS)).rev() {
            let low = Register::load(token, x);
            let high = if x.len() == ROWS { Register::load(token, &x[LANES..]) } else { zero };
            own[BLOCK..].copy_from_slice(&[low, high, above[0], above[1]]);
            above = [low.add(low), high.add(high)];
        }
        for (k, own) in self.own.chunks_exact(OWN).enumerate().rev() {
            let own = Register::words(own);
            let x = rows::<BLOCK>(token, &own[ROWS..]);
            let columns = &mut self.columns[BLOCK * k..];
            let (first, last) = (BLOCK * k, BLOCK * k + 2 * BLOCK);
            for (j, column) in columns[first..].iter_mut().take(last - first).enumerate() {
                let mut sum = zero;
                for (g, x) in x.iter().enumerate().take(j + 1) {
                    for (s, &x) in x.iter().enumerate() {
                        let digits = &own[ROWS + LANES * j - LANES * g - s..];
                        sum = sum.add(Register::load(token, digits).mul_low_32(x));
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
