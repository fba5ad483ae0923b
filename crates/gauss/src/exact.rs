//! Exact discrete Gaussian probabilities: the set-up arithmetic behind every table and behind the
//! acceptance tests.
//!
//! All values are big integers in fixed point with guard bits; nothing here runs on a secret or in
//! a hot path.
//!
//! * [`Variance`]: sigma^2 as an exact rational number.
//! * [`Ideal`]: the weights rho(z) = exp(-z^2 / 2 sigma^2) to any number of bits.
//! * [`Pmf`]: non-negative integers p_z with sum exactly 2^P, the rounding of the ideal
//!   distribution to P bits.
//! * [`Pmf::log2_max_divergence`], [`Pmf::log2_renyi_divergence`], [`Pmf::log2_delta`]: the
//!   price of that rounding where samples are the noise of differential privacy (below).
//! * [`Distance`]: how far an integer table is from the ideal distribution, computed and not
//!   estimated.
//!
#![doc = include_str!("../docs/privacy.md")]
#![allow(clippy::doc_markdown, reason = "formulas")]

mod distance;
pub mod fixed;
mod ideal;
mod pmf;
mod privacy;
mod variance;

pub use distance::Distance;
pub use ideal::{Half, Ideal};
pub use pmf::Pmf;
pub(crate) use pmf::reach;
pub use variance::Variance;
