//! Facts on toy dimensions: against the reference, against provers that cheat, and what is sent.

use tautochrone_ctr::{Label, Seed};

use super::*;
use crate::error::{Error, Reason, VerifyError};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::prover::Prover;
use crate::rows::{Distribution, RowGroup};
use crate::statement::Statement;
use crate::verifier::Verifier;
use crate::witness::{Witness, WitnessSource};

mod agreement;
mod extraction;
mod forgeries;
mod masks;
mod shards;

/// Rows of a message.
pub(super) const ROWS: u32 = 6;
/// Slots of pads.
const SLOTS: u32 = 2;
pub(super) const CONTEXT: &[u8] = b"context";

/// Messages of 6 rows within 9, two slots of pads, 16 rows of randomness and r = 5.
fn toy(w: u32, l: u64) -> CustomParams {
    with_slots(SLOTS, w, l)
}

/// The same with another number of slots.
pub(super) fn with_slots(slots: u32, w: u32, l: u64) -> CustomParams {
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let v = ROWS + PAD_ROWS * slots + 16 + 5;
    CustomParams {
        n: Some(10),
        groups: [any(ROWS, 9), any(PAD_ROWS * slots, 2), None],
        ..CustomParams::new(w, 5, v, l, 1)
    }
}

/// Parameters for any witness: toys are too short to be near their mean.
pub(super) fn validated(custom: CustomParams) -> Params {
    let params = custom.validate(Security::Waived).unwrap();
    let frobenius_squared = Some(params.largest_frobenius_squared());
    CustomParams { frobenius_squared, ..custom }.validate(Security::Waived).unwrap()
}

/// A statement and what its prover has.
pub(super) struct Toy {
    pub(super) params: Params,
    pub(super) space: PaddedSpace,
    pub(super) matrix: PublicMatrix,
    pub(super) statement: Statement,
    pub(super) file: Vec<u8>,
    pub(super) witness: Witness,
    /// S.
    pub(super) entries: Vec<i8>,
}

impl Toy {
    pub(super) fn new(custom: CustomParams, seed: u8) -> Self {
        let params = validated(custom);
        let slots = params.row_groups()[1].rows / PAD_ROWS;
        let space = PaddedSpace::new(&params, ROWS, slots, Security::Waived).unwrap();
        let seed = Seed::from_bytes([seed; 32]);
        let mut bytes = vec![0; (u64::from(ROWS) * params.l()) as usize];
        seed.stream(Label::new("test: messages"), 0).fill(&mut bytes);
        let messages: Vec<i8> = bytes.iter().map(|byte| (byte % 19) as i8 - 9).collect();
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let source = space.witness(&matrix, &messages, &seed).unwrap();
        let mut entries = vec![0; params.v() as usize * params.l() as usize];
        source.read_columns(&params, 0, &mut entries).unwrap();
        Self::of(params, space, entries)
    }

    pub(super) fn of(params: Params, space: PaddedSpace, entries: Vec<i8>) -> Self {
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let witness = Witness::new(&params, entries.clone()).unwrap();
        let mut file = Vec::new();
        let statement = matrix.commit(&witness, &mut file).unwrap();
        Self { params, space, matrix, statement, file, witness, entries }
    }

    pub(super) fn prover(&self) -> Prover<'_> {
        let prover = Prover::new(&self.matrix, &self.statement).unwrap();
        prover.with_file(&self.file).reproducible()
    }

    pub(super) fn entry(&self, row: usize, column: usize) -> i128 {
        self.entries[column * self.params.v() as usize + row].into()
    }

    /// What a sum is modulo p, centred.
    pub(super) fn value(&self, rows: &[(u32, i64)], columns: &[(u64, i64)]) -> i64 {
        let of_column = |&(j, g): &(u64, i64)| -> i128 {
            let term = |&(i, x): &(u32, i64)| i128::from(x) * self.entry(i as usize, j as usize);
            i128::from(g) * rows.iter().map(term).sum::<i128>()
        };
        let (sum, half) = (columns.iter().map(of_column).sum::<i128>(), i128::from(HALF_P));
        ((sum + half).rem_euclid(P.into()) - half) as i64
    }

    pub(super) fn sum(&self, rows: &[(u32, i64)], columns: &[(u64, i64)]) -> Fact {
        let value = self.value(rows, columns);
        Fact::sum(rows.to_vec(), columns.to_vec(), value).unwrap()
    }

    fn slot(&self, index: u32) -> Slot {
        self.space.slot(index).unwrap()
    }

    fn try_prove(&self, slot: u32, fact: &Fact) -> Result<FactProof, Error> {
        let seed = Seed::from_bytes([7; 32]);
        let slot = self.slot(slot);
        let proved = self.prover().prove_fact(CONTEXT, slot, fact, &self.witness, &seed)?;
        assert!(proved.attempts > 0);
        Ok(proved.proof)
    }

    fn prove(&self, slot: u32, fact: &Fact) -> Vec<u8> {
        self.try_prove(slot, fact).unwrap().to_bytes(&self.params)
    }

    fn verify(&self, slot: u32, fact: &Fact, proof: &[u8]) -> Result<(), VerifyError> {
        let verifier = Verifier::new(&self.matrix, &self.statement).unwrap();
        verifier.verify_fact_streaming(CONTEXT, self.slot(slot), fact, &self.file, proof)
    }

    /// The reason why a proof is not valid.
    fn reason(&self, slot: u32, fact: &Fact, proof: &[u8]) -> Option<Reason> {
        match self.verify(slot, fact, proof) {
            Ok(()) => None,
            Err(VerifyError::Invalid(reason)) => Some(reason),
            Err(VerifyError::NoVerdict(error)) => panic!("{error}"),
        }
    }
}

/// Weights of rows, or of columns.
pub(super) type Weights<T> = Vec<(T, i64)>;

/// Rows 1, 2 and 5 and every other column.
pub(super) fn weights(l: u64) -> (Weights<u32>, Weights<u64>) {
    let columns = (0..l).step_by(2).map(|j| (j, 3 - 7 * j.cast_signed())).collect();
    (vec![(1, 1), (2, -HALF_P / 1000), (5, 4)], columns)
}
