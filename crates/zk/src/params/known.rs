//! The estimates of the presets, so that nobody who uses one waits for them.

use super::{CustomParams, Params, Preset};
use crate::estimate::{Estimate, Hardness, log2_4b};

/// What the estimator says of a preset.
struct Known {
    /// Its w, r, v and groups of rows are all that an estimate depends on, but for B^2.
    preset: Preset,
    /// B^2.
    norm_bound_squared: u128,
    /// Block sizes of the attack on binding and of the primal attack on hiding.
    blocks: (u32, u32),
    /// The dual-hybrid attack on hiding: block size, classical and quantum bits.
    dual: (u32, f64, f64),
}

/// One for each of [`Preset::ALL`].
const KNOWN: [Known; 21] = [
    Known {
        preset: Preset::T1_128,
        norm_bound_squared: 785_325_704_220_468,
        blocks: (442, 466),
        dual: (441, 128.81220976875713, 117.70068704959121),
    },
    Known {
        preset: Preset::T4_128,
        norm_bound_squared: 3_359_804_036_144_840,
        blocks: (440, 466),
        dual: (441, 128.88941575473794, 117.77877252524256),
    },
    Known {
        preset: Preset::T64_128,
        norm_bound_squared: 61_326_474_028_878_896,
        blocks: (441, 462),
        dual: (439, 128.24786292043117, 117.18838784835039),
    },
    Known {
        preset: Preset::B1_128,
        norm_bound_squared: 1_922_491_638_148_602_624,
        blocks: (439, 443),
        dual: (443, 129.50961267770964, 117.69195961461978),
    },
    Known {
        preset: Preset::B4_128,
        norm_bound_squared: 8_187_550_753_717_837_824,
        blocks: (442, 439),
        dual: (440, 128.48230419330577, 116.8654346174653),
    },
    Known {
        preset: Preset::B64_128,
        norm_bound_squared: 148_190_572_218_574_340_096,
        blocks: (442, 441),
        dual: (442, 129.0655375626071, 117.39530101330014),
    },
    Known {
        preset: Preset::T4_Q128,
        norm_bound_squared: 3_806_529_415_819_528,
        blocks: (485, 510),
        dual: (482, 140.80910298638887, 128.6633208935988),
    },
    Known {
        preset: Preset::T4_256,
        norm_bound_squared: 50_060_664_482_871_184,
        blocks: (877, 936),
        dual: (878, 256.4786680639947, 234.4467171259383),
    },
    Known {
        preset: Preset::G4_128,
        norm_bound_squared: 30_656_706_063_417_996,
        blocks: (440, 463),
        dual: (440, 128.52907842132282, 117.44375381112235),
    },
    Known {
        preset: Preset::N1_128,
        norm_bound_squared: 9_359_266_765_668_472,
        blocks: (441, 463),
        dual: (439, 128.24786292043143, 117.18838785398502),
    },
    Known {
        preset: Preset::N4_128,
        norm_bound_squared: 38_688_910_490_578_296,
        blocks: (440, 463),
        dual: (439, 128.41401279771634, 117.29851942659236),
    },
    Known {
        preset: Preset::T1_128_V1,
        norm_bound_squared: 326_776_679_809_945,
        blocks: (450, 464),
        dual: (438, 128.10465875107244, 117.06523827127745),
    },
    Known {
        preset: Preset::T4_128_V1,
        norm_bound_squared: 1_451_332_265_350_087,
        blocks: (448, 478),
        dual: (452, 132.02306952654254, 120.62342016027034),
    },
    Known {
        preset: Preset::T64_128_V1,
        norm_bound_squared: 27_032_098_327_334_560,
        blocks: (448, 473),
        dual: (449, 131.13202656102473, 119.79415953560094),
    },
    Known {
        preset: Preset::B1_128_V1,
        norm_bound_squared: 1_406_229_933_266_827_844,
        blocks: (453, 469),
        dual: (469, 136.9488398603163, 124.55027245749862),
    },
    Known {
        preset: Preset::B4_128_V1,
        norm_bound_squared: 6_231_091_436_396_077_496,
        blocks: (447, 486),
        dual: (487, 142.20402198449636, 129.242028816931),
    },
    Known {
        preset: Preset::B64_128_V1,
        norm_bound_squared: 115_699_151_890_619_086_581,
        blocks: (445, 483),
        dual: (483, 141.04235850715034, 128.26268342119198),
    },
    Known {
        preset: Preset::T4_Q128_V1,
        norm_bound_squared: 1_666_068_719_830_531,
        blocks: (494, 517),
        dual: (489, 142.8356497835156, 130.49562828071183),
    },
    Known {
        preset: Preset::T4_256_V1,
        norm_bound_squared: 17_928_008_181_756_300,
        blocks: (893, 941),
        dual: (882, 257.799938386471, 235.66244917361578),
    },
    Known {
        preset: Preset::P4_128_V1,
        norm_bound_squared: 4_319_925_493_539_143,
        blocks: (452, 468),
        dual: (444, 129.71315871466024, 118.52464219837603),
    },
    Known {
        preset: Preset::Seed,
        norm_bound_squared: 15_870_000_000_000_000_000_000,
        blocks: (50, 4000),
        dual: (4000, 1168.0, 1060.0),
    },
];

impl Known {
    fn is_of(&self, params: &Params) -> bool {
        let custom = self.preset.custom();
        let CustomParams { w, r, v, .. } = custom;
        (w, r, v, self.norm_bound_squared)
            == (params.w, params.r, params.v, params.norm_bound_squared)
            && custom.row_groups().is_ok_and(|groups| groups == params.groups)
    }
}

/// The estimate of parameters that are those of a preset, as far as it depends on them.
pub(super) fn known(params: &Params) -> Option<Estimate> {
    let Known { blocks, dual, .. } = KNOWN.iter().find(|known| known.is_of(params))?;
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
    use crate::params::Security;
    use crate::rows::{Distribution, RowGroup};

    #[test]
    fn what_is_known_of_presets_is_what_is_computed() {
        for preset in Preset::ALL {
            let params = preset.params(Security::Waived).unwrap();
            assert_eq!(known(&params), Some(params.compute_estimate()), "{preset:?}");
        }
        // Everything that an estimate depends on is compared.
        let t4 = Preset::T4_128_V1.custom();
        for changed in [
            CustomParams { w: 64, ..t4 },
            CustomParams { r: t4.r + 8, ..t4 },
            CustomParams { v: t4.v + 8, ..t4 },
            CustomParams { b: 2, sigma: Some(638_920), ..t4 },
            CustomParams { l: 5000, ..t4 },
        ] {
            assert_eq!(known(&changed.validate(Security::Waived).unwrap()), None, "{changed:?}");
        }
        // B^2 may be the same with other rows of errors, or messages.
        for preset in [Preset::G4_128, Preset::N4_128] {
            let params = preset.params(Security::Waived).unwrap();
            let custom = CustomParams { sigma: Some(params.sigma()), ..preset.custom() };
            assert!(known(&custom.validate(Security::Waived).unwrap()).is_some());
            let distribution = Distribution::Gaussian { micros: 3_000_000 };
            let mut groups = custom.groups;
            groups[1] = groups[1].map(|group| RowGroup { distribution, bound: 32, ..group });
            let changed = CustomParams { groups, ..custom }.validate(Security::Waived).unwrap();
            assert_eq!(changed.norm_bound_squared, params.norm_bound_squared);
            assert_eq!(known(&changed), None, "{preset:?}");
        }
    }
}
