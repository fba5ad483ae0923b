//! [`Scratch`]: coordinates from different places, side by side.

use tautochrone_simd::wipe_on_drop;

use super::batch::{Batch, SAMPLES};

/// Some centres, and samples around them; erased on drop.
pub(super) struct Scratch {
    pub(super) centres: Batch<f64>,
    pub(super) values: Batch<i64>,
}

impl Scratch {
    pub(super) const fn new() -> Self {
        Self { centres: [0.0; SAMPLES], values: [0; SAMPLES] }
    }

    /// Fetches the centres of these coordinates.
    #[inline(always)]
    pub(super) fn gather(&mut self, centres: &[f64], indices: &[u64]) {
        for (mu, &i) in self.centres.iter_mut().zip(indices) {
            *mu = centres[i as usize];
        }
    }

    /// Puts the samples in their places.
    #[inline(always)]
    pub(super) fn scatter(&self, indices: &[u64], out: &mut [i64]) {
        for (&z, &i) in self.values.iter().zip(indices) {
            out[i as usize] = z;
        }
    }
}

wipe_on_drop!(Scratch, centres: 0.0, values: 0);
