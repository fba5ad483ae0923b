//! Products and reduction by four rows a step, of two numbers in the halves of N registers.
//!
//! A step adds four digits of one factor times the other factor; the four lowest columns, a whole
//! register, give four digits of the quotient; and the columns move down by a register, which takes
//! no instruction. One register above the N holds what the rows push out.
use super::carry::normalise;
use super::factor::Factor;
use super::modulus::Modulus;
use super::register::{HALF, Register};
use crate::radix52::LANES;

/// sum + the part of x y that belongs to a register, for y moved up by each row's place; without
/// the upper halves of the last row.
#[inline(always)]
fn madd<V: Register>(sum: V, x: [V; HALF], y: &[V; HALF]) -> V {
    madd_top(sum.madd_low(x[0], y[0]), x, y)
}

/// [`madd`] for the register above the others, where y has digits only after a move.
#[inline(always)]
fn madd_top<V: Register>(sum: V, x: [V; HALF], y: &[V; HALF]) -> V {
    sum.madd_high(x[0], y[1])
        .madd_low(x[1], y[1])
        .madd_high(x[1], y[2])
        .madd_low(x[2], y[2])
        .madd_high(x[2], y[3])
        .madd_low(x[3], y[3])
}

/// The columns, from that of a step's first row on.
struct Columns<'a, V: Register, const N: usize> {
    sums: [V; N],
    /// The register above them.
    top: V,
    /// The last digit of the quotient of the step before: the upper halves of its products are
    /// still to be added.
    quotient: V,
    /// Shifts that leave the carry of the lowest lane of each half alone.
    carry: V,
    modulus: &'a Modulus<V, N>,
}

/// 52 in the lowest lane of each half, and all bits in the others.
static CARRY: [u64; LANES] = [52, 64, 64, 64, 52, 64, 64, 64];

impl<'a, V: Register, const N: usize> Columns<'a, V, N> {
    #[inline(always)]
    fn new(modulus: &'a Modulus<V, N>) -> Self {
        // Opaque: for known counts the compiler makes two instructions of each shift.
        let token = modulus.inverse[0].token();
        let carry = V::from_array(token, *core::hint::black_box(&CARRY));
        let zero = V::zero(token);
        Self { sums: [zero; N], top: zero, quotient: zero, carry, modulus }
    }

    /// Columns += x y, without the upper halves of the last row, which belong a register up; y from
    /// register `first` on.
    #[inline(always)]
    fn add_low(&mut self, first: usize, x: [V; HALF], y: &Factor<V, N>) {
        for t in first..N {
            self.sums[t] = madd(self.sums[t], x, &y.moved[t]);
        }
        self.top = madd_top(self.top, x, &y.top);
    }

    /// The columns move down by a register, of which `last` is the highest digit; register t
    /// becomes `add`(t) and what moves there.
    #[inline(always)]
    fn advance(&mut self, last: V, add: impl Fn(usize) -> V) {
        for t in 0..N {
            let column = if t + 1 < N { self.sums[t + 1] } else { self.top };
            let column = if t == 0 { column.add(last.shr_each(self.carry)) } else { column };
            // Sums of their own shorten the chains of operations that depend on a quotient.
            self.sums[t] = column.add(add(t));
        }
        self.top = V::zero(last.token());
    }

    /// Four rows: digits x, and y from register `first` on. References are opaque so that the
    /// compiler does not hold more values than there are registers.
    #[inline(always)]
    fn step(&mut self, first: usize, x: [V; HALF], y: &Factor<V, N>) {
        self.add_low(first, x, core::hint::black_box(y));
        let quotient = lowest(self.sums[0]);
        let last = core::mem::replace(&mut self.quotient, quotient[3]);
        let (y, m) = core::hint::black_box((y, &self.modulus.multiple));
        let zero = V::zero(last.token());
        self.advance(
            quotient[3],
            #[inline(always)]
            |t| {
                let sum = zero.madd_high(last, m.moved[t][0]);
                let sum = if t < first { sum } else { sum.madd_high(x[3], y.moved[t][0]) };
                madd(sum, quotient, &m.moved[t])
            },
        );
        self.top = madd_top(self.top, quotient, &m.top);
    }

    /// The last four digits of the quotient, times K, so that no multiple of m K remains.
    #[inline(always)]
    fn last_quotient(&self) -> [V; HALF] {
        let x = lowest(self.sums[0]);
        let k = &self.modulus.inverse;
        let zero = V::zero(x[0].token());
        let low = zero.madd_low(x[0], k[0]).madd_low(x[1], k[1]);
        let high = zero.madd_high(x[0], k[1]).madd_high(x[1], k[2]).madd_high(x[2], k[3]);
        lowest(low.madd_low(x[2], k[2]).madd_low(x[3], k[3]).add(high))
    }

    /// The last four rows; digits of the result.
    #[inline(always)]
    fn finish(&mut self, first: usize, x: [V; HALF], y: &Factor<V, N>) {
        self.add_low(first, x, y);
        let (quotient, last) = (self.last_quotient(), self.quotient);
        let Modulus { digits: m, multiple, .. } = self.modulus;
        self.add_low(0, quotient, m);
        let zero = V::zero(last.token());
        self.advance(
            lowest(self.sums[0])[3],
            #[inline(always)]
            |t| {
                let sum = zero
                    .madd_high(last, multiple.moved[t][0])
                    .madd_high(quotient[3], m.moved[t][0]);
                if t < first { sum } else { sum.madd_high(x[3], y.moved[t][0]) }
            },
        );
        normalise(&mut self.sums);
    }
}

/// The digits of a register, each in all lanes of its half, with its carry above 52 bits.
#[inline(always)]
fn lowest<V: Register>(columns: V) -> [V; HALF] {
    let a = columns.splat_in_halves::<0>();
    let b = columns.splat_in_halves::<1>().add(a.carry());
    let c = columns.splat_in_halves::<2>().add(b.carry());
    let d = columns.splat_in_halves::<3>().add(c.carry());
    [a, b, c, d]
}

/// The digits of a register, each in all lanes of its half.
#[inline(always)]
fn digits<V: Register>(x: V) -> [V; HALF] {
    [
        x.splat_in_halves::<0>(),
        x.splat_in_halves::<1>(),
        x.splat_in_halves::<2>(),
        x.splat_in_halves::<3>(),
    ]
}

/// r := r y / R modulo m; `factor` is scratch space.
#[inline(always)]
pub(super) fn product<V: Register, const N: usize>(
    r: &mut [V; N],
    y: &[V; N],
    modulus: &Modulus<V, N>,
    factor: &mut Factor<V, N>,
) {
    factor.set(y);
    let mut columns = Columns::new(modulus);
    for &x in &r[..N - 1] {
        columns.step(0, digits(x), factor);
    }
    columns.finish(0, digits(r[N - 1]), factor);
    *r = columns.sums;
}

/// r := r^2 / R modulo m; `factor` is scratch space.
///
/// With A_k for register k of a, a^2 is the sum over k of A_k (A_k + 2 (A_{k+1} + A_{k+2} + ..)):
/// the rows of A_k take it as it is and the digits of 2 a above it, without the bit that comes from
/// A_k.
#[inline(always)]
pub(super) fn square<V: Register, const N: usize>(
    r: &mut [V; N],
    modulus: &Modulus<V, N>,
    factor: &mut Factor<V, N>,
) {
    factor.set_double(r);
    let mut columns = Columns::new(modulus);
    macro_rules! steps {
        ($($register:literal)*) => {
            const { assert!(N <= 8, "a step for each register") };
            $(
                if $register + 1 < N {
                    const K: usize = $register;
                    // A loop for the compiler, which otherwise loads what all steps need at once.
                    for _ in 0..core::hint::black_box(1) {
                        factor.set_diagonal(K, r[K]);
                        columns.step(K, digits(r[K]), factor);
                    }
                }
            )*
        };
    }
    steps!(0 1 2 3 4 5 6);
    factor.set_diagonal(N - 1, r[N - 1]);
    columns.finish(N - 1, digits(r[N - 1]), factor);
    *r = columns.sums;
}
