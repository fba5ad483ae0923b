//! Keys in column shards: workers answer requests about them, a coordinator draws the dummy columns
//! and does the rest.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use zeroize::Zeroizing;

use super::dummies::Dummies;
use super::prover::{AfterRounds, ArgumentMessages};
use super::{ExactKeys, KeyProof};
use crate::argument::joined::Joined;
use crate::argument::ranges::instance::TABLE_BYTES;
use crate::argument::ranges::level::Source;
use crate::argument::ranges::rows::Rows;
use crate::argument::request::{Ask, Elements, Request};
use crate::argument::worker::{answer_rounds, out_of_order};
use crate::erase::{Secrets, debug_fields, redacted};
use crate::error::{Error, ShardProblem};
use crate::field::Element;
use crate::params::{BLOCK, Params};
use crate::proof::Proof;
use crate::prover::{Coordinator, Prover};
use crate::shard::range::Shard;
use crate::shard::worker::ShardWitness;
use crate::witness::WitnessSource;
use crate::witness::columns::for_column_groups;
use crate::witness::digest::WitnessDigest;

/// A worker's shard of S while keys are proved to be well formed.
///
/// | step | each worker | the coordinator |
/// |---|---|---|
/// | dummies | [`Self::new`]: the digest of its columns; [`Self::tail`] | [`KeyCoordinator::new`] with both of all workers, in order |
/// | rounds | [`Self::answer`] to every request; the answers to the last one are the hints | [`KeyCoordinator::argue`] |
/// | proof | [`Self::columns`]: their digest, and their part of each product | [`KeyArgument::coordinator`] with the digests, its own [columns'](KeyArgument::columns) last |
///
/// A block is hashed whole, and the last block of keys that is not full is one with the first
/// dummy columns: the coordinator gets its columns, less than 256. Everything that workers send is
/// secret, but for the hints.
pub struct KeyWorker<'a> {
    keys: &'a ExactKeys<'a>,
    witness: &'a dyn WitnessSource,
    shard: Shard,
    table_bytes: usize,
    /// From tau on.
    rows: Option<Rows<'a>>,
}

redacted!("KeyWorker", KeyWorker<'_>);

impl<'a> KeyWorker<'a> {
    /// Reads a shard of the keys' columns once; their digest.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if an entry is not in its range; [`Error::Witness`]; errors of
    /// reading the witness.
    pub fn new(
        keys: &'a ExactKeys<'a>,
        witness: &'a dyn WitnessSource,
        shard: Shard,
    ) -> Result<(Self, WitnessDigest), Error> {
        let digest = keys.read(witness, shard, 0)?.digest;
        Ok((Self::with_table(keys, witness, shard, TABLE_BYTES), digest))
    }

    /// A worker that does not look at its columns, with so many bytes for the table.
    pub(super) const fn with_table(
        keys: &'a ExactKeys<'a>,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        table_bytes: usize,
    ) -> Self {
        Self { keys, witness, shard, table_bytes, rows: None }
    }

    /// The columns of the last block of keys, a byte an entry, if it is in this shard and not full;
    /// else nothing.
    ///
    /// # Errors
    /// Errors of reading the witness.
    pub fn tail(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let params = self.keys.statement.params();
        let mut bytes = Zeroizing::new(Vec::new());
        let tail = self.shard.starting_at(full_blocks(self.keys));
        for_column_groups(params, self.witness, tail, &mut |_, entries: &[i8]| {
            bytes.reserve_exact(entries.len());
            bytes.extend(entries.iter().map(|entry| entry.cast_unsigned()));
            Ok(())
        })?;
        Ok(bytes)
    }

    /// The shard's answer.
    ///
    /// # Errors
    /// [`Error::Shard`] if it is no request of the rounds, or one of another claim; errors of
    /// reading the witness.
    pub fn answer(&mut self, request: &Request) -> Result<Elements, Error> {
        let params = self.keys.statement.params();
        let Request::Begin { challenges, .. } = request else {
            return answer_rounds(params, &mut self.rows, request);
        };
        let (ranges, shape) = (&self.keys.ranges, self.keys.shape());
        if challenges.len() != shape.challenges() {
            return Err(out_of_order());
        }
        let source = Source {
            params,
            witness: self.witness,
            parts: &ranges.rows,
            shard: self.shard,
            columns: 0..params.l(),
            beta: Zeroizing::new(vec![Element::ZERO; self.shard.columns(params).count()]),
            stored: None,
        };
        let rows = Rows::new(ranges, source, shape, challenges, self.table_bytes);
        self.rows = Some(rows.on(self.keys.matrix.isa));
        Ok(Zeroizing::default())
    }

    /// Its part of the statement with dummy columns: its full blocks.
    #[must_use]
    pub fn columns(&self) -> KeyColumns<'a> {
        let Self { keys, witness, shard, .. } = *self;
        let source = Joined { first: witness, params: keys.statement.params(), behind: &[] };
        KeyColumns { keys, source, shard: shard.ending_at(full_blocks(keys)) }
    }
}

/// Columns of the statement with dummies: what a worker, or the coordinator, computes with them.
pub struct KeyColumns<'a> {
    keys: &'a ExactKeys<'a>,
    source: Joined<'a>,
    /// Of all columns.
    shard: Shard,
}

debug_fields!("KeyColumns", KeyColumns<'_>; shard);

impl KeyColumns<'_> {
    /// Their products with challenges, with less than `capacity` bytes of packed S in memory, and
    /// their digest: blocks that are full of keys are hashed as blocks of keys, without pads.
    ///
    /// # Errors
    /// [`Error::FalseFact`]; [`Error::Witness`]; [`Error::Device`]; errors of reading the witness.
    pub fn witness(&self, capacity: u64) -> Result<(ShardWitness<'_>, WitnessDigest), Error> {
        let full = self.shard.ending_at(full_blocks(self.keys));
        let read = self.keys.read(self.source.first, full, capacity)?;
        ShardWitness::hashed_behind(read.full, &self.source, self.shard)
    }
}

/// The place where dummy columns are drawn, and rounds are masked and sent.
pub struct KeyCoordinator<'a> {
    keys: &'a ExactKeys<'a>,
    dummies: Dummies,
    tail: Tail,
}

redacted!("KeyCoordinator", KeyCoordinator<'_>);

impl<'a> KeyCoordinator<'a> {
    /// `digest` is the digest of all columns, `tail` what the worker of the last block sent, if it
    /// is not full.
    ///
    /// # Errors
    /// [`Error::Shard`] if the digest is not one of all columns, or the tail has another length;
    /// [`Error::ForeignWitness`] unless the statement is [owned by](crate::Statement::owned_by) the
    /// witness of this digest.
    pub fn new(
        keys: &'a ExactKeys<'a>,
        digest: &WitnessDigest,
        tail: &[u8],
    ) -> Result<Self, Error> {
        let params = keys.statement.params();
        Shard::whole(params).check_hashes(digest.hashes())?;
        let columns = params.l() - full_blocks(keys) * u64::from(BLOCK);
        if tail.len() as u64 != columns * u64::from(params.v()) {
            return Err(Error::Shard(ShardProblem::Sum));
        }
        keys.statement.check_owner_known(&digest.finish(params))?;
        Ok(Self { keys, dummies: keys.draw(digest), tail: Tail::new(tail) })
    }

    /// All that is sent before Y. The keys' T is [in memory or in a file](ExactKeys::with_file) if
    /// their last block is not full.
    ///
    /// # Errors
    /// [`Error::Shard`] if answers have another length; [`Error::Request`]; errors of reading T;
    /// what `ask` gives.
    pub fn argue(self, ask: &mut Ask<'_>) -> Result<KeyArgument<'a>, Error> {
        let Self { keys, dummies, tail } = self;
        let rounds = keys.play(dummies, ask)?;
        let ends = rounds.ends();
        Ok(KeyArgument { keys, sent: rounds.send(ends, AfterRounds::values), tail })
    }
}

/// All that is sent about keys before Y, and the columns that the coordinator has.
pub struct KeyArgument<'a> {
    keys: &'a ExactKeys<'a>,
    sent: ArgumentMessages,
    tail: Tail,
}

redacted!("KeyArgument", KeyArgument<'_>);

impl KeyArgument<'_> {
    /// The last block of keys, if it is not full, and the dummy columns.
    #[must_use]
    pub fn columns(&self) -> KeyColumns<'_> {
        let keys = self.keys;
        let behind = self.sent.dummies.dummies.columns();
        let source = Joined { first: &self.tail, params: keys.statement.params(), behind };
        let shard = Shard::whole(keys.params()).starting_at(full_blocks(keys));
        KeyColumns { keys, source, shard }
    }

    /// The prover of the statement with dummy columns.
    ///
    /// # Errors
    /// [`Error::Request`]; [`Error::Parameter`] if so few bits are rounded off W that there
    /// is no proof.
    pub fn prover(&self) -> Result<Prover<'_>, Error> {
        self.keys.prover(&self.sent)
    }

    /// The coordinator of the attempts, in a user's context, with challenges and Y bound to all
    /// that was sent. `digest` is what the workers' digests of their [columns](KeyWorker::columns),
    /// in order, and the digest of the coordinator's own give together.
    ///
    /// # Errors
    /// [`Error::Shard`] if there is not one hash a block; [`Error::Witness`].
    pub fn coordinator<'b>(
        &'b self,
        prover: &'b Prover<'b>,
        context: &[u8],
        digest: &WitnessDigest,
        seed: &'b Seed,
    ) -> Result<Coordinator<'b>, Error> {
        let context = self.keys.context(context);
        Coordinator::new(prover, &context, digest, seed)?.bound_to(&self.sent.opening)
    }

    /// The proof about the keys, of the proof of knowledge that the attempts gave.
    #[must_use]
    pub fn into_proof(self, proof: Proof) -> KeyProof {
        self.sent.into_proof(*self.keys.claim(), proof)
    }
}

/// Keys of the last block, where it is not full.
struct Tail(Secrets);

impl Tail {
    /// `bytes` are the bytes of whole columns.
    fn new(bytes: &[u8]) -> Self {
        let mut entries = Secrets::zeros(bytes.len());
        entries.iter_mut().zip(bytes).for_each(|(entry, byte)| *entry = byte.cast_signed());
        Self(entries)
    }
}

impl WitnessSource for Tail {
    /// Of their block, from its first column on.
    fn read_columns(&self, _: &Params, _: u64, out: &mut [i8]) -> Result<(), Error> {
        out.copy_from_slice(&self.0[..out.len()]);
        Ok(())
    }
}

/// Blocks that are full of keys.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn full_blocks(keys: &ExactKeys<'_>) -> u64 {
    keys.statement.params().l() / u64::from(BLOCK)
}
