//! The cost of an attack, by the block size of its lattice reduction.

use core::f64::consts::{E, PI};

#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;
use tautochrone_gauss::float::log2;

/// Bits a sieve costs per unit of block size.
pub(super) const CLASSICAL: f64 = 0.292;
pub(super) const QUANTUM: f64 = 0.265;
/// Smallest block size at which the formula for delta is used; every answer at this bound means
/// "broken".
pub const MIN_BLOCK: u32 = 50;
/// Largest block size considered: an attack that needs more is reported as if this were enough, at
/// 2^1168 operations.
pub const MAX_BLOCK: u32 = 4000;
/// The block size that an attack needs, and its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hardness {
    /// BKZ block size beta of the classical attack, at most [`MAX_BLOCK`].
    #[doc(hidden)]
    pub beta: u32,
    /// Cost in bits on a classical computer.
    pub classical: f64,
    /// Cost in bits on a quantum computer.
    pub quantum: f64,
}

impl Hardness {
    #[doc(hidden)]
    pub fn of_block(beta: u32) -> Self {
        Self { beta, classical: CLASSICAL * f64::from(beta), quantum: QUANTUM * f64::from(beta) }
    }

    /// The cheaper of two attacks, on a classical and on a quantum computer; NaN, which is at least
    /// as large as nothing, where a cost is NaN.
    #[doc(hidden)]
    pub fn min(self, other: Self) -> Self {
        let is_less = |x: f64, y: f64| x < y || x.is_nan();
        let cheaper = if is_less(other.classical, self.classical) { other } else { self };
        let quantum =
            if is_less(other.quantum, self.quantum) { other.quantum } else { self.quantum };
        Self { quantum, ..cheaper }
    }
}

/// log2 of the root-Hermite factor that BKZ-beta reaches.
pub(super) fn log2_delta(beta: u32) -> f64 {
    let b = f64::from(beta);
    (log2(PI * b) / b + log2(b / (2.0 * PI * E))) / (2.0 * (b - 1.0))
}

/// The smallest block size with which an attack succeeds, given that it does with every larger one.
pub(super) fn smallest_block(succeeds: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (MIN_BLOCK, MAX_BLOCK);
    while low < high {
        let middle = u32::midpoint(low, high);
        if succeeds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// Standard deviation of the uniform distribution on the integers in [-b, b]: sqrt(b (b + 1) / 3).
#[must_use]
pub fn uniform_sd(b: u32) -> f64 {
    (f64::from(b) * (f64::from(b) + 1.0) / 3.0).sqrt()
}

/// The cost of attacks on a statement, or on keys.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Binding of T: SIS of norm 4 B, by two vectors for one column within the bound that a proof
    /// shows.
    pub binding: Hardness,
    /// Hiding of S: LWE, by the cheaper of a primal and a dual-hybrid attack on either kind of
    /// computer.
    pub hiding: Hardness,
    /// Hiding of a key whose hints are known, as many as a claim about keys allows: LWE with
    /// modular hints. The same as [`Self::hiding`] for statements that are not about keys.
    pub hiding_with_hints: Hardness,
    /// log2(4 B).
    #[doc(hidden)]
    pub log2_4b: f64,
}

/// log2(4 B).
pub(crate) fn log2_4b(norm_bound_squared: u128) -> f64 {
    2.0 + log2(norm_bound_squared as f64) / 2.0
}
