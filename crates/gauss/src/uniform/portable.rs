//! The definition, cell by cell.

use tautochrone_simd::declassify;

use super::integer::Integer;

/// (low bits ^ sign) - sign, which extends the sign where `sign` is the highest bit of the mask.
#[derive(Clone, Copy)]
pub(super) struct BitField {
    pub(super) mask: u64,
    pub(super) sign: u64,
}

impl BitField {
    /// No operation carries downwards, so a compiler does this in lanes as wide as the result.
    #[inline(always)]
    fn apply(self, cell: u64) -> u64 {
        (cell & self.mask ^ self.sign).wrapping_sub(self.sign)
    }
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

/// Every element, a cell as it came from the stream, becomes the number in it.
#[inline(always)]
pub(super) fn extract<T: Integer>(field: BitField, out: &mut [T]) {
    let (mask, sign) = (T::cut(field.mask), T::cut(field.sign));
    for x in out {
        *x = x.extract(mask, sign);
    }
}

/// The number in each cell.
#[inline(always)]
pub(super) fn widen<T: Integer, const N: usize>(field: BitField, cells: &[[u8; N]], out: &mut [T]) {
    for (out, cell) in out.iter_mut().zip(cells) {
        *out = T::cut(field.apply(word(cell)));
    }
}

/// Stores the numbers that cells of `N` = 4 or 8 bytes give at the front of `out`, which is no
/// shorter than `cells`; returns how many there are.
#[inline(always)]
pub(super) fn below<T: Integer, const N: usize>(
    rule: Below,
    cells: &[[u8; N]],
    out: &mut [T],
) -> usize {
    let mut done = 0;
    for cell in cells {
        let product = u128::from(word(cell)) * u128::from(rule.n);
        let low = product as u64 & u64::MAX >> (64 - 8 * N);
        // A rejected number is overwritten by the next one.
        out[done] = T::cut((product >> (8 * N)) as u64);
        done += usize::from(declassify(low >= rule.least));
    }
    done
}

#[inline(always)]
fn word<const N: usize>(cell: &[u8; N]) -> u64 {
    let mut word = [0; 8];
    word[..N].copy_from_slice(cell);
    u64::from_le_bytes(word)
}
