//! Exponentiation of big-endian bytes, as EVM's MODEXP takes and returns them.
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

use super::choose::Method;
use super::single::power;
use crate::exponent::Exponent;
use crate::number::BoxedNumber;
use crate::{convert, div, fz};

/// `base^exponent mod modulus` of big-endian numbers of any lengths, zero included, in as many
/// bytes as the modulus has. 0^0 is 1 modulo m, and everything modulo 0 is 0, as in EVM's
/// precompiled contract MODEXP.
///
/// ```
/// use tautochrone_bignum::modexp_bytes;
///
/// assert_eq!(modexp_bytes(&[3], &[1, 0, 1], &[0, 251]), [0, 79]);
/// assert_eq!(modexp_bytes(&[], &[], &[0, 1]), [0, 0]);
/// ```
///
/// # Constant time
/// In all three values, but for whether the modulus is zero and whether it is odd; the lengths are
/// public.
/// # Source
/// EIP-198.
#[must_use]
pub fn modexp_bytes(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let limbs = limbs_of(exponent);
    power_of_bytes(base, Exponent::below(&limbs, 8 * exponent.len()), modulus)
}

/// [`modexp_bytes`] of public numbers: leading zeros cost nothing, and neither do most of the
/// products for zeros within the exponent.
///
/// # Constant time
/// In the values of base and modulus, but not in their bytes of leading zeros; variable in the
/// exponent.
#[must_use]
pub fn modexp_bytes_vartime(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let exponent = limbs_of(exponent);
    let (base, short) = (without_zeros(base), without_zeros(modulus));
    let power = power_of_bytes(base, Exponent::public(&exponent), short);
    let mut out = vec![0; modulus.len() - power.len()];
    out.extend(power);
    out
}

/// The bytes from the first that is not zero on, which are public.
fn without_zeros(x: &[u8]) -> &[u8] {
    &x[x.iter().position(|&b| b != 0).unwrap_or(x.len())..]
}

fn limbs_of(x: &[u8]) -> BoxedNumber {
    BoxedNumber::from_be_bytes(x, x.len().div_ceil(8)).expect("as many limbs")
}

fn power_of_bytes(base: &[u8], exponent: Exponent<'_>, modulus: &[u8]) -> Vec<u8> {
    let m = limbs_of(modulus);
    if declassify(fz::is_zero(&m)) != 0 {
        return vec![0; modulus.len()];
    }
    let mut base = limbs_of(base);
    let mut b = Zeroizing::new(vec![0; m.len()]);
    if base.len() > m.len() {
        div::div_rem(&mut base, &mut b, &m);
    } else {
        b[..base.len()].copy_from_slice(&base);
    }
    let mut r = Zeroizing::new(vec![0; m.len()]);
    power(Isa::detect_vectors(), Method::Auto, &mut r, &b, exponent, &m).expect("a modulus");
    let mut bytes = Zeroizing::new(convert::to_be_bytes(&r));
    let spare = bytes.len() - modulus.len();
    bytes.drain(..spare);
    core::mem::take(&mut *bytes)
}
