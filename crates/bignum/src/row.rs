//! One exponentiation at a time: registers hold eight digits of one number (AVX-512 IFMA).
//!
//! beta = 2^52. [`montgomery`] is for odd moduli, [`barrett`] for any, in the same time for all of one width.
//!
//! # Constant time
//! In base, exponent and modulus: straight loops over public widths; shifts and table reads by masks; carries ripple in
//! the adder of general registers.
use crate::modexp::window;
use crate::power::{self, Ring};
use crate::vector::{Digits, LANES, Vector, digit, join, zeros};

pub(crate) mod barrett;
mod carry;
pub(crate) mod montgomery;
mod product;

/// Bits of a window: 32 entries, one product for five squarings. With 64 entries, reading one would cost more than the
/// products that it saves.
const WINDOW: usize = 5;

/// Digits of a number.
#[inline(always)]
fn digits_of<V: Vector>(x: &[u64], vectors: usize) -> Digits<V> {
    let mut digits = zeros(vectors);
    split(&mut digits, x);
    digits
}

/// out := digits of x.
#[inline(always)]
fn split<V: Vector>(out: &mut [V], x: &[u64]) {
    for (k, v) in out.iter_mut().enumerate() {
        *v = V::from_words(core::array::from_fn(|l| digit(x, LANES * k + l)));
    }
}

/// Words of normalised digits, `out` of any width that holds them.
#[inline(always)]
fn words_of<V: Vector>(out: &mut [u64], digits: &[V]) {
    out.fill(0);
    join(out, digits.iter().flat_map(|v| v.to_words()));
}

/// r := base^exponent by fixed windows, r being one before.
fn windows<V: Vector>(
    ring: &mut impl Ring<Digit = V, Index = u64>,
    r: &mut [V],
    base: &[V],
    exponent: &[u64],
) {
    let windows = (64 * exponent.len()).div_ceil(WINDOW);
    power::power(ring, r, base, WINDOW, windows, |k| window(exponent, k * WINDOW, WINDOW));
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    #[cfg(target_arch = "x86_64")]
    use tautochrone_simd::Isa;

    use super::carry::normalise;
    use super::*;
    use crate::vector::emulated::Emulated;
    #[cfg(target_arch = "x86_64")]
    use crate::vector::ifma::Register;

    fn big(x: &[u64]) -> BigUint {
        x.iter().rev().fold(BigUint::ZERO, |a, &w| a << 64 | BigUint::from(w))
    }

    type Engine<T> = fn(T, &mut [u64], &[u64], &[u64], &[u64]);

    /// The definition of the vectors; moduli at the ends of their range, 1, and even ones if `even`.
    fn check<T: Copy>(token: T, engine: Engine<T>, widths: &[usize], even: bool) {
        for &n in widths {
            let mut one = vec![0; n];
            one[0] = 1;
            let mut top = vec![0; n];
            top[n - 1] = 1 << 63;
            let ones = vec![u64::MAX; n];
            let mixed: Vec<u64> = (0..n as u64)
                .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32))
                .collect();
            let mut small = one.clone();
            small[0] = 3;
            for m in [&one, &small, &top, &ones, &mixed] {
                let mut m = m.clone();
                if !even {
                    m[0] |= 1;
                }
                for base in [&ones, &mixed] {
                    let exponent = if n > 32 { &[u64::MAX - 1] } else { &mixed[..n.min(3)] };
                    let mut r = vec![0; n];
                    engine(token, &mut r, base, exponent, &m);
                    assert_eq!(big(&r), big(base).modpow(&big(exponent), &big(&m)), "{n}");
                }
                let mut r = vec![0; n];
                engine(token, &mut r, &ones, &[], &m);
                assert_eq!(big(&r), BigUint::from(1u8) % big(&m), "{n}");
            }
        }
    }

    /// Widths of one part, of several, of several parts of columns.
    #[test]
    fn barrett() {
        let widths = [2, 5, 6, 7, 12, 32, 130];
        check((), barrett::modexp::<Emulated>, &widths, true);
        check((), barrett::modexp::<Emulated>, &[1], false);
        #[cfg(target_arch = "x86_64")]
        if let Some(ifma) = Isa::detect().ifma() {
            check(ifma, barrett::modexp::<Register>, &widths, true);
        }
    }

    /// Both ends of the widths of every number of vectors.
    #[test]
    fn montgomery() {
        let ends = [1, 6, 7, 12, 13, 19, 20, 25, 26, 32, 33, 38, 39, 51, 52, 64];
        check((), montgomery::modexp::<Emulated>, &ends, false);
        #[cfg(target_arch = "x86_64")]
        if let Some(ifma) = Isa::detect().ifma() {
            check(ifma, montgomery::modexp::<Register>, &ends, false);
        }
    }

    #[test]
    fn carries_ripple() {
        let digit = crate::vector::DIGIT;
        // (columns of the first lanes, what comes in, digits): the rest is zero; a run of all ones passes a carry across
        // vectors and across groups of eight vectors.
        for (run, start) in [(3, 0), (20, 1), (90, 5), (150, 60)] {
            let columns: Vec<u64> = (0..160)
                .map(|j| {
                    if j == start {
                        digit + 1
                    } else if j > start && j <= start + run {
                        digit
                    } else {
                        0
                    }
                })
                .collect();
            let mut x: Vec<Emulated> = columns
                .chunks(8)
                .map(|c| Emulated::from_words(c.try_into().expect("eight")))
                .collect();
            normalise(&mut x, 0);
            let end = start + run + 1;
            let got: Vec<u64> = x.iter().flat_map(|v| v.to_words()).collect();
            let want: Vec<u64> = (0..160).map(|j| u64::from(j == end)).collect();
            assert_eq!(got, want, "{run} {start}");
        }
    }
}
