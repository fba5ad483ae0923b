//! Product and reduction by pairs of rows: two digits of one factor times the other factor are
//! added, the two lowest columns give two digits of the quotient, and the columns move down by two.
//! N registers of columns, and one column above them, hold everything in between.
use tautochrone_simd::wipe;

use super::super::digits_of;
use crate::digits::digit;
use crate::montgomery::common::inverse_and_multiple;
use crate::radix52::{DIGIT, Digits, LANES, RADIX, Radix52, normalise, zeros};

/// A factor: for the lower halves of a row, and, moved up by a digit, for its upper halves and for
/// the lower halves of the next row.
pub(super) struct Factor<V: Radix52, const N: usize> {
    digits: [V; N],
    up: [V; N],
    /// The top digit, which is beyond `up`.
    top: u64,
}

impl<V: Radix52, const N: usize> Factor<V, N> {
    /// 0.
    #[inline(always)]
    pub(super) fn zero(token: V::Token) -> Self {
        let zero = [V::zero(token); N];
        Self { digits: zero, up: zero, top: 0 }
    }

    /// A number of limbs.
    #[inline(always)]
    #[expect(clippy::unnecessary_box_returns, reason = "a secret that moves leaves copies behind")]
    fn of(token: V::Token, x: &[u64]) -> Box<Self> {
        let mut factor = Box::new(Self::zero(token));
        factor.set(registers(&digits_of(token, x, N)));
        factor
    }

    /// self := x.
    #[inline(always)]
    fn set(&mut self, x: &[V; N]) {
        self.digits = *x;
        self.derive();
    }

    /// self := 2 x.
    #[inline(always)]
    fn set_double(&mut self, x: &[V; N]) {
        let token = x[0].token();
        let mut below = V::zero(token);
        for (w, &x) in self.digits.iter_mut().zip(x) {
            let top = x.shr::<{ RADIX as u32 - 1 }>();
            *w = x.add(x).and(V::digit_mask(token)).or(top.up(below, 1));
            below = top;
        }
        self.derive();
    }

    /// Sets the other fields from the digits.
    #[inline(always)]
    fn derive(&mut self) {
        let mut below = V::zero(self.digits[0].token());
        for (w, &x) in self.up.iter_mut().zip(&self.digits) {
            *w = x.up(below, 1);
            below = x;
        }
        self.top = below.last();
    }
}

impl<V: Radix52, const N: usize> Drop for Factor<V, N> {
    fn drop(&mut self) {
        let zero = V::zero(self.digits[0].token());
        wipe(&mut self.digits, zero);
        wipe(&mut self.up, zero);
        wipe(core::slice::from_mut(&mut self.top), 0);
    }
}

/// m, M = (m K + 1) / beta^2, and the two digits of K in all lanes.
pub(super) struct Modulus<V: Radix52, const N: usize> {
    digits: Box<Factor<V, N>>,
    multiple: Box<Factor<V, N>>,
    inverse: Digits<V>,
}

impl<V: Radix52, const N: usize> Modulus<V, N> {
    /// The odd modulus `m`.
    #[inline(always)]
    pub(super) fn new(token: V::Token, m: &[u64]) -> Self {
        let (k, multiple) = inverse_and_multiple(m, 2 * RADIX);
        let mut inverse = zeros(token, 2);
        for (j, register) in inverse.iter_mut().enumerate() {
            *register = V::splat(token, digit::<RADIX>(&k, j));
        }
        Self { digits: Factor::of(token, m), multiple: Factor::of(token, &multiple), inverse }
    }
}

/// The N registers of a number.
#[inline(always)]
fn registers<V: Radix52, const N: usize>(x: &[V]) -> &[V; N] {
    x.first_chunk().expect("a number of N registers")
}

/// Two digits of a factor, in all lanes (`all`) and in general registers.
struct TwoDigits<V> {
    all: [V; 2],
    one: [u64; 2],
}

/// Digits `at` and `at` + 1 of x. They are read twice: from memory they go to all lanes without the
/// port that one of two multiply-adds needs, from a general register they would not.
#[inline(always)]
fn digits<V: Radix52>(x: &[V], at: usize) -> TwoDigits<V> {
    let token = x[0].token();
    let all = [V::splat_element(token, x, at), V::splat_element(token, x, at + 1)];
    let x = core::hint::black_box(x);
    let again = [V::splat_element(token, x, at), V::splat_element(token, x, at + 1)];
    TwoDigits { all, one: [again[0].first(), again[1].first()] }
}

/// From so many registers on, the terms of all registers but the first are added to the columns
/// themselves: from one pair of rows to the next that is a chain of eight multiply-adds and a move,
/// 35 cycles on Intel's cores. Five registers would wait for it (by a fifth of the time), eight as
/// the squares' later rows have fewer terms (by a thirtieth).
const JOINED: usize = 10;

/// The columns, from that of a pair's first row on.
struct Columns<'a, V: Radix52, const N: usize> {
    sums: [V; N],
    /// The column above them.
    top: u64,
    /// The second digit of the quotient of the pair before: the upper halves of its products are
    /// still to be added.
    quotient: V,
    /// Shifts that leave the carry of lane 0 alone.
    carry: V,
    modulus: &'a Modulus<V, N>,
}

/// 52 in lane 0, and all bits in the others.
static CARRY: [u64; LANES] = {
    let mut counts = [64; LANES];
    counts[0] = RADIX as u64;
    counts
};

impl<'a, V: Radix52, const N: usize> Columns<'a, V, N> {
    #[inline(always)]
    fn new(modulus: &'a Modulus<V, N>) -> Self {
        // Opaque: for known counts the compiler makes two instructions of each shift.
        let token = modulus.inverse[0].token();
        let carry = V::from_array(token, *core::hint::black_box(&CARRY));
        let zero = V::zero(token);
        Self { sums: [zero; N], top: 0, quotient: zero, carry, modulus }
    }

    /// The column above the others += its part of x y, without the upper half of x_1 y.
    #[inline(always)]
    fn add_top(&mut self, x: [u64; 2], y: &Factor<V, N>) {
        let product = |x: u64| u128::from(x & DIGIT) * u128::from(y.top);
        self.top += (product(x[0]) >> RADIX) as u64 + (product(x[1]) as u64 & DIGIT);
    }

    /// Columns += x y, without the upper halves of x_1 y, which belong two columns up; y from
    /// register `first` on.
    #[inline(always)]
    fn add_low(&mut self, first: usize, x: [V; 2], one: [u64; 2], y: &Factor<V, N>) {
        let zero = V::zero(x[0].token());
        for t in first..N {
            // The quotient waits for register 0, and these terms do not wait for it.
            let sum = if t == 0 { zero } else { self.sums[t] };
            let sum =
                sum.madd_low(x[0], y.digits[t]).madd_high(x[0], y.up[t]).madd_low(x[1], y.up[t]);
            self.sums[t] = if t == 0 { sum.add(self.sums[0]) } else { sum };
        }
        self.add_top(one, y);
    }

    /// The two lowest digits in all lanes, each with its carry above 52 bits.
    #[inline(always)]
    fn lowest(&self) -> [V; 2] {
        let first = self.sums[0].splat_lane::<0>();
        [first, self.sums[0].splat_lane::<1>().add(first.carry())]
    }

    /// The columns move down by two; register t, moved, becomes `add`(t, it). `lowest` are the two
    /// that leave.
    #[inline(always)]
    fn advance(&mut self, lowest: [V; 2], add: impl Fn(usize, V) -> V) {
        for t in 0..N {
            let above = if t + 1 < N {
                self.sums[t + 1]
            } else {
                V::from_first(lowest[0].token(), self.top)
            };
            let mut column = above.up(self.sums[t], LANES - 2);
            if t == 0 {
                column = column.add(lowest[1].shr_each(self.carry));
            }
            self.sums[t] = add(t, column);
        }
        self.top = 0;
    }

    /// Two rows: digits x, and y from register `first` on.
    ///
    /// Separate sums, with the quotient's terms added last, shorten the chains of operations that
    /// depend on the quotient and on the pair before. References are opaque so that the compiler
    /// does not hold more values than there are registers.
    #[inline(always)]
    fn rows(&mut self, first: usize, TwoDigits { all: x, one }: TwoDigits<V>, y: &Factor<V, N>) {
        self.add_low(first, x, one, core::hint::black_box(y));
        let (y, multiple) = core::hint::black_box((y, &*self.modulus.multiple));
        let (quotient, zero) = (self.lowest(), V::zero(x[0].token()));
        let last = core::mem::replace(&mut self.quotient, quotient[1]);
        self.advance(
            quotient,
            #[inline(always)]
            |t, column| {
                let (digits, up) = (multiple.digits[t], multiple.up[t]);
                let joined = t > 0 && N >= JOINED;
                let mut sum = if joined { column } else { zero }.madd_high(last, digits);
                if t >= first {
                    sum = sum.madd_high(x[1], y.digits[t]);
                }
                let sum = sum.madd_low(quotient[0], digits).madd_high(quotient[0], up);
                if t == 0 {
                    sum.add(column.madd_low(quotient[1], up))
                } else if joined {
                    sum.madd_low(quotient[1], up)
                } else {
                    column.add(sum.madd_low(quotient[1], up))
                }
            },
        );
        self.add_top([quotient[0].first(), quotient[1].first()], multiple);
    }

    /// The last two rows: the quotient's digits times m; digits of the result.
    #[inline(always)]
    fn last_rows(
        mut self,
        first: usize,
        TwoDigits { all: x, one }: TwoDigits<V>,
        y: &Factor<V, N>,
    ) -> [V; N] {
        let Modulus { digits: m, multiple, inverse: k } = self.modulus;
        self.add_low(first, x, one, y);
        let zero = V::zero(x[0].token());
        let [low, high] = self.lowest();
        let quotient = [
            zero.madd_low(low, k[0]),
            zero.madd_high(low, k[0]).madd_low(low, k[1]).madd_low(high, k[0]),
        ];
        self.add_low(0, quotient, [quotient[0].first(), quotient[1].first()], m);
        let last = self.quotient;
        self.advance(
            self.lowest(),
            #[inline(always)]
            |t, column| {
                let sum =
                    column.madd_high(last, multiple.digits[t]).madd_high(quotient[1], m.digits[t]);
                if t < first { sum } else { sum.madd_high(x[1], y.digits[t]) }
            },
        );
        normalise(zero.token(), &mut self.sums, 0);
        self.sums
    }
}

/// r := r y / R modulo m; `factor` is scratch space.
#[inline(always)]
pub(super) fn product<V: Radix52, const N: usize>(
    r: &mut [V],
    y: &[V],
    modulus: &Modulus<V, N>,
    factor: &mut Factor<V, N>,
) {
    factor.set(registers(y));
    let mut columns = Columns::new(modulus);
    for i in (0..LANES * N - 2).step_by(2) {
        columns.rows(0, digits(r, i), factor);
    }
    let digits = columns.last_rows(0, digits(r, LANES * N - 2), factor);
    r.copy_from_slice(&digits);
}

/// All bits of a register of 2 a but the lowest, which comes from the register below.
static ABOVE: [u64; LANES] = {
    let mut mask = [u64::MAX; LANES];
    mask[0] = !1;
    mask
};

/// r := r^2 / R modulo m; `y` is scratch space.
///
/// With A_k for register k of a, a^2 is the sum over k of A_k (A_k + 2 (A_{k+1} + A_{k+2} + ..)):
/// the rows of A_k take it as it is and the digits of 2 a above it, without the bit that comes from
/// A_k. So registers below k need no products: N (N + 1) / 2 of N^2 for each of eight rows.
#[inline(always)]
pub(super) fn square<V: Radix52, const N: usize>(
    r: &mut [V],
    modulus: &Modulus<V, N>,
    y: &mut Factor<V, N>,
) {
    let a: &[V; N] = registers(r);
    y.set_double(a);
    let token = a[0].token();
    let mut columns = Columns::new(modulus);
    macro_rules! rows_of_registers {
        ($($register:literal)*) => {
            $(
                if $register < N {
                    const K: usize = $register;
                    y.digits[K] = a[K];
                    y.up[K] = a[K].up(V::zero(token), 1);
                    let last = K + 1 == N;
                    if last {
                        y.top = a[K].last();
                    } else {
                        y.digits[K + 1] = y.digits[K + 1].and(V::from_array(token, ABOVE));
                        y.up[K + 1] = y.digits[K + 1].up(a[K], 1);
                    }
                    // Not unrolled: the code of all rows would exceed the instruction cache.
                    for pair in 0..core::hint::black_box((LANES >> 1) - usize::from(last)) {
                        let x = digits(r, LANES * K + (2 * pair & (LANES - 2)));
                        columns.rows(K, x, y);
                    }
                }
            )*
        };
    }
    rows_of_registers!(0 1 2 3 4 5 6 7 8 9);
    let digits = columns.last_rows(N - 1, digits(r, LANES * N - 2), y);
    r.copy_from_slice(&digits);
}
