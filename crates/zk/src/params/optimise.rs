//! [`Goal`]: the smallest proof for a word size, a witness and a level of security.

use super::{CustomParams, Params, Security};
use crate::error::Error;
use crate::suite::{ChallengeKind, Encoding, MatrixForm};

/// What parameters are sought for.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Bits of statistical security and of challenge entropy: 128 or 256.
    pub lambda: u32,
    /// log2 q: 32 or 64.
    pub w: u32,
    /// Bound on the entries of the witness.
    pub b: u32,
    /// Columns of the witness.
    pub l: u64,
    /// Rows of the witness that hold messages
    /// ([`MessageSpace`](crate::uses::commitment::MessageSpace)), which hide nothing: 0 where all
    /// entries are uniform.
    pub message_rows: u32,
    /// Bits that binding and hiding must cost an attacker.
    pub bits: f64,
    /// Whether those bits count quantum operations.
    pub quantum: bool,
    /// Challenge distribution.
    pub challenge: ChallengeKind,
}

/// r and v - r are multiples of this: whole cache lines of words, no ragged tiles.
const STEP: u32 = 8;
/// Largest r and v - r tried.
const MOST: u32 = 1 << 15;

impl Goal {
    /// 128 bits, classical, ternary challenges, no messages: the usual goal for q = 2^w, entries up
    /// to b, l columns.
    #[must_use]
    pub const fn new(w: u32, b: u32, l: u64) -> Self {
        let challenge = ChallengeKind::Ternary;
        Self { lambda: 128, w, b, l, message_rows: 0, bits: 128.0, quantum: false, challenge }
    }

    /// The parameters with the smallest proof, n and sigma at their defaults.
    ///
    /// A proof has v n coefficients of about log2 sigma + 2 bits, so it grows with v = r + k, where
    /// k is the dimension of the LWE secret. Binding asks for a large r (and, weakly, for a short
    /// B, that is a small v); hiding asks for a large k (more so the more samples r there are). The
    /// least r that binds with the least k that hides at that r is therefore the optimum, and both
    /// are found by bisection, in steps of 8.
    ///
    /// # Errors
    /// [`Error::NoParameters`], which says what stands in the way.
    pub fn optimise(&self) -> Result<CustomParams, Error> {
        // Reports ranges by name before any search; the dimensions are placeholders that fit every
        // w.
        CustomParams { sigma: Some(2), ..self.custom(STEP, 2 * STEP) }
            .validate(Security::Waived)?;
        let best = least(|r| {
            let custom = self
                .least_secret(r)
                .map(|k| self.custom(r, (r + k).saturating_add(self.message_rows)));
            let params = custom.map(|custom| custom.validate(Security::Waived));
            match (custom, params) {
                (Some(custom), Some(Ok(params))) => {
                    self.reached(params.estimate().sis).then_some(Some(custom))
                }
                // r is too large, and so are all larger ones, with which B grows. The least that is
                // not too small decides.
                _ => Some(None),
            }
        });
        let best = best.and_then(|(_, custom)| custom);
        best.ok_or(Error::NoParameters { w: self.w, b: self.b, l: self.l })
    }

    fn custom(&self, r: u32, v: u32) -> CustomParams {
        CustomParams {
            lambda: self.lambda,
            w: self.w,
            r,
            v,
            l: self.l,
            n: None,
            b: self.b,
            sigma: None,
            challenge: self.challenge,
            norm_bound: None,
            matrix: MatrixForm::Systematic,
            encoding: Encoding::Rice,
        }
    }

    /// The least dimension of the secret that hides it when there are r samples.
    fn least_secret(&self, r: u32) -> Option<u32> {
        let hides = |k| {
            let hiding = Params::hiding(k, r, self.w, self.b);
            (self.reached(hiding.0) && self.reached(hiding.1)).then_some(())
        };
        least(hides).map(|(k, ())| k)
    }

    fn reached(&self, hardness: crate::estimate::Hardness) -> bool {
        self.bits <= if self.quantum { hardness.quantum } else { hardness.classical }
    }
}

/// The least multiple of [`STEP`] for which `found` answers, if it answers for all larger ones too.
fn least<T>(mut found: impl FnMut(u32) -> Option<T>) -> Option<(u32, T)> {
    let (mut low, mut high) = (0, STEP);
    let mut best = loop {
        if let Some(answer) = found(high) {
            break (high, answer);
        }
        low = high;
        high *= 2;
        if high > MOST {
            return None;
        }
    };
    while best.0 - low > STEP {
        let middle = (low + best.0) / (2 * STEP) * STEP;
        match found(middle) {
            Some(answer) => best = (middle, answer),
            None => low = middle,
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ParameterError;
    use crate::params::Preset;

    fn goal(preset: Preset) -> Goal {
        let CustomParams { lambda, w, b, l, challenge, .. } = preset.custom();
        Goal { lambda, w, b, l, message_rows: 0, bits: 128.0, quantum: false, challenge }
    }

    /// What is found is secure, one step less of either dimension is not, and no preset is smaller
    /// by more than a step.
    #[test]
    fn optima_are_secure_and_least() {
        for preset in [Preset::T4_128, Preset::B4_128, Preset::P4_128] {
            let goal = goal(preset);
            let best = goal.optimise().unwrap();
            let params = best.validate(Security::Required).unwrap();
            assert!(params.v() <= preset.custom().v, "{preset:?}: {best:?}");
            let fewer = |r: u32, v: u32| CustomParams { r, v, ..best }.validate(Security::Required);
            assert!(matches!(fewer(best.r, best.v - STEP), Err(Error::Insecure { .. })));
            assert!(matches!(fewer(best.r - STEP, best.v - STEP), Err(Error::Insecure { .. })));
        }
    }

    /// With so many columns at w = 32 few r are both large enough for binding and small enough for
    /// 4 B < 2^31.
    #[test]
    fn a_narrow_range_is_found() {
        let best = Goal::new(32, 1, 1 << 19).optimise().unwrap();
        best.validate(Security::Required).unwrap();
        assert!(
            CustomParams { r: 2048, v: best.v + 2048 - best.r, ..best }
                .validate(Security::Waived)
                .is_err()
        );
        let none = Goal::new(32, 1, 1 << 20).optimise();
        assert!(matches!(none, Err(Error::NoParameters { .. })));
    }

    #[test]
    fn what_can_not_be_is_an_error() {
        let wide = Goal { b: 127, l: 1 << 20, ..goal(Preset::T4_128) };
        assert!(matches!(wide.optimise(), Err(Error::NoParameters { w: 32, .. })));
        let odd = Goal { w: 16, ..goal(Preset::T4_128) };
        assert!(matches!(odd.optimise(), Err(Error::Parameter(ParameterError { name: "w", .. }))));
        let none = Goal { l: 0, ..goal(Preset::T4_128) };
        assert!(matches!(none.optimise(), Err(Error::Parameter(ParameterError { name: "l", .. }))));
    }
}
