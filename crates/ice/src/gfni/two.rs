//! Two registers as one of twice the lanes: the instructions of one fill the waits of the other.

use super::{Bytes, Lanes};
use crate::circuit::Plane;

#[derive(Clone, Copy)]
pub(super) struct Two<V>(V, V);

macro_rules! each {
    ($($name:ident($($other:ident),*);)*) => { $(
        #[inline(always)]
        fn $name(self $(, $other: Self)*) -> Self {
            Self(self.0.$name($($other.0),*), self.1.$name($($other.1),*))
        }
    )* };
}

impl<V: Plane> Plane for Two<V> {
    each! {
        xor(other);
        and(other);
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self(V::splat(word), V::splat(word))
    }
}

impl<V: Bytes> Bytes for Two<V> {
    each! {
        select(one, zero);
        add_masked(value, mask);
        add_unmasked(value, mask);
        add2(a, b);
        inverse_affine(matrix);
        multiply(other);
    }
    #[inline(always)]
    fn affine<const C: i32>(self, matrix: Self) -> Self {
        Self(self.0.affine::<C>(matrix.0), self.1.affine::<C>(matrix.1))
    }
}

impl<V: Lanes> Lanes for Two<V> {
    const BLOCKS: usize = 2 * V::BLOCKS;
    each! {
        swap();
        reverse();
        of_next_box();
        low();
        high();
    }
    #[inline(always)]
    fn splat256(words: [u64; 4]) -> Self {
        Self(V::splat256(words), V::splat256(words))
    }
    #[inline(always)]
    fn words(self) -> [u64; 4] {
        self.0.words()
    }
    #[inline(always)]
    fn shuffle(self, order: [u64; 4]) -> Self {
        Self(self.0.shuffle(order), self.1.shuffle(order))
    }
    #[inline(always)]
    fn load(blocks: &[[u8; 8]]) -> Self {
        let (first, second) = blocks.split_at(V::BLOCKS);
        Self(V::load(first), V::load(second))
    }
    #[inline(always)]
    fn store(self, blocks: &mut [[u8; 8]]) {
        let (first, second) = blocks.split_at_mut(V::BLOCKS);
        self.0.store(first);
        self.1.store(second);
    }
}
