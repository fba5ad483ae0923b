//! Keys in column shards: workers answer requests about them, a coordinator draws the dummy columns
//! and does the rest.

use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use zeroize::Zeroizing;

use super::ExactKeys;
use super::prover::{AfterRounds, Sent};
use crate::argument::joined::{Joined, with_pads};
use crate::argument::ranges::instance::TABLE_BYTES;
use crate::argument::ranges::level::Source;
use crate::argument::ranges::rows::Rows;
use crate::argument::request::{Ask, Elements, Request};
use crate::argument::worker::answer_rounds;
use crate::erase::{Secrets, redacted};
use crate::error::{Error, ShardProblem};
use crate::field::Element;
use crate::params::{BLOCK, Params};
use crate::proof::Proof;
use crate::prover::{Coordinator, Prover};
use crate::shard::range::Shard;
use crate::shard::worker::{PackedColumns, ShardWitness};
use crate::witness::WitnessSource;
use crate::witness::columns::for_column_groups;
use crate::witness::digest::WitnessDigest;

/// A worker's shard of S while keys are proved to be well formed.
///
/// | step | each worker | the coordinator |
/// |---|---|---|
/// | dummies | [`Self::new`]: the digest of its full blocks; [`Self::tail`] | [`KeyArgument::new`] with both of all workers, in order |
/// | rounds | [`Self::answer`] to every request; the answers to the last one are the hints | the same |
/// | proof | [`Self::witness`]: its part of each product | [`KeyArgument::coordinator`], and its own [part](KeyArgument::witness) of each product |
///
/// A block is hashed whole, and the last block of keys that is not full is one with the first
/// dummy columns: the coordinator gets its columns, less than 256. Everything that workers send is
/// secret, but for the hints.
pub struct KeyWorker<'a> {
    keys: &'a ExactKeys<'a>,
    /// Its keys, with pads of 0.
    source: Joined<'a>,
    shard: Shard,
    table_bytes: usize,
    /// From tau on.
    rows: Option<Rows<'a>>,
}

redacted!("KeyWorker", KeyWorker<'_>);

impl<'a> KeyWorker<'a> {
    /// Reads a shard of the keys' columns once; the digest of its blocks that are full.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if an entry is not in its range; [`Error::Witness`]; errors of
    /// reading the witness.
    pub fn new(
        keys: &'a ExactKeys<'a>,
        witness: &'a dyn WitnessSource,
        shard: Shard,
    ) -> Result<(Self, WitnessDigest), Error> {
        let (_, digest) = keys.read(witness, shard, 0)?.full;
        Ok((Self::with_table(keys, witness, shard, TABLE_BYTES), digest))
    }

    /// A worker that does not look at its columns, with so many bytes for the table.
    pub(super) fn with_table(
        keys: &'a ExactKeys<'a>,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        table_bytes: usize,
    ) -> Self {
        let source = Joined { first: witness, params: keys.statement.params(), behind: &[] };
        Self { keys, source, shard, table_bytes, rows: None }
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
        for_column_groups(params, self.source.first, tail, &mut |_, entries: &[i8]| {
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
        let ranges = &self.keys.ranges;
        let (of, parts) = ((params, self.source.first, self.shard), &ranges.rows[..]);
        let beta = Zeroizing::new(vec![Element::ZERO; self.shard.columns(params).count()]);
        let source = Source { of, parts, columns: 0..params.l(), beta, stored: None };
        let how = (self.keys.matrix.isa, self.table_bytes);
        self.rows.insert(Rows::new(how, ranges, source, challenges)?).sums::<i8>()
    }

    /// Its part of the statement with dummy columns, the full blocks, for the attempts, with less
    /// than `capacity` bytes of packed S in memory.
    #[must_use]
    pub fn witness(&self, capacity: u64) -> ShardWitness<'_> {
        let full = self.shard.ending_at(full_blocks(self.keys));
        ShardWitness::new(&self.keys.matrix, &self.source, full, capacity)
    }
}

/// All that is sent about keys before Y, and the columns that the coordinator has: where dummy
/// columns are drawn, and rounds are masked and sent.
pub struct KeyArgument<'a> {
    keys: &'a ExactKeys<'a>,
    sent: Sent,
    /// Of the blocks that are full of keys.
    digest: WitnessDigest,
    last: LastColumns,
}

redacted!("KeyArgument", KeyArgument<'_>);

impl<'a> KeyArgument<'a> {
    /// What is sent about keys, made from the answers of workers. `digest` is what their digests
    /// give together, `tail` what the worker of the last block sent, if it is not full: the keys' T
    /// is [in memory or in a file](ExactKeys::with_file) then.
    ///
    /// # Errors
    /// [`Error::Shard`] if the digest is not one of all full blocks, or the tail or answers have
    /// another length; [`Error::Witness`]; [`Error::ForeignWitness`] unless the statement is [owned
    /// by](crate::Statement::owned_by) the witness of digest and tail; [`Error::Request`]; errors
    /// of reading T; what `ask` gives.
    pub fn new(
        keys: &'a ExactKeys<'a>,
        digest: WitnessDigest,
        tail: &[u8],
        ask: &mut Ask<'_>,
    ) -> Result<Self, Error> {
        let (params, full) = (keys.statement.params(), full_blocks(keys));
        Shard::whole(params).ending_at(full).check_hashes(digest.hashes())?;
        let columns = params.l() - full * u64::from(BLOCK);
        if tail.len() as u64 != columns * u64::from(params.v()) {
            return Err(Error::Shard(ShardProblem::Sum));
        }
        let mut entries = Secrets::zeros(tail.len());
        entries.iter_mut().zip(tail).for_each(|(entry, byte)| *entry = byte.cast_signed());
        let (mut all, mut of_tail) = (digest.clone(), WitnessDigest::with_capacity(1));
        of_tail.read_checked((params, false), full, &entries, |_| ())?;
        all.join(&of_tail);
        keys.statement.check_owner_known(&all.finish(params))?;
        let rounds = keys.play(keys.draw(&all), ask)?;
        let ends = rounds.ends();
        let sent = rounds.send(keys, &ends, AfterRounds::values);
        let (dummies, height) = (sent.dummies.columns(), keys.params().v() as usize);
        let mut last = Secrets::zeros(columns as usize * height + dummies.len());
        let (of_keys, rest) = last.split_at_mut(columns as usize * height);
        with_pads(params, &entries, (of_keys, height));
        rest.copy_from_slice(dummies);
        Ok(Self { keys, sent, digest, last: LastColumns { first_block: full, entries: last } })
    }

    /// Its part of the statement with dummy columns: the last block of keys, if it is not full, and
    /// the dummy columns.
    #[must_use]
    pub fn witness(&self, capacity: u64) -> ShardWitness<'_> {
        let last = Shard::whole(self.keys.params()).starting_at(self.last.first_block);
        ShardWitness::new(&self.keys.matrix, &self.last, last, capacity)
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
    /// that was sent.
    ///
    /// # Errors
    /// [`Error::Witness`].
    pub fn coordinator<'b>(
        &'b self,
        prover: &'b Prover<'b>,
        context: &[u8],
        seed: &'b Seed,
    ) -> Result<Coordinator<'b>, Error> {
        // Blocks that are full of keys are hashed as blocks of keys, without pads.
        let first = (PackedColumns::new(&self.keys.matrix, 0), self.digest.clone());
        let whole = Shard::whole(self.keys.params());
        let (_, digest) = ShardWitness::hashed_behind(first, &self.last, whole)?;
        let context = self.keys.context(context);
        Coordinator::new(prover, &context, &digest, seed)?.bound_to(&*self.sent.argument.opening)
    }

    /// The file of the proof about the keys, of the proof of knowledge that the attempts gave.
    #[must_use]
    pub fn proof_file(&self, proof: &Proof) -> Vec<u8> {
        self.sent.argument.proof_file(self.keys.params(), proof)
    }
}

/// The columns behind the blocks that are full of keys.
struct LastColumns {
    first_block: u64,
    entries: Secrets,
}

impl WitnessSource for LastColumns {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let skipped = (first_block - self.first_block) * u64::from(BLOCK);
        let start = skipped as usize * params.v() as usize;
        out.copy_from_slice(&self.entries[start..][..out.len()]);
        Ok(())
    }
}

/// Blocks that are full of keys.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn full_blocks(keys: &ExactKeys<'_>) -> u64 {
    keys.statement.params().l() / u64::from(BLOCK)
}
