//! Odd moduli, prepared, and the digits of numbers.
use core::array::from_fn;
use core::marker::PhantomData;

use super::arrangement::Arrangement;
use crate::digits::digit;
use crate::montgomery::common::inverse_and_multiple;
use crate::radix52::{Digits, RADIX, Radix52, zeros};

/// m, M = (m K + 1) / beta^N, and the N digits of K in all lanes, for P odd m.
pub(super) struct Modulus<V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize> {
    digits: Digits<V>,
    multiple: Digits<V>,
    inverse: Digits<V>,
    arrangement: PhantomData<A>,
}

impl<V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize> Modulus<V, A, P, N> {
    /// The odd moduli `m`.
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
    pub(super) fn new(token: V::Token, m: [&[u64]; P]) -> Self {
        let constants = m.map(|m| inverse_and_multiple(m, N * RADIX));
        let mut inverse = zeros(token, N);
        for (j, register) in inverse.iter_mut().enumerate() {
            let lane = |l: usize| digit::<RADIX>(&constants[l / A::PARTS].0, j);
            *register = V::from_array(token, from_fn(lane));
        }
        let multiples = from_fn(|p| &constants[p].1[..]);
        Self {
            digits: digits_of::<V, A, P, N>(token, m),
            multiple: digits_of::<V, A, P, N>(token, multiples),
            inverse,
            arrangement: PhantomData,
        }
    }

    /// m.
    #[inline(always)]
    pub(super) fn digits(&self) -> &[V; N] {
        registers(&self.digits)
    }

    /// M.
    #[inline(always)]
    pub(super) fn multiple(&self) -> &[V; N] {
        registers(&self.multiple)
    }

    /// The digits of K.
    #[inline(always)]
    pub(super) fn inverse(&self) -> &[V; N] {
        registers(&self.inverse)
    }
}

/// The registers of numbers of limbs.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
pub(super) fn digits_of<V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize>(
    token: V::Token,
    x: [&[u64]; P],
) -> Digits<V> {
    let mut digits = zeros(token, N);
    for (j, register) in digits.iter_mut().enumerate() {
        let lane = |l: usize| digit::<RADIX>(x[l / A::PARTS], N * (l % A::PARTS) + j);
        *register = V::from_array(token, from_fn(lane));
    }
    digits
}

/// The N registers of numbers.
#[inline(always)]
pub(super) fn registers<V, const N: usize>(x: &[V]) -> &[V; N] {
    x.first_chunk().expect("numbers of N registers")
}
