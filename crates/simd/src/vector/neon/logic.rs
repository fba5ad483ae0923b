//! [`Compare`] on NEON; [`Logic`] and [`OrderedLogic`] as they are by default, of gates of two
//! inputs in any order.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::super::intrinsics::expressions;
use super::super::{Compare, Logic, OrderedLogic};
use super::{LaneMask, U64x2};
use crate::proof::HasNeon;

impl<T: HasNeon> Logic for U64x2<T> {}
impl<T: HasNeon> OrderedLogic for U64x2<T> {}

impl<T: HasNeon> Compare for U64x2<T> {
    expressions! {
        blend_lt_32(x, y, yes, no) = {
            let less = vcltq_u32(vreinterpretq_u32_u64(x), vreinterpretq_u32_u64(y));
            vbslq_u64(vreinterpretq_u64_u32(less), yes, no)
        };
    }

    #[inline(always)]
    fn of_mask(_: T, mask: LaneMask<T>) -> Self {
        mask.0
    }
}
