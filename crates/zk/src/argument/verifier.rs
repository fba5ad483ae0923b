//! [`Verifier::verify_fact`]: the equation of the values, and the proof that they are those of the
//! columns.

use super::claim::{self, MASK, RHO, VALUES};
use super::fact::Fact;
use super::opening::{ColumnOpening, LinearForm};
use super::proof::FactProof;
use super::slot::Slot;
use crate::check::Check;
use crate::claim::Shown;
use crate::error::{Reason, VerifyError};
use crate::matrix::PublicMatrix;
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::verifier::Verifier;

impl<'a> Check<'a> {
    /// As [`Self::begin`], for a proof of a fact: its equation is checked as well.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`] if the file, the fact, its slot, T or the equation is another;
    /// [`VerifyError::NoVerdict`] with [`Error::Malformed`](crate::Error::Malformed) if it is no
    /// such file, with [`Error::Parameter`](crate::Error::Parameter) if the fact is not about
    /// messages of this statement, with [`Error::ForeignMatrix`](crate::Error::ForeignMatrix) if
    /// `matrix` is not its A.
    pub fn begin_fact(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        slot: Slot,
        fact: &Fact,
        proof: &[u8],
    ) -> Result<Self, VerifyError> {
        matrix.check_belongs_to(statement)?;
        let params = statement.params();
        slot.check(params, fact)?;
        let mut transcript = claim::begin(statement, slot, fact);
        let digest = statement.digest(context);
        let FactProof { mask, values, proof, .. } =
            FactProof::parse(proof, params, transcript.state(), &digest)?;
        let equation = fact.equation(&mut transcript);
        transcript.absorb(MASK, &[mask]);
        let rho = transcript.challenge(RHO);
        if equation.sum(&values) != rho * equation.value + mask {
            return Err(Reason::Equation.into());
        }
        transcript.absorb(VALUES, &values);
        let form = claim::pad(slot).plus(rho, &LinearForm::new(equation.rows));
        let opening = ColumnOpening::new(*transcript.state(), form);
        Ok(Self::opened(matrix, digest, proof, opening, values))
    }
}

impl Verifier<'_> {
    /// Checks a proof of a fact, in a slot of pads and a user's context; the statement was
    /// [loaded](Statement::load). If this is not an error, the prover knows columns s'_j as
    /// [`Self::verify`] shows them, and the fact holds of them.
    ///
    /// # Errors
    /// As [`Check::begin_fact`]; then as [`Self::verify`].
    pub fn verify_fact(
        &self,
        context: &[u8],
        slot: Slot,
        fact: &Fact,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        self.check(context, Shown::Fact(slot, fact), None, proof)
    }

    /// As [`Self::verify_fact`], and reads T block by block from `statement_file` unless the
    /// statement was [loaded](Statement::load).
    ///
    /// # Errors
    /// As [`Check::begin_fact`]; then as [`Self::verify_streaming`].
    pub fn verify_fact_streaming(
        &self,
        context: &[u8],
        slot: Slot,
        fact: &Fact,
        statement_file: &dyn ReadAt,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        self.check(context, Shown::Fact(slot, fact), Some(statement_file), proof)
    }
}
