//! [`CircuitSpace`]: where the wires of a circuit are in S, for statements about it alone.

use core::ops::Deref;

use alloc::vec::Vec;

use tautochrone_ctr::Seed;

use super::claim::CircuitClaim;
use super::constraints::{Assignment, Circuit};
use super::optimise::{Candidate, layout_of, possible_rows, shortest};
use crate::argument::claims::Claims;
use crate::argument::field::CircuitField;
use crate::argument::instance::Definition as _;
use crate::argument::layout::Layout;
use crate::argument::space::{PaddedMessages, PaddedSpace};
use crate::error::Error;
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::scalar::ScalarOf;

/// The [space](PaddedSpace) of a statement about one circuit: its secret wires are the first places of
/// the messages, 2^m - 1 elements of F a column, and there is one slot, for one list of public inputs.
/// Values that are to serve several circuits are committed to in an [`InputSpace`](super::InputSpace).
#[derive(Clone, Debug)]
pub struct CircuitSpace {
    space: PaddedSpace,
}

impl Deref for CircuitSpace {
    type Target = PaddedSpace;
    fn deref(&self) -> &PaddedSpace {
        &self.space
    }
}

/// A claim with the number of masks and messages that any public inputs have.
fn any_claim<F: CircuitField>(circuit: &Circuit<F>) -> Result<CircuitClaim<F>, Error> {
    CircuitClaim::new(circuit, &alloc::vec![ScalarOf::ZERO; circuit.public_inputs() as usize])
}

impl CircuitSpace {
    /// The parameters for which statement and proof together are shortest, with 128 bits of
    /// security.
    ///
    /// # Errors
    /// [`Error::Request`] if there are none for so many wires.
    pub fn optimise<F: CircuitField>(circuit: &Circuit<F>) -> Result<CustomParams, Error> {
        let wires = u64::from(circuit.secret_wires());
        let claims = Claims::from(any_claim(circuit)?);
        let mut candidates = Vec::new();
        for rows in possible_rows() {
            let columns = wires.div_ceil(rows.into());
            let layout = Layout::over::<F>(rows, columns).with_slot(&claims)?;
            let sent = claims.sent(&layout) + 2 * layout.rounds() + 1;
            candidates.push(Candidate { layout, sent: sent as u64 });
            if columns == 1 {
                // More places a column only make it longer.
                break;
            }
        }
        shortest(candidates, wires)
    }

    /// The space of a circuit under these parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless challenges are ternary and lambda = 128, and the first rows of S are
    /// digits of 2^m - 1 elements and pads, with columns for all wires; unless waived,
    /// [`Error::Insecure`] as [`MessageSpace::new`](crate::uses::commitment::MessageSpace::new).
    pub fn new<F: CircuitField>(
        params: &Params,
        circuit: &Circuit<F>,
        security: Security,
    ) -> Result<Self, Error> {
        let claim = any_claim(circuit)?;
        let empty = Layout::over::<F>(1, 1);
        let layout = layout_of::<F>(params, 1, claim.masks(&empty) as u32);
        let fits = |layout: &Layout| claim.end(layout).1 <= layout.columns();
        let Some(layout) = layout.filter(fits) else {
            let expected = "rows of 8 (2^m - 1) + 48 digits, 9 (2^m - 1) + 54 over goldilocks, and \
                            columns for all wires and masks: see CircuitSpace::optimise";
            return Err(Error::parameter("l", params.l(), expected));
        };
        Ok(Self { space: PaddedSpace::new(params, layout, security)? })
    }

    /// The witness of an assignment for statements over `matrix`, with pads and randomness from a
    /// key that is a hash of the seed, the statement's header, the circuit and all wires: a seed gives
    /// other pads for every claim.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the assignment has another number of wires than the circuit, or the
    /// matrix has other parameters; [`Error::FalseFact`] if a constraint does not hold.
    ///
    /// # Constant time
    /// In the secret wires, but for the first constraint that does not hold.
    pub fn witness<F: CircuitField>(
        &self,
        matrix: &PublicMatrix,
        circuit: &Circuit<F>,
        assignment: &Assignment<F>,
        seed: &Seed,
    ) -> Result<PaddedMessages<'static>, Error> {
        if circuit.first_violation(assignment)?.is_some() {
            return Err(Error::FalseFact);
        }
        let public = assignment.public.iter().flat_map(|x| x.value().to_le_bytes());
        let fields = [circuit.digest().as_bytes(), &public.collect::<Vec<u8>>()];
        self.space.witness_of_scalars(matrix, &assignment.secret, &fields, seed)
    }
}
