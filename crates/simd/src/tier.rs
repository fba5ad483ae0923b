//! The tiers: named sets of features.

use crate::token::Feature;

/// A named set of features, in ascending order of ability. The order is the order of the registers
/// where architectures differ; a CPU has features of one of them only.
pub(crate) struct Tier {
    pub(crate) name: &'static str,
    pub(crate) features: u32,
    /// The features that tell it apart from lower tiers: without them it is not offered.
    pub(crate) marks: u32,
}

pub(crate) const NEON: u32 = Feature::Neon.bit() | Feature::ArmAes.bit() | Feature::DotProd.bit();
pub(crate) const AVX2: u32 = Feature::Avx2.bit() | Feature::AesNi.bit() | Feature::Adx.bit();
pub(crate) const AVX2_GFNI: u32 = AVX2 | Feature::Gfni.bit() | Feature::Vaes.bit();
pub(crate) const AVX512_BASE: u32 = AVX2 | Feature::Avx512.bit();
pub(crate) const AVX512: u32 =
    AVX2_GFNI | AVX512_BASE | Feature::Ifma.bit() | Feature::Vbmi.bit() | Feature::Vnni.bit();
pub(crate) const AMX: u32 = AVX512 | Feature::Amx.bit();

pub(crate) const TIERS: [Tier; 7] = [
    Tier { name: "portable", features: 0, marks: 0 },
    Tier { name: "neon", features: NEON, marks: Feature::Neon.bit() },
    Tier { name: "avx2", features: AVX2, marks: Feature::Avx2.bit() },
    Tier {
        name: "avx2-gfni",
        features: AVX2_GFNI,
        marks: Feature::Gfni.bit() | Feature::Vaes.bit(),
    },
    Tier { name: "avx512-base", features: AVX512_BASE, marks: Feature::Avx512.bit() },
    Tier {
        name: "avx512",
        features: AVX512,
        marks: Feature::Avx512.bit() | Feature::Ifma.bit() | Feature::Vbmi.bit(),
    },
    Tier { name: "amx", features: AMX, marks: Feature::Amx.bit() },
];

/// The names that [`Isa::named`](crate::Isa::named) knows, in ascending order of ability.
///
/// | name | instructions | typical CPU |
/// |---|---|---|
/// | `portable` | none beyond the compiler's baseline | any |
/// | `neon` | NEON; AES and dot products if present | every aarch64 |
/// | `avx2` | AVX2, FMA, BMI2, AES-NI, ADX | Haswell, Zen |
/// | `avx2-gfni` | also GFNI and VAES on 256 bits | Alder Lake, Arrow Lake |
/// | `avx512-base` | AVX-512 F, BW, DQ, VL, CD | Skylake-X |
/// | `avx512` | also IFMA, VBMI, VNNI, GFNI and VAES on 512 bits | Ice Lake, Zen 4 |
/// | `amx` | also AMX int8 tiles | Sapphire Rapids |
pub const TIER_NAMES: [&str; TIERS.len()] = {
    let mut names = [""; TIERS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = TIERS[i].name;
        i += 1;
    }
    names
};

/// Index of the highest tier, the only one with tiles.
pub(crate) const HIGHEST: u8 = TIERS.len() as u8 - 1;

/// Why a named instruction set cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IsaError {
    /// The name is none of [`TIER_NAMES`] (nor `auto`).
    #[error(
        "unknown instruction set; known are auto, portable, neon, avx2, avx2-gfni, avx512-base, avx512, amx"
    )]
    Unknown,
    /// The name is known; this CPU, its operating system or a cap (of the build, or of the variable
    /// [`ENVIRONMENT`](crate::ENVIRONMENT)) does not offer it.
    #[error("instruction set {name} is not available on this machine; the best here is {best}")]
    Unavailable {
        /// The requested name.
        name: &'static str,
        /// The best tier that is available.
        best: &'static str,
    },
}
