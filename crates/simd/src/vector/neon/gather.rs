//! [`Gather`] on NEON: a row is a register.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::super::Gather;
use super::U64x2;
use crate::proof::HasNeon;

/// The first and the second words of two registers.
#[inline(always)]
fn unzip<T: HasNeon>(x: U64x2<T>, y: U64x2<T>) -> (U64x2<T>, U64x2<T>) {
    // SAFETY: the register's token proves NEON.
    unsafe { (x.with(vuzp1q_u64(x.0, y.0)), x.with(vuzp2q_u64(x.0, y.0))) }
}

impl<T: HasNeon> Gather for U64x2<T> {
    #[inline(always)]
    fn unzip(self, y: Self) -> (Self, Self) {
        unzip(self, y)
    }

    #[inline(always)]
    unsafe fn gather_rows(self, rows: &[[u64; 2]]) -> (Self, Self) {
        // SAFETY: the register's token proves NEON.
        let indices = unsafe { [vgetq_lane_u64::<0>(self.0), vgetq_lane_u64::<1>(self.0)] };
        // SAFETY: the caller promises indices of rows, of two words each.
        let row = |index: u64| unsafe { vld1q_u64(rows.as_ptr().add(index as usize).cast()) };
        unzip(self.with(row(indices[0])), self.with(row(indices[1])))
    }
}
