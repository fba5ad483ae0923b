//! ML-KEM: known answers, keys of our own making by schoolbook arithmetic, and every refusal.
#![allow(
    clippy::integer_division_remainder_used,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests"
)]

use proptest::prelude::*;
use sha3::{Digest, Sha3_256};
use tautochrone_kem_keys::ml_kem::{EncapsulationKey, Set};
use tautochrone_kem_keys::{Error, Secret};

const Q: i64 = 3329;

/// gamma_i = 17^(2 BitRev7(i) + 1), FIPS 203, section 4.3.
fn gamma(i: usize) -> i64 {
    (0..=2 * ((i as u8).reverse_bits() >> 1)).fold(1, |power, _| power * 17 % Q)
}

/// The transform by its definition: f modulo X^2 - gamma_i.
fn transform(f: &[i64]) -> Vec<i64> {
    let value = |gamma: i64, odd: usize| {
        (0..128).rev().fold(0, |sum, m| (sum * gamma + f[2 * m + odd]).rem_euclid(Q))
    };
    (0..256).map(|i| value(gamma(i / 2), i % 2)).collect()
}

fn encode(polynomials: &[Vec<i64>]) -> Vec<u8> {
    let words: Vec<_> = polynomials.iter().flat_map(|f| transform(f)).collect();
    words
        .chunks(2)
        .flat_map(|w| {
            let bits = (w[0] | w[1] << 12) as u32;
            bits.to_le_bytes()[..3].to_vec()
        })
        .collect()
}

/// A s + e, without a transform: negacyclic, coefficient by coefficient.
fn product(key: &EncapsulationKey, s: &[Vec<i64>], e: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let mut t = e.to_vec();
    for (i, t) in t.iter_mut().enumerate() {
        for (j, s) in s.iter().enumerate() {
            let a = key.polynomial(i, j);
            assert!(a.iter().all(|x| x.abs() <= 1664));
            for (m, &a) in a.iter().enumerate() {
                for (n, &s) in s.iter().enumerate() {
                    let sign = if m + n < 256 { 1 } else { -1 };
                    t[(m + n) % 256] += sign * i64::from(a) * s;
                }
            }
        }
        *t = t.iter().map(|x| x.rem_euclid(Q)).collect();
    }
    t
}

/// The keys (ek, dk) of A's seed, s and e.
fn make(set: Set, rho: [u8; 32], s: &[Vec<i64>], e: &[Vec<i64>]) -> (Vec<u8>, Vec<u8>) {
    let matrix = [vec![0; 384 * set.rank()], rho.to_vec()].concat();
    let matrix = EncapsulationKey::from_bytes(set, &matrix).unwrap();
    let ek = [encode(&product(&matrix, s, e)), rho.to_vec()].concat();
    let dk = [encode(s), ek.clone(), Sha3_256::digest(&ek).to_vec(), vec![7; 32]].concat();
    (ek, dk)
}

/// k polynomials whose coefficients run through the whole range.
fn full(set: Set, step: usize) -> Vec<Vec<i64>> {
    let bound = i64::from(set.bound());
    let value = |i: usize| (i * step / 3) as i64 % (2 * bound + 1) - bound;
    (0..set.rank()).map(|i| (0..256).map(|m| value(256 * i + m)).collect()).collect()
}

fn read(set: Set, ek: &[u8], dk: &[u8]) -> Result<Secret, Error> {
    EncapsulationKey::from_bytes(set, ek)?.secret(dk)
}

/// ek, the expanded dk and the seed of NIST's first key.
fn known(set: Set) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let text = match set {
        Set::MlKem512 => include_str!("vectors/ml-kem-512.txt"),
        Set::MlKem768 => include_str!("vectors/ml-kem-768.txt"),
        Set::MlKem1024 => include_str!("vectors/ml-kem-1024.txt"),
    };
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let [d, z, dk] = [0, 1, 2].map(|i| hex::decode(lines[i]).unwrap());
    let ek = dk[384 * set.rank()..][..set.public_len()].to_vec();
    (ek, dk, [d, z].concat())
}

fn chunks(x: &[i8]) -> Vec<Vec<i64>> {
    x.chunks(256).map(|f| f.iter().map(|&x| i64::from(x)).collect()).collect()
}

#[test]
fn known_keys_are_equations() {
    for set in Set::ALL {
        let (ek, dk, seed) = known(set);
        let key = EncapsulationKey::from_bytes(set, &ek).unwrap();
        assert_eq!((key.set(), key.as_bytes()), (set, &ek[..]));
        let secret = key.secret(&dk).unwrap();
        let t = product(&key, &chunks(secret.s()), &chunks(secret.e()));
        let t: Vec<_> = t.concat().iter().map(|x| (x + 1664) % Q - 1664).collect();
        assert_eq!(t, key.t().iter().map(|&x| i64::from(x)).collect::<Vec<_>>());
        for x in [secret.s(), secret.e()] {
            let bound = set.bound();
            assert_eq!((x.iter().min(), x.iter().max()), (Some(&-bound), Some(&bound)), "{set:?}");
        }
        let seeded = key.secret(&seed).unwrap();
        assert_eq!((seeded.s(), seeded.e()), (secret.s(), secret.e()));
        assert_eq!(format!("{secret:?}"), "Secret([REDACTED])");
    }
}

#[test]
fn keys_of_our_own_are_read_back() {
    for set in Set::ALL {
        for extreme in [false, true] {
            let (mut s, mut e) = (full(set, 5), full(set, 7));
            if extreme {
                s.iter_mut().flatten().for_each(|x| *x = -i64::from(set.bound()));
                e.iter_mut().flatten().for_each(|x| *x = i64::from(set.bound()));
            }
            let (ek, dk) = make(set, [9; 32], &s, &e);
            let secret = read(set, &ek, &dk).unwrap();
            assert_eq!((chunks(secret.s()), chunks(secret.e())), (s, e));
        }
    }
}

/// t of the smallest and largest values, and of those next to q / 2, by hand.
#[test]
fn t_is_centred() {
    let set = Set::MlKem512;
    let t = vec![vec![0; 256], (0..256).map(|m| [0, 1664, 1665, 3328][m % 4]).collect()];
    let ek = [encode(&t), vec![3; 32]].concat();
    let key = EncapsulationKey::from_bytes(set, &ek).unwrap();
    assert!(key.t()[..256].iter().all(|&x| x == 0));
    assert!(key.t()[256..].chunks(4).all(|x| x == [0, 1664, -1664, -1]));
}

#[test]
fn one_beyond_the_range_is_refused() {
    for set in Set::ALL {
        let bound = set.bound();
        for sign in [-1, 1] {
            for (i, m) in [(0, 0), (set.rank() - 1, 255), (1, 100)] {
                let mut x = full(set, 5);
                x[i][m] = sign * i64::from(bound + 1);
                let (ek, dk) = make(set, [1; 32], &x, &full(set, 7));
                assert_eq!(read(set, &ek, &dk).unwrap_err(), Error::Secret(bound));
                let (ek, dk) = make(set, [1; 32], &full(set, 7), &x);
                assert_eq!(read(set, &ek, &dk).unwrap_err(), Error::Mismatch(bound));
            }
        }
    }
}

#[test]
fn other_keys_are_refused() {
    for set in Set::ALL {
        let (ek, dk, seed) = known(set);
        let (other_ek, other) = make(set, [1; 32], &full(set, 5), &full(set, 7));
        let foreign = Error::OtherPublicKey;
        assert_eq!(read(set, &ek, &other).unwrap_err(), foreign);
        assert_eq!(read(set, &other_ek, &dk).unwrap_err(), foreign);
        assert_eq!(read(set, &other_ek, &seed).unwrap_err(), foreign);
        // The secret of another key beside this public key.
        let mixed = [&other[..384 * set.rank()], &dk[384 * set.rank()..]].concat();
        assert_eq!(read(set, &ek, &mixed).unwrap_err(), Error::Mismatch(set.bound()));
        // The same A and s with another e in its range: a fitting key, but not the one of the seed.
        let secret = read(set, &ek, &dk).unwrap();
        let mut e = chunks(secret.e());
        e[1][17] += if e[1][17] > 0 { -1 } else { 1 };
        let (ek, dk) = make(set, ek[ek.len() - 32..].try_into().unwrap(), &chunks(secret.s()), &e);
        read(set, &ek, &dk).unwrap();
        assert_eq!(read(set, &ek, &seed).unwrap_err(), Error::Mismatch(set.bound()));
    }
}

#[test]
fn coefficients_from_q_on_are_refused() {
    for set in Set::ALL {
        let (ek, dk, _) = known(set);
        for index in [0, 1, 256 * set.rank() - 1] {
            for value in [3329_u16, 4095] {
                let write = |bytes: &[u8]| {
                    let mut bytes = bytes.to_vec();
                    let at = index / 2 * 3;
                    if index % 2 == 0 {
                        bytes[at] = value as u8;
                        bytes[at + 1] = bytes[at + 1] & 0xf0 | (value >> 8) as u8;
                    } else {
                        bytes[at + 1] = bytes[at + 1] & 15 | (value << 4) as u8;
                        bytes[at + 2] = (value >> 4) as u8;
                    }
                    bytes
                };
                let expected = Error::Coefficient { index, found: value };
                assert_eq!(read(set, &write(&ek), &dk).unwrap_err(), expected);
                let refused = read(set, &ek, &write(&dk)).unwrap_err();
                assert_eq!(refused, Error::Secret(set.bound()));
            }
        }
    }
    // 3329 for 0, where nothing but the encoding differs.
    let set = Set::MlKem512;
    let zeros = vec![vec![0; 256]; 2];
    let (ek, mut dk) = make(set, [1; 32], &zeros, &full(set, 7));
    read(set, &ek, &dk).unwrap();
    dk[..2].copy_from_slice(&3329_u16.to_le_bytes());
    assert_eq!(read(set, &ek, &dk).unwrap_err(), Error::Secret(3));
}

#[test]
fn other_lengths_are_refused() {
    for set in Set::ALL {
        let (ek, dk, seed) = known(set);
        let long = |x: &[u8]| [x, &[0]].concat();
        for bytes in [&[][..], &ek[1..], &ek[..32], &long(&ek)] {
            let (found, expected) = (bytes.len(), ek.len());
            let error = EncapsulationKey::from_bytes(set, bytes).unwrap_err();
            assert_eq!(error, Error::PublicLength { set: set.name(), found, expected });
        }
        let key = EncapsulationKey::from_bytes(set, &ek).unwrap();
        for bytes in [&[][..], &dk[1..], &seed[1..], &seed[..32], &long(&seed), &long(&dk)] {
            let (found, expected) = (bytes.len(), dk.len());
            let error = Error::SecretLength { set: set.name(), found, expected, seed: Some(64) };
            assert_eq!(key.secret(bytes).unwrap_err(), error);
        }
    }
    let (ek, _, _) = known(Set::MlKem512);
    let error = read(Set::MlKem512, &ek, &[0; 3]).unwrap_err().to_string();
    assert_eq!(error, "ML-KEM-512: the secret key has 3 bytes, expected 1632 (64 as a seed)");
}

/// Each bit of d, of A's seed, of the hash, and of the first bytes of the rest; z may be anything.
#[test]
fn flipped_bits_are_refused() {
    let set = Set::MlKem512;
    let (ek, dk, seed) = known(set);
    let flipped = |bytes: &[u8], bit: usize| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    let public = 8 * 768;
    for bit in (0..64).chain(8 * 768..8 * 800) {
        assert!(read(set, &flipped(&ek, bit), &dk).is_err(), "bit {bit} of ek");
        let both = flipped(&dk, public + bit);
        assert!(read(set, &ek, &both).is_err(), "bit {bit} of ek in dk");
        assert!(read(set, &flipped(&ek, bit), &both).is_err(), "bit {bit} of both");
    }
    for bit in (0..200).chain(8 * 1568..8 * 1600) {
        assert!(read(set, &ek, &flipped(&dk, bit)).is_err(), "bit {bit} of dk");
    }
    for bit in 0..256 {
        assert!(read(set, &ek, &flipped(&seed, bit)).is_err(), "bit {bit} of d");
        assert!(read(set, &ek, &flipped(&seed, 256 + bit)).is_ok(), "bit {bit} of z");
        assert!(read(set, &ek, &flipped(&dk, 8 * 1600 + bit)).is_ok(), "bit {bit} of z in dk");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_bytes_panic(
        index in 0_usize..3,
        lengths in (0_usize..2000, 0_usize..4000),
        right in any::<bool>(),
        ek in proptest::collection::vec(any::<u8>(), 2000),
        dk in proptest::collection::vec(any::<u8>(), 4000),
    ) {
        let set = Set::ALL[index];
        let (public, secret) = if right { (set.public_len(), set.secret_len()) } else { lengths };
        prop_assert!(read(set, &ek[..public], &dk[..secret]).is_err());
        // Behind a public key that is canonical, and one that the secret key contains.
        let (mut ek, mut dk) = (ek[..set.public_len()].to_vec(), dk[..set.secret_len()].to_vec());
        ek[..384 * set.rank()].iter_mut().skip(1).step_by(3).for_each(|byte| *byte &= 0x77);
        ek[..384 * set.rank()].iter_mut().skip(2).step_by(3).for_each(|byte| *byte &= 0x7f);
        let at = 384 * set.rank();
        dk[at..at + ek.len()].copy_from_slice(&ek);
        let hash = at + ek.len();
        dk[hash..hash + 32].copy_from_slice(&Sha3_256::digest(&ek));
        let refused = Error::Secret(set.bound());
        prop_assert_eq!(read(set, &ek, &dk).unwrap_err(), refused);
    }
}
