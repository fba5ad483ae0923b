//! [`Params`]: validated parameters, the only way to a statement.

mod optimise;
mod preset;
mod sigma;

pub use optimise::Goal;
pub use preset::Preset;
pub use sigma::{alpha, ternary_factor};

use crate::codec::Encoding;
use crate::error::Error;
use crate::estimate::{self, Hardness};
use crate::hash::HashSuite;

/// Columns in a block: the unit of streaming, of hashing T and of sharing work.
pub const BLOCK: u32 = 256;

/// Bits of security below which parameters are refused.
pub const REQUIRED_BITS: f64 = 128.0;

/// log2 of the largest l that is accepted, and of the largest b l (so that S C fits 32-bit integers).
const MAX_LOG2_COLUMNS: u32 = 31;

/// The widths that the sampler draws from.
const SIGMA: core::ops::RangeInclusive<u128> = 2..=(1 << 32) - 1;

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

/// Whether parameters below [`REQUIRED_BITS`] are acceptable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Refuse them.
    Required,
    /// Go on: the caller has said in so many words that no security is needed (tests, comparisons).
    Waived,
}

/// Parameters as a user writes them; [`CustomParams::validate`] turns them into [`Params`].
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CustomParams {
    /// Bits of statistical security and of challenge entropy: 128 or 256.
    #[cfg_attr(feature = "serde", serde(default = "default_lambda"))]
    pub lambda: u32,
    /// log2 q: 32 or 64.
    pub w: u32,
    /// Rows of A and T.
    pub r: u32,
    /// Columns of A, rows of S.
    pub v: u32,
    /// Columns of S and T.
    pub l: u64,
    /// Columns of C and Z; by default lambda + 2 + ceil(log2 l).
    #[cfg_attr(feature = "serde", serde(default))]
    pub n: Option<u32>,
    /// Bound on |s_ij|, 1 to 127.
    pub b: u32,
    /// Standard deviation of Y; by default the smallest that hides S.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sigma: Option<u64>,
    /// Challenge distribution: binary if true.
    #[cfg_attr(feature = "serde", serde(default))]
    pub binary: bool,
    /// Binary challenges: bound on the largest singular value of S; by default ceil(b (sqrt v + sqrt l)).
    #[cfg_attr(feature = "serde", serde(default))]
    pub norm_bound: Option<u64>,
    /// A = [A' | I] (the default) or a full random A.
    #[cfg_attr(feature = "serde", serde(default = "default_systematic"))]
    pub systematic: bool,
    /// Encoding of Z: rANS if true, else Rice.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rans: bool,
}

#[cfg(feature = "serde")]
fn default_lambda() -> u32 {
    128
}

#[cfg(feature = "serde")]
fn default_systematic() -> bool {
    true
}

/// Validated parameters of a statement.
///
/// Every value of this type satisfies: the ranges below, 4 B < 2^(w-1) (soundness over Z_q), b l < 2^31, sigma in
/// [2, 2^32). Whether it is *secure* is told by [`Params::check_security`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    lambda: u32,
    w: u32,
    r: u32,
    v: u32,
    l: u64,
    n: u32,
    b: u32,
    sigma: u64,
    norm_bound_squared: u128,
    challenge: Challenge,
    systematic: bool,
    encoding: Encoding,
}

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
    /// Hiding: the cheaper of the two attacks.
    #[must_use]
    pub fn hiding(&self) -> Hardness {
        self.hiding_primal.min(self.hiding_dual)
    }
}

fn in_range(
    name: &'static str,
    got: u128,
    range: core::ops::RangeInclusive<u128>,
    expected: &'static str,
) -> Result<(), Error> {
    if range.contains(&got) { Ok(()) } else { Err(Error::Parameter { name, got, expected }) }
}

impl CustomParams {
    /// Fills in the defaults, checks every range, and, unless waived, the security.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::SigmaTooSmall`] or [`Error::Insecure`].
    pub fn validate(&self, security: Security) -> Result<Params, Error> {
        in_range("l", self.l.into(), 1..=1 << MAX_LOG2_COLUMNS, "1 to 2^31 columns")?;
        in_range("v", self.v.into(), 1..=1 << 20, "1 to 2^20")?;
        in_range("b", self.b.into(), 1..=127, "1 to 127")?;
        in_range("lambda", self.lambda.into(), 128..=256, "128 or 256")?;
        let log2_l = u64::BITS - (self.l - 1).leading_zeros();
        let n = self.n.unwrap_or(self.lambda + 2 + log2_l);
        in_range("n", n.into(), 1..=1024, "1 to 1024")?;
        let challenge = if self.binary {
            let default = sigma::random_matrix_norm(self.b, self.v, self.l);
            Challenge::Binary { norm_bound: self.norm_bound.unwrap_or(default) }
        } else {
            Challenge::Ternary
        };
        let needed = sigma::needed(self.lambda, challenge, self.b, self.v, self.l, n);
        let sigma = self.sigma.unwrap_or(needed);
        // Before B^2 is computed from it: v n sigma^2 would not fit 128 bits for every 64-bit sigma.
        in_range("sigma", sigma.into(), SIGMA, "2 to 2^32 - 1")?;
        let params = Params {
            lambda: self.lambda,
            w: self.w,
            r: self.r,
            v: self.v,
            l: self.l,
            n,
            b: self.b,
            sigma,
            norm_bound_squared: sigma::norm_bound_squared(self.v, n, sigma),
            challenge,
            systematic: self.systematic,
            encoding: if self.rans { Encoding::Rans } else { Encoding::Rice },
        };
        params.check_ranges()?;
        if security == Security::Required {
            params.check_security()?;
        }
        Ok(params)
    }
}

impl Params {
    /// Parameters from the fields of a statement header, ranges checked.
    #[expect(clippy::too_many_arguments, reason = "the fields of one file header, in its order")]
    pub(crate) fn from_header(
        lambda: u32,
        w: u32,
        (r, v, l, n): (u32, u32, u64, u32),
        b: u32,
        sigma: u64,
        norm_bound_squared: u128,
        challenge: Challenge,
        systematic: bool,
        encoding: Encoding,
    ) -> Result<Self, Error> {
        let params = Self {
            lambda,
            w,
            r,
            v,
            l,
            n,
            b,
            sigma,
            norm_bound_squared,
            challenge,
            systematic,
            encoding,
        };
        params.check_ranges()?;
        Ok(params)
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
        in_range("r", self.r.into(), 1..=1 << 20, "1 to 2^20")?;
        in_range("v", self.v.into(), 1..=1 << 20, "1 to 2^20")?;
        in_range("l", self.l.into(), 1..=1 << MAX_LOG2_COLUMNS, "1 to 2^31 columns")?;
        in_range("n", self.n.into(), 1..=1024, "1 to 1024")?;
        in_range("b", self.b.into(), 1..=127, "1 to 127")?;
        in_range(
            "b * l",
            u128::from(self.b) * u128::from(self.l),
            1..=(1 << MAX_LOG2_COLUMNS) - 1,
            "below 2^31, so that S C fits 32-bit integers",
        )?;
        in_range("sigma", self.sigma.into(), SIGMA, "2 to 2^32 - 1")?;
        if self.systematic {
            in_range("r", self.r.into(), 1..=u128::from(self.v) - 1, "below v when A = [A' | I]")?;
        }
        // 4 B < 2^(w - 1), that is B^2 < 2^(2 w - 6).
        in_range(
            "B^2",
            self.norm_bound_squared,
            1..=(1 << (2 * self.w - 6)) - 1,
            "below 2^(2 w - 6), that is 4 B < 2^(w-1); take a larger w, or a smaller sigma (fewer columns, smaller b)",
        )?;
        if let Challenge::Binary { norm_bound } = self.challenge {
            in_range("norm bound", norm_bound.into(), 1..=1 << 40, "1 to 2^40")?;
        }
        Ok(())
    }

    /// Refuses parameters with less than [`REQUIRED_BITS`] against a known attack, a challenge of less than lambda + 2
    /// bits a row, or a sigma that does not hide the witness.
    ///
    /// # Errors
    /// [`Error::Insecure`], [`Error::SigmaTooSmall`] or [`Error::Parameter`].
    pub fn check_security(&self) -> Result<(), Error> {
        let estimate = self.estimate();
        let refuse = |attack, hardness: Hardness| {
            if hardness.classical < REQUIRED_BITS {
                return Err(Error::Insecure { attack, bits: hardness.classical });
            }
            Ok(())
        };
        refuse("a collision on T (SIS, breaks binding)", estimate.sis)?;
        refuse("recovering S from T (LWE, breaks hiding)", estimate.hiding())?;
        in_range("n", self.n.into(), u128::from(self.lambda) + 2..=1024, "at least lambda + 2")?;
        let needed = self.needed_sigma();
        if self.sigma < needed {
            return Err(Error::SigmaTooSmall { got: self.sigma, needed });
        }
        Ok(())
    }

    /// Binding and hiding of these parameters. Takes milliseconds.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let log2_4b = 2.0 + (self.norm_bound_squared as f64).log2() / 2.0;
        let q = f64::from(self.w);
        // With v <= r there is no secret left to hide in: LWE of dimension 0 (reported as broken).
        let secret = self.v.saturating_sub(self.r).max(1);
        let (hiding_primal, hiding_dual) = Self::hiding(secret, self.r, self.w, self.b);
        Estimate {
            sis: estimate::sis(f64::from(self.r) * q, self.v, log2_4b),
            hiding_primal,
            hiding_dual,
            log2_4b,
        }
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

    /// lambda: statistical security and challenge entropy in bits.
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
    /// Bytes of T in a statement.
    #[must_use]
    pub const fn t_bytes(&self) -> u128 {
        self.r as u128 * self.l as u128 * (self.w as u128 / 8)
    }
    /// Expected bytes of a proof: coefficients at their entropy plus the encoding's overhead, and the header.
    #[must_use]
    pub fn expected_proof_bytes(&self) -> u64 {
        let entropy = (self.sigma as f64
            * (2.0 * core::f64::consts::PI * core::f64::consts::E).sqrt())
        .log2();
        let bits = entropy + self.encoding.overhead_bits(self.sigma);
        let header = crate::proof::header_len(self.hash()) as f64;
        (f64::from(self.v) * f64::from(self.n) * bits / 8.0 + header).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t4() -> CustomParams {
        Preset::T4_128.custom()
    }

    #[test]
    fn absurd_parameters_are_named() {
        let name = |p: CustomParams| match p.validate(Security::Waived) {
            Err(Error::Parameter { name, .. }) => name,
            other => panic!("expected a parameter error, got {other:?}"),
        };
        assert_eq!(name(CustomParams { w: 16, ..t4() }), "w");
        assert_eq!(name(CustomParams { w: 8, ..t4() }), "w");
        assert_eq!(name(CustomParams { l: 0, ..t4() }), "l");
        assert_eq!(name(CustomParams { l: 1 << 40, ..t4() }), "l");
        assert_eq!(name(CustomParams { v: 0, ..t4() }), "v");
        assert_eq!(name(CustomParams { r: t4().v, ..t4() }), "r");
        assert_eq!(name(CustomParams { n: Some(0), ..t4() }), "n");
        assert_eq!(name(CustomParams { b: 128, ..t4() }), "b");
        assert_eq!(name(CustomParams { b: 0, ..t4() }), "b");
        assert_eq!(name(CustomParams { sigma: Some(1), ..t4() }), "sigma");
        assert_eq!(name(CustomParams { sigma: Some(1 << 32), ..t4() }), "sigma");
        assert_eq!(name(CustomParams { sigma: Some(u64::MAX), ..t4() }), "sigma");
        assert_eq!(name(CustomParams { lambda: 80, ..t4() }), "lambda");
        assert_eq!(name(CustomParams { lambda: 200, ..t4() }), "lambda");
        // 4 B would exceed 2^31.
        assert_eq!(name(CustomParams { sigma: Some(1 << 24), ..t4() }), "B^2");
        assert_eq!(name(CustomParams { l: 1 << 31, ..t4() }), "b * l");
    }

    #[test]
    fn weak_parameters_need_a_waiver() {
        let weak = CustomParams { r: 400, ..t4() };
        assert!(matches!(weak.validate(Security::Required), Err(Error::Insecure { .. })));
        assert!(weak.validate(Security::Waived).is_ok());
        let small = CustomParams { sigma: Some(10_000), ..t4() };
        assert!(matches!(small.validate(Security::Required), Err(Error::SigmaTooSmall { .. })));
        let short = CustomParams { n: Some(100), ..t4() };
        assert!(matches!(
            short.validate(Security::Required),
            Err(Error::Parameter { name: "n", .. })
        ));
    }

    #[test]
    fn blocks_cover_the_columns() {
        for l in [1, 255, 256, 257, 4096] {
            let p = CustomParams { l, ..t4() }.validate(Security::Waived).unwrap();
            assert_eq!((0..p.blocks()).map(|i| u64::from(p.block_columns(i))).sum::<u64>(), l);
        }
    }
}
