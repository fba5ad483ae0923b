//! From an alias table to the smallest circuit that was found for it.
//!
//! Threshold bit t_i is a Boolean function of the slot, with don't-cares on pure slots. r < t from
//! the least significant bit up: c <- maj(!r_i, t_i, c), one LUT3 a bit. One multiplexer for each
//! bit of the value.

use tautochrone_gauss::bitslice::alias::AliasTable;
use tautochrone_gauss::exact::Pmf;

use crate::circuit::Circuit;
use crate::mapper::Mapper;
use crate::network::{MAJORITY_NOT_A, MUX, Signal};

/// Widest distribution, in values, that a circuit is made for: 2^9 slots take about a second.
pub(crate) const WIDEST: usize = 512;

/// The circuit that maps input bits (slot bits 0.., then bits of r from the least significant) to
/// the value's bits.
pub(crate) fn circuit(table: &AliasTable) -> Circuit {
    let a = table.slot_bits() as usize;
    let slots = table.slots();
    let value_bits = slots
        .iter()
        .map(|s| s.primary.max(s.alias))
        .max()
        .map_or(0, |v| v.checked_ilog2().map_or(0, |b| b + 1));
    let mut mapper = Mapper::new(table.precision() as usize, a);
    let mut below = Signal::FALSE;
    for i in 0..table.threshold_bits() {
        let t =
            mapper.function(|s| (!slots[s].is_pure()).then(|| slots[s].threshold >> i & 1 == 1));
        let r = mapper.input(a + i as usize);
        below = mapper.lut(MAJORITY_NOT_A, [r, t, below]);
    }
    let outputs = (0..value_bits).map(|b| {
        let primary = mapper.function(|s| Some(slots[s].primary >> b & 1 == 1));
        let alias = mapper.function(|s| Some(slots[s].alias >> b & 1 == 1));
        mapper.lut(MUX, [below, primary, alias])
    });
    let outputs: Vec<_> = outputs.collect();
    mapper.into_circuit(&outputs)
}

/// The smallest circuit over `variants` equivalent tables, with its table.
///
/// # Panics
/// If `variants` is zero.
pub(crate) fn best_circuit(pmf: &Pmf, variants: u64) -> (AliasTable, Circuit) {
    (0..variants)
        .map(|variant| {
            let table = AliasTable::pure_first(pmf, variant);
            let circuit = circuit(&table);
            (table, circuit)
        })
        .min_by_key(|(_, circuit)| circuit.ops().len())
        .expect("at least one variant")
}
