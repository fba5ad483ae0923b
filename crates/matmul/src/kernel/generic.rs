//! The algorithm over a register of lanes: `ROWS` rows of a column of X in registers times one broadcast entry of Y.

/// A register of lanes. A value exists only where its instructions do.
pub(super) trait Register: Copy {
    type Lane: Copy + Default;
    /// Proof that the instructions exist.
    type Token: Copy;
    /// Lanes in a register.
    const LANES: usize;
    fn zero(token: Self::Token) -> Self;
    /// The first `LANES` lanes of `from`.
    fn load(token: Self::Token, from: &[Self::Lane]) -> Self;
    /// `value` in every lane.
    fn splat(token: Self::Token, value: Self::Lane) -> Self;
    fn store(self, to: &mut [Self::Lane]);
    /// self + a b, lane by lane, modulo 2^w.
    fn multiply_add(self, a: Self, b: Self) -> Self;
}

/// `REGISTERS` registers hold `ROWS` = `REGISTERS * LANES` rows.
#[inline(always)]
pub(super) fn kernel<
    V: Register,
    const REGISTERS: usize,
    const ROWS: usize,
    const COLUMNS: usize,
>(
    token: V::Token,
    x: &[V::Lane],
    y: &[V::Lane],
    tile: &mut [V::Lane],
) {
    const { assert!(REGISTERS * V::LANES == ROWS) };
    let mut sums = [[V::zero(token); REGISTERS]; COLUMNS];
    for (x, y) in x.as_chunks::<ROWS>().0.iter().zip(y.as_chunks::<COLUMNS>().0) {
        let mut column = [V::zero(token); REGISTERS];
        for (column, x) in column.iter_mut().zip(x.chunks_exact(V::LANES)) {
            *column = V::load(token, x);
        }
        for (sums, &y) in sums.iter_mut().zip(y) {
            let y = V::splat(token, y);
            for (sum, &x) in sums.iter_mut().zip(&column) {
                *sum = sum.multiply_add(x, y);
            }
        }
    }
    for (tile, sums) in tile.chunks_exact_mut(ROWS).zip(sums) {
        for (tile, sum) in tile.chunks_exact_mut(V::LANES).zip(sums) {
            sum.store(tile);
        }
    }
}
