//! Where the wires of a [`Circuit`] are in S, for statements about it alone.

use alloc::vec::Vec;

use tautochrone_ctr::Seed;

use super::claim::CircuitClaim;
use super::constraints::{Assignment, Circuit};
use super::optimise::{layout_of, shortest};
use crate::argument::claims::Claims;
use crate::argument::field::CircuitField;
use crate::argument::layout::Layout;
use crate::argument::linear::Definition as _;
use crate::argument::space::PaddedMessages;
use crate::error::Error;
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params};
use crate::scalar::ScalarOf;

/// A claim with the number of masks and messages that any public inputs have.
fn any_claim<F: CircuitField>(circuit: &Circuit<F>) -> Result<CircuitClaim<F>, Error> {
    CircuitClaim::new(circuit, &alloc::vec![ScalarOf::ZERO; circuit.public_inputs() as usize])
}

/// For statements about one circuit alone: its secret wires are the first places of the messages,
/// 2^m - 1 elements of F a column, and there is one slot, for one list of public inputs. Values for
/// several circuits are committed to in an `InputSpace`.
impl<F: CircuitField> Circuit<F> {
    /// The parameters for which a statement and two proofs about it are shortest together, with 128
    /// bits of security.
    ///
    /// # Errors
    /// [`Error::Request`] if there are none for so many wires.
    pub fn optimise(&self) -> Result<CustomParams, Error> {
        let wires = u64::from(self.secret_wires());
        let claims = Claims::from(any_claim(self)?);
        shortest(wires, 1, |rows| {
            Layout::over::<F>(rows, wires.div_ceil(rows.into())).with_slot(&claims)
        })
    }

    /// The layout of a circuit under these parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless challenges are ternary and lambda = 128, and the first rows of S
    /// are digits of 2^m - 1 elements and pads, with columns for all wires. [`Layout::hiding`] says
    /// whether these parameters hide the wires, and [`Self::witness`] asks it.
    pub fn layout(&self, params: &Params) -> Result<Layout, Error> {
        let claim = any_claim(self)?;
        let empty = Layout::over::<F>(1, 1);
        let layout = layout_of::<F>(params, 1, claim.sent(&empty) as u32);
        let fits = |layout: &Layout| claim.end(layout).1 <= layout.columns();
        let Some(layout) = layout.filter(fits) else {
            let expected = "rows of 8 (2^m - 1) + 48 digits, 9 (2^m - 1) + 54 over goldilocks, and \
                            columns for all wires and masks: see Circuit::optimise";
            return Err(Error::parameter("l", params.l(), expected));
        };
        layout.check(params)?;
        Ok(layout)
    }

    /// The witness of an assignment for statements over `matrix`, with pads and randomness from a
    /// key that is a hash of the seed, the statement's header, the circuit and all wires: a seed
    /// gives other pads for every claim.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the assignment has another number of wires than the circuit, or the
    /// matrix has other parameters; [`Error::FalseFact`] if a constraint does not hold;
    /// [`Error::Insecure`] as [`Layout::hiding`].
    ///
    /// # Constant time
    /// In the secret wires, but for the first constraint that does not hold.
    pub fn witness(
        &self,
        matrix: &PublicMatrix,
        assignment: &Assignment<F>,
        seed: &Seed,
    ) -> Result<PaddedMessages<'static>, Error> {
        if self.first_violation(assignment)?.is_some() {
            return Err(Error::FalseFact);
        }
        let public: Vec<_> = assignment.public.iter().map(|x| x.value().to_le_bytes()).collect();
        let fields = [self.digest().as_bytes(), public.as_flattened()];
        self.layout(&matrix.params)?.witness_of_scalars(matrix, &assignment.secret, &fields, seed)
    }
}
