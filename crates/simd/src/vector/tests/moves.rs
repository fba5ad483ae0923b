//! [`Lanes`], [`Halves`], [`Bytes`] and [`LookUpBytes`].
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "nothing else has them yet"))]

use super::*;

#[inline(always)]
fn positions<V: Lanes>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    let mut out = vec![x.first(), x.sum()];
    let mask = V::mask_from_bits(token, input[0] as u32);
    out.extend(lanes(&[V::splat_element(token, &[x, y], V::LANES + 1), V::blend(mask, x, y)]));
    for n in 0..V::LANES {
        out.extend(lanes(&[x.up(y, n)]));
    }
    out
}

#[inline(always)]
fn halves<V: Halves>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    let mut out = lanes(&[0, 1, 2, 3].map(|i| x.splat_in_halves(i)));
    for n in 0..V::LANES / 2 {
        out.extend(lanes(&[x.up_in_halves(y, n)]));
    }
    out
}

#[inline(always)]
fn bytes<V: Bytes>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    let indices = y.and(V::splat(token, 0x8f0f_0f8f_0f0f_0f0f));
    // An index above 15 selects nothing: 0x80 is the only such index that is defined.
    let high = indices.and(V::splat(token, 0x8080_8080_8080_8080));
    let nothing = high.sub(high.shr::<7>()).or(high);
    let indices = nothing.andnot(indices).or(high);
    lanes(&[
        V::splat_128(token, [input[0], input[1]]),
        x.shuffle_bytes(indices),
        x.even_32(y),
        x.odd_32(y),
        x.interleave_low_32(y),
        x.interleave_high_32(y),
        x.interleave_low_64(y),
        x.interleave_high_64(y),
        x.align_64(y),
        x.swap_64(),
    ])
}

#[inline(always)]
fn look_up<V: LookUpBytes>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    lanes(&[x.look_up(y)])
}

/// The definitions, on bytes and lanes that name themselves.
#[test]
fn the_emulation_is_what_it_says() {
    let x = Emulated::<4>::load((), &[0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908, 2, 3]);
    let y = Emulated::<4>::load((), &[4, 5, 6, 7]);
    let reversed = Emulated::splat((), 0x0001_0203_0405_0680);
    assert_eq!(x.shuffle_bytes(reversed).0[..2], [0x0001_0203_0405_0600; 2]);
    assert_eq!(x.align_64(y).0, [0x0f0e_0d0c_0b0a_0908, 4, 3, 6]);
    assert_eq!(x.even_32(y).0[..2], [0x0b0a_0908_0302_0100, 5 << 32 | 4]);
    assert_eq!(x.odd_32(y).0[..2], [0x0f0e_0d0c_0706_0504, 0]);
    assert_eq!(x.interleave_low_32(y).0[0], 4 << 32 | 0x0302_0100);
    assert_eq!(x.interleave_high_32(y).0[0], 5 << 32 | 0x0b0a_0908);
    assert_eq!(x.interleave_low_64(y).0[2..], [2, 6]);
    assert_eq!(x.interleave_high_64(y).0[2..], [3, 7]);
    assert_eq!(y.up(x, 1).0, [3, 4, 5, 6]);
    assert_eq!(y.sum(), 22);
    assert_eq!(y.splat_in_halves(1).0, [5, 5, 7, 7]);
    assert_eq!(y.up_in_halves(x, 1).0, [x.0[1], 4, 3, 6]);
    assert_eq!(Emulated::blend(Emulated::<4>::mask_from_bits((), 0b0101), x, y).0[1..], [5, 2, 7]);
    let table = Emulated::<8>::load_bytes((), &core::array::from_fn::<u8, 64, _>(|i| 63 - i as u8));
    assert_eq!(Emulated::<8>::splat((), 0xc1).look_up(table).0[0], 0x3f3f_3f3f_3f3f_3f3e);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn registers_agree_with_the_emulation() {
    for isa in Isa::all() {
        if let Some(token) = isa.avx2() {
            agree!(bytes, U64x2<_>, 2, token);
            agree!(bytes, U64x4<_>, 4, token);
        }
        if let Some(token) = isa.avx512() {
            agree!(positions, U64x8<_>, 8, token);
            agree!(halves, U64x8<_>, 8, token);
            agree!(bytes, U64x8<_>, 8, token);
        }
        if let Some(token) = isa.vbmi() {
            agree!(look_up, U64x8<_>, 8, token);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn words_of_registers_are_their_lanes() {
    let input = words(16);
    if let Some(token) = Isa::detect_vectors().ifma() {
        assert_eq!(U64x8::words(&operands::<U64x8<_>, 2>(token, &input)), &input[..]);
    }
}
