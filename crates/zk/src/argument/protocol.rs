//! Claims about S: what the prover sends before Y, and the verifier's equation of it; and
//! [`Prover::prove_claims`], which follows it with a proof of knowledge that is bound to it.
//!
//! The prover may be one place that has the answers of workers with column shards of S; one machine
//! is that place with one worker.

use alloc::boxed::Box;
use alloc::vec::Vec;

use tautochrone_ctr::Seed;
use tautochrone_simd::{declassify, declassify_slice};
use zeroize::Zeroizing;

use super::claims::Claims;
use super::field::{ArgumentField, with_field};
use super::layout::Slot;
use super::linear::{LastCheck, Sent, Turn};
use super::proof::{Argument, Parts, claim_bytes, count};
use super::ranges::instance::TABLE_BYTES;
use super::request::{Ask, Masks, Request};
use super::worker::ArgumentWorker;
use crate::check::Check;
use crate::error::{Error, Fault, Reason, ShardProblem};
use crate::field::{ElementOf, Field};
use crate::format::ProofKind;
use crate::matrix::PublicMatrix;
use crate::observer::Stage;
use crate::opening::transcript;
use crate::prover::{Coordinator, Proved, Prover};
use crate::shard::range::Shard;
use crate::shows::Shows;
use crate::statement::Statement;
use crate::verifier::Verifier;
use crate::witness::WitnessSource;

impl Argument {
    /// What is sent for claims, made from the answers of workers with shards of S.
    ///
    /// # Errors
    /// [`Error::Shard`] if answers have another length; [`Error::Parameter`] if a claim is not
    /// about messages of this statement or needs more masks than the slot has; [`Error::FalseFact`]
    /// if the claims do not hold; what `ask` gives.
    pub fn new<F: ArgumentField>(
        prover: &Prover<'_>,
        about: (&Slot, &Claims),
        ask: &mut Ask<'_, F>,
    ) -> Result<Self, Error> {
        Self::with_choices(&mut Honest, prover, about, ask)
    }

    /// The same with what a prover may choose.
    pub(super) fn with_choices<F: ArgumentField>(
        choices: &mut impl Choices,
        prover: &Prover<'_>,
        (slot, claims): (&Slot, &Claims),
        ask: &mut Ask<'_, F>,
    ) -> Result<Self, Error> {
        slot.check_over::<F>(prover.statement().params(), claims)?;
        let answer = ask(&Request::Masks)?;
        let count = (0..slot.layout().closed()).map(|j| slot.masks_in(j) as u64).sum();
        check_length(&answer, count)?;
        let masks = Masks::of(slot, &answer);
        drop(answer);
        let (params, layout) = (prover.statement().params(), slot.layout());
        let mut transcript = claims.begin(prover.statement(), slot);
        let start = *transcript.state();
        let (mut elements, mut linear) = (Vec::new(), Vec::new());
        let of_claims = masks.elements(slot);
        let mut first = 0;
        for (index, claim) in (0..).zip(claims.instances::<F>()) {
            let masks = &of_claims[first..first + claim.sent(layout)];
            let turn = Turn { transcript: transcript.clone(), masks, index, layout, ask };
            let mut own = claim.argue(turn)?;
            choices.choose::<F>(Step::Sent, &mut own);
            let sent = Sent { elements: &own, first_mask: first, layout };
            linear.extend(claim.replay(&mut transcript, sent));
            elements.extend(own);
            first += masks.len();
        }
        let mut check = LastCheck::new(transcript, slot, linear);
        let columns = check.columns();
        let parts = columns.len();
        let sums = if parts > 0 { ask(&Request::Columns(columns))? } else { Zeroizing::default() };
        let height = u64::from(layout.rows()) + 1;
        check_length(&sums, parts as u64 * height)?;
        let needed = check.needs_places();
        let places = if needed { ask(&Request::Places)? } else { Zeroizing::default() };
        check_length(&places, u64::from(needed) * layout.columns() * height)?;
        let all = params.l() as usize;
        let holds = check.play([sums, places], &masks);
        if !holds && !choices.proves_false_claims() {
            return Err(Error::FalseFact);
        }
        elements.extend(&check.rounds.messages);
        // phi_1.
        let values = ask(&Request::Values(check.rounds.point.clone()))?;
        check_length(&values, params.l())?;
        let is_in_table = |j: &usize| slot.is_in_table(*j as u64);
        let mut table: Vec<ElementOf<F>> =
            (0..all).filter(is_in_table).map(|j| values[j]).collect();
        let mut weighted = check.weighted(&values);
        choices.choose::<F>(Step::Ends, &mut table);
        choices.choose::<F>(Step::Weighted, core::slice::from_mut(&mut weighted));
        declassify_slice(&table);
        let weighted = declassify(weighted);
        let rho = check.rho(&table, weighted);
        // gamma is 0 in the table, and in all columns of messages.
        let value = |j: usize| match masks.gamma.get(j) {
            Some(&gamma) => values[j] + rho * gamma,
            None => values[j],
        };
        let mut others: Vec<ElementOf<F>> =
            (0..all).filter(|j| !is_in_table(j)).map(value).collect();
        choices.choose::<F>(Step::Values, &mut others);
        declassify_slice(&others);
        elements.extend(&table);
        elements.push(weighted);
        elements.extend(&others);
        let opening = Box::new(check.finish(rho, &others));
        let elements = transcript::encode(&elements).to_vec();
        let (kind, claim, columns) = (ProofKind::Claims, claim_bytes(slot, claims, 0), Vec::new());
        Ok(Self { kind, start, claim, columns, elements, opening })
    }
}

impl Prover<'_> {
    /// Proves knowledge of the witness as [`Self::prove`] does, and that claims about its messages
    /// hold, and reveals nothing else: under the pads of `slot`, which no other claims about this T
    /// were or will be proved with. Any number of proofs of one list of claims in one slot are
    /// safe, with any contexts and seeds, and columns of messages may be opened before and after
    /// ([`Layout::open`](super::Layout::open)).
    ///
    /// Memory: as [`Self::prove`], some 100 bytes a column and a row, and 64 MiB at most beside;
    /// for circuits 60 bytes for each constraint and 72 for each place of the messages. S is read
    /// three times more, and for ranges once for every round until the table of their entries fits
    /// into these.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if a claim does not hold; [`Error::Parameter`] if a claim is not about
    /// messages of this statement or needs more masks than the slot has, or arguments are not
    /// offered for its parameters; all errors of [`Self::prove`].
    ///
    /// # Constant time
    /// In the witness, but for whether the claims hold of it.
    pub fn prove_claims(
        &self,
        context: &[u8],
        slot: &Slot,
        claims: &Claims,
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<Proved, Error> {
        self.prove_bringing(&[], context, (slot, claims), witness, seed)
    }

    /// The same where the proof brings columns of T with it, given as in a statement's file.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(super) fn prove_bringing(
        &self,
        columns: &[u8],
        context: &[u8],
        (slot, claims): (&Slot, &Claims),
        witness: &dyn WitnessSource,
        seed: &Seed,
    ) -> Result<Proved, Error> {
        with_field!(slot.layout(), F => {
            let params = self.statement().params();
            let whole = Shard::whole(params);
            let worker = ArgumentWorker::<F>::new(params, witness, whole, slot, claims)?;
            let mut worker = worker.on(self.isa(), TABLE_BYTES);
            let mut answers = 0;
            let argument = Argument::new(self, (slot, claims), &mut |request| {
                self.matrix().report(Stage::Argue, answers, None)?;
                answers += 1;
                worker.answer(request)
            })?;
            let opening = Some(&*argument.opening);
            let (proof, attempts) = self.prove_opening(context, witness, seed, opening)?;
            let new = (columns.len() / params.column_bytes()) as u64;
            let claim = claim_bytes(slot, claims, new);
            let argument = Argument { claim, columns: columns.to_vec(), ..argument };
            Ok(Proved { proof: argument.proof_file(params, &proof), attempts })
        })
    }
}

/// Choices by which a test's prover deviates from the protocol.
pub(super) trait Choices {
    fn proves_false_claims(&self) -> bool {
        false
    }

    /// Alters what is to be sent next.
    fn choose<F: Field>(&mut self, _: Step, _: &mut [ElementOf<F>]) {}
}

pub(super) enum Step {
    /// The messages of a claim before eta.
    Sent,
    /// h_j.
    Ends,
    /// X.
    Weighted,
    /// y_j of columns that are not in the table.
    Values,
}

/// All of it.
pub(super) struct Honest;

impl Choices for Honest {}

pub(super) fn check_length<F: Field>(
    elements: &[ElementOf<F>],
    expected: u64,
) -> Result<(), Error> {
    let is_expected = elements.len() as u64 == expected;
    if is_expected { Ok(()) } else { Err(Error::Shard(ShardProblem::Elements)) }
}

impl<'a> Coordinator<'a> {
    /// Binds the challenges, and Y, to claims.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`] unless the statement is [owned by](crate::Statement::owned_by) the
    /// witness of the coordinator's digest.
    pub fn with_argument(self, argument: &'a Argument) -> Result<Self, Error> {
        self.bound_to(&*argument.opening)
    }
}

impl<'a> Check<'a> {
    /// As [`Self::begin`], for a proof of claims: their equation is checked as well.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the file, the claims, their slot or the equation is another;
    /// [`Error::Malformed`](crate::Error::Malformed) if it is no such file,
    /// [`Error::Parameter`](crate::Error::Parameter) if the claims are not about messages of this
    /// statement, [`Error::Request`](crate::Error::Request) if `matrix` is not its A.
    pub fn begin_claims(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        (slot, claims): (&Slot, &Claims),
        proof: &[u8],
    ) -> Result<Self, Error> {
        matrix.check_belongs_to(statement)?;
        slot.check(statement.params(), claims)?;
        let parts = Parts::of_claims(proof, statement.params(), (slot, claims), 0)?;
        Self::of_claims(matrix, statement, context, (slot, claims), &parts)
    }

    /// The same of a file in its parts.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed); [`Error::Invalid`], with [`Reason::Content`]
    /// if the equation does not hold.
    pub(super) fn of_claims(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        (slot, claims): (&Slot, &Claims),
        parts: &Parts<'_>,
    ) -> Result<Self, Error> {
        with_field!(slot.layout(), F => {
            let (params, layout) = (statement.params(), slot.layout());
            let mut transcript = claims.begin(statement, slot);
            let digest = statement.digest(context);
            let count = count(slot, claims, params);
            let (elements, proof) =
                parts.decode::<F>(params, [transcript.state(), &digest], count)?;
            let (mut linear, mut first, mut rest) = (Vec::new(), 0, &elements[..]);
            for claim in claims.instances::<F>() {
                let (elements, behind) = rest.split_at(claim.sent(layout));
                let sent = Sent { elements, first_mask: first, layout };
                linear.extend(claim.replay(&mut transcript, sent));
                (first, rest) = (first + elements.len(), behind);
            }
            let opening = LastCheck::new(transcript, slot, linear).replay(rest);
            let opening = opening.ok_or(Reason::Content(Fault::Equation))?;
            Ok(Self::opened(matrix, digest, proof, opening))
        })
    }
}

impl Verifier<'_> {
    /// Checks a proof of claims, in a slot of pads and a user's context. If this is not an error,
    /// the prover knows columns s'_j as [`Self::verify`] shows them, and every one of the claims
    /// holds of them.
    ///
    /// # Errors
    /// As [`Self::verify`], [`Error::Invalid`] also if the claims, their slot or the equation is
    /// another, and [`Error::Parameter`](crate::Error::Parameter) if the claims are not about
    /// messages of this statement.
    pub fn verify_claims(
        &self,
        context: &[u8],
        slot: &Slot,
        claims: &Claims,
        proof: &[u8],
    ) -> Result<(), Error> {
        self.check(context, &Shows::Claims(slot.clone(), claims.clone()), proof)
    }
}
