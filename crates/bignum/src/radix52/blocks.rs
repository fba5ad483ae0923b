//! Products of numbers of whole blocks of N registers, by [`columns`](super::columns).
use tautochrone_simd::{Token, vectorize};

use super::columns::{All, Columns, High, Low, MAX_REGISTERS, Square, Terms, columns};
use super::{LANES, RADIX, Radix52};

/// Numbers of registers for which there are kernels.
const SIZES: [usize; 7] = [EMULATED, 3, 4, 5, 6, 8, MAX_REGISTERS];
/// The one for emulated registers.
const EMULATED: usize = 2;

/// Blocks of at least so many registers, and the registers of each.
pub(crate) fn blocks_of<V: Radix52>(registers: usize) -> (usize, usize) {
    let max = if V::ALL_SIZES { MAX_REGISTERS } else { EMULATED };
    let blocks = registers.div_ceil(max);
    let size = SIZES.into_iter().find(|size| size * blocks >= registers);
    (blocks, size.unwrap_or(max))
}

/// Calls `$name::<V, N>(..)` for N registers a block, or `$name::<V, N, $kind>(..)`.
macro_rules! of_registers {
    ($registers:expr, $name:ident $(<$kind:literal>)? ($($argument:expr),* $(,)?)) => {
        if V::ALL_SIZES {
            match $registers {
                2 => $name::<V, 2 $(, $kind)?>($($argument),*),
                3 => $name::<V, 3 $(, $kind)?>($($argument),*),
                4 => $name::<V, 4 $(, $kind)?>($($argument),*),
                5 => $name::<V, 5 $(, $kind)?>($($argument),*),
                6 => $name::<V, 6 $(, $kind)?>($($argument),*),
                8 => $name::<V, 8 $(, $kind)?>($($argument),*),
                _ => {
                    const MAX: usize = crate::radix52::columns::MAX_REGISTERS;
                    $name::<V, MAX $(, $kind)?>($($argument),*)
                }
            }
        } else {
            $name::<V, 2 $(, $kind)?>($($argument),*)
        }
    };
}
pub(crate) use of_registers;

/// t += all columns of a b, or t := them if they are the `first`.
fn kernel<V: Radix52, const N: usize>(
    token: V::Token,
    t: &mut Columns<V, N>,
    a: &[V; N],
    b: &[V; N],
    first: bool,
) {
    vectorize!(token, put(t, &columns(token, a, &All(b)), first));
}

/// t += the columns, or t := them if they are the `first`.
#[inline(always)]
fn put<V: Radix52, const N: usize>(t: &mut Columns<V, N>, columns: &Columns<V, N>, first: bool) {
    for (t, &c) in t.as_flattened_mut().iter_mut().zip(columns.as_flattened()) {
        *t = if first { c } else { t.add(c) };
    }
}

/// Half of the columns of the terms, the upper one if `UPPER`, added to t.
fn half_kernel<V: Radix52, T: Terms<V, N>, const N: usize, const UPPER: bool>(
    token: V::Token,
    t: &mut [V; N],
    a: &[V; N],
    terms: &T,
) {
    vectorize!(token, {
        let sums = columns(token, a, terms);
        for (t, &c) in t.iter_mut().zip(&sums[usize::from(UPPER)]) {
            *t = t.add(c);
        }
    });
}

/// t += the square of a block, in which twice a full block has a bit more than its registers, or
/// t := it if it is the `first`, of one block alone, which is not full.
fn square_kernel<V: Radix52, const N: usize>(
    token: V::Token,
    t: &mut Columns<V, N>,
    a: &[V; N],
    [twice, next]: &mut [[V; N]; 2],
    first: bool,
) {
    vectorize!(token, {
        put(t, &columns(token, a, &Square::new(a, twice, next)), first);
        if first {
            return;
        }
        // All rows but the last lack the bit.
        let above = V::zero(token).sub(a[N - 1].shr::<{ RADIX as u32 - 1 }>());
        let above = V::splat_element(token, &[above], LANES - 1);
        for (t, x) in t[1].iter_mut().zip(&a[..N - 1]) {
            *t = t.add(x.and(above));
        }
    });
}

/// Columns of blocks `at` and `at` + 1.
#[inline(always)]
pub(crate) fn pair<V, const N: usize>(t: &mut [V], at: usize) -> &mut Columns<V, N> {
    let (blocks, _) = t[at * N..][..2 * N].as_chunks_mut();
    blocks.first_chunk_mut().expect("two blocks")
}

/// t := a b; of one number of blocks of N registers each, and twice as many.
#[inline(always)]
pub(crate) fn product<V: Radix52, const N: usize>(token: V::Token, t: &mut [V], a: &[V], b: &[V]) {
    let (a, b) = (a.as_chunks::<N>().0, b.as_chunks::<N>().0);
    let only = a.len() == 1;
    if !only {
        t.fill(V::zero(token));
    }
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            kernel(token, pair(t, i + j), a, b, only);
        }
    }
}

/// t := a^2; `doubled` is space, of two blocks. The highest digit of one block is below 2^51.
#[inline(always)]
pub(crate) fn square<V: Radix52, const N: usize>(
    token: V::Token,
    t: &mut [V],
    a: &[V],
    doubled: &mut [V],
) {
    let doubled: &mut [[V; N]; 2] = pair(doubled, 0);
    let a = a.as_chunks::<N>().0;
    let only = a.len() == 1;
    if !only {
        t.fill(V::zero(token));
        for (i, x) in a.iter().enumerate() {
            for (j, y) in a.iter().enumerate().skip(i + 1) {
                kernel(token, pair(t, i + j), x, y, false);
            }
        }
        vectorize!(token, {
            for v in t.iter_mut() {
                *v = v.add(*v);
            }
        });
    }
    for (i, x) in a.iter().enumerate() {
        square_kernel(token, pair(t, 2 * i), x, doubled, only);
    }
}

/// r += the columns of a b that r has.
#[inline(always)]
pub(crate) fn add_low<V: Radix52, const N: usize>(token: V::Token, r: &mut [V], a: &[V], b: &[V]) {
    let (a, b) = (a.as_chunks::<N>().0, b.as_chunks::<N>().0);
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate().take(a.len() - i) {
            if i + j + 1 < a.len() {
                kernel(token, pair(r, i + j), x, y, false);
            } else {
                let r = r[(i + j) * N..].first_chunk_mut().expect("a block");
                half_kernel::<V, _, N, false>(token, r, x, &Low(y));
            }
        }
    }
}

/// q += the columns of a b above the columns of a and b, from products that fall into these alone.
#[inline(always)]
pub(crate) fn add_high<V: Radix52, const N: usize>(token: V::Token, q: &mut [V], a: &[V], b: &[V]) {
    let (a, b) = (a.as_chunks::<N>().0, b.as_chunks::<N>().0);
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate().skip(a.len() - 1 - i) {
            if i + j >= a.len() {
                kernel(token, pair(q, i + j - a.len()), x, y, false);
            } else {
                let q = q.first_chunk_mut().expect("a block");
                half_kernel::<V, _, N, true>(token, q, x, &High(y));
            }
        }
    }
}
