//! The header of a statement of version 2.

use alloc::vec::Vec;

use super::common::Common;
use super::start::{STATEMENT_MAGIC, array};
use crate::error::Malformation;
use crate::rows::{Distribution, MAX_GROUPS, RowGroup, RowGroups};
use crate::suite::{Encoding, Expansion, HashSuite, Version};

/// Bytes of the header.
pub(super) const LEN: usize = 256;
/// Where the groups of rows are described.
const GROUPS: usize = 160;
/// Bytes of a group's description.
const GROUP_LEN: usize = 24;
/// Bytes of a seed of A', or of the digest of a given one.
pub(crate) const MATRIX_ID_LEN: usize = 64;

/// Every public parameter at its place.
#[derive(Clone, Debug)]
pub(crate) struct HeaderV2 {
    pub(crate) common: Common,
    pub(crate) hash: HashSuite,
    pub(crate) expansion: Expansion,
    /// d: bits rounded off W.
    pub(crate) round_w: u32,
    /// dT: bits rounded off T.
    pub(crate) round_t: u32,
    /// Rounded columns that a column of T is the sum of, at most.
    pub(crate) residual_weight: u32,
    pub(crate) frobenius_squared: u128,
    pub(crate) matrix_id: [u8; MATRIX_ID_LEN],
    pub(crate) groups: RowGroups,
}

impl HeaderV2 {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LEN);
        bytes.extend(STATEMENT_MAGIC);
        bytes.extend(u16::from(Version::Two).to_le_bytes());
        let groups = self.groups.as_slice();
        let (hash, expansion, encoding) = (self.hash, self.expansion, self.common.encoding);
        bytes.extend([hash as u8, expansion as u8, encoding as u8, groups.len() as u8, 0, 0]);
        let dimensions =
            [self.common.lambda, self.common.w, self.common.r, self.common.v, self.common.n];
        let rounding = [self.round_w, self.round_t, self.residual_weight];
        for field in dimensions.into_iter().chain(rounding) {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(self.common.l.to_le_bytes());
        bytes.extend(self.common.sigma.to_le_bytes());
        bytes.extend(self.common.norm_bound_squared.to_le_bytes());
        bytes.extend(self.frobenius_squared.to_le_bytes());
        bytes.extend(self.matrix_id);
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
        bytes.resize(LEN, 0);
        bytes
    }

    /// # Errors
    /// The first field, in the order of the bytes, that has a value which the version does not
    /// define.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Malformation> {
        let field = Malformation::Field;
        let u32_at = |at| u32::from_le_bytes(array(bytes, at));
        let u64_at = |at| u64::from_le_bytes(array(bytes, at));
        let u128_at = |at| u128::from_le_bytes(array(bytes, at));
        let hash = HashSuite::from_id(bytes[10]).ok_or(field("hash"))?;
        let expansion = Expansion::from_id(bytes[11]).ok_or(field("generator"))?;
        let encoding = Encoding::from_id(bytes[12]).ok_or(field("encoding"))?;
        let count = usize::from(bytes[13]);
        if !(1..=MAX_GROUPS).contains(&count) {
            return Err(field("groups of rows"));
        }
        let id: [u8; MATRIX_ID_LEN] = array(bytes, 96);
        let id_len = if expansion == Expansion::Given { hash.digest_len() } else { 32 };
        let reserved = [&bytes[14..16], &id[id_len..]];
        if reserved.concat().iter().any(|&byte| byte != 0) {
            return Err(field("reserved"));
        }
        let (used, rest) = bytes[GROUPS..LEN].split_at(GROUP_LEN * count);
        let mut groups = Vec::with_capacity(count);
        for bytes in used.chunks_exact(GROUP_LEN) {
            let kind = u64::from_le_bytes(array(bytes, 8));
            let distribution = match (kind, u64::from_le_bytes(array(bytes, 16))) {
                (0, 0) => Distribution::Uniform,
                (1, 0) => Distribution::Any,
                (2, micros) => Distribution::Gaussian { micros },
                _ => return Err(field("distribution of rows")),
            };
            groups.push(RowGroup {
                rows: u32::from_le_bytes(array(bytes, 0)),
                bound: u32::from_le_bytes(array(bytes, 4)),
                distribution,
            });
        }
        if rest.iter().any(|&byte| byte != 0) {
            return Err(field("reserved"));
        }
        let common = Common {
            encoding,
            lambda: u32_at(16),
            w: u32_at(20),
            r: u32_at(24),
            v: u32_at(28),
            n: u32_at(32),
            l: u64_at(48),
            sigma: u64_at(56),
            norm_bound_squared: u128_at(64),
        };
        Ok(Self {
            common,
            hash,
            expansion,
            round_w: u32_at(36),
            round_t: u32_at(40),
            residual_weight: u32_at(44),
            frobenius_squared: u128_at(80),
            matrix_id: id,
            groups: RowGroups::new(&groups).ok_or(field("groups of rows"))?,
        })
    }
}
