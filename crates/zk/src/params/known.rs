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
        norm_bound_squared: 265_896_661_628_771,
        blocks: (439, 466),
        dual: (440, 128.52907842132456, 117.536580778189),
    },
    Known {
        preset: Preset::T4_128,
        norm_bound_squared: 1_143_012_005_222_877,
        blocks: (443, 465),
        dual: (439, 128.36061570467572, 117.4114350374205),
    },
    Known {
        preset: Preset::T64_128,
        norm_bound_squared: 28_937_552_223_596_408,
        blocks: (441, 463),
        dual: (440, 128.52907842132282, 117.44375381112235),
    },
    Known {
        preset: Preset::B1_128,
        norm_bound_squared: 618_123_710_622_651_008,
        blocks: (439, 441),
        dual: (441, 128.99655250405186, 117.17592363611756),
    },
    Known {
        preset: Preset::B4_128,
        norm_bound_squared: 2_941_560_817_437_229_056,
        blocks: (441, 442),
        dual: (442, 129.24993752298423, 117.43331893822042),
    },
    Known {
        preset: Preset::B64_128,
        norm_bound_squared: 53_342_596_766_774_812_672,
        blocks: (442, 440),
        dual: (440, 128.75046475715428, 116.9200089875316),
    },
    Known {
        preset: Preset::T4_Q128,
        norm_bound_squared: 1_790_297_564_505_376,
        blocks: (487, 508),
        dual: (480, 140.19289698519793, 128.06323194225826),
    },
    Known {
        preset: Preset::T4_256,
        norm_bound_squared: 16_366_143_603_441_848,
        blocks: (877, 935),
        dual: (876, 256.07644256208613, 234.05255475299745),
    },
    Known {
        preset: Preset::G4_128,
        norm_bound_squared: 10_324_248_023_702_066,
        blocks: (441, 463),
        dual: (439, 128.2478629204293, 117.18838784744435),
    },
    Known {
        preset: Preset::N1_128,
        norm_bound_squared: 3_259_692_067_172_915,
        blocks: (441, 466),
        dual: (441, 128.88941575473794, 117.77877252524256),
    },
    Known {
        preset: Preset::N4_128,
        norm_bound_squared: 13_448_056_273_971_126,
        blocks: (441, 462),
        dual: (438, 128.11357260704975, 117.06523827423506),
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
