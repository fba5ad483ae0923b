//! Whether centres are in range, for every sampler that takes them.

use tautochrone_simd::{Isa, declassify, vectorize};

use crate::error::Error;

/// Refuses centres that are not numbers or not below `limit` in absolute value, with one result for
/// all of them; nothing else about them is revealed.
pub(crate) fn check(isa: Isa, centres: &[f64], limit: f64) -> Result<(), Error> {
    // In the order of non-negative numbers as integers, infinity and NaN come last; a difference of
    // two below 2^63 has its highest bit set if it is negative.
    let largest = limit.to_bits() - 1;
    let any = vectorize!(
        isa,
        centres.iter().fold(0, |any, mu| any | largest.wrapping_sub(mu.abs().to_bits()))
    );
    if declassify(any >> 63 == 0) { Ok(()) } else { Err(Error::Centre { limit }) }
}
