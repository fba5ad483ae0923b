//! Claims about S in column shards: what workers are asked, each for its columns, and what one place
//! makes of their answers. One machine is that place with one worker.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::{Isa, declassify, declassify_slice};
use zeroize::Zeroizing;

use super::claims::{Claim, Claims};
use super::column_sums::column_sums;
use super::field::{ELEMENT_LEN, Element};
use super::images;
use super::layout::Slot;
use super::linear::{Columns, Combined, Rounds};
use super::opening::ColumnOpening;
use super::proof::ArgumentProof;
use super::ranges::check::TABLE_BYTES;
use super::ranges::level::Source;
use super::ranges::rows::{self, Rows};
use super::ranges::{Shape, eq};
use super::transcript;
use crate::entry::with_entry;
use crate::error::{Error, ShardProblem};
use crate::hash::Digest;
use crate::params::{BLOCK, Params};
use crate::proof::Proof;
use crate::prover::{Coordinator, Prover};
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::SourceEntry;

/// What all workers are asked. Public, but for a mask.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request {
    /// The rounds of a claim begin, with these challenges, and a mask in the table, which is secret.
    Begin {
        /// Its place in the list.
        claim: u32,
        /// tau, and what the claim draws besides.
        challenges: Vec<Element>,
        /// beta'.
        mask: Element,
    },
    /// The columns' part of the next round.
    Sums,
    /// The challenge of the round.
    Bind(Element),
    /// What is left of each column of messages when all rounds for the rows are over.
    Images,
    /// For each of these weights of columns, the weighted sum of all columns of messages, and behind
    /// it that of their beta.
    Columns(Vec<Columns>),
    /// phi_1 of each column, for a point of the rows.
    Values(Vec<Element>),
}

/// How the answers to a request become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// There are none.
    Nothing,
    /// All have one length, and are added up.
    Sum,
    /// One follows the other, in the order of the columns.
    Concatenate,
}

impl Request {
    /// What becomes of the answers.
    #[must_use]
    pub const fn combine(&self) -> Combine {
        match self {
            Self::Begin { .. } | Self::Bind(_) => Combine::Nothing,
            Self::Sums | Self::Columns(_) => Combine::Sum,
            Self::Images | Self::Values(_) => Combine::Concatenate,
        }
    }

    /// As bytes between machines: never none of them.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let element = |element: &Element| transcript::encode(core::slice::from_ref(element));
        let mut bytes = Zeroizing::new(Vec::new());
        match self {
            Self::Begin { claim, challenges, mask } => {
                let parts = [&[0], &claim.to_le_bytes()[..], &element(mask)];
                let challenges = transcript::encode(challenges);
                *bytes = [parts.concat(), challenges.to_vec()].concat();
            }
            Self::Sums => bytes.push(1),
            Self::Bind(r) => *bytes = [&[2], &element(r)[..]].concat(),
            Self::Images => bytes.push(3),
            Self::Columns(columns) => {
                bytes.push(4);
                for columns in columns {
                    columns.write(&mut bytes);
                }
            }
            Self::Values(point) => *bytes = [&[5], &transcript::encode(point)[..]].concat(),
        }
        bytes
    }

    /// # Errors
    /// [`Error::Shard`] if they are no such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let problem = || Error::Shard(ShardProblem::Elements);
        let (&kind, mut rest) = bytes.split_first().ok_or_else(problem)?;
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let all = |bytes: &[u8]| transcript::decode(bytes, bytes.len() / ELEMENT_LEN);
        match (kind, rest.len()) {
            (0, _) => {
                let (claim, rest) = rest.split_first_chunk().ok_or_else(problem)?;
                let (mask, rest) = rest.split_at_checked(ELEMENT_LEN).ok_or_else(problem)?;
                let claim = u32::from_le_bytes(*claim);
                Ok(Self::Begin { claim, challenges: all(rest)?.to_vec(), mask: all(mask)?[0] })
            }
            (1, 0) => Ok(Self::Sums),
            (2, _) => Ok(Self::Bind(transcript::decode(rest, 1)?[0])),
            (3, 0) => Ok(Self::Images),
            (4, _) => {
                let mut columns = Vec::new();
                while !rest.is_empty() {
                    columns.push(Columns::read(&mut rest)?);
                }
                Ok(Self::Columns(columns))
            }
            (5, _) => Ok(Self::Values(all(rest)?.to_vec())),
            _ => Err(problem()),
        }
    }
}

impl Columns {
    /// Whether places are given, how many weights there are, then each, behind its place.
    fn write(&self, out: &mut Vec<u8>) {
        let (kind, count) = match self {
            Self::Point(point) => (0, point.len()),
            Self::Some(weights) => (1, weights.len()),
        };
        out.push(kind);
        out.extend((count as u64).to_le_bytes());
        match self {
            Self::Point(point) => out.extend_from_slice(&transcript::encode(point)),
            Self::Some(weights) => {
                for (column, weight) in weights {
                    out.extend(column.to_le_bytes());
                    out.extend(weight.to_bytes());
                }
            }
        }
    }

    /// # Errors
    /// [`Error::Shard`] if there are no such bytes in front.
    fn read(bytes: &mut &[u8]) -> Result<Self, Error> {
        let problem = || Error::Shard(ShardProblem::Elements);
        let (&kind, rest) = bytes.split_first().ok_or_else(problem)?;
        let (count, rest) = rest.split_first_chunk().ok_or_else(problem)?;
        let count = usize::try_from(u64::from_le_bytes(*count)).unwrap_or(usize::MAX);
        let each = if kind == 0 { ELEMENT_LEN } else { 8 + ELEMENT_LEN };
        let (weights, rest) =
            rest.split_at_checked(count.saturating_mul(each)).ok_or_else(problem)?;
        *bytes = rest;
        match kind {
            0 => Ok(Self::Point(transcript::decode(weights, count)?.to_vec())),
            1 => {
                let read = |bytes: &[u8; 8 + ELEMENT_LEN]| {
                    let (column, weight) = bytes.split_first_chunk().expect("eight bytes");
                    Ok((u64::from_le_bytes(*column), transcript::decode(weight, 1)?[0]))
                };
                let weights: Result<Vec<_>, Error> =
                    weights.as_chunks().0.iter().map(read).collect();
                Ok(Self::Some(weights?))
            }
            _ => Err(problem()),
        }
    }
}

/// Asks all workers, and combines what they answer.
pub type Ask<'a> = dyn FnMut(&Request) -> Result<Zeroizing<Vec<Element>>, Error> + 'a;

/// The masks of a slot: gamma of the columns in front of the messages, and the message rows of F_1
/// and its beta. Secret.
#[derive(Default)]
pub struct Masks {
    pub(super) gamma: Zeroizing<Vec<Element>>,
    pub(super) beta: Zeroizing<Vec<Element>>,
    pub(super) digits: Zeroizing<Vec<i8>>,
}

impl core::fmt::Debug for Masks {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Masks([REDACTED])")
    }
}

impl Masks {
    /// Those of the columns that follow.
    pub fn join(&mut self, next: &Self) {
        self.gamma.extend_from_slice(&next.gamma);
        self.beta.extend_from_slice(&next.beta);
        self.digits.extend_from_slice(&next.digits);
    }

    /// As bytes between machines.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let counts = [self.gamma.len(), self.beta.len()].map(|count| (count as u64).to_le_bytes());
        let digits: &[u8] = bytemuck::cast_slice(&self.digits);
        let elements = [&self.gamma, &self.beta].map(|elements| transcript::encode(elements));
        Zeroizing::new([&counts.concat(), &elements[0][..], &elements[1], digits].concat())
    }

    /// # Errors
    /// [`Error::Shard`] if they are no such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let problem = || Error::Shard(ShardProblem::Elements);
        let (counts, mut rest) = bytes.split_at_checked(16).ok_or_else(problem)?;
        let mut elements = [Zeroizing::default(), Zeroizing::default()];
        for (elements, count) in elements.iter_mut().zip(counts.as_chunks::<8>().0) {
            let count = usize::try_from(u64::from_le_bytes(*count)).unwrap_or(usize::MAX);
            let len = count.saturating_mul(ELEMENT_LEN);
            let (bytes, behind) = rest.split_at_checked(len).ok_or_else(problem)?;
            *elements = transcript::decode(bytes, count)?;
            rest = behind;
        }
        let [gamma, beta] = elements;
        Ok(Self { gamma, beta, digits: Zeroizing::new(bytemuck::cast_slice(rest).to_vec()) })
    }

    /// The elements whose digits these are.
    fn elements(&self, count: u32) -> Zeroizing<Vec<Element>> {
        let digits = self.digits.chunks_exact(super::digits::PAD_ROWS as usize);
        let value = |digits: &[i8]| {
            let terms = Slot::digit_weights().zip(digits);
            terms
                .fold(Element::ZERO, |sum, (weight, &digit)| sum + weight * i64::from(digit).into())
        };
        Zeroizing::new(digits.take(count as usize).map(value).collect())
    }
}

/// A worker's shard of S while claims are proved: [`Self::masks`], then an answer to every
/// [`Request`] of [`ArgumentCoordinator::argue`]. Answers are secret.
pub struct ArgumentWorker<'a> {
    params: &'a Params,
    witness: &'a dyn WitnessSource,
    shard: Shard,
    slot: &'a Slot,
    claims: &'a Claims,
    isa: Isa,
    table_bytes: usize,
    /// val(beta_j) of the shard's columns.
    pub(super) beta: Zeroizing<Vec<Element>>,
    masks: Masks,
    /// Of the claim whose rounds have begun.
    rows: Option<Rows<'a>>,
}

impl core::fmt::Debug for ArgumentWorker<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("ArgumentWorker([REDACTED])")
    }
}

const ORDER: &str = "requests come in the order of the coordinator's";

impl<'a> ArgumentWorker<'a> {
    /// Reads a shard: pads, and whether ranges and norms hold of its columns.
    ///
    /// # Errors
    /// As [`Prover::prove_claims`].
    pub fn new(
        params: &'a Params,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        slot: &'a Slot,
        claims: &'a Claims,
    ) -> Result<Self, Error> {
        let (worker, holds) = Self::read(params, witness, shard, slot, claims)?;
        if holds { Ok(worker) } else { Err(Error::FalseFact) }
    }

    /// A worker, and whether ranges and norms hold of its columns.
    pub(super) fn read(
        params: &'a Params,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        slot: &'a Slot,
        claims: &'a Claims,
    ) -> Result<(Self, bool), Error> {
        slot.check(params, claims)?;
        let (beta, masks, holds) =
            with_entry!(params, T => read::<T>(params, witness, shard, slot, claims))?;
        let (isa, table_bytes, rows) = (Isa::detect_vectors(), TABLE_BYTES, None);
        let worker =
            Self { params, witness, shard, slot, claims, isa, table_bytes, beta, masks, rows };
        Ok((worker, holds))
    }

    /// The same on these instructions, with so many bytes for the table.
    pub(super) fn on(self, isa: Isa, table_bytes: usize) -> Self {
        Self { isa, table_bytes, ..self }
    }

    /// The masks in the shard's columns.
    pub fn masks(&mut self) -> Masks {
        core::mem::take(&mut self.masks)
    }

    /// The shard's answer.
    ///
    /// # Errors
    /// What reading the witness gives; [`Error::Shard`] if the request is of other claims.
    ///
    /// # Panics
    /// If requests come in another order than the coordinator's.
    pub fn answer(&mut self, request: &Request) -> Result<Zeroizing<Vec<Element>>, Error> {
        match request {
            Request::Begin { claim, challenges, mask } => {
                self.rows = Some(self.begin(*claim, challenges, *mask)?);
                Ok(Zeroizing::default())
            }
            Request::Sums => {
                let rows = self.rows.as_mut().expect(ORDER);
                with_entry!(self.params, T => rows.sums::<T>())
            }
            Request::Bind(r) => {
                self.rows.as_mut().expect(ORDER).bind(*r);
                Ok(Zeroizing::default())
            }
            Request::Images => {
                let rows = self.rows.take().expect(ORDER);
                with_entry!(self.params, T => rows.images::<T>())
            }
            Request::Columns(columns) => {
                let (rows, data) = (self.slot.layout().rows(), self.slot.data());
                let of = (self.isa, self.params, self.witness, self.shard);
                let beta = &self.beta;
                with_entry!(self.params, T => column_sums::<T>(of, (rows, beta), data, columns))
            }
            Request::Values(point) => {
                let rounds = self.slot.layout().rounds();
                if point.len() != rounds {
                    return Err(Error::Shard(ShardProblem::Elements));
                }
                let rows = 0..self.slot.layout().rows();
                let source = Source {
                    params: self.params,
                    witness: self.witness,
                    parts: core::slice::from_ref(&rows),
                    shard: self.shard,
                    columns: 0..self.params.l(),
                    beta: self.beta.clone(),
                };
                let weights = eq::table(point, 1 << rounds);
                with_entry!(self.params, T => rows::images::<T>(self.isa, &source, &weights))
            }
        }
    }

    fn begin(&self, claim: u32, challenges: &[Element], mask: Element) -> Result<Rows<'a>, Error> {
        let problem = Error::Shard(ShardProblem::Elements);
        let Some(Claim::Ranges(ranges)) = self.claims.claims().get(claim as usize) else {
            return Err(problem);
        };
        let columns = self.slot.data();
        let shape = Shape::new(ranges, columns.end - columns.start);
        if challenges.len() != shape.challenges() {
            return Err(problem);
        }
        let (params, witness, shard) = (self.params, self.witness, self.shard);
        let parts = ranges.table_rows();
        let mut source =
            Source { params, witness, parts, shard, columns, beta: Zeroizing::default() };
        let Range { start, end } = source.here();
        source.beta = Zeroizing::new(vec![Element::ZERO; (end - start) as usize]);
        if start == source.columns.start {
            source.beta.iter_mut().take(1).for_each(|beta| *beta = mask);
        }
        Ok(Rows::new(ranges, source, shape, challenges, self.table_bytes).on(self.isa))
    }
}

/// beta of all columns of a shard, the masks in it, and whether ranges and norms hold of it.
fn read<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    slot: &Slot,
    claims: &Claims,
) -> Result<(Zeroizing<Vec<Element>>, Masks, bool), Error> {
    let (v, rows) = (params.v() as usize, slot.layout().rows() as usize);
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
                // Digits are small; what is none of them is no honest mask.
                masks.digits.extend(column[..rows].iter().map(|&entry| {
                    let entry: i32 = entry.into();
                    entry as i8
                }));
            }
            if data.contains(&j) {
                for claim in claims.claims() {
                    if let Claim::Ranges(ranges) = claim {
                        outside |= ranges.is_violated(column);
                    }
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
pub struct ArgumentCoordinator<'a> {
    prover: &'a Prover<'a>,
    slot: &'a Slot,
    claims: &'a Claims,
    masks: Masks,
}

impl<'a> ArgumentCoordinator<'a> {
    /// `masks` are those of all shards, joined in the order of their columns.
    ///
    /// # Errors
    /// As [`Prover::prove_claims`]; [`Error::Shard`] if the masks are not those of all columns.
    pub fn new(
        prover: &'a Prover<'a>,
        slot: &'a Slot,
        claims: &'a Claims,
        masks: Masks,
    ) -> Result<Self, Error> {
        slot.check(prover.statement().params(), claims)?;
        let holding = (slot.holding().end - slot.holding().start) as usize;
        let digits = holding * slot.layout().rows() as usize;
        let lengths = [masks.gamma.len(), masks.beta.len(), masks.digits.len()];
        if lengths != [slot.layout().closed() as usize, holding, digits] {
            return Err(Error::Shard(ShardProblem::Elements));
        }
        Ok(Self { prover, slot, claims, masks })
    }

    /// All that is sent before Y.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if the claims do not hold; [`Error::Shard`] if answers have another
    /// length; what `ask` gives.
    pub fn argue(self, ask: &mut Ask<'_>) -> Result<Argument, Error> {
        self.argue_as(&mut Honest, ask)
    }

    /// The same with what a prover may choose.
    pub(super) fn argue_as(
        self,
        choices: &mut dyn Choices,
        ask: &mut Ask<'_>,
    ) -> Result<Argument, Error> {
        let Self { prover, slot, claims, masks } = self;
        let (params, layout) = (prover.statement().params(), slot.layout());
        let mut transcript = claims.begin(prover.statement(), slot);
        let start = *transcript.state();
        let (mut elements, mut linear) = (Vec::new(), Vec::new());
        let of_claims = masks.elements(slot.masks());
        let mut first = 0;
        for (index, claim) in (0..).zip(claims.instances()) {
            let count = claim.masks(layout.columns());
            let masks = &of_claims[first..first + count];
            let mut sent = claim.argue(transcript.clone(), masks, index, layout.columns(), ask)?;
            choices.sent(&mut sent);
            linear.extend(claim.replay(&mut transcript, &sent, first, layout.columns()));
            elements.extend(sent);
            first += count;
        }
        let claim = Combined::new(&mut transcript, slot, linear);
        let columns = claim.columns();
        let parts = columns.len();
        let sums = if parts > 0 { ask(&Request::Columns(columns))? } else { Zeroizing::default() };
        check_length(&sums, parts * (layout.rows() as usize + 1))?;
        let all = params.l() as usize;
        let masking = slot.masking().start as usize..slot.masking().end as usize;
        let mut rounds = Rounds::new(transcript);
        let gamma = &masks.gamma[masking.clone()];
        let holds = rounds.play(slot, &claim, &sums, (&masks.digits, &masks.beta), gamma);
        if !holds && !choices.proves_false_claims() {
            return Err(Error::FalseFact);
        }
        elements.extend(rounds.messages());
        // phi_1.
        let values = ask(&Request::Values(rounds.point().to_vec()))?;
        check_length(&values, all)?;
        let is_in_table = |j: &usize| slot.is_in_table(*j as u64);
        let mut table: Vec<Element> = (0..all).filter(is_in_table).map(|j| values[j]).collect();
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
        let mut others: Vec<Element> = (0..all).filter(|j| !is_in_table(j)).map(value).collect();
        choices.values(rho, &mut others);
        declassify_slice(&others);
        elements.extend(&table);
        elements.push(weighted);
        elements.extend(&others);
        let form = rounds.form(slot, rho);
        let transcript = rounds.finish(&others);
        let opening = ColumnOpening::new(*transcript.state(), form);
        Ok(Argument { start, slot: slot.clone(), claims: claims.clone(), elements, opening })
    }
}

/// What a prover may choose instead of what the protocol says.
pub(super) trait Choices {
    /// What a claim sends before eta.
    fn sent(&mut self, sent: &mut [Element]) {
        let _ = sent;
    }

    fn proves_false_claims(&self) -> bool {
        false
    }

    /// h_j and X.
    fn ends(&mut self, table: &mut [Element], weighted: &mut Element) {
        let _ = (table, weighted);
    }

    /// y_j of columns that are not in the table.
    fn values(&mut self, rho: Element, others: &mut [Element]) {
        let _ = (rho, others);
    }
}

/// All of it.
struct Honest;

impl Choices for Honest {}

/// # Errors
/// [`Error::Shard`].
fn check_length(elements: &[Element], expected: usize) -> Result<(), Error> {
    if elements.len() == expected { Ok(()) } else { Err(Error::Shard(ShardProblem::Elements)) }
}

/// All that is sent for claims before Y. Public once there is a proof.
pub struct Argument {
    start: Digest,
    slot: Slot,
    claims: Claims,
    elements: Vec<Element>,
    pub(super) opening: ColumnOpening,
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
        ArgumentProof { start, slot, claims, elements, proof }
    }

    #[cfg(test)]
    pub(super) fn elements(&self) -> &[Element] {
        &self.elements
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every request travels, and bytes that are cut or longer are none.
    #[test]
    fn requests_travel() {
        let elements = |count: i64| (0..count).map(|i| (i - 2).into()).collect::<Vec<Element>>();
        let some = vec![(3, Element::from(-1)), (1 << 40, Element::monomial(5, 2))];
        let columns = vec![Columns::Point(elements(4)), Columns::Some(some), Columns::Some(vec![])];
        let begin = Request::Begin { claim: 7, challenges: elements(3), mask: Element::from(9) };
        // Whether fewer elements, or parts, are another request.
        for (request, has_prefixes) in [
            (begin, true),
            (Request::Sums, false),
            (Request::Bind(Element::from(8)), false),
            (Request::Images, false),
            (Request::Columns(columns), true),
            (Request::Values(elements(5)), true),
        ] {
            let bytes = request.to_bytes();
            assert_eq!(Request::from_bytes(&bytes).unwrap(), request);
            for end in 0..bytes.len() {
                match Request::from_bytes(&bytes[..end]) {
                    Ok(other) => {
                        assert!(has_prefixes);
                        assert_eq!(other.to_bytes()[..], bytes[..end]);
                    }
                    Err(error) => {
                        assert!(matches!(error, Error::Shard(ShardProblem::Elements)), "{error}");
                    }
                }
            }
            assert!(Request::from_bytes(&[&bytes[..], &[0]].concat()).is_err(), "{request:?}");
        }
        let endless = [&[4, 1][..], &u64::MAX.to_le_bytes(), &[0; 64]].concat();
        assert!(Request::from_bytes(&endless).is_err() && Request::from_bytes(&[6]).is_err());
        let other_kind = [&[4, 2][..], &[0; 8]].concat();
        assert!(Request::from_bytes(&other_kind).is_err());
    }
}
