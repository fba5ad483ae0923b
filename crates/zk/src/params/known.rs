//! The estimates of the presets, so that nobody who uses one waits for them.

use super::Params;
use crate::estimate::{Estimate, Hardness, log2_4b};
use crate::rows::RowGroups;

/// What the estimator says of a preset.
struct Known {
    /// w, r, v, b and B^2: all that an estimate depends on.
    key: (u32, u32, u32, u32, u128),
    /// Block sizes of the attack on binding and of the primal attack on hiding.
    blocks: (u32, u32),
    /// The dual-hybrid attack on hiding: block size, classical and quantum bits.
    dual: (u32, f64, f64),
}

/// One for each of [`Preset::ALL`](super::Preset::ALL) of which all entries are uniform.
const KNOWN: [Known; 18] = [
    // T1-128
    Known {
        key: (27, 1160, 2528, 1, 265_896_661_628_771),
        blocks: (439, 466),
        dual: (440, 128.52907842132456, 117.536580778189),
    },
    // T4-128
    Known {
        key: (29, 1176, 2632, 1, 1_143_012_005_222_877),
        blocks: (443, 465),
        dual: (439, 128.36061570467572, 117.4114350374205),
    },
    // T64-128
    Known {
        key: (31, 1296, 2848, 1, 28_937_552_223_596_408),
        blocks: (441, 463),
        dual: (440, 128.52907842132282, 117.44375381112235),
    },
    // B1-128
    Known {
        key: (33, 1368, 2480, 64, 618_123_710_622_651_008),
        blocks: (439, 441),
        dual: (441, 128.99655250405186, 117.17592363611756),
    },
    // B4-128
    Known {
        key: (34, 1432, 2592, 64, 2_941_560_817_437_229_056),
        blocks: (441, 442),
        dual: (442, 129.24993752298423, 117.43331893822042),
    },
    // B64-128
    Known {
        key: (36, 1536, 2784, 64, 53_342_596_766_774_812_672),
        blocks: (442, 440),
        dual: (440, 128.75046475715428, 116.9200089875316),
    },
    // T4-Q128
    Known {
        key: (29, 1288, 2848, 1, 1_790_297_564_505_376),
        blocks: (487, 508),
        dual: (480, 140.19289698519793, 128.06323194225826),
    },
    // T4-256
    Known {
        key: (30, 2144, 4744, 1, 16_366_143_603_441_848),
        blocks: (877, 935),
        dual: (876, 256.07644256208613, 234.05255475299745),
    },
    // T1-128-v1
    Known {
        key: (32, 1008, 2560, 1, 326_776_679_809_945),
        blocks: (450, 464),
        dual: (438, 128.10465875107244, 117.06523827127745),
    },
    // T4-128-v1
    Known {
        key: (32, 1088, 2688, 1, 1_451_332_265_350_087),
        blocks: (448, 478),
        dual: (452, 132.02306952654254, 120.62342016027034),
    },
    // T64-128-v1
    Known {
        key: (32, 1264, 2880, 1, 27_032_098_327_334_560),
        blocks: (448, 473),
        dual: (449, 131.13202656102473, 119.79415953560094),
    },
    // B1-128-v1
    Known {
        key: (64, 752, 2624, 64, 1_406_229_933_266_827_844),
        blocks: (453, 469),
        dual: (469, 136.9488398603163, 124.55027245749862),
    },
    // B4-128-v1
    Known {
        key: (64, 800, 2752, 64, 6_231_091_436_396_077_496),
        blocks: (447, 486),
        dual: (487, 142.20402198449636, 129.242028816931),
    },
    // B64-128-v1
    Known {
        key: (64, 904, 2944, 64, 115_699_151_890_619_086_581),
        blocks: (445, 483),
        dual: (483, 141.04235850715034, 128.26268342119198),
    },
    // T4-Q128-v1
    Known {
        key: (32, 1176, 2880, 1, 1_666_068_719_830_531),
        blocks: (494, 517),
        dual: (489, 142.8356497835156, 130.49562828071183),
    },
    // T4-256-v1
    Known {
        key: (32, 2048, 4800, 1, 17_928_008_181_756_300),
        blocks: (893, 941),
        dual: (882, 257.799938386471, 235.66244917361578),
    },
    // P4-128-v1
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
    if params.groups != RowGroups::uniform(params.v, params.b()) {
        return None;
    }
    let key = (params.w, params.r, params.v, params.b(), params.norm_bound_squared);
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
    use crate::params::{CustomParams, Preset, Security};

    #[test]
    fn what_is_known_of_presets_is_what_is_computed() {
        for preset in Preset::ALL {
            let params = preset.params(Security::Waived).unwrap();
            let uniform = params.row_groups().len() == 1;
            let computed = uniform.then(|| params.compute_estimate());
            assert_eq!(known(&params), computed, "{preset:?}");
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
    }
}
