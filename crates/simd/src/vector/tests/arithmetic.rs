//! [`Madd52`], [`Gf2p8`] and [`OrderedLogic`].

use super::*;

fn store<V: Vector>(registers: &[V]) -> Vec<u64> {
    let mut out = Vec::new();
    for register in registers {
        let mut words = [0; 16];
        register.store(&mut words);
        out.extend_from_slice(&words[..V::LANES]);
    }
    out
}

/// Three registers.
fn operands<V: Vector>(token: V::Token, input: &[u64]) -> [V; 3] {
    [0, 1, 2].map(|i| V::load(token, &input[i * V::LANES..]))
}

/// Registers have it on x86-64 alone.
#[cfg(target_arch = "x86_64")]
fn madd52<V: Madd52>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V>(token, input);
    store(&[z.madd_low(x, y), z.madd_high(x, y)])
}

fn gf2p8<V: Gf2p8>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, _] = operands::<V>(token, input);
    store(&[x.affine::<0>(y), x.affine::<0xa5>(y), x.inverse_affine(y), x.multiply(y)])
}

fn ordered<V: OrderedLogic>(token: V::Token, input: &[u64]) -> Vec<u64> {
    let [x, y, z] = operands::<V>(token, input);
    let ordered = [x.select_ordered(y, z), x.xor_masked_ordered(y, z), x.xor3_ordered(y, z)];
    assert_eq!(store(&ordered), store(&[x.select(y, z), x.xor_masked(y, z), x.xor3(y, z)]));
    let (first, second) = x.before(y);
    assert_eq!(store(&[first, second]), store(&[x, y]));
    store(&ordered)
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
    for input in words(24 * 100).chunks_exact(24) {
        assert_eq!(gf2p8::<Pair<Emulated<4>>>((), input), gf2p8::<Emulated<8>>((), input));
        assert_eq!(ordered::<Pair<Emulated<4>>>((), input), ordered::<Emulated<8>>((), input));
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[test]
fn registers_agree_with_the_emulation() {
    let token = crate::Isa::detect().neon().expect("NEON is a part of this target");
    for input in words(6 * 500).chunks_exact(6) {
        assert_eq!(ordered::<U64x2<_>>(token, input), ordered::<Emulated<2>>((), input));
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn registers_agree_with_the_emulation() {
    use crate::Isa;

    for isa in Isa::all() {
        for input in words(24 * 500).chunks_exact(24) {
            if let Some(token) = isa.ifma() {
                assert_eq!(madd52::<U64x8<_>>(token, input), madd52::<Emulated<8>>((), input));
            }
            if let Some(token) = isa.gfni() {
                assert_eq!(gf2p8::<U64x2<_>>(token, input), gf2p8::<Emulated<2>>((), input));
                assert_eq!(gf2p8::<U64x4<_>>(token, input), gf2p8::<Emulated<4>>((), input));
            }
            if let (Some(vbmi), Some(gfni)) = (isa.vbmi(), isa.gfni()) {
                let token = (vbmi, gfni);
                assert_eq!(gf2p8::<U64x8<_>>(token, input), gf2p8::<Emulated<8>>((), input));
            }
            if let Some(token) = isa.avx2() {
                assert_eq!(ordered::<U64x2<_>>(token, input), ordered::<Emulated<2>>((), input));
            }
            if let Some(token) = isa.avx512() {
                assert_eq!(ordered::<U64x2<_>>(token, input), ordered::<Emulated<2>>((), input));
                assert_eq!(ordered::<U64x4<_>>(token, input), ordered::<Emulated<4>>((), input));
            }
        }
    }
}
