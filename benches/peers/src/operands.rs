//! The operands of the measurements of big numbers, here and in `benches/bignum.rs`.
use crypto_bigint::modular::{FixedMontyForm, FixedMontyParams};
use crypto_bigint::{Odd, U2048, U4096, U8192};
use num_bigint::BigUint;

pub(crate) use tautochrone_testkit::numbers::Numbers;

/// The number with these words.
pub(crate) fn big(x: &[u64]) -> BigUint {
    BigUint::new(x.iter().flat_map(|&w| [w as u32, (w >> 32) as u32]).collect())
}

macro_rules! crypto_bigint_pow {
    ($($bits:literal $uint:ty;)*) => {
        /// crypto-bigint's power of `bits` bits by an odd modulus, for the widths that it is
        /// measured at.
        pub(crate) fn crypto_bigint_pow(bits: usize) -> Option<fn(&[u64], &[u64], &[u64]) -> Vec<u64>> {
            match bits {
                $($bits => Some(|base, exponent, modulus| {
                    let of = |x: &[u64]| <$uint>::from_words(x.try_into().expect("the width"));
                    let params = FixedMontyParams::new(Odd::new(of(modulus)).expect("odd"));
                    let power = FixedMontyForm::new(&of(base), &params).pow(&of(exponent));
                    power.retrieve().to_words().to_vec()
                }),)*
                _ => None,
            }
        }
    };
}
crypto_bigint_pow! {
    2048 U2048;
    4096 U4096;
    8192 U8192;
}
