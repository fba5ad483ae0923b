//! [`Params`]: validated parameters, the only way to a statement.

mod custom;
mod optimise;
mod preset;
mod sigma;

pub use custom::CustomParams;
pub use optimise::Goal;
pub use preset::Preset;
#[cfg(test)]
pub(crate) use sigma::alpha;

use std::sync::OnceLock;

use tautochrone_ctr::KeySize;
use tautochrone_gauss::float;

use crate::codec::Encoding;
use crate::error::Error;
use crate::estimate::{self, Hardness};
use crate::hash::HashSuite;

/// Columns in a block: the unit of streaming, of hashing T and of sharing work.
pub const BLOCK: u32 = 256;

type Range = core::ops::RangeInclusive<u128>;

/// Columns of S and T; b l is below the upper end, so that S C fits 32-bit integers.
const COLUMNS: Range = 1..=1 << 31;
/// Rows of S.
const ROWS: Range = 1..=1 << 20;
/// Words of A', which is expanded whole: at most 2 GiB, whatever a statement's header says.
const A_WORDS: Range = 1..=1 << 28;
/// Columns of C and Z.
const REPETITIONS: Range = 1..=1024;
/// Bounds on the entries of S, signed bytes.
const BOUND: Range = 1..=127;
/// The widths that the sampler draws from.
const SIGMA: Range = 2..=(1 << 32) - 1;
/// Bounds on the largest singular value of S.
const NORM_BOUND: Range = 1..=1 << 40;

/// How the challenge matrix C is distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Challenge {
    /// Entries -1, 0, 1 with probabilities 1/4, 1/2, 1/4: S C is centred and short for every witness.
    Ternary,
    /// Entries 0, 1 with probability 1/2 each, as in the paper; needs a public bound on the largest singular value of S.
    Binary {
        /// The bound s >= s1(S); a prover refuses a witness for which it can not certify it.
        norm_bound: u64,
    },
}

/// Whether parameters that [`Params::check_security`] refuses are acceptable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Refuse them.
    Required,
    /// Go on: the caller has said in so many words that no security is needed (tests, comparisons).
    Waived,
}

/// Validated parameters of a statement.
///
/// Every value of this type satisfies: lambda 128 or 256, w 32 or 64, r < v <= 2^20, n <= 1024, b <= 127, b l < 2^31 (S C
/// fits 32-bit integers), sigma in [2, 2^32), 4 B < 2^(w-1) (soundness over Z_q), at most 2^28 words of A'. Whether it is
/// *secure* is told by [`Params::check_security`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    pub(crate) lambda: u32,
    pub(crate) w: u32,
    pub(crate) r: u32,
    pub(crate) v: u32,
    pub(crate) l: u64,
    pub(crate) n: u32,
    pub(crate) b: u32,
    pub(crate) sigma: u64,
    pub(crate) norm_bound_squared: u128,
    pub(crate) challenge: Challenge,
    pub(crate) systematic: bool,
    pub(crate) encoding: Encoding,
    pub(crate) estimate: Memo,
}

/// The estimate of some parameters, computed when it is first asked for. It follows from the other fields, so any two of
/// them are equal where those are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo(OnceLock<Estimate>);

impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Memo {}

/// The estimator's answer for one set of parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Binding of T: SIS with norm 4 B.
    pub sis: Hardness,
    /// Hiding of S, primal attack: LWE of dimension v - r with r samples.
    pub hiding_primal: Hardness,
    /// Hiding of S, dual-hybrid attack.
    pub hiding_dual: Hardness,
    /// log2(4 B).
    pub log2_4b: f64,
}

impl Estimate {
    /// Hiding: the cheaper of the two attacks, on either kind of computer.
    #[must_use]
    pub fn hiding(&self) -> Hardness {
        self.hiding_primal.min(self.hiding_dual)
    }
}

fn in_range(
    name: &'static str,
    got: u128,
    range: Range,
    expected: &'static str,
) -> Result<(), Error> {
    if range.contains(&got) { Ok(()) } else { Err(Error::Parameter { name, got, expected }) }
}

impl Params {
    /// These fields, if they are in range.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub(crate) fn checked(self) -> Result<Self, Error> {
        self.check_ranges()?;
        Ok(self)
    }

    fn check_ranges(&self) -> Result<(), Error> {
        let one_of = |name, got: u32, allowed: [u32; 2], expected| {
            if allowed.contains(&got) {
                Ok(())
            } else {
                Err(Error::Parameter { name, got: got.into(), expected })
            }
        };
        one_of("lambda", self.lambda, [128, 256], "128 or 256")?;
        one_of("w", self.w, [32, 64], "32 or 64")?;
        in_range("v", self.v.into(), ROWS, "1 to 2^20")?;
        let below_v = u128::from(self.v) - 1;
        in_range("r", self.r.into(), 1..=below_v, "1 to v - 1")?;
        let words = u128::from(self.r) * u128::from(self.random_columns());
        in_range("number of entries of A'", words, A_WORDS, "at most 2^28")?;
        in_range("l", self.l.into(), COLUMNS, "1 to 2^31 columns")?;
        in_range("n", self.n.into(), REPETITIONS, "1 to 1024")?;
        in_range("b", self.b.into(), BOUND, "1 to 127")?;
        let largest = u128::from(self.b) * u128::from(self.l);
        let below = 1..=COLUMNS.end() - 1;
        in_range("b * l", largest, below, "below 2^31, so that S C fits 32-bit integers")?;
        in_range("sigma", self.sigma.into(), SIGMA, "2 to 2^32 - 1")?;
        // 4 B < 2^(w - 1), that is B^2 < 2^(2 w - 6).
        in_range(
            "B^2",
            self.norm_bound_squared,
            1..=(1 << (2 * self.w - 6)) - 1,
            "below 2^(2 w - 6), that is 4 B < 2^(w-1); take a larger w, or a smaller sigma (fewer columns, smaller b)",
        )?;
        if let Challenge::Binary { norm_bound } = self.challenge {
            in_range("norm bound", norm_bound.into(), NORM_BOUND, "1 to 2^40")?;
        }
        Ok(())
    }

    /// Refuses parameters of which binding or hiding costs less than 2^lambda classical operations, with fewer challenge
    /// columns than lambda + 2 + log2 l, or with a sigma that does not hide the witness.
    ///
    /// lambda is required of everything that a proof rests on, and so is no mere length of a hash. What does not grow with
    /// lambda is the distance from the simulated transcripts that fixed-point arithmetic (2^-61 an attempt) and the
    /// Gaussian sampler add: see docs/protocol.md, section 7.
    ///
    /// # Errors
    /// [`Error::Insecure`], [`Error::SigmaTooSmall`] or [`Error::Parameter`].
    pub fn check_security(&self) -> Result<(), Error> {
        let estimate = self.estimate();
        self.require("a collision on T (SIS, breaks binding)", estimate.sis)?;
        self.require("recovering S from T (LWE, breaks hiding)", estimate.hiding())?;
        let enough = u128::from(default_n(self.lambda, self.l))..=*REPETITIONS.end();
        let expected = "at least lambda + 2 + log2 l, as whoever writes a statement chooses T";
        in_range("n", self.n.into(), enough, expected)?;
        let needed = self.needed_sigma();
        if self.sigma < needed {
            return Err(Error::SigmaTooSmall { got: self.sigma, needed });
        }
        Ok(())
    }

    /// Refuses an attack that costs less than 2^lambda classical operations.
    pub(crate) fn require(&self, attack: &'static str, hardness: Hardness) -> Result<(), Error> {
        if hardness.classical < f64::from(self.lambda) {
            let (bits, required) = (hardness.classical, self.lambda);
            return Err(Error::Insecure { attack, bits, required });
        }
        Ok(())
    }

    /// Binding and hiding of these parameters, all rows of S being secret and uniform in [-b, b]. Computed once, in some
    /// ten microseconds; known for the presets.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        *self
            .estimate
            .0
            .get_or_init(|| preset::known(self).unwrap_or_else(|| self.compute_estimate()))
    }

    /// [`Self::estimate`] where nothing is known.
    fn compute_estimate(&self) -> Estimate {
        let log2_4b = log2_4b(self.norm_bound_squared);
        let q = f64::from(self.w);
        let (hiding_primal, hiding_dual) = Self::hiding(self.v - self.r, self.r, self.w, self.b);
        Estimate {
            sis: estimate::sis(f64::from(self.r) * q, self.v, log2_4b),
            hiding_primal,
            hiding_dual,
            log2_4b,
        }
    }

    /// Hiding of the other rows of S where `message_rows` of them are not uniform, but whatever somebody chose
    /// ([`MessageSpace`](crate::uses::commitment::MessageSpace)): LWE with a secret of v - r - `message_rows` entries.
    /// `None` if no secret is left.
    pub(crate) fn hiding_beside(&self, message_rows: u32) -> Option<Hardness> {
        let secret = (self.v - self.r).checked_sub(message_rows).filter(|&secret| secret > 0)?;
        let (primal, dual) = Self::hiding(secret, self.r, self.w, self.b);
        Some(primal.min(dual))
    }

    /// Primal and dual-hybrid attack on r samples of LWE modulo 2^w, secret and error uniform in [-b, b].
    pub(crate) fn hiding(secret: u32, r: u32, w: u32, b: u32) -> (Hardness, Hardness) {
        (
            estimate::lwe_primal(secret, r, w.into(), estimate::uniform_sd(b)),
            estimate::lwe_dual_hybrid(secret, r, w.into(), b),
        )
    }

    /// The smallest sigma that hides a witness within these parameters: alpha times the bound on `||S C||_F`.
    #[must_use]
    pub fn needed_sigma(&self) -> u64 {
        sigma::needed(self.lambda, self.challenge, self.b, self.v, self.l, self.n)
    }

    /// lambda: bits that binding, hiding, the challenge, the hash and the rejection step provide, where
    /// [`Self::check_security`] accepts them.
    #[must_use]
    pub const fn lambda(&self) -> u32 {
        self.lambda
    }
    /// w: q = 2^w.
    #[must_use]
    pub const fn w(&self) -> u32 {
        self.w
    }
    /// r: rows of A and T.
    #[must_use]
    pub const fn r(&self) -> u32 {
        self.r
    }
    /// v: columns of A, rows of S and Z.
    #[must_use]
    pub const fn v(&self) -> u32 {
        self.v
    }
    /// l: columns of S and T.
    #[must_use]
    pub const fn l(&self) -> u64 {
        self.l
    }
    /// n: columns of C and Z.
    #[must_use]
    pub const fn n(&self) -> u32 {
        self.n
    }
    /// b: the honest prover's bound on |s_ij|. The verifier does not enforce it: what a proof shows is the relaxed
    /// bound `||s'|| <= 2 B`.
    #[must_use]
    pub const fn b(&self) -> u32 {
        self.b
    }
    /// sigma: standard deviation parameter of Y and Z.
    #[must_use]
    pub const fn sigma(&self) -> u64 {
        self.sigma
    }
    /// B^2: the largest squared Euclidean norm of a column of Z that a verifier accepts.
    #[must_use]
    pub const fn norm_bound_squared(&self) -> u128 {
        self.norm_bound_squared
    }
    /// The largest absolute value of an entry of Z that a verifier accepts: 14 sigma.
    #[must_use]
    pub const fn entry_bound(&self) -> u64 {
        14 * self.sigma
    }
    /// Distribution of the challenge.
    #[must_use]
    pub const fn challenge(&self) -> Challenge {
        self.challenge
    }
    /// Whether A = [A' | I].
    #[must_use]
    pub const fn systematic(&self) -> bool {
        self.systematic
    }
    /// Encoding of Z in a proof.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }
    /// Hash function: BLAKE3, or SHA-3 where 256 bits are claimed.
    #[must_use]
    pub const fn hash(&self) -> HashSuite {
        if self.lambda > 128 { HashSuite::Sha3 } else { HashSuite::Blake3 }
    }
    /// Blocks of [`BLOCK`] columns in S and T, the last one possibly short.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.l.div_ceil(BLOCK as u64)
    }
    /// Columns of block `index`.
    #[must_use]
    pub const fn block_columns(&self, index: u64) -> u32 {
        let rest = self.l - index * BLOCK as u64;
        if rest < BLOCK as u64 { rest as u32 } else { BLOCK }
    }
    /// Columns of A': v - r if A is systematic, else v.
    #[must_use]
    pub const fn random_columns(&self) -> u32 {
        if self.systematic { self.v - self.r } else { self.v }
    }
    /// AES keys of streams whose secrecy lambda speaks of.
    pub(crate) const fn key_size(&self) -> KeySize {
        if self.lambda > 128 { KeySize::Aes256 } else { KeySize::Aes128 }
    }
    /// Entries of Y, M and Z: v n.
    pub(crate) const fn z_entries(&self) -> usize {
        self.v as usize * self.n as usize
    }
    /// Bytes of T in a statement.
    #[must_use]
    pub const fn t_bytes(&self) -> u128 {
        self.r as u128 * self.l as u128 * (self.w as u128 / 8)
    }
    /// Bytes of a statement file: its header and T.
    #[must_use]
    pub const fn statement_bytes(&self) -> u128 {
        crate::statement::HEADER_LEN as u128 + self.t_bytes()
    }
    /// Expected bytes of a proof: coefficients at their entropy plus the encoding's overhead, and the header.
    #[must_use]
    pub fn expected_proof_bytes(&self) -> u64 {
        let bits =
            crate::codec::gaussian_entropy(self.sigma) + self.encoding.overhead_bits(self.sigma);
        let header = crate::proof::header_len(self.hash()) as f64;
        (f64::from(self.v) * f64::from(self.n) * bits / 8.0 + header).round() as u64
    }
}

fn log2_4b(norm_bound_squared: u128) -> f64 {
    2.0 + float::log2(norm_bound_squared as f64) / 2.0
}

/// lambda + 2 + ceil(log2 l): columns of the challenge for which all l columns are extracted from statements that a
/// prover chooses (docs/protocol.md, section 6).
fn default_n(lambda: u32, l: u64) -> u32 {
    lambda + 2 + (u64::BITS - (l - 1).leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_the_columns() {
        for l in [1, 255, 256, 257, 4096] {
            let p =
                CustomParams { l, ..Preset::T4_128.custom() }.validate(Security::Waived).unwrap();
            assert_eq!((0..p.blocks()).map(|i| u64::from(p.block_columns(i))).sum::<u64>(), l);
        }
    }
}
