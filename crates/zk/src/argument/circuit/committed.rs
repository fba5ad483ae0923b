//! [`CommittedCircuit`]: a circuit with some wires that were committed before, and the statement
//! that a proof is about: their columns of T as they were published, and new ones for the other
//! wires.

mod prover;
mod verifier;

use super::claim::CircuitClaim;
use super::constraints::Circuit;
use super::inputs::{InputSpace, Inputs};
use crate::argument::claims::Claims;
use crate::argument::layout::Slot;
use crate::erase::debug_fields;
use crate::error::Error;
use crate::matrix::PublicMatrix;
use crate::params::Params;
use crate::scalar::Scalar;
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::suite::Expansion;

/// The claim that a circuit with these public inputs is satisfied by wires that begin with values
/// that were committed before, in a statement of an [`InputSpace`](super::InputSpace).
///
/// Values that are extracted from an accepted prover are in those very columns: any proof about
/// them, and any opening of them, shows the same ones, or its author has solved SIS. Columns of
/// values may be [opened](super::super::Layout::open) before and after.
///
/// ```
/// use tautochrone_zk::argument::{
///     CircuitBuilder, CommittedCircuit, InputSpace, Inputs, Scalar,
/// };
/// use tautochrone_zk::*;
///
/// // Three values are committed, with pads for two claims.
/// let params = InputSpace::optimise(3, 2, 100)?.validate(Security::Required)?;
/// let space = InputSpace::new(&params)?;
/// let a = PublicMatrix::new(&params, [1; 32]);
/// let values = [7, 43, 47].map(Scalar::from);
/// let witness = space.witness(&a, &values, &Seed::from_os()?)?;
/// let mut published = Vec::new();
/// let statement = a.commit_and_hold(&witness, &mut published)?;
///
/// // Later: the last two are factors of 2021.
/// let build = |x: u32, y: u32| {
///     let mut builder = CircuitBuilder::new();
///     let product = builder.public(Scalar::from(2021));
///     let factors = [x, y].map(|factor| builder.secret(Scalar::from(factor)));
///     for factor in factors {
///         builder.bits(factor, 8);
///     }
///     builder.constrain(factors[0], factors[1], product);
///     builder.finish()
/// };
/// let (circuit, assignment) = build(43, 47)?;
/// let inputs = Inputs { slot: 0, elements: vec![1, 2] };
/// let public = &assignment.public;
/// let claim = CommittedCircuit::new(&a, &statement, &circuit, public, &inputs)?;
/// let proved = claim.prove(b"for this", &witness, &assignment, &Seed::from_os()?)?;
/// let proof = proved.proof;
///
/// // A verifier has what was published, and builds the circuit with zeros.
/// let (circuit, assignment) = build(0, 0)?;
/// let public = &assignment.public;
/// let statement = Statement::load(&published, Security::Required)?;
/// let claim = CommittedCircuit::new(&a, &statement, &circuit, public, &inputs)?;
/// claim.verify(b"for this", &proof)?;
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
pub struct CommittedCircuit<'a> {
    /// The statement of the values.
    pub(super) committed: &'a Statement,
    /// Where T is read from, if the statement does not hold it.
    file: Option<&'a dyn ReadAt>,
    pub(super) circuit: &'a Circuit,
    /// The public inputs of the claim.
    public: &'a [Scalar],
    /// How many of its first secret wires are committed values.
    pub(super) inputs: usize,
    /// The claim, and the slot of a layout of all columns.
    pub(super) claims: Claims,
    pub(super) slot: Slot,
    /// A, under the parameters of all columns.
    pub(super) matrix: PublicMatrix,
    reproducible: bool,
}

debug_fields!("CommittedCircuit", CommittedCircuit<'_>; slot, circuit);

impl<'a> CommittedCircuit<'a> {
    /// A circuit about values in a statement whose A is `matrix`: the `inputs` are its first secret
    /// wires. Weak parameters are refused unless that was waived for the statement
    /// ([`Params::security`]).
    ///
    /// # Errors
    /// As [`InputSpace::new`]; [`Error::Request`] if `matrix` is not the statement's A; with new
    /// columns [`Error::Insecure`], and [`Error::Request`] if there are no parameters for so many;
    /// [`Error::Parameter`] if the slot or an element is not there, there are more inputs than
    /// secret wires, more or fewer public inputs than the circuit's, or A' is given in full.
    pub fn new(
        matrix: &PublicMatrix,
        committed: &'a Statement,
        circuit: &'a Circuit,
        public: &'a [Scalar],
        inputs: &'a Inputs,
    ) -> Result<Self, Error> {
        matrix.check_belongs_to(committed)?;
        let params = committed.params();
        let space = InputSpace::new(params)?;
        inputs.check(&space)?;
        let expected = "a seed: A' is expanded for more columns";
        let holds = params.expansion() != Expansion::Given;
        Error::unless(holds, "expansion", params.expansion() as u32, expected)?;
        let claim =
            CircuitClaim::with_inputs(circuit, public, inputs.elements.clone(), space.capacity())?;
        // No overflow: at most as many as the secret wires.
        let new = u64::from(circuit.secret_wires()) - inputs.elements.len() as u64;
        let layout = space.longer(new.div_ceil(space.rows().into()));
        let longer = params.with_columns(layout.all_columns())?.validate(params.security())?;
        let matrix = matrix.with_columns(&longer);
        let (claims, slot) = (claim.into(), layout.slot(inputs.slot)?);
        let (inputs, file, reproducible) = (inputs.elements.len(), None, false);
        Ok(Self { committed, file, circuit, public, inputs, claims, slot, matrix, reproducible })
    }

    /// T is read from this file, unless the statement was [loaded](Statement::load).
    #[must_use]
    pub fn with_file(self, statement_file: &'a dyn ReadAt) -> Self {
        Self { file: Some(statement_file), ..self }
    }

    /// As [`Prover::reproducible`](crate::Prover::reproducible), with its danger.
    #[must_use]
    pub fn reproducible(self) -> Self {
        Self { reproducible: true, ..self }
    }

    /// The parameters of the statement with its new columns. They follow from the parameters of the
    /// values and the circuit.
    #[must_use]
    pub const fn params(&self) -> &Params {
        &self.matrix.params
    }

    /// Columns of T that a proof brings with it, for wires that are no inputs: none if all are.
    pub(super) fn new_columns(&self) -> u64 {
        self.matrix.params.l() - self.committed.params().l()
    }

    /// The most bytes that a file of a proof has.
    #[must_use]
    pub fn max_proof_bytes(&self) -> u64 {
        let params = self.params();
        params.max_argument_bytes() + self.new_columns() * params.column_bytes() as u64
    }

    /// The statement with new columns, given as their bytes in a statement file.
    pub(super) fn statement(&self, columns: &[u8]) -> Result<Statement, Error> {
        self.committed.extended(self.params(), self.matrix.id, self.file, columns)
    }
}
