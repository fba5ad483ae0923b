//! [`Isa`]: which of the detected features a computation may use.

use core::fmt;
use core::str::FromStr;

use crate::cpuid;
use crate::feature::Feature;

/// A named set of features, in ascending order of ability.
struct Tier {
    name: &'static str,
    features: u32,
}

const AVX2: u32 = Feature::Avx2.bit() | Feature::AesNi.bit() | Feature::Adx.bit();
const AVX2_GFNI: u32 = AVX2 | Feature::Gfni.bit() | Feature::Vaes.bit();
const AVX512_BASE: u32 = AVX2 | Feature::Avx512.bit();
const AVX512: u32 =
    AVX2_GFNI | AVX512_BASE | Feature::Ifma.bit() | Feature::Vbmi.bit() | Feature::Vnni.bit();
const AMX: u32 = AVX512 | Feature::Amx.bit();

const TIERS: [Tier; 6] = [
    Tier { name: "portable", features: 0 },
    Tier { name: "avx2", features: AVX2 },
    Tier { name: "avx2-gfni", features: AVX2_GFNI },
    Tier { name: "avx512-base", features: AVX512_BASE },
    Tier { name: "avx512", features: AVX512 },
    Tier { name: "amx", features: AMX },
];

/// The names that [`Isa::named`] knows, in ascending order of ability.
///
/// | name | instructions | typical CPU |
/// |---|---|---|
/// | `portable` | none beyond the compiler's baseline | any |
/// | `avx2` | AVX2, FMA, BMI2, AES-NI, ADX | Haswell, Zen |
/// | `avx2-gfni` | also GFNI and VAES on 256 bits | Alder Lake |
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

/// A set of instruction-set features, each of them detected on this CPU: the only source of tokens.
///
/// A tier holds those of its features that the CPU has; it is offered when its defining step is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Isa {
    // Invariant: a closed subset of `cpuid::detected()`.
    features: u32,
    tier: u8,
}

/// Why a named instruction set can not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IsaError {
    /// The name is none of [`TIER_NAMES`] (nor `auto`).
    #[error(
        "unknown instruction set; known are auto, portable, avx2, avx2-gfni, avx512-base, avx512, amx"
    )]
    Unknown,
    /// The name is known; this CPU, its operating system or the build-time cap does not offer it.
    #[error("instruction set {name} is not available on this machine; the best here is {best}")]
    Unavailable {
        /// What was asked for.
        name: &'static str,
        /// The best tier that is available.
        best: &'static str,
    },
}

impl Isa {
    /// No feature at all: the portable code paths.
    pub const PORTABLE: Self = Self { features: 0, tier: 0 };

    /// The best tier of this CPU (below the build-time cap, if one is set).
    #[must_use]
    pub fn detect() -> Self {
        Self::all().last().unwrap_or(Self::PORTABLE)
    }

    /// Every distinct tier of this CPU, portable first, best last: for tests and benches.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        let detected = cpuid::detected();
        (0..=cap()).filter_map(move |tier| Self::tier(tier, detected))
    }

    /// The tier of that name; `auto` is [`Isa::detect`].
    ///
    /// # Errors
    /// [`IsaError::Unknown`] for a name not in [`TIER_NAMES`]; [`IsaError::Unavailable`] for one this machine lacks.
    pub fn named(name: &str) -> Result<Self, IsaError> {
        if name == "auto" {
            return Ok(Self::detect());
        }
        let index = TIER_NAMES.iter().position(|&n| n == name).ok_or(IsaError::Unknown)?;
        Self::all().find(|isa| usize::from(isa.tier) == index).ok_or_else(|| {
            IsaError::Unavailable { name: TIER_NAMES[index], best: Self::detect().name() }
        })
    }

    /// This set less `feature` and less everything that includes it.
    #[must_use]
    pub const fn without(self, feature: Feature) -> Self {
        Self { features: Feature::closure(self.features & !feature.bit()), tier: self.tier }
    }

    /// Name of the tier this set was made from, one of [`TIER_NAMES`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        TIER_NAMES[self.tier as usize]
    }

    pub(crate) const fn holds(self, feature: Feature) -> bool {
        self.features & feature.bit() != 0
    }

    /// The tier, if the CPU has what tells it apart from those below.
    fn tier(tier: u8, detected: u32) -> Option<Self> {
        let marks = match TIERS[usize::from(tier)].name {
            "portable" => 0,
            "avx2" => Feature::Avx2.bit(),
            "avx2-gfni" => Feature::Gfni.bit() | Feature::Vaes.bit(),
            "avx512-base" => Feature::Avx512.bit(),
            "avx512" => Feature::Avx512.bit() | Feature::Ifma.bit() | Feature::Vbmi.bit(),
            _ => Feature::Amx.bit(),
        };
        let features = Feature::closure(detected & TIERS[usize::from(tier)].features);
        (features & marks == marks).then_some(Self { features, tier })
    }
}

/// Index of the highest tier that the build allows.
const fn cap() -> u8 {
    if cfg!(tautochrone_isa = "portable") {
        0
    } else if cfg!(tautochrone_isa = "avx2") {
        1
    } else if cfg!(tautochrone_isa = "avx2-gfni") {
        2
    } else if cfg!(tautochrone_isa = "avx512-base") {
        3
    } else if cfg!(tautochrone_isa = "avx512") {
        4
    } else {
        5
    }
}

impl Default for Isa {
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Isa({}:", self.name())?;
        for feature in Feature::ALL.into_iter().filter(|&feature| self.holds(feature)) {
            write!(f, " {feature:?}")?;
        }
        f.write_str(")")
    }
}

impl FromStr for Isa {
    type Err = IsaError;

    fn from_str(name: &str) -> Result<Self, IsaError> {
        Self::named(name)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn tiers_ascend_and_are_found_by_name() {
        let all: Vec<Isa> = Isa::all().collect();
        assert_eq!(all[0], Isa::PORTABLE);
        assert_eq!(*all.last().unwrap(), Isa::detect());
        for isa in all {
            assert_eq!(Isa::named(isa.name()), Ok(isa));
            assert_eq!(isa.to_string().parse(), Ok(isa));
        }
        assert_eq!(Isa::named("auto"), Ok(Isa::detect()));
        assert_eq!(Isa::named("sse9"), Err(IsaError::Unknown));
    }

    #[test]
    fn an_absent_tier_names_the_best_present_one() {
        for name in TIER_NAMES {
            match Isa::named(name) {
                Ok(isa) => assert_eq!(isa.name(), name),
                Err(e) => assert_eq!(
                    e,
                    IsaError::Unavailable { name, best: Isa::detect().name() },
                    "only an absent tier may fail"
                ),
            }
        }
    }

    #[test]
    fn removing_a_feature_removes_what_includes_it() {
        for isa in Isa::all() {
            let none = isa.without(Feature::Avx2);
            assert!(none.avx2().is_none() && none.avx512().is_none() && none.amx().is_none());
            assert!(none.gfni().is_none() && none.vaes().is_none() && none.ifma().is_none());
            assert_eq!(none.aes_ni(), isa.aes_ni(), "AES-NI does not include AVX2");
        }
        assert!(Isa::detect().without(Feature::Gfni).gfni().is_none());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn detection_agrees_with_the_standard_library() {
        use std::arch::is_x86_feature_detected as has;
        let set = cpuid::detected();
        let bit = |f: Feature| set & f.bit() != 0;
        let avx2 = has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("popcnt");
        let avx512 = avx2
            && has!("f16c")
            && has!("avx512f")
            && has!("avx512bw")
            && has!("avx512dq")
            && has!("avx512vl")
            && has!("avx512cd");
        assert_eq!(bit(Feature::Avx2), avx2);
        assert_eq!(bit(Feature::AesNi), has!("aes") && has!("sse4.1"));
        assert_eq!(bit(Feature::Adx), has!("adx") && has!("bmi2"));
        assert_eq!(bit(Feature::Gfni), avx2 && has!("gfni"));
        assert_eq!(bit(Feature::Vaes), avx2 && has!("aes") && has!("vaes"));
        assert_eq!(bit(Feature::Avx512), avx512);
        assert_eq!(bit(Feature::Ifma), avx512 && has!("avx512ifma"));
        assert_eq!(bit(Feature::Vbmi), avx512 && has!("avx512vbmi") && has!("avx512vbmi2"));
        assert_eq!(bit(Feature::Vnni), avx512 && has!("avx512vnni"));
    }
}
