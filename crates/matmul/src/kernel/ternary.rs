//! Sums of columns by table, for a tile of rows that fills 64 bytes.
#![allow(unsafe_code)]

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::Isa;

use crate::matrix::Matrix;
use crate::word::Word;

/// Columns of X that share a table.
pub(crate) const GROUP: usize = 4;
/// Tables in use at a time: 4 of 81 sums of 64 bytes are 20 KiB of a 32 KiB first-level cache.
pub(crate) const TABLES: usize = 4;
/// Room for the 3^GROUP = 81 sums of a table, a power of two so that an index needs no comparison.
const ROOM: usize = 128;

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

type Table<W, const L: usize> = [Line<W, L>; ROOM];

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

/// Adds to `sums[j]`, for every batch of `GROUP TABLES` columns of X (at most L rows), the sums that column j picks.
pub(crate) fn tiles<W: Word, const L: usize>(
    isa: Isa,
    x: Matrix<'_, W>,
    picks: &[[u8; TABLES]],
    sums: &mut [Line<W, L>],
) {
    #[cfg(target_arch = "x86_64")]
    {
        if isa.avx512().is_some() {
            // SAFETY: the token proves AVX-512 F, BW, DQ, VL.
            return unsafe { x86::avx512(x, picks, sums) };
        }
        if isa.avx2().is_some() {
            // SAFETY: the token proves AVX2.
            return unsafe { x86::avx2(x, picks, sums) };
        }
    }
    let _ = isa;
    run::<W, L, Line<W, L>>(x, picks, sums);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::{Line, Matrix, Register, TABLES, Word, run};

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
    pub(super) fn avx512<W: Word, const L: usize>(
        x: Matrix<'_, W>,
        picks: &[[u8; TABLES]],
        sums: &mut [Line<W, L>],
    ) {
        run::<W, L, Zmm>(x, picks, sums);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2<W: Word, const L: usize>(
        x: Matrix<'_, W>,
        picks: &[[u8; TABLES]],
        sums: &mut [Line<W, L>],
    ) {
        run::<W, L, Ymm>(x, picks, sums);
    }
}

#[inline(always)]
fn run<W: Word, const L: usize, R: Register<W, L>>(
    x: Matrix<'_, W>,
    picks: &[[u8; TABLES]],
    sums: &mut [Line<W, L>],
) {
    let mut tables: Vec<Table<W, L>> = vec![[Line::zero(); ROOM]; TABLES];
    let [a, b, c, d] = &mut tables[..] else { unreachable!("as many as were made") };
    for (batch, picks) in picks.chunks_exact(sums.len()).enumerate() {
        let first = batch * TABLES * GROUP;
        for (group, table) in [&mut *a, b, c, d].into_iter().enumerate() {
            fill::<W, L, R>(table, x, first + group * GROUP);
        }
        for (sum, picks) in sums.iter_mut().zip(picks) {
            let [p, q, r, s] = picks.map(|pick| usize::from(pick) % ROOM);
            let ab = R::load(&a[p]).add(R::load(&b[q]));
            let cd = R::load(&c[r]).add(R::load(&d[s]));
            R::load(sum).add(ab).add(cd).store(sum);
        }
    }
}

/// table[sum_i (c_i + 1) 3^i] = sum_i c_i x_i for all c in {-1, 0, 1}^4, x_i column `first` + i of X, 0 beyond its end.
#[inline(always)]
fn fill<W: Word, const L: usize, R: Register<W, L>>(
    table: &mut Table<W, L>,
    x: Matrix<'_, W>,
    first: usize,
) {
    table[0] = Line::zero();
    let mut size = 1;
    for column in first..first + GROUP {
        let value = R::load(&column_of(x, column));
        let (low, rest) = table.split_at_mut(size);
        let (middle, high) = rest.split_at_mut(size);
        for ((low, middle), high) in low.iter_mut().zip(middle).zip(high) {
            let sum = R::load(low);
            sum.store(middle);
            sum.add(value).store(high);
            sum.sub(value).store(low);
        }
        size *= 3;
    }
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
