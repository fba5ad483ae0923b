//! Claims about S: what the prover sends before Y, and the verifier's equation of it.
//!
//! The prover may be one place that has the answers of workers with column shards of S; one machine is
//! that place with one worker.

use alloc::boxed::Box;
use alloc::vec::Vec;

use tautochrone_simd::{declassify, declassify_slice};
use zeroize::Zeroizing;

use super::claims::Claims;
use super::field::{ArgumentField, with_field};
use super::layout::Slot;
use super::linear::{Combined, RowRounds, Sent, Turn};
use super::proof::{Argument, ArgumentMessages, Parts, claim_bytes, count};
use super::request::{Ask, Masks, Request};
use crate::check::Check;
use crate::error::{Error, Fault, Reason, ShardProblem};
use crate::field::{ElementOf, Field};
use crate::format::ProofKind;
use crate::matrix::PublicMatrix;
use crate::opening::{ColumnOpening, transcript};
use crate::prover::{Coordinator, Prover};
use crate::shows::Shows;
use crate::statement::Statement;
use crate::verifier::Verifier;

impl Argument {
    /// What is sent for claims, made from the answers of workers with shards of S.
    ///
    /// # Errors
    /// [`Error::Shard`] if answers have another length; [`Error::Parameter`] if a claim is not about
    /// messages of this statement or needs more masks than the slot has; [`Error::FalseFact`] if the
    /// claims do not hold; what `ask` gives.
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
        let claim = Combined::new(&mut transcript, slot, linear);
        let columns = claim.columns();
        let parts = columns.len();
        let sums = if parts > 0 { ask(&Request::Columns(columns))? } else { Zeroizing::default() };
        let height = u64::from(layout.rows()) + 1;
        check_length(&sums, parts as u64 * height)?;
        let needed = claim.needs_places();
        let places = if needed { ask(&Request::Places)? } else { Zeroizing::default() };
        check_length(&places, u64::from(needed) * layout.columns() * height)?;
        let all = params.l() as usize;
        let masking = slot.masking().start as usize..slot.masking().end as usize;
        let mut rounds = RowRounds::new(transcript);
        let gamma = &masks.gamma[masking.clone()];
        let of_block = (&masks.places[..], &masks.beta[..]);
        let holds = rounds.play(slot, &claim, [sums, places], of_block, gamma);
        if !holds && !choices.proves_false_claims() {
            return Err(Error::FalseFact);
        }
        elements.extend(&rounds.0.messages);
        // phi_1.
        let values = ask(&Request::Values(rounds.0.point.clone()))?;
        check_length(&values, params.l())?;
        let is_in_table = |j: &usize| slot.is_in_table(*j as u64);
        let mut table: Vec<ElementOf<F>> =
            (0..all).filter(is_in_table).map(|j| values[j]).collect();
        let mut weighted = rounds.weighted(&values[masking]);
        choices.choose::<F>(Step::Ends, &mut table);
        choices.choose::<F>(Step::Weighted, core::slice::from_mut(&mut weighted));
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
        choices.choose::<F>(Step::Values, &mut others);
        declassify_slice(&others);
        elements.extend(&table);
        elements.push(weighted);
        elements.extend(&others);
        let form = rounds.form(slot, rho);
        let transcript = rounds.finish(&others);
        let opening = Box::new(ColumnOpening::new(*transcript.state(), form));
        let elements = transcript::encode(&elements).to_vec();
        let (kind, claim, columns) = (ProofKind::Claims, claim_bytes(slot, claims, 0), Vec::new());
        Ok(Self { kind, start, claim, columns, elements, opening })
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
            let sent = ArgumentMessages::split(&elements, slot, claims);
            let (mut linear, mut first) = (Vec::new(), 0);
            for claim in claims.instances::<F>() {
                let elements = &sent.claims[first..first + claim.sent(layout)];
                let sent = Sent { elements, first_mask: first, layout };
                linear.extend(claim.replay(&mut transcript, sent));
                first += elements.len();
            }
            let claim = Combined::new(&mut transcript, slot, linear);
            let mut rounds = RowRounds::new(transcript);
            rounds.replay(sent.messages);
            let rho = rounds.rho(sent.table, sent.weighted);
            let values = sent.values(slot);
            let masking = slot.masking().start as usize..slot.masking().end as usize;
            if !rounds.hold(slot, &claim, (sent.table, sent.weighted, rho), &values[masking]) {
                return Err(Reason::Content(Fault::Equation).into());
            }
            let form = rounds.form(slot, rho);
            let transcript = rounds.finish(sent.others);
            let opening = ColumnOpening::new(*transcript.state(), form);
            Ok(Self::opened(matrix, digest, proof, opening.with_values(values)))
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
