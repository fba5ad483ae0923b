//! [`Lanes`]: what trials need of an instruction set, for eight of them side by side.

use super::batch::Element;

/// Eight lanes of 64 bits, in which the methods see integers (unsigned, wrapping) or `f64`, as their names say; those that
/// end in `_32` see sixteen lanes of 32 bits.
///
/// No method's time depends on what the lanes hold. All are to be inlined into a function that enables the instructions.
pub(super) trait Lanes: Copy {
    /// A truth value for each lane of 64 bits.
    type Mask: Copy;
    /// 128 bytes to look up.
    type Table: Copy;

    fn load(words: &[u64; 8]) -> Self;
    fn load_f64(numbers: &[f64; 8]) -> Self;
    fn store(self, out: &mut [i64; 8]);
    /// Writes the lanes of `kept`, the first ones first, and after them anything; `kept` is public.
    fn compress<T: Element>(self, kept: u8, out: &mut [T; 8]);
    /// The same word in every lane.
    fn splat(word: u64) -> Self;
    /// The same number in every lane.
    #[inline(always)]
    fn splat_f64(number: f64) -> Self {
        Self::splat(number.to_bits())
    }

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    /// Where `self` has ones the bits of `one`, elsewhere those of `zero`.
    fn select(self, one: Self, zero: Self) -> Self;
    /// self | (bits & !mask).
    fn or_unmasked(self, bits: Self, mask: Self) -> Self;
    fn shl<const N: u32>(self) -> Self;
    fn shr<const N: u32>(self) -> Self;
    /// The low 52 bits times a factor below 2^32: what is above 2^52, and the 52 bits below.
    fn product(self, factor: Self) -> (Self, Self);
    /// self + x factor, for x and the factor below 2^32, their product below 2^52.
    fn add_product(self, x: Self, factor: Self) -> Self;

    fn add_f64(self, other: Self) -> Self;
    fn sub_f64(self, other: Self) -> Self;
    fn mul_f64(self, other: Self) -> Self;
    /// self factor + summand, rounded once.
    fn mul_add_f64(self, factor: Self, summand: Self) -> Self;
    /// The largest whole number that is not above a number below 2^51 in absolute value.
    fn floor_f64(self) -> Self;
    /// Integers below 2^52 to `f64`.
    fn to_f64(self) -> Self;
    /// Whole numbers of absolute value up to 2^51 from `f64`.
    fn to_i64(self) -> Self;
    /// The whole part of numbers from 0 on, 2^64 - 1 from 2^64 on.
    fn to_u64(self) -> Self;

    fn less(self, other: Self) -> Self::Mask;
    /// [`Self::less`] for numbers below 2^63.
    fn less_63(self, other: Self) -> Self::Mask;
    fn is_zero(self) -> Self::Mask;
    /// Where bit 32 is set.
    fn bit_32(self) -> Self::Mask;
    /// `yes` where the mask holds, elsewhere `no`.
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn nowhere() -> Self::Mask;
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Where the first mask holds and the second does not.
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Bit i: whether the mask holds in lane i.
    fn bits(mask: Self::Mask) -> u8;

    fn table_32(entries: &[u32; 32]) -> Self::Table;
    fn table_64(entries: &[u64; 16]) -> Self::Table;
    /// Entries number `self` mod 32.
    fn look_up_32(self, table: &Self::Table) -> Self;
    /// Entries number `self` mod 16.
    fn look_up_64(self, table: &Self::Table) -> Self;
    /// `yes` where self < limit, elsewhere `no`.
    fn choose_less_32(self, limit: Self, yes: Self, no: Self) -> Self;
    /// 32-bit lanes 0, 2, .. of `low` and of `high`, those of `low` in the low halves.
    fn even_32(low: Self, high: Self) -> Self;
    /// The same of 32-bit lanes 1, 3, ..
    fn odd_32(low: Self, high: Self) -> Self;
}
