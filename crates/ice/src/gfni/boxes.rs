//! The words of four S-boxes, two a lane, in two registers: a lane of 128 bits needs no instruction that crosses lanes.

use super::keys::Lane;
use super::vector::{Bytes, Lanes};
use crate::circuit::Plane;

/// S-boxes 0 and 1, 2 and 3.
#[derive(Clone, Copy)]
pub(super) struct Boxes<V>(pub(super) V, pub(super) V);

macro_rules! each {
    ($($name:ident($($other:ident),*);)*) => { $(
        #[inline(always)]
        fn $name(self $(, $other: Self)*) -> Self {
            Self(self.0.$name($($other.0),*), self.1.$name($($other.1),*))
        }
    )* };
}

impl<V: Plane> Plane for Boxes<V> {
    each! {
        xor(other);
        and(other);
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self(V::splat(word), V::splat(word))
    }
}

impl<V: Bytes> Bytes for Boxes<V> {
    each! {
        select(one, zero);
        add_masked(value, mask);
        add2(a, b);
        inverse_affine(matrix);
        multiply(other);
    }
    #[inline(always)]
    fn affine<const C: i32>(self, matrix: Self) -> Self {
        Self(self.0.affine::<C>(matrix.0), self.1.affine::<C>(matrix.1))
    }
}

impl<V: Lanes> Boxes<V> {
    /// The same words in every lane.
    #[inline(always)]
    pub(super) fn load(&[a, b, c, d]: &Lane) -> Self {
        Self(V::splat128([a, b]), V::splat128([c, d]))
    }

    /// Within every lane of each register, the bytes that `order` says.
    #[inline(always)]
    pub(super) fn shuffle(self, &[a, b, c, d]: &Lane) -> Self {
        Self(self.0.shuffle(V::splat128([a, b])), self.1.shuffle(V::splat128([c, d])))
    }

    /// Bits exchanged with those of the partner, where the mask, of either register, says so.
    #[inline(always)]
    pub(super) fn exchanged(self, mask: V) -> Self {
        Self(mask.select(self.1, self.0), mask.select(self.0, self.1))
    }
}
