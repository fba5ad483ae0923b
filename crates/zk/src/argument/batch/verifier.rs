//! [`Verifier::verify_facts`]: the two equations of the values, and the proof that they are those
//! of the columns.

use super::claim::{self, Course};
use super::{BatchSlot, Facts, FactsProof, Shape};
use crate::argument::opening::ColumnOpening;
use crate::check::Check;
use crate::claim::Shown;
use crate::error::{Reason, VerifyError};
use crate::matrix::PublicMatrix;
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::verifier::Verifier;

impl<'a> Check<'a> {
    /// As [`Self::begin`], for a proof of several facts: its equations are checked as well.
    ///
    /// # Errors
    /// As [`Self::begin_fact`](Check::begin_fact).
    pub fn begin_facts(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        slot: BatchSlot,
        facts: &Facts,
        proof: &[u8],
    ) -> Result<Self, VerifyError> {
        matrix.check_belongs_to(statement)?;
        let params = statement.params();
        slot.check(params, facts)?;
        let start = claim::begin(statement, slot, facts);
        let digest = statement.digest(context);
        let sent = FactsProof::parse(proof, params, facts, start.state(), &digest)?;
        let FactsProof { messages, ends, values, proof, .. } = sent;
        let mut course = Course::begin(start, Shape::new(facts, params.l()), facts);
        for messages in messages.chunks_exact(Shape::MESSAGES) {
            course.round(messages);
        }
        let rho = course.rho(&ends);
        let lambda = course.lambda(&messages, ends.value);
        let weights = [course.column_weights(), course.pad_weights().0];
        if !ends.hold(rho, lambda, &values, weights.each_ref().map(|weights| &weights[..])) {
            return Err(Reason::Equation.into());
        }
        course.finish(&values);
        let form = course.form(slot, rho);
        let opening = ColumnOpening::new(*course.transcript.state(), form);
        Ok(Self::opened(matrix, digest, proof, opening, values))
    }
}

impl Verifier<'_> {
    /// Checks a proof of several facts, in a user's context; the statement was
    /// [loaded](Statement::load). If this is not an error, the prover knows columns s'_j as
    /// [`Self::verify`] shows them, and every one of the facts holds of them.
    ///
    /// # Errors
    /// As [`Check::begin_facts`]; then as [`Self::verify`].
    pub fn verify_facts(
        &self,
        context: &[u8],
        slot: BatchSlot,
        facts: &Facts,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        self.check(context, Shown::Facts(slot, facts), None, proof)
    }

    /// As [`Self::verify_facts`], and reads T block by block from `statement_file` unless the
    /// statement was [loaded](Statement::load).
    ///
    /// # Errors
    /// As [`Check::begin_facts`]; then as [`Self::verify_streaming`].
    pub fn verify_facts_streaming(
        &self,
        context: &[u8],
        slot: BatchSlot,
        facts: &Facts,
        statement_file: &dyn ReadAt,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        self.check(context, Shown::Facts(slot, facts), Some(statement_file), proof)
    }
}
