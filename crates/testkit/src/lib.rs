//! Test helpers shared by the workspace; a development dependency only.
//!
//! * [`Battery`] and [`Law`]: the statistical acceptance battery for samplers of discrete Gaussian and uniform laws.
//! * [`kat`]: known-answer files under `tests/kat/`.
//! * [`SIZES`]: lengths at which block-wise code goes wrong.
//!
//! ```
//! use tautochrone_testkit::{Battery, Law};
//!
//! // A "sampler" that always returns zero is no Gaussian.
//! let report = Battery::new(Law::full(3.0, 0.0)).run(100_000, |out| out.fill(0));
//! report.assert_rejects();
//! ```

mod battery;
pub mod kat;
mod law;
mod multivariate;
mod report;

pub use battery::Battery;
pub use law::Law;
pub use report::{Check, Report};

/// Lengths around every block size in use (8, 16, 32, 64, 128, 256, 512, 1024 elements, each with its neighbours) and
/// a few that are prime: test every kernel at all of them.
pub const SIZES: [usize; 31] = [
    0, 1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257,
    511, 512, 513, 1023, 1024, 1025, 2053,
];
