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

impl Below {
    /// For cells of 32 bits and n <= 2^24: less than one in 256 is rejected.
    #[expect(clippy::integer_division_remainder_used, reason = "n is public")]
    pub(super) const fn of_32_bits(n: u64) -> Self {
        Self { n, least: (1 << 32) % n }
    }
}
