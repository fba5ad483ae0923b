//! Two registers as one.

use super::{Mask, Vector};

/// Two registers side by side, the first one's lanes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair<V>(pub V, pub V);

/// Methods that do the same to both registers.
macro_rules! both {
    ($($name:ident $(<const $n:ident: $type:ty>)? ($($x:ident),*);)*) => {$(
        #[inline(always)]
        fn $name $(<const $n: $type>)? (self $(, $x: Self)*) -> Self {
            Self(
                self.0.$name $(::<$n>)? ($($x.0),*),
                self.1.$name $(::<$n>)? ($($x.1),*),
            )
        }
    )*};
}
pub(super) use both;

impl<V: Vector> Vector for Pair<V> {
    type Token = V::Token;
    type Mask = Pair<V::Mask>;
    const LANES: usize = 2 * V::LANES;

    #[inline(always)]
    fn token(self) -> V::Token {
        self.0.token()
    }

    #[inline(always)]
    fn splat(token: V::Token, x: u64) -> Self {
        let register = V::splat(token, x);
        Self(register, register)
    }
    #[inline(always)]
    fn load(token: V::Token, words: &[u64]) -> Self {
        Self(V::load(token, words), V::load(token, &words[V::LANES..]))
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        self.0.store(words);
        self.1.store(&mut words[V::LANES..]);
    }
    #[inline(always)]
    fn load_bytes(token: V::Token, bytes: &[u8]) -> Self {
        Self(V::load_bytes(token, bytes), V::load_bytes(token, &bytes[8 * V::LANES..]))
    }
    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8]) {
        self.0.store_bytes(bytes);
        self.1.store_bytes(&mut bytes[8 * V::LANES..]);
    }

    both! {
        and(y);
        or(y);
        xor(y);
        andnot(y);
        select(one, zero);
        xor3(y, z);
        xor_masked(y, mask);
        add(y);
        sub(y);
        mul_low_32(y);
        shl<const N: u32>();
        shr<const N: u32>();
        shl_each(counts);
        shr_each(counts);
    }

    #[inline(always)]
    fn eq(self, y: Self) -> Self::Mask {
        Pair(self.0.eq(y.0), self.1.eq(y.1))
    }
    #[inline(always)]
    fn lt(self, y: Self) -> Self::Mask {
        Pair(self.0.lt(y.0), self.1.lt(y.1))
    }
    #[inline(always)]
    fn sign(self) -> Self::Mask {
        Pair(self.0.sign(), self.1.sign())
    }
    #[inline(always)]
    fn blend(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(V::blend(mask.0, yes.0, no.0), V::blend(mask.1, yes.1, no.1))
    }
}

impl<M: Mask> Mask for Pair<M> {
    const LANES: u32 = 2 * M::LANES;

    both! {
        and(other);
        or(other);
        andnot(other);
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.bits() | self.1.bits() << M::LANES
    }
}
