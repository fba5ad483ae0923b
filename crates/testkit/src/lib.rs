//! Test helpers shared by the workspace; a development dependency only.
//!
//! * [`Battery`] and [`Distribution`]: the statistical acceptance battery for samplers of discrete
//!   Gaussian distributions.
//! * [`allocations`]: how often a call asks for memory.
//! * `fork`: what a forked child computes.
//! * [`numbers`]: pseudorandom numbers of full size, for measurements and examples.
//! * [`scaled`]: a fifth of the longest batteries, outside CI.
//!
//! ```
//! use tautochrone_testkit::{Battery, Distribution};
//!
//! // A "sampler" that always returns zero is no Gaussian.
//! let report = Battery::new(Distribution::full(3.0, 0.0)).run(100_000, |out| out.fill(0));
//! report.assert_rejects();
//! ```
//!
//! # Mutations, and the tests that see them
//! The battery must refuse the samples of a wrong sampler; faults that no feasible number of
//! samples shows the exact tests must. Each has a test that fails if it does not (in
//! `crates/gauss`: `tests/mutations.rs`, `src/ziggurat/tests/`, `src/bitslice/tests.rs`,
//! `src/exact/pmf.rs`):
//!
//! | mutation | tests |
//! |---|---|
//! | x = 0 always accepted (sigma 10, m 63) | `error_1_is_rejected_by_the_battery` |
//! | sigma * 1.001 | here `rejects_a_wrong_deviation` |
//! | a bound off by one | `an_off_by_one_bound_is_refused` (Ziggurat), `every_backend_computes_the_alias_table` at forced ties, here `rejects_wrong_weights` |
//! | 53 bits where more are claimed | `a_coarse_table_is_refused` |
//! | a swapped or repeated lane | `swapped_lanes_are_seen`, `swapped_centres_are_refused`, here `rejects_dependence` |
//! | a half distribution whose zero is doubled | here `rejects_wrong_weights` |
//! | lost bits beyond 32 | `lost_high_bits_are_caught` |
//! | adjusting from the wrong base | `an_adjustment_of_the_wrong_base_is_refused` |
#![allow(
    clippy::disallowed_methods,
    reason = "statistics for tests: their last bits do not matter"
)]

pub mod allocations;
mod battery;
mod distribution;
#[cfg(unix)]
pub mod fork;
mod multivariate;
pub mod numbers;
mod report;

pub use battery::Battery;
pub use distribution::Distribution;
pub use report::{Check, Report};

/// Whether tests take all their cases and samples: if the environment variable `TAUTOCHRONE_TESTS`
/// is `full`, as in CI.
#[must_use]
pub fn full() -> bool {
    std::env::var_os("TAUTOCHRONE_TESTS").is_some_and(|value| value == "full")
}

/// How many of `samples` the longest batteries draw: all in full tests, a fifth otherwise.
#[must_use]
pub fn scaled(samples: usize) -> usize {
    if full() { samples } else { samples.div_ceil(5) }
}

/// The longest tests take every how many of their cases: `all` in full tests, `some` otherwise.
#[must_use]
pub fn step(all: usize, some: usize) -> usize {
    if full() { all } else { some }
}
