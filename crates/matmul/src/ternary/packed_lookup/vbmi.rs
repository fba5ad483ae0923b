//! Bytes looked up in AVX-512 VBMI registers.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;

use tautochrone_simd::Vbmi;
use tautochrone_simd::vector::{U64x8, Vector};

use super::tiles::Lookup;

impl Lookup for U64x8<Vbmi> {
    #[inline(always)]
    fn add_entries(self, [low, high]: [Self; 2], numbers: Self) -> Self {
        // SAFETY: the registers' token proves AVX-512 VBMI.
        let raw = unsafe { add_entries(self.raw(), [low.raw(), high.raw()], numbers.raw()) };
        Self::from_raw(self.token(), raw)
    }
}

/// In assembly. A compiler that may reorder the additions runs out of registers: it stores what was
/// looked up for all columns until their sum.
///
/// Inputs: a total, the halves of a table, numbers; output: the total. Constant time: no branch and
/// no memory.
#[target_feature(enable = "avx512f,avx512vbmi")]
#[inline]
fn add_entries(mut total: __m512i, table: [__m512i; 2], numbers: __m512i) -> __m512i {
    // SAFETY: registers go in and out, nothing else.
    unsafe {
        asm!(
            "vpermi2b {entries}, {low}, {high}",
            "vpaddb {total}, {total}, {entries}",
            entries = inout(zmm_reg) numbers => _,
            low = in(zmm_reg) table[0],
            high = in(zmm_reg) table[1],
            total = inout(zmm_reg) total,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    total
}
