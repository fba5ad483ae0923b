//! Whether parameters are secure.

use super::known;
use super::range::{REPETITIONS, in_range};
use super::{Params, Security, default_n};
use crate::error::Error;
use crate::estimate::{self, Estimate, Hardness, log2_4b};

impl Params {
    /// Refuses parameters of which binding or hiding costs less than 2^lambda classical operations,
    /// with fewer challenge columns than lambda + 2 + log2 l, or with a sigma that does not hide
    /// the witness.
    ///
    /// lambda is required of everything that a proof rests on, and so is no mere length of a hash.
    /// What does not grow with lambda is the distance from the simulated transcripts that
    /// fixed-point arithmetic (2^-61 an attempt) and the Gaussian sampler add: see
    /// docs/protocol.md, section 7.
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

    /// Binding and hiding of these parameters, all rows of S being secret and uniform in [-b, b].
    /// Computed once, in some ten microseconds; known for the presets.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        *self
            .derived
            .estimate
            .get_or_init(|| known::known(self).unwrap_or_else(|| self.compute_estimate()))
    }

    /// [`Self::estimate`] where nothing is known.
    pub(super) fn compute_estimate(&self) -> Estimate {
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

    /// Hiding of the other rows of S where `message_rows` of them are not uniform, but chosen by
    /// somebody ([`MessageSpace`](crate::uses::commitment::MessageSpace)): LWE with a secret of v -
    /// r - `message_rows` entries. `None` if no secret is left.
    pub(crate) fn hiding_beside(&self, message_rows: u32) -> Option<Hardness> {
        let secret = (self.v - self.r).checked_sub(message_rows).filter(|&secret| secret > 0)?;
        let (primal, dual) = Self::hiding(secret, self.r, self.w, self.b);
        Some(primal.min(dual))
    }

    /// Primal and dual-hybrid attack on r samples of LWE modulo 2^w, secret and error uniform in
    /// [-b, b].
    pub(crate) fn hiding(secret: u32, r: u32, w: u32, b: u32) -> (Hardness, Hardness) {
        (
            estimate::lwe_primal(secret, r, w.into(), estimate::uniform_sd(b)),
            estimate::lwe_dual_hybrid(secret, r, w.into(), b),
        )
    }

    /// The smallest sigma that hides a witness within these parameters: alpha times the bound on
    /// `||S C||_F`.
    #[must_use]
    pub fn needed_sigma(&self) -> u64 {
        super::sigma::needed(self.lambda, self.challenge, self.b, self.v, self.l, self.n)
    }

    /// Whether the security of these parameters was checked when they were made, or waived.
    #[must_use]
    pub const fn security(&self) -> Security {
        self.derived.security
    }

    /// These parameters, if security is waived or they have it; they remember which.
    ///
    /// # Errors
    /// Those of [`Self::check_security`].
    pub(crate) fn judged(mut self, security: Security) -> Result<Self, Error> {
        if security == Security::Required {
            self.check_security()?;
        }
        self.derived.security = security;
        Ok(self)
    }
}
