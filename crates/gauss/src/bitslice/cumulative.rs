//! [`Cumulative`]: the table of single samples.

use alloc::vec::Vec;

use crate::exact::Pmf;

/// Partial sums of a table of P bits: a uniform number of P bits has the value z if it is at least
/// z of them, as many as masses before the last.
#[derive(Clone, Debug)]
pub(super) struct Cumulative {
    precision: u32,
    /// The sums times 2^(128 - P): their high halves, and, if P > 64, their low halves.
    high: Vec<u64>,
    low: Vec<u64>,
}

impl Cumulative {
    pub(super) fn new(pmf: &Pmf) -> Self {
        let precision = pmf.precision();
        let (_, masses) = pmf.masses().split_last().expect("a distribution has values");
        let sums = masses.iter().scan(0_u128, |sum, mass| {
            *sum += mass;
            Some(*sum << (128 - precision))
        });
        let (high, low): (Vec<u64>, Vec<u64>) =
            sums.map(|sum| ((sum >> 64) as u64, sum as u64)).unzip();
        Self { precision, high, low: if precision > 64 { low } else { Vec::new() } }
    }

    /// Words of randomness of a sample: P bits and a sign bit.
    #[expect(clippy::integer_division_remainder_used, reason = "precisions are public")]
    pub(super) const fn words(&self) -> usize {
        self.precision as usize / 64 + 1
    }

    /// The value of a uniform number times 2^(128 - P), high half first; every entry is read.
    #[inline(always)]
    pub(super) fn value(&self, high: u64, low: u64) -> u16 {
        let mut z = 0_u64;
        if self.low.is_empty() {
            for &entry in &self.high {
                z += u64::from(high >= entry);
            }
        } else {
            for (&h, &l) in self.high.iter().zip(&self.low) {
                z += u64::from((high > h) | (high == h) & (low >= l));
            }
        }
        z as u16
    }
}
