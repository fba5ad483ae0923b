//! Keys of all sets: known answers, keys of our own making by schoolbook arithmetic, and every
//! refusal.
#![allow(
    clippy::integer_division_remainder_used,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests"
)]

use proptest::prelude::*;
use shake::digest::ExtendableOutput;
use shake::{Shake128, Shake256};
use tautochrone_kem_keys::{Error, PublicKey, Secret, Set};

mod made;

use made::{hash, make, pack, product, public};

/// Entries that run through the whole range.
fn full(set: Set, step: usize) -> Vec<i64> {
    let (bound, len) = (i64::from(set.bound()), set.blocks() * set.block_len());
    (0..len).map(|i| (i * step / 3) as i64 % (2 * bound + 1) - bound).collect()
}

/// Keys of a seed of these bytes.
fn own(set: Set, seed: u8, s: &[i64], e: &[i64]) -> (Vec<u8>, Vec<u8>) {
    let seed_len = if set.is_ml_kem() { 32 } else { 16 };
    make(set, &vec![seed; seed_len], &vec![7; set.hash_len()], s, e)
}

fn read(set: Set, pk: &[u8], sk: &[u8]) -> Result<Secret, Error> {
    PublicKey::from_bytes(set, pk)?.secret(sk)
}

fn wide(x: &[i8]) -> Vec<i64> {
    x.iter().map(|&x| i64::from(x)).collect()
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

/// NIST's first key of ML-KEM: pk, the expanded sk, and the seed.
fn known_ml_kem(set: Set) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let text = match set {
        Set::MlKem512 => include_str!("vectors/ml-kem-512.txt"),
        Set::MlKem768 => include_str!("vectors/ml-kem-768.txt"),
        _ => include_str!("vectors/ml-kem-1024.txt"),
    };
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let [d, z, sk] = [0, 1, 2].map(|i| hex::decode(lines[i]).unwrap());
    let pk = sk[384 * set.blocks()..][..set.public_len()].to_vec();
    (pk, sk, [d, z].concat())
}

/// FrodoKEM.KeyGen of the specification, from s, seedSE and z of a known answer, whose digests are
/// the digests of these keys.
fn known_frodo(set: Set) -> (Vec<u8>, Vec<u8>) {
    let text = include_str!("vectors/frodo.txt");
    let mut fields = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let fields = fields.find(|fields| fields[0] == set.name()).unwrap();
    // Table 3: 2^16 times the probability of 0, 1, ..
    let weights: &[i32] = match set.blocks() {
        640 => &[9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1],
        976 => &[11278, 10277, 7774, 4882, 2545, 1101, 396, 118, 29, 6, 1],
        _ => &[18286, 14320, 6876, 2023, 364, 40, 2],
    };
    let drawn = hex::decode(fields[1]).unwrap();
    let (n, len) = (set.blocks(), set.hash_len());
    let (value, rest) = drawn.split_at(len);
    let (seed_se, z) = rest.split_at(2 * len);
    let bytes = hash(set, &[&[0x5f], seed_se].concat(), 32 * n);
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
    let (columns, e) = x.split_at(8 * n);
    let s: Vec<_> = (0..8 * n).map(|i| columns[i % 8 * n + i / 8]).collect();
    let (pk, sk) = make(set, &hash(set, z, 16), value, &s, e);
    for (bytes, expected) in [(&pk, fields[2]), (&sk, fields[3])] {
        let mut digest = [0; 16];
        Shake256::digest_xof(bytes, &mut digest);
        assert_eq!(hex::encode(digest), expected, "{set}");
    }
    (pk, sk)
}

#[test]
fn known_keys_are_equations() {
    for set in Set::ALL {
        let (pk, sk, seed) = if set.is_ml_kem() {
            let (pk, sk, seed) = known_ml_kem(set);
            (pk, sk, Some(seed))
        } else {
            let (pk, sk) = known_frodo(set);
            (pk, sk, None)
        };
        assert_eq!((pk.len(), sk.len()), (set.public_len(), set.secret_len()));
        let key = PublicKey::from_bytes(set, &pk).unwrap();
        assert_eq!((key.set(), key.as_bytes()), (set, &pk[..]));
        let secret = key.secret(&sk).unwrap();
        let q = i64::from(set.modulus());
        let t = product(&key, &wide(secret.s()), &wide(secret.e()));
        let t: Vec<_> = t.iter().map(|t| (t + q / 2) % q - q / 2).collect();
        assert_eq!(t, key.t().iter().map(|&t| i64::from(t)).collect::<Vec<_>>());
        assert_eq!(format!("{secret:?}"), "Secret([REDACTED])");
        if let Some(seed) = seed {
            for x in [secret.s(), secret.e()] {
                let bound = set.bound();
                assert_eq!((x.iter().min(), x.iter().max()), (Some(&-bound), Some(&bound)));
            }
            let seeded = key.secret(&seed).unwrap();
            assert_eq!((seeded.s(), seeded.e()), (secret.s(), secret.e()));
        }
    }
}

#[test]
fn whole_ranges_are_read_and_one_beyond_refused() {
    for set in Set::ALL {
        let bound = set.bound();
        let (s, e) = (full(set, 5), full(set, 7));
        let extremes = [-1, 1].map(|sign| vec![sign * i64::from(bound); s.len()]);
        for [s, e] in [[s.clone(), e.clone()], extremes] {
            let (pk, sk) = own(set, 9, &s, &e);
            let secret = read(set, &pk, &sk).unwrap();
            assert_eq!((wide(secret.s()), wide(secret.e())), (s, e));
        }
        // 256 is 0 as a byte.
        let last = s.len() - 1;
        for (at, value) in [(0, i64::from(bound) + 1), (last, -i64::from(bound) - 1), (300, 256)] {
            let beyond = |x: &[i64]| [&x[..at], &[value], &x[at + 1..]].concat();
            let (pk, sk) = own(set, 9, &beyond(&s), &e);
            assert_eq!(read(set, &pk, &sk).unwrap_err(), Error::Secret(bound));
            let (pk, sk) = own(set, 9, &s, &beyond(&e));
            assert_eq!(read(set, &pk, &sk).unwrap_err(), Error::Mismatch(bound));
        }
    }
}

/// 0, the values next to q / 2, and q - 1.
#[test]
fn t_is_centred() {
    for set in Set::ALL {
        let q = i64::from(set.modulus());
        let values = [0, (q - 1) / 2, (q + 1) / 2, q - 1];
        let t: Vec<_> = (0..full(set, 1).len()).map(|i| values[i % 4]).collect();
        let seed = vec![1; set.public_len() - pack(set, &t).len()];
        let key = PublicKey::from_bytes(set, &public(set, &seed, &pack(set, &t))).unwrap();
        let expected = [0, (q - 1) / 2, (q + 1) / 2 - q, -1].map(|x| x as i16);
        assert!(key.t().chunks(4).all(|t| t == expected), "{set}");
    }
}

#[test]
fn other_keys_and_lengths_are_refused() {
    for set in Set::ALL {
        let name = set.name();
        let (pk, sk) = own(set, 9, &full(set, 5), &full(set, 7));
        let (other_pk, other) = own(set, 8, &full(set, 5), &full(set, 7));
        assert_eq!(read(set, &pk, &other).unwrap_err(), Error::OtherPublicKey);
        assert_eq!(read(set, &other_pk, &sk).unwrap_err(), Error::OtherPublicKey);
        let long = |x: &[u8]| [x, &[0]].concat();
        for bytes in [&[][..], &pk[1..], &pk[..16], &long(&pk)] {
            let (found, expected) = (bytes.len(), pk.len());
            let error = PublicKey::from_bytes(set, bytes).unwrap_err();
            assert_eq!(error, Error::PublicLength { set: name, found, expected });
        }
        let seed = set.is_ml_kem().then_some(64);
        for bytes in [&[][..], &sk[1..], &sk[..32], &sk[..63], &sk[..65], &long(&sk)] {
            let (found, expected) = (bytes.len(), sk.len());
            let error = Error::SecretLength { set: name, found, expected, seed };
            assert_eq!(read(set, &pk, bytes).unwrap_err(), error);
        }
        // As long as a seed of ML-KEM, and no key of FrodoKEM.
        let refused = read(set, &pk, &sk[..64]).unwrap_err();
        assert_eq!(matches!(refused, Error::SecretLength { found: 64, .. }), !set.is_ml_kem());
    }
    let (pk, ..) = known_ml_kem(Set::MlKem512);
    let error = read(Set::MlKem512, &pk, &[0; 3]).unwrap_err().to_string();
    assert_eq!(error, "ML-KEM-512: the secret key has 3 bytes, expected 1632 (64 as a seed)");
}

#[test]
fn seeds_and_secrets_of_other_ml_kem_keys_are_refused() {
    for set in Set::ALL.into_iter().filter(|set| set.is_ml_kem()) {
        let (pk, sk, seed) = known_ml_kem(set);
        let (other_pk, other) = own(set, 1, &full(set, 5), &full(set, 7));
        assert_eq!(read(set, &other_pk, &seed).unwrap_err(), Error::OtherPublicKey);
        // The secret of another key beside this public key.
        let mixed = [&other[..384 * set.blocks()], &sk[384 * set.blocks()..]].concat();
        assert_eq!(read(set, &pk, &mixed).unwrap_err(), Error::Mismatch(set.bound()));
        // The same A and s with another e in its range: a fitting key, but not the one of the seed.
        let secret = read(set, &pk, &sk).unwrap();
        let mut e = wide(secret.e());
        e[256 + 17] += if e[256 + 17] > 0 { -1 } else { 1 };
        let (pk, sk) = make(set, &pk[pk.len() - 32..], &[7; 32], &wide(secret.s()), &e);
        read(set, &pk, &sk).unwrap();
        assert_eq!(read(set, &pk, &seed).unwrap_err(), Error::Mismatch(set.bound()));
    }
}

#[test]
fn coefficients_from_q_on_are_refused() {
    for set in Set::ALL.into_iter().filter(|set| set.is_ml_kem()) {
        let (pk, sk, _) = known_ml_kem(set);
        for index in [0, 1, 256 * set.blocks() - 1] {
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
                assert_eq!(read(set, &write(&pk), &sk).unwrap_err(), expected);
                let refused = read(set, &pk, &write(&sk)).unwrap_err();
                assert_eq!(refused, Error::Secret(set.bound()));
            }
        }
    }
    // 3329 for 0, where nothing but the encoding differs.
    let set = Set::MlKem512;
    let (pk, mut sk) = own(set, 1, &[0; 512], &full(set, 7));
    read(set, &pk, &sk).unwrap();
    sk[..2].copy_from_slice(&3329_u16.to_le_bytes());
    assert_eq!(read(set, &pk, &sk).unwrap_err(), Error::Secret(3));
}

/// Bits of t, of A's seed, of the hash and of s; the random value may be anything.
#[test]
fn flipped_bits_are_refused() {
    for set in [Set::MlKem512, Set::FrodoShake640, Set::FrodoAes976] {
        let (pk, sk) = own(set, 9, &full(set, 5), &vec![0; full(set, 1).len()]);
        let (len, ml_kem) = (set.hash_len(), set.is_ml_kem());
        let s_len = sk.len() - pk.len() - 2 * len;
        // Where s, the public key, its hash and the random value are.
        let [s, public, hash_at, value] = if ml_kem {
            [0, s_len, s_len + pk.len(), s_len + pk.len() + len]
        } else {
            [len + pk.len(), len, sk.len() - len, 0]
        };
        // Of FrodoKEM fewer, of which a key takes long: A's seed is in front of t.
        let bits_of_pk: Vec<_> = if ml_kem {
            (0..64).chain(8 * s_len..8 * pk.len()).collect()
        } else {
            vec![0, 1, 77, 127, 135, 1007, 8 * pk.len() - 8]
        };
        for bit in bits_of_pk {
            let other = flipped(&pk, bit);
            assert!(read(set, &other, &sk).is_err(), "bit {bit} of pk");
            let mut both = flipped(&sk, 8 * public + bit);
            assert!(read(set, &pk, &both).is_err(), "bit {bit} of pk in sk");
            assert!(read(set, &other, &both).is_err(), "bit {bit} of both");
            // With the right hash, too: the lowest bit of t of FrodoKEM changes e, which is 0,
            // by 1.
            both[hash_at..][..len].copy_from_slice(&hash(set, &other, len));
            let fits = !ml_kem && bit == 8 * pk.len() - 8;
            assert_eq!(read(set, &other, &both).is_ok(), fits, "bit {bit} of both");
        }
        let first = if ml_kem { 200 } else { 16 };
        let bits_of_s = (0..first).chain(8 * s_len - 16..8 * s_len).map(|bit| 8 * s + bit);
        for bit in bits_of_s.chain(8 * hash_at..8 * (hash_at + len)) {
            assert!(read(set, &pk, &flipped(&sk, bit)).is_err(), "bit {bit} of sk");
        }
        let step = if ml_kem { 1 } else { 29 };
        for bit in (8 * value..8 * (value + len)).step_by(step) {
            assert!(read(set, &pk, &flipped(&sk, bit)).is_ok(), "bit {bit} of sk");
        }
    }
    let (pk, _, seed) = known_ml_kem(Set::MlKem512);
    for bit in 0..512 {
        let fits = read(Set::MlKem512, &pk, &flipped(&seed, bit)).is_ok();
        assert_eq!(fits, bit >= 256, "bit {bit} of the seed");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_bytes_panic(
        index in 0..Set::ALL.len(),
        lengths in (0_usize..22_000, 0_usize..44_000),
        right in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let set = Set::ALL[index];
        let mut bytes = vec![0; 44_000];
        Shake128::digest_xof(seed.to_le_bytes(), &mut bytes);
        let (public, secret) = if right { (set.public_len(), set.secret_len()) } else { lengths };
        prop_assert!(read(set, &bytes[..public], &bytes[..secret]).is_err());
        // A secret key that contains this public key, which is canonical.
        let (mut pk, mut sk) =
            (bytes[..set.public_len()].to_vec(), bytes[..set.secret_len()].to_vec());
        let (mut start, mut end) = (set.hash_len(), sk.len() - set.hash_len());
        if set.is_ml_kem() {
            (start, end) = (384 * set.blocks(), sk.len() - 64);
            let t = &mut pk[..start];
            t.iter_mut().skip(1).step_by(3).for_each(|byte| *byte &= 0x77);
            t.iter_mut().skip(2).step_by(3).for_each(|byte| *byte &= 0x7f);
        }
        sk[start..start + pk.len()].copy_from_slice(&pk);
        sk[end..][..set.hash_len()].copy_from_slice(&hash(set, &pk, set.hash_len()));
        let refused = Error::Secret(set.bound());
        prop_assert_eq!(read(set, &pk, &sk).unwrap_err(), refused);
    }
}
