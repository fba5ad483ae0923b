//! [`CustomParams`]: parameters as a user writes them.

use super::range::{BOUND, COLUMNS, REPETITIONS, ROWS, SIGMA, in_range};
use super::{Derived, Params, Security, default_n, sigma};

use crate::error::Error;
use crate::suite::{Challenge, ChallengeKind, Encoding, MatrixForm};

/// Parameters as a user writes them; [`CustomParams::validate`] turns them into [`Params`].
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CustomParams {
    /// Bits that every component must provide, the lattice problems included: 128 or 256.
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
    /// Challenge distribution.
    #[cfg_attr(feature = "serde", serde(default))]
    pub challenge: ChallengeKind,
    /// Binary challenges: bound on the largest singular value of S; by default ceil(b (sqrt v +
    /// sqrt l)).
    #[cfg_attr(feature = "serde", serde(default))]
    pub norm_bound: Option<u64>,
    /// Form of A.
    #[cfg_attr(feature = "serde", serde(default))]
    pub matrix: MatrixForm,
    /// Encoding of Z.
    #[cfg_attr(feature = "serde", serde(default))]
    pub encoding: Encoding,
}

#[cfg(feature = "serde")]
fn default_lambda() -> u32 {
    128
}

impl CustomParams {
    /// Fills in the defaults, checks every range, and, unless waived, the security.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::SigmaTooSmall`] or [`Error::Insecure`].
    pub fn validate(&self, security: Security) -> Result<Params, Error> {
        // What the defaults are computed from comes first.
        in_range("l", self.l.into(), COLUMNS, "1 to 2^31 columns")?;
        in_range("v", self.v.into(), ROWS, "1 to 2^20")?;
        in_range("b", self.b.into(), BOUND, "1 to 127")?;
        in_range("lambda", self.lambda.into(), 128..=256, "128 or 256")?;
        let n = self.n.unwrap_or(default_n(self.lambda, self.l));
        in_range("n", n.into(), REPETITIONS, "1 to 1024")?;
        let challenge = match self.challenge {
            ChallengeKind::Ternary => Challenge::Ternary,
            ChallengeKind::Binary => {
                let default = sigma::random_matrix_norm(self.b, self.v, self.l);
                Challenge::Binary { norm_bound: self.norm_bound.unwrap_or(default) }
            }
        };
        let needed = sigma::needed(self.lambda, challenge, self.b, self.v, self.l, n);
        let sigma = self.sigma.unwrap_or(needed);
        // Before B^2 is computed from it: v n sigma^2 would not fit 128 bits for every 64-bit
        // sigma.
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
            systematic: self.matrix == MatrixForm::Systematic,
            encoding: self.encoding,
            derived: Derived::new(security),
        };
        params.checked()?.judged(security)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ParameterError;
    use crate::params::Preset;

    fn t4() -> CustomParams {
        Preset::T4_128.custom()
    }

    #[test]
    fn absurd_parameters_are_named() {
        let name = |p: CustomParams| match p.validate(Security::Waived) {
            Err(Error::Parameter(ParameterError { name, .. })) => name,
            other => panic!("expected a parameter error, got {other:?}"),
        };
        assert_eq!(name(CustomParams { w: 16, ..t4() }), "w");
        assert_eq!(name(CustomParams { w: 8, ..t4() }), "w");
        assert_eq!(name(CustomParams { l: 0, ..t4() }), "l");
        assert_eq!(name(CustomParams { l: 1 << 40, ..t4() }), "l");
        assert_eq!(name(CustomParams { v: 0, ..t4() }), "v");
        assert_eq!(name(CustomParams { r: 0, ..t4() }), "r");
        assert_eq!(name(CustomParams { r: t4().v, ..t4() }), "r");
        assert_eq!(name(CustomParams { r: t4().v, matrix: MatrixForm::Full, ..t4() }), "r");
        let wide = CustomParams { r: 1 << 14, v: 1 << 15, l: 1, w: 64, ..t4() };
        assert!(wide.validate(Security::Waived).is_ok());
        assert_eq!(name(CustomParams { v: wide.v + 1, ..wide }), "number of entries of A'");
        assert_eq!(
            name(CustomParams { matrix: MatrixForm::Full, ..wide }),
            "number of entries of A'"
        );
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
            Err(Error::Parameter(ParameterError { name: "n", .. }))
        ));
    }

    /// Surplus samples do not make recovering S harder: an attacker ignores them.
    #[test]
    fn a_tall_a_does_not_hide_better() {
        let tall = |w, r, v, l| CustomParams { w, r, v, l, ..t4() }.validate(Security::Required);
        for (w, r, v) in [(32, 4000, 5544), (32, 3000, 4544), (32, 2000, 3560), (64, 6000, 9032)] {
            for l in [64, 1024] {
                let Err(Error::Insecure { attack, bits, required: 128 }) = tall(w, r, v, l) else {
                    panic!("r = {r}, v = {v} accepted");
                };
                assert!(attack.contains("hiding") && (122.0..126.0).contains(&bits), "{bits}");
            }
        }
    }

    /// lambda is what the lattice problems provide, too.
    #[test]
    fn long_hashes_do_not_make_lattices_secure() {
        let custom = CustomParams { r: 1180, v: 2800, l: 64, ..t4() };
        assert!(custom.validate(Security::Required).is_ok());
        let long = CustomParams { lambda: 256, ..custom };
        let error = long.validate(Security::Required).unwrap_err();
        assert!(matches!(error, Error::Insecure { required: 256, .. }), "{error}");
        let strong = Preset::T4_256.custom();
        assert!(strong.validate(Security::Required).is_ok());
        // Of the components only hiding is below 2^256 here.
        let error = CustomParams { v: 4752, ..strong }.validate(Security::Required).unwrap_err();
        let Error::Insecure { attack, bits, required: 256 } = error else { panic!("{error}") };
        assert!(attack.contains("hiding") && (250.0..256.0).contains(&bits), "{error}");
    }

    /// One column more than 2^k needs one column more of C.
    #[test]
    fn all_columns_of_chosen_statements_are_extracted() {
        for (lambda, custom) in [(128, t4()), (256, Preset::T4_256.custom())] {
            for (l, log2_l) in [(1, 0), (2, 1), (3, 2), (1024, 10), (1025, 11), (4096, 12)] {
                let with = |n| CustomParams { l, n, ..custom }.validate(Security::Required);
                let least = lambda + 2 + log2_l;
                assert_eq!(with(None).unwrap().n(), least);
                assert!(with(Some(least)).is_ok());
                let error = with(Some(least - 1)).unwrap_err();
                assert!(
                    matches!(error, Error::Parameter(ParameterError { name: "n", .. })),
                    "{error}"
                );
            }
        }
    }
}
