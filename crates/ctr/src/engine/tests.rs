//! Every instruction set against the block cipher applied to counters written out.

use super::*;
use aes::{Aes128, Aes256, Block};
use cipher::{BlockCipherEncrypt, KeyInit};
use proptest::prelude::*;

fn by_definition(key: &[u8], first: u128, len: usize) -> Vec<[u8; BLOCK]> {
    let mut blocks: Vec<_> =
        (0..len as u128).map(|j| first.wrapping_add(j).to_be_bytes()).collect();
    for block in Block::cast_slice_from_core_mut(&mut blocks) {
        match key.len() {
            16 => Aes128::new_from_slice(key).unwrap().encrypt_block(block),
            _ => Aes256::new_from_slice(key).unwrap().encrypt_block(block),
        }
    }
    blocks
}

/// Counters before and at every boundary that a carry could miss.
fn start() -> impl Strategy<Value = u128> {
    let boundary =
        prop::sample::select(vec![0_u128, 1 << 32, 1 << 63, 1 << 64, 1 << 96, 1 << 127, 5 << 64]);
    let near = (boundary, 0_u128..200).prop_map(|(at, back)| at.wrapping_sub(back));
    prop_oneof![near, any::<u128>()]
}

proptest! {
    #[test]
    fn every_isa_is_the_definition(key: [u8; 32], first in start(), len in 0_usize..200, long: bool) {
        let (size, key) = if long { (KeySize::Aes256, &key[..]) } else { (KeySize::Aes128, &key[..16]) };
        let want = by_definition(key, first, len);
        for isa in Isa::all() {
            let mut got = vec![[0xa5; BLOCK]; len];
            Engine::new(isa, size, key).run(first, &mut got);
            prop_assert!(got == want, "{} from {:#x}, {} blocks", isa, first, len);
        }
    }
}

#[test]
#[should_panic(expected = "size that was announced")]
fn a_key_of_the_wrong_size_is_a_bug() {
    let _ = Engine::new(Isa::detect(), KeySize::Aes256, &[0; 16]);
}
