//! How fast a CPU computes on vectors, where programs choose between algorithms by it.

/// Instructions on vectors that a CPU starts in a cycle, and what its products take.
///
/// A statement about speed alone: nothing is computed differently by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    /// Multiplications of 512 bits a cycle, or multiply-adds of 52 bits: one or two.
    pub multiplications: u32,
    /// Instructions of 512 bits a cycle, multiplications among them.
    pub all: u32,
    /// Instructions of 256 bits a cycle, of which two may be multiplications.
    pub all_256: u32,
    /// Multiplications that `vpmulld` takes.
    pub words: u32,
    /// Multiplications that `vpmullq` takes.
    pub doubles: u32,
}

impl Ports {
    /// Ice Lake, Tiger Lake and Rocket Lake: the second multiplier of 512 bits came with servers
    /// only.
    pub const INTEL_CLIENT: Self = Self { multiplications: 1, ..Self::INTEL_SERVER };
    /// Skylake-X, and Ice Lake to Granite Rapids as servers.
    pub const INTEL_SERVER: Self =
        Self { multiplications: 2, all: 2, all_256: 3, words: 2, doubles: 3 };
    /// Zen 4, which splits registers of 512 bits in two, and its predecessors.
    pub const ZEN_4: Self = Self { multiplications: 1, all: 2, all_256: 4, words: 1, doubles: 1 };
    /// Zen 5.
    pub const ZEN_5: Self = Self { multiplications: 2, all: 4, ..Self::ZEN_4 };

    /// Rates of this CPU; of an unknown one, the rates of Intel's servers.
    #[must_use]
    pub fn here() -> Self {
        #[cfg(target_arch = "x86_64")]
        return x86::ports();
        #[cfg(not(target_arch = "x86_64"))]
        Self::INTEL_SERVER
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::sync::atomic::{AtomicUsize, Ordering};

    use super::Ports;
    use crate::cpuid::cpuid;

    const FAMILIES: [Ports; 4] =
        [Ports::INTEL_CLIENT, Ports::INTEL_SERVER, Ports::ZEN_4, Ports::ZEN_5];

    /// One more than the index in [`FAMILIES`], once it is known: an instruction that says it takes
    /// microseconds under a hypervisor.
    static FAMILY: AtomicUsize = AtomicUsize::new(0);

    pub(super) fn ports() -> Ports {
        let mut known = FAMILY.load(Ordering::Relaxed);
        if known == 0 {
            let (vendor, version) = (cpuid(0).ebx, cpuid(1).eax);
            let tiles = cpuid(7).edx >> 24 & 1 == 1;
            known = 1 + family(vendor.to_le_bytes(), version, tiles);
            FAMILY.store(known, Ordering::Relaxed);
        }
        FAMILIES[known - 1]
    }

    /// The index in [`FAMILIES`], by the first letters of the vendor and the signature of CPUID
    /// leaf 1: family in bits 8 to 11 and, above 14, 20 to 27 in addition; model in bits 4 to 7 and
    /// 16 to
    /// 19. Tiles are on servers only, even if a hypervisor names another model.
    fn family(vendor: [u8; 4], version: u32, tiles: bool) -> usize {
        let family = (version >> 8 & 15) + (version >> 20 & 0xff);
        let model = version >> 4 & 15 | version >> 12 & 0xf0;
        match &vendor {
            b"Auth" if family <= 0x19 => 2,
            b"Auth" => 3,
            b"Genu" if matches!(model, 0x7d | 0x7e | 0x8c | 0x8d | 0xa7) && !tiles => 0,
            _ => 1,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn families_are_told_apart() {
            let cases = [
                (*b"Auth", 0x00a1_0f11, false, Ports::ZEN_4),
                (*b"Auth", 0x00b0_0f21, false, Ports::ZEN_5),
                (*b"Genu", 0x0008_06c1, false, Ports::INTEL_CLIENT), // Tiger Lake
                (*b"Genu", 0x000a_0671, false, Ports::INTEL_CLIENT), // Rocket Lake
                (*b"Genu", 0x000a_0671, true, Ports::INTEL_SERVER),  // a server under that name
                (*b"Genu", 0x0006_06a6, false, Ports::INTEL_SERVER), // Ice Lake
                (*b"Genu", 0x0008_06f8, true, Ports::INTEL_SERVER),  // Sapphire Rapids
            ];
            for (vendor, version, tiles, want) in cases {
                assert_eq!(FAMILIES[family(vendor, version, tiles)], want, "{version:#x}");
            }
            assert!(FAMILIES.contains(&Ports::here()));
        }
    }
}
