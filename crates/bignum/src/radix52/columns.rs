//! Columns of a product of two blocks of N registers.
//!
//! Digit 8 k + u of a times register j of b belongs to register k + j, moved up by u lanes. Sums
//! over all k for one u therefore need no moves; they are moved up together, by Horner's rule: the
//! sum for u + 1, a lane up, plus the sum for u. The upper halves of the products with digit u - 1
//! belong to the sum for u.
use crate::radix52::{LANES, RADIX, Radix52};

/// Registers of the widest block: its columns stay in registers.
pub(crate) const MAX_REGISTERS: usize = 10;

/// Registers for all sums; the others hold digits.
const MAX_SUMS: usize = 25;

/// 2 N registers of columns, below 2^64 each.
pub(crate) type Columns<V, const N: usize> = [[V; N]; 2];

/// Which products of registers are summed.
pub(crate) trait Terms<V, const N: usize> {
    /// Whether they are too many to stay in registers beside the columns.
    const MANY: bool = false;
    /// Registers of columns that they belong to.
    const COLUMNS: usize;

    /// Registers j that register k of a meets.
    fn range(k: usize) -> core::ops::Range<usize>;
    /// Their contents.
    fn register(&self, k: usize, j: usize) -> V;
}

/// All of a b.
pub(crate) struct All<'a, V, const N: usize>(pub(crate) &'a [V; N]);

impl<V: Copy, const N: usize> Terms<V, N> for All<'_, V, N> {
    const COLUMNS: usize = 2 * N;

    #[inline(always)]
    fn range(_: usize) -> core::ops::Range<usize> {
        0..N
    }
    #[inline(always)]
    fn register(&self, _: usize, j: usize) -> V {
        self.0[j]
    }
}

/// The lower N registers of a b.
pub(crate) struct Low<'a, V, const N: usize>(pub(crate) &'a [V; N]);

impl<V: Copy, const N: usize> Terms<V, N> for Low<'_, V, N> {
    const MANY: bool = N > 4;
    const COLUMNS: usize = N;

    #[inline(always)]
    fn range(k: usize) -> core::ops::Range<usize> {
        0..N - k
    }
    #[inline(always)]
    fn register(&self, _: usize, j: usize) -> V {
        self.0[j]
    }
}

/// The upper N registers of a b, from what falls into their columns alone.
pub(crate) struct High<'a, V, const N: usize>(pub(crate) &'a [V; N]);

impl<V: Copy, const N: usize> Terms<V, N> for High<'_, V, N> {
    const MANY: bool = N > 4;
    const COLUMNS: usize = N + 1;

    #[inline(always)]
    fn range(k: usize) -> core::ops::Range<usize> {
        N - 1 - k..N
    }
    #[inline(always)]
    fn register(&self, _: usize, j: usize) -> V {
        self.0[j]
    }
}

/// a^2 as the sum over k of A_k (A_k + 2 (A_{k+1} + A_{k+2} + ..)), for registers A_k of a: those
/// above A_k are the digits of 2 a, but for the bit that comes from A_k.
pub(crate) struct Square<'a, V, const N: usize> {
    own: &'a [V; N],
    /// Digits of 2 a.
    twice: &'a [V; N],
    /// Without the bit from the register below.
    next: &'a [V; N],
}

impl<'a, V: Radix52, const N: usize> Square<'a, V, N> {
    /// The square of the digits a; the other two are space. The bit above the top
    /// digit of 2 a is left out.
    #[inline(always)]
    pub(crate) fn new(own: &'a [V; N], twice: &'a mut [V; N], next: &'a mut [V; N]) -> Self {
        let token = own[0].token();
        let zero = V::zero(token);
        let mut below = zero;
        for ((twice, next), &x) in twice.iter_mut().zip(next.iter_mut()).zip(own) {
            let top = x.shr::<{ RADIX as u32 - 1 }>();
            let double = x.add(x).and(V::digit_mask(token));
            *twice = double.or(top.up(below, 1));
            *next = double.or(top.up(zero, 1));
            below = top;
        }
        Self { own, twice, next }
    }
}

impl<V: Copy, const N: usize> Terms<V, N> for Square<'_, V, N> {
    const MANY: bool = N > 4;
    const COLUMNS: usize = 2 * N;

    #[inline(always)]
    fn range(k: usize) -> core::ops::Range<usize> {
        k..N
    }
    #[inline(always)]
    fn register(&self, k: usize, j: usize) -> V {
        match j - k {
            0 => self.own[j],
            1 => self.next[j],
            _ => self.twice[j],
        }
    }
}

/// Columns, in one sum, or in two: one for lower halves and one for upper halves.
struct Sums<V, const N: usize, const SPLIT: bool>([Columns<V, N>; 2]);

impl<V: Radix52, const N: usize, const SPLIT: bool> Sums<V, N, SPLIT> {
    #[inline(always)]
    fn zero(token: V::Token) -> Self {
        Self([[[V::zero(token); N]; 2]; 2])
    }

    /// sums += the products with digits `u` (lower halves, if `LOW`) and `u` - 1 (upper halves, if
    /// `HIGH`) of all registers of a.
    #[inline(always)]
    fn add<T: Terms<V, N>, const LOW: bool, const HIGH: bool>(
        &mut self,
        a: &[V; N],
        terms: &T,
        u: usize,
    ) {
        // Where a loop would hold more registers than there are, an opaque reference makes the
        // compiler take them from memory.
        let terms = if T::MANY { core::hint::black_box(terms) } else { terms };
        let token = a[0].token();
        macro_rules! row {
            ($($k:literal)*) => {
                $(if const { $k < N } {
                    const K: usize = $k;
                    if LOW {
                        let x = V::splat_element(token, a, LANES * K + u);
                        let sums = self.0[0].as_flattened_mut();
                        for j in T::range(K) {
                            sums[K + j] = sums[K + j].madd_low(x, terms.register(K, j));
                        }
                    }
                    if HIGH {
                        let x = V::splat_element(token, a, LANES * K + u - 1);
                        let sums = self.0[usize::from(SPLIT)].as_flattened_mut();
                        for j in T::range(K) {
                            sums[K + j] = sums[K + j].madd_high(x, terms.register(K, j));
                        }
                    }
                })*
            };
        }
        row!(0 1 2 3 4 5 6 7 8 9);
    }

    /// Columns moved up by `n` lanes.
    #[inline(always)]
    fn up(&mut self, n: usize) {
        for columns in &mut self.0[..=usize::from(SPLIT)] {
            let mut below = V::zero(columns[0][0].token());
            for sum in columns.as_flattened_mut() {
                (*sum, below) = (sum.up(below, n), *sum);
            }
        }
    }

    /// The columns of both sums.
    #[inline(always)]
    fn columns(self) -> Columns<V, N> {
        let [mut one, other] = self.0;
        if SPLIT {
            for (x, &y) in one.as_flattened_mut().iter_mut().zip(other.as_flattened()) {
                *x = x.add(y);
            }
        }
        one
    }
}

/// Columns of the terms.
///
/// A sum is a chain of multiply-adds that wait for each other: even and odd u are summed apart, and
/// lower and upper halves, as far as there are registers.
#[inline(always)]
pub(crate) fn columns<V: Radix52, T: Terms<V, N>, const N: usize>(
    token: V::Token,
    a: &[V; N],
    terms: &T,
) -> Columns<V, N> {
    if const { 4 * T::COLUMNS <= MAX_SUMS } {
        two_sums::<V, T, N, true>(token, a, terms)
    } else if const { 2 * T::COLUMNS <= MAX_SUMS } {
        two_sums::<V, T, N, false>(token, a, terms)
    } else {
        one_sum(token, a, terms)
    }
}

#[inline(always)]
fn one_sum<V: Radix52, T: Terms<V, N>, const N: usize>(
    token: V::Token,
    a: &[V; N],
    terms: &T,
) -> Columns<V, N> {
    let mut sums = Sums::<V, N, false>::zero(token);
    sums.add::<T, false, true>(a, terms, LANES);
    for u in (1..LANES).rev() {
        sums.up(1);
        sums.add::<T, true, true>(a, terms, u);
    }
    sums.up(1);
    sums.add::<T, true, false>(a, terms, 0);
    sums.columns()
}

#[inline(always)]
fn two_sums<V: Radix52, T: Terms<V, N>, const N: usize, const SPLIT: bool>(
    token: V::Token,
    a: &[V; N],
    terms: &T,
) -> Columns<V, N> {
    let (mut even, mut odd) = (Sums::<V, N, SPLIT>::zero(token), Sums::<V, N, SPLIT>::zero(token));
    even.add::<T, false, true>(a, terms, LANES);
    odd.add::<T, true, true>(a, terms, LANES - 1);
    for u in [6, 4, 2] {
        even.up(2);
        even.add::<T, true, true>(a, terms, u);
        odd.up(2);
        odd.add::<T, true, true>(a, terms, u - 1);
    }
    even.up(2);
    even.add::<T, true, false>(a, terms, 0);
    odd.up(1);
    let (mut even, odd) = (even.columns(), odd.columns());
    for (x, &y) in even.as_flattened_mut().iter_mut().zip(odd.as_flattened()) {
        *x = x.add(y);
    }
    even
}
