//! Digits of 52 bits in registers of eight lanes, in which the exponentiations for AVX-512 IFMA are
//! written. They run on [`Emulated`](tautochrone_simd::vector::Emulated) registers too: for tests,
//! and under valgrind, which does not know AVX-512.
use tautochrone_simd::vector::{Lanes, Madd52};
use tautochrone_simd::{Scratch, Token as _};

use crate::power::Table;

pub(crate) mod blocks;
mod carry;
pub(crate) mod columns;
mod scaled;

pub(crate) use carry::normalise;
pub(crate) use scaled::Scaled;

/// Lanes of a register.
pub(crate) const LANES: usize = 8;
/// Bits of a digit.
pub(crate) const RADIX: usize = 52;
/// The largest digit, 2^52 - 1.
pub(crate) const DIGIT: u64 = (1 << RADIX) - 1;

/// Registers of eight digits or columns.
pub(crate) trait Radix52: Madd52 + Lanes {
    /// Whether there are kernels for numbers and blocks of all sizes. Emulated registers, whose
    /// token proves nothing, have them for one size: more would take minutes to compile.
    const ALL_SIZES: bool = Self::Token::INSTRUCTIONS;

    #[inline(always)]
    fn from_array(token: Self::Token, lanes: [u64; LANES]) -> Self {
        Self::load(token, &lanes)
    }

    #[inline(always)]
    fn to_array(self) -> [u64; LANES] {
        let mut lanes = [0; LANES];
        self.store(&mut lanes);
        lanes
    }

    /// The largest digit in every lane.
    #[inline(always)]
    fn digit_mask(token: Self::Token) -> Self {
        Self::splat(token, DIGIT)
    }

    /// DIGIT - self, of a digit.
    #[inline(always)]
    fn complement(self) -> Self {
        self.xor(Self::digit_mask(self.token()))
    }

    /// The carry of a column: each lane >> 52.
    #[inline(always)]
    fn carry(self) -> Self {
        self.shr::<{ RADIX as u32 }>()
    }
}

impl<V: Madd52 + Lanes> Radix52 for V {}

/// Digits or columns, wiped when dropped.
pub(crate) type Digits<V> = Scratch<V>;

/// `registers` of zeros.
#[inline(always)]
pub(crate) fn zeros<V: Radix52>(token: V::Token, registers: usize) -> Digits<V> {
    Scratch::new(registers, V::zero(token))
}

/// entry := table[index] in each lane: all entries are read, and a mask selects one.
#[inline(always)]
pub(crate) fn select<V: Radix52>(mut entry: &mut [V], table: &Table<V>, index: V) {
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

/// Registers `first` to `first + T - 1` of table[index].
#[inline(always)]
pub(crate) fn select_part<V: Radix52, const T: usize>(
    table: &Table<V>,
    first: usize,
    index: V,
) -> [V; T] {
    let token = index.token();
    let mut selected = [V::zero(token); T];
    for (i, entry) in (0..).zip(table.parts::<T>(first)) {
        let mask = index.eq(V::splat(token, i));
        for (p, &v) in selected.iter_mut().zip(entry) {
            *p = V::blend(mask, v, *p);
        }
    }
    selected
}
