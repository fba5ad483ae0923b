//! [`RingList`]: RLWE public keys over several primes, BFV ciphertexts, and compact public keys of TFHE,
//! given as integers, with what they are proved for.

use std::borrow::Cow;

use sha3::{Digest, Sha3_256};
use tautochrone_zk::argument::{Coefficient, EquationFamily, EquationShape, UnknownPart};
use zeroize::Zeroizing;

/// Digits of integers up to 24 in absolute value are in [-3, 3], to this base.
const BASE: i64 = 7;
/// Digits of a message of BFV are to this base.
const MESSAGE_BASE: i64 = 16;
/// An error of TFHE is this, plus six digits in [-4, 3] to the base 8, plus a bit: -2^17 to 2^17.
const TFHE_OFFSET: i64 = 18_724;
const TFHE_DIGITS: usize = 6;
/// Standard deviation up to which a carry takes a byte.
const LARGEST_DEVIATION: u64 = 22;

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
        /// The number of the polynomial among those of the key or ciphertext.
        polynomial: usize,
        /// Which one.
        index: usize,
    },
    /// A secret polynomial with a coefficient beyond its bound.
    #[error("{0} is not within its bound")]
    Secret(&'static str),
}

/// A bound on coefficients of secrets or errors, and their variance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Small {
    bound: u32,
    variance: u64,
}

impl Small {
    /// Uniform in -1, 0, 1.
    pub const TERNARY: Self = Self { bound: 1, variance: 666_667 };

    /// Within `bound` of 0, and of this variance in millionths, from which parameters follow. A bound up
    /// to 3 is shown as it is; for a larger one, up to 24, a proof shows that coefficients are within 24.
    ///
    /// # Errors
    /// [`RingError::Parameter`] if the bound is 0 or above 24.
    pub fn new(bound: u32, variance: u64) -> Result<Self, RingError> {
        if !(1..=24).contains(&bound) {
            let expected = "1 to 24";
            return Err(RingError::Parameter { name: "bound", got: bound.into(), expected });
        }
        Ok(Self { bound, variance })
    }

    const fn digits(self) -> usize {
        if self.bound > 3 { 2 } else { 1 }
    }

    /// The largest digit, and the sum of the variances of all.
    fn of_digits(self) -> (i32, u64) {
        match self.digits() {
            1 => (self.bound as i32, self.variance),
            // Lower digits are uniform.
            _ => (3, 4_100_000 + self.variance / BASE.pow(2) as u64),
        }
    }

    fn part(self, vectors: usize) -> UnknownPart {
        let (high, all) = self.of_digits();
        let blocks = (vectors * self.digits()) as u32;
        let variance = all / self.digits() as u64;
        UnknownPart { blocks, low: -high, high, is_shown: true, variance }
    }

    /// Appends the digits of coefficients, and whether they are within the bound.
    fn write(self, x: &[i64], out: &mut Vec<i8>) -> bool {
        let bound = i64::from(self.bound);
        let outside = x.iter().fold(false, |any, &x| any | (x < -bound) | (x > bound));
        if self.digits() == 1 {
            out.extend(x.iter().map(|&x| x as i8));
        } else {
            // Divided by 7 by a product, which is exact below 49.
            let higher = |x: i64| (((x + 24) * 37) >> 8) - 3;
            out.extend(x.iter().map(|&x| (x - BASE * higher(x)) as i8));
            out.extend(x.iter().map(|&x| higher(x) as i8));
        }
        !outside
    }
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
    /// Under one key: polynomials of c_0 by primes, then of c_1, each with 7 times itself behind it where
    /// u has two digits; coefficients of the digits of a message, for each prime.
    Bfv { key: Vec<Vec<i64>>, scales: Vec<Vec<i64>>, encoding: Vec<u8> },
    /// body = mask s + e modulo 2^64.
    Tfhe,
}

/// Keys or ciphertexts of one kind and size, each with an identity, for a purpose: what a proof is about.
#[derive(Clone, Debug)]
pub struct RingList {
    kind: Kind,
    n: usize,
    /// Without that of TFHE.
    primes: Vec<u64>,
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

/// Secrets of one key or ciphertext of a list. Erased when dropped, not printed.
pub struct RingSecret(Zeroizing<Vec<i8>>);

impl core::fmt::Debug for RingSecret {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("RingSecret([REDACTED])")
    }
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
        primes: &[u64],
        [secret, error]: [Small; 2],
        purpose: &[u8],
    ) -> Result<Self, RingError> {
        if !n.is_power_of_two() || n > 1 << 14 {
            return Err(parameter("n", n as u64, "a power of two up to 2^14"));
        }
        if let Some(&q) = primes.iter().find(|&&q| !(3..=1 << 62).contains(&q)) {
            return Err(parameter("modulus", q, "3 to 2^62"));
        }
        let (primes, purpose) = (primes.to_vec(), purpose.to_vec());
        Ok(Self { kind, n, primes, secret, error, purpose, entries: Vec::new() })
    }

    /// RLWE public keys b = a s + e modulo X^n + 1 and each of these primes, of which s and e are one
    /// vector of integers.
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
        Self::new(Kind::Rlwe, n, primes, [secret, error], purpose)
    }

    /// Ciphertexts of BFV under one public key: (c_0 u + e_0 + scale m, c_1 u + e_1) modulo X^n + 1 and
    /// each of these primes. m is shown to be integers, of any size: see docs/keys.md.
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
        if !(1..=64).contains(&primes.len()) {
            return Err(parameter("primes", primes.len() as u64, "1 to 64"));
        }
        if !(1..=1 << 31).contains(&key.message_bound) {
            return Err(parameter("bound on messages", key.message_bound, "1 to 2^31"));
        }
        if key.scale.len() != primes.len() {
            return Err(parameter("scales", key.scale.len() as u64, "one for each prime"));
        }
        let mut list = Self::new(Kind::Rlwe, n, primes, [secret, error], purpose)?;
        let polynomials = list.canonical([&key.c0[..], &key.c1].concat(), 2)?;
        let digits = (1_u32..).find(|&count| {
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
        let of_key = polynomials.iter().chain(&scales).flatten();
        let encoding = of_key.flat_map(|x| x.to_le_bytes()).collect();
        let key = list.with_multiples(polynomials);
        list.kind = Kind::Bfv { key, scales, encoding };
        Ok(list)
    }

    /// Compact public keys of TFHE with n bits of secret key, 64-bit ciphertexts and errors of
    /// TUniform(17), which are from -2^17 to 2^17: `body` = `mask` s + e modulo X^n + 1 and 2^64, for the
    /// polynomial s that has the bits of the secret key from the last to the first.
    ///
    /// # Errors
    /// [`RingError::Parameter`].
    pub fn tfhe(n: usize, purpose: &[u8]) -> Result<Self, RingError> {
        Self::new(Kind::Tfhe, n, &[], [Small::TERNARY; 2], purpose)
    }

    /// The modulus of each polynomial of a vector.
    fn moduli(&self) -> Vec<u128> {
        match self.kind {
            Kind::Tfhe => vec![1 << 64],
            _ => self.primes.iter().map(|&q| q.into()).collect(),
        }
    }

    /// Polynomials for each prime, of so many vectors, with centred coefficients.
    fn canonical(&self, all: Vec<Vec<u64>>, vectors: usize) -> Result<Vec<Vec<i64>>, RingError> {
        let moduli = self.moduli().repeat(vectors);
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
        if self.secret.digits() == 1 || matches!(self.kind, Kind::Tfhe) {
            return polynomials;
        }
        let moduli = self.moduli();
        let all = polynomials.into_iter().zip(moduli.into_iter().cycle());
        all.flat_map(|(x, q)| {
            let seven = |&x: &i64| centred(i128::from(x) * i128::from(BASE), q);
            let multiple = x.iter().map(seven).collect();
            [x, multiple]
        })
        .collect()
    }

    /// Adds a key (a, b), or (mask, body), of somebody: of each vector the coefficients modulo every
    /// prime, below it, the lowest first.
    ///
    /// # Errors
    /// [`RingError::Coefficient`]; [`RingError::Parameter`] if there are more or fewer, or this is a list
    /// of ciphertexts.
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
        let mut targets = factors.split_off(self.moduli().len());
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

    fn check_lengths(&self, vectors: &[&[i64]]) -> Result<(), RingError> {
        match vectors.iter().find(|x| x.len() != self.n) {
            Some(x) => Err(parameter("coefficients of a secret", x.len() as u64, "n")),
            None => Ok(()),
        }
    }

    /// The secrets of an RLWE key. [`prove_rings`](crate::prove_rings) checks that they are its own.
    ///
    /// # Errors
    /// [`RingError::Secret`] if a coefficient is beyond its bound; [`RingError::Parameter`] if they are
    /// not n, or this is a list of something else.
    ///
    /// # Constant time
    /// In the secrets, but for these errors.
    pub fn rlwe_secret(&self, s: &[i64], e: &[i64]) -> Result<RingSecret, RingError> {
        if !matches!(self.kind, Kind::Rlwe) {
            return Err(parameter("RLWE secrets", 1, "none in another list"));
        }
        self.check_lengths(&[s, e])?;
        let mut out = self.unknowns();
        let fits = [self.secret.write(s, &mut out.0), self.error.write(e, &mut out.0)];
        within(out, &[("s", fits[0]), ("e", fits[1])])
    }

    /// What a ciphertext of BFV was made with.
    ///
    /// # Errors
    /// As [`Self::rlwe_secret`].
    ///
    /// # Constant time
    /// As [`Self::rlwe_secret`].
    pub fn bfv_secret(
        &self,
        u: &[i64],
        message: &[i64],
        [e0, e1]: [&[i64]; 2],
    ) -> Result<RingSecret, RingError> {
        let Kind::Bfv { scales, .. } = &self.kind else {
            return Err(parameter("BFV secrets", 1, "none in another list"));
        };
        self.check_lengths(&[u, message, e0, e1])?;
        let mut out = self.unknowns();
        let u = self.secret.write(u, &mut out.0);
        let mut rest = Zeroizing::new(message.to_vec());
        let half = MESSAGE_BASE >> 1;
        for _ in 1..scales[0].len() {
            for x in rest.iter_mut() {
                let digit = ((*x + half) & (MESSAGE_BASE - 1)) - half;
                out.0.push(digit as i8);
                *x = (*x - digit) >> MESSAGE_BASE.ilog2();
            }
        }
        let m = rest.iter().fold(true, |all, &x| all & (x >= -half) & (x <= half));
        out.0.extend(rest.iter().map(|&x| x as i8));
        let errors = [e0, e1].map(|e| self.error.write(e, &mut out.0));
        within(out, &[("u", u), ("message", m), ("e_0", errors[0]), ("e_1", errors[1])])
    }

    /// The bits of a secret key of TFHE, in its order, and the errors of its public key.
    ///
    /// # Errors
    /// As [`Self::rlwe_secret`].
    ///
    /// # Constant time
    /// As [`Self::rlwe_secret`].
    pub fn tfhe_secret(&self, s: &[u64], e: &[i64]) -> Result<RingSecret, RingError> {
        if !matches!(self.kind, Kind::Tfhe) {
            return Err(parameter("TFHE secrets", 1, "none in another list"));
        }
        self.check_lengths(&[e])?;
        if s.len() != self.n {
            return Err(parameter("coefficients of a secret", s.len() as u64, "n"));
        }
        let mut out = self.unknowns();
        let bits = s.iter().fold(0, |all, &x| all | x) <= 1;
        out.0.extend(s.iter().rev().map(|&x| (x & 1) as i8));
        // From 0 to 2^18.
        let from_least = |x: i64| x + (1 << 17);
        let fits = e.iter().map(|&x| from_least(x));
        let fits = fits.fold(true, |all, x| all & (x >= 0) & (x <= 1 << 18));
        let bit = |x: i64| (from_least(x) >> 18) & 1;
        out.0.extend(e.iter().map(|&x| bit(x) as i8));
        for digit in 0..TFHE_DIGITS {
            let of = |&x: &i64| (((from_least(x) - bit(x)) >> (3 * digit)) & 7) - 4;
            out.0.extend(e.iter().map(|x| of(x) as i8));
        }
        within(out, &[("s", bits), ("e", fits)])
    }

    /// None, with room for all of an instance.
    fn unknowns(&self) -> RingSecret {
        RingSecret(Zeroizing::new(Vec::with_capacity(self.shape().unknowns_len())))
    }

    /// The hash that a proof is bound to besides: of kind, purpose, how many there are, and of each the
    /// identity, every field with its length in eight bytes before it. Keys and ciphertexts enter the
    /// claim.
    pub(crate) fn context(&self) -> [u8; 32] {
        let mut hasher = Sha3_256::new();
        let mut field = |bytes: &[u8]| {
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        field(b"tautochrone rings");
        field(self.shape().name.as_bytes());
        field(&self.purpose);
        field(&(self.entries.len() as u64).to_le_bytes());
        self.entries.iter().for_each(|entry| field(&entry.identity));
        hasher.finalize().into()
    }
}

fn within(out: RingSecret, fits: &[(&'static str, bool)]) -> Result<RingSecret, RingError> {
    match fits.iter().find(|(_, fits)| !fits) {
        Some(&(name, _)) => Err(RingError::Secret(name)),
        None => Ok(out),
    }
}

/// The unknowns of all instances, one after the other.
pub(crate) fn concatenated(secrets: &[RingSecret]) -> Zeroizing<Vec<i8>> {
    let len = secrets.iter().map(|secret| secret.0.len()).sum();
    let mut all = Zeroizing::new(Vec::with_capacity(len));
    secrets.iter().for_each(|secret| all.extend_from_slice(&secret.0));
    all
}

impl EquationFamily for RingList {
    fn shape(&self) -> EquationShape {
        let (secret, error) = (self.secret, self.error);
        let part = |blocks, low, high, is_shown, variance| UnknownPart {
            blocks,
            low,
            high,
            is_shown,
            variance,
        };
        let (name, parts, vectors, factor_variance) = match &self.kind {
            Kind::Rlwe => ("RLWE", vec![secret.part(1), error.part(1)], 1, secret.of_digits().1),
            Kind::Bfv { scales, .. } => {
                let message = part(scales[0].len() as u32, -8, 8, false, 21_500_000);
                let parts = vec![secret.part(1), message, error.part(2)];
                ("BFV encryption", parts, 2, secret.of_digits().1)
            }
            Kind::Tfhe => {
                let digits = part(TFHE_DIGITS as u32, -4, 3, true, 5_500_000);
                ("TFHE compact key", vec![part(2, 0, 1, true, 500_000), digits], 1, 500_000)
            }
        };
        // Of A s, of the message's digits, and of t.
        let of_message = if vectors == 2 { parts[1].blocks.into() } else { 0 };
        let carry_variance =
            (self.n as u64 * factor_variance + 21_500_000 * of_message) / 12 + 90_000;
        EquationShape {
            name,
            n: self.n as u32,
            parts,
            moduli: self.moduli().repeat(vectors),
            carry_digits: if carry_variance > LARGEST_DEVIATION.pow(2) * 1_000_000 { 2 } else { 1 },
            carry_variance,
        }
    }

    fn instances(&self) -> u64 {
        self.entries.len() as u64
    }

    fn is_common(&self) -> bool {
        matches!(self.kind, Kind::Bfv { .. })
    }

    fn header(&self) -> Cow<'_, [u8]> {
        if let Kind::Bfv { encoding, .. } = &self.kind { encoding.into() } else { (&[][..]).into() }
    }

    /// Coefficients of a and b, or of c_0 and c_1, centred, in eight bytes each; less the offset in b of
    /// TFHE.
    fn encoding(&self, instance: u64) -> Cow<'_, [u8]> {
        let Entry { factors, targets, .. } = &self.entries[instance as usize];
        let step = if matches!(self.kind, Kind::Rlwe) { self.secret.digits() } else { 1 };
        let all = factors.iter().step_by(step).chain(targets).flatten();
        all.flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>().into()
    }

    fn target(&self, instance: u64, row: usize, out: &mut [i64]) {
        out.copy_from_slice(&self.entries[instance as usize].targets[row]);
    }

    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>)) {
        let (secrets, errors) = (self.secret.digits(), self.error.digits());
        let factors = match &self.kind {
            Kind::Bfv { key, .. } => key,
            _ => &self.entries[instance as usize].factors,
        };
        if matches!(self.kind, Kind::Tfhe) {
            see(0, Coefficient::Polynomial(&factors[0]));
            see(1, Coefficient::Integer(1));
            (0..TFHE_DIGITS).for_each(|i| see(2 + i, Coefficient::Integer(8_i64.pow(i as u32))));
            return;
        }
        for (block, factor) in factors[row * secrets..][..secrets].iter().enumerate() {
            see(block, Coefficient::Polynomial(factor));
        }
        let mut first = secrets;
        if let Kind::Bfv { scales, .. } = &self.kind {
            let digits = scales[0].len();
            match scales.get(row) {
                Some(scales) => {
                    let pairs = scales.iter().enumerate();
                    pairs.for_each(|(i, &scale)| see(first + i, Coefficient::Integer(scale)));
                }
                // e_1 is behind e_0.
                None => first += errors,
            }
            first += digits;
        }
        (0..errors).for_each(|i| see(first + i, Coefficient::Integer(BASE.pow(i as u32))));
    }
}
