//! Barrett reduction for every modulus but zero.
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroize;

use crate::{Error, Mul, div, fz, modexp, same_width, shift};

/// Arithmetic modulo any m > 0: even, 1, a power of two, tiny, secret.
///
/// B = 2^64, m has n words. Let s be such that B^n / 2 <= m' = m 2^s < B^n (the shift is quiet), and
/// mu = floor((B^2n - 1) / m'), so that B^n <= mu < 2 B^n: its top word is one and is not stored.
///
/// # The bound
/// For x < B^n m' let q1 = floor(x / B^n) and q = floor(q1 mu / B^n) = q1 + floor(q1 (mu - B^n) / B^n). With
/// mu = B^2n / m' - e, 0 < e <= 1, and x = q1 B^n + x0, x0 < B^n:
/// ```text
/// q1 mu / B^n = q1 B^n / m' - e q1 / B^n = x / m' - x0 / m' - e q1 / B^n > x / m' - 2 - 1,
/// ```
/// as x0 / m' < B^n / m' <= 2 and q1 < B^n. The floor loses less than 1, and e > 0 keeps q from below: so
/// 0 <= x - q m' < 4 m'. Three conditional subtractions finish, and q <= x / m' < B^n has n words.
///
/// Since m divides m', residues modulo m' are residues modulo m; a final (r 2^s mod m') 2^-s = r mod m takes the
/// scaling back.
///
/// # Constant time
/// In the modulus and the operands; the width is public, and so is the modulus being zero.
pub struct Barrett {
    scaled: Vec<u64>,
    mu: Vec<u64>,
    shift: u64,
    mul: Mul,
}

impl Drop for Barrett {
    fn drop(&mut self) {
        self.scaled.zeroize();
        self.mu.zeroize();
        self.shift.zeroize();
    }
}

impl core::fmt::Debug for Barrett {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Barrett").field("words", &self.scaled.len()).finish_non_exhaustive()
    }
}

impl Barrett {
    /// Prepares the modulus `m`.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`].
    pub fn new(m: &[u64]) -> Result<Self, Error> {
        Self::new_on(Isa::detect(), m)
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
        let mut scaled = m.to_vec();
        shift::quiet_shl(&mut scaled, shift);
        let mut quotient = vec![u64::MAX; 2 * n];
        let mut rest = vec![0; n];
        div::div_rem(&mut quotient, &mut rest, &scaled);
        let mu = quotient[..n].to_vec();
        quotient.zeroize();
        rest.zeroize();
        Ok(Self { scaled, mu, shift, mul })
    }

    /// Words of the modulus.
    pub fn width(&self) -> usize {
        self.scaled.len()
    }

    /// `r := x mod m`; `x` has 2 n words and is below B^n m' (every product of n-word numbers reduced once is).
    fn reduce_scaled(&self, r: &mut [u64], x: &[u64]) {
        let n = self.width();
        let mut t = vec![0; 2 * n];
        let mut q = x[n..].to_vec();
        self.mul.mul(&mut t, &q, &self.mu);
        fz::add(&mut q, &t[n..]);
        self.mul.mul(&mut t, &q, &self.scaled);
        r.copy_from_slice(&x[..n]);
        let borrow = fz::sub(r, &t[..n]);
        // 0 <= x - q m' < 4 B^n: word n of the difference is its top, at most 3.
        let mut top = x[n].wrapping_sub(t[n]).wrapping_sub(borrow);
        for _ in 0..3 {
            let spare = &mut t[..n];
            spare.copy_from_slice(r);
            let left = top.wrapping_sub(fz::sub(spare, &self.scaled));
            let taken = !crate::word::mask(left >> 63);
            fz::mux(r, spare, taken);
            top = crate::word::mux(top, left, taken);
        }
        t.zeroize();
        q.zeroize();
    }

    /// `x := x mod m'` for an n-word x, which is below B^n <= 2 m'.
    fn enter(&self, x: &mut [u64]) {
        let mut spare = vec![0; x.len()];
        fz::reduce_once(x, 0, &self.scaled, &mut spare);
        spare.zeroize();
    }

    /// `r := r mod m` from a residue modulo m'.
    fn leave(&self, r: &mut [u64]) {
        let mut wide = r.to_vec();
        wide.resize(2 * r.len(), 0);
        shift::quiet_shl(&mut wide, self.shift);
        self.reduce_scaled(r, &wide);
        shift::quiet_shr(r, self.shift);
        wide.zeroize();
    }

    /// `r := x mod m` for any `x` of 2 n words.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn reduce(&self, r: &mut [u64], x: &[u64]) -> Result<(), Error> {
        let n = self.width();
        same_width(n, r)?;
        same_width(2 * n, x)?;
        let mut x = x.to_vec();
        self.enter(&mut x[n..]); // x < B^n m'
        self.reduce_scaled(r, &x);
        self.leave(r);
        x.zeroize();
        Ok(())
    }

    /// `r := x y mod m` for any n-word operands.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn mul(&self, r: &mut [u64], x: &[u64], y: &[u64]) -> Result<(), Error> {
        same_width(self.width(), x)?;
        same_width(self.width(), y)?;
        let mut t = vec![0; 2 * x.len()];
        self.mul.mul(&mut t, x, y);
        let done = self.reduce(r, &t);
        t.zeroize();
        done
    }

    /// `r := x^2 mod m`.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn square(&self, r: &mut [u64], x: &[u64]) -> Result<(), Error> {
        self.mul(r, x, x)
    }

    /// `r := base^exponent mod m`; the exponent may have any width. 0^0 = 1 mod m. From three words on by
    /// AVX-512 IFMA where it is, unless the products are to be Comba's.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn pow(&self, r: &mut [u64], base: &[u64], exponent: &[u64]) -> Result<(), Error> {
        let n = self.width();
        same_width(n, r)?;
        same_width(n, base)?;
        #[cfg(target_arch = "x86_64")]
        if let Some(ifma) = self.mul.isa().ifma()
            && !self.mul.columns()
            && crate::row::barrett::fits(n)
        {
            let mut m = self.scaled.clone();
            shift::quiet_shr(&mut m, self.shift);
            crate::row::barrett::modexp::<crate::vector::ifma::Register>(
                ifma, r, base, exponent, &m,
            );
            m.zeroize();
            return Ok(());
        }
        let mut one = vec![0; n];
        one[0] = 1;
        self.enter(&mut one);
        let mut base = base.to_vec();
        self.enter(&mut base);
        modexp::windows(self, r, &one, &base, exponent);
        self.leave(r);
        base.zeroize();
        Ok(())
    }
}

impl modexp::Ring for Barrett {
    fn isa(&self) -> Isa {
        self.mul.isa()
    }

    fn product(&self, r: &mut [u64], t: &mut [u64], y: &[u64]) {
        self.mul.mul(t, r, y);
        self.reduce_scaled(r, t);
    }

    fn squared(&self, r: &mut [u64], t: &mut [u64]) {
        self.mul.square(t, r);
        self.reduce_scaled(r, t);
    }
}
