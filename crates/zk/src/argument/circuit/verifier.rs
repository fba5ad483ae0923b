//! [`Verifier::verify_circuit`]: the two equations of the values, and the proof that they are those
//! of the columns.

use super::super::opening::ColumnOpening;
use super::super::scalar::Scalar;
use super::super::sum_check::dot;
use super::claim::{self, Course, Ends};
use super::constraints::Circuit;
use super::instance::Instance;
use super::proof::Parts;
use super::shape::{INNER, OUTER};
use super::{CircuitProof, tables};
use crate::check::Check;
use crate::claim::Shown;
use crate::error::{Reason, VerifyError};
use crate::matrix::PublicMatrix;
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::verifier::Verifier;

impl<'a> Check<'a> {
    /// As [`Self::begin`], for a proof about a circuit: its equations are checked as well.
    ///
    /// # Errors
    /// As [`Self::begin`], and [`VerifyError::Invalid`] where an equation of the circuit does not hold.
    pub fn begin_circuit(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        circuit: &Circuit,
        public: &[Scalar],
        proof: &[u8],
    ) -> Result<Self, VerifyError> {
        matrix.check_belongs_to(statement)?;
        let instance = Instance::alone(statement.params(), circuit, public)?;
        let parts = Parts::split(proof, statement.params(), &instance.shape)?;
        Self::of_circuit(matrix, statement, context, &instance, &parts)
    }

    /// The same of a file in its parts.
    ///
    /// # Errors
    /// As [`Parts::decode`]; [`Reason::Equation`].
    pub(super) fn of_circuit(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        instance: &Instance<'_>,
        parts: &Parts<'_>,
    ) -> Result<Self, VerifyError> {
        let (params, shape) = (statement.params(), instance.shape);
        let start = claim::begin(statement, instance);
        let digest = statement.digest(context);
        let CircuitProof { sent, values, proof, .. } =
            parts.decode(params, &shape, start.state(), &digest)?;
        let mut course = Course::begin(start, shape);
        for messages in sent.outer.chunks_exact(OUTER) {
            course.outer_round(messages);
        }
        course.products(&sent.products);
        for messages in sent.inner.chunks_exact(INNER) {
            course.inner_round(messages);
        }
        let chi = course.chi(sent.value);
        let rho = course.rho(&sent.ends);
        let [coefficients, known] = tables::evaluate(instance, &course);
        let lambda = course.lambda(&sent, chi, known, coefficients);
        let Ends { weighted_values, gammas, weighted_kappas, kappas } = sent.ends;
        if dot(&course.column_weights(), &values) != kappas + rho * (sent.value + rho * gammas)
            || dot(&course.pad_weights(chi), &values[shape.masks()..])
                != weighted_kappas + rho * (weighted_values + rho * lambda)
        {
            return Err(Reason::Equation.into());
        }
        course.finish(&values);
        let opening = ColumnOpening::new(*course.transcript.state(), course.form(rho));
        Ok(Self::opened(matrix, digest, proof, opening, values))
    }
}

impl Verifier<'_> {
    /// Checks a proof about a circuit, in a user's context; the statement was
    /// [loaded](Statement::load). If this is not an error, the prover knows columns s'_j as
    /// [`Self::verify`] shows them, and the wires in them satisfy the circuit with these public
    /// inputs.
    ///
    /// Time: beside what [`Self::verify`] takes, some products in K for every coefficient of the
    /// circuit.
    ///
    /// # Errors
    /// As [`Check::begin_circuit`]; then as [`Self::verify`].
    pub fn verify_circuit(
        &self,
        context: &[u8],
        circuit: &Circuit,
        public: &[Scalar],
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        self.check(context, Shown::Circuit(circuit, public), None, proof)
    }

    /// As [`Self::verify_circuit`], and reads T block by block from `statement_file` unless the
    /// statement was [loaded](Statement::load).
    ///
    /// # Errors
    /// As [`Check::begin_circuit`]; then as [`Self::verify_streaming`].
    pub fn verify_circuit_streaming(
        &self,
        context: &[u8],
        circuit: &Circuit,
        public: &[Scalar],
        statement_file: &dyn ReadAt,
        proof: &[u8],
    ) -> Result<(), VerifyError> {
        self.check(context, Shown::Circuit(circuit, public), Some(statement_file), proof)
    }
}
