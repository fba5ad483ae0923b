//! The header of a statement.

use alloc::vec::Vec;

use super::start::{MAGIC_LEN, START_LEN, STATEMENT_MAGIC, VERSION, array, check_start};
use crate::error::Malformation;
use crate::rows::{Distribution, MAX_GROUPS, RowGroup, RowGroups};
use crate::suite::{ChallengeKind, Expansion, HashSuite, Masks};

/// Bytes of the header, before T.
pub const STATEMENT_HEADER_LEN: usize = 256;
/// Where the groups of rows are described.
const GROUPS: usize = 160;
/// Bytes of a group's description.
const GROUP_LEN: usize = 24;
/// Bytes of a seed of A', or of the digest of a given one.
pub const MATRIX_ID_LEN: usize = 64;

/// Every public parameter at its place.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "fields have the names of parameters")]
pub struct StatementHeader {
    pub hash: HashSuite,
    pub expansion: Expansion,
    pub challenge: ChallengeKind,
    pub masks: Masks,
    pub lambda: u32,
    pub w: u32,
    pub r: u32,
    pub v: u32,
    pub n: u32,
    pub l: u64,
    pub sigma: u64,
    pub norm_bound_squared: u128,
    /// d: bits rounded off W.
    pub round_w: u32,
    /// dT: bits rounded off T.
    pub round_t: u32,
    /// Rounded columns that a column of T is the sum of, at most.
    pub residual_weight: u32,
    /// F^2; with binary challenges the bound on the largest singular value of S.
    pub bound: u128,
    pub matrix_id: [u8; MATRIX_ID_LEN],
    pub groups: RowGroups,
}

impl StatementHeader {
    /// Checks the magic number and the version that a statement file begins with.
    ///
    /// # Errors
    /// [`Malformation::Magic`], [`Malformation::OtherKind`] or [`Malformation::Version`].
    pub fn check_start(start: &[u8; START_LEN]) -> Result<(), Malformation> {
        check_start(start, STATEMENT_MAGIC)
    }

    /// Its bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(STATEMENT_HEADER_LEN);
        bytes.extend(STATEMENT_MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        let groups = self.groups.as_slice();
        let binary = u8::from(self.challenge == ChallengeKind::Binary);
        let (hash, expansion) = (self.hash as u8, self.expansion as u8);
        let masks = match self.masks {
            Masks::Wide => [0, 0],
            Masks::Narrow { log2_proofs } => [1, log2_proofs as u8],
            Masks::Mixed { log2_proofs } => [2, log2_proofs as u8],
        };
        bytes.extend([hash, expansion, binary, groups.len() as u8]);
        bytes.extend(masks);
        let dimensions = [self.lambda, self.w, self.r, self.v, self.n];
        let rounding = [self.round_w, self.round_t, self.residual_weight];
        for field in dimensions.into_iter().chain(rounding) {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(self.l.to_le_bytes());
        bytes.extend(self.sigma.to_le_bytes());
        bytes.extend(self.norm_bound_squared.to_le_bytes());
        bytes.extend(self.bound.to_le_bytes());
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
        bytes.resize(STATEMENT_HEADER_LEN, 0);
        bytes
    }

    /// The contents that the digest of a statement binds: all but the magic number.
    pub fn hashed_bytes(&self) -> Vec<u8> {
        self.to_bytes().split_off(MAGIC_LEN)
    }

    /// Parses a header of [`STATEMENT_HEADER_LEN`] bytes.
    ///
    /// # Errors
    /// The first field, in the order of the bytes, with a value that the format does not define.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformation> {
        Self::check_start(&array(bytes, 0))?;
        let field = Malformation::Field;
        let u32_at = |at| u32::from_le_bytes(array(bytes, at));
        let u64_at = |at| u64::from_le_bytes(array(bytes, at));
        let u128_at = |at| u128::from_le_bytes(array(bytes, at));
        let hash = HashSuite::from_id(bytes[10]).ok_or(field("hash"))?;
        let expansion = Expansion::from_id(bytes[11]).ok_or(field("generator"))?;
        let challenge = match bytes[12] {
            0 => ChallengeKind::Ternary,
            1 => ChallengeKind::Binary,
            _ => return Err(field("challenge")),
        };
        let count = usize::from(bytes[13]);
        if !(1..=MAX_GROUPS).contains(&count) {
            return Err(field("groups of rows"));
        }
        let id: [u8; MATRIX_ID_LEN] = array(bytes, 96);
        let id_len = if expansion == Expansion::Given { hash.digest_len() } else { 32 };
        let masks = match [bytes[14], bytes[15]] {
            [0, 0] => Masks::Wide,
            [1, log2_proofs] => Masks::Narrow { log2_proofs: log2_proofs.into() },
            [2, log2_proofs] => Masks::Mixed { log2_proofs: log2_proofs.into() },
            _ => return Err(field("masks")),
        };
        if id[id_len..].iter().any(|&byte| byte != 0) {
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
            groups.push(RowGroup {
                rows: u32::from_le_bytes(array(bytes, 0)),
                bound: u32::from_le_bytes(array(bytes, 4)),
                distribution,
            });
        }
        if rest.iter().any(|&byte| byte != 0) {
            return Err(field("reserved"));
        }
        Ok(Self {
            hash,
            expansion,
            challenge,
            masks,
            lambda: u32_at(16),
            w: u32_at(20),
            r: u32_at(24),
            v: u32_at(28),
            n: u32_at(32),
            round_w: u32_at(36),
            round_t: u32_at(40),
            residual_weight: u32_at(44),
            l: u64_at(48),
            sigma: u64_at(56),
            norm_bound_squared: u128_at(64),
            bound: u128_at(80),
            matrix_id: id,
            groups: RowGroups::new(&groups).ok_or(field("groups of rows"))?,
        })
    }
}
