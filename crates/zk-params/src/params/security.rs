//! Whether parameters are secure.

use alloc::boxed::Box;

use super::range::{REPETITIONS, in_range};
use super::sigma::{self, DEFAULT_RHO};
use super::{Params, Security, default_n};
use crate::error::{Error, Weakness};
use crate::estimate::{self, Estimate, Hardness, log2_4b, uniform_sd};
use crate::rejection::Rho;
use crate::rows::{Distribution, RowGroup};
use crate::suite::Masks;
use crate::supported::check_wide;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;
use tautochrone_gauss::float::log2;

/// The properties of entries of secret and error that the estimates of LWE use.
#[derive(Clone, Copy, Debug)]
pub struct Entries {
    /// Standard deviation.
    sd: f64,
    /// Bits to guess an entry.
    guess_bits: f64,
}

impl Entries {
    /// Entries uniform in [-b, b].
    pub fn uniform(b: u32) -> Self {
        Self { sd: uniform_sd(b), guess_bits: log2(2.0 * f64::from(b) + 1.0) }
    }

    /// Entries of a Gaussian of this standard deviation.
    pub(super) fn gaussian(sd: f64) -> Self {
        use core::f64::consts::{E, PI};
        Self { sd, guess_bits: log2(sd * (2.0 * PI * E).sqrt()) }
    }

    /// Entries of a group. Entries of a Gaussian have log2(s sqrt(2 pi e)) bits of entropy.
    pub fn of(group: &RowGroup) -> Self {
        match group.distribution {
            Distribution::Gaussian { micros } => Self::gaussian(micros as f64 / 1e6),
            Distribution::Uniform | Distribution::Any => Self::uniform(group.bound),
        }
    }

    /// Of both the one that is narrower, in either respect.
    pub fn narrower(self, other: Self) -> Self {
        let (sd, guess_bits) = (self.sd.min(other.sd), self.guess_bits.min(other.guess_bits));
        Self { sd, guess_bits }
    }

    /// The primal attack on r samples of LWE modulo 2^w with such entries of secret and error, of
    /// which linear combinations are known modulo numbers whose product is 2^`hint_bits`.
    pub(super) fn primal(self, [secret, r, w]: [u32; 3], hint_bits: f64) -> Hardness {
        estimate::lwe_primal_with_hints(secret, r, w.into(), self.sd, hint_bits)
    }

    /// The dual-hybrid attack on the same, which takes longer to estimate.
    pub(super) fn dual(self, [secret, r, w]: [u32; 3], hint_bits: f64) -> Hardness {
        let Self { sd, guess_bits } = self;
        estimate::lwe_dual_hybrid_with(secret, r, w.into(), sd, guess_bits, hint_bits)
    }

    /// The cheaper of the two.
    pub fn hiding(self, lwe: [u32; 3], hint_bits: f64) -> Hardness {
        self.primal(lwe, hint_bits).min(self.dual(lwe, hint_bits))
    }
}

impl Params {
    /// Refuses parameters whose binding or hiding costs less than 2^lambda classical operations,
    /// with fewer challenge columns than lambda + 2, or with a sigma that does not hide
    /// the witness.
    ///
    /// lambda is required of everything that a proof rests on, and so is no mere length of a hash.
    /// Independent of lambda is the distance from the simulated transcripts that
    /// fixed-point arithmetic (2^-61 an attempt) and the Gaussian sampler add: see
    /// docs/protocol.md, section 7.
    ///
    /// # Errors
    /// [`Error::Insecure`] or [`Error::Parameter`].
    pub fn check_security(&self) -> Result<(), Error> {
        let needed = self.needed_sigma();
        if self.sigma < needed {
            return Err(Weakness::Sigma { got: self.sigma, needed }.into());
        }
        let estimate = self.estimate();
        self.require("a collision on T (SIS, breaks binding)", estimate.binding)?;
        self.require("recovering S from T (LWE, breaks hiding)", estimate.hiding)?;
        let enough = u128::from(default_n(self.lambda))..=*REPETITIONS.end();
        let expected = "at least lambda + 2";
        Ok(in_range("n", self.n.into(), enough, expected)?)
    }

    /// Binding and hiding of these parameters, the rows of S being distributed as
    /// [`Self::row_groups`] says. Computed once, in some 60 microseconds.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        *self.derived.estimate.get_or_init(|| Box::new(self.compute_estimate()))
    }

    /// The cost of telling the messages in two commitments apart, where the first `rows` rows of S
    /// hold messages, which somebody may have chosen: of LWE with a secret of the v - r - `rows`
    /// entries of randomness below them.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no row of messages, no row of randomness is left, or masks
    /// are narrow; unless waived, [`Error::Insecure`] if recovering a message from its commitment
    /// or opening it otherwise costs too little.
    pub fn hiding_of_messages(&self, rows: u32, security: Security) -> Result<Hardness, Error> {
        match self.masks {
            Masks::Mixed { .. } => {
                let expected = "the rows of the groups of messages, where masks are mixed";
                Error::unless(self.wide.rows == rows, "message rows", rows, expected)?;
            }
            _ => check_wide(self)?,
        }
        let Some((primal, dual)) = self.hiding_of_rows(rows).filter(|_| rows > 0) else {
            let expected = "at least 1 and less than v - r, so that randomness is left";
            return Err(Error::parameter("message rows", rows, expected));
        };
        let hiding = primal.min(dual);
        if security == Security::Required {
            self.check_security()?;
            let attack = "recovering a message from its commitment (LWE, breaks hiding)";
            self.require(attack, hiding)?;
        }
        Ok(hiding)
    }

    /// Whether the security of these parameters was checked when they were made, or waived.
    #[must_use]
    pub const fn security(&self) -> Security {
        self.derived.security
    }
}

/// What `tautochrone-zk` needs besides.
#[doc(hidden)]
impl Params {
    /// Refuses an attack that costs less than 2^lambda classical operations.
    pub fn require(&self, attack: &'static str, hardness: Hardness) -> Result<(), Error> {
        let (bits, required) = (hardness.classical, self.lambda);
        // NaN is not enough.
        if bits >= required.into() {
            return Ok(());
        }
        Err(Weakness::Attack { attack, bits, required }.into())
    }

    /// Primal and dual-hybrid attack on the rows of S from `first` on, r samples of LWE whose
    /// errors are the last r rows and whose secret is the rest. Rows with nothing but a bound are
    /// taken as known. Every entry counts as one of the narrowest group's, which makes no attack
    /// look more expensive than it is. `None` if no secret is left.
    pub fn hiding_of_rows(&self, first: u32) -> Option<(Hardness, Hardness)> {
        let (dimension, narrowest) = self.lwe_of_rows(first)?;
        let lwe = [dimension, self.r, self.w];
        Some((narrowest.primal(lwe, 0.0), narrowest.dual(lwe, 0.0)))
    }

    /// The instance of LWE that hides S: the dimension of its secret, and the standard deviation of
    /// entries of secret and error.
    pub fn hiding_instance(&self) -> Option<(u32, f64)> {
        self.lwe_of_rows(0).map(|(dimension, entries)| (dimension, entries.sd))
    }

    /// The smallest sigma that hides a witness within these parameters: alpha times the bound on
    /// `||S C||_F`, for rho = 3. The default is the smallest for rho = 2, which is larger. Where
    /// rows have narrow masks, the smallest for which LWE hides what so many proofs leave of S.
    pub fn needed_sigma(&self) -> u64 {
        match self.narrow() {
            Some(narrow) => narrow.least_sigma(1.0),
            None => self.least_sigma(Rho::Three),
        }
    }

    /// rho, by which an attempt is accepted or not: the smallest for which sigma is wide enough: 2,
    /// or 3 if sigma is below its default. 1 with narrow masks, with which nothing is rejected, and
    /// 2 with mixed ones.
    pub fn rho(&self) -> u32 {
        self.rejection_rho().get()
    }

    pub fn rejection_rho(&self) -> Rho {
        match self.masks {
            Masks::Wide => (),
            Masks::Narrow { .. } => return Rho::One,
            Masks::Mixed { .. } => return DEFAULT_RHO,
        }
        if self.sigma >= self.least_sigma(DEFAULT_RHO) { DEFAULT_RHO } else { Rho::Three }
    }

    /// These parameters, if security is waived or they have it; they remember which.
    ///
    /// # Errors
    /// [`Error::Insecure`] or [`Error::Parameter`].
    pub fn judged(mut self, security: Security) -> Result<Self, Error> {
        if security == Security::Required {
            self.check_security()?;
        }
        self.derived.security = security;
        Ok(self)
    }

    fn compute_estimate(&self) -> Estimate {
        let log2_4b = log2_4b(self.norm_bound_squared);
        // Without a secret row left nothing is hidden.
        let broken = Hardness::of_block(estimate::MIN_BLOCK);
        let hiding = self.hiding_of_rows(0).map_or(broken, |(primal, dual)| primal.min(dual));
        Estimate { binding: self.binding(), hiding, hiding_with_hints: hiding, log2_4b }
    }

    /// Binding alone.
    pub(super) fn binding(&self) -> Hardness {
        let (q, log2_4b) = (f64::from(self.w), log2_4b(self.norm_bound_squared));
        let rows = self.wide.rows;
        if rows == 0 {
            return estimate::sis(f64::from(self.r) * q, self.v, log2_4b);
        }
        let of_messages = estimate::log2_4b(self.wide.norm_bound_squared);
        estimate::sis_of_parts(self.r, q, [(rows, of_messages), (self.v - rows, log2_4b)])
    }

    fn lwe_of_rows(&self, first: u32) -> Option<(u32, Entries)> {
        let secret = |group: &RowGroup| group.distribution != Distribution::Any;
        let rows = || self.groups.between(first, self.v).filter(secret);
        let dimension: u32 = self
            .groups
            .between(first, self.v - self.r)
            .filter(secret)
            .map(|group| group.rows)
            .sum();
        if dimension == 0 {
            return None;
        }
        let of_rows = || rows().map(|group| Entries::of(&group)).reduce(Entries::narrower);
        let narrow = self.narrow().map(|narrow| narrow.entries(self.sigma));
        Some((dimension, narrow.or_else(of_rows)?))
    }

    /// The smallest sigma that hides a witness where an attempt is accepted by this rho.
    fn least_sigma(&self, rho: Rho) -> u64 {
        let Self { challenge, lambda, n, l, frobenius_squared, .. } = *self;
        sigma::needed(challenge, lambda, n, l, frobenius_squared, rho)
    }
}
