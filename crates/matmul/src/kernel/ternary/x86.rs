//! Lines in AVX-512 and AVX2 registers.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::generic::{Line, Register};
use crate::word::Word;

#[derive(Clone, Copy)]
pub(in super::super) struct Zmm(pub(in super::super) __m512i);

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
    fn read(words: &[W; L]) -> Self {
        assert!(Line::<W, L>::fits());
        // SAFETY: the words are 64 bytes; AVX-512 as above.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }
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
    fn read(words: &[W; L]) -> Self {
        assert!(Line::<W, L>::fits());
        let from = words.as_ptr().cast::<__m256i>();
        // SAFETY: the words are 64 bytes; AVX2 as above.
        Self(unsafe { [_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))] })
    }
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

/// The functions of tiles with the instructions of a register.
macro_rules! doors {
    ($module:ident, $register:ident, $features:literal) => {
        pub(super) mod $module {
            use crate::kernel::ternary::generic::{self, Tile};
            use crate::kernel::ternary::x86::$register;
            use crate::word::Word;

            #[target_feature(enable = $features)]
            pub(in super::super) fn run<
                W: Word,
                const L: usize,
                const T: usize,
                const ROOM: usize,
            >(
                tile: Tile<'_, '_, W, W, L, T, ROOM>,
            ) {
                generic::run::<W, $register, L, T, ROOM>(tile);
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn run_narrow<const T: usize, const ROOM: usize>(
                tile: Tile<'_, '_, u8, u32, 64, T, ROOM>,
                bound: u8,
            ) {
                generic::run_narrow::<$register, T, ROOM>(tile, bound);
            }
        }
    };
}

doors!(avx512, Zmm, "avx512f,avx512bw,avx512dq,avx512vl");
doors!(avx2, Ymm, "avx2");
