//! The block algorithm: over blocks of the sum, strips of X that stay in the second-level cache,
//! panels of Y, panels of X; for each pair of panels one register tile per weight, recombined into
//! the word.
#![allow(unsafe_code)]

use core::ops::Range;

use tautochrone_simd::{prefetch, wipe};

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

/// What a tile multiplies, and how much of the result is needed.
#[derive(Clone, Copy)]
pub(super) struct Operands<'a> {
    pub(super) pairs: &'a [Pair],
    /// Of every panel.
    pub(super) cells: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// The part of a product that one task forms.
#[derive(Clone)]
pub(crate) struct Task<'a, W> {
    pub(crate) x: &'a Panels<'a>,
    pub(crate) y: &'a Panels<'a>,
    /// These and further operands, of the same layout but for the terms of their sums, whose
    /// products are added.
    pub(crate) pairs: &'a [(Panels<'a>, Panels<'a>)],
    /// Z; all of its `x.lines x y.lines` entries may be written through it.
    pub(crate) z: Target<W>,
    /// Panels of X and of Y that make up the part.
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Range<usize>,
    /// Whether Z is overwritten (or added to).
    pub(crate) store: bool,
    /// The bits of a residue: others of Z become 0.
    pub(crate) residues: W,
    /// Bits that the digits' weights reach.
    pub(crate) word: u32,
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

/// A register tile. What surrounds it is compiled once for tiles of the same height and lanes.
pub(super) trait Tile {
    type Lane: Lane;
    /// `out[c height + r] = sum over pairs and cells of x[r] y[c]`, for at least the first `rows`
    /// and `columns`.
    ///
    /// # Safety
    /// Each pair points to a panel of X and one of Y, both of `cells` cells of X along the sum, in
    /// the shapes of the kernel; the instructions exist.
    unsafe fn multiply(&self, operands: &Operands<'_>, out: &mut [Self::Lane; TILE]);
}

/// Lanes of the largest tile: 32 x 12 (AVX-512).
pub(super) const TILE: usize = 384;

#[repr(align(64))]
struct Aligned<T>(T);

/// Bytes of X that stay in the second-level cache (half of the 1 MiB of Zen 4, a quarter of
/// Sapphire Rapids' 2 MiB).
const RESIDENT: usize = 512 << 10;

/// Forms the tiles of a task, which have `ROWS` rows.
///
/// # Safety
/// The instructions of `tile` exist, and the panels have its shape. Panels of `task` lie in X and
/// Y, its target is valid for writes of every entry of these panels, and nobody else uses them.
#[inline(always)]
pub(super) unsafe fn multiply<L: Lane, W: Word, const ROWS: usize>(
    tile: &dyn Tile<Lane = L>,
    task: &Task<'_, W>,
) {
    const { assert!(ROWS <= MAX_ROWS, "a row without its term would be left out") }
    let (x, y) = (task.x, task.y);
    debug_assert_eq!(x.shape.lines, ROWS, "rows of the tile");
    let mut lanes = Aligned([L::default(); TILE]);
    let mut sums = Aligned([W::default(); TILE]);
    let mut row_terms = Aligned([W::default(); MAX_ROWS]);
    let mut pairs = [Pair { x: core::ptr::null(), y: core::ptr::null() }; MAX_DIGITS];
    let weights =
        x.encoding.digit.count(task.word, task.word).min(x.encoding.count + y.encoding.count - 1);
    for block in 0..x.blocks() {
        let cells = x.cells(block);
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let strip = (RESIDENT / x.panel_bytes(block)).max(1);
        let mut first = task.rows.start;
        while first < task.rows.end {
            let end = task.rows.end.min(first + strip);
            for column in task.columns.clone() {
                for row in first..end {
                    let position = TilePosition::<ROWS>::new(task, block, row, column);
                    // SAFETY: the tile's entries lie in the task's part of Z.
                    unsafe { position.prefetch(task) }
                    position.fill_row_terms(task, &mut row_terms.0);
                    for weight in 0..weights {
                        let pairs = position.pairs(x, y, weight, &mut pairs);
                        let TilePosition { rows, columns, .. } = position;
                        let operands = Operands { pairs, cells, rows, columns };
                        // SAFETY: `pairs` point to whole panels of this block.
                        unsafe { tile.multiply(&operands, &mut lanes.0) }
                        if weights > 1 {
                            let shift = x.encoding.digit.bits() * weight as u32;
                            combine(&lanes.0, shift, position.columns * ROWS, &mut sums.0);
                        }
                    }
                    // SAFETY: the tile's entries lie in the task's part of Z.
                    unsafe {
                        if weights > 1 {
                            position.write(task, &row_terms.0, &sums.0, |sum| sum);
                        } else {
                            position.write(task, &row_terms.0, &lanes.0, |lane| lane.word(0));
                        }
                    }
                }
            }
            first = end;
        }
    }
    // They contain sums of what may be secret.
    wipe(&mut lanes.0, L::default());
    wipe(&mut sums.0, W::default());
    wipe(&mut row_terms.0, W::default());
}

/// Digits of a 64-bit word in bytes: the maximum number of products of digits that have the same
/// weight.
const MAX_DIGITS: usize = 8;
/// Rows of the highest tile.
const MAX_ROWS: usize = 32;

/// The terms that are added to the rows and the columns of the first block of the sum, `x_factor
/// x.sums + y_factor y.sums + constant`: what [`crate::digits`] says of offsets, `o_Y rowsum(X) +
/// o_X colsum(Y) - k o_X o_Y`; or minus the products within rows and within columns that
/// [`Method::Winograd`] leaves. Sums exist only where their factor is not zero.
#[inline(always)]
pub(super) fn offset_factors<W>(task: &Task<'_, W>, first: bool) -> (u64, u64, u64) {
    if !first {
        return (0, 0, 0);
    }
    match task.x.method {
        Method::Winograd => (u64::MAX, u64::MAX, 0),
        Method::Direct | Method::TopBit => {
            let (ox, oy) = (task.x.encoding.offset, task.y.encoding.offset);
            (oy, ox, (task.x.depth as u64).wrapping_mul(ox).wrapping_mul(oy).wrapping_neg())
        }
    }
}

/// A tile in a block of the sum, and how much of it there is.
struct TilePosition<const ROWS: usize> {
    block: usize,
    /// Panels of X and Y, and the tile's first column.
    row: usize,
    column: usize,
    first_column: usize,
    rows: usize,
    columns: usize,
}

impl<const ROWS: usize> TilePosition<ROWS> {
    #[inline(always)]
    fn new<W>(task: &Task<'_, W>, block: usize, row: usize, column: usize) -> Self {
        let width = task.y.shape.lines;
        let first_column = column * width;
        let rows = ROWS.min(task.x.lines - row * ROWS);
        let columns = width.min(task.y.lines - first_column);
        Self { block, row, column, first_column, rows, columns }
    }

    /// Asks for the tile's entries of Z: by the time that its sums are formed they are there.
    ///
    /// # Safety
    /// The target is valid for reads of the tile's entries, and nobody else writes them.
    #[inline(always)]
    unsafe fn prefetch<W: Word>(&self, task: &Task<'_, W>) {
        for column in (self.first_column..).take(self.columns) {
            // SAFETY: by the caller: `rows` entries of a column from the tile's first row on.
            prefetch(unsafe {
                let start = task.z.start.add(column * task.z.stride + self.row * ROWS);
                core::slice::from_raw_parts(start, self.rows)
            });
        }
    }

    /// The panels whose digits' products have weight `2^(8 D weight)`.
    #[inline(always)]
    fn pairs<'a>(
        &self,
        x: &Panels<'_>,
        y: &Panels<'_>,
        weight: usize,
        pairs: &'a mut [Pair; MAX_DIGITS],
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

    /// The term that is added to each row.
    #[inline(always)]
    fn fill_row_terms<W: Word>(&self, task: &Task<'_, W>, terms: &mut [W; MAX_ROWS]) {
        let (factor, _, _) = offset_factors(task, self.block == 0);
        if factor == 0 {
            terms.fill(W::default());
        } else {
            let sums = &task.x.sums[self.row * ROWS..][..self.rows];
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
    unsafe fn write<W: Word, S: Copy>(
        &self,
        task: &Task<'_, W>,
        row_terms: &[W; MAX_ROWS],
        sums: &[S; TILE],
        word: impl Fn(S) -> W,
    ) {
        let (_, factor, constant) = offset_factors(task, self.block == 0);
        let store = self.block == 0 && task.store;
        for (j, sums) in sums.chunks_exact(ROWS).take(self.columns).enumerate() {
            let column = self.first_column + j;
            let own = if factor == 0 { 0 } else { task.y.sums[column].wrapping_mul(factor) };
            let own = W::truncate(own.wrapping_add(constant));
            let put = |z: &mut [W]| {
                for ((z, &sum), &term) in z.iter_mut().zip(sums).zip(row_terms) {
                    let value = word(sum).wrapping_add(term).wrapping_add(own);
                    let value = if store { value } else { z.wrapping_add(value) };
                    *z = value.and(task.residues);
                }
            };
            // SAFETY: guaranteed by the caller: `rows` entries of a column from the tile's first
            // row on.
            unsafe {
                let start = task.z.start.add(column * task.z.stride + self.row * ROWS);
                // A whole column has a length that the compiler knows.
                if self.rows == ROWS {
                    put(core::slice::from_raw_parts_mut(start, ROWS));
                } else {
                    put(core::slice::from_raw_parts_mut(start, self.rows));
                }
            }
        }
    }
}

/// `sums (+)= lanes 2^shift` for the first `used` lanes: the first weight overwrites.
#[inline(always)]
fn combine<L: Lane, W: Word>(lanes: &[L; TILE], shift: u32, used: usize, sums: &mut [W; TILE]) {
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
