//! Indices of tables: a few entries of a column of Y as a number in base three.

use alloc::vec;

use crate::matrix::Matrix;

/// sum_i (y_i + 1) 3^i of at most four entries.
#[inline(always)]
pub(super) fn index<const N: usize>(entries: &[i8; N]) -> u8 {
    const { assert!(N <= 4, "an index has at most four digits") }
    let mut digits = [-1; 4];
    digits[..N].copy_from_slice(entries);
    let digits = u32::from_le_bytes(digits.map(i8::cast_unsigned));
    // One added to each byte, without carries between them.
    let digits = (digits & 0x7f7f_7f7f).wrapping_add(0x0101_0101) ^ (digits & 0x8080_8080);
    // The last byte sums all products with powers of three; the sums before it are at most
    // 2 (27 + 9 + 3).
    let powers = u32::from_le_bytes([27, 9, 3, 1]);
    (digits.wrapping_mul(powers) >> 24) as u8
}

/// Calls `f` with the number and the entries of each column of Y, with zeros appended up to a
/// multiple of `multiple`. The copy of the entries is erased.
pub(super) fn for_each_column(y: Matrix<'_, i8>, multiple: usize, mut f: impl FnMut(usize, &[i8])) {
    let k = y.rows();
    let mut column = vec![0_i8; k.next_multiple_of(multiple)];
    for j in 0..y.columns() {
        match y.strides() {
            (1, _) => column[..k].copy_from_slice(y.column_run(0, j, k)),
            _ => column[..k].iter_mut().enumerate().for_each(|(i, entry)| *entry = y.at(i, j)),
        }
        f(j, &column);
    }
    tautochrone_simd::wipe(&mut column, 0);
}
