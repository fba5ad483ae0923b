//! [`Madd52`], [`Gf2p8`] and [`OrderedLogic`].

use super::*;

/// Registers have it on x86-64 alone.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn madd52<V: Madd52>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V, 3>(token, input);
    lanes(&[z.madd_low(x, y), z.madd_high(x, y)])
}

#[inline(always)]
fn gf2p8<V: Gf2p8>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y] = operands::<V, 2>(token, input);
    lanes(&[x.affine::<0>(y), x.affine::<0xa5>(y), x.inverse_affine(y), x.multiply(y)])
}

#[inline(always)]
fn ordered<V: OrderedLogic>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V, 3>(token, input);
    let ordered = [x.select_ordered(y, z), x.xor_masked_ordered(y, z), x.xor3_ordered(y, z)];
    assert_eq!(lanes(&ordered), lanes(&[x.select(y, z), x.xor_masked(y, z), x.xor3(y, z)]));
    let (first, second) = x.before(y);
    assert_eq!(lanes(&[first, second]), lanes(&[x, y]));
    lanes(&ordered)
}

/// The definitions: a product of 104 bits; FIPS 197, sections 4.2 and 5.1.1.
#[test]
fn the_emulation_is_what_it_says() {
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

#[test]
fn pairs_agree_with_the_emulation() {
    agree!(gf2p8, Pair<Emulated<4>>, 8, ());
    agree!(ordered, Pair<Emulated<4>>, 8, ());
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[test]
fn registers_agree_with_the_emulation() {
    let token = Isa::detect().neon().expect("NEON is a part of this target");
    agree!(ordered, U64x2<_>, 2, token);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn registers_agree_with_the_emulation() {
    for isa in Isa::all() {
        if let Some(token) = isa.ifma() {
            agree!(madd52, U64x8<_>, 8, token);
        }
        if let Some(token) = isa.gfni() {
            agree!(gf2p8, U64x2<_>, 2, token);
            agree!(gf2p8, U64x4<_>, 4, token);
        }
        if let (Some(vbmi), Some(gfni)) = (isa.vbmi(), isa.gfni()) {
            agree!(gf2p8, U64x8<_>, 8, (vbmi, gfni));
        }
        if let Some(token) = isa.avx2() {
            agree!(ordered, U64x2<_>, 2, token);
        }
        if let Some(token) = isa.avx512() {
            agree!(ordered, U64x2<_>, 2, token);
            agree!(ordered, U64x4<_>, 4, token);
        }
    }
}
