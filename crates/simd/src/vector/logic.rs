//! [`Logic`]: any function of three bits.

use super::{Emulated, Pair, U64x1, Vector};

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
#[cfg(target_arch = "x86_64")]
mod x86;

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
