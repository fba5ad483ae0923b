//! Moduli scaled for Barrett's reduction in digits of 52 bits.
use zeroize::Zeroizing;

use super::RADIX;
use crate::digits::join;
use crate::{fz, shift};

/// A modulus m > 0 as m' = m 2^s in limbs, 2^(L-1) <= m' < 2^L for L = 52 D - 32. Residues modulo
/// m' are residues modulo m, and (x 2^s mod m') 2^-s = x mod m.
pub(crate) struct Scaled {
    limbs: Zeroizing<Vec<u64>>,
    /// s.
    count: Zeroizing<u64>,
}

impl Scaled {
    /// For D = `digits`: m has L bits at most.
    pub(crate) fn new(m: &[u64], digits: usize) -> Self {
        let bits = RADIX * digits;
        let mut limbs = Zeroizing::new(vec![0; bits.div_ceil(64)]);
        limbs[..m.len()].copy_from_slice(m);
        let count = bits as u64 - 32 - shift::measure(m);
        shift::quiet_shl(&mut limbs, count);
        Self { limbs, count: Zeroizing::new(count) }
    }

    /// m'.
    pub(crate) fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// x 2^s in twice the limbs, from the digits of x < 2 m', less a multiple of m'.
    #[inline(always)]
    pub(crate) fn raise(&self, x: impl Iterator<Item = u64>) -> Zeroizing<Vec<u64>> {
        let mut limbs = self.least(x, 2 * self.limbs.len());
        shift::quiet_shl(&mut limbs, *self.count);
        limbs
    }

    /// (x mod m') 2^-s, from the digits of x < 2 m'.
    #[inline(always)]
    pub(crate) fn lower(&self, x: impl Iterator<Item = u64>) -> Zeroizing<Vec<u64>> {
        let mut limbs = self.least(x, self.limbs.len());
        shift::quiet_shr(&mut limbs, *self.count);
        limbs
    }

    /// x mod m' in `width` limbs, from the digits of x < 2 m'. Inlined, as the two above, where
    /// registers are read.
    #[inline(always)]
    fn least(&self, x: impl Iterator<Item = u64>, width: usize) -> Zeroizing<Vec<u64>> {
        let mut limbs = Zeroizing::new(vec![0; width]);
        let mut spare = self.limbs.clone();
        let low = &mut limbs[..self.limbs.len()];
        join::<RADIX>(low, x);
        fz::reduce_once(low, 0, &self.limbs, &mut spare);
        limbs
    }
}
