//! Centres cut into floor and fraction: one function, compiled for each instruction set.

use tautochrone_simd::{Isa, vectorize, wipe_on_drop};

use super::super::lanes::BLOCK;
use crate::centres;

/// Centres stay below this, so that samples fit 32 bits and fractions are resolved to 2^-22.
pub(super) const LIMIT: f64 = 1_073_741_824.0;

/// Floors and fractions of a block of centres; erased on drop.
pub(super) struct Parts {
    /// A copy: what aliases the others would keep the loop below from being vectorised.
    centres: [f64; BLOCK],
    pub(super) floors: [i32; BLOCK],
    pub(super) fractions: [f64; BLOCK],
}

impl Parts {
    pub(super) fn new(isa: Isa, centres: &[f64; BLOCK]) -> Self {
        let mut all = Self { centres: *centres, floors: [0; BLOCK], fractions: [0.0; BLOCK] };
        vectorize!(isa, all.every_lane());
        all
    }

    #[inline(always)]
    fn every_lane(&mut self) {
        for lane in 0..BLOCK {
            let (floor, fraction) = centres::parts(self.centres[lane]);
            (self.floors[lane], self.fractions[lane]) = (floor as i32, fraction);
        }
    }
}

wipe_on_drop!(Parts, centres: 0.0, floors: 0, fractions: 0.0);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn agree(centres: &[f64]) {
        for isa in Isa::all() {
            let mut block = [0.0; BLOCK];
            block[..centres.len()].copy_from_slice(centres);
            let parts = Parts::new(isa, &block);
            for (lane, mu) in centres.iter().enumerate() {
                let got = (f64::from(parts.floors[lane]), parts.fractions[lane]);
                assert_eq!(got, (mu.floor(), mu - mu.floor()), "{isa} {mu}");
            }
        }
    }

    #[test]
    fn parts_at_the_edges() {
        let limit = LIMIT - 1.0 / 4_194_304.0;
        agree(&[0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 1e-300, -1e-300, limit, -limit]);
    }

    proptest! {
        #[test]
        fn parts_are_floor_and_fraction(
            wide in prop::collection::vec(-LIMIT..LIMIT, BLOCK / 2),
            small in prop::collection::vec(-2.0_f64..2.0, BLOCK / 2),
        ) {
            agree(&[wide, small].concat());
        }
    }
}
