//! Bytes looked up in AVX-512 VBMI registers.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;

use alloc::vec::Vec;

use tautochrone_simd::Vbmi;

use super::super::ternary::Zmm;
use super::generic::{self, Bytes, Digits, Job, Lookup, ROWS, Table};
use crate::matrix::Matrix;

impl Lookup for Zmm {
    type Table = [__m512i; 2];

    #[inline(always)]
    fn table(table: &Table) -> Self::Table {
        // SAFETY: registers are made within `pack_vbmi` and `multiply_vbmi` only, which enable these instructions; lines are 64
        // bytes, aligned to as many.
        table.each_ref().map(|line| unsafe { _mm512_load_si512(core::ptr::from_ref(line).cast()) })
    }

    #[inline(always)]
    fn add_picked(self, table: Self::Table, numbers: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { add_picked(self.0, table, numbers.0) })
    }
}

/// In assembly: a compiler that may reorder the additions keeps what was looked up for all columns until their sum, in memory
/// for want of registers.
#[target_feature(enable = "avx512f,avx512vbmi")]
#[inline]
fn add_picked(mut total: __m512i, table: [__m512i; 2], numbers: __m512i) -> __m512i {
    // SAFETY: registers go in and out, nothing else.
    unsafe {
        asm!(
            "vpermi2b {picked}, {low}, {high}",
            "vpaddb {total}, {total}, {picked}",
            picked = inout(zmm_reg) numbers => _,
            low = in(zmm_reg) table[0],
            high = in(zmm_reg) table[1],
            total = inout(zmm_reg) total,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    total
}

/// [`super::Kernel::pack`].
pub(super) fn pack(token: Vbmi, digits: Digits, x: Matrix<'_, u8>) -> Vec<[Bytes; ROWS]> {
    let _ = token;
    // SAFETY: the token proves AVX-512 VBMI, which includes F, BW, DQ, VL.
    unsafe { pack_vbmi(digits, x) }
}

/// [`super::Kernel::multiply`].
pub(super) fn multiply(token: Vbmi, job: Job<'_, '_>) {
    let _ = token;
    // SAFETY: as above.
    unsafe { multiply_vbmi(job) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn pack_vbmi(digits: Digits, x: Matrix<'_, u8>) -> Vec<[Bytes; ROWS]> {
    generic::pack::<Zmm>(digits, x)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn multiply_vbmi(job: Job<'_, '_>) {
    generic::multiply::<Zmm>(job);
}
