//! Parameters as the header of a statement file.

use super::sigma::RoundedColumns;
use super::{Derived, Params, Security};
use crate::error::Malformation;
use crate::format::{Common, HeaderV1, HeaderV2, StatementHeader};
use crate::matrix_id::MatrixId;
use crate::rows::RowGroups;
use crate::suite::{Challenge, Expansion, Version};

impl Params {
    /// Version 1 with ternary challenges and A = [A' | I]: what the versions and forms differ from.
    pub(super) fn plain(common: &Common, groups: RowGroups) -> Self {
        let Common { encoding, lambda, w, r, v, n, l, sigma, norm_bound_squared } = *common;
        Self {
            version: Version::One,
            lambda,
            w,
            r,
            v,
            l,
            n,
            groups,
            sigma,
            norm_bound_squared,
            frobenius_squared: groups.largest_frobenius_squared(l),
            round_w: 0,
            round_t: 0,
            residual_weight: 1,
            last: RoundedColumns::default(),
            challenge: Challenge::Ternary,
            systematic: true,
            expansion: Expansion::SeedV1,
            encoding,
            derived: Derived::new(Security::Waived),
        }
    }

    fn common(&self) -> Common {
        let Self { encoding, lambda, w, r, v, n, l, sigma, norm_bound_squared, .. } = *self;
        Common { encoding, lambda, w, r, v, n, l, sigma, norm_bound_squared }
    }

    /// The header of a statement with this A.
    pub(crate) fn header(&self, matrix_id: &MatrixId) -> StatementHeader {
        match self.version {
            Version::One => StatementHeader::V1(HeaderV1 {
                common: self.common(),
                hash: self.hash(),
                challenge: self.challenge,
                systematic: self.systematic,
                b: self.b(),
                seed_a: *matrix_id.seed(),
            }),
            Version::Two => StatementHeader::V2(HeaderV2 {
                common: self.common(),
                hash: self.hash(),
                expansion: self.expansion,
                round_w: self.round_w,
                round_t: self.round_t,
                residual_weight: self.residual_weight,
                frobenius_squared: self.frobenius_squared,
                matrix_id: *matrix_id.as_bytes(),
                groups: self.groups,
            }),
        }
    }

    /// The parameters in a header, and its A.
    ///
    /// # Errors
    /// [`Malformation::Parameter`]; [`Malformation::Field`] if the hash function is not that of
    /// lambda.
    pub(crate) fn from_header(header: &StatementHeader) -> Result<(Self, MatrixId), Malformation> {
        let (params, hash, id) = match header {
            StatementHeader::V1(header) => {
                let groups = RowGroups::uniform(header.common.v, header.b);
                let params = Self {
                    challenge: header.challenge,
                    systematic: header.systematic,
                    ..Self::plain(&header.common, groups)
                };
                (params, header.hash, MatrixId::of_seed(header.seed_a))
            }
            StatementHeader::V2(header) => {
                let params = Self {
                    version: Version::Two,
                    frobenius_squared: header.frobenius_squared,
                    round_w: header.round_w,
                    round_t: header.round_t,
                    residual_weight: header.residual_weight,
                    expansion: header.expansion,
                    ..Self::plain(&header.common, header.groups)
                };
                (params, header.hash, MatrixId::from_bytes(header.matrix_id))
            }
        };
        let params = params.checked()?;
        if params.hash() != hash {
            return Err(Malformation::Field("hash"));
        }
        Ok((params, id))
    }
}
