//! Lookups in AVX-512 registers.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;

use tautochrone_simd::Avx512;

use super::super::ternary::Zmm;
use super::{BLOCK, LANES, Lookup, Signs, TERMS, Table, Tile, run};

/// Adds what four registers of columns pick from the table at `$at`.
macro_rules! row {
    ($at:literal, $a:literal, $b:literal, $c:literal, $d:literal) => {
        concat!(
            "vmovdqa64 zmm29, [{tables} + ",
            $at,
            "]\n",
            "vmovdqa64 zmm30, [{tables} + ",
            $at,
            " + 64]\n",
            row!("p0", $a),
            row!("p1", $b),
            row!("p2", $c),
            row!("p3", $d),
        )
    };
    ($pick:literal, $total:literal) => {
        concat!(
            "vmovdqa64 zmm31, {",
            $pick,
            "}\n",
            "vpermi2d zmm31, zmm29, zmm30\n",
            "vpaddd {",
            $total,
            "}, {",
            $total,
            "}, zmm31\n",
        )
    };
}

impl Lookup for Zmm {
    #[inline(always)]
    fn sums(entries: &[u32; TERMS], signs: &Signs) -> Self {
        // SAFETY: registers are made within `run_avx512` only, which enables these instructions.
        Self(unsafe { sums(entries, signs) })
    }

    #[inline(always)]
    fn add_picked(
        tables: &[Table; BLOCK],
        picks: &mut [Self; BLOCK],
        totals: &mut [[Self; BLOCK]; BLOCK],
    ) {
        // SAFETY: as above.
        unsafe { add_picked(tables, picks, totals) }
    }

    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        // SAFETY: as above.
        unsafe { transpose(&rows.map(|row| row.0)) }.map(Self)
    }
}

/// Words, pairs and fours of words change places: after each step, register i holds parts of the rows whose numbers agree
/// with i in the bits that are not yet exchanged.
#[target_feature(enable = "avx512f")]
#[inline]
fn transpose(rows: &[__m512i; LANES]) -> [__m512i; LANES] {
    let mut words = *rows;
    for i in 0..LANES / 2 {
        let (a, b) = (rows[2 * i], rows[2 * i + 1]);
        words[2 * i] = _mm512_unpacklo_epi32(a, b);
        words[2 * i + 1] = _mm512_unpackhi_epi32(a, b);
    }
    // Register 4 i + j: column j of every four, of rows 4 i to 4 i + 3.
    let mut fours = words;
    for i in 0..LANES / 4 {
        for j in 0..2 {
            let (a, b) = (words[4 * i + j], words[4 * i + 2 + j]);
            fours[4 * i + 2 * j] = _mm512_unpacklo_epi64(a, b);
            fours[4 * i + 2 * j + 1] = _mm512_unpackhi_epi64(a, b);
        }
    }
    // The four quarters q of register 4 i + j hold column 4 q + j of rows 4 i to 4 i + 3.
    let mut columns = fours;
    for j in 0..4 {
        let [a, b, c, d] = [fours[j], fours[4 + j], fours[8 + j], fours[12 + j]];
        let (ab_even, ab_odd) =
            (_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0xdd>(a, b));
        let (cd_even, cd_odd) =
            (_mm512_shuffle_i32x4::<0x88>(c, d), _mm512_shuffle_i32x4::<0xdd>(c, d));
        columns[j] = _mm512_shuffle_i32x4::<0x88>(ab_even, cd_even);
        columns[4 + j] = _mm512_shuffle_i32x4::<0x88>(ab_odd, cd_odd);
        columns[8 + j] = _mm512_shuffle_i32x4::<0xdd>(ab_even, cd_even);
        columns[12 + j] = _mm512_shuffle_i32x4::<0xdd>(ab_odd, cd_odd);
    }
    columns
}

#[target_feature(enable = "avx512f")]
#[inline]
fn sums(entries: &[u32; TERMS], signs: &Signs) -> __m512i {
    let mut sums = _mm512_setzero_si512();
    for (i, entry) in entries.iter().enumerate() {
        let entry = _mm512_set1_epi32(entry.cast_signed());
        sums = _mm512_mask_add_epi32(sums, signs.plus[i], sums, entry);
        sums = _mm512_mask_sub_epi32(sums, signs.minus[i], sums, entry);
    }
    sums
}

/// [`Lookup::add_picked`] in assembly: a compiler that may reorder the additions keeps all terms of an unrolled loop until
/// their sum, and all shifted picks, in memory for want of registers.
#[target_feature(enable = "avx512f")]
#[inline]
fn add_picked(
    tables: &[Table; BLOCK],
    picks: &mut [Zmm; BLOCK],
    totals: &mut [[Zmm; BLOCK]; BLOCK],
) {
    let [p0, p1, p2, p3] = picks;
    let [[a0, a1, a2, a3], [b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]] = totals;
    // SAFETY: the tables are 512 bytes, aligned to 64.
    unsafe {
        asm!(
            row!("0", "a0", "a1", "a2", "a3"),
            row!("128", "b0", "b1", "b2", "b3"),
            row!("256", "c0", "c1", "c2", "c3"),
            row!("384", "d0", "d1", "d2", "d3"),
            "vpsrld {p0}, {p0}, 8",
            "vpsrld {p1}, {p1}, 8",
            "vpsrld {p2}, {p2}, 8",
            "vpsrld {p3}, {p3}, 8",
            tables = in(reg) tables,
            out("zmm29") _,
            out("zmm30") _,
            out("zmm31") _,
            p0 = inout(zmm_reg) p0.0, p1 = inout(zmm_reg) p1.0,
            p2 = inout(zmm_reg) p2.0, p3 = inout(zmm_reg) p3.0,
            a0 = inout(zmm_reg) a0.0, a1 = inout(zmm_reg) a1.0,
            a2 = inout(zmm_reg) a2.0, a3 = inout(zmm_reg) a3.0,
            b0 = inout(zmm_reg) b0.0, b1 = inout(zmm_reg) b1.0,
            b2 = inout(zmm_reg) b2.0, b3 = inout(zmm_reg) b3.0,
            c0 = inout(zmm_reg) c0.0, c1 = inout(zmm_reg) c1.0,
            c2 = inout(zmm_reg) c2.0, c3 = inout(zmm_reg) c3.0,
            d0 = inout(zmm_reg) d0.0, d1 = inout(zmm_reg) d1.0,
            d2 = inout(zmm_reg) d2.0, d3 = inout(zmm_reg) d3.0,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
}

/// Adds a tile's product to Z.
pub(crate) fn multiply(token: Avx512, tile: Tile<'_, '_>) {
    let _ = token;
    // SAFETY: the token proves AVX-512 F, BW, DQ, VL.
    unsafe { run_avx512(tile) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn run_avx512(tile: Tile<'_, '_>) {
    run::<Zmm>(tile);
}
