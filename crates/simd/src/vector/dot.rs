//! [`Dot`]: sums of products of 16-bit halves.

use super::{Emulated, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Registers that multiply signed numbers of 16 bits and add up two products (`vpdpwssd`, or
/// `vpmaddwd` and an addition; `smull` and `addp`).
pub trait Dot: Vector {
    /// self + x_0 y_0 + x_1 y_1 modulo 2^32 in each 32 bits, of the signed lower and upper halves
    /// of these bits of `x` and `y`.
    fn add_dot(self, x: Self, y: Self) -> Self;
}

impl<const N: usize> Dot for Emulated<N> {
    #[inline(never)]
    fn add_dot(self, x: Self, y: Self) -> Self {
        let half = |word: u64, place: u32| i32::from((word >> (16 * place)) as i16);
        let dot = |x: u64, y: u64, place: u32| {
            let low = half(x, place).wrapping_mul(half(y, place));
            low.wrapping_add(half(x, place + 1).wrapping_mul(half(y, place + 1)))
        };
        let dots = x.zip(y, |x, y| {
            u64::from(dot(x, y, 0).cast_unsigned()) | u64::from(dot(x, y, 2).cast_unsigned()) << 32
        });
        self.zip(dots, |sum, dot| {
            let low = (sum as u32).wrapping_add(dot as u32);
            let high = ((sum >> 32) as u32).wrapping_add((dot >> 32) as u32);
            u64::from(low) | u64::from(high) << 32
        })
    }
}
