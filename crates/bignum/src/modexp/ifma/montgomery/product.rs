//! Products and reduction, a part of one factor and of the quotient at a time.
use super::arrangement::{Arrangement, DigitsInMemory};
use super::carry::normalise;
use super::modulus::Modulus;
use crate::radix52::Radix52;

/// Up to so many registers, a part of the factor is multiplied while the quotient is computed of
/// the columns of the part before, into columns that no product waits for. Of more registers, the
/// columns would not stay in registers, and there are enough of them to multiply while others wait.
const MAX_AHEAD: usize = 6;

/// `$code` for each digit `$d` of a part.
macro_rules! for_digits {
    ($n:ident, $d:ident => $code:block) => {
        for_digits!(@ $n $d $code 0 1 2 3 4 5 6 7 8 9)
    };
    (@ $n:ident $d:ident $code:block $($k:literal)*) => {
        $(if $k < $n {
            const $d: usize = $k;
            $code
        })*
    };
}

/// Columns += x y beta^d, for digits x in all lanes: the lower halves of x y_j belong to column
/// d + j, the upper ones a column up.
#[inline(always)]
fn add_row<V: Radix52, const N: usize>(
    d: usize,
    low: &mut [V; N],
    high: &mut [V; N],
    x: V,
    y: &[V; N],
) {
    for (j, &y) in y.iter().enumerate() {
        let at = d + j;
        let column = if at < N { &mut low[at] } else { &mut high[at - N] };
        *column = column.madd_low(x, y);
        let column = if at + 1 < N { &mut low[at + 1] } else { &mut high[at + 1 - N] };
        *column = column.madd_high(x, y);
    }
}

/// Columns of a part, of the next one, and of the one above that.
struct Columns<V, const N: usize> {
    low: [V; N],
    high: [V; N],
    above: [V; N],
}

impl<V: Radix52, const N: usize> Columns<V, N> {
    /// Whether the part of the factor that is multiplied is one ahead.
    const AHEAD: bool = N <= MAX_AHEAD;

    /// No columns.
    #[inline(always)]
    fn zero(token: V::Token) -> Self {
        let zero = [V::zero(token); N];
        Self { low: zero, high: zero, above: zero }
    }

    /// Columns += part `part` of x, times y, a part up if [`Self::AHEAD`].
    #[inline(always)]
    fn add_part<A: Arrangement<V, P>, const P: usize>(
        &mut self,
        x: &[V; N],
        part: usize,
        y: &[V; N],
    ) {
        let (x, y) = core::hint::black_box((x, y));
        for_digits!(N, D => {
            self.add_factor(D, A::lane(x, D, part), y);
        });
    }

    /// Columns += x y beta^d, a part up if [`Self::AHEAD`].
    #[inline(always)]
    fn add_factor(&mut self, d: usize, x: V, y: &[V; N]) {
        let Self { low, high, above } = self;
        if Self::AHEAD {
            add_row(d, high, above, x, y);
        } else {
            add_row(d, low, high, x, y);
        }
    }

    /// Columns += x y, for the digits x of a part.
    #[inline(always)]
    fn add_rows(&mut self, x: &[V; N], y: &[V; N]) {
        let zero = [V::zero(x[0].token()); N];
        // Where there are registers, sums for odd digits apart: chains of half the length.
        let (mut low, mut high) = (zero, zero);
        for_digits!(N, D => {
            if Self::AHEAD && D & 1 == 1 {
                add_row(D, &mut low, &mut high, x[D], y);
            } else {
                add_row(D, &mut self.low, &mut self.high, x[D], y);
            }
        });
        if Self::AHEAD {
            for j in 0..N {
                self.low[j] = self.low[j].add(low[j]);
                self.high[j] = self.high[j].add(high[j]);
            }
        }
    }

    /// The columns move down by a part.
    #[inline(always)]
    fn advance<A: Arrangement<V, P>, const P: usize>(&mut self) {
        for j in 0..N {
            self.low[j] = self.high[j].add(A::down(self.low[j]));
        }
        self.high = self.above;
        self.above = [V::zero(self.low[0].token()); N];
    }
}

/// Two factors, and the modulus.
struct Operands<'a, V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize> {
    x: &'a [V; N],
    y: &'a [V; N],
    modulus: &'a Modulus<V, A, P, N>,
}

impl<V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize> Operands<'_, V, A, P, N> {
    /// The columns move down by a part, whose digits are the quotient, times M; part `next` of x is
    /// multiplied by y, if `MORE`.
    #[inline(always)]
    fn step<const MORE: bool>(
        &self,
        columns: &mut Columns<V, N>,
        carry: &mut A::Carry,
        space: &mut DigitsInMemory,
        next: usize,
    ) {
        let quotient = A::lowest(&columns.low, carry, space);
        columns.advance::<A, P>();
        // Opaque: the compiler would hold more than there are registers.
        let (x, y, multiple) = core::hint::black_box((self.x, self.y, self.modulus.multiple()));
        if Columns::<V, N>::AHEAD {
            for_digits!(N, D => {
                add_row(D, &mut columns.low, &mut columns.high, quotient[D], multiple);
                if MORE {
                    columns.add_factor(D, A::lane(x, D, next), y);
                }
            });
        } else {
            columns.add_rows(&quotient, multiple);
            if MORE {
                columns.add_part::<A, P>(x, next, y);
            }
        }
    }

    /// The last quotient is the lowest digits times K, so that no multiple of m K remains; digits
    /// of the result.
    #[inline(always)]
    fn finish(
        &self,
        mut columns: Columns<V, N>,
        mut carry: A::Carry,
        space: &mut DigitsInMemory,
    ) -> [V; N] {
        let token = self.x[0].token();
        let lowest = A::lowest(&columns.low, &mut carry, space);
        let modulus = core::hint::black_box(self.modulus);
        // Nothing looks at what goes beyond the part, and the compiler leaves it out.
        let mut quotient = Columns::zero(token);
        quotient.add_rows(&lowest, modulus.inverse());
        let mut quotient = quotient.low;
        for j in 1..N {
            quotient[j] = quotient[j].add(quotient[j - 1].carry());
        }
        columns.add_rows(&quotient, modulus.digits());
        // The lowest part, with the carry that came in, is a multiple of beta^N now. So its highest
        // column is less than 2^12 below a multiple of beta, which is the carry.
        let carry = columns.low[N - 1].add(V::digit_mask(token)).carry();
        columns.advance::<A, P>();
        columns.low[0] = columns.low[0].add(A::only_lowest(carry));
        normalise::<V, A, P, N>(&mut columns.low);
        columns.low
    }
}

/// x y / R modulo m.
#[inline(always)]
pub(super) fn product<V: Radix52, A: Arrangement<V, P>, const P: usize, const N: usize>(
    x: &[V; N],
    y: &[V; N],
    modulus: &Modulus<V, A, P, N>,
    space: &mut DigitsInMemory,
) -> [V; N] {
    let token = x[0].token();
    let operands = Operands { x, y, modulus };
    let mut columns = Columns::zero(token);
    let mut carry = A::no_carry(token);
    for_digits!(N, D => {
        add_row(D, &mut columns.low, &mut columns.high, A::lane(x, D, 0), y);
    });
    let ahead = usize::from(Columns::<V, N>::AHEAD);
    if ahead > 0 {
        columns.add_part::<A, P>(x, 1, y);
    }
    for part in 1 + ahead..core::hint::black_box(A::PARTS) {
        operands.step::<true>(&mut columns, &mut carry, space, part);
    }
    if ahead > 0 {
        operands.step::<false>(&mut columns, &mut carry, space, 0);
    }
    operands.finish(columns, carry, space)
}
