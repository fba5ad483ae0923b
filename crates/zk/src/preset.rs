//! Named parameters.

use crate::error::{Error, RequestProblem};
use crate::params::{CustomParams, Params, Security};
use crate::rows::{Distribution, PAD_BOUND, PAD_ROWS, RowGroup};
use crate::suite::Masks;

/// Declares the presets: variants, names, lists of them, and lambda, b, w, l, v - r, r.
macro_rules! presets {
    ($($(#[$doc:meta])* $variant:ident = $name:literal: $numbers:expr;)*) => {
        /// A named set of parameters: T for ternary witnesses (b = 1), B for witnesses of seven
        /// bits (b = 64), G for keys with Gaussian errors, N for Gaussian errors and their norms, H
        /// for Gaussian witnesses and narrow masks ([`Masks`](crate::Masks)), then l / 1024, then
        /// lambda, the bits that everything in a proof provides at least (Q: against quantum sieves
        /// too).
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
            #[doc(hidden)]
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The preset's name.
            #[doc(hidden)]
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            const fn numbers(self) -> (u32, u32, u32, u64, u32, u32) {
                match self {
                    $(Self::$variant => $numbers,)*
                }
            }
        }
    };
}

presets! {
    T1_128 = "T1-128": (128, 1, 28, 1024, 1416, 1184);
    T4_128 = "T4-128": (128, 1, 29, 4096, 1464, 1240);
    T64_128 = "T64-128": (128, 1, 31, 65536, 1552, 1336);
    B1_128 = "B1-128": (128, 64, 34, 1024, 1160, 1400);
    B4_128 = "B4-128": (128, 64, 35, 4096, 1200, 1448);
    B64_128 = "B64-128": (128, 64, 37, 65536, 1296, 1552);
    T4_Q128 = "T4-Q128": (128, 1, 29, 4096, 1568, 1336);
    T4_256 = "T4-256": (256, 1, 31, 4096, 2680, 2192);
    /// 4096 LWE keys with ternary secrets and Gaussian errors of standard deviation 3.2, cut off at
    /// 32. T is published whole.
    G4_128 = "G4-128": (128, 1, 31, 4096, 1552, 1296);
    /// 1024 committed columns of 1024 Gaussian errors of standard deviation 3.2, and a proof shows,
    /// exactly, that their norms are bounded: [`GaussianErrors`](crate::argument::GaussianErrors).
    N1_128 = "N1-128": (128, 1, 30, 1051, NORM_ROWS + 1504, 1264);
    /// The same for 4096 columns.
    N4_128 = "N4-128": (128, 1, 31, 4124, NORM_ROWS + 1552, 1312);
    /// Of Gaussian witnesses, with narrow masks for 1024 proofs about one of them.
    H1_128 = "H1-128": (128, 127, 20, 1024, 800, 768);
    H4_128 = "H4-128": (128, 127, 20, 4096, 800, 776);
    H64_128 = "H64-128": (128, 127, 20, 65536, 800, 816);
    /// The same for one proof.
    H4_128_once = "H4-128-once": (128, 127, 17, 4096, 664, 672);
    /// Parameters of the first public demonstration of the protocol (r = 100, v = l = 3000, n =
    /// 100, w = 64, sigma = 2 10^9, T whole): broken by LLL, for comparison only. There all of A is
    /// random and all of Z is sent; here A = [A' | I], and proofs are compact.
    #[doc(hidden)]
    Seed = "seed": (128, 64, 64, 3000, 2900, 100);
}

impl core::fmt::Display for Preset {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

impl core::str::FromStr for Preset {
    type Err = Error;

    /// # Errors
    /// [`Error::Request`], which lists the names.
    fn from_str(name: &str) -> Result<Self, Error> {
        let mut all = Self::ALL.iter();
        let found = all.find(|preset| preset.name().eq_ignore_ascii_case(name));
        found.copied().ok_or(Error::Request(RequestProblem::Preset(Self::NAMES)))
    }
}

impl Preset {
    /// The parameters in the form that can be changed (another l, binary challenges).
    ///
    /// w, r and v were found by minimising the proof size subject to 128 bits (or what the name
    /// says) of binding and hiding; n and sigma follow from them. With another l,
    /// [`Self::for_columns`] has the F^2 that belongs to it.
    #[must_use]
    pub const fn custom(self) -> CustomParams {
        let (lambda, b, w, l, k, r) = self.numbers();
        let custom = CustomParams { lambda, ..CustomParams::new(w, r, r + k, l, b) };
        match self {
            Self::Seed => CustomParams {
                n: Some(100),
                sigma: Some(2_000_000_000),
                round_t: Some(0),
                ..custom
            },
            Self::G4_128 => {
                let distribution = Distribution::Gaussian { micros: 3_200_000 };
                let errors = RowGroup { rows: r, bound: 32, distribution };
                CustomParams {
                    groups: [Some(RowGroup::uniform(k, b)), Some(errors), None],
                    round_t: Some(0),
                    ..custom
                }
            }
            Self::H1_128 => of_gaussians(custom, 8_780_000, 10),
            Self::H4_128 => of_gaussians(custom, 8_850_000, 10),
            Self::H64_128 => of_gaussians(custom, 7_040_000, 10),
            Self::H4_128_once => of_gaussians(custom, 4_800_000, 0),
            Self::N1_128 => of_errors(custom, 13_519_490),
            Self::N4_128 => of_errors(custom, 53_832_536),
            _ => custom,
        }
    }

    /// The validated parameters.
    ///
    /// # Errors
    /// [`Error::Insecure`] for the preset `seed` unless security is waived.
    pub fn params(self, security: Security) -> Result<Params, Error> {
        self.custom().validate(security)
    }
}

/// All rows Gaussian, and narrow masks.
const fn of_gaussians(custom: CustomParams, micros: u64, log2_proofs: u32) -> CustomParams {
    let distribution = Distribution::Gaussian { micros };
    let rows = RowGroup { rows: custom.v, bound: custom.b, distribution };
    let masks = Masks::Narrow { log2_proofs };
    CustomParams { groups: [Some(rows), None, None], masks, ..custom }
}

/// Rows of errors whose norms are shown, followed by their bits.
const ERROR_ROWS: u32 = 1024 + 14;
/// The same, and the pads that they are shown with.
const NORM_ROWS: u32 = ERROR_ROWS + 2 * PAD_ROWS;

/// Rows of errors, bits and pads first, and this F^2, in which errors count as Gaussians.
const fn of_errors(custom: CustomParams, frobenius_squared: u128) -> CustomParams {
    let distribution = Distribution::Any;
    let errors = RowGroup { rows: ERROR_ROWS, bound: 32, distribution };
    let pads = RowGroup { rows: 2 * PAD_ROWS, bound: PAD_BOUND, distribution };
    CustomParams {
        groups: [Some(errors), Some(pads), None],
        frobenius_squared: Some(frobenius_squared),
        ..custom
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Goal;
    use crate::rejection::Rho;

    /// The published table: w, r, k, d, dT, proof in KiB, T in MiB; binding and hiding of lambda
    /// bits each, and no preset that a search beats by more than one part in a hundred.
    #[test]
    fn the_published_table() {
        for (preset, [w, r, k, d, dt], kib, mib) in [
            (Preset::T1_128, [28, 1184, 1416, 20, 15], 488.6, 1.88),
            (Preset::T4_128, [29, 1240, 1464, 21, 15], 529.6, 8.48),
            (Preset::T64_128, [31, 1336, 1552, 23, 15], 612.7, 167.0),
            (Preset::B1_128, [34, 1400, 1160, 26, 20], 504.1, 2.39),
            (Preset::B4_128, [35, 1448, 1200, 27, 20], 541.1, 10.61),
            (Preset::B64_128, [37, 1552, 1296, 29, 20], 626.9, 206.13),
            (Preset::T4_Q128, [29, 1336, 1568, 21, 15], 569.1, 9.13),
            (Preset::T4_256, [31, 2192, 2680, 23, 16], 2018.4, 16.05),
            (Preset::G4_128, [31, 1296, 1552, 23, 0], 591.2, 19.62),
            (Preset::N1_128, [30, 1264, 2704, 22, 16], 969.3, 2.22),
            (Preset::N4_128, [31, 1312, 2752, 23, 16], 1030.4, 9.68),
            (Preset::H1_128, [20, 768, 800, 12, 6], 172.1, 1.31),
            (Preset::H4_128, [20, 776, 800, 12, 6], 174.4, 5.30),
            (Preset::H64_128, [20, 816, 800, 12, 4], 184.6, 102.0),
            (Preset::H4_128_once, [17, 672, 664, 9, 3], 123.1, 4.59),
        ] {
            let p = preset.params(Security::Required).unwrap();
            assert_eq!([p.w(), p.r(), p.z_rows(), p.round_w(), p.round_t()], [w, r, k, d, dt]);
            let wide = p.masks() == Masks::Wide;
            assert_eq!(p.rejection_rho(), if wide { Rho::Two } else { Rho::One });
            let proof = p.expected_proof_bytes() as f64 / 1024.0;
            assert!((proof - kib).abs() < 1.0, "{preset:?}: {proof}");
            let t = p.t_bytes() as f64 / f64::from(1 << 20);
            assert!((t - mib).abs() < 0.01, "{preset:?}: {t}");
            let (e, lambda) = (p.estimate(), f64::from(p.lambda()));
            assert!(e.binding.classical >= lambda && e.hiding.classical >= lambda, "{preset:?}");
            let quantum = preset.name().contains('Q');
            assert!(!quantum || e.binding.quantum >= 128.0 && e.hiding.quantum >= 128.0);
        }
        let t4 = Preset::T4_128.params(Security::Required).unwrap();
        assert_eq!(t4.sigma(), 811_220);
        let [once, often] = [0, 10].map(|log2_proofs| Masks::Narrow { log2_proofs });
        for (goal, preset) in [
            (Goal::new(1, 1024), Preset::T1_128),
            (Goal::new(64, 65536), Preset::B64_128),
            (Goal { quantum: true, ..Goal::new(1, 4096) }, Preset::T4_Q128),
            (Goal { masks: often, ..Goal::new(1, 1024) }, Preset::H1_128),
            (Goal { masks: often, ..Goal::new(1, 4096) }, Preset::H4_128),
            (Goal { masks: often, ..Goal::new(1, 65536) }, Preset::H64_128),
            (Goal { masks: once, ..Goal::new(1, 4096) }, Preset::H4_128_once),
        ] {
            let best = goal.optimise().unwrap().validate(Security::Required).unwrap();
            let preset = preset.params(Security::Required).unwrap();
            let ratio = preset.expected_proof_bytes() as f64 / best.expected_proof_bytes() as f64;
            assert!((0.99..1.01).contains(&ratio), "{preset:?}: {ratio}");
        }
    }

    #[test]
    fn the_demonstration_parameters_are_refused() {
        assert!(matches!(
            Preset::Seed.params(Security::Required),
            Err(Error::Parameter(_) | Error::Insecure(_))
        ));
        let p = Preset::Seed.params(Security::Waived).unwrap();
        assert!(p.estimate().binding.classical < 20.0);
    }

    #[test]
    fn names_round_trip() {
        for preset in Preset::ALL {
            assert_eq!(preset.to_string().parse::<Preset>().unwrap(), *preset);
            assert_eq!(preset.name().to_lowercase().parse::<Preset>().unwrap(), *preset);
        }
        let error = "T5".parse::<Preset>().unwrap_err();
        assert!(matches!(error, Error::Request(RequestProblem::Preset(_))));
        assert!(error.to_string().contains("B64-128, T4-Q128"), "{error}");
    }
}
