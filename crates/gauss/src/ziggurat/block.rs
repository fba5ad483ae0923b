//! [`Block`]: the results of a block of trials.

use tautochrone_simd::wipe;

/// Trials in a block.
pub(super) const BLOCK: usize = 512;
/// Words of the buffer beyond two for each trial, for the comparisons.
pub(super) const SPARE: usize = 256;

/// Signed values of a block of trials, and a set bit for each that the fast path does not accept
/// for certain.
pub(super) struct Block {
    pub(super) values: [i64; BLOCK],
    /// Little-endian: bit j of byte k of group g is trial 64 g + 8 k + j.
    pub(super) doubt: [[u8; 8]; BLOCK / 64],
}

impl Block {
    pub(super) const fn new() -> Self {
        Self { values: [0; BLOCK], doubt: [[0; 8]; BLOCK / 64] }
    }

    /// Erases it.
    pub(super) fn wipe(&mut self) {
        wipe(&mut self.values, 0);
        wipe(self.doubt.as_flattened_mut(), 0);
    }
}
