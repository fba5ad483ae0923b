//! The cheapest way, where it is known.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::digits::{Digit, Method};
use crate::{Multiplier, Threads};

fn problem(isa: Isa, ports: Ports, bits: (u32, u32, u32), size: Option<[usize; 3]>) -> Problem {
    let widths = (Width::unsigned(bits.0), Width::signed(bits.1));
    Problem { isa, ports, widths, word: bits.2, size, ternary: None }
}

/// The rates by the ports, next to the rates that `benches/matmul/peak.rs` measures from registers
/// where the specification of a kernel is plain.
#[test]
fn instructions_allow_so_many_terms() {
    let rates = |backend: &str, digit, method| {
        let kernel = Kernel::all(Isa::detect()).find(|kernel| {
            (kernel.backend.name(), kernel.digit, kernel.method) == (backend, digit, method)
        })?;
        Some([Ports::INTEL_SERVER, Ports::ZEN_4].map(|p| cost::terms_per_cycle(kernel, p)))
    };
    for (backend, digit, method, [intel, zen]) in [
        ("vnni", Digit::Byte, Method::Direct, [128.0, 64.0]),
        ("vnni", Digit::Byte, Method::Winograd, [256.0 / 3.0, 256.0 / 3.0]),
        ("vnni", Digit::Half, Method::Direct, [64.0, 32.0]),
        ("avx512", Digit::Word, Method::Winograd, [12.8, 16.0]),
        ("avx512", Digit::Double, Method::Winograd, [16.0 / 3.0, 8.0]),
        ("ifma", Digit::Double, Method::Direct, [16.0, 8.0]),
        ("ifma", Digit::Double, Method::Winograd, [32.0 / 3.0, 32.0 / 3.0]),
        ("avx2", Digit::Half, Method::Direct, [24.0, 32.0]),
        ("avx2", Digit::Word, Method::Winograd, [9.6, 16.0]),
        ("amx", Digit::Byte, Method::Direct, [1024.0, 1024.0]),
    ] {
        if let Some(got) = rates(backend, digit, method) {
            let close = |(got, want): (f64, f64)| (got - want).abs() < 1e-9;
            assert!(close((got[0], intel)) && close((got[1], zen)), "{backend} {digit:?} {got:?}");
        }
    }
}

/// The kernel for entries of these bits, and the residues, by name.
fn chosen(
    tier: &str,
    ports: Ports,
    bits: (u32, u32, u32),
    size: Option<[usize; 3]>,
) -> Option<alloc::string::String> {
    let isa = Isa::named(tier).ok()?;
    let How::Kernel(kernel) = problem(isa, ports, bits, size).best() else { unreachable!() };
    Some(alloc::format!("{:?}", Way(How::Kernel(kernel))))
}

#[test]
fn families_of_cpus_have_their_own_kernels() {
    let (intel, zen) = (Ports::INTEL_SERVER, Ports::ZEN_4);
    for (tier, ports, bits, want) in [
        // A' Y of T4-128: three products of halves, or one of words, which Intel multiplies slowly.
        ("avx512", intel, (32, 20, 32), "vnni Half Direct"),
        ("avx512", zen, (32, 20, 32), "avx512 Word Winograd"),
        ("avx512", intel, (8, 8, 8), "vnni Byte Direct"),
        ("avx512", zen, (8, 8, 8), "vnni Byte Winograd"),
        ("avx512", intel, (35, 23, 35), "ifma Double Direct"),
        ("avx2", intel, (32, 2, 32), "avx2 Half Direct"),
        ("avx2", intel, (32, 32, 32), "avx2 Word Winograd"),
        ("amx", intel, (32, 20, 32), "amx Byte Direct"),
        ("portable", intel, (64, 64, 64), "portable Double Direct"),
    ] {
        let got = chosen(tier, ports, bits, None);
        assert!(got.as_deref().is_none_or(|got| got == want), "{tier} {bits:?}: {got:?}");
    }
}

#[test]
fn small_and_thin_products_need_no_tiles() {
    let by = |bits, size| chosen("amx", Ports::INTEL_SERVER, bits, Some(size));
    for (bits, size, tiles) in [
        ((8, 8, 8), [8, 8, 8], false),
        ((64, 64, 64), [16, 16, 16], false),
        ((64, 64, 64), [4, 4096, 4], false),
        ((32, 32, 32), [1024, 8, 1024], false),
        ((8, 8, 8), [64, 64, 64], true),
        ((64, 64, 64), [1024, 1024, 8], true),
        ((32, 20, 32), [1240, 1464, 142], true),
    ] {
        let got = by(bits, size);
        assert!(
            got.as_deref().is_none_or(|got| got.starts_with("amx") == tiles),
            "{size:?}: {got:?}"
        );
    }
}

#[test]
fn ternary_products_are_tabulated_where_nothing_multiplies_faster() {
    for (tier, ports, public, want) in [
        ("avx512", Ports::INTEL_SERVER, true, "tables of 4"),
        ("avx2", Ports::ZEN_4, true, "tables of 4"),
        ("amx", Ports::INTEL_SERVER, true, "amx Byte Direct"),
        ("avx512", Ports::ZEN_4, false, "look-ups"),
        ("avx512", Ports::INTEL_SERVER, false, "look-ups"),
        ("amx", Ports::INTEL_SERVER, false, "amx Byte Direct"),
    ] {
        let Ok(isa) = Isa::named(tier) else { continue };
        let problem = problem(isa, ports, (32, 2, 32), Some([1088, 1600, 1024]));
        let got = Problem { ternary: Some(public), ..problem }.best();
        assert_eq!(alloc::format!("{:?}", Way(got)), want, "{tier} {ports:?}");
    }
}

#[test]
fn small_entries_are_packed_narrow_where_look_ups_are_faster() {
    for (tier, bound, want) in [
        ("amx", 1, false),
        ("avx512", 1, true),
        ("avx512", 64, false),
        ("avx2", 1, true),
        ("avx2", 2, true),
        ("avx2", 64, false),
    ] {
        let Ok(isa) = Isa::named(tier) else { continue };
        let multiplier = Multiplier::new_on(isa).with_threads(Threads::One);
        assert_eq!(multiplier.prefers_narrow(bound, 142), want, "{tier}, {bound}");
        // No table pays for one column.
        assert!(!multiplier.prefers_narrow(bound, 1) || tier == "avx512", "{tier}, {bound}");
    }
    for isa in Isa::all() {
        let prefers = Multiplier::new_on(isa).prefers_lookups::<u64>([1240, 1464, 1 << 20]);
        assert!(!prefers, "there are none for such words");
    }
}
