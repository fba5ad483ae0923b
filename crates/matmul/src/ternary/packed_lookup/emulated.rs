//! Bytes looked up in emulated registers.

use tautochrone_simd::vector::{Emulated, LookUpBytes, Vector, Widths};

use super::tiles::Lookup;

impl Lookup for Emulated<8> {
    fn add_entries(self, [low, high]: [Self; 2], numbers: Self) -> Self {
        // Bit 6 of a number, in all bits of its byte.
        let bit = numbers.shr::<6>().and(Self::splat((), 0x0101_0101_0101_0101));
        let upper = Self::zero(()).sub_lanes::<8>(bit);
        self.add_lanes::<8>(upper.select(numbers.look_up(high), numbers.look_up(low)))
    }
}
