//! [`RangeSlot`]: where the pads of a claim are.

use super::{RANGE_PAD_ROWS, Ranges};
use crate::argument::digits::{self, DIGITS, PAD_BOUND, PAD_ROWS};
use crate::argument::front::Front;
use crate::argument::opening::LinearForm;
use crate::argument::supported::check_supported;
use crate::error::Error;
use crate::params::Params;

/// The pads of one claim of ranges: rows of kappa, of gamma and of beta, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeSlot {
    rows: u32,
    first_row: u32,
    front: Front,
}

impl RangeSlot {
    /// Behind messages of `rows` rows, from `first_row` on.
    pub(crate) const fn new(rows: u32, first_row: u32) -> Self {
        Self { rows, first_row, front: Front::NONE }
    }

    /// The same in a space with this front.
    pub(in crate::argument) const fn behind(self, front: Front) -> Self {
        Self { front, ..self }
    }

    /// The columns that are never opened.
    pub(super) const fn front(self) -> Front {
        self.front
    }

    /// The first row of the pads.
    #[must_use]
    pub const fn first_row(self) -> u32 {
        self.first_row
    }

    /// # Errors
    /// [`Error::Parameter`] unless arguments are offered for these parameters, the claim is about
    /// message rows, A' is multiplied with all rows of pads, and there are enough columns.
    pub(super) fn check(self, params: &Params, ranges: &Ranges) -> Result<(), Error> {
        check_supported(params)?;
        if ranges.end() > self.rows.into() {
            let expected = "a row of the messages";
            return Err(Error::parameter("row of a range", ranges.end() - 1, expected));
        }
        let end = self.first_row.checked_add(RANGE_PAD_ROWS);
        if self.first_row < self.rows || end.is_none_or(|end| end > params.z_rows()) {
            let expected = "a row behind the messages that A' is multiplied with";
            return Err(Error::parameter("row of a pad", self.first_row, expected));
        }
        ranges.check(params)
    }

    /// val(kappa_j).
    pub(super) fn kappa(self) -> LinearForm {
        LinearForm::new((self.first_row..).zip(digits::weights(PAD_BOUND, DIGITS as u32)).collect())
    }

    /// val(gamma_j).
    pub(super) fn gamma(self) -> LinearForm {
        LinearForm::new(
            (self.first_row + PAD_ROWS..).zip(digits::weights(PAD_BOUND, DIGITS as u32)).collect(),
        )
    }

    /// val(beta_j), in F.
    pub(super) fn beta(self) -> LinearForm {
        let first = self.first_row + 2 * PAD_ROWS;
        LinearForm::new(
            (first..).zip(digits::weights(PAD_BOUND, DIGITS as u32).take(DIGITS)).collect(),
        )
    }
}
