//! [`Float`] on NEON, which has all of it, conversions included.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::super::Float;
use super::super::intrinsics::{arithmetic, expressions};
use super::U64x2;
use crate::proof::HasNeon;

impl<T: HasNeon> Float for U64x2<T> {
    const CONVERTS: bool = true;

    arithmetic! {
        vreinterpretq_f64_u64, vreinterpretq_u64_f64:
        add_f64(y) = vaddq_f64;
        sub_f64(y) = vsubq_f64;
        mul_f64(y) = vmulq_f64;
        floor_f64() = vrndmq_f64;
    }

    expressions! {
        mul_add_f64(x, factor, summand) = vreinterpretq_u64_f64(vfmaq_f64(
            vreinterpretq_f64_u64(summand),
            vreinterpretq_f64_u64(x),
            vreinterpretq_f64_u64(factor),
        ));
        to_f64(x) = vreinterpretq_u64_f64(vcvtq_f64_u64(x));
        to_i64(x) = vreinterpretq_u64_s64(vcvtq_s64_f64(vreinterpretq_f64_u64(x)));
        // Rounds towards zero and saturates.
        to_u64(x) = vcvtq_u64_f64(vreinterpretq_f64_u64(x));
    }
}
