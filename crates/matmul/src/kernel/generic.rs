//! The block algorithm: over blocks of the sum, strips of X that stay in the second-level cache, panels of Y, panels of X;
//! for each pair of panels one register tile per weight, recombined into the word.
#![allow(unsafe_code)]

use core::ops::Range;

use crate::digits::Method;
use crate::pack::Panels;
use crate::word::Word;

/// A panel of one digit of X and one of Y that are to be multiplied.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Pair {
    pub(crate) x: *const u8,
    pub(crate) y: *const u8,
}

/// A column-major matrix that several tasks write, each its own part.
#[derive(Clone, Copy)]
pub(crate) struct Target<W> {
    pub(crate) start: *mut W,
    pub(crate) stride: usize,
}

// SAFETY: a `Target` is written only within the panels of a `Job`, and jobs that run at the same time have disjoint ones.
unsafe impl<W: Send> Send for Target<W> {}
// SAFETY: as above.
unsafe impl<W: Send> Sync for Target<W> {}

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
    let (x, y) = (job.x, job.y);
    let mut lanes = Aligned([T::Lane::default(); TILE]);
    let mut sums = Aligned([W::default(); TILE]);
    let weights =
        x.encoding.digit.count(W::BITS, W::BITS).min(x.encoding.count + y.encoding.count - 1);
    for block in 0..x.blocks() {
        let cells = x.cells(block);
        let strip = (RESIDENT / x.panel_bytes(block)).max(1);
        let mut first = job.rows.start;
        while first < job.rows.end {
            let end = job.rows.end.min(first + strip);
            for column in job.columns.clone() {
                let columns = T::COLUMNS.min(y.lines - column * T::COLUMNS);
                for row in first..end {
                    let rows = T::ROWS.min(x.lines - row * T::ROWS);
                    for weight in 0..weights {
                        let (pairs, count) = pairs(x, y, block, row, column, weight);
                        // SAFETY: `pairs` point to whole panels of this block.
                        unsafe {
                            tile.multiply(&pairs[..count], cells, rows, columns, &mut lanes.0);
                        }
                        let shift = x.encoding.digit.bits() * weight as u32;
                        combine::<T, W>(&lanes.0, shift, columns, &mut sums.0);
                    }
                    if block == 0 {
                        correct::<T, W>(x, y, row, column, rows, columns, &mut sums.0);
                    }
                    // SAFETY: the tile's entries lie in the job's part of Z.
                    unsafe {
                        write::<T, W>(job, row, column, rows, columns, block == 0, &sums.0);
                    }
                }
            }
            first = end;
        }
    }
    // They held sums of what may be secret.
    lanes.0.fill(T::Lane::default());
    sums.0.fill(W::default());
    zeroize::optimization_barrier(&lanes.0);
    zeroize::optimization_barrier(&sums.0);
}

/// The panels whose digits' products have weight `2^(8 D weight)`.
#[inline(always)]
fn pairs(
    x: &Panels<'_>,
    y: &Panels<'_>,
    block: usize,
    row: usize,
    column: usize,
    weight: usize,
) -> ([Pair; 8], usize) {
    let mut pairs = [Pair { x: core::ptr::null(), y: core::ptr::null() }; 8];
    let mut count = 0;
    let mut i = (weight + 1).saturating_sub(y.encoding.count);
    while i < x.encoding.count && i <= weight {
        let (x, y) = (x.panel(block, row, i), y.panel(block, column, weight - i));
        pairs[count] = Pair { x: x.as_ptr(), y: y.as_ptr() };
        count += 1;
        i += 1;
    }
    (pairs, count)
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

/// Adds what [`crate::digits`] says of offsets, `o_Y rowsum(X) + o_X colsum(Y) - k o_X o_Y`; subtracts the products within
/// rows and within columns that [`Method::Winograd`] leaves.
#[inline(always)]
fn correct<T: Tile, W: Word>(
    x: &Panels<'_>,
    y: &Panels<'_>,
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
    sums: &mut [W; TILE],
) {
    // Z += x_factor x.sums + y_factor y.sums + constant. Sums exist only where their factor is not zero.
    let (x_factor, y_factor, constant) = match x.method {
        Method::Winograd => (u64::MAX, u64::MAX, 0),
        Method::Direct | Method::TopBit => {
            let (ox, oy) = (x.encoding.offset, y.encoding.offset);
            (oy, ox, (x.depth as u64).wrapping_mul(ox).wrapping_mul(oy).wrapping_neg())
        }
    };
    if x_factor | y_factor == 0 {
        return;
    }
    for (j, sums) in sums.chunks_exact_mut(T::ROWS).take(columns).enumerate() {
        let y_sum = if y_factor == 0 { 0 } else { y.sums[column * T::COLUMNS + j] };
        let own = y_sum.wrapping_mul(y_factor).wrapping_add(constant);
        if x_factor == 0 {
            for sum in &mut sums[..rows] {
                *sum = sum.wrapping_add(W::truncate(own));
            }
        } else {
            let x_sums = &x.sums[row * T::ROWS..][..rows];
            for (sum, x_sum) in sums.iter_mut().zip(x_sums) {
                let both = x_sum.wrapping_mul(x_factor).wrapping_add(own);
                *sum = sum.wrapping_add(W::truncate(both));
            }
        }
    }
}

/// Writes or adds a tile to Z.
///
/// # Safety
/// The target is valid for writes of the tile's entries, and nobody else uses them.
#[inline(always)]
unsafe fn write<T: Tile, W: Word>(
    job: &Job<'_, W>,
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
    first: bool,
    sums: &[W; TILE],
) {
    for (j, sums) in sums.chunks_exact(T::ROWS).take(columns).enumerate() {
        let at = (column * T::COLUMNS + j) * job.z.stride + row * T::ROWS;
        // SAFETY: promised by the caller: `rows` entries of a column from the tile's first row on.
        let start = unsafe { job.z.start.add(at) };
        // SAFETY: as above.
        let z = unsafe { core::slice::from_raw_parts_mut(start, rows) };
        if first && job.store {
            z.copy_from_slice(&sums[..rows]);
        } else {
            for (z, sum) in z.iter_mut().zip(sums) {
                *z = z.wrapping_add(*sum);
            }
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
