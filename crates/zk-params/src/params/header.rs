//! The header of a statement: its parameters, each at the place that docs/format.md gives.

use alloc::vec::Vec;

use super::sigma::RoundedColumns;
use super::{Derived, Params, Security};
use crate::error::Malformation;
use crate::format::{STATEMENT_HEADER_LEN, array, check_statement_start, statement_start};
use crate::matrix_id::MatrixId;
use crate::rows::{Distribution, MAX_GROUPS, RowGroup, RowGroups};
use crate::suite::{Challenge, Expansion, HashSuite, Masks};

/// Where the groups of rows are described.
const GROUPS: usize = 160;
/// Bytes of a group's description.
const GROUP_LEN: usize = 24;

impl Params {
    /// The header of a statement with this A.
    #[doc(hidden)]
    pub fn header(&self, matrix_id: &MatrixId) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(STATEMENT_HEADER_LEN);
        bytes.extend(statement_start());
        // F^2; with binary challenges the bound on the largest singular value of S.
        let (binary, bound) = match self.challenge {
            Challenge::Ternary => (0, self.frobenius_squared),
            Challenge::Binary { norm_bound } => (1, norm_bound.into()),
        };
        let groups = self.row_groups();
        let masks = match self.masks {
            Masks::Wide => [0, 0],
            Masks::Narrow { log2_proofs } => [1, log2_proofs as u8],
            Masks::Mixed { log2_proofs } => [2, log2_proofs as u8],
        };
        bytes.extend([self.hash() as u8, self.expansion as u8, binary, groups.len() as u8]);
        bytes.extend(masks);
        let dimensions = [self.lambda, self.w, self.r, self.v, self.n];
        let rounding = [self.round_w, self.round_t, self.residual_weight];
        for field in dimensions.into_iter().chain(rounding) {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(self.l.to_le_bytes());
        bytes.extend(self.sigma.to_le_bytes());
        bytes.extend(self.norm_bound_squared.to_le_bytes());
        bytes.extend(bound.to_le_bytes());
        bytes.extend(matrix_id.as_bytes());
        for group in groups {
            let (kind, parameter) = match group.distribution {
                Distribution::Uniform => (0_u64, 0),
                Distribution::Any => (1, 0),
                Distribution::Gaussian { micros } => (2, micros),
            };
            bytes.extend(group.rows.to_le_bytes());
            bytes.extend(group.bound.to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(parameter.to_le_bytes());
        }
        bytes.resize(STATEMENT_HEADER_LEN, 0);
        bytes
    }

    /// The parameters in a header of [`STATEMENT_HEADER_LEN`] bytes, and its A.
    ///
    /// # Errors
    /// The errors of [`check_statement_start`]; [`Malformation::Field`] for the first field, in the
    /// order of the bytes, with a value that the format does not define, then if the bound on the
    /// largest singular value has more than 64 bits; [`Malformation::Parameter`]; again
    /// [`Malformation::Field`] if the hash function is not the one for lambda.
    #[doc(hidden)]
    pub fn from_header(bytes: &[u8]) -> Result<(Self, MatrixId), Malformation> {
        check_statement_start(&array(bytes, 0))?;
        let field = Malformation::Field;
        let u32_at = |at| u32::from_le_bytes(array(bytes, at));
        let u64_at = |at| u64::from_le_bytes(array(bytes, at));
        let u128_at = |at| u128::from_le_bytes(array(bytes, at));
        let hash = HashSuite::from_id(bytes[10]).ok_or(field("hash"))?;
        let expansion = Expansion::from_id(bytes[11]).ok_or(field("generator"))?;
        let is_binary = match bytes[12] {
            0 => false,
            1 => true,
            _ => return Err(field("challenge")),
        };
        let count = usize::from(bytes[13]);
        if !(1..=MAX_GROUPS).contains(&count) {
            return Err(field("groups of rows"));
        }
        let masks = match [bytes[14], bytes[15]] {
            [0, 0] => Masks::Wide,
            [1, log2_proofs] => Masks::Narrow { log2_proofs: log2_proofs.into() },
            [2, log2_proofs] => Masks::Mixed { log2_proofs: log2_proofs.into() },
            _ => return Err(field("masks")),
        };
        let matrix_id: [_; 64] = array(bytes, 96);
        let id_len = if expansion == Expansion::Given { hash.digest_len() } else { 32 };
        if matrix_id[id_len..].iter().any(|&byte| byte != 0) {
            return Err(field("reserved"));
        }
        let (used, rest) = bytes[GROUPS..STATEMENT_HEADER_LEN].split_at(GROUP_LEN * count);
        let mut groups = Vec::with_capacity(count);
        for bytes in used.chunks_exact(GROUP_LEN) {
            let kind = u64::from_le_bytes(array(bytes, 8));
            let distribution = match (kind, u64::from_le_bytes(array(bytes, 16))) {
                (0, 0) => Distribution::Uniform,
                (1, 0) => Distribution::Any,
                (2, micros) => Distribution::Gaussian { micros },
                _ => return Err(field("distribution of rows")),
            };
            let [rows, bound] = [0, 4].map(|at| u32::from_le_bytes(array(bytes, at)));
            groups.push(RowGroup { rows, bound, distribution });
        }
        if rest.iter().any(|&byte| byte != 0) {
            return Err(field("reserved"));
        }
        let groups = RowGroups::new(&groups).ok_or(field("groups of rows"))?;
        let (l, bound) = (u64_at(48), u128_at(80));
        let (challenge, frobenius_squared) = if is_binary {
            let norm_bound = u64::try_from(bound).map_err(|_| field("norm bound"))?;
            (Challenge::Binary { norm_bound }, groups.largest_frobenius_squared(l))
        } else {
            (Challenge::Ternary, bound)
        };
        let params = Self {
            lambda: u32_at(16),
            w: u32_at(20),
            r: u32_at(24),
            v: u32_at(28),
            n: u32_at(32),
            round_w: u32_at(36),
            round_t: u32_at(40),
            residual_weight: u32_at(44),
            l,
            sigma: u64_at(56),
            norm_bound_squared: u128_at(64),
            frobenius_squared,
            groups,
            last: RoundedColumns::default(),
            challenge,
            masks,
            expansion,
            wide: super::narrow::WideMasks::default(),
            derived: Derived::new(Security::Waived),
        };
        let params = params.checked()?;
        if params.hash() != hash {
            return Err(field("hash"));
        }
        Ok((params, MatrixId::from_bytes(matrix_id)))
    }
}
