//! Keys and ciphertexts as the crates `fhe` (BFV) and `tfhe` make them, as lists that can be
//! proved.
//!
//! What `fhe` draws is drawn again from a copy of the generator that it is given; the errors of
//! `tfhe` follow from the secret key.

use std::error::Error;
use std::sync::Arc;

use fhe::bfv::{
    BfvParameters, BfvParametersBuilder, Ciphertext, Encoding, Plaintext, PublicKey, SecretKey,
};
use fhe_math::rq::{Poly, Representation};
use fhe_traits::{DeserializeParametrized, FheDecrypter, FheEncoder, FheEncrypter, Serialize};
use fhe_util::sample_vec_cbd;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tautochrone_zk_keys::{BfvKey, RingList, RingSecret, Small};
use tfhe::core_crypto::prelude as core;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The variance of all that `fhe` draws, the default of the crate: centred binomials up to 20.
const VARIANCE: usize = 10;
const DEGREE: usize = 8192;
const PLAINTEXT: u64 = 65_537;
/// Polynomials by primes.
type Polynomials = Vec<Vec<u64>>;

/// A key pair of `fhe`, with all integers that it was made of.
pub struct Bfv {
    parameters: Arc<BfvParameters>,
    rng: ChaCha8Rng,
    secret: SecretKey,
    public: PublicKey,
    s: Vec<i64>,
    e: Vec<i64>,
    c: [Polynomials; 2],
}

fn small() -> Small {
    Small::new(2 * VARIANCE as u32, 1_000_000 * VARIANCE as u64).expect("up to 24")
}

/// Coefficients by primes.
fn polynomials(x: &Poly) -> Polynomials {
    let mut x = x.clone();
    x.change_representation(Representation::PowerBasis);
    x.coefficients().outer_iter().map(|row| row.to_vec()).collect()
}

impl Bfv {
    /// n = 8192 and three primes.
    pub fn new(seed: u8) -> Result<Self> {
        let parameters = BfvParametersBuilder::new()
            .set_degree(DEGREE)
            .set_plaintext_modulus(PLAINTEXT)
            .set_moduli_sizes(&[60, 60, 60])
            .set_variance(VARIANCE)
            .build_arc()?;
        let mut rng = ChaCha8Rng::from_seed([seed; 32]);
        let mut again = rng.clone();
        let secret = SecretKey::random(&parameters, &mut rng);
        let public = PublicKey::new(&secret, &mut rng);
        let [s, e] = [(); 2].map(|()| sample_vec_cbd(DEGREE, VARIANCE, &mut again));
        // A public key is one field that is a ciphertext: a tag, and a length of seven bits a byte.
        let bytes = public.to_bytes();
        let length = bytes[1..].iter().position(|byte| byte >> 7 == 0).ok_or("no length")?;
        let ciphertext = Ciphertext::from_bytes(&bytes[length + 2..], &parameters)?;
        let c = [polynomials(&ciphertext[0]), polynomials(&ciphertext[1])];
        Ok(Self { parameters, rng, secret, public, s: s?, e: e?, c })
    }

    /// The public key, c_0 = e - c_1 s.
    pub fn key(&self) -> Result<(RingList, RingSecret)> {
        let primes = self.parameters.moduli();
        let mut list = RingList::rlwe(DEGREE, primes, small(), small(), b"example")?;
        let negated = |(x, &q): (&Vec<u64>, &u64)| x.iter().map(|&x| (q - x) % q).collect();
        let a: Polynomials = self.c[1].iter().zip(primes).map(negated).collect();
        list.push_key(b"alice", &a, &self.c[0])?;
        let secret = list.rlwe_secret(&self.s, &self.e)?;
        Ok((list, secret))
    }

    /// A list of ciphertexts under the key, without any.
    pub fn ciphertexts(&self) -> Result<RingList> {
        let primes = self.parameters.moduli();
        let scale = |&q: &u64| {
            // q times the plaintext, rounded, is -1 / t times q m modulo t.
            let (q, mut power, mut base) = (u128::from(q), 1, u128::from(PLAINTEXT));
            for bit in 0..64 {
                if (q - 2) >> bit & 1 == 1 {
                    power = power * base % q;
                }
                base = base * base % q;
            }
            (q - power) as u64
        };
        let key = BfvKey {
            c0: self.c[0].clone(),
            c1: self.c[1].clone(),
            scale: primes.iter().map(scale).collect(),
            message_bound: PLAINTEXT - 1,
        };
        Ok(RingList::bfv(DEGREE, primes, &key, small(), small(), b"example")?)
    }

    /// Encrypts a random message, and adds what it was encrypted with to the list.
    pub fn encrypt(&mut self, list: &mut RingList) -> Result<RingSecret> {
        let values: Vec<u64> = (0..DEGREE).map(|_| self.rng.random_range(0..PLAINTEXT)).collect();
        let plaintext = Plaintext::try_encode(&values, Encoding::poly(), &self.parameters)?;
        let mut again = self.rng.clone();
        let ciphertext: Ciphertext = self.public.try_encrypt(&plaintext, &mut self.rng)?;
        if self.secret.try_decrypt(&ciphertext)? != plaintext {
            return Err("not decrypted".into());
        }
        let drawn = [(); 3].map(|()| sample_vec_cbd(DEGREE, VARIANCE, &mut again));
        let [u, e0, e1] = drawn;
        let primes = self.parameters.moduli();
        let q = primes.iter().fold(1, |product, q| product * (q % PLAINTEXT) % PLAINTEXT);
        let message: Vec<i64> = values.iter().map(|m| (m * q % PLAINTEXT) as i64).collect();
        let [c0, c1] = [0, 1].map(|i| polynomials(&ciphertext[i]));
        list.push_ciphertext(b"alice", &c0, &c1)?;
        Ok(list.bfv_secret(&u?, &message, [&e0?, &e1?])?)
    }
}

/// Compact public keys of `tfhe`, of 2048 bits each with errors of TUniform(17).
pub fn tfhe_keys(count: usize) -> Result<(RingList, Vec<RingSecret>)> {
    let mut seeder = core::new_seeder();
    let seeder = seeder.as_mut();
    let mut secrets =
        core::SecretRandomGenerator::<core::DefaultRandomGenerator>::new(seeder.seed());
    let mut errors =
        core::EncryptionRandomGenerator::<core::DefaultRandomGenerator>::new(seeder.seed(), seeder);
    let dimension = core::LweDimension(2048);
    let mut list = RingList::tfhe(dimension.0, b"example")?;
    let mut all = Vec::new();
    for index in 0..count {
        let secret: core::LweSecretKeyOwned<u64> =
            core::allocate_and_generate_new_binary_lwe_secret_key(dimension, &mut secrets);
        let key = core::allocate_and_generate_new_lwe_compact_public_key(
            &secret,
            core::TUniform::<u64>::new(17),
            core::CiphertextModulus::new_native(),
            &mut errors,
        );
        let (mask, body) = key.get_mask_and_body();
        let (mask, body) = (mask.as_ref().to_vec(), body.as_ref().to_vec());
        let s: Vec<u64> = secret.as_ref().to_vec();
        let mut errors = body.clone();
        for (i, &s) in s.iter().rev().enumerate().filter(|&(_, &s)| s == 1) {
            for (j, &a) in mask.iter().enumerate() {
                let error = &mut errors[(i + j) % dimension.0];
                let product = a.wrapping_mul(s);
                let wraps = i + j >= dimension.0;
                *error =
                    if wraps { error.wrapping_add(product) } else { error.wrapping_sub(product) };
            }
        }
        let errors: Vec<i64> = errors.into_iter().map(u64::cast_signed).collect();
        list.push_key(&index.to_le_bytes(), &[mask], &[body])?;
        all.push(list.tfhe_secret(&s, &errors)?);
    }
    Ok((list, all))
}
