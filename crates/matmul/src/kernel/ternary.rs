//! Sums of columns by table, for a tile of rows that fills 64 bytes.
#![allow(unsafe_code)]

use alloc::vec;

use tautochrone_simd::Isa;

use crate::matrix::Matrix;
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
pub(crate) struct Line<W, const L: usize>([W; L]);

impl<W: Word, const L: usize> Line<W, L> {
    /// Whether a line is what a register takes; folds to a constant. (As a `const` assertion it would fail for the
    /// combinations of `W` and `L` that `match` arms name but never run.)
    #[inline(always)]
    fn fits() -> bool {
        size_of::<Self>() == 64
    }

    pub(crate) fn zero() -> Self {
        Self([W::default(); L])
    }

    pub(crate) const fn words(&self) -> &[W; L] {
        &self.0
    }
}

/// A line in registers.
trait Register<W, const L: usize>: Copy {
    fn load(line: &Line<W, L>) -> Self;
    fn store(self, line: &mut Line<W, L>);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
}

impl<W: Word, const L: usize> Register<W, L> for Line<W, L> {
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
}

/// Adds to `sums[j]`, for every batch of T groups of columns of X (at most L rows), the sums that column j picks from T
/// tables: byte i of its word from table i. T is even.
pub(crate) fn tiles<W: Word, const L: usize, const T: usize, const ROOM: usize>(
    isa: Isa,
    x: Matrix<'_, W>,
    picks: &[u64],
    sums: &mut [Line<W, L>],
) {
    #[cfg(target_arch = "x86_64")]
    {
        if isa.avx512().is_some() {
            // SAFETY: the token proves AVX-512 F, BW, DQ, VL.
            return unsafe { x86::avx512::<W, L, T, ROOM>(x, picks, sums) };
        }
        if isa.avx2().is_some() {
            // SAFETY: the token proves AVX2.
            return unsafe { x86::avx2::<W, L, T, ROOM>(x, picks, sums) };
        }
    }
    let _ = isa;
    run::<W, L, T, ROOM, Line<W, L>>(x, picks, sums);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::{Line, Matrix, Register, Word, run};

    #[derive(Clone, Copy)]
    struct Zmm(__m512i);

    #[derive(Clone, Copy)]
    struct Ymm([__m256i; 2]);

    /// `$op` for the width of `W`.
    macro_rules! by_width {
        ($a:expr, $b:expr, $op8:ident, $op16:ident, $op32:ident, $op64:ident) => {
            // SAFETY: registers are made within `avx512` and `avx2` only, which enable these instructions.
            unsafe {
                match W::BITS {
                    8 => $op8($a, $b),
                    16 => $op16($a, $b),
                    32 => $op32($a, $b),
                    _ => $op64($a, $b),
                }
            }
        };
    }

    impl<W: Word, const L: usize> Register<W, L> for Zmm {
        #[inline(always)]
        fn load(line: &Line<W, L>) -> Self {
            assert!(Line::<W, L>::fits());
            // SAFETY: a line is 64 bytes, aligned to as many; AVX-512 as above.
            Self(unsafe { _mm512_load_si512(core::ptr::from_ref(line).cast()) })
        }
        #[inline(always)]
        fn store(self, line: &mut Line<W, L>) {
            assert!(Line::<W, L>::fits());
            // SAFETY: as in `load`.
            unsafe { _mm512_store_si512(core::ptr::from_mut(line).cast(), self.0) }
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Self(by_width!(
                self.0,
                other.0,
                _mm512_add_epi8,
                _mm512_add_epi16,
                _mm512_add_epi32,
                _mm512_add_epi64
            ))
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            Self(by_width!(
                self.0,
                other.0,
                _mm512_sub_epi8,
                _mm512_sub_epi16,
                _mm512_sub_epi32,
                _mm512_sub_epi64
            ))
        }
    }

    impl<W: Word, const L: usize> Register<W, L> for Ymm {
        #[inline(always)]
        fn load(line: &Line<W, L>) -> Self {
            assert!(Line::<W, L>::fits());
            let from = core::ptr::from_ref(line).cast::<__m256i>();
            // SAFETY: a line is 64 bytes, aligned to as many; AVX2 as above.
            Self(unsafe { [_mm256_load_si256(from), _mm256_load_si256(from.add(1))] })
        }
        #[inline(always)]
        fn store(self, line: &mut Line<W, L>) {
            assert!(Line::<W, L>::fits());
            let to = core::ptr::from_mut(line).cast::<__m256i>();
            // SAFETY: as in `load`.
            unsafe {
                _mm256_store_si256(to, self.0[0]);
                _mm256_store_si256(to.add(1), self.0[1]);
            }
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Self(core::array::from_fn(|i| {
                by_width!(
                    self.0[i],
                    other.0[i],
                    _mm256_add_epi8,
                    _mm256_add_epi16,
                    _mm256_add_epi32,
                    _mm256_add_epi64
                )
            }))
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            Self(core::array::from_fn(|i| {
                by_width!(
                    self.0[i],
                    other.0[i],
                    _mm256_sub_epi8,
                    _mm256_sub_epi16,
                    _mm256_sub_epi32,
                    _mm256_sub_epi64
                )
            }))
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn avx512<W: Word, const L: usize, const T: usize, const ROOM: usize>(
        x: Matrix<'_, W>,
        picks: &[u64],
        sums: &mut [Line<W, L>],
    ) {
        run::<W, L, T, ROOM, Zmm>(x, picks, sums);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2<W: Word, const L: usize, const T: usize, const ROOM: usize>(
        x: Matrix<'_, W>,
        picks: &[u64],
        sums: &mut [Line<W, L>],
    ) {
        run::<W, L, T, ROOM, Ymm>(x, picks, sums);
    }
}

#[inline(always)]
fn run<W: Word, const L: usize, const T: usize, const ROOM: usize, R: Register<W, L>>(
    x: Matrix<'_, W>,
    picks: &[u64],
    sums: &mut [Line<W, L>],
) {
    let mut tables = vec![[Line::zero(); ROOM]; T];
    let tables: &mut [[_; ROOM]; T] = tables.as_mut_slice().try_into().expect("T tables");
    for (batch, picks) in picks.chunks_exact(sums.len()).enumerate() {
        for (i, table) in tables.iter_mut().enumerate() {
            fill::<W, L, ROOM, R>(table, x, (batch * T + i) * group(ROOM));
        }
        for (sum, picks) in sums.iter_mut().zip(picks) {
            let picked = |i: usize| R::load(&tables[i][(picks >> (8 * i)) as usize % ROOM]);
            let mut total = R::load(sum);
            for i in (0..T).step_by(2) {
                total = total.add(picked(i).add(picked(i + 1)));
            }
            total.store(sum);
        }
    }
}

/// table[sum_i (c_i + 1) 3^i] = sum_i c_i x_i for all c in {-1, 0, 1}^G, x_i column `first` + i of X, 0 beyond its end.
#[inline(always)]
fn fill<W: Word, const L: usize, const ROOM: usize, R: Register<W, L>>(
    table: &mut [Line<W, L>; ROOM],
    x: Matrix<'_, W>,
    first: usize,
) {
    let column = |i| R::load(&column_of(x, first + i));
    // The sums of two columns stay in registers, so that each of the table is stored once and never loaded.
    let pairs = pairs(column(0), column(1));
    let two = column(2);
    let rows = if ROOM == OF_THREE {
        let zero = two.sub(two);
        &[zero.sub(two), zero, two][..]
    } else {
        &self::pairs(two, column(3))
    };
    for (&rest, table) in rows.iter().zip(table.chunks_exact_mut(pairs.len())) {
        for (pair, line) in pairs.iter().zip(table) {
            pair.add(rest).store(line);
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
fn column_of<W: Word, const L: usize>(x: Matrix<'_, W>, column: usize) -> Line<W, L> {
    let mut line = Line::zero();
    if column >= x.columns() {
        return line;
    }
    if x.strides().0 == 1 {
        let from = column * x.strides().1;
        let rows = &x.data()[from..from + x.rows()];
        // A copy of known length is one move; only the last tile has another.
        match rows.first_chunk::<L>() {
            Some(rows) => line.0 = *rows,
            None => line.0[..rows.len()].copy_from_slice(rows),
        }
    } else {
        for (i, value) in line.0.iter_mut().enumerate().take(x.rows()) {
            *value = x.at(i, column);
        }
    }
    line
}
