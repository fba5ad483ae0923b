//! [`Float`] on lanes in memory. Rounding needs the standard library.

extern crate std;

use super::super::Emulated;
use super::Float;

impl<const N: usize> Emulated<N> {
    fn zip_f64(self, y: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        self.zip(y, |x, y| f(f64::from_bits(x), f64::from_bits(y)).to_bits())
    }
}

impl<const N: usize> Float for Emulated<N> {
    const CONVERTS: bool = true;

    fn add_f64(self, y: Self) -> Self {
        self.zip_f64(y, |x, y| x + y)
    }
    fn sub_f64(self, y: Self) -> Self {
        self.zip_f64(y, |x, y| x - y)
    }
    fn mul_f64(self, y: Self) -> Self {
        self.zip_f64(y, |x, y| x * y)
    }
    fn mul_add_f64(self, factor: Self, summand: Self) -> Self {
        let number = |lanes: Self, i: usize| f64::from_bits(lanes.0[i]);
        let sum = |i| number(self, i).mul_add(number(factor, i), number(summand, i));
        Self(core::array::from_fn(|i| sum(i).to_bits()))
    }
    fn floor_f64(self) -> Self {
        // `f64::floor` is a routine with branches where no instruction does it.
        self.map(|x| {
            let x = f64::from_bits(x);
            let truncated = x as i64;
            ((truncated - i64::from(truncated as f64 > x)) as f64).to_bits()
        })
    }
    fn to_f64(self) -> Self {
        self.map(|x| (x.cast_signed() as f64).to_bits())
    }
    fn to_i64(self) -> Self {
        self.map(|x| (f64::from_bits(x) as i64).cast_unsigned())
    }
    fn to_u64(self) -> Self {
        // A conversion from `f64` saturates.
        self.map(|x| f64::from_bits(x) as u64)
    }
}
