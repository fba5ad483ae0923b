//! Products by a public matrix, by tables of sums of columns.
//!
//! The method of the four Russians (Arlazarov, Dinic, Kronrod, Faradzev 1970) in base three: of
//! every G columns of X all 3^G signed sums are tabulated, and each column of Y then indexes one.
//! With G = 3 a table costs 27 additions and stores and replaces up to 3 n additions by n, n the
//! number of columns of Y; with G = 4, 81 and 4 n by n, which is better for many columns.

mod tiles;

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x4, U64x8};
use tautochrone_simd::wipe;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::{Avx2, Avx512};
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use tautochrone_simd::{Neon, vector::U64x2};
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
use tautochrone_simd::{Token, vector::Pair, vectorize};

use super::Ternary;
use super::indices::{for_each_column, index};
use super::row::Line;
use crate::matrix::any::{AnyMatrix, AnyMatrixMut};
use crate::matrix::{Matrix, MatrixMut};
use crate::multiplier::Multiplier;
use crate::parallel;
use crate::word::Word;
use tiles::{GROUP3_ENTRIES, GROUP4_ENTRIES, Scratch, Tile, group};

/// Tables of three columns in use at a time: 8 of 27 sums of 64 bytes are 14 KiB, which with the
/// sums of 142 columns of Z, 9 KiB, stay in a first-level cache of 32 KiB.
const GROUP3_TABLES: usize = 8;
/// Tables of four columns: 4 of 81 sums are 20 KiB; the sums of many columns stream from the second
/// level anyway.
const GROUP4_TABLES: usize = 4;
/// The largest |x| of [`add_small_product`]: sums of one batch of tables must fit a signed byte.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
pub(super) const MAX_SMALL: u8 = i8::MAX as u8 / (GROUP3_TABLES * group(GROUP3_ENTRIES)) as u8;

/// Rows of a tile of [`add_small_product`].
pub(super) const SMALL_ROWS: usize = 64;

/// Z += X Y, X of words of Z, of operands whose shapes agree, by tables of sums of `columns`
/// columns, three or four.
///
/// # Constant time
/// In X and Z; the entries of Y index tables. The tables are erased.
pub(crate) fn add_product(
    multiplier: &Multiplier,
    x: AnyMatrix<'_>,
    y: Ternary<'_>,
    columns: usize,
    z: AnyMatrixMut<'_>,
) {
    match z {
        AnyMatrixMut::U8(z) => add_words::<_, 64>(multiplier, x, y, columns, z),
        AnyMatrixMut::U16(z) => add_words::<_, 32>(multiplier, x, y, columns, z),
        AnyMatrixMut::U32(z) => add_words::<_, 16>(multiplier, x, y, columns, z),
        AnyMatrixMut::U64(z) => add_words::<_, 8>(multiplier, x, y, columns, z),
    }
}

/// The same for a type of words, of which L are 64 bytes.
fn add_words<W: Word, const L: usize>(
    multiplier: &Multiplier,
    x: AnyMatrix<'_>,
    y: Ternary<'_>,
    columns: usize,
    z: MatrixMut<'_, W>,
) {
    let x = x.typed().expect("X has words of Z");
    let rows = |rows| x.rows_in(rows);
    if columns == 3 {
        for_each_tile(multiplier, y, rows, z, add_tile::<W, L, GROUP3_TABLES, GROUP3_ENTRIES>);
    } else {
        for_each_tile(multiplier, y, rows, z, add_tile::<W, L, GROUP4_TABLES, GROUP4_ENTRIES>);
    }
}

/// The same modulo 2^32 for entries |x| <= `bound` <= [`MAX_SMALL`], summed in bytes.
///
/// `x`: tiles of [`SMALL_ROWS`] rows one after another, each column after column; rows of the last
/// one beyond the rows of Z count for nothing.
pub(super) fn add_small_product(
    multiplier: &Multiplier,
    x: &[u8],
    bound: u8,
    y: Ternary<'_>,
    z: MatrixMut<'_, u32>,
) {
    let (columns, _) = y.shape();
    let tile = |rows: Range<usize>| {
        let entries = &x[rows.start * columns..][..SMALL_ROWS * columns];
        Matrix::column_major(entries, SMALL_ROWS, columns).expect("a tile")
    };
    for_each_tile(multiplier, y, tile, z, |multiplier, tile| {
        add_small_tile::<GROUP3_TABLES, GROUP3_ENTRIES>(multiplier, tile, bound);
    });
}

/// `kernel` for tiles of `L` rows, 64 bytes. Threads share the tiles: filling the tables of one is
/// a fifth of the work for 142 columns of Z.
fn for_each_tile<'a, W: Word, Z: Word, const L: usize, const T: usize, const ENTRIES: usize>(
    multiplier: &Multiplier,
    y: Ternary<'_>,
    tile: impl Fn(Range<usize>) -> Matrix<'a, W> + Sync,
    mut z: MatrixMut<'_, Z>,
    kernel: impl Fn(&Multiplier, Tile<'_, '_, W, Z, L, T, ENTRIES>) + Sync,
) {
    let (m, (k, n)) = (z.rows(), y.shape());
    if m == 0 || n == 0 || k == 0 {
        return;
    }
    let parallel = multiplier.is_parallel(m.saturating_mul(n).saturating_mul(k));
    let indices = &table_indices::<T, ENTRIES>(y, parallel);
    // Rows of Z from `first` on.
    let add = |first: usize, z: &mut MatrixMut<'_, Z>| {
        let scratch = &mut Scratch::new(n);
        for row in (0..z.rows()).step_by(L) {
            let x = tile(first + row..first + z.rows().min(row + L));
            kernel(multiplier, Tile { x, indices, row, z, scratch });
        }
    };
    if !parallel {
        return add(0, &mut z);
    }
    // Rows of Z are not contiguous: every share of them is summed on its own.
    let share = m.div_ceil(parallel::threads()).next_multiple_of(L);
    let mut sums = vec![Z::truncate(0); m.next_multiple_of(share) * n];
    let rows = |first: usize| share.min(m - first);
    parallel::for_each(sums.chunks_mut(share * n), true, |part, sums| {
        let first = part * share;
        add(first, &mut MatrixMut::strided(sums, rows(first), n, share).expect("rows of Z"));
    });
    let (stride, z) = z.into_data();
    // The stride of a single column may be anything.
    parallel::for_each(z.chunks_mut(stride.max(m)), true, |j, z| {
        for (part, first) in (0..m).step_by(share).enumerate() {
            let sums = &sums[(part * n + j) * share..];
            for (z, &sum) in z[first..][..rows(first)].iter_mut().zip(sums) {
                *z = z.wrapping_add(sum);
            }
        }
    });
    wipe(&mut sums, Z::truncate(0));
}

/// Calls and returns `$run(token, ..)` for the best registers of 64 bytes, `$V`.
macro_rules! on_registers {
    ($multiplier:expr, |$V:ident, $token:ident| $run:expr) => {
        #[cfg(target_arch = "x86_64")]
        if let Some($token) = $multiplier.isa().avx512() {
            type $V = U64x8<Avx512>;
            return vectorize!($token, $run);
        } else if let Some($token) = $multiplier.isa().avx2() {
            type $V = Pair<U64x4<Avx2>>;
            return vectorize!($token, $run);
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some($token) = $multiplier.isa().neon() {
            type $V = Pair<Pair<U64x2<Neon>>>;
            return vectorize!($token, $run);
        }
        let _ = $multiplier;
    };
}

/// Adds a tile's product to Z.
fn add_tile<W: Word, const L: usize, const T: usize, const ENTRIES: usize>(
    multiplier: &Multiplier,
    tile: Tile<'_, '_, W, W, L, T, ENTRIES>,
) {
    on_registers!(multiplier, |V, token| tiles::run::<W, V, L, T, ENTRIES>(token, tile));
    tiles::run::<W, Line<W, L>, L, T, ENTRIES>((), tile);
}

/// [`add_tile`] for X of signed bytes of at most `bound`.
fn add_small_tile<const T: usize, const ENTRIES: usize>(
    multiplier: &Multiplier,
    tile: Tile<'_, '_, u8, u32, SMALL_ROWS, T, ENTRIES>,
    bound: u8,
) {
    on_registers!(multiplier, |V, token| tiles::run_small::<V, T, ENTRIES>(token, tile, bound));
    tiles::run_small::<Line<u8, 64>, T, ENTRIES>((), tile, bound);
}

/// For every batch of T groups of rows of Y, and for every column, which sum to take from each
/// table: sum_i (y_i + 1) 3^i, a byte a group, the first lowest; rows beyond the end count as 0.
fn table_indices<const T: usize, const ENTRIES: usize>(y: Ternary<'_>, parallel: bool) -> Vec<u64> {
    let (k, n) = y.shape();
    let batch = group(ENTRIES) * T;
    let mut words = vec![0; k.div_ceil(batch) * n];
    parallel::for_each(words.chunks_mut(n.max(1)), parallel, |i, words| {
        let rows = y.entries().rows_in(batch * i..k.min(batch * (i + 1)));
        for_each_column(rows, batch, |j, column| {
            for (i, entries) in column.chunks_exact(group(ENTRIES)).enumerate() {
                let index = match entries.first_chunk() {
                    Some(four) => index::<4>(four),
                    None => index::<3>(entries.try_into().expect("a group is three or four")),
                };
                words[j] |= u64::from(index) << (8 * i);
            }
        });
    });
    words
}
