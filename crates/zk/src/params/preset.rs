//! Named parameters.

use super::{CustomParams, Params, Security};
use crate::error::Error;
use crate::suite::{ChallengeKind, Encoding, MatrixForm};

/// Declares the presets: variants, names, and lists of them.
macro_rules! presets {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),* $(,)?) => {
        /// A named set of parameters: T for ternary witnesses (b = 1, w = 32), B for witnesses of
        /// seven bits (b = 64, w = 64), then l / 1024, then lambda, the bits that everything in a
        /// proof provides at least (Q: against quantum sieves too).
        ///
        /// It is displayed and, with feature `serde`, serialised as its name, and parsed from it in
        /// upper or lower case.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[allow(missing_docs, non_camel_case_types, reason = "the names are those of the published table")]
        #[non_exhaustive]
        pub enum Preset {
            $($(#[$doc])* #[cfg_attr(feature = "serde", serde(rename = $name))] $variant,)*
        }

        impl Preset {
            /// All presets, the insecure one last.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The names of [`Self::ALL`].
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The preset's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

presets! {
    T1_128 = "T1-128",
    T4_128 = "T4-128",
    T64_128 = "T64-128",
    B1_128 = "B1-128",
    B4_128 = "B4-128",
    B64_128 = "B64-128",
    T4_Q128 = "T4-Q128",
    T4_256 = "T4-256",
    /// The paper's binary challenges at 128 bits, found by
    /// [`Goal::optimise`](super::Goal::optimise): ternary witness, w = 32.
    P4_128 = "P4-128",
    /// Parameters of the first public demonstration of the protocol (r = 100, v = l = 3000,
    /// sigma = 2 10^9): broken by LLL, for comparison only.
    Seed = "seed",
}

impl core::fmt::Display for Preset {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

impl core::str::FromStr for Preset {
    type Err = Error;

    /// # Errors
    /// [`Error::UnknownPreset`], which lists the names.
    fn from_str(name: &str) -> Result<Self, Error> {
        let mut all = Self::ALL.iter();
        let found = all.find(|preset| preset.name().eq_ignore_ascii_case(name));
        found.copied().ok_or(Error::UnknownPreset(Self::NAMES))
    }
}

impl Preset {
    /// The parameters in the form that can be changed (another l, binary challenges, another
    /// encoding).
    ///
    /// r and v were found by minimising the proof size subject to 128 bits (or what the name says)
    /// of binding and hiding; n and sigma follow from them.
    #[must_use]
    pub const fn custom(self) -> CustomParams {
        let (lambda, b, w, l, v, r) = match self {
            Self::T1_128 => (128, 1, 32, 1024, 2560, 1008),
            Self::T4_128 => (128, 1, 32, 4096, 2688, 1088),
            Self::T64_128 => (128, 1, 32, 65536, 2880, 1264),
            Self::B1_128 => (128, 64, 64, 1024, 2624, 752),
            Self::B4_128 => (128, 64, 64, 4096, 2752, 800),
            Self::B64_128 => (128, 64, 64, 65536, 2944, 904),
            Self::T4_Q128 => (128, 1, 32, 4096, 2880, 1176),
            Self::T4_256 => (256, 1, 32, 4096, 4800, 2048),
            Self::P4_128 => (128, 1, 32, 4096, 2752, 1160),
            Self::Seed => (128, 64, 64, 3000, 3000, 100),
        };
        let seed = matches!(self, Self::Seed);
        CustomParams {
            lambda,
            w,
            r,
            v,
            l,
            n: if seed { Some(100) } else { None },
            b,
            sigma: if seed { Some(2_000_000_000) } else { None },
            challenge: match self {
                Self::P4_128 => ChallengeKind::Binary,
                _ => ChallengeKind::Ternary,
            },
            norm_bound: None,
            matrix: if seed { MatrixForm::Full } else { MatrixForm::Systematic },
            encoding: Encoding::Rice,
        }
    }

    /// The validated parameters.
    ///
    /// # Errors
    /// [`Error::Insecure`] for [`Preset::Seed`] unless security is waived.
    pub fn params(self, security: Security) -> Result<Params, Error> {
        self.custom().validate(security)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published table: name, n, sigma, log2 4B, bits of binding and hiding, proof in KiB.
    #[test]
    fn the_published_table() {
        for (preset, n, sigma, log2_4b, sis, hiding, kib) in [
            (Preset::T1_128, 140, 310_908, 26.1, 131.4, 128.1, 894),
            (Preset::T4_128, 142, 638_920, 27.2, 130.8, 132.0, 1000),
            (Preset::T64_128, 146, 2_664_060, 29.3, 130.8, 131.1, 1208),
            (Preset::B1_128, 140, 20_145_800, 32.1, 132.3, 136.9, 1186),
            (Preset::B4_128, 142, 41_374_800, 33.2, 130.5, 141.9, 1311),
            (Preset::B64_128, 146, 172_386_000, 35.3, 129.9, 141.0, 1551),
            (Preset::T4_Q128, 142, 661_340, 27.3, 144.2, 142.8, 1074),
            (Preset::T4_256, 270, 1_680_540, 29.0, 260.8, 257.8, 3618),
            (Preset::P4_128, 142, 1_089_472, 28.0, 132.0, 129.7, 1068),
        ] {
            let p = preset.params(Security::Required).unwrap();
            let e = p.estimate();
            assert_eq!(p.n(), n, "{preset:?}");
            let close = |got: f64, want: f64, tolerance: f64, what: &str| {
                assert!((got - want).abs() <= tolerance, "{preset:?} {what}: {got} against {want}");
            };
            close(p.sigma() as f64 / f64::from(sigma), 1.0, 0.002, "sigma");
            close(e.log2_4b, log2_4b, 0.06, "log2 4B");
            close(e.sis.classical, sis, 0.15, "binding");
            close(e.hiding().classical, hiding, 0.15, "hiding");
            close(
                p.expected_proof_bytes() as f64 / 1024.0,
                f64::from(kib),
                2.0 + f64::from(kib) * 0.002,
                "proof KiB",
            );
            let (lambda, quantum) = (f64::from(p.lambda()), preset.name().contains('Q'));
            assert!(e.sis.classical >= lambda && e.hiding().classical >= lambda, "{preset:?}");
            assert!(!quantum || e.sis.quantum >= 128.0 && e.hiding().quantum >= 128.0);
            assert!(preset.name().ends_with(&p.lambda().to_string()), "{preset:?} says lambda");
        }
    }

    #[test]
    fn the_demonstration_parameters_are_refused() {
        assert!(matches!(
            Preset::Seed.params(Security::Required),
            Err(Error::Parameter(_) | Error::Insecure { .. })
        ));
        let p = Preset::Seed.params(Security::Waived).unwrap();
        assert!(p.estimate().sis.classical < 20.0);
    }

    #[test]
    fn names_round_trip() {
        for preset in Preset::ALL {
            assert_eq!(preset.to_string().parse::<Preset>().unwrap(), *preset);
            assert_eq!(preset.name().to_lowercase().parse::<Preset>().unwrap(), *preset);
        }
        let error = "T5".parse::<Preset>().unwrap_err();
        assert!(matches!(error, Error::UnknownPreset(_)));
        assert!(error.to_string().contains("B64-128, T4-Q128"), "{error}");
    }
}
