//! Named parameters.

use super::{CustomParams, Estimate, Params, Security, log2_4b};
use crate::error::Error;
use crate::estimate::Hardness;

/// A named set of parameters: T for ternary witnesses (b = 1, w = 32), B for witnesses of seven bits (b = 64, w = 64),
/// then l / 1024, then lambda, the bits that everything in a proof provides at least (Q: against quantum sieves too).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, non_camel_case_types, reason = "the names are those of the published table")]
#[non_exhaustive]
pub enum Preset {
    T1_128,
    T4_128,
    T64_128,
    B1_128,
    B4_128,
    B64_128,
    T4_Q128,
    T4_256,
    /// The paper's binary challenges at 128 bits, found by [`Goal::optimise`](super::Goal::optimise): ternary witness, w = 32.
    P4_128,
    /// Parameters of the first public demonstration of the protocol (r = 100, v = l = 3000, sigma = 2 10^9): broken by
    /// LLL, kept for comparison only.
    Seed,
}

impl Preset {
    /// All presets, the insecure one last.
    pub const ALL: [Self; 10] = [
        Self::T1_128,
        Self::T4_128,
        Self::T64_128,
        Self::B1_128,
        Self::B4_128,
        Self::B64_128,
        Self::T4_Q128,
        Self::T4_256,
        Self::P4_128,
        Self::Seed,
    ];

    /// The names, for messages.
    pub const NAMES: &'static str =
        "T1-128, T4-128, T64-128, B1-128, B4-128, B64-128, T4-Q128, T4-256, P4-128, seed";

    /// The preset's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::T1_128 => "T1-128",
            Self::T4_128 => "T4-128",
            Self::T64_128 => "T64-128",
            Self::B1_128 => "B1-128",
            Self::B4_128 => "B4-128",
            Self::B64_128 => "B64-128",
            Self::T4_Q128 => "T4-Q128",
            Self::T4_256 => "T4-256",
            Self::P4_128 => "P4-128",
            Self::Seed => "seed",
        }
    }

    /// The preset of that name.
    ///
    /// # Errors
    /// [`Error::UnknownPreset`], which lists them.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.name().eq_ignore_ascii_case(name))
            .ok_or(Error::UnknownPreset(Self::NAMES))
    }

    /// The parameters in the form that can be changed (another l, binary challenges, another encoding).
    ///
    /// r and v were found by minimising the proof size subject to 128 bits (or what the name says) of binding and hiding; n
    /// and sigma follow from them.
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
            binary: matches!(self, Self::P4_128),
            norm_bound: None,
            systematic: !seed,
            rans: false,
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

/// What the estimator says of a preset, so that nobody who uses one waits for it.
struct Known {
    /// w, r, v, b and B^2: all that an estimate depends on.
    key: (u32, u32, u32, u32, u128),
    /// Block sizes of the attack on binding and of the primal attack on hiding.
    blocks: (u32, u32),
    /// The dual-hybrid attack on hiding: block size, classical and quantum bits.
    dual: (u32, f64, f64),
}

/// One for each of [`Preset::ALL`].
const KNOWN: [Known; Preset::ALL.len()] = [
    // T1-128
    Known {
        key: (32, 1008, 2560, 1, 326_776_679_809_945),
        blocks: (450, 464),
        dual: (438, 128.10465875107244, 117.06523827127745),
    },
    // T4-128
    Known {
        key: (32, 1088, 2688, 1, 1_451_332_265_350_087),
        blocks: (448, 478),
        dual: (452, 132.02306952654254, 120.62342016027034),
    },
    // T64-128
    Known {
        key: (32, 1264, 2880, 1, 27_032_098_327_334_560),
        blocks: (448, 473),
        dual: (449, 131.13202656102473, 119.79415953560094),
    },
    // B1-128
    Known {
        key: (64, 752, 2624, 64, 1_406_229_933_266_827_844),
        blocks: (453, 469),
        dual: (469, 136.9488398603163, 124.55027245749862),
    },
    // B4-128
    Known {
        key: (64, 800, 2752, 64, 6_231_091_436_396_077_496),
        blocks: (447, 486),
        dual: (487, 142.20402198449636, 129.242028816931),
    },
    // B64-128
    Known {
        key: (64, 904, 2944, 64, 115_699_151_890_619_086_581),
        blocks: (445, 483),
        dual: (483, 141.04235850715034, 128.26268342119198),
    },
    // T4-Q128
    Known {
        key: (32, 1176, 2880, 1, 1_666_068_719_830_531),
        blocks: (494, 517),
        dual: (489, 142.8356497835156, 130.49562828071183),
    },
    // T4-256
    Known {
        key: (32, 2048, 4800, 1, 17_928_008_181_756_300),
        blocks: (893, 941),
        dual: (882, 257.799938386471, 235.66244917361578),
    },
    // P4-128
    Known {
        key: (32, 1160, 2752, 1, 4_319_925_493_539_143),
        blocks: (452, 468),
        dual: (444, 129.71315871466024, 118.52464219837603),
    },
    // seed
    Known {
        key: (64, 100, 3000, 64, 15_870_000_000_000_000_000_000),
        blocks: (50, 4000),
        dual: (4000, 1168.0, 1060.0),
    },
];

/// The estimate of parameters that are those of a preset, as far as it depends on them.
pub(super) fn known(params: &Params) -> Option<Estimate> {
    let key = (params.w, params.r, params.v, params.b, params.norm_bound_squared);
    let Known { blocks, dual, .. } = KNOWN.iter().find(|known| known.key == key)?;
    let &(beta, classical, quantum) = dual;
    Some(Estimate {
        sis: Hardness::of_block(blocks.0),
        hiding_primal: Hardness::of_block(blocks.1),
        hiding_dual: Hardness { beta, classical, quantum },
        log2_4b: log2_4b(params.norm_bound_squared),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_presets_is_what_is_computed() {
        for preset in Preset::ALL {
            let params = preset.params(Security::Waived).unwrap();
            assert_eq!(known(&params), Some(params.compute_estimate()), "{preset:?}");
        }
        // Everything that an estimate depends on is compared.
        let t4 = Preset::T4_128.custom();
        for changed in [
            CustomParams { w: 64, ..t4 },
            CustomParams { r: t4.r + 8, ..t4 },
            CustomParams { v: t4.v + 8, ..t4 },
            CustomParams { b: 2, sigma: Some(638_920), ..t4 },
            CustomParams { l: 5000, ..t4 },
        ] {
            assert_eq!(known(&changed.validate(Security::Waived).unwrap()), None, "{changed:?}");
        }
    }

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
            Err(Error::Parameter { .. } | Error::Insecure { .. })
        ));
        let p = Preset::Seed.params(Security::Waived).unwrap();
        assert!(p.estimate().sis.classical < 20.0);
    }

    #[test]
    fn names_round_trip() {
        for preset in Preset::ALL {
            assert_eq!(Preset::named(preset.name()).unwrap(), preset);
            assert!(Preset::NAMES.contains(preset.name()));
        }
        assert!(matches!(Preset::named("T5"), Err(Error::UnknownPreset(_))));
    }
}
