//! [`CircuitSpace`]: where the wires of a circuit, and pads, are in S.

use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use zeroize::Zeroizing;

use super::super::front::Front;
use super::constraints::{Assignment, Circuit};
use super::inputs::hash_scalars;
use super::layout::Layout;
use super::optimise::{Candidate, possible_elements, shortest};
use super::shape::Shape;
use super::witness::CircuitWitness;
use crate::error::Error;
use crate::estimate::Hardness;
use crate::hash::Hasher;
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::uses::column_unchecked;
use crate::uses::commitment::MessageSpace;
use crate::witness::WitnessSource;

/// A circuit's wires in the columns of S: 2^mu_1 - 1 elements of F in each, of [`DIGITS`] rows, then
/// [`CIRCUIT_PAD_ROWS`] rows of pads, all with digits in [-[`DIGIT_BOUND`], [`DIGIT_BOUND`]]; then
/// randomness. Wire k is element k mod (2^mu_1 - 1) of column floor(k / (2^mu_1 - 1)).
///
/// **One T serves one circuit with one list of public inputs**: its pads are used up by proofs of
/// this claim, of which there may be any number. Values that are to serve several circuits are
/// committed to in an [`InputSpace`](super::InputSpace).
///
/// [`DIGITS`]: super::DIGITS
/// [`CIRCUIT_PAD_ROWS`]: super::CIRCUIT_PAD_ROWS
/// [`DIGIT_BOUND`]: super::DIGIT_BOUND
#[derive(Clone, Copy, Debug)]
pub struct CircuitSpace {
    shape: Shape,
    hiding: Hardness,
}

impl CircuitSpace {
    /// The parameters for which statement and proof together are shortest, with 128 bits of
    /// security.
    ///
    /// # Errors
    /// [`Error::NoParameters`] if there are none for so many wires.
    pub fn optimise(circuit: &Circuit) -> Result<CustomParams, Error> {
        let wires = u64::from(circuit.secret_wires());
        let mut candidates = Vec::new();
        for elements in possible_elements() {
            let shape = Shape::least(circuit, elements, 0, wires);
            let (layout, columns) = (Self::layout(&shape), shape.columns);
            candidates.push(Candidate { layout, columns, sent: shape.sent() as u64 });
            if columns > wires.div_ceil(elements.into()) {
                // More elements a column only make it longer.
                break;
            }
        }
        shortest(candidates, wires)
    }

    /// The space of a circuit under these parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless challenges are ternary and lambda = 128, if the first
    /// rows of S are not digits of 2^mu_1 - 1 elements and pads, or there are too few columns for
    /// the wires or the pads; unless waived, [`Error::Insecure`] as [`MessageSpace::new`].
    pub fn new(params: &Params, circuit: &Circuit, security: Security) -> Result<Self, Error> {
        let shape = Self::shape(params, circuit)?;
        let rows = Self::layout(&shape).rows();
        let hiding = MessageSpace::new(params, rows, security)?.hiding();
        Ok(Self { shape, hiding })
    }

    /// The shape that the rows and columns of a statement imply.
    pub(super) fn shape(params: &Params, circuit: &Circuit) -> Result<Shape, Error> {
        let Layout { elements, .. } = Layout::of(params, 1)?;
        let shape = Shape::new(circuit, elements, params.l());
        if !shape.has_columns(circuit.secret_wires().into()) {
            let expected = "so many that all wires have elements and all messages pads: see \
                            CircuitSpace::optimise";
            return Err(Error::parameter("l", params.l(), expected));
        }
        Ok(shape)
    }

    /// One slot of pads: a circuit of its own is all that is claimed of its wires.
    const fn layout(shape: &Shape) -> Layout {
        Layout { elements: shape.elements, slots: 1 }
    }

    /// What it costs to tell the wires in two commitments apart.
    #[must_use]
    pub const fn hiding(&self) -> Hardness {
        self.hiding
    }

    /// N + 1, of N messages: so many columns, the first ones, mask and are never opened.
    #[must_use]
    pub const fn closed(&self) -> u64 {
        self.shape.closed()
    }

    /// Column `index` of the witness, to open it: behind the columns that mask.
    ///
    /// # Errors
    /// [`Error::ClosedColumn`] for these; else as [`column_unchecked`].
    pub fn open(
        &self,
        params: &Params,
        witness: &dyn WitnessSource,
        index: u64,
    ) -> Result<Zeroizing<Vec<i8>>, Error> {
        Front(self.closed()).check_open(index)?;
        column_unchecked(params, witness, index)
    }

    /// Elements of F in a column: 2^mu_1 - 1.
    #[must_use]
    pub const fn elements(&self) -> u32 {
        self.shape.elements
    }

    /// The witness of an assignment for statements over `matrix`, with pads and randomness from a
    /// key H("circuit witness", seed, statement header, circuit, public inputs, secret wires): a
    /// seed gives other pads for every claim.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the assignment has another number of wires than the circuit, or the
    /// circuit is not the one of this space; [`Error::FalseFact`] if a constraint does not hold.
    ///
    /// # Constant time
    /// In the secret wires, but for the first constraint that does not hold.
    pub fn witness(
        &self,
        matrix: &PublicMatrix,
        circuit: &Circuit,
        assignment: &Assignment,
        seed: &Seed,
    ) -> Result<CircuitWitness, Error> {
        let params = &matrix.params;
        let shape = Self::shape(params, circuit)?;
        if shape != self.shape {
            return Err(Error::parameter("l", params.l(), "as many columns as the space has"));
        }
        if circuit.first_violation(assignment)?.is_some() {
            return Err(Error::FalseFact);
        }
        let Assignment { public, secret } = assignment;
        let mut hasher = Hasher::new(params.hash(), "circuit witness")
            .field(seed.expose())
            .field(&params.header(&matrix.id).hashed_bytes())
            .field(circuit.digest().as_bytes());
        for scalars in [public, &**secret] {
            hash_scalars(&mut hasher, scalars);
        }
        let key = Seed::from_bytes(*Zeroizing::new(hasher.finish_key()));
        let layout = Self::layout(&shape);
        let entries = layout.draw(params, &key, params.l(), secret);
        CircuitWitness::new(params, layout.rows(), entries, key)
    }
}
