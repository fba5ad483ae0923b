//! Rows of 64 bytes of words, in memory and in registers.

use tautochrone_simd::prefetch;
use tautochrone_simd::vector::Widths;

use crate::matrix::Matrix;
use crate::word::Word;

/// `L` words, 64 bytes, in a cache line of their own.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Line<W, const L: usize>(pub(super) [W; L]);

impl<W: Word, const L: usize> Line<W, L> {
    pub(super) fn zero() -> Self {
        Self([W::default(); L])
    }
}

/// `L` words in registers: a register of [`tautochrone_simd::vector`], or an array.
pub(super) trait Row<W, const L: usize>: Copy {
    /// Proof that the instructions exist.
    type Token: Copy;
    /// The words, wherever they lie.
    fn load(token: Self::Token, words: &[W; L]) -> Self;
    /// To these words.
    fn store(self, words: &mut [W; L]);
    /// The sum of each two words modulo 2^w.
    fn add(self, other: Self) -> Self;
    /// The difference of each two words modulo 2^w.
    fn sub(self, other: Self) -> Self;
    /// Calls `f`, which is a function of its own where a row is not made of registers.
    #[inline(always)]
    fn separately(f: impl FnOnce()) {
        f();
    }
}

impl<W: Word, V: Widths, const L: usize> Row<W, L> for V {
    type Token = V::Token;

    #[inline(always)]
    fn load(token: V::Token, words: &[W; L]) -> Self {
        let words: [u64; 8] = bytemuck::pod_read_unaligned(bytemuck::cast_slice(words));
        V::load(token, &words)
    }
    #[inline(always)]
    fn store(self, words: &mut [W; L]) {
        let mut out = [0; 8];
        V::store(self, &mut out);
        bytemuck::cast_slice_mut(words).copy_from_slice(bytemuck::bytes_of(&out));
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        W::add_lanes(self, other)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        W::sub_lanes(self, other)
    }
}

/// Words that the compiler vectorises as far as the baseline goes.
impl<W: Word, const L: usize> Row<W, L> for Line<W, L> {
    type Token = ();

    #[inline(always)]
    fn load((): (), words: &[W; L]) -> Self {
        Self(*words)
    }
    #[inline(always)]
    fn store(self, words: &mut [W; L]) {
        *words = self.0;
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
    }
    /// In one function with the rest of a product, compilers load the address of the tables before
    /// every load from them, and add tables word by word.
    #[inline(never)]
    fn separately(f: impl FnOnce()) {
        f();
    }
}

/// Asks for the rows of columns of X that are used next: columns lie too far apart for hardware to
/// foresee them.
#[inline(always)]
pub(super) fn prefetch_columns<W: Word>(x: Matrix<'_, W>, columns: core::ops::Range<usize>) {
    if x.strides().0 == 1 {
        for column in columns.start..columns.end.min(x.columns()) {
            prefetch(x.column_run(0, column, x.rows()));
        }
    }
}

/// The rows of a column of X, zero where there are none.
#[inline(always)]
pub(super) fn column_of<W: Word, const L: usize, R: Row<W, L>>(
    token: R::Token,
    x: Matrix<'_, W>,
    column: usize,
) -> R {
    let mut line = Line::<W, L>::zero();
    if column >= x.columns() {
        return R::load(token, &line.0);
    }
    if x.strides().0 == 1 {
        let rows = x.column_run(0, column, x.rows());
        // All tiles but the last.
        if let Some(rows) = rows.first_chunk::<L>() {
            return R::load(token, rows);
        }
        line.0[..rows.len()].copy_from_slice(rows);
    } else {
        for (i, value) in line.0.iter_mut().enumerate().take(x.rows()) {
            *value = x.at(i, column);
        }
    }
    let value = R::load(token, &line.0);
    // It may be secret.
    tautochrone_simd::wipe(&mut line.0, W::default());
    value
}
