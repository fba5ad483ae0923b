//! Ranges on toy dimensions: against the reference, against provers that cheat, and what is sent.

use tautochrone_ctr::{Label, Seed};
use tautochrone_simd::Isa;

use super::columns::Pads;
use super::prover::Rounds;
use super::*;
use crate::argument::{Element, PAD_BOUND, PaddedSpace};
use crate::error::{Error, Reason, VerifyError};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::prover::Prover;
use crate::rows::{Distribution, RowGroup};
use crate::shard::Shard;
use crate::statement::Statement;
use crate::verifier::Verifier;
use crate::witness::{Witness, WitnessSource};

mod agreement;
mod extraction;
mod forgeries;
mod masks;
mod norms;
mod shards;

const CONTEXT: &[u8] = b"context";
/// Rows of a message.
const ROWS: u32 = 9;

/// Messages of 9 rows within 127, pads for a claim, 16 rows of randomness and r = 5.
fn toy(w: u32, l: u64) -> CustomParams {
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let v = ROWS + RANGE_PAD_ROWS + 16 + 5;
    CustomParams {
        n: Some(10),
        groups: [any(ROWS, 127), any(RANGE_PAD_ROWS, PAD_BOUND), None],
        ..CustomParams::new(w, 5, v, l, 1)
    }
}

/// Parameters for any witness: toys are too short to be near their mean.
fn validated(custom: CustomParams) -> Params {
    let params = custom.validate(Security::Waived).unwrap();
    let frobenius_squared = Some(params.largest_frobenius_squared());
    CustomParams { frobenius_squared, ..custom }.validate(Security::Waived).unwrap()
}

fn range(first_row: u32, rows: u32, low: i32, high: i32) -> RowRange {
    RowRange { first_row, rows, low, high }
}

/// Bits in rows 1 to 3, trits in rows 4 to 7; rows 0 and 8 are anything.
fn bits_and_trits() -> Ranges {
    Ranges::new(vec![range(1, 3, 0, 1), range(4, 4, -1, 1)]).unwrap()
}

fn trits(rows: u32) -> Ranges {
    Ranges::new(vec![range(0, rows, -1, 1)]).unwrap()
}

/// The squared norm of an entry within 9, with bits in rows 1 to 7.
fn one_norm() -> Ranges {
    let norm = RowNorm::at_most(0, 1, 81, 1);
    Ranges::with_norms(vec![range(1, norm.bits, 0, 1)], vec![norm]).unwrap()
}

/// Trits in rows 0 to 2 and 6, the norm of rows 0 to 2 with bits in rows 4 and 5, and that of row 6
/// with one in row 7; rows 3 and 8 are anything.
fn two_norms() -> Ranges {
    let parts = vec![range(0, 3, -1, 1), range(4, 2, 0, 1), range(6, 1, -1, 1), range(7, 1, 0, 1)];
    let norms = vec![RowNorm::at_most(0, 3, 3, 4), RowNorm::at_most(6, 1, 1, 7)];
    Ranges::with_norms(parts, norms).unwrap()
}

/// A statement and what its prover has.
struct Toy {
    params: Params,
    space: PaddedSpace,
    matrix: PublicMatrix,
    statement: Statement,
    file: Vec<u8>,
    witness: Witness,
    /// S.
    entries: Vec<i8>,
}

impl Toy {
    /// Messages of which `ranges` hold; other rows are within 9.
    fn new(custom: CustomParams, ranges: &Ranges, seed: u8) -> Self {
        let params = validated(custom);
        let space = PaddedSpace::with_ranges(&params, ROWS, 0, 1, Security::Waived).unwrap();
        let seed = Seed::from_bytes([seed; 32]);
        let mut bytes = vec![0; (u64::from(ROWS) * params.l()) as usize];
        seed.stream(Label::new("test: messages"), 0).fill(&mut bytes);
        let limits = |row: u32| {
            let part = ranges
                .parts()
                .iter()
                .find(|part| (u64::from(part.first_row)..part.end()).contains(&row.into()));
            part.map_or((-9, 9), |part| (part.low, part.high))
        };
        let entry = |(i, &byte): (usize, &u8)| {
            let (low, high) = limits(i as u32 % ROWS);
            (low + i32::from(byte) % (high - low + 1)) as i8
        };
        let mut messages: Vec<i8> = bytes.iter().enumerate().map(entry).collect();
        ranges.fill_slack(ROWS as usize, &mut messages).unwrap();
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let source = space.witness(&matrix, &messages, &seed).unwrap();
        let mut entries = vec![0; params.v() as usize * params.l() as usize];
        source.read_columns(&params, 0, &mut entries).unwrap();
        Self::of(params, space, entries)
    }

    fn of(params: Params, space: PaddedSpace, entries: Vec<i8>) -> Self {
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let witness = Witness::new(&params, entries.clone()).unwrap();
        let mut file = Vec::new();
        let statement = matrix.commit(&witness, &mut file).unwrap();
        Self { params, space, matrix, statement, file, witness, entries }
    }

    fn prover(&self) -> Prover<'_> {
        let prover = Prover::new(&self.matrix, &self.statement).unwrap();
        prover.with_file(&self.file).reproducible()
    }

    /// The rounds, whether the claim holds or not.
    fn play(&self, ranges: &Ranges, table_bytes: usize) -> Rounds {
        let (params, slot) = (&self.params, self.slot());
        let shard = Shard::whole(params);
        let (pads, _) = Pads::read::<i8>(params, &self.witness, shard, slot, ranges).unwrap();
        let start = claim::begin(&self.statement, slot, ranges);
        Rounds::play::<i8>((Isa::detect(), table_bytes), params, ranges, &self.witness, pads, start)
            .unwrap()
    }

    /// The file that these messages and a proof bound to them make.
    fn file_of(&self, sent: RangeArgument) -> Vec<u8> {
        let seed = Seed::from_bytes([8; 32]);
        let prover = self.prover();
        let proved = prover.prove_opening(CONTEXT, &self.witness, &seed, Some(&sent.opening));
        sent.into_proof(proved.unwrap().proof).to_bytes(&self.params)
    }

    fn slot(&self) -> RangeSlot {
        self.space.range_slot(0).unwrap()
    }

    fn try_prove(&self, ranges: &Ranges) -> Result<RangeProof, Error> {
        let seed = Seed::from_bytes([7; 32]);
        let proved =
            self.prover().prove_ranges(CONTEXT, self.slot(), ranges, &self.witness, &seed)?;
        assert!(proved.attempts > 0);
        Ok(proved.proof)
    }

    fn prove(&self, ranges: &Ranges) -> Vec<u8> {
        self.try_prove(ranges).unwrap().to_bytes(&self.params)
    }

    fn verify(&self, ranges: &Ranges, proof: &[u8]) -> Result<(), VerifyError> {
        let verifier = Verifier::new(&self.matrix, &self.statement).unwrap();
        verifier.verify_ranges_streaming(CONTEXT, self.slot(), ranges, &self.file, proof)
    }

    /// The reason why a proof is not valid.
    fn reason(&self, ranges: &Ranges, proof: &[u8]) -> Option<Reason> {
        match self.verify(ranges, proof) {
            Ok(()) => None,
            Err(VerifyError::Invalid(reason)) => Some(reason),
            Err(VerifyError::NoVerdict(error)) => panic!("{error}"),
        }
    }
}
