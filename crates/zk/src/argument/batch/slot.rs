//! [`BatchSlot`]: where the pads of several facts are.

use super::{Facts, Shape};
use crate::argument::claim;
use crate::argument::opening::LinearForm;
use crate::argument::slot::Slot;
use crate::error::Error;
use crate::params::Params;

/// The pads of several facts in one proof: kappa, gamma and beta of every column, three slots for
/// facts one after the other. [`PaddedSpace::batch_slot`](super::super::PaddedSpace::batch_slot)
/// gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchSlot {
    slots: [Slot; BatchSlot::SLOTS as usize],
}

impl BatchSlot {
    /// How many slots for facts it takes.
    pub const SLOTS: u32 = 3;

    pub(in crate::argument) const fn new(slots: [Slot; Self::SLOTS as usize]) -> Self {
        Self { slots }
    }

    /// The first row of the pads.
    pub(super) const fn first_row(self) -> u32 {
        self.slots[0].first_row()
    }

    /// Whether the space closes what these facts need, for provers.
    ///
    /// # Errors
    /// [`Error::Front`].
    pub(super) fn check_front(self, params: &Params, facts: &Facts) -> Result<(), Error> {
        self.slots[0].front().check(facts.closed(params.l()))
    }

    /// # Errors
    /// [`Error::Parameter`] unless arguments are offered for these parameters, the facts are about
    /// message rows and about columns of the statement, A' is multiplied with all rows of pads, and
    /// there are enough columns.
    pub(super) fn check(self, params: &Params, facts: &Facts) -> Result<(), Error> {
        for slot in self.slots {
            for fact in facts.facts() {
                slot.check(params, fact)?;
            }
        }
        if !Shape::new(facts, params.l()).has_columns() {
            let expected = "so many that there are more than messages: see Facts::least_columns";
            return Err(Error::parameter("l", params.l(), expected));
        }
        Ok(())
    }

    /// val(kappa_j).
    pub(super) fn kappa(self) -> LinearForm {
        claim::pad(self.slots[0])
    }

    /// val(gamma_j).
    pub(super) fn gamma(self) -> LinearForm {
        claim::pad(self.slots[1])
    }

    /// val(beta_j).
    pub(super) fn beta(self) -> LinearForm {
        claim::pad(self.slots[2])
    }
}
