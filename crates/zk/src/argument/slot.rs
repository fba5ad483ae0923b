//! [`Slot`]: where the pads of a fact are.

use super::digits::PAD_ROWS;
use super::fact::Fact;
use super::front::Front;
use super::supported::check_supported;
use crate::error::Error;
use crate::params::Params;

/// The pads of one fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    rows: u32,
    first_row: u32,
    front: Front,
}

impl Slot {
    /// Behind messages of `rows` rows, from `first_row` on.
    pub(super) const fn new(rows: u32, first_row: u32) -> Self {
        Self { rows, first_row, front: Front::NONE }
    }

    /// The same in a space with this front.
    pub(super) const fn behind(self, front: Front) -> Self {
        Self { front, ..self }
    }

    /// The columns that are never opened.
    pub(super) const fn front(self) -> Front {
        self.front
    }

    /// The first row of the pads.
    pub(super) const fn first_row(self) -> u32 {
        self.first_row
    }

    /// # Errors
    /// [`Error::Parameter`] unless arguments are offered for these parameters, the fact is about
    /// message rows and about columns of the statement, and A' is multiplied with all rows of pads.
    pub(super) fn check(self, params: &Params, fact: &Fact) -> Result<(), Error> {
        check_supported(params)?;
        let (rows, columns) = fact.end();
        if rows > self.rows.into() {
            return Err(Error::parameter("row of a fact", rows - 1, "a row of the messages"));
        }
        if columns > params.l() {
            return Err(Error::parameter(
                "column of a fact",
                columns - 1,
                "a column of the statement",
            ));
        }
        if self.first_row + PAD_ROWS > params.z_rows() {
            return Err(Error::parameter(
                "row of a pad",
                self.first_row,
                "a row of these parameters",
            ));
        }
        Ok(())
    }
}
