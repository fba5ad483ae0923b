//! The kernels on registers of x86-64: AVX-512 with VBMI and GFNI, and AVX2 with GFNI.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;

use tautochrone_simd::{Gfni, Vbmi};

use super::vector::{Bytes, Columns, Lanes, Table, Wide, Words};
use super::{lanes, narrow, wide};
use crate::circuit::Plane;
use crate::registers::{Xmm, Xmm512, Ymm, Ymm512, Zmm};
use crate::schedule::Schedule;

/// A kernel: its door, and the function that enables its instructions.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident / $inner:ident($token:ty, $keys:ty), $features:literal, $run:expr) => {
        $(#[$doc])*
        pub(crate) fn $name(_: $token, keys: &$keys, decrypt: bool, blocks: &mut [[u8; 8]]) {
            // SAFETY: the tokens prove these features.
            unsafe { $inner(keys, decrypt, blocks) };
        }

        #[target_feature(enable = $features)]
        fn $inner(keys: &$keys, decrypt: bool, blocks: &mut [[u8; 8]]) {
            $run(keys, decrypt, blocks);
        }
    };
}

kernel! {
    /// Any number of blocks in 512-bit registers.
    wide / wide_avx512((Vbmi, Gfni), wide::Keys), "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni",
    wide::run::<Zmm>
}
kernel! {
    /// One block, with instructions of AVX-512.
    one512 / one_avx512((Vbmi, Gfni), lanes::Keys), "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni",
    lanes::process::<Xmm512>
}
kernel! {
    /// Two blocks, with instructions of AVX-512.
    two512 / two_avx512((Vbmi, Gfni), lanes::Keys), "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni",
    lanes::process::<Ymm512>
}
kernel! {
    /// Any number of blocks in 256-bit registers.
    narrow / narrow_avx2(Gfni, narrow::Keys), "avx2,gfni",
    narrow::run::<Ymm>
}
kernel! {
    /// One block, with instructions of AVX2.
    one256 / one_avx2(Gfni, lanes::Keys), "avx2,gfni",
    lanes::process::<Xmm>
}
kernel! {
    /// Two blocks, with instructions of AVX2.
    two256 / two_avx2(Gfni, lanes::Keys), "avx2,gfni",
    lanes::process::<Ymm>
}

/// The keys of a round for two kernels: the door, and the function that enables its instructions.
macro_rules! keys {
    ($(#[$doc:meta])* $name:ident / $inner:ident($token:ty) -> $many:ty, $features:literal, $lanes:ty) => {
        $(#[$doc])*
        pub(crate) fn $name(_: $token, schedule: &Schedule) -> ($many, lanes::Keys) {
            // SAFETY: the tokens prove these features.
            unsafe { $inner(schedule) }
        }

        #[target_feature(enable = $features)]
        fn $inner(schedule: &Schedule) -> ($many, lanes::Keys) {
            (<$many>::new::<$lanes>(schedule), lanes::Keys::new::<$lanes>(schedule))
        }
    };
}

keys! {
    /// For [`wide`], [`one512`] and [`two512`].
    keys512 / keys_avx512((Vbmi, Gfni)) -> wide::Keys, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni", Ymm512
}
keys! {
    /// For [`narrow`], [`one256`] and [`two256`].
    keys256 / keys_avx2(Gfni) -> narrow::Keys, "avx2,gfni", Ymm
}

/// [`Bytes`] by these intrinsics; `$own` overrides more.
macro_rules! bytes {
    ($name:ident, $affine:ident, $inverse:ident, $multiply:ident, { $($own:tt)* }) => {
        impl Bytes for $name {
            #[inline(always)]
            fn affine<const C: i32>(self, matrix: Self) -> Self {
                // SAFETY: the enclosing function enables the instructions, as everywhere below.
                Self(unsafe { $affine::<C>(self.0, matrix.0) })
            }
            #[inline(always)]
            fn inverse_affine(self, matrix: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $inverse::<0>(self.0, matrix.0) })
            }
            #[inline(always)]
            fn multiply(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $multiply(self.0, other.0) })
            }
            $($own)*
        }
    };
}

/// Three inputs at a time, as AVX-512 can: truth tables of x ? y : z, x ^ y & z, x ^ y ^ z.
macro_rules! ternary {
    ($ternary:ident) => {
        #[inline(always)]
        fn select(self, one: Self, zero: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $ternary::<0xca>(self.0, one.0, zero.0) })
        }
        #[inline(always)]
        fn add_masked(self, value: Self, mask: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $ternary::<0x78>(self.0, value.0, mask.0) })
        }
        #[inline(always)]
        fn add2(self, a: Self, b: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $ternary::<0x96>(self.0, a.0, b.0) })
        }
    };
}

/// The same for the least latency: on Zen 4 the instruction takes two cycles, not one, if its destination comes before another
/// operand, and compilers choose the destination at will. Here it is the ones of a selection, the mask of `add_masked`, the last
/// operand of `add2`.
macro_rules! ternary_in_order {
    ($ternary:ident) => {
        #[inline(always)]
        fn select(self, one: Self, zero: Self) -> Self {
            // SAFETY: the enclosing function enables the instruction, as below.
            Self(unsafe { $ternary::<0xe2>(one.0, self.0, zero.0) })
        }
        #[inline(always)]
        fn add_masked(self, value: Self, mask: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $ternary::<0x6c>(mask.0, self.0, value.0) })
        }
        #[inline(always)]
        fn add2(self, a: Self, b: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $ternary::<0x96>(b.0, a.0, self.0) })
        }
    };
}

macro_rules! ternary_instruction {
    ($name:ident($vector:ty, $width:literal)) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512vl")]
        fn $name<const TABLE: i32>(mut x: $vector, y: $vector, z: $vector) -> $vector {
            // SAFETY: registers go in and out, nothing else.
            unsafe {
                asm!(
                    concat!("vpternlogq {x:", $width, "}, {y:", $width, "}, {z:", $width, "}, {table}"),
                    x = inout(zmm_reg) x,
                    y = in(zmm_reg) y,
                    z = in(zmm_reg) z,
                    table = const TABLE,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            x
        }
    };
}
ternary_instruction!(ternary128(__m128i, "x"));
ternary_instruction!(ternary256(__m256i, "y"));

#[rustfmt::skip]
bytes!(Zmm, _mm512_gf2p8affine_epi64_epi8, _mm512_gf2p8affineinv_epi64_epi8, _mm512_gf2p8mul_epi8,
    { ternary!(_mm512_ternarylogic_epi64); });
#[rustfmt::skip]
bytes!(Ymm512, _mm256_gf2p8affine_epi64_epi8, _mm256_gf2p8affineinv_epi64_epi8, _mm256_gf2p8mul_epi8,
    { ternary_in_order!(ternary256); });
#[rustfmt::skip]
bytes!(Xmm512, _mm_gf2p8affine_epi64_epi8, _mm_gf2p8affineinv_epi64_epi8, _mm_gf2p8mul_epi8,
    { ternary_in_order!(ternary128); });
#[rustfmt::skip]
bytes!(Xmm, _mm_gf2p8affine_epi64_epi8, _mm_gf2p8affineinv_epi64_epi8, _mm_gf2p8mul_epi8, {});
bytes!(
    Ymm,
    _mm256_gf2p8affine_epi64_epi8,
    _mm256_gf2p8affineinv_epi64_epi8,
    _mm256_gf2p8mul_epi8,
    {}
);

impl Wide for Zmm {
    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_srli_epi64::<N>(self.0) })
    }
    #[inline(always)]
    fn look_up(self, table: &Table) -> Self {
        // SAFETY: a table is 64 bytes and aligned to them.
        let table = unsafe { _mm512_load_si512(table.0.as_ptr().cast()) };
        // SAFETY: as above.
        Self(unsafe { _mm512_permutexvar_epi8(self.0, table) })
    }
}

/// Bytes of four blocks' halves, dword by dword, to dwords of equal bytes, and back.
const TRANSPOSE: [i64; 2] = [0x0d09_0501_0c08_0400, 0x0f0b_0703_0e0a_0602];

macro_rules! columns {
    ($name:ident, $vector:ty, $blocks:literal, $load:ident, $store:ident, $to_ps:ident, $shuffle_ps:ident, $from_ps:ident,
        $shuffle:ident, $broadcast:ident, $low32:ident, $high32:ident, $low64:ident, $high64:ident) => {
        impl $name {
            /// Register i of eight with blocks.
            #[inline(always)]
            fn register(bytes: &[u8], i: usize) -> $vector {
                let bytes = &bytes[i * $blocks..(i + 1) * $blocks];
                // SAFETY: the enclosing function enables the instructions, as everywhere below; a register has BLOCKS bytes.
                unsafe { $load(bytes.as_ptr().cast()) }
            }

            /// The even dwords of two registers, or the odd ones, sorted by byte.
            #[inline(always)]
            fn half<const DWORDS: i32>(x: $vector, y: $vector) -> $vector {
                // SAFETY: as above.
                let half = unsafe { $from_ps($shuffle_ps::<DWORDS>($to_ps(x), $to_ps(y))) };
                Self::sort(half)
            }

            #[inline(always)]
            fn sort(x: $vector) -> $vector {
                // SAFETY: as above.
                unsafe { $shuffle(x, $broadcast(_mm_set_epi64x(TRANSPOSE[1], TRANSPOSE[0]))) }
            }

            /// Four dwords a lane in each of four registers, transposed.
            #[inline(always)]
            fn transpose(w: $vector, x: $vector, y: $vector, z: $vector) -> [$vector; 4] {
                // SAFETY: as above.
                let (a, b) = unsafe { ($low32(w, x), $high32(w, x)) };
                // SAFETY: as above.
                let (c, d) = unsafe { ($low32(y, z), $high32(y, z)) };
                // SAFETY: as above.
                unsafe { [$low64(a, c), $high64(a, c), $low64(b, d), $high64(b, d)] }
            }
        }

        impl Columns for $name {
            const BLOCKS: usize = $blocks;
            #[inline(always)]
            fn load(blocks: &[[u8; 8]]) -> [[Self; 4]; 2] {
                let bytes = blocks.as_flattened();
                assert_eq!(bytes.len(), 8 * $blocks);
                let zero = Self::splat(0).0;
                let (mut left, mut right) = ([zero; 4], [zero; 4]);
                for i in 0..4 {
                    let (x, y) = (Self::register(bytes, 2 * i), Self::register(bytes, 2 * i + 1));
                    left[i] = Self::half::<0b10_00_10_00>(x, y);
                    right[i] = Self::half::<0b11_01_11_01>(x, y);
                }
                let [l3, l2, l1, l0] = Self::transpose(left[0], left[1], left[2], left[3]);
                let [r3, r2, r1, r0] = Self::transpose(right[0], right[1], right[2], right[3]);
                [[Self(l0), Self(l1), Self(l2), Self(l3)], [Self(r0), Self(r1), Self(r2), Self(r3)]]
            }
            #[inline(always)]
            fn store([left, right]: [[Self; 4]; 2], blocks: &mut [[u8; 8]]) {
                let bytes = blocks.as_flattened_mut();
                assert_eq!(bytes.len(), 8 * $blocks);
                let left = Self::transpose(left[3].0, left[2].0, left[1].0, left[0].0);
                let right = Self::transpose(right[3].0, right[2].0, right[1].0, right[0].0);
                for i in 0..4 {
                    let (left, right) = (Self::sort(left[i]), Self::sort(right[i]));
                    let to = bytes[2 * i * $blocks..(2 * i + 2) * $blocks].as_mut_ptr();
                    // SAFETY: as above; `to` has room for two registers.
                    unsafe { $store(to.cast(), $low32(left, right)) };
                    // SAFETY: as above.
                    unsafe { $store(to.add($blocks).cast(), $high32(left, right)) };
                }
            }
        }
    };
}

#[rustfmt::skip]
columns!(Zmm, __m512i, 64, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_castsi512_ps, _mm512_shuffle_ps,
    _mm512_castps_si512, _mm512_shuffle_epi8, _mm512_broadcast_i64x2, _mm512_unpacklo_epi32, _mm512_unpackhi_epi32, _mm512_unpacklo_epi64,
    _mm512_unpackhi_epi64);
#[rustfmt::skip]
columns!(Ymm, __m256i, 32, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_castsi256_ps, _mm256_shuffle_ps,
    _mm256_castps_si256, _mm256_shuffle_epi8, _mm256_broadcastsi128_si256, _mm256_unpacklo_epi32, _mm256_unpackhi_epi32, _mm256_unpacklo_epi64,
    _mm256_unpackhi_epi64);

macro_rules! words {
    ($name:ident) => {
        impl Words for $name {
            #[inline(always)]
            fn load(words: [u64; 4]) -> Self {
                // SAFETY: the enclosing function enables the instructions, as everywhere below; a register has four words.
                Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
            }
            #[inline(always)]
            fn words(self) -> [u64; 4] {
                let mut words = [0; 4];
                // SAFETY: as above.
                unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
                words
            }
            #[inline(always)]
            fn swap_halves(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0) })
            }
            #[inline(always)]
            fn shuffle(self, order: [u64; 4]) -> Self {
                // SAFETY: as above.
                Self(unsafe { _mm256_shuffle_epi8(self.0, <Self as Words>::load(order).0) })
            }
        }
    };
}
words!(Ymm);
words!(Ymm512);

macro_rules! lanes {
    ($name:ident, $splat:ident, $swap:ident, $align:ident, $shuffle:ident, $spread:ident, $gather:ident) => {
        impl Lanes for $name {
            #[inline(always)]
            fn splat128(words: [u64; 2]) -> Self {
                // SAFETY: the enclosing function enables the instructions, as everywhere below; a lane has two words.
                let lane = unsafe { _mm_loadu_si128(words.as_ptr().cast()) };
                // SAFETY: as above.
                Self(unsafe { $splat(lane) })
            }
            #[inline(always)]
            fn swap(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $swap::<0b01_00_11_10>(self.0) })
            }
            #[inline(always)]
            fn followed_by(self, next: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $align::<8>(next.0, self.0) })
            }
            #[inline(always)]
            fn shuffle(self, order: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $shuffle(self.0, order.0) })
            }
            #[inline(always)]
            fn load(blocks: &[[u8; 8]]) -> Self {
                Self($spread(blocks))
            }
            #[inline(always)]
            fn store(self, blocks: &mut [[u8; 8]]) {
                $gather(self.0, blocks);
            }
        }
    };
}
#[rustfmt::skip]
lanes!(Xmm, same, _mm_shuffle_epi32, _mm_alignr_epi8, _mm_shuffle_epi8, spread1, gather1);
#[rustfmt::skip]
lanes!(Xmm512, same, _mm_shuffle_epi32, _mm_alignr_epi8, _mm_shuffle_epi8, spread1, gather1);
#[rustfmt::skip]
lanes!(Ymm, _mm256_broadcastsi128_si256, _mm256_shuffle_epi32, _mm256_alignr_epi8, _mm256_shuffle_epi8, spread2, gather2);
#[rustfmt::skip]
lanes!(Ymm512, _mm256_broadcastsi128_si256, _mm256_shuffle_epi32, _mm256_alignr_epi8, _mm256_shuffle_epi8, spread2, gather2);

/// The lane of a register of one.
///
/// # Safety
/// None is needed; as the intrinsics that it stands in for.
#[inline(always)]
unsafe fn same(lane: __m128i) -> __m128i {
    lane
}

/// A block in both words.
#[inline(always)]
fn spread1(blocks: &[[u8; 8]]) -> __m128i {
    Xmm::splat(u64::from_le_bytes(blocks[0])).0
}

#[inline(always)]
fn gather1(words: __m128i, blocks: &mut [[u8; 8]]) {
    let block = &mut blocks[0];
    // SAFETY: as above; there is room for eight bytes.
    unsafe { _mm_storel_epi64(block.as_mut_ptr().cast(), words) };
}

#[inline(always)]
fn spread2(blocks: &[[u8; 8]]) -> __m256i {
    let blocks = blocks[..2].as_flattened();
    // SAFETY: as above; these are sixteen bytes.
    let words = unsafe { _mm_loadu_si128(blocks.as_ptr().cast()) };
    // SAFETY: as above.
    unsafe { _mm256_permute4x64_epi64::<0b01_01_00_00>(_mm256_castsi128_si256(words)) }
}

#[inline(always)]
fn gather2(words: __m256i, blocks: &mut [[u8; 8]]) {
    let blocks = blocks[..2].as_flattened_mut();
    // SAFETY: as above.
    let words = unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(words) };
    // SAFETY: as above; there is room for sixteen bytes.
    unsafe { _mm_storeu_si128(blocks.as_mut_ptr().cast(), _mm256_castsi256_si128(words)) };
}
