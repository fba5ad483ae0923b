//! [`ExactKeys::prove`]: a masked sum-check over the rows of the keys, a hint a key, then a proof of
//! knowledge that is bound to them.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use tautochrone_simd::{declassify, declassify_slice};
use zeroize::Zeroizing;

use super::claim::{FinalMessages, KeySchedule, gamma};
use super::dummies::{Committed, Dummies};
use super::published::widen;
use super::{ExactKeys, KeyProof, KeyRanges, witness};
use crate::argument::ranges::check::{SumCheck, TABLE_BYTES};
use crate::argument::ranges::level::Source;
use crate::argument::ranges::rows::Rows;
use crate::error::Error;
use crate::field::Element;
use crate::hash::Digest;
use crate::opening::{ColumnOpening, Opening};
use crate::owner::Owner;
use crate::proof::Proof;
use crate::prover::{Proved, Prover};
use crate::shard::range::Shard;
use crate::statement::Statement;
use crate::witness::WitnessSource;
use crate::witness::columns::for_column_groups;
use crate::witness::digest::WitnessDigest;

impl ExactKeys<'_> {
    /// Proves in a user's context that the keys are well formed, knowing their secrets and errors.
    ///
    /// **It gives away a hint a key**, and under the assumption that LWE with
    /// [as many](super::KeyRanges::hints) modular hints is hard nothing else. Proofs of one claim
    /// about one T give away one hint together, any number of them, whatever their context and
    /// seed; another claim, or the same keys in another T, one more.
    ///
    /// Memory: as [`Prover::prove`], some 100 bytes a key, and 64 MiB at most beside; S is read
    /// once more, and once for every round until what it becomes fits into these.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if an entry is not in its range; [`Error::ForeignWitness`] if T is not
    /// A S; [`Error::NotLoaded`] if l is no multiple of 256 and T is neither in memory nor [in a
    /// file](Self::with_file); [`Error::WitnessBound`], [`Error::WitnessNorm`],
    /// [`Error::TooManyAttempts`], [`Error::Device`] and [`Error::Randomness`] as for plain proofs;
    /// errors of reading the witness.
    ///
    /// # Constant time
    /// In secrets and errors, but for whether the claim holds of them.
    pub fn prove(
        &self,
        context: &[u8],
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<Proved<KeyProof>, Error> {
        let (digest, holds) = self.read(witness, Shard::whole(self.statement.params()))?;
        if !holds {
            return Err(Error::FalseFact);
        }
        self.statement.check_owner(
            self.of_keys,
            witness,
            &digest.finish(self.statement.params()),
        )?;
        let rounds = self.play(witness, self.draw(&digest), TABLE_BYTES)?;
        let ends = rounds.ends();
        let sent = rounds.send(ends, AfterRounds::values);
        self.respond(context, witness, sent, seed)
    }

    /// The digest of a shard's columns, and whether all entries are in their range.
    pub(super) fn read(
        &self,
        witness: &dyn WitnessSource,
        shard: Shard,
    ) -> Result<(WitnessDigest, bool), Error> {
        let params = self.statement.params();
        let v = params.v() as usize;
        let mut digest = WitnessDigest::with_capacity(shard.blocks().count());
        let mut outside = false;
        for_column_groups(params, witness, shard, |first, entries: &[i8]| {
            digest.read(params, first, entries);
            for column in entries.chunks_exact(v) {
                outside |= self.ranges.is_violated(column);
            }
            Ok(())
        })?;
        Ok((digest, !declassify(outside)))
    }

    /// The dummy columns of keys with this digest.
    pub(super) fn draw(&self, digest: &WitnessDigest) -> Dummies {
        Dummies::draw(self, &digest.finish(self.statement.params()))
    }

    /// The rounds, whether the claim holds or not.
    pub(super) fn play(
        &self,
        witness: &dyn WitnessSource,
        dummies: Dummies,
        table_bytes: usize,
    ) -> Result<AfterRounds, Error> {
        let whole = Shard::whole(self.statement.params());
        let mut begun = self.begin(dummies)?;
        let mut rows = self.rows(witness, whole, begun.check.challenges(), table_bytes);
        for _ in 0..self.shape().row_rounds {
            let sums = rows.sums::<i8>()?;
            rows.bind(begun.check.send(&sums));
        }
        Ok(self.end(begun, rows.images::<i8>()?.to_vec()))
    }

    /// Commits to dummy columns, and draws tau.
    pub(super) fn begin(&self, dummies: Dummies) -> Result<AfterDummies, Error> {
        let params = self.statement.params();
        let dummies = dummies.commit(self)?;
        let of_t = widen(&self.extended, &dummies.published).expect("its own columns");
        // T of the keys is their own, and so are the dummy columns.
        let statement = self.extend(&of_t)?.with_owner(Owner::Compared);
        let statement = statement.with_rounded_off(Some(dummies.rounded_off.clone()));
        let gamma = dummies.at(&gamma(params.v() - params.r(), &self.extended.pads));
        let check = SumCheck::new(self.transcript(&statement), self.shape(), &self.ranges, gamma);
        Ok(AfterDummies { statement, dummies, check })
    }

    /// The rounds' sums over a shard of the keys.
    pub(super) fn rows<'b>(
        &'b self,
        witness: &'b dyn WitnessSource,
        shard: Shard,
        tau: &[Element],
        table_bytes: usize,
    ) -> Rows<'b> {
        let params = self.statement.params();
        // The row behind the rows of the keys is 0.
        let beta = Zeroizing::new(vec![Element::ZERO; shard.columns(params).count()]);
        let (ranges, columns) = (&self.ranges, 0..params.l());
        let source = Source {
            params,
            witness,
            parts: ranges.table_rows(),
            shard,
            columns,
            beta,
            stored: None,
        };
        Rows::new(ranges, source, self.shape(), tau, table_bytes).on(self.matrix.isa)
    }

    /// The state after the rounds. The hints are public from here on.
    pub(super) fn end(&self, rounds: AfterDummies, hints: Vec<Element>) -> AfterRounds {
        declassify_slice(&hints);
        let AfterDummies { statement, dummies, check } = rounds;
        let (start, schedule, messages) = check.into_parts();
        AfterRounds {
            statement,
            start,
            schedule: self.after_rounds(schedule),
            messages,
            hints,
            dummies,
        }
    }

    /// The proof of knowledge that is bound to what was sent.
    pub(super) fn respond(
        &self,
        context: &[u8],
        witness: &dyn WitnessSource,
        sent: ArgumentMessages,
        seed: &Seed,
    ) -> Result<Proved<KeyProof>, Error> {
        let (params, dummies) = (self.statement.params(), sent.dummies.dummies.columns());
        let extended = witness::Extended { keys: witness, params, dummies };
        let (prover, context) = (self.prover(&sent)?, self.context(context));
        let proved = prover.prove_opening(&context, &extended, seed, Some(&sent.opening))?;
        let proof = sent.into_proof(self.claim, proved.proof);
        Ok(Proved { proof, attempts: proved.attempts })
    }

    /// The prover of the statement with dummy columns.
    pub(super) fn prover<'b>(&'b self, sent: &'b ArgumentMessages) -> Result<Prover<'b>, Error> {
        let prover = Prover::new(&self.matrix, &sent.statement)?;
        Ok(if self.reproducible { prover.reproducible() } else { prover })
    }
}

/// Dummy columns are committed to, and tau is drawn.
pub(super) struct AfterDummies {
    /// Of keys and dummy columns.
    statement: Statement,
    dummies: Committed,
    pub(super) check: SumCheck,
}

/// The rounds as they were played.
pub(super) struct AfterRounds {
    /// Of keys and dummy columns.
    statement: Statement,
    /// D_0.
    start: Digest,
    pub(super) schedule: KeySchedule,
    pub(super) messages: Vec<Element>,
    /// h_j.
    pub(super) hints: Vec<Element>,
    dummies: Committed,
}

/// All that is sent before Y.
pub(super) struct ArgumentMessages {
    pub(super) dummies: Committed,
    statement: Statement,
    start: Digest,
    pub(super) messages: Vec<Element>,
    pub(super) ends: FinalMessages,
    /// y_j of dummy columns.
    pub(super) values: Vec<Element>,
    pub(super) opening: Opening,
}

impl ArgumentMessages {
    /// The proof of a claim, of a proof of knowledge that is bound to it.
    pub(super) fn into_proof(self, claim: KeyRanges, proof: Proof) -> KeyProof {
        let Self { dummies, start, messages, ends, values, .. } = self;
        KeyProof { start, claim, dummies: dummies.published, messages, ends, values, proof }
    }
}

impl AfterRounds {
    pub(super) fn ends(&self) -> FinalMessages {
        let w = self.schedule.pad_weights();
        let weighted = |form| {
            let values = self.dummies.at(&form);
            w.iter().zip(values.iter()).fold(Element::ZERO, |sum, (&w, &x)| sum + w * x)
        };
        let (rows, masks) = (weighted(self.schedule.rows()), weighted(self.schedule.mask()));
        let [weighted_hints, weighted_masks] = [declassify(rows), declassify(masks)];
        FinalMessages { hints: self.hints.clone(), weighted_hints, weighted_masks }
    }

    /// y_j = phi(s~_j) of dummy columns.
    pub(super) fn values(&self, rho: Element) -> Vec<Element> {
        let values = self.dummies.at(&self.schedule.form(rho));
        declassify_slice(&values);
        values.to_vec()
    }

    /// Sends the ends, and after rho the values.
    pub(super) fn send(
        mut self,
        ends: FinalMessages,
        values: impl FnOnce(&Self, Element) -> Vec<Element>,
    ) -> ArgumentMessages {
        let rho = self.schedule.rho(&ends);
        let values = values(&self, rho);
        let state = self.schedule.finish(&values);
        let opening = Opening::P61(ColumnOpening::new(state, self.schedule.form(rho)));
        let Self { dummies, statement, start, messages, .. } = self;
        ArgumentMessages { dummies, statement, start, messages, ends, values, opening }
    }
}
