//! Barrett reduction for every modulus but zero.
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::U64x8;
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

use crate::error::{Error, same_width};
use crate::exponent::Exponent;
#[cfg(target_arch = "x86_64")]
use crate::modexp::choose::{Engine, Group, Method, choose};
#[cfg(target_arch = "x86_64")]
use crate::modexp::ifma;
use crate::modexp::scalar::{Products, Reduction};
use crate::mul::Mul;
use crate::{div, fz, limb, shift};

/// Arithmetic modulo any m > 0: even, 1, a power of two, tiny, secret.
///
/// B = 2^64, m has n limbs. Let s be such that B^n / 2 <= m' = m 2^s < B^n (the shift is quiet),
/// and mu = floor((B^2n - 1) / m'), so that B^n <= mu < 2 B^n: its top limb is one and is not
/// stored.
///
/// # The bound
/// For x < B^n m' let q1 = floor(x / B^n) and q = floor(q1 mu / B^n) = q1 + floor(q1 (mu - B^n) /
/// B^n). With mu = B^2n / m' - e, 0 < e <= 1, and x = q1 B^n + x0, x0 < B^n:
/// ```text
/// q1 mu / B^n = q1 B^n / m' - e q1 / B^n = x / m' - x0 / m' - e q1 / B^n > x / m' - 2 - 1,
/// ```
/// as x0 / m' < B^n / m' <= 2 and q1 < B^n. The floor loses less than 1, and e > 0 makes q at most
/// x / m': so 0 <= x - q m' < 4 m'. Three conditional subtractions finish, and q <= x / m' < B^n
/// has n limbs.
///
/// Since m divides m', residues modulo m' are residues modulo m; a final (r 2^s mod m') 2^-s = r
/// mod m undoes the scaling.
///
/// # Constant time
/// In the modulus and the operands; the width is public, and so is the modulus being zero.
pub struct Barrett {
    /// m'.
    scaled: Zeroizing<Vec<u64>>,
    /// mu - B^n.
    mu: Zeroizing<Vec<u64>>,
    /// s.
    shift: Zeroizing<u64>,
    mul: Mul,
}

impl core::fmt::Debug for Barrett {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Barrett").field("limbs", &self.scaled.len()).finish_non_exhaustive()
    }
}

impl Barrett {
    /// Prepares the modulus `m`.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`].
    pub fn new(m: &[u64]) -> Result<Self, Error> {
        Self::new_on(Isa::detect_vectors(), m)
    }

    /// [`Self::new`] on a given instruction set.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`].
    pub fn new_on(isa: Isa, m: &[u64]) -> Result<Self, Error> {
        Self::with(Mul::new_on(isa), m)
    }

    /// [`Self::new`] with a given multiplier.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`].
    pub fn with(mul: Mul, m: &[u64]) -> Result<Self, Error> {
        if m.is_empty() || declassify(fz::is_zero(m)) != 0 {
            return Err(Error::ZeroModulus);
        }
        let n = m.len();
        let shift = 64 * n as u64 - shift::measure(m);
        let mut scaled = Zeroizing::new(m.to_vec());
        shift::quiet_shl(&mut scaled, shift);
        let mut quotient = Zeroizing::new(vec![u64::MAX; 2 * n]);
        let mut rest = Zeroizing::new(vec![0; n]);
        div::div_rem(&mut quotient, &mut rest, &scaled);
        let mu = Zeroizing::new(quotient[..n].to_vec());
        Ok(Self { scaled, mu, shift: Zeroizing::new(shift), mul })
    }

    /// Limbs of the modulus.
    #[must_use]
    pub fn width(&self) -> usize {
        self.scaled.len()
    }

    /// `r := x mod m`; `x` has 2 n limbs and is below B^n m' (every product of n-limb numbers
    /// reduced once is).
    fn reduce_scaled(&self, r: &mut [u64], x: &[u64]) {
        let n = self.width();
        let mut t = Zeroizing::new(vec![0; 2 * n]);
        let mut q = Zeroizing::new(x[n..].to_vec());
        self.mul.mul(&mut t, &q, &self.mu);
        fz::add(&mut q, &t[n..]);
        self.mul.mul(&mut t, &q, &self.scaled);
        r.copy_from_slice(&x[..n]);
        let borrow = fz::sub(r, &t[..n]);
        // 0 <= x - q m' < 4 B^n: limb n of the difference is its top, at most 3.
        let mut top = x[n].wrapping_sub(t[n]).wrapping_sub(borrow);
        for _ in 0..3 {
            let spare = &mut t[..n];
            spare.copy_from_slice(r);
            let left = top.wrapping_sub(fz::sub(spare, &self.scaled));
            let taken = !limb::mask(left >> 63);
            fz::mux(r, spare, taken);
            top = limb::mux(top, left, taken);
        }
    }

    /// `x := x mod m'` for an n-limb x, which is below B^n <= 2 m'.
    fn enter(&self, x: &mut [u64]) {
        fz::reduce_once(x, 0, &self.scaled, &mut Zeroizing::new(vec![0; x.len()]));
    }

    /// `r := r mod m` from a residue modulo m'.
    fn leave(&self, r: &mut [u64]) {
        let mut wide = Zeroizing::new(vec![0; 2 * r.len()]);
        wide[..r.len()].copy_from_slice(r);
        shift::quiet_shl(&mut wide, *self.shift);
        self.reduce_scaled(r, &wide);
        shift::quiet_shr(r, *self.shift);
    }

    /// `r := x mod m` for any `x` of 2 n limbs.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn reduce(&self, r: &mut [u64], x: &[u64]) -> Result<(), Error> {
        let n = self.width();
        same_width(n, r)?;
        same_width(2 * n, x)?;
        let mut x = Zeroizing::new(x.to_vec());
        self.enter(&mut x[n..]); // x < B^n m'
        self.reduce_scaled(r, &x);
        self.leave(r);
        Ok(())
    }

    /// `r := x y mod m` for any n-limb operands.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn mul(&self, r: &mut [u64], x: &[u64], y: &[u64]) -> Result<(), Error> {
        same_width(self.width(), x)?;
        same_width(self.width(), y)?;
        let mut t = Zeroizing::new(vec![0; 2 * x.len()]);
        self.mul.mul(&mut t, x, y);
        self.reduce(r, &t)
    }

    /// `r := x^2 mod m`.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn square(&self, r: &mut [u64], x: &[u64]) -> Result<(), Error> {
        same_width(self.width(), x)?;
        let mut t = Zeroizing::new(vec![0; 2 * x.len()]);
        self.mul.square(&mut t, x);
        self.reduce(r, &t)
    }

    /// `r := base^exponent mod m`; the exponent may have any width. 0^0 = 1 mod m. Wide moduli use
    /// AVX-512 IFMA where it is available, unless the products are to be Comba's.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn pow(&self, r: &mut [u64], base: &[u64], exponent: &[u64]) -> Result<(), Error> {
        let exponent = Exponent::secret(exponent);
        #[cfg(target_arch = "x86_64")]
        if let Engine::IfmaBarrett(token) = self.engine() {
            same_width(self.width(), r)?;
            same_width(self.width(), base)?;
            let mut m = self.scaled.clone();
            shift::quiet_shr(&mut m, *self.shift);
            ifma::barrett::modexp::<U64x8<_>>(token, r, base, exponent, &m);
            return Ok(());
        }
        self.pow_scalar(r, base, exponent)
    }

    /// The engine for one power; products by Comba's columns exist on general registers only.
    #[cfg(target_arch = "x86_64")]
    fn engine(&self) -> Engine {
        if self.mul.columns() {
            return Engine::ScalarBarrett;
        }
        choose(self.mul.isa(), Method::Barrett, self.width(), false, Group::single(false))
    }

    /// [`Self::pow`] on general registers.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub(crate) fn pow_scalar(
        &self,
        r: &mut [u64],
        base: &[u64],
        exponent: Exponent<'_>,
    ) -> Result<(), Error> {
        let n = self.width();
        same_width(n, r)?;
        same_width(n, base)?;
        fz::set_limb(r, 1);
        self.enter(r);
        let mut base = Zeroizing::new(base.to_vec());
        self.enter(&mut base);
        Products::new(self, n).pow(r, &base, exponent);
        self.leave(r);
        Ok(())
    }
}

impl Reduction for Barrett {
    fn multiplier(&self) -> Mul {
        self.mul
    }

    fn reduce_product(&self, r: &mut [u64], t: &mut [u64]) {
        self.reduce_scaled(r, t);
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn products_by_columns_are_raised_on_general_registers() {
        let mul = Mul::new();
        let engine = |mul| Barrett::with(mul, &[u64::MAX; 8]).expect("not zero").engine();
        assert_eq!(engine(mul.with_comba(8)), Engine::ScalarBarrett);
        if let Some(ifma) = mul.isa().ifma() {
            assert_eq!(engine(mul), Engine::IfmaBarrett(ifma));
        }
    }
}
