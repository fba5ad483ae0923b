//! Every register agrees with the emulated one of as many lanes, on extremes and on random words.

extern crate std;

mod results;

use std::vec;
use std::vec::Vec;

use super::*;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
use crate::Isa;
use crate::Token;
use crate::vectorize;
use results::*;

/// Words whose parts carry, borrow and shift at their extremes, then words of a generator.
fn words(count: usize) -> Vec<u64> {
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

/// The definitions: a product of 104 bits; FIPS 197, sections 4.2 and 5.1.1.
#[test]
fn products_and_bytes_are_what_is_known() {
    let (one, max) = (Emulated::<1>::splat((), 1), Emulated::<1>::splat((), u64::MAX));
    assert_eq!(one.madd_low(max, max).0, [2]);
    assert_eq!(one.madd_high(max, max).0, [(1 << 52) - 1]);
    let product = Emulated::<1>::splat((), 0x57).multiply(Emulated::splat((), 0x83));
    assert_eq!(product.0, [0xc1]);
    // The S-box of AES, without its constant and with it.
    let matrix = Emulated::<1>::splat((), 0xf1e3_c78f_1f3e_7cf8);
    assert_eq!(Emulated::splat((), 0x53).inverse_affine(matrix).0, [0xed ^ 0x63]);
    let identity = Emulated::<1>::splat((), 0x0102_0408_1020_4080);
    assert_eq!(Emulated::splat((), 0x53).affine::<0x63>(identity).0[0] & 0xff, 0x53 ^ 0x63);
}

/// Floors as integers, and the fractions: exact but for integers that an `f64` cannot hold.
fn floors_are_right<V: Float>(token: V::Token) {
    let mut words = numbers(&words(800));
    let edges = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.5, -2.5, -1e-20, 1e-300, -1e-300, -5e-324];
    let limit = 2_251_799_813_685_248.0 - 0.5;
    words.extend(edges.map(f64::to_bits));
    words.extend([limit, -limit, 0.999_999_999_999_999_9, -3.7].map(f64::to_bits));
    for input in words.chunks_exact(V::LANES) {
        let (floor, rest) = vectorize!(token, V::load(token, input).floor_parts());
        let (floor, rest) = (lanes(&[floor]), lanes(&[rest]));
        for (lane, &x) in input.iter().enumerate() {
            let (x, rest) = (f64::from_bits(x), f64::from_bits(rest[lane]));
            assert_eq!(floor[lane].cast_signed(), x.floor() as i64, "{x:e}");
            assert!((rest - (x - x.floor())).abs() <= 2_f64.powi(-53), "{x:e}: {rest:e}");
        }
    }
}

#[test]
fn pairs_and_one_lane_agree_with_the_emulation() {
    agree!(everything, U64x1, 1, ());
    agree!(all, Pair<Emulated<4>>, 8, ());
    agree!(products, Pair<Emulated<4>>, 8, ());
    agree!(gf2p8, Pair<Emulated<4>>, 8, ());
    floors_are_right::<Emulated<8>>(());
    floors_are_right::<Pair<Emulated<4>>>(());
}

#[cfg(target_arch = "x86_64")]
#[test]
fn registers_agree_with_the_emulation() {
    for isa in Isa::all() {
        if let Some(token) = isa.avx2() {
            agree!(everything, U64x2<_>, 2, token);
            agree!(ordered, U64x2<_>, 2, token);
            agree!(bytes, U64x2<_>, 2, token);
            agree!(all, U64x4<_>, 4, token);
            agree!(gathered, U64x4<_>, 4, token);
            agree!(bytes, U64x4<_>, 4, token);
            floors_are_right::<U64x4<_>>(token);
            agree!(all, Pair<U64x4<_>>, 8, token);
            agree!(products, Pair<U64x4<_>>, 8, token);
        }
        if let Some(token) = isa.gfni() {
            agree!(gf2p8, U64x2<_>, 2, token);
            agree!(gf2p8, U64x4<_>, 4, token);
        }
        if let Some(token) = isa.avx512() {
            agree!(everything, U64x2<_>, 2, token);
            agree!(ordered, U64x2<_>, 2, token);
            agree!(all, U64x4<_>, 4, token);
            agree!(all, U64x8<_>, 8, token);
            agree!(gathered, U64x8<_>, 8, token);
            agree!(moved, U64x8<_>, 8, token);
            agree!(bytes, U64x8<_>, 8, token);
            floors_are_right::<U64x8<_>>(token);
            agree!(all, Pair<U64x8<_>>, 16, token);
        }
        if let Some(token) = isa.vnni() {
            agree!(gathered, U64x8<_>, 8, token);
        }
        if let Some(token) = isa.ifma() {
            agree!(madd52, U64x8<_>, 8, token);
            agree!(products, U64x8<_>, 8, token);
        }
        if let Some(token) = isa.vbmi() {
            agree!(look_up, U64x8<_>, 8, token);
        }
        if let (Some(vbmi), Some(gfni)) = (isa.vbmi(), isa.gfni()) {
            agree!(gf2p8, U64x8<_>, 8, (vbmi, gfni));
        }
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[test]
fn registers_agree_with_the_emulation() {
    let token = Isa::detect().neon().expect("NEON is a part of this target");
    agree!(all, U64x2<_>, 2, token);
    agree!(products, U64x2<_>, 2, token);
    agree!(gathered, U64x2<_>, 2, token);
    floors_are_right::<U64x2<_>>(token);
    agree!(all, Pair<U64x2<_>>, 4, token);
    agree!(all, Pair<Pair<U64x2<_>>>, 8, token);
    agree!(products, Pair<Pair<U64x2<_>>>, 8, token);
}

/// Every truth table, as the gates have it and as it is defined.
#[test]
fn gates_have_their_truth_tables() {
    let [a, b, c] = [0xf0, 0xcc, 0xaa].map(|x| U64x1::splat((), x));
    macro_rules! tables {
        ($($high:literal)*) => {$(
            tables!(@ $high: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        )*};
        (@ $high:literal: $($low:literal)*) => {$(
            let table = 16 * $high + $low;
            let got = U64x1::lut3::<{ 16 * $high + $low }>(a, b, c).and(U64x1::splat((), 0xff));
            assert_eq!(got, U64x1::splat((), table), "{table:#x}");
        )*};
    }
    tables!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}
