//! The rounds as a Boolean circuit on bit planes: plane b holds bit b of as many blocks as it has
//! bits. One source for every width of register; about 2000 operations a round, no table, no
//! branch.

use alloc::vec::Vec;

use tautochrone_simd::vector::Vector;
use tautochrone_simd::wipe_on_drop;

use crate::field::{BY_LAMBDA, INPUT, OUTPUT, PBOX, SQUARE};
use crate::schedule::{Schedule, Subkey};

/// A round's key, each bit spread over a word: left data, right data, salt.
#[derive(Clone, Copy)]
struct Spread([[u64; 20]; 3]);

/// The rounds of a key for the circuit.
pub(crate) struct Keys(Vec<Spread>);

wipe_on_drop!(Keys, 0: Spread([[0; 20]; 3]));

impl Keys {
    pub(crate) fn new(schedule: &Schedule) -> Self {
        let spread =
            |part: u32| core::array::from_fn(|bit| u64::from(part >> bit & 1).wrapping_neg());
        let round = |&key: &u64| {
            let key = Subkey(key);
            let [left, right] = key.data();
            Spread([spread(left), spread(right), spread(key.salt())])
        };
        Self(schedule.0.iter().map(round).collect())
    }
}

/// Planes of the low and of the high half of the blocks.
pub(crate) type State<P> = [[P; 32]; 2];

/// All rounds, and the exchange of halves at the end.
///
/// # Constant time
/// In key and blocks.
#[inline(always)]
pub(crate) fn rounds<P: Vector>(keys: &Keys, decrypt: bool, state: &mut State<P>) {
    let [low, high] = state;
    let (mut from, mut to) = (low, high);
    let count = keys.0.len();
    for i in 0..count {
        round(&keys.0[if decrypt { count - 1 - i } else { i }], from, to);
        core::mem::swap(&mut from, &mut to);
    }
    // An even number of rounds: `from` is the low half again, and becomes the high one.
    core::mem::swap(from, to);
}

/// to ^= F(from).
#[inline(always)]
fn round<P: Vector>(key: &Spread, from: &[P; 32], to: &mut [P; 32]) {
    let [data_left, data_right, salt] = &key.0;
    let token = from[0].token();
    // The expanded input, bits 0..20 of two halves; exchanged by the salt, and the key added.
    let (mut left, mut right) = ([P::zero(token); 20], [P::zero(token); 20]);
    for bit in 0..20 {
        let (l, r) = if bit < 10 {
            (from[16 + bit], from[bit])
        } else {
            (from[(bit + 14) & 31], from[bit - 2])
        };
        let swap = l.xor(r).and(P::splat(token, salt[bit]));
        left[bit] = l.xor(swap).xor(P::splat(token, data_left[bit]));
        right[bit] = r.xor(swap).xor(P::splat(token, data_right[bit]));
    }
    let ([lower_left, upper_left], [lower_right, upper_right]) = (halves(&left), halves(&right));
    add::<P, 0>(to, sbox_0(upper_left));
    add::<P, 2>(to, sbox_2(upper_right));
    add::<P, 1>(to, sbox_1(lower_left));
    add::<P, 3>(to, sbox_3(lower_right));
}

/// The inputs of two S-boxes.
#[inline(always)]
fn halves<P: Vector>(planes: &[P; 20]) -> [[P; 10]; 2] {
    let (halves, _) = planes.as_chunks();
    [halves[0], halves[1]]
}

/// Adds the output of S-box `S` where the P-box sends it.
#[inline(always)]
fn add<P: Vector, const S: usize>(to: &mut [P; 32], value: [P; 8]) {
    for (n, value) in value.into_iter().enumerate() {
        let bit = PBOX[24 - 8 * S + n] as usize;
        to[bit] = to[bit].xor(value);
    }
}

/// The sum of the inputs in `MASK`; bit 8 adds 1. The mask is a parameter of the type so that the
/// compiler is left with the sum alone.
#[inline(always)]
fn row<P: Vector, const MASK: u16>(x: &[P; 8]) -> P {
    let mut sum: Option<P> = None;
    macro_rules! term {
        ($($n:literal)*) => { $(
            if MASK >> $n & 1 == 1 {
                sum = Some(match sum {
                    Some(sum) => sum.xor(x[$n]),
                    None => x[$n],
                });
            }
        )* };
    }
    term!(0 1 2 3 4 5 6 7);
    let sum = match sum {
        Some(sum) => sum,
        None => P::zero(x[0].token()),
    };
    if MASK >> 8 & 1 == 1 { sum.xor(P::splat(x[0].token(), u64::MAX)) } else { sum }
}

/// A linear map of the constants' module applied to eight planes. Loops and macros here where
/// closures would be shorter: compilers do not always inline a closure that passes through a
/// library function, and outside of the kernel's function it lacks the kernel's instruction set.
macro_rules! linear {
    ($x:expr, $($map:tt)+) => {
        [
            row::<P, { $($map)+[0] }>($x),
            row::<P, { $($map)+[1] }>($x),
            row::<P, { $($map)+[2] }>($x),
            row::<P, { $($map)+[3] }>($x),
            row::<P, { $($map)+[4] }>($x),
            row::<P, { $($map)+[5] }>($x),
            row::<P, { $($map)+[6] }>($x),
            row::<P, { $($map)+[7] }>($x),
        ]
    };
}

/// S-box `$s`: T, seventh power in F, T^-1.
macro_rules! sbox {
    ($name:ident, $s:literal) => {
        #[inline(always)]
        fn $name<P: Vector>(input: [P; 10]) -> [P; 8] {
            let [r0, column @ .., r1] = input;
            let x = by_row(
                linear!(&column, INPUT[$s][0]),
                linear!(&column, INPUT[$s][1]),
                linear!(&column, INPUT[$s][2]),
                linear!(&column, INPUT[$s][3]),
                (r0, r1),
            );
            let y = seventh_power(x);
            by_row(
                linear!(&y, OUTPUT[$s][0]),
                linear!(&y, OUTPUT[$s][1]),
                linear!(&y, OUTPUT[$s][2]),
                linear!(&y, OUTPUT[$s][3]),
                (r0, r1),
            )
        }
    };
}

sbox!(sbox_0, 0);
sbox!(sbox_1, 1);
sbox!(sbox_2, 2);
sbox!(sbox_3, 3);

/// (A0 + r0 A1 + r1 (A2 + r0 A3)) x, from the four products with x.
#[inline(always)]
fn by_row<P: Vector>(a0: [P; 8], a1: [P; 8], a2: [P; 8], a3: [P; 8], (r0, r1): (P, P)) -> [P; 8] {
    let mut sum = a0;
    for (j, sum) in sum.iter_mut().enumerate() {
        *sum = sum.xor(a1[j].and(r0)).xor(a2[j].xor(a3[j].and(r0)).and(r1));
    }
    sum
}

/// x^7 = x x^2 x^4.
#[inline(always)]
fn seventh_power<P: Vector>(x: [P; 8]) -> [P; 8] {
    let x2 = linear!(&x, SQUARE);
    multiply(multiply(x, x2), linear!(&x2, SQUARE))
}

/// The product in F = K[w] / (w^2 + w + lambda), with three products in K.
#[inline(always)]
fn multiply<P: Vector>(a: [P; 8], b: [P; 8]) -> [P; 8] {
    let [a0, a1, a2, a3, a4, a5, a6, a7] = a;
    let [b0, b1, b2, b3, b4, b5, b6, b7] = b;
    let (a_low, a_high, b_low, b_high) =
        ([a0, a1, a2, a3], [a4, a5, a6, a7], [b0, b1, b2, b3], [b4, b5, b6, b7]);
    let low = multiply_k(a_low, b_low);
    let [q0, q1, q2, q3] = multiply_k(a_high, b_high);
    let cross = sum(multiply_k(sum(a_low, a_high), sum(b_low, b_high)), low);
    let zero = P::zero(a[0].token());
    let scaled = linear!(&[q0, q1, q2, q3, zero, zero, zero, zero], BY_LAMBDA);
    let low = sum(low, [scaled[0], scaled[1], scaled[2], scaled[3]]);
    [low[0], low[1], low[2], low[3], cross[0], cross[1], cross[2], cross[3]]
}

/// The sum in K.
#[inline(always)]
fn sum<P: Vector>(a: [P; 4], b: [P; 4]) -> [P; 4] {
    [a[0].xor(b[0]), a[1].xor(b[1]), a[2].xor(b[2]), a[3].xor(b[3])]
}

/// The product in K = GF(2)[a] / (a^4 + a + 1).
#[inline(always)]
fn multiply_k<P: Vector>(a: [P; 4], b: [P; 4]) -> [P; 4] {
    macro_rules! p {
        ($i:literal, $j:literal) => {
            a[$i].and(b[$j])
        };
    }
    let c4 = p!(1, 3).xor(p!(2, 2)).xor(p!(3, 1));
    let c5 = p!(2, 3).xor(p!(3, 2));
    let c6 = p!(3, 3);
    [
        p!(0, 0).xor(c4),
        p!(0, 1).xor(p!(1, 0)).xor(c4).xor(c5),
        p!(0, 2).xor(p!(1, 1)).xor(p!(2, 0)).xor(c5).xor(c6),
        p!(0, 3).xor(p!(1, 2)).xor(p!(2, 1)).xor(p!(3, 0)).xor(c6),
    ]
}
