//! Parameters as the header of a statement file.

use super::{Derived, Params, Security};
use crate::error::Malformation;
use crate::format::StatementHeader;

impl Params {
    /// The header of a statement with this seed of A.
    pub(crate) fn header(&self, seed_a: [u8; 32]) -> StatementHeader {
        StatementHeader {
            hash: self.hash(),
            encoding: self.encoding,
            challenge: self.challenge,
            systematic: self.systematic,
            lambda: self.lambda,
            w: self.w,
            r: self.r,
            v: self.v,
            n: self.n,
            b: self.b,
            l: self.l,
            sigma: self.sigma,
            norm_bound_squared: self.norm_bound_squared,
            seed_a,
        }
    }

    /// # Errors
    /// [`Malformation::Parameter`]; [`Malformation::Field`] if the hash function is not that of
    /// lambda.
    pub(crate) fn from_header(header: &StatementHeader) -> Result<Self, Malformation> {
        let params = Self {
            lambda: header.lambda,
            w: header.w,
            r: header.r,
            v: header.v,
            l: header.l,
            n: header.n,
            b: header.b,
            sigma: header.sigma,
            norm_bound_squared: header.norm_bound_squared,
            challenge: header.challenge,
            systematic: header.systematic,
            encoding: header.encoding,
            derived: Derived::new(Security::Waived),
        }
        .checked()?;
        if params.hash() != header.hash {
            return Err(Malformation::Field("hash"));
        }
        Ok(params)
    }
}
