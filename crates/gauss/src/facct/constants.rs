//! The constants that a kernel on another device (a GPU) needs to run the same trials.

use super::setup::{CELLS, Table};
use crate::acceptance::{POLYNOMIAL, POWERS};

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

impl TrialConstants {
    pub(super) const fn new(table: &Table) -> Self {
        Self {
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
}
