//! AVX2 with FMA: two registers of four lanes.
#![allow(unsafe_code)]

mod register;

use core::arch::x86_64::*;

use tautochrone_simd::Avx2;

use register::*;

use super::batch::Element;
use super::generic::doors;
use super::lanes::Lanes;

doors!(Avx2, Ymm2, "avx2,fma,popcnt");

/// Two registers, behind the doors only, which enable their instructions.
#[derive(Clone, Copy)]
struct Ymm2([__m256i; 2]);

/// Methods that do the same to both registers.
macro_rules! twice {
    ($($name:ident($($x:ident),*) = $instructions:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $x: Self)*) -> Self {
            // SAFETY: the function that this is inlined into enables the instructions, as everywhere below.
            Self(unsafe { [$instructions(self.0[0] $(, $x.0[0])*), $instructions(self.0[1] $(, $x.0[1])*)] })
        }
    )*};
}

/// The same without `self`.
macro_rules! twice_of {
    ($($name:ident($($x:ident),*) = $instructions:expr;)*) => {$(
        #[inline(always)]
        fn $name($($x: Self),*) -> Self {
            // SAFETY: as above.
            Self(unsafe { [$instructions($($x.0[0]),*), $instructions($($x.0[1]),*)] })
        }
    )*};
}

impl Lanes for Ymm2 {
    /// The first bit of every lane; the others are anything.
    type Mask = Self;
    /// Entries of 32 bits; or the low halves, then the high halves, of entries of 64.
    type Table = [__m256i; 4];

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        let at: *const __m256i = words.as_ptr().cast();
        // SAFETY: as above; 64 bytes are there.
        Self(unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] })
    }

    #[inline(always)]
    fn load_f64(numbers: &[f64; 8]) -> Self {
        let at: *const __m256i = numbers.as_ptr().cast();
        // SAFETY: as above; 64 bytes are there.
        Self(unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] })
    }

    #[inline(always)]
    fn store(self, out: &mut [i64; 8]) {
        let at: *mut __m256i = out.as_mut_ptr().cast();
        // SAFETY: as above; 64 bytes are there.
        unsafe {
            _mm256_storeu_si256(at, self.0[0]);
            _mm256_storeu_si256(at.add(1), self.0[1]);
        }
    }

    #[inline(always)]
    fn compress<T: Element>(self, kept: u8, out: &mut [T; 8]) {
        let (low, high) = (kept & 15, kept >> 4);
        // SAFETY: as above; four elements from one of the first five on are there.
        unsafe {
            store_kept(self.0[0], low, out.as_mut_ptr());
            store_kept(self.0[1], high, out.as_mut_ptr().add(low.count_ones() as usize));
        }
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { [_mm256_set1_epi64x(word as i64); 2] })
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { [shl::<N>(self.0[0]), shl::<N>(self.0[1])] })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { [shr::<N>(self.0[0]), shr::<N>(self.0[1])] })
    }

    #[inline(always)]
    fn product(self, factor: Self) -> (Self, Self) {
        // SAFETY: as above.
        let [(a, b), (c, d)] =
            unsafe { [product(self.0[0], factor.0[0]), product(self.0[1], factor.0[1])] };
        (Self([a, c]), Self([b, d]))
    }

    twice! {
        add(other) = _mm256_add_epi64;
        sub(other) = _mm256_sub_epi64;
        and(other) = _mm256_and_si256;
        select(one, zero) = select;
        or_unmasked(bits, mask) = or_unmasked;
        add_product(x, factor) = add_product;
        add_f64(other) = add_f64;
        sub_f64(other) = sub_f64;
        mul_f64(other) = mul_f64;
        mul_add_f64(factor, summand) = mul_add_f64;
        floor_f64() = floor_f64;
        to_f64() = to_f64;
        to_i64() = to_i64;
        to_u64() = to_u64;
        less(other) = less;
        less_63(other) = less_63;
        is_zero() = is_zero;
        bit_32() = shl::<31>;
        choose_less_32(limit, yes, no) = choose_less_32;
    }

    twice_of! {
        choose(mask, yes, no) = choose;
        both(a, b) = _mm256_and_si256;
        either(a, b) = _mm256_or_si256;
        but_not(a, b) = but_not;
        even_32(low, high) = even_32;
        odd_32(low, high) = odd_32;
    }

    #[inline(always)]
    fn nowhere() -> Self {
        Self::splat(0)
    }

    #[inline(always)]
    fn bits(Self([low, high]): Self) -> u8 {
        // SAFETY: as above.
        let [low, high] = unsafe {
            [_mm256_castsi256_pd(low), _mm256_castsi256_pd(high)].map(|m| _mm256_movemask_pd(m))
        };
        (low | high << 4) as u8
    }

    #[inline(always)]
    fn table_32(entries: &[u32; 32]) -> Self::Table {
        let at: *const __m256i = entries.as_ptr().cast();
        // SAFETY: as above; 128 bytes are there.
        unsafe {
            [
                _mm256_loadu_si256(at),
                _mm256_loadu_si256(at.add(1)),
                _mm256_loadu_si256(at.add(2)),
                _mm256_loadu_si256(at.add(3)),
            ]
        }
    }

    #[inline(always)]
    fn table_64(entries: &[u64; 16]) -> Self::Table {
        let mut halves = [0; 32];
        for (i, entry) in entries.iter().enumerate() {
            (halves[i], halves[16 + i]) = (*entry as u32, (entry >> 32) as u32);
        }
        Self::table_32(&halves)
    }

    #[inline(always)]
    fn look_up_32(self, table: &Self::Table) -> Self {
        // SAFETY: as above.
        Self(unsafe { [look_up_32(table, self.0[0]), look_up_32(table, self.0[1])] })
    }

    #[inline(always)]
    fn look_up_64(self, &[a, b, c, d]: &Self::Table) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            // The indices of both registers side by side.
            let index = even_32(self.0[0], self.0[1]);
            let (low, high) = (look_up_16([a, b], index), look_up_16([c, d], index));
            [even_32(low, high), odd_32(low, high)]
        })
    }
}
