//! Functions of bits, and comparisons: [`Compare`], [`Logic`], [`OrderedLogic`].

use super::emulated::mask;
use super::pair::both;
use super::{Emulated, EmulatedMask, Pair, U64x1, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// The function `lut3` of a generated table.
macro_rules! gates {
    (|$a:ident, $b:ident, $c:ident, $ones:ident| $($table:literal: $gate:expr,)*) => {
        /// The function with a truth table (bit 4a + 2b + c), in the fewest gates of two inputs:
        /// the table is the least that any order of its inputs has.
        #[expect(unused_variables, reason = "few tables need all")]
        pub(super) const fn lut3<V: crate::vector::Vector>(table: u8) -> fn(V, V, V, V) -> V {
            match table {
                $($table => |$a, $b, $c, $ones| $gate,)*
                _ => unreachable!(),
            }
        }
    };
}

#[rustfmt::skip]
mod gates;

/// The least table that the function with this one has in any order of its inputs, and that order.
const fn least(table: u8) -> (u8, [usize; 3]) {
    let (mut other, mut i) = ((table, [0, 1, 2]), 0);
    let mut least = other;
    // Exchanges of neighbours in turn lead through all orders.
    while i < 5 {
        let (table, [a, b, c]) = other;
        other = if i & 1 == 0 {
            (table & 0xc3 | (table & 0x0c) << 2 | (table & 0x30) >> 2, [b, a, c])
        } else {
            (table & 0x99 | (table & 0x22) << 1 | (table & 0x44) >> 1, [a, c, b])
        };
        if other.0 < least.0 {
            least = other;
        }
        i += 1;
    }
    least
}

/// [`Logic::lut3`] in gates of two inputs.
#[inline(always)]
fn by_gates<V: Vector, const TABLE: i32>(a: V, b: V, c: V) -> V {
    // Constants, so that no other gates are compiled.
    let (gates, [first, second, third]) = const {
        let (table, order) = least(TABLE as u8);
        (gates::lut3::<V>(table), order)
    };
    let inputs = [a, b, c];
    gates(inputs[first], inputs[second], inputs[third], V::splat(a.token(), u64::MAX))
}

/// Bitwise functions of three registers.
pub trait Logic: Vector {
    /// Bit by bit, the function with truth table `TABLE` (bit 4a + 2b + c), 0 <= `TABLE` < 256: one
    /// `vpternlog` where [`Token::TERNARY_LOGIC`](crate::Token::TERNARY_LOGIC), else the fewest
    /// gates of two inputs.
    #[inline(always)]
    fn lut3<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        by_gates::<Self, TABLE>(a, b, c)
    }
}

impl Logic for U64x1 {}
impl<const N: usize> Logic for Emulated<N> {}

impl<V: Logic> Logic for Pair<V> {
    #[inline(always)]
    fn lut3<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        Self(V::lut3::<TABLE>(a.0, b.0, c.0), V::lut3::<TABLE>(a.1, b.1, c.1))
    }
}

/// [`Vector::select`], [`Vector::xor_masked`] and [`Vector::xor3`] for chains in which every
/// instruction waits for the one before it: on Zen 4 `vpternlog` takes two cycles instead of one if
/// its destination is available earlier than another operand, and compilers choose the destination
/// at will. Here the caller chooses it: the operand that is available last.
///
/// The default is the unordered form.
pub trait OrderedLogic: Vector {
    /// Bit by bit, the bit of `one`, which is available last, where self is 1, else the bit of
    /// `zero`.
    #[inline(always)]
    fn select_ordered(self, one: Self, zero: Self) -> Self {
        self.select(one, zero)
    }
    /// self ^ (y & mask), the mask being available last.
    #[inline(always)]
    fn xor_masked_ordered(self, y: Self, mask: Self) -> Self {
        self.xor_masked(y, mask)
    }
    /// self ^ y ^ z, z being available last.
    #[inline(always)]
    fn xor3_ordered(self, y: Self, z: Self) -> Self {
        self.xor3(y, z)
    }
    /// self and `later`: the compiler computes self first, and everything that depends on `later`
    /// afterwards: of instructions that are ready, CPUs start the earliest.
    #[inline(always)]
    fn before(self, later: Self) -> (Self, Self) {
        (self, later)
    }
}

impl<const N: usize> OrderedLogic for Emulated<N> {}

impl<V: OrderedLogic> OrderedLogic for Pair<V> {
    both! {
        select_ordered(one, zero);
        xor_masked_ordered(y, mask);
        xor3_ordered(y, z);
    }
    #[inline(always)]
    fn before(self, later: Self) -> (Self, Self) {
        let (first, second) = (self.0.before(later.0), self.1.before(later.1));
        (Self(first.0, second.0), Self(first.1, second.1))
    }
}

/// Comparisons that [`Vector`] does not have.
pub trait Compare: Vector {
    /// In each lane of 32 bits, the lane of `yes` where self < y, unsigned, else the lane of `no`.
    fn blend_lt_32(self, y: Self, yes: Self, no: Self) -> Self;
    /// A register whose [`sign`](Vector::sign) is `mask`: for masks that live long, which compilers
    /// would move to general registers and back.
    fn of_mask(token: Self::Token, mask: Self::Mask) -> Self;

    /// A record of nothing, for [`Self::note`]. By default the sign of a record says whether any x
    /// was below the limit.
    #[inline(always)]
    fn record(token: Self::Token) -> Self {
        Self::zero(token)
    }
    /// Adds to the record whether x < limit, unsigned; the limit of a record is always the same.
    #[inline(always)]
    fn note(self, x: Self, limit: Self) -> Self {
        self.or(Self::of_mask(self.token(), x.lt(limit)))
    }
    /// In which lanes of a record any x was below the limit.
    #[inline(always)]
    fn noted(self, _limit: Self) -> Self::Mask {
        self.sign()
    }
}

impl<V: Compare> Compare for Pair<V> {
    both! {
        blend_lt_32(y, yes, no);
        note(x, limit);
    }

    #[inline(always)]
    fn of_mask(token: V::Token, mask: Self::Mask) -> Self {
        Self(V::of_mask(token, mask.0), V::of_mask(token, mask.1))
    }

    #[inline(always)]
    fn record(token: V::Token) -> Self {
        Self(V::record(token), V::record(token))
    }
    #[inline(always)]
    fn noted(self, limit: Self) -> Self::Mask {
        Pair(self.0.noted(limit.0), self.1.noted(limit.1))
    }
}

impl<const N: usize> Compare for Emulated<N> {
    fn blend_lt_32(self, y: Self, yes: Self, no: Self) -> Self {
        let low = |condition: bool| mask(condition) & u64::from(u32::MAX);
        let less = self.zip(y, |x, y| low((x as u32) < y as u32) | low(x >> 32 < y >> 32) << 32);
        less.select(yes, no)
    }

    fn of_mask((): (), mask: EmulatedMask<N>) -> Self {
        Self(mask.0)
    }
}
