//! Powers of bytes: EVM's published vectors, and num-bigint.
use num_bigint::BigUint;
use proptest::prelude::*;
use serde::Deserialize;
use tautochrone_bignum::{modexp_bytes, modexp_bytes_vartime};

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    base: String,
    exponent: String,
    modulus: String,
    power: String,
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).expect("hexadecimal") as u8;
    hex.as_bytes().as_chunks::<2>().0.iter().map(|&[a, b]| digit(a) << 4 | digit(b)).collect()
}

#[test]
fn published_vectors_of_the_evm() {
    let file: File = serde_json::from_str(include_str!("../kat/modexp.json")).expect("the vectors");
    assert!(file.vectors.len() > 30);
    for v in file.vectors {
        let [b, e, m] = [&v.base, &v.exponent, &v.modulus].map(|x| bytes(x));
        assert_eq!(modexp_bytes(&b, &e, &m), bytes(&v.power), "{}", v.name);
        assert_eq!(modexp_bytes_vartime(&b, &e, &m), bytes(&v.power), "{}", v.name);
    }
}

/// Moduli 0 and 1, no bytes at all, and 0^0.
#[test]
fn degenerate_operands_follow_eip_198() {
    for modexp in [modexp_bytes, modexp_bytes_vartime] {
        assert!(modexp(&[1], &[1], &[]).is_empty());
        assert_eq!(modexp(&[1, 2], &[3], &[0; 3]), [0; 3]);
        assert_eq!(modexp(&[], &[], &[0, 1]), [0, 0]);
        assert_eq!(modexp(&[], &[], &[0, 2]), [0, 1]);
        assert_eq!(modexp(&[0; 40], &[0; 9], &[0, 0, 7]), [0, 0, 1]);
        assert_eq!(modexp(&[0xff; 100], &[2], &[0x80]), [1]);
    }
}

/// Bytes with runs of zeros, which the variable-time twin leaves out.
fn number(longest: usize) -> impl Strategy<Value = Vec<u8>> {
    (0usize..12, prop::collection::vec(any::<u8>(), 0..longest), any::<bool>()).prop_map(
        |(zeros, mut x, sparse)| {
            if sparse {
                for b in &mut x {
                    *b &= 0x11;
                }
            }
            [vec![0; zeros], x].concat()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn powers_of_bytes_agree_with_num_bigint(
        base in number(90),
        exponent in number(24),
        modulus in number(80),
    ) {
        let [b, e, m] = [&base, &exponent, &modulus].map(|x| BigUint::from_bytes_be(x));
        let want = if m == BigUint::ZERO { m } else { b.modpow(&e, &m) };
        for modexp in [modexp_bytes, modexp_bytes_vartime] {
            let got = modexp(&base, &exponent, &modulus);
            prop_assert_eq!(got.len(), modulus.len());
            prop_assert_eq!(BigUint::from_bytes_be(&got), want.clone());
        }
    }
}
