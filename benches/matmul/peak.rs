//! What the instructions of the kernels give from registers alone: the ceilings of the products.
//!
//! One pass of a loop multiplies `terms` terms; nothing is loaded or stored. Loops that are not
//! `direct` form two terms by one multiplication and three additions, as the kernels do for whole
//! words (Winograd 1968).

use std::arch::asm;

use criterion::{Criterion, Throughput};
use tautochrone::simd::Isa;

/// A loop of some passes, and the tier that has its instructions.
struct Peak {
    id: &'static str,
    tier: &'static str,
    terms: u64,
    run: fn(u64),
}

/// A loop over `$line`s, repeated for `\i` in `$i`, of `$terms` terms each time; then over the
/// lines of `also`.
macro_rules! peak {
    (
        $id:literal, $tier:literal, $terms:literal x [$($i:literal)+],
        $($line:literal)+ $(; also $($also:literal)+)?
    ) => {
        Peak {
            id: $id,
            tier: $tier,
            terms: $terms * [$($i),+].len() as u64,
            run: |passes| {
                // SAFETY: `bench` runs a loop only where the CPU has its tier; it changes vector
                // registers and a counter.
                unsafe {
                    asm!(
                        "2:",
                        concat!(".irp i" $(, ", ", $i)+),
                        $($line,)+
                        ".endr",
                        $($($also,)+)?
                        "dec {passes}",
                        "jnz 2b",
                        passes = inout(reg) passes => _,
                        out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _,
                        out("zmm5") _, out("zmm6") _, out("zmm7") _, out("zmm8") _, out("zmm9") _,
                        out("zmm10") _, out("zmm11") _, out("zmm12") _, out("zmm13") _,
                        out("zmm14") _, out("zmm15") _, out("zmm16") _, out("zmm17") _,
                        out("zmm18") _, out("zmm19") _, out("zmm20") _, out("zmm21") _,
                        out("zmm22") _, out("zmm23") _, out("zmm24") _, out("zmm25") _,
                        out("zmm26") _, out("zmm27") _, out("zmm28") _, out("zmm29") _,
                        out("zmm30") _, out("zmm31") _,
                        options(nostack, nomem),
                    );
                }
            },
        }
    };
}

/// Sums in registers `\i`; operands in 6, 7 (256 bits) or 30, 31; what is being multiplied in
/// `1\i`, `2\i`, 8 and 9. An instruction that adds to its sum waits four or five cycles for the one
/// before, and two start in a cycle: with fewer than ten sums a loop of it alone would measure their
/// chain.
#[rustfmt::skip]
const PEAKS: &[Peak] = &[
    peak!("w8", "avx2", 32 x [0 1 2 3 4 5],
        "vpmaddubsw ymm1\\i, ymm6, ymm7" "vpaddw ymm\\i, ymm\\i, ymm1\\i"),
    peak!("w8 with top bits", "avx2", 64 x [0 1 2 3],
        "vpmaddubsw ymm1\\i, ymm6, ymm7" "vpaddw ymm\\i, ymm\\i, ymm1\\i"
        "vpmaddubsw ymm1\\i, ymm6, ymm7" "vpaddw ymm\\i, ymm\\i, ymm1\\i";
        also "vpand ymm8, ymm6, ymm7" "vpxor ymm9, ymm9, ymm8"),
    peak!("w16 direct", "avx2", 16 x [0 1 2 3 4 5],
        "vpmaddwd ymm1\\i, ymm6, ymm7" "vpaddd ymm\\i, ymm\\i, ymm1\\i"),
    peak!("w16", "avx2", 32 x [0 1 2 3 4 5],
        "vpaddw ymm1\\i, ymm6, ymm7" "vpaddw ymm8, ymm6, ymm7"
        "vpmaddwd ymm1\\i, ymm1\\i, ymm8" "vpaddd ymm\\i, ymm\\i, ymm1\\i"),
    peak!("w32 direct", "avx2", 8 x [0 1 2 3 4 5],
        "vpmulld ymm1\\i, ymm6, ymm7" "vpaddd ymm\\i, ymm\\i, ymm1\\i"),
    peak!("w32", "avx2", 16 x [0 1 2 3 4 5],
        "vpaddd ymm1\\i, ymm6, ymm7" "vpaddd ymm8, ymm6, ymm7"
        "vpmulld ymm1\\i, ymm1\\i, ymm8" "vpaddd ymm\\i, ymm\\i, ymm1\\i"),
    peak!("w64 direct", "avx2", 4 x [0 1 2 3 4 5],
        "vpmuludq ymm1\\i, ymm6, ymm7" "vpaddq ymm\\i, ymm\\i, ymm1\\i"
        "vpmulld ymm8, ymm6, ymm7" "vpaddd ymm\\i, ymm\\i, ymm8"),
    peak!("w64", "avx2", 8 x [0 1 2 3 4 5],
        "vpaddq ymm1\\i, ymm6, ymm7" "vpaddq ymm8, ymm6, ymm7"
        "vpmuludq ymm9, ymm1\\i, ymm8" "vpshufd ymm8, ymm8, 0xb1"
        "vpmulld ymm8, ymm1\\i, ymm8" "vpaddq ymm\\i, ymm\\i, ymm9" "vpaddd ymm\\i, ymm\\i, ymm8"),
    peak!("w16 direct", "avx512-base", 32 x [0 1 2 3 4 5 6 7],
        "vpmaddwd zmm1\\i, zmm30, zmm31" "vpaddd zmm\\i, zmm\\i, zmm1\\i"),
    peak!("w16", "avx512-base", 64 x [0 1 2 3 4 5 6 7],
        "vpaddw zmm1\\i, zmm30, zmm31" "vpaddw zmm2\\i, zmm30, zmm31"
        "vpmaddwd zmm1\\i, zmm1\\i, zmm2\\i" "vpaddd zmm\\i, zmm\\i, zmm1\\i"),
    peak!("w32 direct", "avx512-base", 16 x [0 1 2 3 4 5 6 7],
        "vpmulld zmm1\\i, zmm30, zmm31" "vpaddd zmm\\i, zmm\\i, zmm1\\i"),
    peak!("w32", "avx512-base", 32 x [0 1 2 3 4 5 6 7],
        "vpaddd zmm1\\i, zmm30, zmm31" "vpaddd zmm2\\i, zmm30, zmm31"
        "vpmulld zmm1\\i, zmm1\\i, zmm2\\i" "vpaddd zmm\\i, zmm\\i, zmm1\\i"),
    peak!("w64 direct", "avx512-base", 8 x [0 1 2 3 4 5 6 7],
        "vpmullq zmm1\\i, zmm30, zmm31" "vpaddq zmm\\i, zmm\\i, zmm1\\i"),
    peak!("w64", "avx512-base", 16 x [0 1 2 3 4 5 6 7],
        "vpaddq zmm1\\i, zmm30, zmm31" "vpaddq zmm2\\i, zmm30, zmm31"
        "vpmullq zmm1\\i, zmm1\\i, zmm2\\i" "vpaddq zmm\\i, zmm\\i, zmm1\\i"),
    peak!("w8 direct", "avx512", 64 x [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15],
        "vpdpbusd zmm\\i, zmm30, zmm31"),
    peak!("w8", "avx512", 128 x [0 1 2 3 4 5 6 7],
        "vpaddb zmm1\\i, zmm30, zmm31" "vpaddb zmm2\\i, zmm30, zmm31"
        "vpdpbusd zmm\\i, zmm1\\i, zmm2\\i"),
    peak!("w16 direct", "avx512", 32 x [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15],
        "vpdpwssd zmm\\i, zmm30, zmm31"),
    peak!("w16", "avx512", 64 x [0 1 2 3 4 5 6 7],
        "vpaddw zmm1\\i, zmm30, zmm31" "vpaddw zmm2\\i, zmm30, zmm31"
        "vpdpwssd zmm\\i, zmm1\\i, zmm2\\i"),
    peak!("w64 direct by IFMA", "avx512", 2 x [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15],
        "vpmadd52luq zmm\\i, zmm30, zmm31"),
    Peak { id: "w8", tier: "amx", terms: 4 * TILE_TERMS, run: tiles },
];

/// Of one `tdpbusd`: 16 x 16 sums of 64 terms. A word of 2, 4, 8 bytes takes 3, 10, 36 of them.
const TILE_TERMS: u64 = 16 * 16 * 64;

/// `ldtilecfg`'s operand: palette 1, eight tiles of 16 rows of 64 bytes.
#[repr(C, align(64))]
struct TileConfiguration([u8; 64]);

/// Passes of four products into four tiles.
fn tiles(passes: u64) {
    let mut configuration = TileConfiguration([0; 64]);
    configuration.0[0] = 1;
    for tile in 0..8 {
        configuration.0[16 + 2 * tile] = 64;
        configuration.0[48 + tile] = 16;
    }
    // SAFETY: as in `peak`; the configuration is valid, and released.
    unsafe {
        asm!(
            "ldtilecfg [{configuration}]",
            "2:",
            ".irp i, 0, 1, 2, 3",
            "tdpbusd tmm\\i, tmm6, tmm7",
            ".endr",
            "dec {passes}",
            "jnz 2b",
            "tilerelease",
            configuration = in(reg) &raw const configuration,
            passes = inout(reg) passes => _,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _, out("tmm4") _, out("tmm5") _,
            out("tmm6") _, out("tmm7") _,
            options(nostack, readonly),
        );
    }
}

/// A chain of dependent additions, one per cycle: what it runs at is the clock.
fn additions(passes: u64) {
    // SAFETY: changes two general registers.
    unsafe {
        asm!(
            "2:",
            ".rept 16",
            "add {sum}, {sum}",
            ".endr",
            "dec {passes}",
            "jnz 2b",
            sum = inout(reg) 1_u64 => _,
            passes = inout(reg) passes => _,
            options(nostack, nomem),
        );
    }
}

/// `peak/clock`, then every loop of every tier of this CPU: `peak/<word>/<tier>`.
pub(crate) fn bench(c: &mut Criterion) {
    const PASSES: u64 = 10_000;
    let mut group = c.benchmark_group("peak");
    group.throughput(Throughput::Elements(16 * PASSES));
    group.bench_function("clock", |b| b.iter(|| additions(PASSES)));
    for peak in PEAKS.iter().filter(|peak| Isa::named(peak.tier).is_ok()) {
        group.throughput(Throughput::Elements(peak.terms * PASSES));
        let id = format!("{}/{}", peak.id, peak.tier);
        group.bench_function(id, |b| b.iter(|| (peak.run)(PASSES)));
    }
    group.finish();
}
