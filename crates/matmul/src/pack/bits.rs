//! The bits that [`Method::TopBit`] multiplies by themselves.

#[cfg(doc)]
use crate::digits::Method;
use crate::layout::{Layout, Side, TOP_BITS};

/// Moves the top bits of the bytes of X, and copies the lowest bits of the bytes of Y, to cells of
/// their own.
pub(super) fn split_bits(layout: &Layout, digits: &mut [u8], bits: &mut [u8]) {
    let step = layout.shape.lines * size_of::<u32>();
    let (shift, remaining) = match layout.side {
        Side::Left => (7, 0x7f7f_7f7f),
        Side::Right => (0, u32::MAX),
    };
    bits.fill(0);
    let groups = digits.chunks_exact_mut(TOP_BITS * step).zip(bits.chunks_exact_mut(step));
    for (cells, bits) in groups {
        for (cell, digits) in cells.chunks_exact_mut(step).enumerate() {
            let bits = bits.as_chunks_mut::<4>().0.iter_mut();
            for (digits, bits) in digits.as_chunks_mut::<4>().0.iter_mut().zip(bits) {
                let four = u32::from_le_bytes(*digits);
                // Bit 8 i to bit i, i = 0 .. 3.
                let apart = four >> shift & 0x0101_0101;
                let twos = apart | apart >> 7;
                let together = (twos | twos >> 14) & 0xf;
                *digits = (four & remaining).to_le_bytes();
                *bits = (u32::from_le_bytes(*bits) | together << (4 * cell)).to_le_bytes();
            }
        }
    }
}
