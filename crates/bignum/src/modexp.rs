//! Exponentiation by fixed windows with masked table reads.
use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroize;

use crate::select::Table;
use crate::{Barrett, Error, Montgomery, fz, same_width};

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

/// What exponentiation needs of a ring: products in place, `t` being 2 n words of scratch.
pub(crate) trait Ring {
    fn isa(&self) -> Isa;
    fn product(&self, r: &mut [u64], t: &mut [u64], y: &[u64]);
    fn squared(&self, r: &mut [u64], t: &mut [u64]);
}

/// Bits `at` to `at + width - 1` of the exponent.
pub(crate) fn window(exponent: &[u64], at: usize, width: usize) -> u64 {
    let (w, b) = (at >> 6, at & 63);
    let above = exponent.get(w + 1).copied().unwrap_or(0);
    (exponent[w] >> b | (above << 1) << (63 - b)) & ((1 << width) - 1)
}

/// `r := base^exponent` from a unit and a base in the ring's own form, by windows of 5 bits, and of 6 where the exponent
/// is long enough to pay for 64 entries: 64 + 2048 / 6 products against 32 + 2048 / 5.
pub(crate) fn windows(
    ring: &impl Ring,
    r: &mut [u64],
    one: &[u64],
    base: &[u64],
    exponent: &[u64],
) {
    if exponent.len() < 32 {
        windows_of::<5, 32>(ring, r, one, base, exponent);
    } else {
        windows_of::<6, 64>(ring, r, one, base, exponent);
    }
}

/// Windows of `BITS` bits, `ENTRIES` = 2^`BITS`.
fn windows_of<const BITS: usize, const ENTRIES: usize>(
    ring: &impl Ring,
    r: &mut [u64],
    one: &[u64],
    base: &[u64],
    exponent: &[u64],
) {
    let n = r.len();
    let mut t = vec![0; 2 * n];
    let mut table = Table::<ENTRIES>::new(n);
    table.set(0, one);
    table.set(1, base);
    for i in 2..ENTRIES {
        if i & 1 == 0 {
            table.get(i / 2, r);
            ring.squared(r, &mut t);
        } else {
            // r is the entry before.
            ring.product(r, &mut t, base);
        }
        table.set(i, r);
    }
    let mut entry = vec![0; n];
    let digits = (64 * exponent.len()).div_ceil(BITS);
    r.copy_from_slice(one);
    for k in (0..digits).rev() {
        let digit = window(exponent, k * BITS, BITS);
        table.select(ring.isa(), &mut entry, digit);
        if k + 1 == digits {
            r.copy_from_slice(&entry);
            continue;
        }
        for _ in 0..BITS {
            ring.squared(r, &mut t);
        }
        ring.product(r, &mut t, &entry);
    }
    t.zeroize();
    entry.zeroize();
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
    #[cfg(target_arch = "x86_64")]
    if let Some(ifma) = isa.ifma() {
        use crate::row;
        use crate::vector::ifma::Register;
        same_width(m.len(), r)?;
        same_width(m.len(), base)?;
        if montgomery && row::montgomery::fits(m.len()) {
            row::montgomery::modexp::<Register>(ifma, r, base, exponent, m);
            return Ok(());
        }
        // Odd moduli that do not fit above are narrow, for general registers, or too wide.
        let narrow = montgomery && m.len() <= 8;
        if method != Method::Montgomery && !narrow && row::barrett::fits(m.len()) {
            row::barrett::modexp::<Register>(ifma, r, base, exponent, m);
            return Ok(());
        }
    }
    if montgomery {
        Montgomery::new_on(isa, m)?.pow(r, base, exponent)
    } else {
        Barrett::new_on(isa, m)?.pow(r, base, exponent)
    }
}
