//! Transposing 8 x 8 bits.

/// Bit j of byte i becomes bit i of byte j, byte 0 the lowest (Warren, Hacker's Delight,
/// section 7-3).
#[inline(always)]
#[must_use]
pub const fn transpose_bits(mut x: u64) -> u64 {
    let mut t = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
    x ^ t ^ t << 28
}

#[cfg(test)]
mod tests {
    use super::transpose_bits;

    #[test]
    fn every_bit_goes_to_its_place() {
        for i in 0..8 {
            for j in 0..8 {
                assert_eq!(transpose_bits(1 << (8 * i + j)), 1 << (8 * j + i));
            }
        }
        assert_eq!(transpose_bits(0x8040_2010_0804_0201), 0x8040_2010_0804_0201);
    }
}
