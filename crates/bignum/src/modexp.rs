//! Exponentiation: which arithmetic, and powers of numbers of words.
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

use crate::power::{Ring, Table, windows};
use crate::select::select;
use crate::{Barrett, Error, Montgomery, Mul, fz, same_width};

/// How to reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// What is fastest: Montgomery for odd moduli and Barrett for even ones, so that the parity shows in the time. Where
    /// eight lanes of AVX-512 IFMA are full, Barrett for all.
    Auto,
    /// Barrett, for every modulus in the same time.
    Barrett,
    /// Montgomery, for odd moduli.
    Montgomery,
}

/// A modulus prepared for numbers of words.
pub(crate) trait Reduction {
    fn multiplier(&self) -> Mul;
    /// `r := t` reduced, in the form of the ring, for a product `t` of 2 n words, which is overwritten.
    fn reduce_product(&self, r: &mut [u64], t: &mut [u64]);
}

/// Products reduced by `R`, with room for one.
pub(crate) struct Products<'a, R>(&'a R, Zeroizing<Vec<u64>>);

impl<'a, R: Reduction> Products<'a, R> {
    /// Of numbers of `n` words.
    pub(crate) fn new(reduction: &'a R, n: usize) -> Self {
        Self(reduction, Zeroizing::new(vec![0; 2 * n]))
    }

    /// `r := base^exponent`, `r` being one before, by windows of 5 bits, and of 6 where the exponent is long enough to pay
    /// for 64 entries: 64 + 2048 / 6 products against 32 + 2048 / 5.
    pub(crate) fn pow(mut self, r: &mut [u64], base: &[u64], exponent: &[u64]) {
        let bits = if exponent.len() < 32 { 5 } else { 6 };
        windows(&mut self, r, base, exponent, bits);
    }
}

impl<R: Reduction> Ring for Products<'_, R> {
    type Digit = u64;
    type Index = u64;

    fn multiply(&mut self, r: &mut [u64], y: &[u64]) {
        let Self(reduction, t) = self;
        reduction.multiplier().mul(t, r, y);
        reduction.reduce_product(r, t);
    }

    fn square(&mut self, r: &mut [u64]) {
        let Self(reduction, t) = self;
        reduction.multiplier().square(t, r);
        reduction.reduce_product(r, t);
    }

    fn select(&self, entry: &mut [u64], table: &Table<u64>, index: u64) {
        select(self.0.multiplier().isa(), entry, table, index);
    }
}

/// `r := base^exponent mod m`; `r`, `base` and `m` of one width, the exponent of any.
///
/// # Constant time
/// In base, exponent and modulus; [`Method::Auto`] may show the parity of the modulus.
/// # Errors
/// [`Error::ZeroModulus`], [`Error::EvenModulus`], [`Error::Width`].
pub fn modexp(
    isa: Isa,
    method: Method,
    r: &mut [u64],
    base: &[u64],
    exponent: &[u64],
    m: &[u64],
) -> Result<(), Error> {
    if m.is_empty() || declassify(fz::is_zero(m)) != 0 {
        return Err(Error::ZeroModulus);
    }
    let montgomery = method != Method::Barrett && declassify(fz::is_odd(m)) != 0;
    if method == Method::Montgomery && !montgomery {
        return Err(Error::EvenModulus);
    }
    same_width(m.len(), r)?;
    same_width(m.len(), base)?;
    #[cfg(target_arch = "x86_64")]
    if let Some(ifma) = isa.ifma() {
        use crate::row;
        use crate::vector::ifma::Register;
        if montgomery && row::montgomery::fits(m.len()) {
            row::montgomery::modexp::<Register>(ifma, r, base, exponent, m);
            return Ok(());
        }
        // Odd moduli that do not fit are for general registers, or too wide.
        let wide = !montgomery || m.len() > row::montgomery::MAX_WORDS;
        if method != Method::Montgomery && wide && row::barrett::fits(m.len()) {
            row::barrett::modexp::<Register>(ifma, r, base, exponent, m);
            return Ok(());
        }
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = isa.avx2()
        && montgomery
        && crate::half::fits(m.len())
    {
        crate::half::modexp(isa, avx2, r, base, exponent, m);
        return Ok(());
    }
    if montgomery {
        Montgomery::new_on(isa, m)?.pow(r, base, exponent)
    } else {
        Barrett::new_on(isa, m)?.pow(r, base, exponent)
    }
}
