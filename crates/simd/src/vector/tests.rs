//! Every register agrees with the emulated one of as many lanes, on extremes and on random words.

extern crate std;

mod arithmetic;
mod extensions;
mod moves;

use std::vec;
use std::vec::Vec;

use super::*;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
use crate::Isa;
use crate::Token;
use crate::vectorize;

/// Words whose parts carry, borrow and shift at their extremes, then words of a generator.
pub(super) fn words(count: usize) -> Vec<u64> {
    const EXTREMES: [u64; 12] = [
        0,
        1,
        u64::MAX,
        1 << 63,
        (1 << 63) - 1,
        1 << 32,
        (1 << 32) - 1,
        (1 << 52) - 1,
        1 << 52,
        63,
        64,
        0x0123_4567_89ab_cdef,
    ];
    // SplitMix64 (Steele, Lea, Flood 2014).
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    };
    (0..count)
        .map(|i| {
            let word = random();
            if i % 3 == 0 { word } else { EXTREMES[word as usize % EXTREMES.len()] }
        })
        .collect()
}

/// The lanes of some registers.
fn lanes<V: Vector>(registers: &[V]) -> Vec<u64> {
    let lanes = |register: &V| {
        let mut words = [0; 16];
        register.store(&mut words);
        words.into_iter().take(V::LANES)
    };
    registers.iter().flat_map(lanes).collect()
}

/// The first registers of the input.
#[inline(always)]
fn operands<V: Vector, const N: usize>(token: V::Token, input: &[u64]) -> [V; N] {
    core::array::from_fn(|i| V::load(token, &input[i * V::LANES..]))
}

/// `$results` of up to three registers are the results of the emulation of as many lanes.
macro_rules! agree {
    ($results:ident, $register:ty, $lanes:literal, $token:expr) => {
        for input in words(3 * $lanes * 500).chunks_exact(3 * $lanes) {
            let got = vectorize!($token, $results::<$register>($token, input));
            assert_eq!(got, $results::<Emulated<$lanes>>((), input), "{input:x?}");
        }
    };
}
use agree;

/// The result of every method for three registers.
#[inline(always)]
fn everything<V: Vector>(token: V::Token, input: &[u64]) -> Vec<u64> {
    assert_eq!(<V::Mask as Mask>::LANES as usize, V::LANES);
    let [x, y, z] = operands::<V, 3>(token, input);
    let mut bytes = [0; 256];
    y.store_bytes(&mut bytes);
    let counts = z.and(V::splat(token, 127));
    let (lt, eq) = (x.lt(y), x.eq(y));
    let mut out = lanes(&[
        V::load_bytes(token, &bytes),
        V::zero(token),
        V::splat(x.token(), input[0]),
        x.and(y),
        x.or(y),
        x.xor(y),
        x.andnot(y),
        x.select(y, z),
        x.xor3(y, z),
        x.xor_masked(y, z),
        x.add(y),
        x.sub(y),
        x.mul_low_32(y),
        x.shl::<0>(),
        x.shl::<63>(),
        x.shr::<1>(),
        x.shr::<32>(),
        x.shl_each(counts),
        x.shr_each(counts),
        x.shl_each(z),
        x.shr_each(z),
        V::blend(lt, x, y),
        V::blend(eq.or(z.sign()), x, y),
        V::blend(lt.and(z.sign()), x, y),
        V::blend(lt.andnot(z.sign()), x, y),
    ]);
    out.extend([lt, eq, x.sign(), lt.or(eq)].map(|mask| u64::from(mask.bits())));
    out
}

/// All sums and differences of narrower lanes of two registers.
#[inline(always)]
fn sums<V: Widths>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    lanes(&[
        x.add_lanes::<8>(y),
        x.add_lanes::<16>(y),
        x.add_lanes::<32>(y),
        x.add_lanes::<64>(y),
        x.sub_lanes::<8>(y),
        x.sub_lanes::<16>(y),
        x.sub_lanes::<32>(y),
        x.sub_lanes::<64>(y),
    ])
}

/// The definition itself, against sums and masks that are written down here.
#[test]
fn the_emulation_is_what_it_says() {
    let x = Emulated::<2>::load((), &[u64::MAX, 5]);
    let y = Emulated::<2>::load((), &[2, 1 << 63]);
    assert_eq!(x.add(y).0, [1, (1 << 63) + 5]);
    assert_eq!(y.sub(x).0, [3, (1 << 63) - 5]);
    assert_eq!(x.mul_low_32(y).0, [2 * u64::from(u32::MAX), 0]);
    assert_eq!(x.andnot(y).0, [0, 1 << 63]);
    assert_eq!(x.select(y, x).0, [2, 0]);
    assert_eq!(y.shl_each(Emulated([64, 1])).0, [0, 0]);
    assert_eq!(y.shr_each(Emulated([1, 63])).0, [1, 1]);
    assert_eq!(x.lt(y).bits(), 0b10);
    assert_eq!(x.sign().bits(), 0b01);
    assert_eq!(x.eq(x).bits(), 0b11);
    assert_eq!(Emulated::blend(x.lt(y), x, y).0, [2, 5]);
}

#[test]
fn pairs_agree_with_the_emulation() {
    agree!(everything, Pair<Emulated<4>>, 8, ());
    agree!(sums, Pair<Emulated<4>>, 8, ());
}

#[test]
fn one_lane_agrees_with_the_emulation() {
    agree!(everything, U64x1, 1, ());
}

#[cfg(target_arch = "x86_64")]
#[test]
fn registers_agree_with_the_emulation() {
    for isa in Isa::all() {
        if let Some(token) = isa.avx2() {
            agree!(everything, U64x2<_>, 2, token);
            agree!(everything, U64x4<_>, 4, token);
            agree!(everything, Pair<U64x4<_>>, 8, token);
            agree!(sums, U64x4<_>, 4, token);
            agree!(sums, Pair<U64x4<_>>, 8, token);
        }
        if let Some(token) = isa.avx512() {
            agree!(everything, U64x2<_>, 2, token);
            agree!(everything, U64x4<_>, 4, token);
            agree!(everything, U64x8<_>, 8, token);
            agree!(everything, Pair<U64x8<_>>, 16, token);
            agree!(sums, U64x4<_>, 4, token);
            agree!(sums, U64x8<_>, 8, token);
            agree!(sums, Pair<U64x8<_>>, 16, token);
        }
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[test]
fn registers_agree_with_the_emulation() {
    let token = Isa::detect().neon().expect("NEON is a part of this target");
    agree!(everything, U64x2<_>, 2, token);
    agree!(everything, Pair<U64x2<_>>, 4, token);
    agree!(everything, Pair<Pair<U64x2<_>>>, 8, token);
    agree!(sums, U64x2<_>, 2, token);
    agree!(sums, Pair<Pair<U64x2<_>>>, 8, token);
}
