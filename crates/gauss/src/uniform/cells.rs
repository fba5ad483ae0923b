//! How a cell of the keystream becomes a number.

/// (low bits ^ sign) - sign, which extends the sign where `sign` is the highest bit of the mask.
#[derive(Clone, Copy)]
pub(super) struct BitField {
    pub(super) mask: u64,
    pub(super) sign: u64,
}

/// Lemire's multiplication for cells of w bits.
#[derive(Clone, Copy)]
pub(super) struct Below {
    pub(super) n: u64,
    /// 2^w mod n: cells with a low product below it are rejected.
    pub(super) least: u64,
}
