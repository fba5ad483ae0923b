//! Multi-precision floating point of a library that shares nothing with this crate: an oracle of
//! tests.

use dashu_float::FBig;
use dashu_float::round::mode::HalfAway;

pub(crate) type Big = FBig<HalfAway, 2>;

/// `x` with 480 bits.
pub(crate) fn big(x: impl TryInto<Big, Error: core::fmt::Debug>) -> Big {
    x.try_into().unwrap().with_precision(480).value()
}
