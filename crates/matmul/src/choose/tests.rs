//! The choice is the cheapest way, and what that is where it is known.

#![allow(clippy::unwrap_used, reason = "tests")]

use tautochrone_simd::{Isa, Ports};

use super::*;
use crate::digits::{Digit, Method};
use crate::width::Width;
use crate::{Multiplier, Threads};

const FAMILIES: [Ports; 4] = [Ports::INTEL_CLIENT, Ports::INTEL_SERVER, Ports::ZEN_4, Ports::ZEN_5];

fn problem(isa: Isa, ports: Ports, bits: (u32, u32, u32), size: Option<[usize; 3]>) -> Problem {
    let widths = (Width::unsigned(bits.0), Width::signed(bits.1));
    Problem { isa, ports, widths, word: bits.2, size, ternary: None }
}

#[test]
fn no_way_is_cheaper_than_the_chosen_one() {
    let sizes = [8, 100, 1024].into_iter();
    let sizes = sizes.flat_map(|m| [16, 700].map(|k| [m, k, 1024 / m])).map(Some);
    let bits = [(8, 8, 8), (16, 16, 16), (32, 32, 32), (64, 64, 64), (32, 20, 32), (35, 29, 35)];
    for isa in Isa::all() {
        for (ports, size) in
            FAMILIES.iter().flat_map(|p| sizes.clone().chain([None]).map(|s| (*p, s)))
        {
            for (bits, ternary) in
                bits.into_iter().flat_map(|b| [None, Some(false), Some(true)].map(|t| (b, t)))
            {
                let problem = Problem { ternary, ..problem(isa, ports, bits, size) };
                let (best, cost) = (problem.best(), problem.cost(problem.best()));
                assert!(cost.is_finite() && cost > 0.0 && problem.takes(best), "{problem:?}");
                assert!(problem.ways().all(|how| problem.cost(how) >= cost), "{problem:?}");
                let kernel = problem.cost(How::Kernel(problem.best_plan().kernel));
                let kernels = problem.plans().map(|plan| problem.cost(How::Kernel(plan.kernel)));
                assert!(kernels.into_iter().all(|other| other >= kernel), "{problem:?}");
            }
        }
    }
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
