//! Keys of toy dimensions: against the reference, against provers that cheat, and what is sent.

use core::ops::Deref;

use tautochrone_ctr::{Label, Seed};

use super::claim::FinalMessages;
use super::dummies::Dummies;
use super::proof::stated_claim;
use super::prover::AfterRounds;
use super::*;
use crate::argument::proof::Argument;
use crate::cases::{CHALLENGE, CONTEXT, Case, EQUATION, SEED, reason, replaced, validated, waived};
use crate::error::{Error, Reason};
use crate::field::Element;
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::proof::Proof;
use crate::shard::Shard;
use crate::statement::Statement;

mod agreement;
mod extraction;
mod forgeries;
mod hints;
mod rounded;
mod shards;

/// r = 5, k secrets, entries within `b`.
fn toy(w: u32, k: u32, l: u64, b: u32) -> CustomParams {
    CustomParams { n: Some(10), round_t: Some(0), ..CustomParams::new(w, 5, 5 + k, l, b) }
}

fn ranges(secret: u32, error: u32) -> KeyRanges {
    KeyRanges::new(secret, error).unwrap()
}

/// A statement and what its prover has.
struct Toy {
    case: Case<i8>,
    claim: KeyRanges,
}

impl Deref for Toy {
    type Target = Case<i8>;

    fn deref(&self) -> &Case<i8> {
        &self.case
    }
}

impl Toy {
    /// Keys of which the claim holds.
    fn new(custom: CustomParams, claim: KeyRanges, seed: u8) -> Self {
        let params = validated(custom);
        let v = params.v() as usize;
        let k = v - params.r() as usize;
        let mut bytes = vec![0; v * params.l() as usize];
        Seed::from_bytes([seed; 32]).stream(Label::new("test: keys"), 0).fill(&mut bytes);
        let entry = |(i, &byte): (usize, &u8)| {
            let bound = if i % v < k { claim.secret_bound() } else { claim.error_bound() };
            (u32::from(byte) % (2 * bound + 1)) as i8 - bound as i8
        };
        let entries = bytes.iter().enumerate().map(entry).collect();
        Self::of(params, claim, entries)
    }

    fn of(params: Params, claim: KeyRanges, entries: Vec<i8>) -> Self {
        Self { case: Case::of(params, 1, entries), claim }
    }

    /// The same with another entry of S.
    fn with_entry(&self, index: usize, entry: i8) -> Self {
        let entries = replaced(&self.entries, index, &[entry]);
        Self::of(self.params.clone(), self.claim, entries)
    }

    fn keys(&self) -> ExactKeys<'_> {
        let keys = ExactKeys::new(&self.matrix, &self.statement, self.claim).unwrap();
        keys.with_file(&self.file).reproducible()
    }

    /// H(S) and the dummy columns that follow from it.
    fn dummies(&self) -> Dummies {
        let keys = self.keys();
        keys.draw(&keys.read_any(&self.witness, Shard::whole(&self.params), 0).unwrap().0.digest)
    }

    /// The rounds, whether the claim holds or not, with so many bytes for the table.
    fn play(&self, dummies: Dummies, table_bytes: usize) -> AfterRounds {
        let (keys, whole) = (self.keys(), Shard::whole(&self.params));
        let mut worker = KeyWorker::with_table(&keys, &self.witness, whole, table_bytes);
        keys.play(dummies, &mut |request| worker.answer(request)).unwrap()
    }

    /// The verdict on a prover with these messages, whether the claim holds or not.
    fn reason_of(
        &self,
        ends: impl FnOnce(&AfterRounds) -> FinalMessages,
        values: impl FnOnce(&AfterRounds, Element) -> Vec<Element>,
    ) -> Option<Reason> {
        let rounds = self.play(self.dummies(), 1 << 20);
        let ends = ends(&rounds);
        let (keys, seed) = (self.keys(), Seed::from_bytes(SEED));
        let sent = rounds.send(&keys, &ends, values);
        let read = keys.read_any(&self.witness, Shard::whole(&self.params), u64::MAX).unwrap().0;
        let (proof, _) = keys.respond(CONTEXT, (&self.witness, read.full), &sent, &seed).unwrap();
        self.reason(&sent.argument.proof_file(keys.params(), &proof))
    }

    fn try_prove(&self) -> Result<(Argument, Proof), Error> {
        let seed = Seed::from_bytes(SEED);
        let (sent, proof, _) = self.keys().argue(CONTEXT, &self.witness, &seed)?;
        Ok((sent.argument, proof))
    }

    fn prove(&self) -> Vec<u8> {
        self.prove_by(&self.keys()).unwrap()
    }

    fn prove_by(&self, keys: &ExactKeys<'_>) -> Result<Vec<u8>, Error> {
        Ok(keys.prove(CONTEXT, &self.witness, &Seed::from_bytes(SEED))?.proof)
    }

    /// The reason why a proof is not valid.
    fn reason(&self, proof: &[u8]) -> Option<Reason> {
        reason(self.keys().verify(CONTEXT, proof))
    }
}
