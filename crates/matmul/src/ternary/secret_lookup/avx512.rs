//! Look-ups in AVX-512 registers.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;

use tautochrone_simd::Avx512;
use tautochrone_simd::vector::{U64x8, Vector};

use super::tiles::{BLOCK, LANES, Lookup, Signs, TERMS, Table};
use crate::pack::transpose;

/// Adds what four registers of columns take from the table at `$at`.
macro_rules! row {
    ($at:literal, $a:literal, $b:literal, $c:literal, $d:literal) => {
        concat!(
            "vmovdqa64 zmm29, [{tables} + ",
            $at,
            "]\n",
            "vmovdqa64 zmm30, [{tables} + ",
            $at,
            " + 64]\n",
            row!("i0", $a),
            row!("i1", $b),
            row!("i2", $c),
            row!("i3", $d),
        )
    };
    ($index:literal, $total:literal) => {
        concat!(
            "vmovdqa64 zmm31, {",
            $index,
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

impl Lookup for U64x8<Avx512> {
    #[inline(always)]
    fn sums(token: Avx512, entries: &[u32; TERMS], signs: &Signs) -> Self {
        // SAFETY: the token proves AVX-512.
        Self::from_raw(token, unsafe { sums(entries, signs) })
    }

    #[inline(always)]
    fn add_entries(
        tables: &[Table; BLOCK],
        indices: &mut [Self; BLOCK],
        totals: &mut [[Self; BLOCK]; BLOCK],
    ) {
        let token = indices[0].token();
        let mut raw_indices = raw(indices);
        let mut raw_totals = [raw(&totals[0]), raw(&totals[1]), raw(&totals[2]), raw(&totals[3])];
        // SAFETY: the registers' token proves AVX-512.
        unsafe { add_entries(tables, &mut raw_indices, &mut raw_totals) }
        *indices = registers(token, raw_indices);
        for (totals, raw) in totals.iter_mut().zip(raw_totals) {
            *totals = registers(token, raw);
        }
    }

    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        // SAFETY: the registers' token proves AVX-512.
        registers(rows[0].token(), unsafe { transpose::registers(&raw(&rows)) })
    }
}

/// The registers without their token.
#[inline(always)]
fn raw<const N: usize>(registers: &[U64x8<Avx512>; N]) -> [__m512i; N] {
    let mut raw = [registers[0].raw(); N];
    for i in 1..N {
        raw[i] = registers[i].raw();
    }
    raw
}

/// The registers with a token.
#[inline(always)]
fn registers<const N: usize>(token: Avx512, raw: [__m512i; N]) -> [U64x8<Avx512>; N] {
    let mut registers = [U64x8::from_raw(token, raw[0]); N];
    for i in 1..N {
        registers[i] = U64x8::from_raw(token, raw[i]);
    }
    registers
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

/// [`Lookup::add_entries`] in assembly. A compiler that may reorder the additions runs out of
/// registers: it stores all terms of an unrolled loop until their sum, and all shifted indices.
///
/// Inputs: the tables at `tables`, four registers of indices, 16 totals. Outputs: the totals, and
/// the indices shifted. Clobbers zmm29 to zmm31. Constant time: no branch, and addresses are of
/// whole tables only.
#[target_feature(enable = "avx512f")]
#[inline]
fn add_entries(
    tables: &[Table; BLOCK],
    indices: &mut [__m512i; BLOCK],
    totals: &mut [[__m512i; BLOCK]; BLOCK],
) {
    let [i0, i1, i2, i3] = indices;
    let [[a0, a1, a2, a3], [b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]] = totals;
    // SAFETY: the tables are 512 bytes, aligned to 64.
    unsafe {
        asm!(
            row!("0", "a0", "a1", "a2", "a3"),
            row!("128", "b0", "b1", "b2", "b3"),
            row!("256", "c0", "c1", "c2", "c3"),
            row!("384", "d0", "d1", "d2", "d3"),
            "vpsrld {i0}, {i0}, 8",
            "vpsrld {i1}, {i1}, 8",
            "vpsrld {i2}, {i2}, 8",
            "vpsrld {i3}, {i3}, 8",
            tables = in(reg) tables,
            out("zmm29") _,
            out("zmm30") _,
            out("zmm31") _,
            i0 = inout(zmm_reg) *i0, i1 = inout(zmm_reg) *i1,
            i2 = inout(zmm_reg) *i2, i3 = inout(zmm_reg) *i3,
            a0 = inout(zmm_reg) *a0, a1 = inout(zmm_reg) *a1,
            a2 = inout(zmm_reg) *a2, a3 = inout(zmm_reg) *a3,
            b0 = inout(zmm_reg) *b0, b1 = inout(zmm_reg) *b1,
            b2 = inout(zmm_reg) *b2, b3 = inout(zmm_reg) *b3,
            c0 = inout(zmm_reg) *c0, c1 = inout(zmm_reg) *c1,
            c2 = inout(zmm_reg) *c2, c3 = inout(zmm_reg) *c3,
            d0 = inout(zmm_reg) *d0, d1 = inout(zmm_reg) *d1,
            d2 = inout(zmm_reg) *d2, d3 = inout(zmm_reg) *d3,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
}
