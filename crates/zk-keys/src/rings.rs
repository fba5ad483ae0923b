//! [`RingList`]: RLWE public keys over several primes, BFV ciphertexts, and compact public keys of
//! TFHE, given as integers, with what they are proved for.

mod family;
mod secrets;
mod small;

pub use secrets::RingSecret;
pub use small::Small;

/// Digits of integers up to 24 in absolute value are in [-3, 3], to this base.
const BASE: i64 = 7;
/// Digits of a message of BFV are to this base.
const MESSAGE_BASE: i64 = 16;
/// An error of TFHE is this, plus six digits in [-4, 3] to the base 8, plus a bit: -2^17 to 2^17.
const TFHE_OFFSET: i64 = 18_724;
const TFHE_DIGITS: usize = 6;

/// Why keys, ciphertexts or secrets are none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RingError {
    /// A number of parameters.
    #[error("{name} is {got}: expected {expected}")]
    Parameter {
        /// What it is.
        name: &'static str,
        /// Its value.
        got: u64,
        /// What would be right.
        expected: &'static str,
    },
    /// A coefficient of a public polynomial that is not below its modulus.
    #[error("coefficient {index} of polynomial {polynomial} is not below its modulus")]
    Coefficient {
        /// The number of the polynomial in the key or ciphertext.
        polynomial: usize,
        /// Which one.
        index: usize,
    },
    /// A secret polynomial with a coefficient beyond its bound.
    #[error("{0} is not within its bound")]
    Secret(&'static str),
}

/// A public key (c_0, c_1) of BFV, modulo some primes: c_0 u + e_0 + scale m and c_1 u + e_1 are a
/// ciphertext.
#[derive(Clone, Debug)]
pub struct BfvKey {
    /// c_0 modulo each prime: coefficients below it, the lowest first.
    pub c0: Vec<Vec<u64>>,
    /// c_1.
    pub c1: Vec<Vec<u64>>,
    /// What a message is multiplied with modulo each prime, below it.
    pub scale: Vec<u64>,
    /// Messages are integers from -`message_bound` to it: up to 2^31.
    pub message_bound: u64,
}

#[derive(Clone, Debug)]
enum Kind {
    /// b = a s + e.
    Rlwe,
    /// Under one key: polynomials of c_0 by primes, then of c_1, each with 7 times itself behind it
    /// where u has two digits; coefficients of the digits of a message, for each prime.
    Bfv { key: Vec<Vec<i64>>, scales: Vec<Vec<i64>> },
    /// body = mask s + e modulo 2^64.
    Tfhe,
}

/// Keys or ciphertexts of one kind and size, each with an identity, for a purpose: what a proof is
/// about.
#[derive(Clone, Debug)]
pub struct RingList {
    kind: Kind,
    n: usize,
    /// Of each polynomial of a vector: primes, or 2^64 of TFHE.
    moduli: Vec<u128>,
    secret: Small,
    error: Small,
    purpose: Vec<u8>,
    /// Identity; polynomials that unknowns are multiplied with; targets.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    identity: Vec<u8>,
    factors: Vec<Vec<i64>>,
    targets: Vec<Vec<i64>>,
}

/// The number in [-q/2, q/2) that x is modulo q.
fn centred(x: i128, q: u128) -> i64 {
    let q = q.cast_signed();
    let half = q >> 1;
    ((x + half).rem_euclid(q) - half) as i64
}

fn parameter(name: &'static str, got: u64, expected: &'static str) -> RingError {
    RingError::Parameter { name, got, expected }
}

impl RingList {
    fn new(
        kind: Kind,
        n: usize,
        moduli: Vec<u128>,
        [secret, error]: [Small; 2],
        purpose: &[u8],
    ) -> Result<Self, RingError> {
        if !n.is_power_of_two() || n > 1 << 14 {
            return Err(parameter("n", n as u64, "a power of two up to 2^14"));
        }
        let purpose = purpose.to_vec();
        Ok(Self { kind, n, moduli, secret, error, purpose, entries: Vec::new() })
    }

    /// RLWE public keys b = a s + e modulo X^n + 1 and each of these primes, of which s and e are
    /// one vector of integers.
    ///
    /// # Errors
    /// [`RingError::Parameter`].
    pub fn rlwe(
        n: usize,
        primes: &[u64],
        secret: Small,
        error: Small,
        purpose: &[u8],
    ) -> Result<Self, RingError> {
        if !(1..=64).contains(&primes.len()) {
            return Err(parameter("primes", primes.len() as u64, "1 to 64"));
        }
        // Coefficients, of which the base of digits is one, are below it.
        if let Some(&q) = primes.iter().find(|&&q| !(8..=1 << 62).contains(&q)) {
            return Err(parameter("modulus", q, "8 to 2^62"));
        }
        let moduli = primes.iter().map(|&q| q.into()).collect();
        Self::new(Kind::Rlwe, n, moduli, [secret, error], purpose)
    }

    /// Ciphertexts of BFV under one public key: (c_0 u + e_0 + scale m, c_1 u + e_1) modulo X^n + 1
    /// and each of these primes. m is shown to be integers, of any size: see docs/keys.md.
    ///
    /// # Errors
    /// [`RingError::Parameter`]; [`RingError::Coefficient`] of the public key.
    pub fn bfv(
        n: usize,
        primes: &[u64],
        key: &BfvKey,
        secret: Small,
        error: Small,
        purpose: &[u8],
    ) -> Result<Self, RingError> {
        let mut list = Self::rlwe(n, primes, secret, error, purpose)?;
        if !(1..=1 << 31).contains(&key.message_bound) {
            return Err(parameter("bound on messages", key.message_bound, "1 to 2^31"));
        }
        if key.scale.len() != primes.len() {
            return Err(parameter("scales", key.scale.len() as u64, "one for each prime"));
        }
        let polynomials = list.canonical([&key.c0[..], &key.c1].concat(), 2)?;
        let digits = (1..=9).find(|&count: &u32| {
            // All digits but the highest are in [-8, 7], that one in [-8, 8].
            let least =
                7 * (MESSAGE_BASE.pow(count - 1) - 1) / 15 + 8 * MESSAGE_BASE.pow(count - 1);
            least as u64 >= key.message_bound
        });
        let digits = digits.expect("9 digits reach 2^31");
        let mut scales = Vec::new();
        for (index, (&scale, &q)) in key.scale.iter().zip(primes).enumerate() {
            if scale >= q {
                return Err(RingError::Coefficient { polynomial: 2 * primes.len(), index });
            }
            let digit = |i| {
                // Each product is below 2^66.
                let power = (0..i)
                    .fold(i128::from(scale), |x, _| x * i128::from(MESSAGE_BASE) % i128::from(q));
                centred(power, q.into())
            };
            scales.push((0..digits).map(digit).collect());
        }
        list.kind = Kind::Bfv { key: list.with_multiples(polynomials), scales };
        Ok(list)
    }

    /// Compact public keys of TFHE with n bits of secret key, 64-bit ciphertexts and errors of
    /// TUniform(17), which are from -2^17 to 2^17: `body` = `mask` s + e modulo X^n + 1 and 2^64,
    /// for the polynomial s that has the bits of the secret key from the last to the first.
    ///
    /// # Errors
    /// [`RingError::Parameter`].
    pub fn tfhe(n: usize, purpose: &[u8]) -> Result<Self, RingError> {
        Self::new(Kind::Tfhe, n, vec![1 << 64], [Small::TERNARY; 2], purpose)
    }

    /// Polynomials for each prime, of so many vectors, with centred coefficients.
    fn canonical(&self, all: Vec<Vec<u64>>, vectors: usize) -> Result<Vec<Vec<i64>>, RingError> {
        let moduli = self.moduli.repeat(vectors);
        if all.len() != moduli.len() {
            let expected = "one for each modulus, of every vector";
            return Err(parameter("polynomials", all.len() as u64, expected));
        }
        if let Some(x) = all.iter().find(|x| x.len() != self.n) {
            return Err(parameter("coefficients of a polynomial", x.len() as u64, "n"));
        }
        let pairs = all.iter().zip(&moduli).enumerate();
        for (polynomial, (x, &q)) in pairs {
            if let Some(index) = x.iter().position(|&x| u128::from(x) >= q) {
                return Err(RingError::Coefficient { polynomial, index });
            }
        }
        let centre = |(x, q): (Vec<u64>, u128)| x.iter().map(|&x| centred(x.into(), q)).collect();
        Ok(all.into_iter().zip(moduli).map(centre).collect())
    }

    /// Each polynomial, with 7 times itself behind it where the secret has two digits.
    fn with_multiples(&self, polynomials: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
        if self.secret.digits() == 1 {
            return polynomials;
        }
        let all = polynomials.into_iter().zip(self.moduli.iter().cycle());
        all.flat_map(|(x, &q)| {
            let seven = |&x: &i64| centred(i128::from(x) * i128::from(BASE), q);
            let multiple = x.iter().map(seven).collect();
            [x, multiple]
        })
        .collect()
    }

    /// Adds a key (a, b), or (mask, body), of somebody: of each vector the coefficients modulo
    /// every prime, below it, the lowest first.
    ///
    /// # Errors
    /// [`RingError::Coefficient`]; [`RingError::Parameter`] if there are more or fewer, or this is
    /// a list of ciphertexts.
    pub fn push_key(
        &mut self,
        identity: &[u8],
        a: &[Vec<u64>],
        b: &[Vec<u64>],
    ) -> Result<(), RingError> {
        if matches!(self.kind, Kind::Bfv { .. }) {
            return Err(parameter("keys", 1, "none in a list of ciphertexts"));
        }
        let mut factors = self.canonical([a, b].concat(), 2)?;
        let mut targets = factors.split_off(self.moduli.len());
        if matches!(self.kind, Kind::Tfhe) {
            targets.iter_mut().flatten().for_each(|t| *t = t.wrapping_sub(TFHE_OFFSET));
        }
        let factors = self.with_multiples(factors);
        self.entries.push(Entry { identity: identity.to_vec(), factors, targets });
        Ok(())
    }

    /// Adds a ciphertext of somebody in the same form.
    ///
    /// # Errors
    /// As [`Self::push_key`], which is for lists of keys.
    pub fn push_ciphertext(
        &mut self,
        identity: &[u8],
        c0: &[Vec<u64>],
        c1: &[Vec<u64>],
    ) -> Result<(), RingError> {
        if !matches!(self.kind, Kind::Bfv { .. }) {
            return Err(parameter("ciphertexts", 1, "none in a list of keys"));
        }
        let targets = self.canonical([c0, c1].concat(), 2)?;
        self.entries.push(Entry { identity: identity.to_vec(), factors: Vec::new(), targets });
        Ok(())
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
