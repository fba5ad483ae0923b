//! Vectors of eight 64-bit lanes with multiply-add of 52 bits, in which the exponentiations for
//! AVX-512 IFMA are written.
//!
//! The kernels are generic and inlined into [`Vector::enter`], which compiles them for the
//! instruction set. On [`Emulated`](emulated::Emulated) vectors they run anywhere: for tests, and
//! under valgrind, which does not know AVX-512.
use zeroize::{DefaultIsZeroes, Zeroizing};

use crate::power::Table;

#[cfg(any(test, tautochrone_ctgrind))]
pub(crate) mod emulated;
#[cfg(target_arch = "x86_64")]
pub(crate) mod ifma;

/// Lanes of a vector.
pub(crate) const LANES: usize = 8;
/// Bits of a digit.
pub(crate) const RADIX: usize = 52;
/// The largest digit, 2^52 - 1.
pub(crate) const DIGIT: u64 = (1 << RADIX) - 1;

/// Eight lanes of 64 bits. Bit l of a mask stands for lane l.
pub(crate) trait Vector: DefaultIsZeroes {
    /// What proves that this CPU has the instructions.
    type Token: Copy;

    /// Runs `f` as code for this instruction set, if all of it is `#[inline(always)]`, the closure
    /// too; functions that are called instead of inlined are not.
    fn enter<R>(token: Self::Token, f: impl FnOnce() -> R) -> R;

    fn from_array(lanes: [u64; LANES]) -> Self;
    fn to_array(self) -> [u64; LANES];
    fn splat(x: u64) -> Self;
    /// Element `at` of `x`, counted in lanes, in all lanes.
    fn splat_element(x: &[Self], at: usize) -> Self;

    fn add(self, y: Self) -> Self;
    fn sub(self, y: Self) -> Self;
    fn and(self, y: Self) -> Self;
    fn or(self, y: Self) -> Self;
    fn xor(self, y: Self) -> Self;

    /// DIGIT - self, of a digit.
    #[inline(always)]
    fn complement(self) -> Self {
        self.xor(Self::splat(DIGIT))
    }

    /// Lane 0.
    fn first(self) -> u64;
    /// The last lane.
    #[inline(always)]
    fn last(self) -> u64 {
        self.to_array()[LANES - 1]
    }
    /// Lane 0, the others being zero.
    fn from_first(x: u64) -> Self;
    /// Lane `L` in all lanes.
    fn splat_lane<const L: usize>(self) -> Self;
    /// The carry of a column: each lane >> 52.
    fn carry(self) -> Self;
    /// Each lane >> 52, filled with copies of the sign.
    fn borrow(self) -> Self;
    /// Each lane shifted by its count; counts above 63 give zero.
    fn shl(self, count: Self) -> Self;
    /// Each lane shifted by its count; counts above 63 give zero.
    fn shr(self, count: Self) -> Self;

    /// self + (x y mod 2^52), of the lower 52 bits of `x` and `y`.
    fn madd_low(self, x: Self, y: Self) -> Self;
    /// self + floor(x y / 2^52), of the lower 52 bits of `x` and `y`.
    fn madd_high(self, x: Self, y: Self) -> Self;

    /// [`Self::madd_low`] in the lanes of `mask`.
    fn madd_low_in(self, mask: u8, x: Self, y: Self) -> Self;
    /// [`Self::madd_high`] in the lanes of `mask`.
    fn madd_high_in(self, mask: u8, x: Self, y: Self) -> Self;

    /// Lanes in which self = y.
    fn eq_mask(self, y: Self) -> u8;
    /// Lanes in which self > y, unsigned.
    fn gt_mask(self, y: Self) -> u8;
    /// Lanes in which self & y is not zero.
    fn test_mask(self, y: Self) -> u8;
    /// `y` in the lanes of `mask`, else self.
    fn blend(self, mask: u8, y: Self) -> Self;

    /// Lanes moved up by `n` < 8: the last `n` lanes of `below`, then the first of self.
    fn up(self, below: Self, n: usize) -> Self;
    /// self and `y` interleaved: (self_0, y_0, .. y_3), (self_4, y_4, .. y_7).
    fn interleave(self, y: Self) -> (Self, Self);
    /// The sum of all lanes modulo 2^64.
    fn sum(self) -> u64;
}

/// Digits or columns, wiped when dropped.
pub(crate) type Digits<V> = Zeroizing<Vec<V>>;

/// `vectors` of zeros.
#[inline(always)]
pub(crate) fn zeros<V: Vector>(vectors: usize) -> Digits<V> {
    Zeroizing::new(vec![V::default(); vectors])
}

/// entry := table[index] in each lane: all entries are read, and a mask selects one.
#[inline(always)]
pub(crate) fn select<V: Vector>(mut entry: &mut [V], table: &Table<V>, index: V) {
    let mut first = 0;
    while !entry.is_empty() {
        let (part, rest) = entry.split_at_mut(entry.len().min(8));
        macro_rules! of_width {
            ($($t:literal)*) => {
                match part.len() {
                    $($t => part.copy_from_slice(&select_part::<V, $t>(table, first, index)),)*
                    _ => unreachable!("parts are not wider"),
                }
            };
        }
        of_width!(1 2 3 4 5 6 7 8);
        first += part.len();
        entry = rest;
    }
}

/// Vectors `first` to `first + T - 1` of table[index].
#[inline(always)]
pub(crate) fn select_part<V: Vector, const T: usize>(
    table: &Table<V>,
    first: usize,
    index: V,
) -> [V; T] {
    let mut selected = [V::splat(0); T];
    for (i, entry) in (0..).zip(table.parts::<T>(first)) {
        let mask = index.eq_mask(V::splat(i));
        for (p, &v) in selected.iter_mut().zip(entry) {
            *p = p.blend(mask, v);
        }
    }
    selected
}
