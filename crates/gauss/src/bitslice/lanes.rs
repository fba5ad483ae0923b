//! Blocks of lanes, one bit each.

/// Lanes of a block: every kernel works on whole blocks, so that all consume the same random bits.
pub(super) const BLOCK: usize = 512;
/// One bit of each lane of a block: lane l is bit l % 8 of byte l / 8.
pub(super) type Plane = [u8; BLOCK.div_ceil(8)];
