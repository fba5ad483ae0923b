//! Keys of our own making by schoolbook arithmetic, also for the tests of `tautochrone-zk-keys`.

use sha3::{Digest as _, Sha3_256};
use shake::digest::{ExtendableOutput as _, Update as _};
use shake::{Shake128, Shake256};
use tautochrone_kem_keys::{PublicKey, Set};

/// The hash of the set, of so many bytes.
pub(crate) fn hash(set: Set, input: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    match set.blocks() {
        640 => Shake128::default().chain(input).finalize_xof_into(&mut out),
        976 | 1344 => Shake256::default().chain(input).finalize_xof_into(&mut out),
        _ => out.copy_from_slice(&Sha3_256::digest(input)),
    }
    out
}

/// A s + e modulo q, coefficient by coefficient.
pub(crate) fn product(key: &PublicKey, s: &[i64], e: &[i64]) -> Vec<i64> {
    let (set, n) = (key.set(), key.set().block_len());
    let q = i64::from(set.modulus());
    let (mut t, mut row) = (e.to_vec(), vec![0; set.row_len()]);
    for (i, t) in t.chunks_mut(n).enumerate() {
        key.row(i, &mut row);
        assert!(row.iter().all(|&a| -q / 2 <= a.into() && i64::from(a) < (q + 1) / 2));
        for (a, s) in row.chunks(set.row_len() / set.blocks()).zip(s.chunks(n)) {
            for (x, &a) in a.iter().enumerate() {
                // X^n is -1.
                let (wrapped, rest) = t.split_at_mut(x);
                let a = i64::from(a);
                rest.iter_mut().zip(s).for_each(|(t, s)| *t += a * s);
                wrapped.iter_mut().zip(&s[n - x..]).for_each(|(t, s)| *t -= a * s);
            }
        }
    }
    t.iter().map(|t| t.rem_euclid(q)).collect()
}

/// A polynomial's transform by its definition in FIPS 203, section 4.3: f modulo X^2 - gamma_i for
/// gamma_i = 17^(2 BitRev7(i) + 1).
fn transform(f: &[i64]) -> Vec<i64> {
    const Q: i64 = 3329;
    let value = |i: usize, odd: usize| {
        let exponents = 0..=2 * ((i as u8).reverse_bits() >> 1);
        let gamma = exponents.fold(1, |power, _| power * 17 % Q);
        (0..128).rev().fold(0, |sum, m| (sum * gamma + f[2 * m + odd]).rem_euclid(Q))
    };
    (0..256).map(|i| value(i / 2, i % 2)).collect()
}

/// t as public keys have it, and s as those of ML-KEM have it.
pub(crate) fn pack(set: Set, t: &[i64]) -> Vec<u8> {
    if set.is_ml_kem() {
        let words: Vec<_> = t.chunks(256).flat_map(transform).collect();
        let pairs = words.chunks(2).map(|pair| (pair[0] | pair[1] << 12) as u32);
        return pairs.flat_map(|pair| pair.to_le_bytes().into_iter().take(3)).collect();
    }
    // Bit by bit, the highest first.
    let width = set.modulus().ilog2();
    let bits = t.iter().flat_map(|t| (0..width).rev().map(move |bit| (t >> bit & 1) as u8));
    let bits: Vec<_> = bits.collect();
    bits.chunks(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

/// A public key of t in its encoding.
pub(crate) fn public(set: Set, seed: &[u8], t: &[u8]) -> Vec<u8> {
    if set.is_ml_kem() { [t, seed].concat() } else { [seed, t].concat() }
}

/// The keys (pk, sk) of A's seed, the random `value`, s and e.
pub(crate) fn make(
    set: Set,
    seed: &[u8],
    value: &[u8],
    s: &[i64],
    e: &[i64],
) -> (Vec<u8>, Vec<u8>) {
    let zeros = vec![0; set.public_len() - seed.len()];
    let matrix = PublicKey::from_bytes(set, &public(set, seed, &zeros)).unwrap();
    let pk = public(set, seed, &pack(set, &product(&matrix, s, e)));
    let hash = hash(set, &pk, set.hash_len());
    let sk = if set.is_ml_kem() {
        [&pack(set, s), &pk, &hash, value].concat()
    } else {
        let transposed = (0..8).flat_map(|column| s.iter().skip(column).step_by(8));
        let transposed: Vec<_> = transposed.flat_map(|&s| (s as i16).to_le_bytes()).collect();
        [value, &pk, &transposed, &hash].concat()
    };
    (pk, sk)
}
