//! The features of this CPU, on every architecture: the only detection in the workspace.

#[cfg(target_arch = "x86_64")]
pub(crate) use crate::cpuid::{detected, tiles_granted};

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use other::{detected, tiles_granted};

/// Architectures whose features the standard library detects, and architectures that have none
/// here.
#[cfg(not(target_arch = "x86_64"))]
mod other {
    use crate::token::Feature;

    /// Features of this CPU that the operating system supports, a closed set of [`Feature`] bits.
    pub(crate) fn detected() -> u32 {
        let mut set = 0;
        for feature in Feature::ALL {
            if has(feature) {
                set |= feature.bit();
            }
        }
        Feature::closure(set)
    }

    /// There are no tiles.
    pub(crate) fn tiles_granted() -> bool {
        false
    }

    /// The standard library asks the operating system once. Without one, what the build may assume
    /// is all that is known.
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    fn has(feature: Feature) -> bool {
        macro_rules! detected {
            ($name:tt) => {{
                #[cfg(any(unix, windows))]
                let has = std::arch::is_aarch64_feature_detected!($name);
                #[cfg(not(any(unix, windows)))]
                let has = cfg!(target_feature = $name);
                has
            }};
        }
        match feature {
            Feature::Neon => true,
            Feature::ArmAes => detected!("aes"),
            Feature::DotProd => detected!("dotprod"),
            _ => false,
        }
    }

    #[cfg(not(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
    fn has(_: Feature) -> bool {
        false
    }
}

#[cfg(all(test, target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod tests {
    use super::detected;
    use crate::token::Feature;

    #[test]
    fn detection_agrees_with_the_standard_library() {
        use std::arch::is_aarch64_feature_detected as has;
        let set = detected();
        assert!(has!("neon"));
        assert_eq!(set & Feature::Neon.bit() != 0, has!("neon"));
        assert_eq!(set & Feature::ArmAes.bit() != 0, has!("aes"));
        assert_eq!(set & Feature::DotProd.bit() != 0, has!("dotprod"));
        let all = Feature::Neon.bit() | Feature::ArmAes.bit() | Feature::DotProd.bit();
        assert_eq!(set & !all, 0, "features of another architecture");
    }

    /// So that no kernel is left out where all are to be tested.
    #[test]
    #[ignore = "for CPUs with everything, such as the one that assurance/architectures.sh emulates"]
    fn this_cpu_has_all_that_kernels_use() {
        for feature in [Feature::Neon, Feature::ArmAes, Feature::DotProd] {
            assert!(detected() & feature.bit() != 0, "{feature:?}");
        }
    }
}
