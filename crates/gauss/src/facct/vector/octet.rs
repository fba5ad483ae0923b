//! [`Octet`]: the registers that trials run on.

use tautochrone_simd::vector::{Compare, Compress, Float, LookUp, Product};

/// A register of eight lanes, with all that trials need.
pub(in crate::facct) trait Octet:
    Compare + Compress + Float + LookUp + Product
{
}
impl<V: Compare + Compress + Float + LookUp + Product> Octet for V {}
