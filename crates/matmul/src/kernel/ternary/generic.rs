//! The sums over any kind of registers.

use alloc::vec;
use alloc::vec::Vec;

use crate::matrix::{Matrix, MatrixMut};
use crate::word::Word;

/// Room for the 3^3 = 27 sums of three columns, a power of two so that an index needs no comparison.
pub(crate) const OF_THREE: usize = 32;
/// Room for the 3^4 = 81 sums of four.
pub(crate) const OF_FOUR: usize = 128;

/// Columns of X that share a table.
pub(crate) const fn group(room: usize) -> usize {
    if room == OF_THREE { 3 } else { 4 }
}

/// `L` words, 64 bytes, in a cache line of their own.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line<W, const L: usize>(pub(crate) [W; L]);

impl<W: Word, const L: usize> Line<W, L> {
    /// Whether a line is what a register takes; folds to a constant. (As a `const` assertion it would fail for the
    /// combinations of `W` and `L` that `match` arms name but never run.)
    #[inline(always)]
    pub(super) fn fits() -> bool {
        size_of::<Self>() == 64
    }

    pub(crate) fn zero() -> Self {
        Self([W::default(); L])
    }
}

/// A line in registers.
pub(in crate::kernel) trait Register<W, const L: usize>: Copy {
    /// Words that may lie anywhere.
    fn read(words: &[W; L]) -> Self;
    fn load(line: &Line<W, L>) -> Self;
    fn store(self, line: &mut Line<W, L>);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    /// Calls `f`, where lines are several registers as a function of its own.
    #[inline(always)]
    fn apart(f: impl FnOnce()) {
        f();
    }
}

impl<W: Word, const L: usize> Register<W, L> for Line<W, L> {
    #[inline(always)]
    fn read(words: &[W; L]) -> Self {
        Self(*words)
    }
    #[inline(always)]
    fn load(line: &Self) -> Self {
        *line
    }
    #[inline(always)]
    fn store(self, line: &mut Self) {
        *line = self;
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
    }
    /// In one function with what else a product does, a compiler loads the address of the tables before every load from them, and
    /// adds tables word by word.
    #[inline(never)]
    fn apart(f: impl FnOnce()) {
        f();
    }
}

/// T tables, and a sum for each column of Z. Erased when dropped: so are columns of a secret X.
///
/// Entries of one number lie side by side, so that one register holds the address of all tables.
pub(crate) struct Scratch<W: Word, const L: usize, const T: usize, const ROOM: usize> {
    tables: Vec<[Line<W, L>; T]>,
    sums: Vec<Line<W, L>>,
    /// Wider sums of bytes, where they are wanted.
    wide: Vec<[i16; L]>,
}

impl<W: Word, const L: usize, const T: usize, const ROOM: usize> Scratch<W, L, T, ROOM> {
    /// For n columns of Z.
    pub(crate) fn new(n: usize) -> Self {
        Self {
            tables: vec![[Line::zero(); T]; ROOM],
            sums: vec![Line::zero(); n],
            wide: Vec::new(),
        }
    }
}

impl<W: Word, const L: usize, const T: usize, const ROOM: usize> Drop for Scratch<W, L, T, ROOM> {
    fn drop(&mut self) {
        self.tables.fill([Line::zero(); T]);
        self.sums.fill(Line::zero());
        self.wide.fill([0; L]);
        zeroize::optimization_barrier(self.tables.as_slice());
        zeroize::optimization_barrier(self.sums.as_slice());
        zeroize::optimization_barrier(self.wide.as_slice());
    }
}

/// Which sums the columns of Z pick: for every batch of T groups of columns of X a row of words, of which this part of Z
/// takes those from `first` on. Byte i of a word is for table i.
#[derive(Clone, Copy)]
pub(crate) struct Picks<'a> {
    pub(crate) words: &'a [u64],
    pub(crate) columns: usize,
    pub(crate) first: usize,
}

/// A tile of at most L rows: rows `row` and on of Z += X Y.
pub(crate) struct Tile<'a, 'z, W: Word, Z, const L: usize, const T: usize, const ROOM: usize> {
    /// The rows of X.
    pub(crate) x: Matrix<'a, W>,
    pub(crate) picks: Picks<'a>,
    pub(crate) row: usize,
    pub(crate) z: &'a mut MatrixMut<'z, Z>,
    pub(crate) scratch: &'a mut Scratch<W, L, T, ROOM>,
}

#[inline(always)]
pub(super) fn run<W: Word, R: Register<W, L>, const L: usize, const T: usize, const ROOM: usize>(
    tile: Tile<'_, '_, W, W, L, T, ROOM>,
) {
    let Tile { x, picks, row, z, scratch } = tile;
    for (batch, words) in picks.words.chunks_exact(picks.columns).enumerate() {
        add_batch::<W, R, L, T, ROOM>(x, batch, &words[picks.first..], scratch);
    }
    for (j, sum) in scratch.sums.iter_mut().enumerate() {
        for (z, &sum) in z.column(j)[row..row + x.rows()].iter_mut().zip(&sum.0) {
            *z = z.wrapping_add(sum);
        }
        *sum = Line::zero();
    }
}

/// Sums in bytes, before they overflow in 16 bits, before those overflow to Z.
#[inline(always)]
pub(super) fn run_narrow<R: Register<u8, 64>, const T: usize, const ROOM: usize>(
    tile: Tile<'_, '_, u8, u32, 64, T, ROOM>,
    bound: u8,
) {
    let Tile { x, picks, row, z, scratch } = tile;
    // Batches whose sums fit 8 and 16 bits.
    let largest = usize::from(bound.max(1)) * T * group(ROOM);
    let (of_bytes, of_pairs) = (i8::MAX as usize / largest, i16::MAX as usize / largest);
    scratch.wide.resize(scratch.sums.len(), [0; 64]);
    let batches = picks.words.len() / picks.columns;
    for (batch, words) in picks.words.chunks_exact(picks.columns).enumerate() {
        add_batch::<u8, R, 64, T, ROOM>(x, batch, &words[picks.first..], scratch);
        let (done, last) = (batch + 1, batch + 1 == batches);
        if last || done % of_bytes == 0 {
            for (wide, sum) in scratch.wide.iter_mut().zip(&mut scratch.sums) {
                for (wide, &sum) in wide.iter_mut().zip(&sum.0) {
                    *wide = wide.wrapping_add(i16::from(sum.cast_signed()));
                }
                *sum = Line::zero();
            }
        }
        if last || done % (of_pairs / of_bytes * of_bytes) == 0 {
            for (j, wide) in scratch.wide.iter_mut().enumerate() {
                for (z, &wide) in z.column(j)[row..row + x.rows()].iter_mut().zip(&*wide) {
                    *z = z.wrapping_add_signed(i32::from(wide));
                }
                *wide = [0; 64];
            }
        }
    }
}

/// Adds to every column's sums what it picks from a batch of T groups of columns of X.
#[inline(always)]
fn add_batch<W: Word, R: Register<W, L>, const L: usize, const T: usize, const ROOM: usize>(
    x: Matrix<'_, W>,
    batch: usize,
    picks: &[u64],
    scratch: &mut Scratch<W, L, T, ROOM>,
) {
    const { assert!(T.is_multiple_of(2) && T <= 8, "two picks at a time, all from one word") };
    let Scratch { tables, sums, .. } = scratch;
    let tables: &mut [[_; T]; ROOM] = tables.as_mut_slice().try_into().expect("ROOM lines");
    for i in 0..T {
        R::apart(
            #[inline(always)]
            || fill::<W, L, T, ROOM, R>(tables, i, x, (batch * T + i) * group(ROOM)),
        );
    }
    R::apart(
        #[inline(always)]
        || {
            for (sum, picks) in sums.iter_mut().zip(picks) {
                let picked = |i: usize| R::load(&tables[(picks >> (8 * i)) as usize % ROOM][i]);
                let mut total = R::load(sum);
                for i in (0..T).step_by(2) {
                    total = total.add(picked(i).add(picked(i + 1)));
                }
                total.store(sum);
            }
        },
    );
}

/// tables[sum_i (c_i + 1) 3^i][table] = sum_i c_i x_i for all c in {-1, 0, 1}^G, x_i column `first` + i of X, 0 beyond its
/// end.
#[inline(always)]
fn fill<W: Word, const L: usize, const T: usize, const ROOM: usize, R: Register<W, L>>(
    tables: &mut [[Line<W, L>; T]; ROOM],
    table: usize,
    x: Matrix<'_, W>,
    first: usize,
) {
    let column = |i| column_of::<W, L, R>(x, first + i);
    // The sums of two columns stay in registers, so that each of the table is stored once and never loaded.
    let pairs = pairs(column(0), column(1));
    let two = column(2);
    let rows = if ROOM == OF_THREE {
        let zero = two.sub(two);
        &[zero.sub(two), zero, two][..]
    } else {
        &self::pairs(two, column(3))
    };
    for (&rest, lines) in rows.iter().zip(tables.chunks_exact_mut(pairs.len())) {
        for (pair, line) in pairs.iter().zip(lines) {
            pair.add(rest).store(&mut line[table]);
        }
    }
}

/// c_0 a + c_1 b at (c_0 + 1) + 3 (c_1 + 1).
#[inline(always)]
fn pairs<W: Word, const L: usize, R: Register<W, L>>(a: R, b: R) -> [R; 9] {
    let zero = a.sub(a);
    let (minus, below) = (zero.sub(a), zero.sub(b));
    [below.sub(a), below, below.add(a), minus, zero, a, b.sub(a), b, b.add(a)]
}

/// The rows of a column of X, zero where there are none.
#[inline(always)]
pub(in crate::kernel) fn column_of<W: Word, const L: usize, R: Register<W, L>>(
    x: Matrix<'_, W>,
    column: usize,
) -> R {
    let mut line = Line::zero();
    if column >= x.columns() {
        return R::load(&line);
    }
    if x.strides().0 == 1 {
        let from = column * x.strides().1;
        let rows = &x.data()[from..from + x.rows()];
        // All tiles but the last.
        if let Some(rows) = rows.first_chunk::<L>() {
            return R::read(rows);
        }
        line.0[..rows.len()].copy_from_slice(rows);
    } else {
        for (i, value) in line.0.iter_mut().enumerate().take(x.rows()) {
            *value = x.at(i, column);
        }
    }
    let value = R::load(&line);
    // It may be secret.
    line = Line::zero();
    zeroize::optimization_barrier(&line.0);
    value
}
