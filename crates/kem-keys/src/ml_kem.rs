//! ML-KEM: FIPS 203.

use alloc::vec::Vec;
use core::fmt;

use sha3::{Digest as _, Sha3_256, Sha3_512};
use shake::digest::{ExtendableOutput, Update, XofReader};
use shake::{Shake128, Shake256};
use tautochrone_simd::declassify_slice;
use zeroize::{Zeroize as _, Zeroizing};

use crate::error::Error;
use crate::secret::{Secret, Small};

mod der;
mod ntt;

use ntt::Polynomial;

/// The modulus.
pub const Q: i16 = ntt::Q;
/// The coefficients of a polynomial.
pub const DEGREE: usize = 256;
/// The bytes d, z of a decapsulation key that is a seed.
pub const SEED_LEN: usize = 64;
/// The bytes of an encoded polynomial: 12 bits a coefficient.
const ENCODED: usize = 384;

/// The parameter sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Set {
    /// ML-KEM-512.
    MlKem512,
    /// ML-KEM-768.
    MlKem768,
    /// ML-KEM-1024.
    MlKem1024,
}

impl Set {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::MlKem512, Self::MlKem768, Self::MlKem1024];

    /// Name, k and eta_1.
    const fn table(self) -> (&'static str, usize, i8) {
        match self {
            Self::MlKem512 => ("ML-KEM-512", 2, 3),
            Self::MlKem768 => ("ML-KEM-768", 3, 2),
            Self::MlKem1024 => ("ML-KEM-1024", 4, 2),
        }
    }

    /// The standard's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.table().0
    }

    /// k: polynomials of s, of e and of t.
    #[must_use]
    pub const fn rank(self) -> usize {
        self.table().1
    }

    /// eta_1: the largest coefficient of s and of e.
    #[must_use]
    pub const fn bound(self) -> i8 {
        self.table().2
    }

    /// The bytes of an encapsulation key.
    #[must_use]
    pub const fn public_len(self) -> usize {
        ENCODED * self.rank() + 32
    }

    /// The bytes of an expanded decapsulation key.
    #[must_use]
    pub const fn secret_len(self) -> usize {
        ENCODED * self.rank() + self.public_len() + 64
    }
}

/// An encapsulation key: t, and the seed of A.
#[derive(Clone, PartialEq, Eq)]
pub struct EncapsulationKey {
    set: Set,
    bytes: Vec<u8>,
    t: Vec<i16>,
}

impl EncapsulationKey {
    /// Reads a canonical encoding.
    ///
    /// # Errors
    /// [`Error::PublicLength`], [`Error::Coefficient`].
    pub fn from_bytes(set: Set, bytes: &[u8]) -> Result<Self, Error> {
        let (found, expected) = (bytes.len(), set.public_len());
        if found != expected {
            return Err(Error::PublicLength { set: set.name(), found, expected });
        }
        let (encoded, _) = bytes.split_at(ENCODED * set.rank());
        if let Some((index, found)) = words(encoded).enumerate().find(|&(_, word)| word >= Q) {
            return Err(Error::Coefficient { index, found: found as u16 });
        }
        let t = encoded.chunks_exact(ENCODED).flat_map(|encoded| {
            let mut polynomial = decode(encoded);
            ntt::inverse(&mut polynomial);
            polynomial
        });
        Ok(Self { set, bytes: bytes.to_vec(), t: t.collect() })
    }

    /// The parameter set.
    #[must_use]
    pub fn set(&self) -> Set {
        self.set
    }

    /// The encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// t: k polynomials one after the other, coefficients in [-q / 2, q / 2).
    #[must_use]
    pub fn t(&self) -> &[i16] {
        &self.t
    }

    /// The polynomial in row `i` and column `j` of A, with t = A s + e, coefficients in
    /// [-q / 2, q / 2): expanded anew by each call.
    ///
    /// # Panics
    /// Unless `i` and `j` are below k.
    #[must_use]
    pub fn polynomial(&self, i: usize, j: usize) -> [i16; DEGREE] {
        assert!(i < self.set.rank() && j < self.set.rank(), "A has k rows and columns");
        let mut polynomial = self.sample(i, j);
        ntt::inverse(&mut polynomial);
        polynomial
    }

    fn rho(&self) -> &[u8] {
        &self.bytes[ENCODED * self.set.rank()..]
    }

    /// The transform of A's polynomial, centred: algorithm 7.
    fn sample(&self, i: usize, j: usize) -> Polynomial {
        let mut shake = Shake128::default();
        shake.update(self.rho());
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

    /// s and e of the decapsulation key `dk`, expanded or a seed (d, z), which has to be the one of
    /// this key. z may be anything.
    ///
    /// # Constant time
    /// In s, e, d and z. Whether the key is refused, and why, is public.
    ///
    /// # Errors
    /// [`Error::SecretLength`], [`Error::OtherPublicKey`], [`Error::Hash`], [`Error::Secret`],
    /// [`Error::Mismatch`].
    pub fn secret(&self, dk: &[u8]) -> Result<Secret, Error> {
        let (k, bound) = (self.set.rank(), self.set.bound());
        let mut s = Small::new(bound, k * DEGREE);
        let mut transforms = Zeroizing::new([[0; DEGREE]; 4]);
        let mut drawn = None;
        if dk.len() == SEED_LEN {
            let expanded = self.expand(&dk[..32])?;
            for (transform, polynomial) in transforms.iter_mut().zip(&expanded[..k]) {
                s.extend(polynomial);
                *transform = *polynomial;
                ntt::forward(transform);
            }
            drawn = Some(expanded);
        } else if dk.len() == self.set.secret_len() {
            let (encoded, rest) = dk.split_at(ENCODED * k);
            let (public, rest) = rest.split_at(self.bytes.len());
            declassify_slice(&rest[..32]);
            declassify_slice(public);
            if public != self.bytes {
                return Err(Error::OtherPublicKey);
            }
            if rest[..32] != Sha3_256::digest(public)[..] {
                return Err(Error::Hash);
            }
            for (transform, encoded) in transforms.iter_mut().zip(encoded.chunks_exact(ENCODED)) {
                words(encoded).for_each(|word| s.refuse_negative(i32::from(Q - 1 - word)));
                *transform = decode(encoded);
                let mut polynomial = Zeroizing::new(*transform);
                ntt::inverse(&mut polynomial);
                s.extend(&*polynomial);
            }
        } else {
            let (found, expected, seed) = (dk.len(), self.set.secret_len(), Some(SEED_LEN));
            return Err(Error::SecretLength { set: self.set.name(), found, expected, seed });
        }
        let s = s.finish(Error::Secret(bound))?;

        let mut e = Small::new(bound, k * DEGREE);
        for (i, encoded) in self.bytes.chunks_exact(ENCODED).take(k).enumerate() {
            let (mut row, mut sum) = (Zeroizing::new(decode(encoded)), Zeroizing::new([0; DEGREE]));
            for (j, transform) in transforms[..k].iter().enumerate() {
                // Below 2 q each, and k <= 4: no overflow.
                ntt::multiply_add(&mut sum, &self.sample(i, j), transform);
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
    fn expand(&self, d: &[u8]) -> Result<Zeroizing<[Polynomial; 8]>, Error> {
        let (k, eta) = (self.set.rank(), self.set.bound() as usize);
        let mut seeds = Sha3_512::new().chain_update(d).chain_update([k as u8]).finalize();
        let (rho, sigma) = seeds.split_at(32);
        // A's seed is public.
        declassify_slice(rho);
        let fits = rho == self.rho();
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
}

impl fmt::Debug for EncapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncapsulationKey").field("set", &self.set).finish_non_exhaustive()
    }
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
