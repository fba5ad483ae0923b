//! One exponentiation at a time: registers hold eight digits of one number (AVX-512 IFMA).
//!
//! beta = 2^52. [`montgomery`] is for odd moduli, [`barrett`] for any, in the same time for all of
//! one width.
//!
//! # Constant time
//! In base, exponent and modulus: straight loops over public widths; shifts and table reads by
//! masks; carries ripple in the adder of general registers.
use crate::digits::{digit, join};
use crate::vector::{Digits, LANES, RADIX, Vector, zeros};

pub(crate) mod barrett;
mod carry;
pub(crate) mod montgomery;
mod product;

/// Bits of a window: 32 entries, one product for five squarings. With 64 entries, reading one would
/// cost more than the products that it saves.
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
        *v = V::from_array(core::array::from_fn(|l| digit::<RADIX>(x, LANES * k + l)));
    }
}

/// Limbs of normalised digits, `out` of any width that holds them.
#[inline(always)]
fn limbs_of<V: Vector>(out: &mut [u64], digits: &[V]) {
    out.fill(0);
    join::<RADIX>(out, digits.iter().flat_map(|v| v.to_array()));
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "x86_64")]
    use tautochrone_simd::Isa;

    use super::carry::normalise;
    use super::*;
    use crate::check::check;
    use crate::vector::emulated::Emulated;
    #[cfg(target_arch = "x86_64")]
    use crate::vector::ifma::Register;

    /// Widths of one part, of several, of several parts of columns.
    #[test]
    fn barrett_is_right_for_one_and_several_parts_of_columns() {
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
    fn montgomery_is_right_at_both_ends_of_each_number_of_vectors() {
        let ends = [1, 6, 7, 12, 13, 19, 20, 25, 26, 32, 33, 38, 39, 51, 52, 64];
        check((), montgomery::modexp::<Emulated>, &ends, false);
        #[cfg(target_arch = "x86_64")]
        if let Some(ifma) = Isa::detect().ifma() {
            check(ifma, montgomery::modexp::<Register>, &ends, false);
        }
    }

    #[test]
    fn carries_ripple_across_vectors_and_groups() {
        let digit = crate::vector::DIGIT;
        // (columns of the first lanes, what comes in, digits): the rest is zero; a run of all ones
        // passes a carry across vectors and across groups of eight vectors.
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
                .map(|c| Emulated::from_array(c.try_into().expect("eight")))
                .collect();
            normalise(&mut x, 0);
            let end = start + run + 1;
            let got: Vec<u64> = x.iter().flat_map(|v| v.to_array()).collect();
            let want: Vec<u64> = (0..160).map(|j| u64::from(j == end)).collect();
            assert_eq!(got, want, "{run} {start}");
        }
    }
}
