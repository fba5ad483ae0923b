//! Which lanes of a register belong to which number.
use tautochrone_simd::vector::Halves;
use tautochrone_simd::wipe_on_drop;

use crate::radix52::{LANES, RADIX, Radix52};

/// Registers of the widest numbers: the columns stay in registers.
pub(in super::super) const MAX_REGISTERS: usize = 10;

/// P numbers, the lanes of each in a row.
pub(in super::super) trait Arrangement<V: Radix52, const P: usize> {
    /// Lanes, and parts, of a number.
    #[expect(clippy::integer_division_remainder_used, reason = "constants")]
    const PARTS: usize = LANES / P;
    /// Lanes that have another one of their number above them, as bits.
    const INNER: u32;

    /// A carry of columns in the lowest lane of each number.
    type Carry: Copy;
    /// No carry.
    fn no_carry(token: V::Token) -> Self::Carry;

    /// The digits of the columns in the lowest lane of each number, in all of its lanes, and bits
    /// above 52 that multiply-adds do not look at. `carry` comes in at the first, and becomes that
    /// of the last.
    fn lowest<const N: usize>(
        columns: &[V; N],
        carry: &mut Self::Carry,
        space: &mut DigitsInMemory,
    ) -> [V; N];
    /// Lane `part` of each number in register `register`, in all lanes of the number.
    fn lane(x: &[V], register: usize, part: usize) -> V;
    /// The lowest lane of each number, zero in the others.
    fn only_lowest(x: V) -> V;
    /// Lanes moved up by one within each number, zero in the lowest.
    fn up(x: V) -> V;
    /// Lanes moved down by one within each number, zero in the highest.
    fn down(x: V) -> V;
}

/// The digits of a part on their way to all lanes; wiped when dropped.
pub(in super::super) struct DigitsInMemory([u64; MAX_REGISTERS]);

impl DigitsInMemory {
    pub(super) fn zero() -> Self {
        Self([0; MAX_REGISTERS])
    }
}

wipe_on_drop!(DigitsInMemory, 0: 0);

/// One number.
pub(in super::super) struct Whole;

impl<V: Radix52> Arrangement<V, 1> for Whole {
    const INNER: u32 = 0x7f;

    type Carry = u64;
    #[inline(always)]
    fn no_carry(_: V::Token) -> u64 {
        0
    }

    /// By general registers and memory, which leaves the ports of multiply-adds alone.
    #[inline(always)]
    fn lowest<const N: usize>(
        columns: &[V; N],
        carry: &mut u64,
        space: &mut DigitsInMemory,
    ) -> [V; N] {
        let digits: &mut [u64; N] = space.0.first_chunk_mut().expect("N is at most the maximum");
        for (digit, column) in digits.iter_mut().zip(columns) {
            *digit = column.first().wrapping_add(*carry);
            *carry = *digit >> RADIX;
        }
        // Opaque: otherwise they come from general registers, by a port of multiply-adds.
        let digits = core::hint::black_box(&*digits);
        let mut lowest = *columns;
        for (lowest, &digit) in lowest.iter_mut().zip(digits) {
            *lowest = V::splat(lowest.token(), digit);
        }
        lowest
    }
    #[inline(always)]
    fn lane(x: &[V], register: usize, part: usize) -> V {
        V::splat_element(x[0].token(), x, LANES * register + part)
    }
    #[inline(always)]
    fn only_lowest(x: V) -> V {
        x.and(V::load(x.token(), &[u64::MAX, 0, 0, 0, 0, 0, 0, 0]))
    }
    #[inline(always)]
    fn up(x: V) -> V {
        x.up(V::zero(x.token()), 1)
    }
    #[inline(always)]
    fn down(x: V) -> V {
        V::zero(x.token()).up(x, LANES - 1)
    }
}

/// Lanes of a half.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const HALF: usize = LANES / 2;

/// Two numbers, one in each half.
pub(in super::super) struct InHalves;

impl<V: Radix52 + Halves> Arrangement<V, 2> for InHalves {
    const INNER: u32 = 0x77;

    /// In all lanes of each half.
    type Carry = V;
    #[inline(always)]
    fn no_carry(token: V::Token) -> V {
        V::zero(token)
    }

    #[inline(always)]
    fn lowest<const N: usize>(columns: &[V; N], carry: &mut V, _: &mut DigitsInMemory) -> [V; N] {
        let mut lowest = *columns;
        for digit in &mut lowest {
            *digit = digit.splat_in_halves(0).add(*carry);
            *carry = digit.carry();
        }
        lowest
    }
    #[inline(always)]
    fn lane(x: &[V], register: usize, part: usize) -> V {
        x[register].splat_in_halves(part)
    }
    #[inline(always)]
    fn only_lowest(x: V) -> V {
        x.and(V::load(x.token(), &[u64::MAX, 0, 0, 0, u64::MAX, 0, 0, 0]))
    }
    #[inline(always)]
    fn up(x: V) -> V {
        x.up_in_halves(V::zero(x.token()), 1)
    }
    #[inline(always)]
    fn down(x: V) -> V {
        V::zero(x.token()).up_in_halves(x, HALF - 1)
    }
}
