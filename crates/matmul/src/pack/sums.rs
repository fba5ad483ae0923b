//! Sums of lines, which products correct for.

use tautochrone_simd::wipe;

use crate::digits::Digit;
use crate::layout::{Layout, Shape};
use crate::matrix::Matrix;
use crate::word::{Operand, Word};

/// Adds the sum of each row modulo `2^64`.
pub(super) fn add_line_sums<T: Operand>(view: &Matrix<'_, T>, sums: &mut [u64]) {
    let (row, _) = view.strides();
    if row == 1 {
        for j in 0..view.columns() {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(view.at(i, j).widen());
            }
        }
    } else {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = (0..view.columns())
                .fold(*sum, |sum: u64, j| sum.wrapping_add(view.at(i, j).widen()));
        }
    }
}

/// Adds, for each line of a panel, the sum over its pairs of cells of the products of their digits,
/// modulo `2^{8 D}`.
#[inline(always)]
pub(super) fn add_pair_sums(layout: &Layout, panel: &[u8], sums: &mut [u64]) {
    match layout.encoding.digit {
        Digit::Byte => add_pair_sums_of(layout, panel, sums, u8::from_le_bytes),
        Digit::Half => add_pair_sums_of(layout, panel, sums, u16::from_le_bytes),
        Digit::Word => add_pair_sums_of(layout, panel, sums, u32::from_le_bytes),
        Digit::Double => add_pair_sums_of(layout, panel, sums, u64::from_le_bytes),
    }
}

/// The same, for digits of `D` bytes: two cells of all lines are two runs, multiplied digit by
/// digit.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn add_pair_sums_of<W: Word, const D: usize>(
    layout: &Layout,
    panel: &[u8],
    sums: &mut [u64],
    digit: fn([u8; D]) -> W,
) {
    /// At most 32 lines of cells of four bytes.
    const MAX: usize = 128;
    let Shape { lines, cell } = layout.shape;
    let mut products = [W::default(); MAX];
    for pair in panel.chunks_exact(2 * lines * cell) {
        let (first, second) = pair.split_at(lines * cell);
        let (first, second) = (first.as_chunks::<D>().0, second.as_chunks::<D>().0);
        for ((sum, a), b) in products.iter_mut().zip(first).zip(second) {
            *sum = sum.wrapping_add(digit(*a).wrapping_mul(digit(*b)));
        }
    }
    for (sum, products) in sums.iter_mut().zip(products.chunks_exact(cell / D)) {
        *sum = products.iter().fold(*sum, |sum, product| sum.wrapping_add(product.widen()));
    }
    wipe(&mut products, W::default());
}
