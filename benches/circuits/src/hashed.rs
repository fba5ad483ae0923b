//! The chain as an execution trace, proved by winterfell.

use std::time::{Duration, Instant};

use winterfell::crypto::{DefaultRandomCoin, MerkleTree, hashers::Blake3_256};
use winterfell::math::{FieldElement, ToElements, fields::f64::BaseElement as Field};
use winterfell::matrix::ColMatrix;
use winterfell::{
    AcceptableOptions, Air, AirContext, Assertion, AuxRandElements, BatchingMethod,
    CompositionPoly, CompositionPolyTrace, ConstraintCompositionCoefficients,
    DefaultConstraintCommitment, DefaultConstraintEvaluator, DefaultTraceLde, EvaluationFrame,
    FieldExtension, PartitionOptions, Proof, ProofOptions, Prover, StarkDomain, Trace, TraceInfo,
    TracePolyTable, TraceTable, TransitionConstraintDegree,
};

use crate::Times;

type Hash = Blake3_256<Field>;
type Tree = MerkleTree<Hash>;
type Coin = DefaultRandomCoin<Hash>;

/// x^3 + 42.
fn step<E: FieldElement + From<Field>>(x: E) -> E {
    x * x * x + E::from(Field::new(42))
}

/// The last value; the first one is not public.
#[derive(Clone)]
struct Last(Field);

impl ToElements<Field> for Last {
    fn to_elements(&self) -> Vec<Field> {
        vec![self.0]
    }
}

struct Chain {
    context: AirContext<Field>,
    last: Field,
}

impl Air for Chain {
    type BaseField = Field;
    type PublicInputs = Last;

    fn new(info: TraceInfo, Last(last): Last, options: ProofOptions) -> Self {
        let degrees = vec![TransitionConstraintDegree::new(3)];
        Self { context: AirContext::new(info, degrees, 1, options), last }
    }

    fn context(&self) -> &AirContext<Field> {
        &self.context
    }

    fn evaluate_transition<E: FieldElement<BaseField = Field>>(
        &self,
        frame: &EvaluationFrame<E>,
        _: &[E],
        result: &mut [E],
    ) {
        result[0] = frame.next()[0] - step(frame.current()[0]);
    }

    fn get_assertions(&self) -> Vec<Assertion<Field>> {
        vec![Assertion::single(0, self.trace_length() - 1, self.last)]
    }
}

struct Stark {
    options: ProofOptions,
}

impl Prover for Stark {
    type BaseField = Field;
    type Air = Chain;
    type Trace = TraceTable<Field>;
    type HashFn = Hash;
    type VC = Tree;
    type RandomCoin = Coin;
    type TraceLde<E: FieldElement<BaseField = Field>> = DefaultTraceLde<E, Hash, Tree>;
    type ConstraintCommitment<E: FieldElement<BaseField = Field>> =
        DefaultConstraintCommitment<E, Hash, Tree>;
    type ConstraintEvaluator<'a, E: FieldElement<BaseField = Field>> =
        DefaultConstraintEvaluator<'a, Chain, E>;

    fn options(&self) -> &ProofOptions {
        &self.options
    }

    fn get_pub_inputs(&self, trace: &TraceTable<Field>) -> Last {
        Last(trace.get(0, trace.length() - 1))
    }

    fn new_trace_lde<E: FieldElement<BaseField = Field>>(
        &self,
        info: &TraceInfo,
        trace: &ColMatrix<Field>,
        domain: &StarkDomain<Field>,
        partitions: PartitionOptions,
    ) -> (Self::TraceLde<E>, TracePolyTable<E>) {
        DefaultTraceLde::new(info, trace, domain, partitions)
    }

    fn new_evaluator<'a, E: FieldElement<BaseField = Field>>(
        &self,
        air: &'a Chain,
        random: Option<AuxRandElements<E>>,
        coefficients: ConstraintCompositionCoefficients<E>,
    ) -> Self::ConstraintEvaluator<'a, E> {
        DefaultConstraintEvaluator::new(air, random, coefficients)
    }

    fn build_constraint_commitment<E: FieldElement<BaseField = Field>>(
        &self,
        trace: CompositionPolyTrace<E>,
        columns: usize,
        domain: &StarkDomain<Field>,
        partitions: PartitionOptions,
    ) -> (Self::ConstraintCommitment<E>, CompositionPoly<E>) {
        DefaultConstraintCommitment::new(trace, columns, domain, partitions)
    }
}

/// One proof of a chain of `steps` steps, one less than a power of two, and its check: 38 queries
/// at a rate of 1/8 and 16 bits of grinding are 130 bits by winterfell's conjecture; a cubic
/// extension.
pub(crate) fn run(steps: usize) -> Times {
    let (extension, batching) = (FieldExtension::Cubic, BatchingMethod::Linear);
    let options = ProofOptions::new(38, 8, 16, extension, 8, 31, batching, batching);
    let values = || std::iter::successors(Some(Field::new(3)), |&x| Some(step(x)));
    let last = Last(values().nth(steps).expect("endless"));
    let start = Instant::now();
    let trace = TraceTable::init(vec![values().take(steps + 1).collect()]);
    let stark = Stark { options: options.clone() };
    let proof = stark.prove(trace).expect("an honest proof").to_bytes();
    let prove = start.elapsed();
    let start = Instant::now();
    let parsed = Proof::from_bytes(&proof).expect("its own bytes");
    let accepted = AcceptableOptions::OptionSet(vec![options]);
    winterfell::verify::<Chain, Hash, Coin, Tree>(parsed, last, &accepted).expect("valid");
    Times { commit: Duration::ZERO, prove, verify: start.elapsed(), bytes: [0, proof.len()] }
}
