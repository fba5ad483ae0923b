//! [`CircuitWitness`]: S of a circuit.

use tautochrone_ctr::Seed;

use crate::erase::Secrets;
use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::witness::{RandomWitness, WitnessSource, check_bound};

/// Wires and pads in digits over uniform randomness, as a witness; made by
/// [`CircuitSpace::witness`](super::CircuitSpace::witness). Erased when dropped.
pub struct CircuitWitness {
    rows: usize,
    /// `rows` a column.
    entries: Secrets,
    randomness: RandomWitness,
}

impl core::fmt::Debug for CircuitWitness {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CircuitWitness([REDACTED])")
    }
}

impl CircuitWitness {
    pub(super) fn new(
        params: &Params,
        rows: u32,
        entries: Secrets,
        seed: Seed,
    ) -> Result<Self, Error> {
        check_bound(rows, params.row_groups()[0].bound, 0, &entries)?;
        Ok(Self { rows: rows as usize, entries, randomness: RandomWitness::new(seed) })
    }
}

impl WitnessSource for CircuitWitness {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        if params.entry_bytes() > 1 {
            return Err(Error::WideEntries { b: params.b() });
        }
        let (v, rows) = (params.v() as usize, self.rows);
        let start = first_block.saturating_mul(u64::from(BLOCK)).saturating_mul(rows as u64);
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let end = start.saturating_add((out.len() / v * rows) as u64);
        let entries = self.entries.get(start as usize..end as usize).filter(|_| rows < v);
        let Some(entries) = entries else {
            return Err(Error::MessageLength { got: self.entries.len() as u64, expected: end });
        };
        self.randomness.fill(params, params.key_size(), first_block, out);
        for (column, entries) in out.chunks_exact_mut(v).zip(entries.chunks_exact(rows)) {
            column[..rows].copy_from_slice(entries);
        }
        Ok(())
    }
}
