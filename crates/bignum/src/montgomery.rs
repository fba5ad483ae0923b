//! Montgomery arithmetic for odd moduli.
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

#[cfg(target_arch = "x86_64")]
use crate::asm::quotients::{self, GROUP};
use crate::error::{Error, same_width};
use crate::exponent::Exponent;
use crate::modexp::scalar::{Products, Reduction};
use crate::mul::Mul;
use crate::power::{Ring as _, power_vartime};
use crate::{fz, limb};

pub(crate) mod common;

#[cfg(target_arch = "x86_64")]
use common::inverse_and_multiple;
use common::{STEP, negative_inverse, powers_of_two};

/// Arithmetic modulo an odd m in the form x R, R = 2^(64 n).
///
/// # The bound
/// Residues are any numbers below R, not only those below m (Gueron 2012). For x, y < R the
/// reduction gives (x y + q m) / R < R + q m / R with q < R, or q < 2 R where quotients come
/// without multiplications (`asm::quotients`): one or two subtractions of m, each taken if there is
/// a carry above R, lead back below R, and only the last residue is reduced further.
///
/// # Constant time
/// In the modulus and the operands; the width and the parity of the modulus are public.
/// # Source
/// Montgomery 1985.
///
/// ```
/// use tautochrone_bignum::Montgomery;
///
/// let engine = Montgomery::new(&[23])?; // odd
/// let mut power = [0];
/// engine.pow(&mut power, &[3], &[5])?;
/// assert_eq!(power, [13]);
/// # Ok::<(), tautochrone_bignum::Error>(())
/// ```
pub struct Montgomery {
    modulus: Zeroizing<Vec<u64>>,
    /// R^2 modulo m.
    square: Zeroizing<Vec<u64>>,
    /// -1 / m modulo 2^64.
    inverse: Zeroizing<u64>,
    mul: Mul,
    /// For widths with kernels, (m `inverse` + 1) / 2^64.
    #[cfg(target_arch = "x86_64")]
    multiple: Option<(tautochrone_simd::Adx, Zeroizing<Vec<u64>>)>,
}

impl core::fmt::Debug for Montgomery {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Montgomery").field("limbs", &self.modulus.len()).finish_non_exhaustive()
    }
}

impl Montgomery {
    /// Prepares the odd modulus `m`.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`], [`Error::EvenModulus`].
    pub fn new(m: &[u64]) -> Result<Self, Error> {
        Self::new_on(Isa::detect_vectors(), m)
    }

    /// [`Self::new`] on a given instruction set.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`], [`Error::EvenModulus`].
    pub fn new_on(isa: Isa, m: &[u64]) -> Result<Self, Error> {
        if m.is_empty() || declassify(fz::is_zero(m)) != 0 {
            return Err(Error::ZeroModulus);
        }
        if declassify(fz::is_odd(m)) == 0 {
            return Err(Error::EvenModulus);
        }
        let inverse = negative_inverse(m[0]);
        let mut ring = Self {
            modulus: Zeroizing::new(m.to_vec()),
            square: Zeroizing::default(),
            inverse: Zeroizing::new(inverse),
            mul: Mul::new_on(isa),
            #[cfg(target_arch = "x86_64")]
            multiple: isa
                .adx()
                .filter(|_| m.len().is_multiple_of(GROUP))
                .map(|adx| (adx, inverse_and_multiple(m, 64).1)),
        };
        ring.square = ring.square_of_radix();
        Ok(ring)
    }

    /// R^2 modulo m: 2^[`STEP`] in the form x R, to the power of 64 n / [`STEP`].
    #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
    fn square_of_radix(&self) -> Zeroizing<Vec<u64>> {
        let n = self.modulus.len();
        let [mut x] = powers_of_two(&self.modulus, [64 * n + STEP]);
        power_vartime(&mut Products::new(self, n), &mut x, 64 / STEP * n);
        x
    }

    /// t := t + q m, q < R such that the lower half becomes zero; returns the carry. The lower half
    /// is left in any state.
    fn add_multiple(&self, t: &mut [u64]) -> u64 {
        let n = self.modulus.len();
        let mut top = 0;
        for i in 0..n {
            let q = t[i].wrapping_mul(*self.inverse);
            let mut carry = 0;
            for (a, &w) in t[i..i + n].iter_mut().zip(self.modulus.iter()) {
                (*a, carry) = limb::mac(q, w, *a, carry);
            }
            (t[i + n], top) = limb::add(t[i + n], carry, top);
        }
        top
    }

    /// `r := base^exponent mod m`; the exponent may have any width.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn pow(&self, r: &mut [u64], base: &[u64], exponent: &[u64]) -> Result<(), Error> {
        self.power(r, base, Exponent::secret(exponent))
    }

    /// [`Self::pow`] by a secret exponent, or by a public one in a time that depends on it.
    pub(crate) fn power(
        &self,
        r: &mut [u64],
        base: &[u64],
        exponent: Exponent<'_>,
    ) -> Result<(), Error> {
        let n = self.modulus.len();
        same_width(n, r)?;
        same_width(n, base)?;
        let mut x = Zeroizing::new(base.to_vec());
        let mut products = Products::new(self, n);
        products.multiply(&mut x, &self.square);
        // R - m is R modulo m.
        r.copy_from_slice(&self.modulus);
        fz::neg(r);
        products.pow(r, &x, exponent);
        let mut t = Zeroizing::new(vec![0; 2 * n]);
        t[..n].copy_from_slice(r);
        self.reduce_product(r, &mut t);
        // At most (R - 1 + q m) / R < 1 + 2 m, or less by a multiple of m.
        for _ in 0..2 {
            fz::reduce_once(r, 0, &self.modulus, &mut t[..n]);
        }
        Ok(())
    }
}

impl Reduction for Montgomery {
    fn multiplier(&self) -> Mul {
        self.mul
    }

    /// `r := t / R` modulo m, below R, for t < R^2.
    fn reduce_product(&self, r: &mut [u64], t: &mut [u64]) {
        let n = self.modulus.len();
        #[cfg(target_arch = "x86_64")]
        if let Some((adx, multiple)) = &self.multiple {
            let top = quotients::add_multiple(*adx, t, multiple, &self.modulus, *self.inverse);
            quotients::subtract_top(*adx, r, &t[n..], &self.modulus, top);
            return;
        }
        let top = self.add_multiple(t);
        r.copy_from_slice(&t[n..]);
        fz::sub_gated(r, &self.modulus, limb::mask(top));
    }
}
