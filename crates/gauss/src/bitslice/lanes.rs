//! Blocks of lanes, one bit each.

use crate::buffer::Buffer;

/// Lanes of a block: every kernel works on whole blocks, so that all consume the same random bits.
pub(super) const BLOCK: usize = 512;
/// One bit of each lane of a block: lane l is bit l % 8 of byte l / 8.
pub(super) type Plane = [u8; BLOCK.div_ceil(8)];

/// Words of a plane.
pub(super) const WORDS: usize = BLOCK.div_ceil(64);

/// Planes of the scratch space: two blocks of the most demanding form, in 18 KiB.
pub(super) const CAPACITY: usize = 288;
/// Space for random bits that become samples.
pub(super) type Scratch = Buffer<{ CAPACITY * WORDS }>;
