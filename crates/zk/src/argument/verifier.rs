//! [`Verifier::verify_claims`]: the equation of the values, and the proof that they belong to the
//! columns.

use alloc::vec::Vec;

use super::claims::Claims;
use super::field::{ArgumentField, with_field};
use super::layout::Slot;
use super::linear::{Combined, RowRounds};
use super::proof::{ArgumentMessages, ArgumentProof, Parts};
use crate::check::Check;
use crate::claim::Shown;
use crate::error::{Error, Fault, Reason};
use crate::matrix::PublicMatrix;
use crate::opening::ColumnOpening;
use crate::statement::Statement;
use crate::verifier::Verifier;

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
        let parts = Parts::split(proof, statement.params(), (slot, claims), 0)?;
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
            Self::over::<F>(matrix, statement, context, (slot, claims), parts)
        })
    }

    fn over<F: ArgumentField>(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        (slot, claims): (&Slot, &Claims),
        parts: &Parts<'_>,
    ) -> Result<Self, Error> {
        let (params, layout) = (statement.params(), slot.layout());
        let mut transcript = claims.begin(statement, slot);
        let digest = statement.digest(context);
        let start = transcript.state();
        let (elements, proof) =
            ArgumentProof::parse::<F>(parts, params, (slot, claims), start, &digest)?;
        let sent = ArgumentMessages::split(&elements, slot, claims);
        let mut linear = Vec::new();
        let (mut rest, mut first) = (sent.claims, 0);
        for claim in claims.instances::<F>() {
            let (elements, behind) = rest.split_at(claim.sent(layout));
            linear.extend(claim.replay(&mut transcript, elements, first, layout));
            first += claim.masks(layout);
            rest = behind;
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
        Ok(Self::opened(matrix, digest, proof, F::opened(opening, values)))
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
        self.check(context, Shown::Claims(slot, claims), proof)
    }
}
