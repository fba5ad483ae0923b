//! ML-KEM: FIPS 203.

use alloc::vec::Vec;

use sha3::{Digest as _, Sha3_256, Sha3_512};
use shake::digest::{ExtendableOutput, Update, XofReader};
use shake::{Shake128, Shake256};
use tautochrone_simd::declassify_slice;
use zeroize::{Zeroize as _, Zeroizing};

use crate::error::Error;
use crate::key::PublicKey;
use crate::secret::{Secret, Small};
use crate::set::Set;

mod der;
mod ntt;

use ntt::{Polynomial, Q};

/// The coefficients of a polynomial.
const DEGREE: usize = 256;
/// The bytes d, z of a secret key of ML-KEM that is a seed.
pub const SEED_LEN: usize = 64;
/// The bytes of an encoded polynomial: 12 bits a coefficient.
const ENCODED: usize = 384;

/// t of a canonical encoding.
///
/// # Errors
/// [`Error::Coefficient`].
pub(crate) fn t(set: Set, bytes: &[u8]) -> Result<Vec<i16>, Error> {
    let encoded = &bytes[..set.packed_len()];
    if let Some((index, found)) = words(encoded).enumerate().find(|&(_, word)| word >= Q) {
        return Err(Error::Coefficient { index, found: found as u16 });
    }
    let t = encoded.chunks_exact(ENCODED).flat_map(|encoded| {
        let mut polynomial = decode(encoded);
        ntt::inverse(&mut polynomial);
        polynomial
    });
    Ok(t.collect())
}

/// Row `i` of A: k polynomials.
pub(crate) fn row(key: &PublicKey, i: usize, row: &mut [i16]) {
    for (j, out) in row.chunks_exact_mut(DEGREE).enumerate() {
        let mut polynomial = sample(key, i, j);
        ntt::inverse(&mut polynomial);
        out.copy_from_slice(&polynomial);
    }
}

/// The seed of A.
fn rho(key: &PublicKey) -> &[u8] {
    &key.bytes[key.set.packed_len()..]
}

/// The transform of A's polynomial, centred: algorithm 7.
fn sample(key: &PublicKey, i: usize, j: usize) -> Polynomial {
    let mut shake = Shake128::default();
    shake.update(rho(key));
    shake.update(&[j as u8, i as u8]);
    let mut stream = shake.finalize_xof();
    let (mut polynomial, mut count) = ([0; DEGREE], 0);
    let mut block = [0; 168];
    while count < DEGREE {
        stream.read(&mut block);
        for word in words(&block).filter(|&word| word < Q).take(DEGREE - count) {
            polynomial[count] = ntt::centred(word);
            count += 1;
        }
    }
    polynomial
}

/// s and e of a decapsulation key, expanded or a seed (d, z).
pub(crate) fn secret(key: &PublicKey, dk: &[u8]) -> Result<Secret, Error> {
    let (set, k, bound) = (key.set, key.set.blocks(), key.set.bound());
    let mut s = Small::new(bound, set.entries());
    let mut transforms = Zeroizing::new([[0; DEGREE]; 4]);
    let mut drawn = None;
    if dk.len() == SEED_LEN {
        let expanded = expand(key, &dk[..32])?;
        for (transform, polynomial) in transforms.iter_mut().zip(&expanded[..k]) {
            s.extend(polynomial);
            *transform = *polynomial;
            ntt::forward(transform);
        }
        drawn = Some(expanded);
    } else if dk.len() == set.secret_len() {
        let (encoded, rest) = dk.split_at(set.secret_vector_len());
        let (public, rest) = rest.split_at(key.bytes.len());
        key.check_contained(public, &rest[..32], &Sha3_256::digest(&key.bytes))?;
        for (transform, encoded) in transforms.iter_mut().zip(encoded.chunks_exact(ENCODED)) {
            words(encoded).for_each(|word| s.refuse_negative(i32::from(Q - 1 - word)));
            *transform = decode(encoded);
            let mut polynomial = Zeroizing::new(*transform);
            ntt::inverse(&mut polynomial);
            s.extend(&*polynomial);
        }
    } else {
        return Err(key.secret_length(dk.len(), Some(SEED_LEN)));
    }
    let s = s.finish(Error::Secret(bound))?;

    let mut e = Small::new(bound, set.entries());
    for (i, encoded) in key.bytes.chunks_exact(ENCODED).take(k).enumerate() {
        let (mut row, mut sum) = (Zeroizing::new(decode(encoded)), Zeroizing::new([0; DEGREE]));
        for (j, transform) in transforms[..k].iter().enumerate() {
            // Below 2 q each, and k <= 4: no overflow.
            ntt::multiply_add(&mut sum, &sample(key, i, j), transform);
        }
        ntt::subtract_scaled(&mut row, &sum);
        ntt::inverse(&mut row);
        for (m, &x) in row.iter().enumerate() {
            e.push(x);
            if let Some(drawn) = &drawn {
                e.refuse_unless(drawn[k + i][m] as i8);
            }
        }
    }
    Ok(Secret { s, e: e.finish(Error::Mismatch(bound))? })
}

/// The 2 k polynomials of s and e that K-PKE.KeyGen draws from `d`: algorithm 13.
fn expand(key: &PublicKey, d: &[u8]) -> Result<Zeroizing<[Polynomial; 8]>, Error> {
    let (k, eta) = (key.set.blocks(), key.set.bound() as usize);
    let mut seeds = Sha3_512::new().chain_update(d).chain_update([k as u8]).finalize();
    let (own_rho, sigma) = seeds.split_at(32);
    // A's seed is public.
    declassify_slice(own_rho);
    let fits = own_rho == rho(key);
    let mut polynomials = Zeroizing::new([[0; DEGREE]; 8]);
    let mut bytes = Zeroizing::new([0; 64 * 3]);
    for (index, polynomial) in polynomials[..2 * k].iter_mut().enumerate() {
        let mut shake = Shake256::default();
        shake.update(sigma);
        shake.update(&[index as u8]);
        shake.finalize_xof().read(&mut bytes[..64 * eta]);
        let bit = |i: usize| i16::from(bytes[i >> 3] >> (i & 7) & 1);
        let ones = |from: usize| (from..from + eta).map(bit).sum::<i16>();
        for (i, x) in polynomial.iter_mut().enumerate() {
            *x = ones(2 * i * eta) - ones((2 * i + 1) * eta);
        }
    }
    seeds.zeroize();
    if fits { Ok(polynomials) } else { Err(Error::OtherPublicKey) }
}

/// Numbers of 12 bits, two in three bytes.
fn words(encoded: &[u8]) -> impl Iterator<Item = i16> {
    encoded.chunks_exact(3).flat_map(|bytes| {
        let [a, b, c] = [bytes[0], bytes[1], bytes[2]].map(i16::from);
        [a | (b & 15) << 8, b >> 4 | c << 4]
    })
}

/// The coefficients of a polynomial, centred.
fn decode(encoded: &[u8]) -> Polynomial {
    let mut polynomial = [0; DEGREE];
    for (x, word) in polynomial.iter_mut().zip(words(encoded)) {
        *x = ntt::centred(word);
    }
    polynomial
}
