//! Parameters as the header of a statement file.

use super::sigma::RoundedColumns;
use super::{Derived, Params, Security};
use crate::error::Malformation;
use crate::format::StatementHeader;
use crate::matrix_id::MatrixId;
use crate::suite::{Challenge, ChallengeKind};

impl Params {
    /// The header of a statement with this A.
    #[doc(hidden)]
    pub fn header(&self, matrix_id: &MatrixId) -> StatementHeader {
        let (challenge, bound) = match self.challenge {
            Challenge::Ternary => (ChallengeKind::Ternary, self.frobenius_squared),
            Challenge::Binary { norm_bound } => (ChallengeKind::Binary, norm_bound.into()),
        };
        StatementHeader {
            hash: self.hash(),
            expansion: self.expansion,
            challenge,
            masks: self.masks,
            lambda: self.lambda,
            w: self.w,
            r: self.r,
            v: self.v,
            n: self.n,
            l: self.l,
            sigma: self.sigma,
            norm_bound_squared: self.norm_bound_squared,
            round_w: self.round_w,
            round_t: self.round_t,
            residual_weight: self.residual_weight,
            bound,
            matrix_id: *matrix_id.as_bytes(),
            groups: self.groups,
        }
    }

    /// The parameters in a header, and its A.
    ///
    /// # Errors
    /// [`Malformation::Parameter`]; [`Malformation::Field`] if the hash function is not the one for
    /// lambda, or the bound on the largest singular value has more than 64 bits.
    #[doc(hidden)]
    pub fn from_header(header: &StatementHeader) -> Result<(Self, MatrixId), Malformation> {
        let StatementHeader { groups, l, bound, .. } = *header;
        let (challenge, frobenius_squared) = match header.challenge {
            ChallengeKind::Ternary => (Challenge::Ternary, bound),
            ChallengeKind::Binary => {
                let norm_bound =
                    u64::try_from(bound).map_err(|_| Malformation::Field("norm bound"))?;
                (Challenge::Binary { norm_bound }, groups.largest_frobenius_squared(l))
            }
        };
        let params = Self {
            lambda: header.lambda,
            w: header.w,
            r: header.r,
            v: header.v,
            l,
            n: header.n,
            groups,
            sigma: header.sigma,
            norm_bound_squared: header.norm_bound_squared,
            frobenius_squared,
            round_w: header.round_w,
            round_t: header.round_t,
            residual_weight: header.residual_weight,
            last: RoundedColumns::default(),
            challenge,
            masks: header.masks,
            expansion: header.expansion,
            wide: super::narrow::WideMasks::default(),
            derived: Derived::new(Security::Waived),
        };
        let params = params.checked()?;
        if params.hash() != header.hash {
            return Err(Malformation::Field("hash"));
        }
        Ok((params, MatrixId::from_bytes(header.matrix_id)))
    }
}
