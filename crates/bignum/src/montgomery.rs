//! Montgomery arithmetic for odd moduli.
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

#[cfg(target_arch = "x86_64")]
use crate::asm::quotients::{self, GROUP};
use crate::modexp::{Products, Reduction};
use crate::power::{Ring as _, power_vartime};
use crate::{Error, Mul, fz, same_width, shift, word};

/// Arithmetic modulo an odd m in the form x R, R = 2^(64 n).
///
/// # The bound
/// Residues are any numbers below R, not only those below m (Gueron 2012). For x, y < R the reduction gives
/// (x y + q m) / R < R + q m / R with q < R, or q < 2 R where quotients come without multiplications
/// (`asm::quotients`): one or two subtractions of m, each taken if there is a carry above R, lead back below R, and only the
/// last residue is reduced further.
///
/// # Constant time
/// In the modulus and the operands; the width and the parity of the modulus are public.
/// # Source
/// Montgomery 1985.
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
        f.debug_struct("Montgomery").field("words", &self.modulus.len()).finish_non_exhaustive()
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
    fn square_of_radix(&self) -> Zeroizing<Vec<u64>> {
        let n = self.modulus.len();
        let [mut x] = powers_of_two(&self.modulus, [64 * n + STEP]);
        power_vartime(&mut Products::new(self, n), &mut x, 64 / STEP * n);
        x
    }

    /// t := t + q m, q < R such that the lower half becomes zero; returns the carry. The lower half is left in any state.
    fn add_multiple(&self, t: &mut [u64]) -> u64 {
        let n = self.modulus.len();
        let mut top = 0;
        for i in 0..n {
            let q = t[i].wrapping_mul(*self.inverse);
            let mut carry = 0;
            for (a, &w) in t[i..i + n].iter_mut().zip(self.modulus.iter()) {
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

/// -1 / m modulo 2^64, from the lowest word of an odd m.
pub(crate) fn negative_inverse(m: u64) -> u64 {
    // m x = 1 modulo 2^3 for x = m; every step doubles the bits: 3, 6, 12, 24, 48, 96.
    let mut x = m;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(m.wrapping_mul(x)));
    }
    x.wrapping_neg()
}

/// K = -1 / m modulo 2^bits, and (m K + 1) / 2^bits, which is at most m and has its width.
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
pub(crate) fn inverse_and_multiple(
    m: &[u64],
    bits: usize,
) -> (Zeroizing<Vec<u64>>, Zeroizing<Vec<u64>>) {
    let words = bits.div_ceil(64);
    let mut inverse = Zeroizing::new(vec![0; words]);
    inverse[0] = negative_inverse(m[0]);
    let mut known = 1;
    while known < words {
        // A step of Newton's doubles the bits: K (2 + m K).
        known = (2 * known).min(words);
        let mut factor = Zeroizing::new(vec![0; known]);
        factor[0] = 2;
        add_product(&mut factor, m, &inverse);
        let mut next = Zeroizing::new(vec![0; words]);
        add_product(&mut next[..known], &factor, &inverse);
        inverse = next;
    }
    if !bits.is_multiple_of(64) {
        inverse[words - 1] &= (1 << (bits % 64)) - 1;
    }
    let mut multiple = Zeroizing::new(vec![0; m.len() + words]);
    multiple[0] = 1;
    add_product(&mut multiple, m, &inverse);
    shift::shr(&mut multiple, bits);
    multiple.truncate(m.len());
    (inverse, multiple)
}

/// r := r + x y modulo 2^(64 len), `len` being the width of r.
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
fn add_product(r: &mut [u64], x: &[u64], y: &[u64]) {
    for (j, &y) in y.iter().enumerate().take(r.len()) {
        let (mut carry, mut i) = (0, j);
        while let Some(r) = r.get_mut(i) {
            let x = x.get(i - j).copied().unwrap_or(0);
            (*r, carry) = word::mac(x, y, *r, carry);
            i += 1;
        }
    }
}

/// r := x mod m, for x <= 2 m, which has a word more than m: 2 m may have a bit more.
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
pub(crate) fn reduce_twice(r: &mut [u64], x: &mut [u64], m: &[u64]) {
    let mut spare = Zeroizing::new(vec![0; x.len()]);
    let mut modulus = spare.clone();
    modulus[..m.len()].copy_from_slice(m);
    for _ in 0..2 {
        fz::reduce_once(x, 0, &modulus, &mut spare);
    }
    r.copy_from_slice(&x[..m.len()]);
}

/// Doublings from R to a power that squarings take to R^2: three squarings more than from 2^64 R, and 56 doublings less,
/// of which each takes a tenth of a squaring's time (2048 bits, Zen 4). It divides the radices of both kinds of numbers.
pub(crate) const STEP: usize = 8;

/// 2^e for each e of `exponents`, ascending from 64 n at least, modulo a multiple of m: any residues below 2^(64 n).
///
/// With m' = m 2^s >= 2^(64 n) / 2, 2^(64 n) is 2^(64 n) - m' <= m' modulo m'; doublings modulo m' follow.
pub(crate) fn powers_of_two<const K: usize>(
    m: &[u64],
    exponents: [usize; K],
) -> [Zeroizing<Vec<u64>>; K] {
    let n = m.len();
    let (mut scaled, mut spare) = (Zeroizing::new(m.to_vec()), Zeroizing::new(vec![0; n]));
    shift::quiet_shl(&mut scaled, 64 * n as u64 - shift::measure(m));
    let mut x = scaled.clone();
    fz::neg(&mut x);
    let mut reached = 64 * n;
    exponents.map(|exponent| {
        for _ in reached..exponent {
            let carry = fz::double(&mut x, 0);
            fz::reduce_once(&mut x, carry, &scaled, &mut spare);
        }
        reached = exponent;
        x.clone()
    })
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
        fz::sub_gated(r, &self.modulus, word::mask(top));
    }
}
