//! One sample at a time, from any generator: a uniform number compared with every entry of the
//! cumulative table.
//!
//! The distribution is the same as with [`Bitslice::fill`], the stream of samples is not; `fill` is
//! several times faster.

use rand::distr::Distribution;
use tautochrone_simd::vectorize;
use zeroize::Zeroizing;

use super::raw::{Raw, value};
use super::sampler::Bitslice;
use crate::source::{Generator, Source};

impl Bitslice {
    /// One sample.
    pub(super) fn one(&self, source: &mut (impl Source + ?Sized)) -> i32 {
        let x1 = self.single(source);
        self.factor.map_or(x1, |k| x1 + k as i32 * self.single(source))
    }

    fn single(&self, source: &mut (impl Source + ?Sized)) -> i32 {
        let table = &self.cumulative;
        let mut words = Zeroizing::new([0; 3]);
        let count = table.words();
        source.fill_u64(&mut words[..count]);
        let z = vectorize!(self.isa, table.value(words[0], words[1]));
        // The P bits leave over the lowest bit of the last word.
        let sign = (words[count - 1] as u8) << 7;
        let [low, high] = z.to_le_bytes();
        value(self.kind(), <u16 as Raw>::join(low, high | sign))
    }
}

impl Distribution<i32> for Bitslice {
    /// One sample straight from `rng`, in constant time. [`Bitslice::fill`] and
    /// [`Buffered`](crate::Buffered) are several times faster.
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i32 {
        self.one(&mut Generator(rng))
    }
}

impl Distribution<i64> for Bitslice {
    /// One sample straight from `rng`, in constant time. [`Bitslice::fill`] and
    /// [`Buffered`](crate::Buffered) are several times faster.
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.one(&mut Generator(rng)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::cumulative::Cumulative;
    use crate::exact::Pmf;
    use crate::exact::{Half, Variance};

    /// Each value's interval, at both ends, with and without bits below the P that count: its
    /// length is the mass.
    #[test]
    fn intervals_are_the_masses() {
        for sigma in [0.3, 1.0, 3.19, 34.0] {
            for half in [Half::Folded, Half::Unfolded] {
                for precision in [32, 53, 63, 64, 65, 71, 127, 128] {
                    let variance = Variance::from_sigma(sigma).unwrap();
                    let pmf = Pmf::new(&variance, half, precision).unwrap();
                    let table = Cumulative::new(&pmf);
                    let surplus = 128 - precision;
                    let mut start = 0_u128;
                    for (z, mass) in pmf.masses().iter().enumerate().filter(|(_, mass)| **mass > 0)
                    {
                        let last = start + (mass - 1);
                        for (uniform, spare) in [(start, 0), (start, 1), (last, 0), (last, 1)] {
                            let ones = u128::MAX.unbounded_shr(precision) * spare;
                            let uniform = uniform.unbounded_shl(surplus) | ones;
                            let got = table.value((uniform >> 64) as u64, uniform as u64);
                            assert_eq!(usize::from(got), z, "{sigma} {half:?} {precision}");
                        }
                        start = last.wrapping_add(1);
                    }
                    assert_eq!(start, 1_u128.unbounded_shl(precision), "the masses sum to 2^P");
                }
            }
        }
    }

    /// The sign is a bit that decides nothing else.
    #[test]
    fn signs_have_a_bit_of_their_own() {
        for (precision, words) in [(32, 1), (63, 1), (64, 2), (65, 2), (127, 2), (128, 3)] {
            let variance = Variance::from_sigma(2.0).unwrap();
            let table = Cumulative::new(&Pmf::new(&variance, Half::Folded, precision).unwrap());
            assert_eq!(table.words(), words);
            assert!(precision < 64 * words as u32, "a bit is left over");
        }
    }
}
