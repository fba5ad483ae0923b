//! The constants of a trial.

/// Cells of the proposal, and columns of its alias table.
pub(super) const CELLS: usize = 32;

/// The constants of a trial, also for a program on another device (a GPU) that runs the same ones:
/// public, a function of sigma alone.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct TrialConstants {
    /// Width K of a cell.
    pub k: u64,
    /// 2^52 mod K: low products below it are rejected (Lemire 2019).
    pub lemire: u64,
    /// sqrt(g) / K.
    pub step: f64,
    /// 2 sqrt(g).
    pub slope: f64,
    /// l_x of each cell: log2 of units_x over its exact weight.
    pub excess: [f64; CELLS],
    /// 2^64 2^(-j/16) as `f64` bits, plus j 2^48.
    pub powers: [u64; 16],
    /// Minimax polynomial of 2^-f for |f| <= 1/32, highest coefficient first.
    pub polynomial: [f64; 7],
    /// Thresholds of the alias table: a draw t with t mod 32 = c gives the cell c if
    /// t < `threshold[c]`, else `alias[c]`.
    pub threshold: [u32; CELLS],
    /// Aliases of the alias table.
    pub alias: [u32; CELLS],
}
