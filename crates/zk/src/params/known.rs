//! The estimates of the presets, so that nobody who uses one waits for them.

use super::Params;
use crate::estimate::{Estimate, Hardness, log2_4b};

/// What the estimator says of a preset.
struct Known {
    /// w, r, v, b and B^2: all that an estimate depends on.
    key: (u32, u32, u32, u32, u128),
    /// Block sizes of the attack on binding and of the primal attack on hiding.
    blocks: (u32, u32),
    /// The dual-hybrid attack on hiding: block size, classical and quantum bits.
    dual: (u32, f64, f64),
}

/// One for each of [`Preset::ALL`].
const KNOWN: [Known; 10] = [
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
    use crate::params::{CustomParams, Preset, Security};

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
}
