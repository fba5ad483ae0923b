//! The last columns of T, where these alone are rounded.

use super::sigma::{self, RoundedColumns};
use super::{Derived, Params, Security, default_n};
use crate::error::Error;
use crate::words::packing;

#[doc(hidden)]
impl Params {
    /// As many bits of the last columns as a proof hardly notices, at the sigma that the default n
    /// asks for: columns of T are the same for any n.
    ///
    /// They are at most w - 5 of 8 columns or more and 81 rows or more: that sigma is below 1.7
    /// times the one for any other n, of which B is at least 9 times as large, and 4 B < q / 2.
    pub fn unnoticed_rounding(&self, columns: u32) -> RoundedColumns {
        let n = default_n(self.lambda);
        let sigma =
            sigma::of_frobenius(self.lambda, n, self.frobenius_squared, self.rejection_rho());
        let round_t = sigma::unnoticed_rounding(sigma, columns.into());
        RoundedColumns { columns, round_t }
    }

    /// These parameters, whose T is whole, with last columns that are rounded: B^2 and the coder of
    /// hints follow.
    ///
    /// # Errors
    /// [`Error::Parameter`] if B^2 becomes too large.
    pub fn with_rounded_columns(mut self, last: RoundedColumns) -> Result<Self, Error> {
        self.last = last;
        self.derived = Derived::new(Security::Waived);
        self.norm_bound_squared = self.default_norm_bound_squared();
        Ok(self.checked()?)
    }

    /// The last columns of T, if these alone are rounded.
    pub const fn rounded_columns(&self) -> RoundedColumns {
        self.last
    }

    /// Bits of a word of the last columns of T as they are published.
    pub const fn last_width(&self) -> u32 {
        self.t_width() - self.last.round_t
    }

    /// Bytes of one of the last columns of T as they are published.
    pub const fn last_column_bytes(&self) -> usize {
        packing::column_bytes(self.r as usize, self.last_width())
    }
}
