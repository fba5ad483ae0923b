//! [`OrderedLogic`]: functions of three bits for the least latency.

use super::pair::both;
use super::{Emulated, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// [`Vector::select`], [`Vector::xor_masked`] and [`Vector::xor3`] for chains in which every
/// instruction waits for the one before it: on Zen 4 `vpternlog` takes two cycles instead of one if
/// its destination is available earlier than another operand, and compilers choose the destination
/// at will. Here the caller chooses it: the operand that is available last.
///
/// The default is the unordered form.
pub trait OrderedLogic: Vector {
    /// Bit by bit, the bit of `one`, which is available last, where self is 1, else the bit of
    /// `zero`.
    #[inline(always)]
    fn select_ordered(self, one: Self, zero: Self) -> Self {
        self.select(one, zero)
    }
    /// self ^ (y & mask), the mask being available last.
    #[inline(always)]
    fn xor_masked_ordered(self, y: Self, mask: Self) -> Self {
        self.xor_masked(y, mask)
    }
    /// self ^ y ^ z, z being available last.
    #[inline(always)]
    fn xor3_ordered(self, y: Self, z: Self) -> Self {
        self.xor3(y, z)
    }
    /// self and `later`: the compiler computes self first, and everything that depends on `later`
    /// afterwards: of instructions that are ready, CPUs start the earliest.
    #[inline(always)]
    fn before(self, later: Self) -> (Self, Self) {
        (self, later)
    }
}

impl<const N: usize> OrderedLogic for Emulated<N> {}

impl<V: OrderedLogic> OrderedLogic for Pair<V> {
    both! {
        select_ordered(one, zero);
        xor_masked_ordered(y, mask);
        xor3_ordered(y, z);
    }
    #[inline(always)]
    fn before(self, later: Self) -> (Self, Self) {
        let (first, second) = (self.0.before(later.0), self.1.before(later.1));
        (Self(first.0, second.0), Self(first.1, second.1))
    }
}
