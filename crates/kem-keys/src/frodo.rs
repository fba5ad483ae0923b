//! FrodoKEM: ISO/IEC 18033-2, amendment 2, and its designers' specification.

use alloc::vec;
use alloc::vec::Vec;

use aes::cipher::{BlockCipherEncrypt as _, KeyInit as _};
use aes::{Aes128Enc, Block};
use shake::digest::{ExtendableOutput, Update, XofReader};
use shake::{Shake128, Shake256};
use zeroize::Zeroizing;

use crate::error::Error;
use crate::key::PublicKey;
use crate::secret::{Secret, Small};
use crate::set::Set;

/// The bytes of A's seed, in front of t.
const SEED_LEN: usize = 16;
/// The largest n.
const MAX_ROWS: usize = 1344;

/// The representative of `x` modulo q in [-q / 2, q / 2).
#[inline(always)]
const fn centred(set: Set, x: u16) -> i16 {
    let unused = 16 - set.bits();
    (x << unused) as i16 >> unused
}

/// t of an encoding, and the cipher of A's seed.
pub(crate) fn t(set: Set, bytes: &[u8]) -> (Vec<i16>, Option<Aes128Enc>) {
    let (seed, packed) = bytes.split_at(SEED_LEN);
    // The highest bit first.
    let (mut packed, mut buffer, mut bits) = (packed.iter(), 0_u32, 0);
    let entry = |_| {
        while bits < set.bits() {
            let byte = packed.next().expect("the length is right");
            (buffer, bits) = (buffer << 8 | u32::from(*byte), bits + 8);
        }
        bits -= set.bits();
        centred(set, (buffer >> bits) as u16)
    };
    let t = (0..set.entries()).map(entry).collect();
    let aes = set.has_aes().then(|| Aes128Enc::new_from_slice(seed).expect("a key of 16 bytes"));
    (t, aes)
}

/// Row `i` of A.
pub(crate) fn row(key: &PublicKey, i: usize, row: &mut [i16]) {
    let index = (i as u16).to_le_bytes();
    if let Some(aes) = &key.aes {
        let mut blocks = [Block::default(); MAX_ROWS >> 3];
        let blocks = &mut blocks[..row.len() >> 3];
        for (j, block) in blocks.iter_mut().enumerate() {
            block[..2].copy_from_slice(&index);
            block[2..4].copy_from_slice(&(8 * j as u16).to_le_bytes());
        }
        aes.encrypt_blocks(blocks);
        read_row(key.set, blocks.iter().flat_map(|block| block.chunks_exact(2)), row);
    } else {
        let mut bytes = [0; 2 * MAX_ROWS];
        let mut shake = Shake128::default();
        shake.update(&index);
        shake.update(&key.bytes[..SEED_LEN]);
        shake.finalize_xof().read(&mut bytes[..2 * row.len()]);
        read_row(key.set, bytes.chunks_exact(2), row);
    }
}

fn read_row<'a>(set: Set, words: impl Iterator<Item = &'a [u8]>, row: &mut [i16]) {
    for (x, word) in row.iter_mut().zip(words) {
        *x = centred(set, u16::from_le_bytes([word[0], word[1]]));
    }
}

/// s and e of a secret key.
pub(crate) fn secret(key: &PublicKey, sk: &[u8]) -> Result<Secret, Error> {
    let (set, n, bound) = (key.set, key.set.blocks(), key.set.bound());
    if sk.len() != set.secret_len() {
        return Err(key.secret_length(sk.len(), None));
    }
    let (public, rest) = sk[set.hash_len()..].split_at(key.bytes.len());
    let (transposed, hash) = rest.split_at(set.secret_vector_len());
    let mut own = [0; 32];
    let own = &mut own[..hash.len()];
    if n == 640 {
        Shake128::digest_xof(&key.bytes, own);
    } else {
        Shake256::digest_xof(&key.bytes, own);
    }
    key.check_contained(public, hash, own)?;
    let mut columns = Zeroizing::new(vec![0; set.entries()]);
    for (word, bytes) in columns.iter_mut().zip(transposed.chunks_exact(2)) {
        *word = i16::from_le_bytes([bytes[0], bytes[1]]);
    }
    let mut s = Small::new(bound, columns.len());
    for row in 0..n {
        columns.chunks_exact(n).for_each(|column| s.push(column[row]));
    }
    let s = s.finish(Error::Secret(bound))?;

    let mut e = Small::new(bound, columns.len());
    let mut of_a = [0; MAX_ROWS];
    let of_a = &mut of_a[..n];
    for (i, t) in key.t.chunks_exact(set.block_len()).enumerate() {
        row(key, i, of_a);
        for (t, column) in t.iter().zip(columns.chunks_exact(n)) {
            let products = of_a.iter().zip(column).map(|(a, s)| a.wrapping_mul(*s));
            let product = products.fold(0, i16::wrapping_add);
            e.push(centred(set, t.wrapping_sub(product) as u16));
        }
    }
    Ok(Secret { s, e: e.finish(Error::Mismatch(bound))? })
}
