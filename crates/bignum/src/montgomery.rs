//! Montgomery arithmetic for odd moduli.
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroize;

use crate::{Error, Mul, div, fz, modexp, same_width, word};

/// Arithmetic modulo an odd m in the form x R, R = 2^(64 n).
///
/// # Constant time
/// In the modulus and the operands; the width and the parity of the modulus are public.
/// # Source
/// Montgomery 1985.
pub struct Montgomery {
    modulus: Vec<u64>,
    one: Vec<u64>,
    square: Vec<u64>,
    /// -1 / m modulo 2^64.
    inverse: u64,
    mul: Mul,
    /// For widths that are multiples of eight words, -1 / m modulo 2^512.
    #[cfg(target_arch = "x86_64")]
    inverse_row: Option<[u64; 8]>,
    #[cfg(target_arch = "x86_64")]
    adx: Option<tautochrone_simd::Adx>,
}

impl Drop for Montgomery {
    fn drop(&mut self) {
        self.modulus.zeroize();
        self.one.zeroize();
        self.square.zeroize();
        self.inverse.zeroize();
        #[cfg(target_arch = "x86_64")]
        self.inverse_row.zeroize();
    }
}

impl core::fmt::Debug for Montgomery {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Montgomery").field("words", &self.modulus.len()).finish_non_exhaustive()
    }
}

impl Montgomery {
    /// Prepares the odd modulus `m`.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`], [`Error::EvenModulus`].
    pub fn new(m: &[u64]) -> Result<Self, Error> {
        Self::new_on(Isa::detect(), m)
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
        let n = m.len();
        // m x = 1 modulo 2^3 for x = m; every step doubles the bits: 3, 6, 12, 24, 48, 96.
        let mut x = m[0];
        for _ in 0..5 {
            x = x.wrapping_mul(2u64.wrapping_sub(m[0].wrapping_mul(x)));
        }
        let mut spare = vec![0; n];
        let mut one = vec![0; n];
        one[0] = 1;
        fz::reduce_once(&mut one, 0, m, &mut spare);
        let double = |x: &mut Vec<u64>, spare: &mut [u64]| {
            let mut y = x.clone();
            div::add_mod(x, &y, m, spare);
            y.zeroize();
        };
        for _ in 0..64 * n {
            double(&mut one, &mut spare);
        }
        let mut square = one.clone();
        for _ in 0..64 * n {
            double(&mut square, &mut spare);
        }
        spare.zeroize();
        Ok(Self {
            modulus: m.to_vec(),
            one,
            square,
            inverse: x.wrapping_neg(),
            mul: Mul::new_on(isa),
            #[cfg(target_arch = "x86_64")]
            inverse_row: inverse_row(m, x),
            #[cfg(target_arch = "x86_64")]
            adx: isa.adx(),
        })
    }

    /// `r := t / R mod m` for `t < m R`; `t` is overwritten. t + q m < 2 m R, hence one conditional subtraction.
    fn reduce(&self, r: &mut [u64], t: &mut [u64]) {
        let m = &self.modulus[..];
        let n = m.len();
        let top = self.add_multiple(t);
        let (spare, high) = t.split_at_mut(n);
        r.copy_from_slice(high);
        fz::reduce_once(r, top, m, spare);
    }

    /// t := t + q m, q < R such that the lower half becomes zero; returns the carry. The lower half is left in any state.
    fn add_multiple(&self, t: &mut [u64]) -> u64 {
        let m = &self.modulus[..];
        let n = m.len();
        let mut top = 0;
        #[cfg(target_arch = "x86_64")]
        if let (Some(adx), Some(inverse)) = (self.adx, &self.inverse_row) {
            use crate::asm::rows::{ROW, add_product, mul_low};
            let (mut q, mut high) = ([0; ROW], [0; ROW]);
            for i in (0..n).step_by(ROW) {
                // Eight words of q at once: q = -t / m modulo 2^512.
                mul_low(adx, &mut q, &t[i..i + ROW], inverse);
                high.copy_from_slice(&t[i + n..i + n + ROW]);
                add_product::<true>(adx, &mut t[i..i + n + ROW], m, &q);
                for (a, &h) in t[i + n..].iter_mut().zip(&high) {
                    (*a, top) = word::add(*a, h, top);
                }
            }
            q.zeroize();
            high.zeroize();
            return top;
        }
        for i in 0..n {
            let q = t[i].wrapping_mul(self.inverse);
            let mut carry = 0;
            for (a, &w) in t[i..i + n].iter_mut().zip(m) {
                (*a, carry) = word::mac(q, w, *a, carry);
            }
            (t[i + n], top) = word::add(t[i + n], carry, top);
        }
        top
    }

    /// `r := base^exponent mod m`; the exponent may have any width.
    ///
    /// # Errors
    /// [`Error::Width`].
    pub fn pow(&self, r: &mut [u64], base: &[u64], exponent: &[u64]) -> Result<(), Error> {
        let n = self.modulus.len();
        same_width(n, r)?;
        same_width(n, base)?;
        // base R^2 < R m, whatever the base.
        let mut t = vec![0; 2 * n];
        let mut x = vec![0; n];
        self.mul.mul(&mut t, base, &self.square);
        self.reduce(&mut x, &mut t);
        modexp::windows(self, r, &self.one, &x, exponent);
        t[..n].copy_from_slice(r);
        t[n..].fill(0);
        self.reduce(r, &mut t);
        t.zeroize();
        x.zeroize();
        Ok(())
    }
}

/// -1 / m modulo 2^512 from 1 / m modulo 2^64, where the width of m is a multiple of eight words.
#[cfg(target_arch = "x86_64")]
fn inverse_row(m: &[u64], inverse: u64) -> Option<[u64; 8]> {
    let (blocks, rest) = m.as_chunks::<8>();
    let m = blocks.first().filter(|_| rest.is_empty())?;
    let mul = Mul::new_on(Isa::PORTABLE);
    let (mut x, mut e) = ([0; 8], [0; 8]);
    x[0] = inverse;
    // x := x (2 - m x) doubles the bits: 64, 128, 256, 512.
    for _ in 0..3 {
        mul.mul_low(&mut e, m, &x);
        fz::neg(&mut e);
        fz::add_word(&mut e, 2);
        let y = x;
        mul.mul_low(&mut x, &y, &e);
    }
    fz::neg(&mut x);
    e.zeroize();
    Some(x)
}

impl modexp::Ring for Montgomery {
    fn product(&self, r: &mut [u64], t: &mut [u64], y: &[u64]) {
        self.mul.mul(t, r, y);
        self.reduce(r, t);
    }

    fn squared(&self, r: &mut [u64], t: &mut [u64]) {
        self.mul.square(t, r);
        self.reduce(r, t);
    }
}
