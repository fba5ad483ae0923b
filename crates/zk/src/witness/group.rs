//! Entries of a group of rows, from a keystream.

use alloc::vec;

use tautochrone_ctr::Stream;
use tautochrone_gauss::facct::Facct;
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

use super::uniform::Uniform;
use crate::rows::{Distribution, RowGroup};

/// Entries of the group's distribution; uniform where only the bound is known.
///
/// # Constant time
/// In the entries, but for how many were beyond the bound and drawn again.
pub(super) fn fill_group<T: Uniform>(
    isa: Isa,
    stream: &mut Stream,
    group: &RowGroup,
    out: &mut [T],
) {
    let Distribution::Gaussian { micros } = group.distribution else {
        return T::fill_uniform(stream, group.bound, out);
    };
    // A standard deviation in range is at least 2.
    let sampler = Facct::new_on(isa, micros as f64 / 1e6).expect("the sampler takes it");
    let mut samples = Zeroizing::new(vec![0_i64; 4096]);
    let mut filled = 0;
    while filled < out.len() {
        sampler.fill(stream, &mut samples);
        for &sample in samples.iter() {
            let Some(place) = out.get_mut(filled) else { break };
            *place = T::truncate(sample as i32);
            filled += usize::from(declassify(sample.unsigned_abs() <= u64::from(group.bound)));
        }
    }
}
