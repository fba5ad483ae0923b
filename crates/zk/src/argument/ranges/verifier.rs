//! [`Verifier::verify_ranges`]: the two equations of the values, and the proof that they are those
//! of the columns.

use super::claim::{self, Course};
use super::{RangeProof, RangeSlot, Ranges, Shape};
use crate::argument::opening::ColumnOpening;
use crate::argument::sum_check::dot;
use crate::check::Check;
use crate::claim::Shown;
use crate::error::{Reason, VerifyError};
use crate::matrix::PublicMatrix;
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::verifier::Verifier;

impl<'a> Check<'a> {
    /// As [`Self::begin`], for a proof of ranges: its equations are checked as well.
    ///
    /// # Errors
    /// As [`Self::begin_fact`](Check::begin_fact).
    pub fn begin_ranges(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        slot: RangeSlot,
        ranges: &Ranges,
        proof: &[u8],
    ) -> Result<Self, VerifyError> {
        matrix.check_belongs_to(statement)?;
        let params = statement.params();
        slot.check(params, ranges)?;
        let start = claim::begin(statement, slot, ranges);
        let digest = statement.digest(context);
        let sent = RangeProof::parse(proof, params, slot, ranges, start.state(), &digest)?;
        let RangeProof { messages, ends, values, proof, .. } = sent;
        let shape = Shape::new(ranges, params.l());
        let mut course = Course::begin(start, shape);
        for messages in messages.chunks_exact(shape.messages) {
            course.round(messages);
        }
        let rho = course.rho(&ends);
        let (w, product) = course.pad_weights();
        let first = product * course.first_claim(ranges);
        let lambda = dot(&w, &messages) + first - course.last_claim(ranges, ends.value);
        if !ends.hold(rho, lambda, &values, [&course.column_weights(), &w]) {
            return Err(Reason::Equation.into());
        }
        course.finish(&values);
        let form = course.form(ranges, slot, rho);
        let opening = ColumnOpening::new(*course.transcript.state(), form);
        Ok(Self::opened(matrix, digest, proof, opening, values))
    }
}

impl Verifier<'_> {
    /// Checks a proof of ranges, in a user's context; the statement was [loaded](Statement::load).
    /// If this is not an error, the prover knows columns s'_j as [`Self::verify`] shows them, and
    /// their entries in these rows lie in these ranges and they have these norms, exactly.
    ///
    /// # Errors
    /// As [`Check::begin_ranges`]; then as [`Self::verify`].
    pub fn verify_ranges(
        &self,
        context: &[u8],
        slot: RangeSlot,
        ranges: &Ranges,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        self.check(context, Shown::Ranges(slot, ranges), None, proof)
    }

    /// As [`Self::verify_ranges`], and reads T block by block from `statement_file` unless the
    /// statement was [loaded](Statement::load).
    ///
    /// # Errors
    /// As [`Check::begin_ranges`]; then as [`Self::verify_streaming`].
    pub fn verify_ranges_streaming(
        &self,
        context: &[u8],
        slot: RangeSlot,
        ranges: &Ranges,
        statement_file: &dyn ReadAt,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        self.check(context, Shown::Ranges(slot, ranges), Some(statement_file), proof)
    }
}
