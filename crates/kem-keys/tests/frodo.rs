//! FrodoKEM: known answers, keys of our own making by schoolbook arithmetic, and every refusal.
#![allow(
    clippy::integer_division_remainder_used,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests"
)]

use proptest::prelude::*;
use shake::digest::ExtendableOutput;
use shake::{Shake128, Shake256};
use tautochrone_kem_keys::frodo::{COLUMNS, PublicKey, Set};
use tautochrone_kem_keys::{Error, Secret};

mod made;

use made::{hash, make, pack, product, security};

/// Entries that run through the whole range.
fn full(set: Set, step: usize) -> Vec<i64> {
    let bound = i64::from(set.bound());
    (0..COLUMNS * set.rows()).map(|i| (i * step / 3) as i64 % (2 * bound + 1) - bound).collect()
}

fn read(set: Set, pk: &[u8], sk: &[u8]) -> Result<Secret, Error> {
    PublicKey::from_bytes(set, pk)?.secret(sk)
}

fn wide(x: &[i8]) -> Vec<i64> {
    x.iter().map(|&x| i64::from(x)).collect()
}

/// FrodoKEM.KeyGen of the specification, from s, seedSE and z.
fn generate(set: Set, drawn: &[u8]) -> (Vec<u8>, Vec<u8>) {
    // Table 3: 2^16 times the probability of 0, 1, ..
    let weights: &[i32] = match set.rows() {
        640 => &[9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1],
        976 => &[11278, 10277, 7774, 4882, 2545, 1101, 396, 118, 29, 6, 1],
        _ => &[18286, 14320, 6876, 2023, 364, 40, 2],
    };
    let (n, len) = (set.rows(), security(set));
    let (value, rest) = drawn.split_at(len);
    let (seed_se, z) = rest.split_at(2 * len);
    let seed = hash(set, z, 16);
    let bytes = hash(set, &[&[0x5f], seed_se].concat(), 4 * COLUMNS * n);
    let sample = |r: &[u8]| {
        let (r, mut limit) = (i32::from(u16::from_le_bytes([r[0], r[1]])), weights[0] / 2);
        let mut magnitude = 0;
        while r >> 1 >= limit {
            magnitude += 1;
            limit += weights[magnitude];
        }
        if r & 1 == 0 { magnitude as i64 } else { -(magnitude as i64) }
    };
    let x: Vec<_> = bytes.chunks(2).map(sample).collect();
    let (s, rows) = x.split_at(COLUMNS * n);
    let e: Vec<_> = (0..COLUMNS * n).map(|i| rows[i % n * COLUMNS + i / n]).collect();
    make(set, &seed, value, s, &e)
}

#[test]
fn known_keys_are_equations() {
    let text = include_str!("vectors/frodo.txt");
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split(' ').collect();
        let set = Set::ALL.into_iter().find(|set| set.name() == fields[0]).unwrap();
        let (pk, sk) = generate(set, &hex::decode(fields[1]).unwrap());
        assert_eq!((pk.len(), sk.len()), (set.public_len(), set.secret_len()));
        for (bytes, expected) in [(&pk, fields[2]), (&sk, fields[3])] {
            let mut digest = [0; 16];
            Shake256::digest_xof(bytes, &mut digest);
            assert_eq!(hex::encode(digest), expected, "{}", fields[0]);
        }
        let key = PublicKey::from_bytes(set, &pk).unwrap();
        assert_eq!((key.set(), key.as_bytes()), (set, &pk[..]));
        let secret = key.secret(&sk).unwrap();
        let q = 1 << set.modulus_bits();
        let t = product(&key, &wide(secret.s()), &wide(secret.e()));
        let t: Vec<_> = t.iter().map(|t| (t + q / 2) % q - q / 2).collect();
        assert_eq!(t, key.t().iter().map(|&t| i64::from(t)).collect::<Vec<_>>());
        assert_eq!(format!("{secret:?}"), "Secret([REDACTED])");
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn whole_ranges_are_read_and_one_beyond_refused() {
    for set in Set::ALL {
        let bound = set.bound();
        let (s, e) = (full(set, 5), full(set, 7));
        let (pk, sk) = make(set, &[9; 16], &vec![7; security(set)], &s, &e);
        let secret = read(set, &pk, &sk).unwrap();
        assert_eq!((wide(secret.s()), wide(secret.e())), (s.clone(), e.clone()));
        // 256 is 0 as a byte.
        for (at, value) in [(0, bound + 1), (8 * set.rows() - 1, -bound - 1)]
            .map(|(at, value)| (at, i64::from(value)))
            .into_iter()
            .chain([(set.rows(), 256)])
        {
            let beyond = |x: &[i64]| [&x[..at], &[value], &x[at + 1..]].concat();
            let (pk, sk) = make(set, &[9; 16], &vec![7; security(set)], &beyond(&s), &e);
            assert_eq!(read(set, &pk, &sk).unwrap_err(), Error::Secret(bound));
            let (pk, sk) = make(set, &[9; 16], &vec![7; security(set)], &s, &beyond(&e));
            assert_eq!(read(set, &pk, &sk).unwrap_err(), Error::Mismatch(bound));
        }
    }
}

/// t = 0, q / 2 - 1, q / 2, q - 1.
#[test]
fn t_is_centred() {
    for set in Set::ALL {
        let half = 1 << (set.modulus_bits() - 1);
        let t: Vec<_> =
            (0..8 * set.rows()).map(|i| [0, half - 1, half, 2 * half - 1][i % 4]).collect();
        let pk = [vec![1; 16], pack(set, &t)].concat();
        let key = PublicKey::from_bytes(set, &pk).unwrap();
        let expected = [0, half - 1, -half, -1].map(|x| x as i16);
        assert!(key.t().chunks(4).all(|t| t == expected));
    }
}

#[test]
fn other_keys_and_lengths_are_refused() {
    for set in Set::ALL {
        let name = set.name();
        let value = vec![7; security(set)];
        let (pk, sk) = make(set, &[9; 16], &value, &full(set, 5), &full(set, 7));
        let (other_pk, other) = make(set, &[8; 16], &value, &full(set, 5), &full(set, 7));
        assert_eq!(read(set, &pk, &other).unwrap_err(), Error::OtherPublicKey);
        assert_eq!(read(set, &other_pk, &sk).unwrap_err(), Error::OtherPublicKey);
        let long = |x: &[u8]| [x, &[0]].concat();
        for bytes in [&[][..], &pk[1..], &pk[..16], &long(&pk)] {
            let (found, expected) = (bytes.len(), pk.len());
            let error = PublicKey::from_bytes(set, bytes).unwrap_err();
            assert_eq!(error, Error::PublicLength { set: name, found, expected });
        }
        for bytes in [&[][..], &sk[1..], &sk[..64], &long(&sk)] {
            let (found, expected) = (bytes.len(), sk.len());
            let error = Error::SecretLength { set: name, found, expected, seed: None };
            assert_eq!(read(set, &pk, bytes).unwrap_err(), error);
        }
    }
}

#[test]
fn flipped_bits_are_refused() {
    for set in [Set::Shake640, Set::Aes976] {
        let value = vec![7; security(set)];
        let zeros = vec![0; COLUMNS * set.rows()];
        let (pk, sk) = make(set, &[9; 16], &value, &full(set, 5), &zeros);
        let flip = |bytes: &[u8], bit: usize| {
            let mut bytes = bytes.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        };
        let (start, len) = (security(set), security(set));
        for bit in [0, 1, 77, 127, 135, 1007, 8 * pk.len() - 8] {
            assert!(read(set, &flip(&pk, bit), &sk).is_err(), "bit {bit} of pk");
            let both = flip(&sk, 8 * start + bit);
            let hash_at = sk.len() - len;
            assert!(read(set, &flip(&pk, bit), &both).is_err(), "bit {bit} of both");
            // With the right hash, too: the lowest bits of t change e, which is 0, by 1.
            let fixed = [&both[..hash_at], &hash(set, &flip(&pk, bit), len)].concat();
            assert_eq!(read(set, &flip(&pk, bit), &fixed).is_ok(), bit == 8 * pk.len() - 8);
        }
        for bit in (0..8 * start).step_by(29) {
            assert!(read(set, &pk, &flip(&sk, bit)).is_ok(), "bit {bit} of the random value");
        }
        for bit in
            (0..16).chain(8 * 2 * COLUMNS * set.rows() - 16..8 * (2 * COLUMNS * set.rows() + len))
        {
            assert!(
                read(set, &pk, &flip(&sk, 8 * (start + pk.len()) + bit)).is_err(),
                "bit {bit} of S"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn no_bytes_panic(
        index in 0_usize..6,
        lengths in (0_usize..22_000, 0_usize..44_000),
        right in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let set = Set::ALL[index];
        let mut bytes = vec![0; 44_000];
        Shake128::digest_xof(seed.to_le_bytes(), &mut bytes);
        let (public, secret) = if right { (set.public_len(), set.secret_len()) } else { lengths };
        prop_assert!(read(set, &bytes[..public], &bytes[..secret]).is_err());
        // A secret key that contains this public key.
        let (pk, mut sk) = (&bytes[..set.public_len()], bytes[..set.secret_len()].to_vec());
        let (start, end) = (security(set), sk.len() - security(set));
        sk[start..start + pk.len()].copy_from_slice(pk);
        sk[end..].copy_from_slice(&hash(set, pk, start));
        let refused = Error::Secret(set.bound());
        prop_assert_eq!(read(set, pk, &sk).unwrap_err(), refused);
    }
}
