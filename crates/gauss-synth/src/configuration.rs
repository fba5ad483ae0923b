//! [`Configuration`]: from a distribution to its circuit, and what the circuit costs.

use tautochrone_gauss::bitslice::alias::AliasTable;
use tautochrone_gauss::exact::{Distance, Half, Pmf, Variance};

use crate::circuit::Circuit;
use crate::{emit, synthesis};

/// Why there is no circuit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The distribution has no table.
    #[error(transparent)]
    Distribution(#[from] tautochrone_gauss::Error),
    /// The distribution has too many values.
    #[error("a distribution of {values} values is too wide for a circuit ({most} at most)")]
    Width {
        /// Size of the support.
        values: usize,
        /// Largest that works.
        most: usize,
    },
}

/// Half a discrete Gaussian with the smallest circuit found for it.
#[derive(Clone, Debug)]
pub struct Configuration {
    pmf: Pmf,
    table: AliasTable,
    circuit: Circuit,
}

impl Configuration {
    /// The smallest circuit over `variants` equivalent alias tables (at least one is tried).
    /// Milliseconds a variant at sigma 2, a second at 512 values.
    ///
    /// # Errors
    /// [`Error::Distribution`] if there is no table of this precision; [`Error::Width`] for a
    /// distribution of more than 512 values.
    pub fn new(
        variance: &Variance,
        half: Half,
        precision: u32,
        variants: u64,
    ) -> Result<Self, Error> {
        let pmf = Pmf::new(variance, half, precision)?;
        let values = pmf.masses().len();
        if values > synthesis::WIDEST {
            return Err(Error::Width { values, most: synthesis::WIDEST });
        }
        let (table, circuit) = synthesis::best_circuit(&pmf, variants.max(1));
        Ok(Self { pmf, table, circuit })
    }

    /// The distribution as integers.
    #[must_use]
    pub const fn pmf(&self) -> &Pmf {
        &self.pmf
    }

    /// The alias table that the circuit computes.
    #[must_use]
    pub const fn table(&self) -> &AliasTable {
        &self.table
    }

    /// The circuit: inputs are the slot's bits, then the bits of r; outputs the value's bits, least
    /// significant first.
    #[must_use]
    pub const fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// Exact distance from the ideal distribution.
    #[must_use]
    pub fn distance(&self) -> Distance {
        self.pmf.distance()
    }

    /// Distribution, cost and distance, in three lines.
    #[must_use]
    pub fn description(&self) -> String {
        let d = self.distance();
        let (numerator, denominator) = self.pmf.variance().as_ratio();
        format!(
            "{:?} half of the discrete Gaussian, sigma^2 = {numerator} / {denominator}, {} values, P = {}.\n\
             {} LUT3 operations for all lanes of a register, {} slots, {} random bits a sample.\n\
             Statistical distance 2^{:.1}, R_2 - 1 = 2^{:.1}, tail cut 2^{:.1}.",
            self.pmf.half(),
            self.pmf.masses().len(),
            self.pmf.precision(),
            self.circuit.ops().len(),
            self.table.slots().len(),
            self.table.precision(),
            d.log2_statistical,
            d.log2_renyi,
            d.log2_tail,
        )
    }

    /// A Rust file that needs nothing else, with `circuit(&[u64; P]) -> [u64; value bits]`: 64
    /// lanes at a time, bit l of every word belonging to lane l.
    #[must_use]
    pub fn source(&self) -> String {
        let inputs = format!(
            "Inputs: bits 0 to {} choose the slot, the rest is r from its least significant bit.",
            self.table.slot_bits() - 1
        );
        let note = format!("{}\n\n{inputs}", self.description());
        emit::standalone_source(&self.circuit, &note)
    }
}
