//! What winterfell wants to know of any system of constraints, and one proof with its check.

use std::time::{Duration, Instant};

use winterfell::crypto::{DefaultRandomCoin, MerkleTree, hashers::Blake3_256};
use winterfell::math::{FieldElement, fields::f64::BaseElement as Field};
use winterfell::matrix::ColMatrix;
use winterfell::{
    AcceptableOptions, Air, AuxRandElements, BatchingMethod, CompositionPoly, CompositionPolyTrace,
    ConstraintCompositionCoefficients, DefaultConstraintCommitment, DefaultConstraintEvaluator,
    DefaultTraceLde, EvaluationFrame, FieldExtension, PartitionOptions, Proof, ProofOptions,
    Prover, StarkDomain, Trace, TraceInfo, TracePolyTable,
};

use crate::times::Times;

type Hash = Blake3_256<Field>;
type Tree = MerkleTree<Hash>;
type Coin = DefaultRandomCoin<Hash>;

/// Constraints, some of which may be about columns that depend on random elements.
pub(crate) trait Constraints:
    Air<BaseField = Field, PublicInputs: Clone + Sync> + 'static
{
    /// These columns.
    fn random_columns<E: FieldElement<BaseField = Field>>(
        _: &Self::PublicInputs,
        _: &ColMatrix<Field>,
        _: &[E],
    ) -> ColMatrix<E> {
        unreachable!("no such columns")
    }
}

/// An execution trace. winterfell's own table has no columns that depend on random elements.
pub(crate) struct Columns {
    info: TraceInfo,
    main: ColMatrix<Field>,
}

impl Columns {
    /// `random`: how many columns depend on random elements, and on how many.
    pub(crate) fn new(main: Vec<Vec<Field>>, random: [usize; 2]) -> Self {
        let info =
            TraceInfo::new_multi_segment(main.len(), random[0], random[1], main[0].len(), vec![]);
        Self { info, main: ColMatrix::new(main) }
    }
}

impl Trace for Columns {
    type BaseField = Field;

    fn info(&self) -> &TraceInfo {
        &self.info
    }

    fn main_segment(&self) -> &ColMatrix<Field> {
        &self.main
    }

    fn read_main_frame(&self, row: usize, frame: &mut EvaluationFrame<Field>) {
        self.main.read_row_into(row, frame.current_mut());
        let next = if row + 1 < self.main.num_rows() { row + 1 } else { 0 };
        self.main.read_row_into(next, frame.next_mut());
    }
}

struct Stark<A: Constraints> {
    options: ProofOptions,
    inputs: A::PublicInputs,
}

impl<A: Constraints> Prover for Stark<A> {
    type BaseField = Field;
    type Air = A;
    type Trace = Columns;
    type HashFn = Hash;
    type VC = Tree;
    type RandomCoin = Coin;
    type TraceLde<E: FieldElement<BaseField = Field>> = DefaultTraceLde<E, Hash, Tree>;
    type ConstraintCommitment<E: FieldElement<BaseField = Field>> =
        DefaultConstraintCommitment<E, Hash, Tree>;
    type ConstraintEvaluator<'a, E: FieldElement<BaseField = Field>> =
        DefaultConstraintEvaluator<'a, A, E>;

    fn options(&self) -> &ProofOptions {
        &self.options
    }

    fn get_pub_inputs(&self, _: &Columns) -> A::PublicInputs {
        self.inputs.clone()
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
        air: &'a A,
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

    fn build_aux_trace<E: FieldElement<BaseField = Field>>(
        &self,
        trace: &Columns,
        random: &AuxRandElements<E>,
    ) -> ColMatrix<E> {
        A::random_columns(&self.inputs, &trace.main, random.rand_elements())
    }
}

/// One proof, from what `witness` makes, and its check, with what `public` makes: 38 queries at a
/// rate of 1/8 and 16 bits of grinding are 130 bits by winterfell's conjecture; a cubic extension.
pub(crate) fn run<A: Constraints>(
    witness: impl FnOnce() -> (Columns, A::PublicInputs),
    public: impl FnOnce() -> A::PublicInputs,
) -> Times {
    let extension = FieldExtension::Cubic;
    let batching = BatchingMethod::Linear;
    let options = ProofOptions::new(38, 8, 16, extension, 8, 31, batching, batching);
    let start = Instant::now();
    let (trace, inputs) = witness();
    let stark = Stark::<A> { options: options.clone(), inputs };
    let proof = stark.prove(trace).expect("an honest proof").to_bytes();
    let prove = start.elapsed();
    let start = Instant::now();
    let parsed = Proof::from_bytes(&proof).expect("its own bytes");
    let accepted = AcceptableOptions::OptionSet(vec![options]);
    winterfell::verify::<A, Hash, Coin, Tree>(parsed, public(), &accepted).expect("valid");
    Times { commit: Duration::ZERO, prove, verify: start.elapsed(), bytes: [0, proof.len()] }
}
