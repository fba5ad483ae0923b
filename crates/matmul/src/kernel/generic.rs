//! The block algorithm: over blocks of the sum, strips of X that stay in the second-level cache, panels of Y, panels of X;
//! for each pair of panels one register tile per weight, recombined into the word.
#![allow(unsafe_code)]

use core::ops::Range;

use super::target::Target;
use crate::digits::Method;
use crate::layout::Panels;
use crate::word::Word;

/// A panel of one digit of X and one of Y that are to be multiplied.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Pair {
    pub(crate) x: *const u8,
    pub(crate) y: *const u8,
}

/// The part of a product that one task forms.
#[derive(Clone)]
pub(crate) struct Job<'a, W> {
    pub(crate) x: &'a Panels<'a>,
    pub(crate) y: &'a Panels<'a>,
    /// Z; all of its `x.lines x y.lines` entries may be written through it.
    pub(crate) z: Target<W>,
    /// Panels of X and of Y that make up the part.
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Range<usize>,
    /// Whether Z is overwritten (or added to).
    pub(crate) store: bool,
}

/// A sum of products of digits in a register lane.
pub(crate) trait Lane: Copy + Default {
    /// The sum times `2^shift`, as a word.
    fn word<W: Word>(self, shift: u32) -> W;
}

impl Lane for u32 {
    #[inline(always)]
    fn word<W: Word>(self, shift: u32) -> W {
        W::from_sum(self, shift)
    }
}

impl Lane for u64 {
    #[inline(always)]
    fn word<W: Word>(self, _: u32) -> W {
        W::truncate(self)
    }
}

/// A register tile: `COLUMNS` columns of `ROWS` lanes.
pub(super) trait Tile: Copy {
    type Lane: Lane;
    const ROWS: usize;
    const COLUMNS: usize;
    /// `out[c ROWS + r] = sum over pairs and cells of x[r] y[c]`, for at least the first `rows` and `columns`.
    ///
    /// # Safety
    /// Each pair points to a panel of X and one of Y, both of `cells` cells of X along the sum, in the shapes of the
    /// kernel; the instructions exist.
    unsafe fn multiply(
        self,
        pairs: &[Pair],
        cells: usize,
        rows: usize,
        columns: usize,
        out: &mut [Self::Lane; TILE],
    );
}

/// Lanes of the largest tile: 32 x 32 (AMX).
pub(super) const TILE: usize = 1024;

#[repr(align(64))]
struct Aligned<T>(T);

/// Bytes of X that stay in the second-level cache (half of the 1 MiB of Zen 4, a quarter of Sapphire Rapids' 2 MiB).
const RESIDENT: usize = 512 << 10;

/// # Safety
/// The instructions of `tile` exist, and the panels have its shape. Panels of `job` lie in X and Y, its target is valid for
/// writes of every entry of these panels, and nobody else uses them.
#[inline(always)]
pub(super) unsafe fn block<T: Tile, W: Word>(tile: T, job: &Job<'_, W>) {
    const { assert!(T::ROWS <= MOST_ROWS, "a row without its term would be left out") }
    let (x, y) = (job.x, job.y);
    let mut lanes = Aligned([T::Lane::default(); TILE]);
    let mut sums = Aligned([W::default(); TILE]);
    let mut row_terms = Aligned([W::default(); MOST_ROWS]);
    let mut pairs = [Pair { x: core::ptr::null(), y: core::ptr::null() }; MOST_DIGITS];
    let weights =
        x.encoding.digit.count(W::BITS, W::BITS).min(x.encoding.count + y.encoding.count - 1);
    for block in 0..x.blocks() {
        let cells = x.cells(block);
        let strip = (RESIDENT / x.panel_bytes(block)).max(1);
        let mut first = job.rows.start;
        while first < job.rows.end {
            let end = job.rows.end.min(first + strip);
            for column in job.columns.clone() {
                for row in first..end {
                    let place = Place::new::<T, W>(job, block, row, column);
                    place.fill_row_terms::<T, W>(job, &mut row_terms.0);
                    for weight in 0..weights {
                        let pairs = place.pairs(x, y, weight, &mut pairs);
                        // SAFETY: `pairs` point to whole panels of this block.
                        unsafe {
                            tile.multiply(pairs, cells, place.rows, place.columns, &mut lanes.0);
                        }
                        if weights > 1 {
                            let shift = x.encoding.digit.bits() * weight as u32;
                            combine::<T, W>(&lanes.0, shift, place.columns, &mut sums.0);
                        }
                    }
                    // SAFETY: the tile's entries lie in the job's part of Z.
                    unsafe {
                        if weights > 1 {
                            place.write::<T, W, W>(job, &row_terms.0, &sums.0, |sum| sum);
                        } else {
                            place
                                .write::<T, W, _>(job, &row_terms.0, &lanes.0, |lane| lane.word(0));
                        }
                    }
                }
            }
            first = end;
        }
    }
    // They held sums of what may be secret.
    lanes.0.fill(T::Lane::default());
    sums.0.fill(W::default());
    row_terms.0.fill(W::default());
    zeroize::optimization_barrier(&lanes.0);
    zeroize::optimization_barrier(&sums.0);
    zeroize::optimization_barrier(&row_terms.0);
}

/// Digits of a 64-bit word in bytes: the most products of digits that have the same weight.
const MOST_DIGITS: usize = 8;
/// Rows of the highest tile.
const MOST_ROWS: usize = 32;

/// A tile in a block of the sum, and how much of it there is.
struct Place {
    block: usize,
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
}

impl Place {
    #[inline(always)]
    fn new<T: Tile, W>(job: &Job<'_, W>, block: usize, row: usize, column: usize) -> Self {
        let rows = T::ROWS.min(job.x.lines - row * T::ROWS);
        let columns = T::COLUMNS.min(job.y.lines - column * T::COLUMNS);
        Self { block, row, column, rows, columns }
    }

    /// The panels whose digits' products have weight `2^(8 D weight)`.
    #[inline(always)]
    fn pairs<'a>(
        &self,
        x: &Panels<'_>,
        y: &Panels<'_>,
        weight: usize,
        pairs: &'a mut [Pair; MOST_DIGITS],
    ) -> &'a [Pair] {
        let first = (weight + 1).saturating_sub(y.encoding.count);
        let end = x.encoding.count.min(weight + 1);
        for (pair, i) in pairs.iter_mut().zip(first..end) {
            let x = x.panel(self.block, self.row, i);
            let y = y.panel(self.block, self.column, weight - i);
            *pair = Pair { x: x.as_ptr(), y: y.as_ptr() };
        }
        &pairs[..end - first]
    }

    /// What is added to the rows and the columns of the first block of the sum, `x_factor x.sums + y_factor y.sums + constant`:
    /// what [`crate::digits`] says of offsets, `o_Y rowsum(X) + o_X colsum(Y) - k o_X o_Y`; or less the products within rows and
    /// within columns that [`Method::Winograd`] leaves. Sums exist only where their factor is not zero.
    #[inline(always)]
    fn factors<W>(&self, job: &Job<'_, W>) -> (u64, u64, u64) {
        if self.block > 0 {
            return (0, 0, 0);
        }
        match job.x.method {
            Method::Winograd => (u64::MAX, u64::MAX, 0),
            Method::Direct | Method::TopBit => {
                let (ox, oy) = (job.x.encoding.offset, job.y.encoding.offset);
                (oy, ox, (job.x.depth as u64).wrapping_mul(ox).wrapping_mul(oy).wrapping_neg())
            }
        }
    }

    /// What is added to each row.
    #[inline(always)]
    fn fill_row_terms<T: Tile, W: Word>(&self, job: &Job<'_, W>, terms: &mut [W; MOST_ROWS]) {
        let (factor, _, _) = self.factors(job);
        if factor == 0 {
            terms.fill(W::default());
        } else {
            let sums = &job.x.sums[self.row * T::ROWS..][..self.rows];
            for (term, sum) in terms.iter_mut().zip(sums) {
                *term = W::truncate(sum.wrapping_mul(factor));
            }
        }
    }

    /// Writes or adds a tile to Z; `sums` holds its columns, one after another.
    ///
    /// # Safety
    /// The target is valid for writes of the tile's entries, and nobody else uses them.
    #[inline(always)]
    unsafe fn write<T: Tile, W: Word, S: Copy>(
        &self,
        job: &Job<'_, W>,
        row_terms: &[W; MOST_ROWS],
        sums: &[S; TILE],
        word: impl Fn(S) -> W,
    ) {
        let (_, factor, constant) = self.factors(job);
        let store = self.block == 0 && job.store;
        for (j, sums) in sums.chunks_exact(T::ROWS).take(self.columns).enumerate() {
            let column = self.column * T::COLUMNS + j;
            let own = if factor == 0 { 0 } else { job.y.sums[column].wrapping_mul(factor) };
            let own = W::truncate(own.wrapping_add(constant));
            let put = |z: &mut [W]| {
                for ((z, &sum), &term) in z.iter_mut().zip(sums).zip(row_terms) {
                    let value = word(sum).wrapping_add(term).wrapping_add(own);
                    *z = if store { value } else { z.wrapping_add(value) };
                }
            };
            // SAFETY: promised by the caller: `rows` entries of a column from the tile's first row on.
            unsafe {
                let start = job.z.start.add(column * job.z.stride + self.row * T::ROWS);
                // A whole column has a length that the compiler knows.
                if self.rows == T::ROWS {
                    put(core::slice::from_raw_parts_mut(start, T::ROWS));
                } else {
                    put(core::slice::from_raw_parts_mut(start, self.rows));
                }
            }
        }
    }
}

/// `sums (+)= lanes 2^shift`: the first weight overwrites.
#[inline(always)]
fn combine<T: Tile, W: Word>(
    lanes: &[T::Lane; TILE],
    shift: u32,
    columns: usize,
    sums: &mut [W; TILE],
) {
    let used = columns * T::ROWS;
    if shift == 0 {
        for (sum, lane) in sums[..used].iter_mut().zip(&lanes[..used]) {
            *sum = lane.word(0);
        }
    } else {
        for (sum, lane) in sums[..used].iter_mut().zip(&lanes[..used]) {
            *sum = sum.wrapping_add(lane.word(shift));
        }
    }
}

/// A step of X in registers, and what the same step of Y does to it.
pub(super) trait Register: Copy {
    /// Proof that the instructions exist.
    type Token: Copy;
    /// A step of Y, in every lane.
    type Y: Copy;
    /// An accumulator of as many lanes as a register has.
    type Sum: Copy;
    type Lane: Lane;
    const LANES: usize;
    /// Bytes of a cell.
    const CELL: usize;
    /// Cells of a step.
    const STEP: usize;
    /// # Safety
    /// `from` points to `STEP` times `LANES` cells, `stride` bytes apart; the instructions exist (here and below: by the
    /// token).
    unsafe fn load(token: Self::Token, from: *const u8, stride: usize) -> Self;
    /// # Safety
    /// `from` points to `STEP` cells, `stride` bytes apart; the instructions exist.
    unsafe fn broadcast(token: Self::Token, from: *const u8, stride: usize) -> Self::Y;
    /// # Safety
    /// The instructions exist.
    unsafe fn zero(token: Self::Token) -> Self::Sum;
    /// `sum + x y`, up to terms of x alone and of y alone.
    ///
    /// # Safety
    /// The instructions exist.
    unsafe fn multiply_add(self, sum: Self::Sum, y: Self::Y) -> Self::Sum;
    /// # Safety
    /// `to` is valid for `LANES` lanes; the instructions exist.
    unsafe fn store(sum: Self::Sum, to: *mut Self::Lane);
}

/// Loads and products of registers that multiply term by term, in cells of 32 bits, for an `impl` of [`Register`].
#[cfg(target_arch = "x86_64")]
macro_rules! direct {
    ($token:ty, $vector:ty, $load:ident, $set:ident, |$sum:ident, $x:ident, $y:ident| $body:expr) => {
        type Y = $vector;
        const STEP: usize = 1;

        #[inline(always)]
        unsafe fn load(_: $token, from: *const u8, _: usize) -> Self {
            // SAFETY: a readable register, by the caller.
            Self(unsafe { $load(from.cast()) })
        }

        #[inline(always)]
        unsafe fn broadcast(_: $token, from: *const u8, _: usize) -> $vector {
            // SAFETY: a readable cell, by the caller.
            unsafe { $set(from.cast::<i32>().read_unaligned()) }
        }

        #[inline(always)]
        unsafe fn multiply_add(self, $sum: Self::Sum, $y: $vector) -> Self::Sum {
            let $x = self.0;
            // SAFETY: `load` had the token for the instructions.
            unsafe { $body }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use direct;

/// The same for registers that multiply two terms at a time ([`Method::Winograd`]): `$body` adds `a b` to the sum, where `a`
/// is `x + y'` and `b` is `x' + y`.
#[cfg(target_arch = "x86_64")]
macro_rules! winograd {
    (
        $token:ty, $vector:ty, $load:ident, $cell:ty, $set:ident, $add:ident,
        |$sum:pat_param, $a:ident, $b:ident| $body:expr
    ) => {
        type Y = ($vector, $vector);
        const STEP: usize = 2;

        #[inline(always)]
        unsafe fn load(_: $token, from: *const u8, stride: usize) -> Self {
            // SAFETY: two readable registers, by the caller.
            unsafe { Self($load(from.cast()), $load(from.add(stride).cast())) }
        }

        #[inline(always)]
        unsafe fn broadcast(_: $token, from: *const u8, stride: usize) -> Self::Y {
            // SAFETY: two readable cells, by the caller.
            unsafe {
                let next = from.add(stride);
                (
                    $set(from.cast::<$cell>().read_unaligned()),
                    $set(next.cast::<$cell>().read_unaligned()),
                )
            }
        }

        #[inline(always)]
        unsafe fn multiply_add(self, $sum: Self::Sum, y: Self::Y) -> Self::Sum {
            // SAFETY: `load` had the token for the instructions.
            unsafe {
                let ($a, $b) = ($add(self.0, y.1), $add(self.1, y.0));
                $body
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use winograd;

/// `M` registers of rows by `N` columns, from panels of `x_lines` and `y_lines` lines.
///
/// # Safety
/// As [`Tile::multiply`]; `M * V::LANES <= x_lines`, `N <= y_lines`, `x_lines * N <= TILE`, `cells` a multiple of `V::STEP`.
#[inline(always)]
pub(super) unsafe fn accumulate<V: Register, const M: usize, const N: usize>(
    token: V::Token,
    pairs: &[Pair],
    cells: usize,
    (x_lines, y_lines): (usize, usize),
    out: &mut [V::Lane; TILE],
) {
    let (x_stride, y_stride) = (x_lines * V::CELL, y_lines * V::CELL);
    // SAFETY: every access lies in the panels, whose cells are `x_stride` and `y_stride` bytes apart, or in the first
    // `N * x_lines` lanes of `out`.
    unsafe {
        let mut sums = [[V::zero(token); M]; N];
        for pair in pairs {
            let (mut x, mut y) = (pair.x, pair.y);
            for _ in 0..cells / V::STEP {
                let mut registers = [V::load(token, x, x_stride); M];
                let mut i = 1;
                while i < M {
                    registers[i] = V::load(token, x.add(i * V::LANES * V::CELL), x_stride);
                    i += 1;
                }
                let mut j = 0;
                while j < N {
                    let column = V::broadcast(token, y.add(j * V::CELL), y_stride);
                    let mut i = 0;
                    while i < M {
                        sums[j][i] = registers[i].multiply_add(sums[j][i], column);
                        i += 1;
                    }
                    j += 1;
                }
                x = x.add(V::STEP * x_stride);
                y = y.add(V::STEP * y_stride);
            }
        }
        for (j, sums) in sums.iter().enumerate() {
            for (i, sum) in sums.iter().enumerate() {
                V::store(*sum, out.as_mut_ptr().add(j * x_lines + i * V::LANES));
            }
        }
    }
}
