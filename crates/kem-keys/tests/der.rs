//! ML-KEM keys in files: the examples of RFC 9935 (github.com/lamps-wg/kyber-certificates,
//! example/), and every refusal.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

use proptest::prelude::*;
use tautochrone_kem_keys::{Error, PublicKey, Set};

/// The public key, and the private key in its forms: both, the seed alone, the expanded key alone.
const EXAMPLE: [&str; 4] = [
    include_str!("vectors/ml-kem-512.pub"),
    include_str!("vectors/ml-kem-512-both.priv"),
    include_str!("vectors/ml-kem-512-seed.priv"),
    include_str!("vectors/ml-kem-512-expanded.priv"),
];

/// The bytes of base64, bit by bit.
fn der(pem: &str) -> Vec<u8> {
    let text: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let digits = text.bytes().filter(|&byte| byte != b'=').map(|byte| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        _ => 62 + u8::from(byte == b'/'),
    });
    let bits: Vec<u8> = digits.flat_map(|x| (0..6).rev().map(move |i| x >> i & 1)).collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

fn example() -> PublicKey {
    PublicKey::from_pem(EXAMPLE[0]).unwrap()
}

#[test]
fn examples_are_read() {
    let others = [
        (
            Set::MlKem768,
            include_str!("vectors/ml-kem-768.pub"),
            include_str!("vectors/ml-kem-768-both.priv"),
        ),
        (
            Set::MlKem1024,
            include_str!("vectors/ml-kem-1024.pub"),
            include_str!("vectors/ml-kem-1024-both.priv"),
        ),
    ];
    for (set, public, private) in
        others.into_iter().chain([(Set::MlKem512, EXAMPLE[0], EXAMPLE[1])])
    {
        let key = PublicKey::from_pem(public).unwrap();
        assert_eq!((key.set(), key.as_bytes()), (set, &der(public)[22..]));
        assert_eq!(PublicKey::from_der(&der(public)), Ok(key.clone()));
        // (d, z) of all examples.
        let seed = key.secret(&(0..64).collect::<Vec<_>>()).unwrap();
        let secret = key.secret_from_pem(private).unwrap();
        assert_eq!((secret.s(), secret.e()), (seed.s(), seed.e()));
    }
    for private in &EXAMPLE[2..] {
        example().secret_from_pem(&private.replace('\n', "\r\n")).unwrap();
        example().secret_from_pem(private.trim_end()).unwrap();
    }
}

/// Before the key, every other byte, and every other length.
#[test]
fn other_structures_are_refused() {
    for (file, headers) in [(0, 0..22), (1, 0..30), (1, 94..98), (2, 0..22), (3, 0..28)] {
        let bytes = der(EXAMPLE[file]);
        let read = |bytes: &[u8]| match file {
            0 => PublicKey::from_der(bytes).map(drop),
            _ => example().secret_from_der(bytes).map(drop),
        };
        assert_eq!(read(&bytes), Ok(()));
        for at in headers {
            for flip in 1..=255 {
                let mut bytes = bytes.clone();
                bytes[at] ^= flip;
                assert!(matches!(read(&bytes), Err(Error::Der(_))), "file {file}, byte {at}");
            }
        }
        for len in 0..bytes.len() {
            assert!(matches!(read(&bytes[..len]), Err(Error::Der(_))), "file {file}, {len} bytes");
        }
        assert!(matches!(read(&[&bytes[..], &[0]].concat()), Err(Error::Der(_))));
    }
    let larger = PublicKey::from_pem(include_str!("vectors/ml-kem-768.pub")).unwrap();
    assert!(matches!(larger.secret_from_pem(EXAMPLE[1]), Err(Error::Der(_))));
    // FrodoKEM has no files.
    let frodo = PublicKey::from_bytes(Set::FrodoShake640, &[0; 9616]).unwrap();
    assert!(matches!(frodo.secret_from_pem(EXAMPLE[1]), Err(Error::Der(_))));
}

#[test]
fn seed_and_expanded_key_have_to_agree() {
    let bytes = der(EXAMPLE[1]);
    for (at, expected) in [
        (30, Error::OtherPublicKey), // d
        (62, Error::Seed),           // z
        (99, Error::Secret(3)),      // s
        (98 + 768, Error::OtherPublicKey),
        (98 + 1568, Error::Hash),
        (98 + 1631, Error::Seed), // z again
    ] {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        assert_eq!(example().secret_from_der(&bytes).unwrap_err(), expected, "byte {at}");
    }
}

#[test]
fn other_texts_are_refused() {
    let seed = EXAMPLE[2];
    let refused =
        |text: &str| matches!(example().secret_from_pem(text), Err(Error::Pem("PRIVATE KEY")));
    let lines: Vec<&str> = seed.lines().collect();
    assert_eq!((lines.len(), lines[2].len()), (4, 52));
    for text in [
        String::new(),
        format!("\n{seed}"),
        format!("{seed}\n"),
        format!(" {seed}"),
        seed.replace("PRIVATE", "PUBLIC"),
        seed.replace("END", "BEGIN"),
        seed.replace("-----\n", "----\n"),
        seed.replacen('\n', "\nProc-Type: 4,ENCRYPTED\n\n", 1),
        [lines[0], lines[3]].join("\n"),
        [lines[0], "", lines[3]].join("\n"),
        [lines[0], lines[1], lines[2]].join("\n"),
        [lines[0], lines[2], lines[1], lines[3]].join("\n"),
        [lines[0], lines[1], &lines[2][..51], lines[3]].join("\n"),
        [lines[0], &[lines[1], lines[2]].concat(), lines[3]].join("\n"),
        seed.replace(lines[2], &format!("{}====", lines[2])),
        seed.replace('\n', "\r"),
    ] {
        assert!(refused(&text), "{text}");
    }
    // Bits behind the last byte: the public key of ML-KEM-512 ends in a whole group, this one not.
    let expanded = EXAMPLE[3];
    let last = expanded.lines().rev().nth(1).unwrap();
    assert!(last.ends_with("=="), "{last}");
    let at = expanded.find("==").unwrap() - 1;
    for byte in 0..128_u8 {
        let mut text = expanded.as_bytes().to_vec();
        text[at] = byte;
        let text = String::from_utf8(text).unwrap();
        let key = if b"AQgw".contains(&byte) { None } else { Some(Error::Pem("PRIVATE KEY")) };
        assert_eq!(example().secret_from_pem(&text).err(), key, "{byte}");
    }
    // Every character.
    for byte in 0..128_u8 {
        let mut text = seed.as_bytes().to_vec();
        text[150 - 16] = byte;
        let base64 = byte.is_ascii_alphanumeric() || b"+/".contains(&byte);
        assert_eq!(refused(core::str::from_utf8(&text).unwrap()), !base64, "{byte}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_text_panics(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..2400),
        file in 0_usize..4,
        at in any::<prop::sample::Index>(),
        byte in 0_u8..128,
        text in "(-----BEGIN PUBLIC KEY-----\n)?[A-Za-z+/=é\r\n]{0,300}(\n-----END PUBLIC KEY-----)?",
    ) {
        prop_assert!(PublicKey::from_der(&bytes).is_err());
        prop_assert!(example().secret_from_der(&bytes).is_err());
        prop_assert!(PublicKey::from_pem(&text).is_err());
        bytes = EXAMPLE[file].into();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let text = String::from_utf8(bytes).unwrap();
        let _ = (PublicKey::from_pem(&text), example().secret_from_pem(&text));
    }
}
