//! The definition, cell by cell. Inlined into functions for wider registers, the first two are all there is to them.

use tautochrone_simd::declassify;

use super::cells::{Below, Keep};
use super::integer::Integer;

impl Keep {
    /// No operation carries downwards, so a compiler does this in lanes as wide as the result.
    #[inline(always)]
    fn apply(self, cell: u64) -> u64 {
        (cell & self.mask ^ self.sign).wrapping_sub(self.sign)
    }
}

/// Every element, which is a cell as it came from the stream, becomes what is kept of it.
#[inline(always)]
pub(super) fn keep<T: Integer>(keep: Keep, out: &mut [T]) {
    let (mask, sign) = (T::cut(keep.mask), T::cut(keep.sign));
    for x in out {
        *x = x.keep(mask, sign);
    }
}

/// What is kept of each cell.
#[inline(always)]
pub(super) fn widen<T: Integer, const N: usize>(keep: Keep, cells: &[[u8; N]], out: &mut [T]) {
    for (out, cell) in out.iter_mut().zip(cells) {
        *out = T::cut(keep.apply(word(cell)));
    }
}

/// The numbers that cells of `N` = 4 or 8 bytes give, from the start of `out` on, which has room for one of each; how many
/// they are.
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
        // The store moves on only past a number that counts.
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
