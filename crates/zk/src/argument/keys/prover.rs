//! [`ExactKeys::prove`]: a masked sum-check over the rows of the keys, a hint a key, then a proof
//! of knowledge that is bound to them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use tautochrone_simd::{Isa, declassify, declassify_slice, vectorize};

use super::ExactKeys;
use super::claim::{FinalMessages, KeySchedule, gamma};
use super::dummies::{Committed, Dummies, widen};
use super::shard::{KeyWorker, full_blocks};
use crate::argument::joined::{Joined, with_pads};
use crate::argument::proof::Argument;
use crate::argument::ranges::instance::{SumCheck, TABLE_BYTES};
use crate::argument::request::Ask;
use crate::erase::Secrets;
use crate::error::Error;
use crate::field::Element;
use crate::format::ProofKind;
use crate::hash::Digest;
use crate::opening::transcript::encode;
use crate::owner::Owner;
use crate::proof::Proof;
use crate::prover::{PACKED_BYTES, Proved, Prover};
use crate::shard::range::Shard;
use crate::shard::worker::{PackedColumns, ShardWitness};
use crate::statement::Statement;
use crate::sum_check::dot;
use crate::witness::WitnessSource;
use crate::witness::columns::for_unchecked_groups;
use crate::witness::digest::WitnessDigest;

impl ExactKeys<'_> {
    /// Proves in a user's context that the keys are well formed, knowing their secrets and errors.
    ///
    /// **It gives away a hint a key**, and under the assumption that LWE with
    /// [as many](super::KeyRanges::hints) modular hints is hard nothing else. Proofs of one claim
    /// about one T give away one hint together, any number of them, with any contexts and
    /// seeds; another claim, or the same keys in another T, one more.
    ///
    /// Memory: as [`Prover::prove`], some 100 bytes a key, and 64 MiB at most beside; S is read
    /// once more for every round until what it becomes fits into these.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if an entry is not in its range; [`Error::ForeignWitness`] if T is not
    /// A S; [`Error::Request`] if l is no multiple of 256 and T is neither in memory nor [in a
    /// file](Self::with_file); [`Error::Witness`], [`Error::TooManyAttempts`], [`Error::Device`]
    /// and [`Error::Randomness`] as for plain proofs; errors of reading the witness.
    ///
    /// # Constant time
    /// In secrets and errors, but for whether the claim holds of them.
    pub fn prove(
        &self,
        context: &[u8],
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<Proved, Error> {
        let (sent, proof, attempts) = self.argue(context, witness, seed)?;
        Ok(Proved { proof: sent.argument.proof_file(self.params(), &proof), attempts })
    }

    /// What was sent before Y, the proof of knowledge that is bound to it, and the number of
    /// attempts.
    pub(super) fn argue(
        &self,
        context: &[u8],
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<(Sent, Proof, u32), Error> {
        let whole = Shard::whole(self.statement.params());
        let KeysRead { digest, full } = self.read(witness, whole, PACKED_BYTES)?;
        self.statement.check_owner(
            self.of_keys,
            witness,
            &digest.finish(self.statement.params()),
        )?;
        let mut worker = KeyWorker::with_table(self, witness, whole, TABLE_BYTES);
        let rounds = self.play(self.draw(&digest), &mut |request| worker.answer(request))?;
        let ends = rounds.ends();
        let sent = rounds.send(self, &ends, AfterRounds::values);
        let (proof, attempts) = self.respond(context, (witness, full), &sent, seed)?;
        Ok((sent, proof, attempts))
    }

    /// Reads a shard of the keys' columns once, and stores less than `capacity` bytes of packed S.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if an entry is not in its range; [`Error::Witness`]; errors of reading
    /// the witness.
    pub(super) fn read(
        &self,
        witness: &dyn WitnessSource,
        shard: Shard,
        capacity: u64,
    ) -> Result<KeysRead<'_>, Error> {
        let (read, holds) = self.read_any(witness, shard, capacity)?;
        if holds { Ok(read) } else { Err(Error::FalseFact) }
    }

    /// The same, and whether all entries are in their range.
    pub(super) fn read_any(
        &self,
        witness: &dyn WitnessSource,
        shard: Shard,
        capacity: u64,
    ) -> Result<(KeysRead<'_>, bool), Error> {
        let end = full_blocks(self);
        let mut packed = PackedColumns::new(&self.matrix, capacity);
        let (full, full_hold) =
            self.read_blocks(witness, shard.ending_at(end), Some(&mut packed))?;
        let (last, last_holds) = self.read_blocks(witness, shard.starting_at(end), None)?;
        let mut digest = full.clone();
        digest.join(&last);
        Ok((KeysRead { digest, full: (packed, full) }, full_hold && last_holds))
    }

    /// The digest of blocks, and whether all entries are in their range.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn read_blocks(
        &self,
        witness: &dyn WitnessSource,
        blocks: Shard,
        mut packed: Option<&mut PackedColumns<'_>>,
    ) -> Result<(WitnessDigest, bool), Error> {
        let (params, extended) = (self.statement.params(), self.params());
        let (v, height) = (params.v() as usize, extended.v() as usize);
        let mut digest = WitnessDigest::with_capacity(blocks.blocks().count());
        let (mut outside, mut buffer) = (0, Secrets::<i8>::default());
        // A number: a value of `bool` tells whether there is one, too.
        let is_violated = |block: &[i8]| {
            u8::from(vectorize!(Isa::detect_vectors(), {
                // No `fold`, which is not inlined into code for these vectors.
                let mut any = false;
                for column in block.chunks_exact(v) {
                    any |= self.ranges.is_violated(column);
                }
                any
            }))
        };
        for_unchecked_groups(params, witness, blocks, &mut |first, entries: &[i8]| {
            let squares = extended.bounds_squares();
            for block in digest.read_checked((params, squares), first, entries, is_violated)? {
                outside |= block;
            }
            if let Some(packed) = packed.as_mut().filter(|packed| packed.have_room()) {
                let columns = buffer.of_len(entries.len() / v * height);
                with_pads(params, entries, (columns, height));
                packed.pack(columns);
            }
            Ok(())
        })?;
        Ok((digest, declassify(outside) == 0))
    }

    /// The dummy columns of keys with this digest.
    pub(super) fn draw(&self, digest: &WitnessDigest) -> Dummies {
        Dummies::draw(self, &digest.finish(self.statement.params()))
    }

    /// Commits to dummy columns, and plays the rounds, whether the claim holds or not. The hints
    /// are public from here on.
    ///
    /// # Errors
    /// [`Error::Shard`] if answers have another length; [`Error::Request`]; errors of reading T;
    /// what `ask` gives.
    pub(super) fn play(&self, dummies: Dummies, ask: &mut Ask<'_>) -> Result<AfterRounds, Error> {
        let params = self.statement.params();
        let dummies = dummies.commit(self)?;
        let of_t = widen(&self.extended, &dummies.published).expect("its own columns");
        // T of the keys is their own, and so are the dummy columns.
        let statement = self.extend(&of_t)?.with_owner(Owner::Compared);
        let statement = statement.with_rounded_off(Some(dummies.rounded_off.clone()));
        let gamma = dummies.at(&gamma(params.v() - params.r(), &self.extended.pads));
        let transcript = self.transcript(&statement);
        let start = *transcript.state();
        let mut check = SumCheck::new(transcript, self.shape(), &self.ranges, gamma);
        // The row behind the rows of the keys is 0.
        let hints = check.play_rows(0, Element::ZERO, ask)?.to_vec();
        declassify_slice(&hints);
        let schedule = self.after_rounds(check.schedule);
        Ok(AfterRounds { statement, start, schedule, hints, dummies })
    }

    /// The proof of knowledge that is bound to what was sent, and its number of attempts.
    pub(super) fn respond(
        &self,
        context: &[u8],
        (witness, full): (&dyn WitnessSource, FullBlocks<'_>),
        sent: &Sent,
        seed: &Seed,
    ) -> Result<(Proof, u32), Error> {
        let (params, behind) = (self.statement.params(), sent.dummies.columns());
        let extended = Joined { first: witness, params, behind };
        let (prover, context) = (self.prover(sent)?, self.context(context));
        let opening = Some(&*sent.argument.opening);
        prover.check_product()?;
        let whole = Shard::whole(self.params());
        let read = ShardWitness::hashed_behind(full, &extended, whole)?;
        prover.prove_read(&context, (&extended, read), seed, opening)
    }

    /// The prover of the statement with dummy columns.
    pub(super) fn prover<'b>(&'b self, sent: &'b Sent) -> Result<Prover<'b>, Error> {
        let prover = Prover::new(&self.matrix, &sent.statement)?;
        Ok(if self.reproducible { prover.reproducible() } else { prover })
    }
}

/// What is read of a shard of keys.
pub(super) struct KeysRead<'a> {
    /// Of all its columns.
    pub(super) digest: WitnessDigest,
    pub(super) full: FullBlocks<'a>,
}

/// Blocks that are full of keys: with pads, packed; and their digest, without pads.
pub(super) type FullBlocks<'a> = (PackedColumns<'a>, WitnessDigest);

/// The rounds as they were played.
pub(super) struct AfterRounds {
    /// Of keys and dummy columns.
    statement: Statement,
    /// D_0.
    start: Digest,
    pub(super) schedule: KeySchedule,
    /// h_j.
    pub(super) hints: Vec<Element>,
    dummies: Committed,
}

/// All that is sent before Y, and what it is about.
pub(super) struct Sent {
    pub(super) argument: Argument,
    /// Of keys and dummy columns.
    statement: Statement,
    pub(super) dummies: Dummies,
}

impl AfterRounds {
    pub(super) fn ends(&self) -> FinalMessages {
        let w = self.schedule.pad_weights();
        let weighted = |form| dot(&w, &self.dummies.at(&form));
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
        keys: &ExactKeys<'_>,
        ends: &FinalMessages,
        values: impl FnOnce(&Self, Element) -> Vec<Element>,
    ) -> Sent {
        let rho = self.schedule.rho(ends);
        let values = values(&self, rho);
        let opening = Box::new(self.schedule.finish(rho, &values));
        let Self { dummies, statement, start, schedule, .. } = self;
        let messages = schedule.schedule.rounds.messages;
        let elements = encode(&[messages, ends.to_vec(), values].concat()).to_vec();
        let (kind, claim) = (ProofKind::Keys, keys.claim_bytes());
        let (columns, dummies) = (dummies.published, dummies.dummies);
        let argument = Argument { kind, start, claim, columns, elements, opening };
        Sent { argument, statement, dummies }
    }
}
