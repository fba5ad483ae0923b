//! Circuits on toy dimensions: against the reference, against provers that cheat, and what is sent.

use tautochrone_ctr::Seed;

use super::instance::Instance;
use super::prover::{CircuitArgument, Columns, Rounds};
use super::shape::Shape;
use super::*;
use crate::argument::{Element, Scalar};
use crate::error::{Error, Reason, VerifyError};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::prover::Prover;
use crate::rows::{Distribution, RowGroup};
use crate::statement::Statement;
use crate::verifier::Verifier;
use crate::witness::{Witness, WitnessSource};

mod agreement;
mod committed;
mod files;
mod forgeries;
mod masks;
mod requests;

const CONTEXT: &[u8] = b"context";

fn number(x: i64) -> Scalar {
    let magnitude = Scalar::new(x.unsigned_abs()).unwrap();
    if x < 0 { -magnitude } else { magnitude }
}

/// x^3 + x + 5 = y for `count` secret x and as many public y, and constants on all sides.
///
/// And of 1 - 7 x, a copy of which is squared, all to have every kind of row.
fn cubes(count: i64, error: i64) -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    for i in 0..count {
        let x = 1000 * i - 3;
        let y = builder.public(number(x.pow(3) + x + 5 + error));
        let x = builder.secret(number(x));
        let square = builder.product(x, x);
        let cube = builder.product(square, x);
        builder.equal(builder.sum(&[cube, x]) + number(5).into(), y);
        let negative = Combination::from(x) * number(-7) + number(1).into();
        let copy = builder.copy(negative.clone());
        builder.constrain(
            copy,
            negative.clone(),
            Combination::from(square) * number(49)
                - negative.clone() * number(-2)
                - number(1).into(),
        );
    }
    builder.finish().unwrap()
}

/// One secret bit and nothing public.
fn one_bit() -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    builder.bit(true);
    builder.finish().unwrap()
}

/// Digits and pads, 16 rows of randomness and r = 5.
fn toy(w: u32, elements: u32, l: u64) -> CustomParams {
    let rows = DIGITS * elements + CIRCUIT_PAD_ROWS;
    let group = RowGroup { rows, bound: DIGIT_BOUND, distribution: Distribution::Any };
    CustomParams {
        n: Some(10),
        groups: [Some(group), None, None],
        ..CustomParams::new(w, 5, rows + 16 + 5, l, 1)
    }
}

/// A statement and what its prover has.
struct Toy {
    params: Params,
    circuit: Circuit,
    public: Vec<Scalar>,
    matrix: PublicMatrix,
    statement: Statement,
    file: Vec<u8>,
    witness: Witness,
    /// S.
    entries: Vec<i8>,
}

impl Toy {
    fn new(w: u32, elements: u32, (circuit, assignment): (Circuit, Assignment), seed: u8) -> Self {
        let l = Shape::least(&circuit, elements, 0, circuit.secret_wires().into()).columns;
        Self::with(toy(w, elements, l), (circuit, assignment), seed)
    }

    fn with(custom: CustomParams, (circuit, assignment): (Circuit, Assignment), seed: u8) -> Self {
        let params = custom.validate(Security::Waived).unwrap();
        let space = CircuitSpace::new(&params, &circuit, Security::Waived).unwrap();
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let seed = Seed::from_bytes([seed; 32]);
        let source = space.witness(&matrix, &circuit, &assignment, &seed).unwrap();
        let mut entries = vec![0; params.v() as usize * params.l() as usize];
        source.read_columns(&params, 0, &mut entries).unwrap();
        Self::of(params, circuit, assignment.public, entries)
    }

    fn of(params: Params, circuit: Circuit, public: Vec<Scalar>, entries: Vec<i8>) -> Self {
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let witness = Witness::new(&params, entries.clone()).unwrap();
        let mut file = Vec::new();
        let statement = matrix.commit(&witness, &mut file).unwrap();
        Self { params, circuit, public, matrix, statement, file, witness, entries }
    }

    fn prover(&self) -> Prover<'_> {
        let prover = Prover::new(&self.matrix, &self.statement).unwrap();
        prover.with_file(&self.file).reproducible()
    }

    fn shape(&self) -> Shape {
        CircuitSpace::shape(&self.params, &self.circuit).unwrap()
    }

    fn instance(&self) -> Instance<'_> {
        Instance::alone(&self.params, &self.circuit, &self.public).unwrap()
    }

    fn columns(&self) -> Columns {
        Columns::read::<i8>(&self.params, &self.witness, self.shape()).unwrap()
    }

    /// phi_1 of all columns, by the weights of its rows.
    fn images(&self, weights: &[Element]) -> Vec<Element> {
        let Columns { wires, beta, .. } = self.columns();
        let height = self.shape().elements as usize;
        let image = |(j, &beta): (usize, &Element)| {
            let wires = &wires[wires.len().min(height * j)..wires.len().min(height * (j + 1))];
            let terms = wires.iter().zip(weights).map(|(&wire, &weight)| weight.times(wire));
            terms.fold(weights[height] * beta, |sum, term| sum + term)
        };
        beta.iter().enumerate().map(image).collect()
    }

    /// The rounds, whether the constraints hold or not.
    fn play(&self) -> Rounds {
        let start = claim::begin(&self.statement, &self.instance());
        let columns = self.columns();
        let products = columns.products(&self.instance());
        Rounds::play(columns, products, &self.instance(), start)
    }

    /// The file that these messages and a proof bound to them make.
    fn file_of(&self, sent: CircuitArgument) -> Vec<u8> {
        let seed = Seed::from_bytes([8; 32]);
        let prover = self.prover();
        let proved = prover.prove_opening(CONTEXT, &self.witness, &seed, Some(&sent.opening));
        sent.into_proof(Vec::new(), proved.unwrap().proof).to_bytes(&self.params)
    }

    fn try_prove(&self) -> Result<CircuitProof, Error> {
        let seed = Seed::from_bytes([7; 32]);
        let proved = self.prover().prove_circuit(
            CONTEXT,
            &self.circuit,
            &self.public,
            &self.witness,
            &seed,
        )?;
        assert!(proved.attempts > 0);
        Ok(proved.proof)
    }

    fn prove(&self) -> Vec<u8> {
        self.try_prove().unwrap().to_bytes(&self.params)
    }

    fn verify(&self, proof: &[u8]) -> Result<(), VerifyError> {
        self.verify_with(&self.circuit, &self.public, proof)
    }

    fn verify_with(
        &self,
        circuit: &Circuit,
        public: &[Scalar],
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        let verifier = Verifier::new(&self.matrix, &self.statement).unwrap();
        verifier.verify_circuit_streaming(CONTEXT, circuit, public, &self.file, proof)
    }

    /// The reason why a proof is not valid.
    fn reason(&self, proof: &[u8]) -> Option<Reason> {
        match self.verify(proof) {
            Ok(()) => None,
            Err(VerifyError::Invalid(reason)) => Some(reason),
            Err(VerifyError::NoVerdict(error)) => panic!("{error}"),
        }
    }
}
