//! The centres of trials: zero, one centre for all, or a centre for each.

use bytemuck::cast_slice;
use tautochrone_simd::vector::Mask;

use super::super::centre::Centre;
use super::Register;

/// The centres.
pub(super) trait Centres<V: Register>: Copy {
    /// For trials with these signs, magnitudes m and offsets y: the distances t that enter the
    /// exponent, of which `step` is one unit, the values, and which of them are rejected.
    fn value(self, negative: V::Mask, m: V, y: V, step: V) -> (V, V, V::Mask);
}

/// Centres zero: no centre.
#[derive(Clone, Copy)]
pub(super) struct Zero;

impl<V: Register> Centres<V> for Zero {
    #[inline(always)]
    fn value(self, negative: V::Mask, m: V, y: V, step: V) -> (V, V, V::Mask) {
        let zero = V::zero(m.token());
        let z = V::blend(negative, zero.sub(m), m);
        (y.mul_f64(step), z, negative.and(m.eq(zero)))
    }
}

/// One centre for all: see [`Centre`].
#[derive(Clone, Copy)]
pub(super) struct One<V> {
    floor: V,
    /// floor + 1.
    next: V,
    /// The distances from the integers on both sides, in steps.
    below: V,
    above: V,
}

impl<V: Register> One<V> {
    #[inline(always)]
    pub(super) fn new(token: V::Token, centre: &Centre, step: f64) -> Self {
        Self {
            floor: V::splat(token, centre.floor as u64),
            next: V::splat(token, (centre.floor + 1) as u64),
            below: V::splat_f64(token, centre.below * step),
            above: V::splat_f64(token, centre.above * step),
        }
    }
}

impl<V: Register> Centres<V> for One<V> {
    #[inline(always)]
    fn value(self, negative: V::Mask, m: V, y: V, step: V) -> (V, V, V::Mask) {
        let beyond = V::blend(negative, self.below, self.above);
        let z = V::blend(negative, self.floor.sub(m), self.next.add(m));
        (y.mul_add_f64(step, beyond), z, V::zero(m.token()).sign())
    }
}

/// A centre for each lane.
#[derive(Clone, Copy)]
pub(super) struct Each<V> {
    floor: V,
    /// mu - floor.
    below: V,
}

impl<V: Register> Each<V> {
    #[inline(always)]
    fn new(token: V::Token, mu: &[f64; 8]) -> Self {
        let (floor, below) = V::load(token, cast_slice(mu)).floor_parts();
        Self { floor, below }
    }

    /// Both octets of a group.
    #[inline(always)]
    pub(super) fn group(token: V::Token, [low, high]: &[[f64; 8]; 2]) -> [Self; 2] {
        [Self::new(token, low), Self::new(token, high)]
    }
}

impl<V: Register> Centres<V> for Each<V> {
    #[inline(always)]
    fn value(self, negative: V::Mask, m: V, y: V, step: V) -> (V, V, V::Mask) {
        let token = m.token();
        let above = V::splat_f64(token, 1.0).sub_f64(self.below);
        let beyond = V::blend(negative, self.below, above);
        // c - m, or c + 1 + m = c - !m.
        let z = self.floor.sub(V::blend(negative, m, m.xor(V::splat(token, u64::MAX))));
        (y.add_f64(beyond).mul_f64(step), z, V::zero(token).sign())
    }
}
