//! AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::U64x8;
use super::{Halves, Vector as _};
use crate::proof::HasAvx512;

impl<T: HasAvx512> Halves for U64x8<T> {
    #[inline(always)]
    fn splat_in_halves(self, lane: usize) -> Self {
        const ORDERS: [[u64; 8]; 4] = [
            [0, 0, 0, 0, 4, 4, 4, 4],
            [1, 1, 1, 1, 5, 5, 5, 5],
            [2, 2, 2, 2, 6, 6, 6, 6],
            [3, 3, 3, 3, 7, 7, 7, 7],
        ];
        let order = Self::load(self.1, &ORDERS[lane]);
        // SAFETY: the register's token proves AVX-512, as everywhere below.
        Self(unsafe { _mm512_permutexvar_epi64(order.0, self.0) }, self.1)
    }
    #[inline(always)]
    fn up_in_halves(self, below: Self, n: usize) -> Self {
        // Indices from 8 on are lanes of self.
        let order = match n {
            1 => [3, 8, 9, 10, 7, 12, 13, 14],
            2 => [2, 3, 8, 9, 6, 7, 12, 13],
            3 => [1, 2, 3, 8, 5, 6, 7, 12],
            _ => return self,
        };
        let order = Self::load(self.1, &order);
        // SAFETY: as above.
        Self(unsafe { _mm512_permutex2var_epi64(below.0, order.0, self.0) }, self.1)
    }
}
