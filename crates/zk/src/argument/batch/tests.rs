//! Several facts on toy dimensions: against the reference, against provers that cheat, and what is
//! sent.

use super::prover::{Begun, Rounds};
use super::*;
use crate::argument::tests::{CONTEXT, ROWS, Toy, validated, weights, with_slots};
use crate::argument::{Element, PAD_ROWS};
use crate::error::{Error, Reason, VerifyError};
use crate::params::CustomParams;
use crate::suite::Encoding;
use crate::verifier::Verifier;
use tautochrone_ctr::Seed;

mod agreement;
mod forgeries;
mod masks;

/// Slots of pads.
const SLOTS: u32 = 4;

fn toy(w: u32, l: u64) -> CustomParams {
    with_slots(SLOTS, w, l)
}

/// The block of these entries.
fn block(toy: &Toy, row: u32, column: u64, height: u32, width: u64) -> Fact {
    let entry = |k: u64| {
        let (i, j) = (k % u64::from(height), k / u64::from(height));
        toy.entry((u64::from(row) + i) as usize, (column + j) as usize) as i64
    };
    let values = (0..u64::from(height) * width).map(entry).collect();
    Fact::block(row, column, height, values).unwrap()
}

/// Facts of both kinds that no weights of rows and columns have in common.
fn all(toy: &Toy) -> Vec<Fact> {
    let l = toy.params.l();
    let (rows, columns) = weights(l);
    vec![
        toy.sum(&rows, &columns),
        block(toy, 1, 2, 3, 2),
        toy.sum(&[(0, 1)], &(0..l).map(|j| (j, 1)).collect::<Vec<_>>()),
        block(toy, 4, l - 1, 1, 1),
        toy.sum(&[(2, -5), (3, 7)], &[(0, 2), (l - 2, 9)]),
    ]
}

fn of(facts: &[Fact]) -> Facts {
    Facts::new(facts.to_vec()).unwrap()
}

impl Toy {
    fn batch_slot(&self, first: u32) -> BatchSlot {
        self.space.batch_slot(first).unwrap()
    }

    /// What S says, whether the facts hold or not.
    fn begin_facts(&self, facts: &Facts) -> Begun {
        let slot = self.batch_slot(0);
        let start = claim::begin(&self.statement, slot, facts);
        Begun::read::<i8>(&self.params, &self.witness, slot, facts, start).unwrap()
    }

    fn play_facts(&self, facts: &Facts) -> Rounds {
        let slot = self.batch_slot(0);
        self.begin_facts(facts).play::<i8>(&self.params, &self.witness, slot).unwrap()
    }

    fn try_prove_facts(&self, first: u32, facts: &Facts) -> Result<FactsProof, Error> {
        let (slot, seed) = (self.batch_slot(first), Seed::from_bytes([7; 32]));
        let proved = self.prover().prove_facts(CONTEXT, slot, facts, &self.witness, &seed)?;
        assert!(proved.attempts > 0);
        Ok(proved.proof)
    }

    fn prove_facts(&self, first: u32, facts: &Facts) -> Vec<u8> {
        self.try_prove_facts(first, facts).unwrap().to_bytes(&self.params)
    }

    fn verify_facts(&self, first: u32, facts: &Facts, proof: &[u8]) -> Result<(), VerifyError> {
        let (verifier, slot) =
            (Verifier::new(&self.matrix, &self.statement).unwrap(), self.batch_slot(first));
        verifier.verify_facts_streaming(CONTEXT, slot, facts, &self.file, proof)
    }

    /// The reason why a proof is not valid.
    fn facts_reason(&self, first: u32, facts: &Facts, proof: &[u8]) -> Option<Reason> {
        match self.verify_facts(first, facts, proof) {
            Ok(()) => None,
            Err(VerifyError::Invalid(reason)) => Some(reason),
            Err(VerifyError::NoVerdict(error)) => panic!("{error}"),
        }
    }
}
