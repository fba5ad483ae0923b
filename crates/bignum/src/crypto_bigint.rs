//! Numbers from crypto-bigint and back: by reference, so that the caller's copy stays the caller's
//! to wipe.
use crypto_bigint::Uint;

use crate::number::Fixed;

impl<const LIMBS: usize> From<&Uint<LIMBS>> for Fixed<LIMBS> {
    fn from(x: &Uint<LIMBS>) -> Self {
        Self::from_limbs(x.to_words())
    }
}

impl<const LIMBS: usize> From<&Fixed<LIMBS>> for Uint<LIMBS> {
    fn from(x: &Fixed<LIMBS>) -> Self {
        let mut words = [0; LIMBS];
        words.copy_from_slice(x);
        Self::from_words(words)
    }
}

#[cfg(test)]
mod tests {
    use crypto_bigint::U128;

    use super::*;

    #[test]
    fn numbers_cross_the_bridge_and_return() {
        let x = U128::from_be_hex("0123456789abcdeffedcba9876543210");
        let ours = Fixed::from(&x);
        assert_eq!(ours.to_hex(), "0123456789abcdeffedcba9876543210");
        assert_eq!(U128::from(&ours), x);
    }
}
