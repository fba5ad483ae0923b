//! Two odd moduli, prepared, and the digits of two numbers.
use core::array::from_fn;

use super::factor::Factor;
use super::register::{HALF, Register};
use crate::digits::digit;
use crate::montgomery::common::inverse_and_multiple;
use crate::radix52::{Digits, RADIX, Radix52, zeros};

/// m, M = (m K + 1) / beta^4, and K moved up by 0 to 3 lanes, for two odd m.
pub(super) struct Modulus<V: Radix52, const N: usize> {
    pub(super) digits: Box<Factor<V, N>>,
    pub(super) multiple: Box<Factor<V, N>>,
    pub(super) inverse: Digits<V>,
}

/// The registers of two numbers of limbs.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
pub(super) fn digits_of<V: Register>(
    token: V::Token,
    x: [&[u64]; 2],
    registers: usize,
) -> Digits<V> {
    let mut digits = zeros(token, registers);
    for (k, v) in digits.iter_mut().enumerate() {
        let lane = |l: usize| digit::<RADIX>(x[l / HALF], HALF * k + l % HALF);
        *v = V::from_array(token, from_fn(lane));
    }
    digits
}

/// The N registers of a pair.
#[inline(always)]
pub(super) fn registers<V, const N: usize>(x: &[V]) -> &[V; N] {
    x.first_chunk().expect("numbers of N registers")
}

impl<V: Register, const N: usize> Modulus<V, N> {
    /// The odd moduli `m`.
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
    pub(super) fn new(token: V::Token, m: [&[u64]; 2]) -> Self {
        let [(k0, m0), (k1, m1)] = m.map(|m| inverse_and_multiple(m, HALF * RADIX));
        let mut inverse = zeros(token, HALF);
        for (up, register) in inverse.iter_mut().enumerate() {
            let lane = |l: usize| {
                let (k, l) = ([&k0, &k1][l / HALF], l % HALF);
                if l < up { 0 } else { digit::<RADIX>(k, l - up) }
            };
            *register = V::from_array(token, from_fn(lane));
        }
        let mut factors = [Box::new(Factor::zero(token)), Box::new(Factor::zero(token))];
        factors[0].set(registers(&digits_of::<V>(token, m, N)));
        factors[1].set(registers(&digits_of::<V>(token, [&m0, &m1], N)));
        let [digits, multiple] = factors;
        Self { digits, multiple, inverse }
    }
}
