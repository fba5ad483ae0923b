//! Claims about S in column shards: what workers are asked, each for its columns, and what one place
//! makes of their answers. One machine is that place with one worker.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::{Isa, declassify, declassify_slice};
use zeroize::Zeroizing;

use super::claims::{Claim, Claims};
use super::column_sums::column_sums;
use super::field::ArgumentField;
use super::images;
use super::layout::{Layout, Slot};
use super::linear::{Combined, RowRounds};
use super::proof::ArgumentProof;
use super::ranges::Shape;
use super::ranges::check::TABLE_BYTES;
use super::ranges::level::Source;
use super::ranges::rows::{self, Rows};
use super::relation::Relation;
use super::request::{Ask, Request};
use crate::entry::with_entry;
use crate::eq;
use crate::erase::Secrets;
use crate::error::{Error, ShardProblem};
use crate::field::{ElementOf, Field, P61};
use crate::hash::Digest;
use crate::opening::transcript;
use crate::opening::{ColumnOpening, Opening};
use crate::params::{BLOCK, Params};
use crate::proof::Proof;
use crate::prover::{Coordinator, Prover};
use crate::shard::range::Shard;
use crate::sum_check::dot;
use crate::witness::WitnessSource;
use crate::witness::columns::{SourceEntry, for_column_groups};

/// The masks of a slot: gamma of the columns in front of the messages, and the places of F_1 and its
/// beta. Secret.
#[derive(Default)]
pub struct Masks<F: Field = P61> {
    pub(super) gamma: Zeroizing<Vec<ElementOf<F>>>,
    pub(super) beta: Zeroizing<Vec<ElementOf<F>>>,
    pub(super) places: Zeroizing<Vec<ElementOf<F>>>,
}

impl<F: Field> core::fmt::Debug for Masks<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Masks([REDACTED])")
    }
}

impl<F: Field> Masks<F> {
    /// The same of the columns that follow.
    pub fn join(&mut self, next: &Self) {
        self.gamma.extend_from_slice(&next.gamma);
        self.beta.extend_from_slice(&next.beta);
        self.places.extend_from_slice(&next.places);
    }

    const fn parts(&self) -> [&Zeroizing<Vec<ElementOf<F>>>; 3] {
        [&self.gamma, &self.beta, &self.places]
    }

    /// As bytes between machines.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::new());
        for part in self.parts() {
            bytes.extend((part.len() as u64).to_le_bytes());
        }
        for part in self.parts() {
            bytes.extend_from_slice(&transcript::encode(part));
        }
        bytes
    }

    /// # Errors
    /// [`Error::Shard`] if they are no such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let problem = || Error::Shard(ShardProblem::Elements);
        let (counts, mut rest) = bytes.split_at_checked(24).ok_or_else(problem)?;
        let mut parts = [Zeroizing::default(), Zeroizing::default(), Zeroizing::default()];
        for (part, count) in parts.iter_mut().zip(counts.as_chunks::<8>().0) {
            let count = usize::try_from(u64::from_le_bytes(*count)).unwrap_or(usize::MAX);
            let len = count.saturating_mul(F::ELEMENT_LEN);
            let (bytes, behind) = rest.split_at_checked(len).ok_or_else(problem)?;
            *part = transcript::decode(bytes, count)?;
            rest = behind;
        }
        let [gamma, beta, places] = parts;
        if rest.is_empty() { Ok(Self { gamma, beta, places }) } else { Err(problem()) }
    }

    /// The elements of K that the places are.
    fn elements(&self, slot: &Slot) -> Zeroizing<Vec<ElementOf<F>>> {
        let weights = slot.layout().mask_weights();
        let places = self.places.chunks_exact(weights.len());
        Zeroizing::new(places.take(slot.masks() as usize).map(|x| dot(&weights, x)).collect())
    }
}

/// A worker's shard of S while claims are proved: [`Self::masks`], then an answer to every
/// [`Request`] of [`ArgumentCoordinator::argue`]. Answers are secret.
pub struct ArgumentWorker<'a, F: Field = P61> {
    params: &'a Params,
    witness: &'a dyn WitnessSource,
    shard: Shard,
    slot: &'a Slot,
    claims: &'a Claims,
    isa: Isa,
    table_bytes: usize,
    /// val(beta_j) of the shard's columns.
    pub(super) beta: Zeroizing<Vec<ElementOf<F>>>,
    masks: Masks<F>,
    /// Of the claim whose rounds have begun.
    rows: Option<Rows<'a, F>>,
    /// Whether false relations get answers.
    proves_false_claims: bool,
}

impl<F: Field> core::fmt::Debug for ArgumentWorker<'_, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("ArgumentWorker([REDACTED])")
    }
}

impl<'a> ArgumentWorker<'a> {
    /// Reads a shard: pads, and whether ranges and norms hold of its columns.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if a claim does not hold; [`Error::Parameter`] if a claim is not about
    /// messages of this statement or needs more masks than the slot has, or arguments are not
    /// offered for its parameters; errors of reading the witness.
    pub fn new(
        params: &'a Params,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        slot: &'a Slot,
        claims: &'a Claims,
    ) -> Result<Self, Error> {
        Self::over(params, witness, shard, slot, claims)
    }
}

impl<'a, F: ArgumentField> ArgumentWorker<'a, F> {
    /// [`Self::new`] for any field.
    ///
    /// # Errors
    /// As there.
    pub fn over(
        params: &'a Params,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        slot: &'a Slot,
        claims: &'a Claims,
    ) -> Result<Self, Error> {
        let (worker, holds) = Self::read(params, witness, shard, slot, claims)?;
        if holds {
            Ok(Self { proves_false_claims: false, ..worker })
        } else {
            Err(Error::FalseFact)
        }
    }

    /// A worker that does not look at relations, and whether ranges and norms hold of its columns.
    pub(super) fn read(
        params: &'a Params,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        slot: &'a Slot,
        claims: &'a Claims,
    ) -> Result<(Self, bool), Error> {
        slot.check_over::<F>(params, claims)?;
        let (beta, masks, holds) =
            with_entry!(params, T => read::<F, T>(params, witness, shard, slot, claims))?;
        let (isa, table_bytes, rows) = (Isa::detect_vectors(), TABLE_BYTES, None);
        let worker = Self {
            params,
            witness,
            shard,
            slot,
            claims,
            isa,
            table_bytes,
            beta,
            masks,
            rows,
            proves_false_claims: true,
        };
        Ok((worker, holds))
    }

    /// The same on these instructions, with so many bytes for the table.
    pub(super) fn on(self, isa: Isa, table_bytes: usize) -> Self {
        Self { isa, table_bytes, ..self }
    }

    /// The masks in the shard's columns.
    pub fn masks(&mut self) -> Masks<F> {
        core::mem::take(&mut self.masks)
    }

    /// The shard's answer.
    ///
    /// # Errors
    /// [`Error::Shard`] if the request is of other claims; errors of reading the witness.
    pub fn answer(&mut self, request: &Request<F>) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
        match request {
            Request::Begin { claim, challenges, mask } => {
                self.rows = Some(self.begin(*claim, challenges, *mask)?);
                Ok(Zeroizing::default())
            }
            Request::Sums => {
                let rows = self.rows.as_mut().ok_or_else(out_of_order)?;
                with_entry!(self.params, T => rows.sums::<T>())
            }
            Request::Bind(r) => {
                self.rows.as_mut().ok_or_else(out_of_order)?.bind(*r);
                Ok(Zeroizing::default())
            }
            Request::Images => {
                let rows = self.rows.take().ok_or_else(out_of_order)?;
                with_entry!(self.params, T => rows.images::<T>())
            }
            Request::Columns(columns) => {
                let (layout, data) = (self.slot.layout(), self.slot.data());
                columns.iter().try_for_each(|columns| columns.check(layout))?;
                let of = (self.isa, self.params, self.witness, self.shard);
                let of_rows = (layout.message_rows(), &self.beta[..]);
                let sums =
                    with_entry!(self.params, T => column_sums::<F, T>(of, of_rows, data, columns))?;
                Ok(of_places(layout, sums))
            }
            Request::Values(point) => {
                let layout = self.slot.layout();
                if point.len() != layout.rounds() {
                    return Err(out_of_order());
                }
                let rows = 0..layout.message_rows();
                let source = Source {
                    params: self.params,
                    witness: self.witness,
                    parts: core::slice::from_ref(&rows),
                    shard: self.shard,
                    columns: 0..self.params.l(),
                    beta: self.beta.clone(),
                    stored: None,
                };
                let mut weights = eq::table(point, layout.rows() as usize + 1);
                let last = weights.pop().expect("the row of beta");
                let mut weights = layout.row_weights(&weights);
                weights.push(last);
                with_entry!(self.params, T => rows::images::<F, T>(self.isa, &source, &weights))
            }
            Request::Places => with_entry!(self.params, T => self.places::<T>()),
        }
    }

    /// All places of the columns of messages, beta behind each column.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    fn places<T: SourceEntry>(&self) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
        let (layout, data, v) = (self.slot.layout(), self.slot.data(), self.params.v() as usize);
        let (message, height) = (layout.message_rows() as usize, layout.rows() as usize + 1);
        let of_shard = self.shard.columns(self.params);
        let first = of_shard.start.max(data.start).min(of_shard.end);
        let here = (of_shard.end - first) as usize;
        let mut places = Zeroizing::new(vec![ElementOf::ZERO; here * height]);
        for_column_groups(self.params, self.witness, self.shard, |block, entries: &[T]| {
            let start = block * u64::from(BLOCK);
            let skipped = (first.saturating_sub(start) as usize).min(entries.len() / v);
            let entries = &entries[skipped * v..];
            let from = (start + skipped as u64 - first.min(start + skipped as u64)) as usize;
            let out = &mut places[from * height..][..entries.len() / v * height];
            crate::parallel::for_chunks(out, height, |j, out| {
                let rows = entries[v * j..][..message].chunks_exact(layout.place_rows() as usize);
                out.iter_mut().zip(rows).for_each(|(out, rows)| *out = layout.place(rows));
            });
            Ok(())
        })?;
        let beta = &self.beta[(first - of_shard.start) as usize..];
        for (column, &beta) in places.chunks_exact_mut(height).zip(beta) {
            column[height - 1] = beta;
        }
        Ok(places)
    }

    fn begin(
        &self,
        claim: u32,
        challenges: &[ElementOf<F>],
        mask: ElementOf<F>,
    ) -> Result<Rows<'a, F>, Error> {
        let problem = Error::Shard(ShardProblem::Elements);
        let (ranges, stored) = match self.claims.claims().get(claim as usize) {
            Some(Claim::Ranges(ranges)) => (ranges, None),
            Some(Claim::Relation(relation)) => {
                let stored = match relation.ranges_of_messages() {
                    Some(_) => None,
                    None => Some(self.table(relation)?),
                };
                (relation.ranges(), stored)
            }
            _ => return Err(problem),
        };
        let columns = self.slot.data();
        let shape = Shape::new(ranges, columns.end - columns.start);
        if challenges.len() != shape.challenges() {
            return Err(problem);
        }
        let (params, witness, shard) = (self.params, self.witness, self.shard);
        let parts = ranges.table_rows();
        let beta = Zeroizing::default();
        let mut source = Source { params, witness, parts, shard, columns, beta, stored };
        let Range { start, end } = source.here();
        source.beta = Zeroizing::new(vec![ElementOf::ZERO; (end - start) as usize]);
        if start == source.columns.start {
            source.beta.iter_mut().take(1).for_each(|beta| *beta = mask);
        }
        Ok(Rows::new(ranges, source, shape, challenges, self.table_bytes).on(self.isa))
    }

    /// The table of a relation in the shard's columns.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if an entry is not in its range; [`Error::Shard`] if the shard has some but
    /// not all columns of an instance; errors of reading S.
    fn table(&self, relation: &Relation) -> Result<Secrets, Error> {
        let (data, spread) = (self.slot.data(), relation.spread());
        let [first, end] = {
            let Range { start, end } = self.shard.columns(self.params);
            [start, end].map(|column| column.clamp(data.start, data.end) - data.start)
        };
        let is_whole =
            |column: u64| column.is_multiple_of(spread) || column == data.end - data.start;
        if !is_whole(first) || !is_whole(end) {
            return Err(Error::Shard(ShardProblem::Elements));
        }
        let rows = relation.ranges().table_rows().iter().map(ExactSizeIterator::len).sum();
        let mut messages = Secrets::zeros(rows * (end - first) as usize);
        with_entry!(self.params, T => self.read_messages::<T>(data.start + first, rows, &mut messages))?;
        let (table, outside) = relation.table(first, messages);
        let outside = declassify(outside);
        if outside && !self.proves_false_claims { Err(Error::FalseFact) } else { Ok(table) }
    }

    /// The first rows of columns from `first` on.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    fn read_messages<T: SourceEntry>(
        &self,
        first: u64,
        rows: usize,
        out: &mut [i8],
    ) -> Result<(), Error> {
        let v = self.params.v() as usize;
        for_column_groups(self.params, self.witness, self.shard, |block, entries: &[T]| {
            let start = block * u64::from(BLOCK);
            let skipped = (first.saturating_sub(start) as usize).min(entries.len() / v);
            let place = (start + skipped as u64).saturating_sub(first) as usize;
            let columns = entries.chunks_exact(v).skip(skipped);
            for (column, out) in columns.zip(out.chunks_exact_mut(rows).skip(place)) {
                for (out, &entry) in out.iter_mut().zip(column) {
                    // The last sum-check fails of a wider one.
                    let entry: i32 = entry.into();
                    *out = entry as i8;
                }
            }
            Ok(())
        })
    }
}

fn out_of_order() -> Error {
    Error::Shard(ShardProblem::Elements)
}

/// Sums of rows, beta behind the rows of each column, as sums of places.
fn of_places<F: Field>(layout: &Layout, sums: Elements<F>) -> Elements<F> {
    let rows = layout.place_rows() as usize;
    if rows == 1 {
        return sums;
    }
    let powers: Vec<F::Word> = layout.radix().powers::<F>().collect();
    let mut places = Zeroizing::new(Vec::with_capacity(sums.len().div_ceil(rows)));
    for sums in sums.chunks_exact(layout.message_rows() as usize + 1) {
        let (of_places, beta) = sums.split_at(sums.len() - 1);
        places.extend(of_places.chunks_exact(rows).map(|sums| {
            let terms = sums.iter().zip(&powers);
            terms.fold(ElementOf::ZERO, |all, (&sum, &power)| all + sum.scale(power))
        }));
        places.extend(beta);
    }
    places
}

/// Elements that may be secret.
type Elements<F> = Zeroizing<Vec<ElementOf<F>>>;

/// beta of all columns of a shard, the masks in it, and whether ranges and norms hold of it.
fn read<F: Field, T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    slot: &Slot,
    claims: &Claims,
) -> Result<(Elements<F>, Masks<F>, bool), Error> {
    let (v, layout) = (params.v() as usize, slot.layout());
    let rows = layout.message_rows() as usize;
    let first = shard.blocks().start * u64::from(BLOCK);
    let (gamma, holding, data) = (slot.gamma(), slot.holding(), slot.data());
    let mut masks = Masks::default();
    let mut outside = false;
    let see = |start: usize, entries: &[T]| {
        for (j, column) in (first + start as u64..).zip(entries.chunks_exact(v)) {
            if j < data.start {
                masks.gamma.push(gamma.at(column));
            }
            if holding.contains(&j) {
                let places = column[..rows].chunks_exact(layout.place_rows() as usize);
                masks.places.extend(places.map(|rows| layout.place(rows)));
            }
            if data.contains(&j) {
                for claim in claims.claims() {
                    let ranges = match claim {
                        Claim::Ranges(ranges) => Some(ranges),
                        Claim::Relation(relation) => relation.ranges_of_messages(),
                        _ => None,
                    };
                    outside |= ranges.is_some_and(|ranges| ranges.is_violated(column));
                }
            }
        }
    };
    let [beta] = images::read(params, witness, shard, &[slot.beta()], see)?;
    let held = (first..).zip(beta.iter()).filter(|(j, _)| holding.contains(j));
    masks.beta.extend(held.map(|(_, &beta)| beta));
    Ok((beta, masks, !declassify(outside)))
}

/// The place where messages are masked and sent.
#[derive(Debug)]
pub struct ArgumentCoordinator<'a, F: Field = P61> {
    prover: &'a Prover<'a>,
    slot: &'a Slot,
    claims: &'a Claims,
    masks: Masks<F>,
}

impl<'a, F: ArgumentField> ArgumentCoordinator<'a, F> {
    /// `masks` are the masks of all shards, joined in the order of their columns.
    ///
    /// # Errors
    /// [`Error::Shard`] if masks of a column are missing; [`Error::Parameter`] if a claim is not
    /// about messages of this statement or needs more masks than the slot has;
    /// [`Error::ForeignWitness`].
    pub fn new(
        prover: &'a Prover<'a>,
        slot: &'a Slot,
        claims: &'a Claims,
        masks: Masks<F>,
    ) -> Result<Self, Error> {
        slot.check_over::<F>(prover.statement().params(), claims)?;
        let holding = slot.holding_columns();
        let places = holding * slot.layout().rows() as usize;
        let lengths = masks.parts().map(|part| part.len());
        if lengths != [slot.layout().closed() as usize, holding, places] {
            return Err(Error::Shard(ShardProblem::Elements));
        }
        Ok(Self { prover, slot, claims, masks })
    }

    /// All that is sent before Y.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if the claims do not hold; [`Error::Shard`] if answers have another
    /// length; what `ask` gives.
    pub fn argue(self, ask: &mut Ask<'_, F>) -> Result<Argument, Error> {
        self.argue_as(&mut Honest, ask)
    }

    /// The same with what a prover may choose.
    pub(super) fn argue_as(
        self,
        choices: &mut dyn Choices<F>,
        ask: &mut Ask<'_, F>,
    ) -> Result<Argument, Error> {
        let Self { prover, slot, claims, masks } = self;
        let (params, layout) = (prover.statement().params(), slot.layout());
        let mut transcript = claims.begin(prover.statement(), slot);
        let start = *transcript.state();
        let (mut elements, mut linear) = (Vec::new(), Vec::new());
        let of_claims = masks.elements(slot);
        let mut first = 0;
        for (index, claim) in (0..).zip(claims.instances::<F>()) {
            let count = claim.masks(layout);
            let masks = &of_claims[first..first + count];
            let mut sent = claim.argue(transcript.clone(), masks, index, layout, ask)?;
            choices.sent(&mut sent);
            linear.extend(claim.replay(&mut transcript, &sent, first, layout));
            elements.extend(sent);
            first += count;
        }
        let claim = Combined::new(&mut transcript, slot, linear);
        let columns = claim.columns();
        let parts = columns.len();
        let sums = if parts > 0 { ask(&Request::Columns(columns))? } else { Zeroizing::default() };
        check_length(&sums, parts * (layout.rows() as usize + 1))?;
        let needed = claim.needs_places();
        let places = if needed { ask(&Request::Places)? } else { Zeroizing::default() };
        let height = layout.rows() as usize + 1;
        check_length(&places, usize::from(needed) * layout.columns() as usize * height)?;
        let all = params.l() as usize;
        let masking = slot.masking().start as usize..slot.masking().end as usize;
        let mut rounds = RowRounds::new(transcript);
        let gamma = &masks.gamma[masking.clone()];
        let of_block = (&masks.places[..], &masks.beta[..]);
        let holds = rounds.play(slot, &claim, [sums, places], of_block, gamma);
        if !holds && !choices.proves_false_claims() {
            return Err(Error::FalseFact);
        }
        elements.extend(rounds.messages());
        // phi_1.
        let values = ask(&Request::Values(rounds.point().to_vec()))?;
        check_length(&values, all)?;
        let is_in_table = |j: &usize| slot.is_in_table(*j as u64);
        let mut table: Vec<ElementOf<F>> =
            (0..all).filter(is_in_table).map(|j| values[j]).collect();
        let mut weighted = rounds.weighted(&values[masking]);
        choices.ends(&mut table, &mut weighted);
        declassify_slice(&table);
        let weighted = declassify(weighted);
        let rho = rounds.rho(&table, weighted);
        // gamma is 0 in the table, and in all columns of messages.
        let value = |j: usize| match masks.gamma.get(j) {
            Some(&gamma) => values[j] + rho * gamma,
            None => values[j],
        };
        let mut others: Vec<ElementOf<F>> =
            (0..all).filter(|j| !is_in_table(j)).map(value).collect();
        choices.values(rho, &mut others);
        declassify_slice(&others);
        elements.extend(&table);
        elements.push(weighted);
        elements.extend(&others);
        let form = rounds.form(slot, rho);
        let transcript = rounds.finish(&others);
        let opening = F::opening(ColumnOpening::new(*transcript.state(), form));
        let elements = transcript::encode(&elements).to_vec();
        Ok(Argument { start, slot: slot.clone(), claims: claims.clone(), elements, opening })
    }
}

/// Choices by which a test's prover deviates from the protocol.
pub(super) trait Choices<F: Field = P61> {
    /// The messages of a claim before eta.
    fn sent(&mut self, sent: &mut [ElementOf<F>]) {
        let _ = sent;
    }

    fn proves_false_claims(&self) -> bool {
        false
    }

    /// h_j and X.
    fn ends(&mut self, table: &mut [ElementOf<F>], weighted: &mut ElementOf<F>) {
        let _ = (table, weighted);
    }

    /// y_j of columns that are not in the table.
    fn values(&mut self, rho: ElementOf<F>, others: &mut [ElementOf<F>]) {
        let _ = (rho, others);
    }
}

/// All of it.
struct Honest;

impl<F: Field> Choices<F> for Honest {}

/// # Errors
/// [`Error::Shard`].
fn check_length<F: Field>(elements: &[ElementOf<F>], expected: usize) -> Result<(), Error> {
    if elements.len() == expected { Ok(()) } else { Err(Error::Shard(ShardProblem::Elements)) }
}

/// All that is sent for claims before Y. Public once there is a proof.
pub struct Argument {
    start: Digest,
    slot: Slot,
    claims: Claims,
    /// As they are encoded.
    elements: Vec<u8>,
    pub(super) opening: Opening,
}

impl core::fmt::Debug for Argument {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Argument").field("start", &self.start).finish_non_exhaustive()
    }
}

impl Argument {
    /// The proof of the claims, of a proof of knowledge that is bound to it.
    #[must_use]
    pub fn into_proof(self, proof: Proof) -> ArgumentProof {
        let Self { start, slot, claims, elements, .. } = self;
        ArgumentProof { start, slot, claims, columns: Vec::new(), elements, proof }
    }

    #[cfg(test)]
    pub(super) fn elements(&self) -> Vec<&[u8]> {
        self.elements.chunks_exact(self.slot.layout().element_len()).collect()
    }
}

impl<'a> Coordinator<'a> {
    /// Binds the challenges, and Y, to claims.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`] unless the statement is [owned by](crate::Statement::owned_by) the
    /// witness of the coordinator's digest.
    pub fn with_argument(self, argument: &'a Argument) -> Result<Self, Error> {
        self.bound_to(&argument.opening)
    }
}
