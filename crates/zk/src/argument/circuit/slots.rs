//! [`UsedSlots`]: a record of the slots of pads that are used up.

use alloc::vec::Vec;

use super::constraints::{Assignment, Circuit};
use super::inputs::InputSpace;
use crate::argument::space::hash_scalars;
use crate::erase::Secrets;
use crate::error::{Error, RequestProblem};
use crate::opening::transcript;
use crate::statement::Statement;

/// Which slots of the pads of committed values are used, and for which claims: what the owner of
/// the values stores with them, **before** a proof is published. A slot that serves two claims
/// gives away linear equations about the values; no code but such a record can know which are used.
///
/// Secret, as claims are named by a hash of all wires: erased when dropped. Of two copies of a
/// record each would give a claim of its own the next slot, so there are no copies.
#[derive(Default)]
pub struct UsedSlots {
    claims: Secrets<[u8; 32]>,
}

impl core::fmt::Debug for UsedSlots {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("UsedSlots").field("used", &self.claims.len()).finish_non_exhaustive()
    }
}

impl UsedSlots {
    /// Slots that were used for these claims, from slot 0 on.
    #[must_use]
    pub const fn new(claims: Vec<[u8; 32]>) -> Self {
        Self { claims: Secrets::own(claims) }
    }

    /// The claims of the slots that are used, to be stored.
    #[must_use]
    pub fn claims(&self) -> &[[u8; 32]] {
        &self.claims
    }

    /// The slot for a claim about the values in a statement: the one that it has, or the next one,
    /// which is used from now on.
    ///
    /// # Errors
    /// [`Error::Request`] if it has none and all are used.
    pub fn slot(
        &mut self,
        (space, statement): (&InputSpace, &Statement),
        circuit: &Circuit,
        assignment: &Assignment,
        elements: &[u64],
    ) -> Result<u32, Error> {
        // A slot serves one T.
        let mut hasher = transcript::claim_about_inputs()
            .field(statement.digest(b"").as_bytes())
            .field(circuit.digest().as_bytes());
        let elements: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
        hasher = hasher.field(&elements);
        hash_scalars(&mut hasher, &assignment.public);
        // Other wires are other columns of T, even where they satisfy the same claim.
        hash_scalars(&mut hasher, &assignment.secret);
        let (claim, slots) = (hasher.finish_key(), space.slots());
        let known = (0..slots).zip(&*self.claims).find(|(_, used)| **used == claim);
        if let Some((slot, _)) = known {
            return Ok(slot);
        }
        let next = u32::try_from(self.claims.len()).ok().filter(|&next| next < slots);
        let next = next.ok_or(Error::Request(RequestProblem::NoSlot { slots }))?;
        let mut claims = Secrets::zeros(self.claims.len() + 1);
        claims[..self.claims.len()].copy_from_slice(&self.claims);
        claims[self.claims.len()] = claim;
        self.claims = claims;
        Ok(next)
    }
}
