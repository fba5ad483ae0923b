//! [`InputSpace`]: values that are committed before anybody knows for which circuits, and
//! [`Inputs`]: which of them a circuit is about.

use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use zeroize::Zeroizing;

use super::constraints::{Circuit, MAX_CIRCUIT};
use super::layout::{Layout, MAX_INPUT_SLOTS};
use super::optimise::{Candidate, possible_elements, shortest};
use super::shape::{ENDS, INNER, MOST_OUTER_ROUNDS, OUTER};
use super::witness::CircuitWitness;
use crate::argument::scalar::Scalar;
use crate::error::Error;
use crate::estimate::Hardness;
use crate::hash::Hasher;
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::uses::column_unchecked;
use crate::uses::commitment::MessageSpace;
use crate::witness::WitnessSource;

/// Values of F in the columns of S, as a [`CircuitSpace`](super::CircuitSpace) places wires, with
/// slots of pads: each slot serves one claim about these values, a circuit with public inputs of
/// which some are the first wires ([`CommittedCircuit`](super::CommittedCircuit)). Any number of
/// proofs of a claim are safe.
#[derive(Clone, Copy, Debug)]
pub struct InputSpace {
    layout: Layout,
    columns: u64,
    hiding: Hardness,
}

impl InputSpace {
    /// Parameters of 128 bits of security for so many values and slots of pads, and for circuits
    /// that need up to `wires` wires besides: for these the commitments and a proof are shortest
    /// together. Circuits that need many more are refused, as T with so many columns would not
    /// bind.
    ///
    /// # Errors
    /// [`Error::NoParameters`] if there are none; [`Error::Parameter`] if there is no value, there
    /// are no slots or more than [`MAX_INPUT_SLOTS`], or more wires than [`MAX_CIRCUIT`].
    pub fn optimise(values: u64, slots: u32, wires: u64) -> Result<CustomParams, Error> {
        if !(1..=1 << 40).contains(&values) {
            return Err(Error::parameter("values", values, "1 to 2^40"));
        }
        if !(1..=MAX_INPUT_SLOTS).contains(&slots) {
            return Err(Error::parameter("slots", slots, "1 to 8"));
        }
        if wires > MAX_CIRCUIT as u64 {
            return Err(Error::parameter("wires", wires, "at most 2^26"));
        }
        // Of all columns that a proof is about, the first ones hold the values, but for one that is
        // never opened, and the new ones mask.
        let mut candidates = Vec::new();
        let first = |elements: u32| values.div_ceil(elements.into()) + 1;
        for elements in possible_elements() {
            let needed = first(elements) + wires.div_ceil(elements.into()).max(1);
            let messages = |columns: u64| {
                let rounds = (elements + 1).ilog2() + columns.next_power_of_two().ilog2();
                (OUTER * MOST_OUTER_ROUNDS + INNER * rounds as usize) as u64
            };
            let mut columns = needed;
            while columns - first(elements) <= messages(columns) {
                columns += 1;
            }
            let sent = messages(columns) + ENDS as u64;
            candidates.push(Candidate { layout: Layout { elements, slots }, columns, sent });
            if columns > needed {
                // More elements a column only make it longer.
                break;
            }
        }
        let custom = shortest(candidates, values + wires)?;
        let all = custom.validate(Security::Waived)?;
        all.with_columns(first(Layout::of(&all, MAX_INPUT_SLOTS)?.elements))
    }

    /// The space of values and slots that the rows of these parameters are.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless challenges are ternary, lambda = 128, and the first
    /// rows of S are digits of 2^mu_1 - 1 elements and 1 to [`MAX_INPUT_SLOTS`] slots of pads;
    /// unless waived, [`Error::Insecure`] as [`MessageSpace::new`].
    pub fn new(params: &Params, security: Security) -> Result<Self, Error> {
        let layout = Layout::of(params, MAX_INPUT_SLOTS)?;
        let hiding = MessageSpace::new(params, layout.rows(), security)?.hiding();
        Ok(Self { layout, columns: params.l(), hiding })
    }

    /// What it costs to tell the values in two commitments apart.
    #[must_use]
    pub const fn hiding(&self) -> Hardness {
        self.hiding
    }

    /// Elements of F in a column: 2^mu_1 - 1.
    #[must_use]
    pub const fn elements(&self) -> u32 {
        self.layout.elements
    }

    /// Elements of F in all columns but the last one, which is never opened. Value i is element i;
    /// elements behind the last value are 0.
    #[must_use]
    pub const fn capacity(&self) -> u64 {
        self.layout.elements as u64 * (self.columns - 1)
    }

    /// Column `index` of the witness of some values, to open it: before or after any proofs about
    /// circuits, of which all masks are in new columns (docs/protocol.md, section 16).
    ///
    /// # Errors
    /// [`Error::ClosedColumn`] for the last column: new columns are drawn from a key that is as
    /// secret as the committed columns that were not opened. Else as
    /// [`column_unchecked`](crate::uses::column_unchecked).
    pub fn open(
        &self,
        params: &Params,
        witness: &dyn WitnessSource,
        index: u64,
    ) -> Result<Zeroizing<Vec<i8>>, Error> {
        let last = self.columns - 1;
        if index == last {
            return Err(Error::ClosedColumn { column: index, closed: last..self.columns });
        }
        column_unchecked(params, witness, index)
    }

    /// Claims that can be proved about the values.
    #[must_use]
    pub const fn slots(&self) -> u32 {
        self.layout.slots
    }

    /// The witness of `values` for statements over `matrix`, with pads and randomness from a key
    /// H("input witness", seed, statement header, values): a seed gives other pads for other
    /// values.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are more values than the [capacity](Self::capacity), or the
    /// matrix has other parameters than this space.
    ///
    /// # Constant time
    /// In the values.
    pub fn witness(
        &self,
        matrix: &PublicMatrix,
        values: &[Scalar],
        seed: &Seed,
    ) -> Result<CircuitWitness, Error> {
        let params = &matrix.params;
        if Layout::of(params, MAX_INPUT_SLOTS)? != self.layout || params.l() != self.columns {
            return Err(Error::parameter("l", params.l(), "as many columns as the space has"));
        }
        if values.len() as u64 > self.capacity() {
            let expected = "at most as many as there are elements";
            return Err(Error::parameter("values", values.len() as u64, expected));
        }
        let mut hasher = Hasher::new(params.hash(), "input witness")
            .field(seed.expose())
            .field(&params.header(&matrix.id).hashed_bytes());
        hash_scalars(&mut hasher, values);
        let key = Seed::from_bytes(*Zeroizing::new(hasher.finish_key()));
        let entries = self.layout.draw(params, &key, params.l(), values);
        CircuitWitness::new(params, self.layout.rows(), entries, key)
    }
}

/// Adds a field of values, eight bytes each.
pub(super) fn hash_scalars(hasher: &mut Hasher, scalars: &[Scalar]) {
    hasher.begin_field(8 * scalars.len() as u64);
    for scalar in scalars {
        hasher.update(&scalar.value().to_le_bytes());
    }
}

/// Which of the values that were committed before a circuit is about, and which pads of theirs mask
/// what is sent. Public: prover and verifier name the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// The slot: used for no other claim about these values, whatever other columns it is about.
    pub slot: u32,
    /// Secret wire i of the circuit is this element of the [`InputSpace`], for as many wires as
    /// there are of these. Any order, and an element may be several wires.
    pub elements: Vec<u64>,
}

impl Inputs {
    /// The first `count` values as the first `count` wires.
    #[must_use]
    pub fn first(slot: u32, count: u32) -> Self {
        Self { slot, elements: (0..count.into()).collect() }
    }

    /// # Errors
    /// [`Error::Parameter`] unless the slot and all elements are there, and the circuit has as many
    /// secret wires.
    pub(super) fn check(
        &self,
        layout: Layout,
        columns: u64,
        circuit: &Circuit,
    ) -> Result<(), Error> {
        if self.slot >= layout.slots {
            return Err(Error::parameter("slot", self.slot, "a slot of the commitments"));
        }
        let count = self.elements.len() as u64;
        if count > circuit.secret_wires().into() {
            return Err(Error::parameter(
                "inputs",
                count,
                "at most the secret wires of the circuit",
            ));
        }
        // The last column holds no value.
        let capacity = u64::from(layout.elements) * (columns - 1);
        if let Some(&element) = self.elements.iter().find(|&&element| element >= capacity) {
            return Err(Error::parameter("input", element, "an element of the commitments"));
        }
        Ok(())
    }
}
