//! Factors, in the places in which the rows of a step add them to the columns.
use tautochrone_simd::wipe;

use super::register::{HALF, Register};
use crate::radix52::{RADIX, Radix52};

/// Two numbers y moved up by s digits for each row s of a step: for the lower halves of row s, and
/// for the upper halves of row s - 1.
pub(super) struct Factor<V: Radix52, const N: usize> {
    /// Register t of each.
    pub(super) moved: [[V; HALF]; N],
    /// The register above.
    pub(super) top: [V; HALF],
}

impl<V: Register, const N: usize> Factor<V, N> {
    /// 0.
    #[inline(always)]
    pub(super) fn zero(token: V::Token) -> Self {
        let zero = [V::zero(token); HALF];
        Self { moved: [zero; N], top: zero }
    }

    /// self := x.
    #[inline(always)]
    pub(super) fn set(&mut self, x: &[V; N]) {
        let mut below = V::zero(x[0].token());
        for (moved, &x) in self.moved.iter_mut().zip(x) {
            *moved = moves(x, below);
            below = x;
        }
        self.set_top(below);
    }

    /// self := 2 x.
    #[inline(always)]
    pub(super) fn set_double(&mut self, x: &[V; N]) {
        let zero = V::zero(x[0].token());
        let (mut below, mut carry) = (zero, zero);
        for (moved, &x) in self.moved.iter_mut().zip(x) {
            let up = x.shr::<{ RADIX as u32 - 1 }>();
            let twice = x.add(x).and(V::digit_mask(x.token())).or(up.up_in_halves(carry, 1));
            *moved = moves(twice, below);
            (below, carry) = (twice, up);
        }
        self.set_top(below);
    }

    /// From 2 a, for the rows of register k of a: that register as it is, zeros below it, and the
    /// digits of 2 a above it, without the bit that comes from the register.
    #[inline(always)]
    pub(super) fn set_diagonal(&mut self, k: usize, a: V) {
        let zero = V::zero(a.token());
        self.moved[k] = moves(a, zero);
        if k + 1 < N {
            let carry = a.shr::<{ RADIX as u32 - 1 }>();
            let next = self.moved[k + 1][0].xor(zero.up_in_halves(carry, 1));
            self.moved[k + 1] = moves(next, a);
        } else {
            self.set_top(a);
        }
    }

    /// What the moves push out of the highest register.
    #[inline(always)]
    fn set_top(&mut self, highest: V) {
        self.top = moves(V::zero(highest.token()), highest);
    }
}

/// x moved up by 0, 1, .. digits, with those that come from the register below.
#[inline(always)]
fn moves<V: Register>(x: V, below: V) -> [V; HALF] {
    [x, x.up_in_halves(below, 1), x.up_in_halves(below, 2), x.up_in_halves(below, 3)]
}

impl<V: Radix52, const N: usize> Drop for Factor<V, N> {
    fn drop(&mut self) {
        let zero = V::zero(self.top[0].token());
        wipe(self.moved.as_flattened_mut(), zero);
        wipe(&mut self.top, zero);
    }
}
