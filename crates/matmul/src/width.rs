//! [`Width`]: which values entries take.

use crate::word::Operand;

/// Which values the entries of a matrix may take: `[0, 2^bits)`, or `[-2^(bits-1), 2^(bits-1))` if
/// signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

impl Width {
    /// `[-2^(bits-1), 2^(bits-1))`; `bits` is clamped to 1..=64.
    #[must_use]
    pub const fn signed(bits: u32) -> Self {
        Self { bits: clamp(bits), signed: true }
    }

    /// `[0, 2^bits)`; `bits` is clamped to 1..=64.
    #[must_use]
    pub const fn unsigned(bits: u32) -> Self {
        Self { bits: clamp(bits), signed: false }
    }

    /// All values of a type.
    #[must_use]
    pub const fn of<T: Operand>() -> Self {
        Self { bits: T::BITS, signed: T::SIGNED }
    }

    /// Bits of an entry.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Whether entries may be negative.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        self.signed
    }
}

const fn clamp(bits: u32) -> u32 {
    if bits == 0 {
        1
    } else if bits > 64 {
        64
    } else {
        bits
    }
}
