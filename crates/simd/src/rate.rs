//! How fast a CPU multiplies, where programs choose between algorithms by it.

/// Multiply-adds of 52 bits on registers of 512 bits that this CPU starts in a cycle: one or two.
/// For CPUs without them, or unknown ones, it is two.
///
/// A statement about speed alone: nothing is computed differently by it.
#[must_use]
pub fn multiply_adds_per_cycle() -> usize {
    #[cfg(target_arch = "x86_64")]
    return x86::multiply_adds_per_cycle();
    #[cfg(not(target_arch = "x86_64"))]
    2
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::sync::atomic::{AtomicUsize, Ordering};

    use crate::cpuid::cpuid;

    /// The answer, once it is known: an instruction that says it takes microseconds under a
    /// hypervisor.
    static RATE: AtomicUsize = AtomicUsize::new(0);

    pub(super) fn multiply_adds_per_cycle() -> usize {
        match RATE.load(Ordering::Relaxed) {
            0 => {
                let (vendor, version) = (cpuid(0).ebx, cpuid(1).eax);
                let tiles = cpuid(7).edx >> 24 & 1 == 1;
                let rate = rate(vendor.to_le_bytes(), version, tiles);
                RATE.store(rate, Ordering::Relaxed);
                rate
            }
            rate => rate,
        }
    }

    /// By the first letters of the vendor and the signature of CPUID leaf 1: family in bits 8 to 11
    /// and, above 14, 20 to 27 in addition; model in bits 4 to 7 and 16 to 19. Tiles are on servers
    /// only, whatever model a hypervisor names.
    fn rate(vendor: [u8; 4], version: u32, tiles: bool) -> usize {
        let family = (version >> 8 & 15) + (version >> 20 & 0xff);
        let model = version >> 4 & 15 | version >> 12 & 0xf0;
        match &vendor {
            // Zen 4 splits registers of 512 bits in two.
            b"Auth" if family <= 0x19 => 1,
            // Ice Lake, Tiger Lake and Rocket Lake: the second port came with servers only.
            b"Genu" if matches!(model, 0x7d | 0x7e | 0x8c | 0x8d | 0xa7) && !tiles => 1,
            _ => 2,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn families_are_told_apart() {
            let cases = [
                (*b"Auth", 0x00a1_0f11, false, 1), // Zen 4
                (*b"Auth", 0x00b0_0f21, false, 2), // Zen 5
                (*b"Genu", 0x0008_06c1, false, 1), // Tiger Lake
                (*b"Genu", 0x000a_0671, false, 1), // Rocket Lake
                (*b"Genu", 0x000a_0671, true, 2),  // a server under that name
                (*b"Genu", 0x0006_06a6, false, 2), // Ice Lake, server
                (*b"Genu", 0x0008_06f8, true, 2),  // Sapphire Rapids
            ];
            for (vendor, version, tiles, want) in cases {
                assert_eq!(rate(vendor, version, tiles), want, "{version:#x}");
            }
            assert!((1..=2).contains(&multiply_adds_per_cycle()));
        }
    }
}
