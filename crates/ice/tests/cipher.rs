//! Known answers, agreement of all paths, and the `cipher` traits.

use serde::Deserialize;
use tautochrone_ice::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use tautochrone_ice::{Error, Ice, Ice1, Ice2, ThinIce};
use tautochrone_simd::Isa;

/// From Kwan's certification data, the tests of another implementation, and files of games.
#[derive(Deserialize)]
struct Answer {
    level: u8,
    key: String,
    pt: String,
    ct: String,
    src: String,
}

fn answers() -> Vec<Answer> {
    let text = include_str!("kat/ice.json");
    serde_json::from_str(text).expect("the known-answer file")
}

fn bytes(text: &str) -> Vec<u8> {
    hex::decode(text).expect("hexadecimal")
}

#[test]
fn known_answers() {
    let answers = answers();
    assert!(answers.len() > 10);
    for Answer { level, key, pt, ct, src } in answers {
        for isa in Isa::all() {
            let ice = Ice::new_on(isa, level, &bytes(&key)).expect("a good key");
            // Once alone and once as the last of many, which takes the other path.
            for count in [1, 100] {
                let plain: [u8; 8] = bytes(&pt).try_into().expect("a block");
                let mut blocks = vec![[0; 8]; count];
                blocks[count - 1] = plain;
                ice.encrypt(&mut blocks);
                assert_eq!(hex::encode(blocks[count - 1]), ct, "{src}, level {level}, {isa}");
                ice.decrypt(&mut blocks);
                assert_eq!(blocks[count - 1], plain, "{src}, level {level}, {isa}");
            }
        }
    }
}

fn data(blocks: usize, seed: u64) -> Vec<[u8; 8]> {
    (0..blocks as u64)
        .map(|i| (i ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).to_be_bytes())
        .collect()
}

/// Every number of blocks up to more than three groups of the widest kernel, and numbers around
/// runs of the circuit, give what single blocks give, and decryption undoes it.
#[test]
fn every_number_of_blocks_agrees() {
    const MAX: usize = 3000;
    for level in 0..4 {
        let key = &data(3, 77 + u64::from(level)).as_flattened()[..Ice::key_length(level)].to_vec();
        let plain = data(MAX, level.into());
        let mut want = plain.clone();
        let reference = Ice::new_on(Isa::PORTABLE, level, key).unwrap();
        for block in &mut want {
            reference.encrypt(core::slice::from_mut(block));
        }
        for isa in Isa::all() {
            let ice = Ice::new_on(isa, level, key).unwrap();
            for count in (0..=200).chain([255, 256, 257, 511, 512, 513, 520, 521, MAX]) {
                let mut blocks = plain.clone();
                ice.encrypt(&mut blocks[..count]);
                assert!(blocks[..count] == want[..count], "{isa}, level {level}, {count} blocks");
                assert!(blocks[count..] == plain[count..], "{isa}, level {level}, {count} blocks");
                ice.decrypt(&mut blocks[..count]);
                assert!(blocks == plain, "{isa}, level {level}, {count} blocks");
            }
        }
    }
}

#[test]
fn parallel_is_the_same() {
    let ice = Ice::new(1, b"tautochr").unwrap();
    let plain = data(100_001, 3);
    let (mut one, mut many) = (plain.clone(), plain.clone());
    ice.encrypt(&mut one);
    ice.encrypt_parallel(&mut many);
    assert!(one == many);
    ice.decrypt_parallel(&mut many);
    assert!(many == plain);
}

#[test]
fn cipher_traits_are_the_same_cipher() {
    for count in [1, 2, 511, 512, 513, 2000] {
        let plain = data(count, 9);
        let mut want = plain.clone();
        Ice::new(2, &[7; 16]).unwrap().encrypt(&mut want);
        let cipher = Ice2::new(&[7; 16].into());
        let mut blocks: Vec<_> = plain.iter().map(|&block| block.into()).collect();
        cipher.encrypt_blocks(&mut blocks);
        assert!(blocks.iter().zip(&want).all(|(got, want)| got[..] == want[..]));
        cipher.decrypt_blocks(&mut blocks);
        assert!(blocks.iter().zip(&plain).all(|(got, want)| got[..] == want[..]));
    }
    assert!(ThinIce::new_from_slice(&[0; 7]).is_err());
    assert!(Ice1::new_from_slice(&[0; 8]).is_ok());
}

#[test]
fn wrong_key_lengths_are_named() {
    for (level, got, expected) in [(0, 7, 8), (1, 16, 8), (2, 8, 16), (255, 8, 2040)] {
        let error = Ice::new(level, &vec![0; got]).unwrap_err();
        assert_eq!(error, Error::KeyLength { got, expected, level });
    }
    assert!(Ice::new(255, &[1; 2040]).is_ok());
}

#[test]
fn keys_are_not_printed() {
    let ice = Ice::new(1, b"SECRETKY").unwrap();
    assert!(!format!("{ice:?}").contains("SECRET"));
    assert!(!format!("{:?}", Ice1::new(b"SECRETKY".into())).contains("SECRET"));
}
