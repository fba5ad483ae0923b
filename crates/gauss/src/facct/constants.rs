//! What a kernel elsewhere (a GPU) needs to run the same trials.

use super::Facct;
use super::portable::{self, POLYNOMIAL, POWERS};
use super::setup::CELLS;

/// The constants of a trial, as a device program takes them: public, a function of sigma alone.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct TrialConstants {
    /// Width K of a cell.
    pub k: u64,
    /// 2^52 mod K: low products below it are rejected.
    pub lemire: u64,
    /// sqrt(g) / K.
    pub step: f64,
    /// 2 sqrt(g).
    pub slope: f64,
    /// l_x of each cell.
    pub excess: [f64; CELLS],
    /// 2^64 2^(-j/16) as `f64` bits, plus j 2^48.
    pub powers: [u64; 16],
    /// Minimax polynomial of 2^-f for |f| <= 1/32, highest coefficient first.
    pub polynomial: [f64; 7],
    /// Thresholds of the alias table.
    pub threshold: [u32; CELLS],
    /// Aliases of the alias table.
    pub alias: [u32; CELLS],
}

impl Facct {
    /// The constants of this sampler's trials.
    #[must_use]
    pub fn trial_constants(&self) -> TrialConstants {
        let table = &self.table;
        TrialConstants {
            k: table.k,
            lemire: table.lemire,
            step: table.step,
            slope: table.slope,
            excess: table.excess,
            powers: POWERS,
            polynomial: POLYNOMIAL,
            threshold: table.threshold,
            alias: table.alias,
        }
    }

    /// One trial around 0 from 149 random bits: (value, accepted), by the fast decision alone: the error of the
    /// acceptance probability 2^-E is below 2^-51, and below 2^-50 max(1, E / 2) of it besides a rounding to 2^-64.
    ///
    /// `cell`: 32 bits; `accept`: 31 bits of acceptance above the sign bit; `offset`: 52 bits of the offset below 12 of
    /// acceptance; `shared`: 21 bits of acceptance.
    ///
    /// # Constant time
    /// In all arguments and the value.
    #[must_use]
    pub fn trial(&self, cell: u32, accept: u32, offset: u64, shared: u64) -> (i64, bool) {
        portable::trial(&self.table, cell, accept, offset, shared)
    }
}
