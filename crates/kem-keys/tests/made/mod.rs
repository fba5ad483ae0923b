//! FrodoKEM keys of our own making by schoolbook arithmetic, also for the tests of
//! `tautochrone-zk-keys`.

use shake::digest::{ExtendableOutput, Update};
use shake::{Shake128, Shake256};
use tautochrone_kem_keys::frodo::{COLUMNS, PublicKey, Set};

/// The hash of the set.
pub(crate) fn hash(set: Set, input: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    if set.rows() == 640 {
        Shake128::default().chain(input).finalize_xof_into(&mut out);
    } else {
        Shake256::default().chain(input).finalize_xof_into(&mut out);
    }
    out
}

/// The bytes of the hash of a public key, and of the random value.
pub(crate) fn security(set: Set) -> usize {
    match set.rows() {
        640 => 16,
        976 => 24,
        _ => 32,
    }
}

/// A s + e modulo q, in columns.
pub(crate) fn product(key: &PublicKey, s: &[i64], e: &[i64]) -> Vec<i64> {
    let (n, q) = (key.set().rows(), 1 << key.set().modulus_bits());
    let (mut t, mut row) = (e.to_vec(), vec![0; n]);
    for i in 0..n {
        key.row(i, &mut row);
        assert!(row.iter().all(|&a| -q / 2 <= i64::from(a) && i64::from(a) < q / 2));
        for column in 0..COLUMNS {
            let s = &s[column * n..][..n];
            t[column * n + i] += row.iter().zip(s).map(|(&a, s)| i64::from(a) * s).sum::<i64>();
        }
    }
    t.iter().map(|t| t.rem_euclid(q)).collect()
}

/// Bit by bit, the highest first, row by row.
pub(crate) fn pack(set: Set, t: &[i64]) -> Vec<u8> {
    let (n, width) = (set.rows(), set.modulus_bits());
    let mut bits = Vec::new();
    for row in 0..n {
        for column in 0..COLUMNS {
            bits.extend((0..width).rev().map(|bit| (t[column * n + row] >> bit & 1) as u8));
        }
    }
    bits.chunks(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

/// The keys (pk, sk) of A's seed, the random `value`, s and e.
pub(crate) fn make(
    set: Set,
    seed: &[u8],
    value: &[u8],
    s: &[i64],
    e: &[i64],
) -> (Vec<u8>, Vec<u8>) {
    let matrix = [seed, &vec![0; set.public_len() - 16]].concat();
    let matrix = PublicKey::from_bytes(set, &matrix).unwrap();
    let pk = [seed, &pack(set, &product(&matrix, s, e))].concat();
    let transposed: Vec<_> = s.iter().flat_map(|&s| (s as i16).to_le_bytes()).collect();
    let sk = [value, &pk, &transposed, &hash(set, &pk, security(set))].concat();
    (pk, sk)
}
