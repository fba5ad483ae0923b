//! Truth tables of LUT3 operations: bit 4a + 2b + c, as in the immediate of `vpternlog`.

/// !a & b | !a & c | b & c: the majority of (!a, b, c).
pub(crate) const MAJORITY_NOT_A: u8 = 0b1000_1110;
/// a ? b : c.
pub(crate) const MUX: u8 = 0b1100_1010;
/// a ^ b.
pub(crate) const XOR: u8 = 0b0011_1100;
