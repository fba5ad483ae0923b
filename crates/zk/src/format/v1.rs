//! The header of a statement of version 1.

use alloc::vec::Vec;

use super::common::Common;
use super::start::{STATEMENT_MAGIC, array};
use crate::error::Malformation;
use crate::suite::{Challenge, Encoding, Expansion, HashSuite, Version};

/// Bytes of the header.
pub(super) const LEN: usize = 112;
/// How A is expanded, the only way.
const GENERATOR: u8 = Expansion::SeedV1 as u8;

/// Every public parameter at its place.
#[derive(Clone, Debug)]
pub(crate) struct HeaderV1 {
    pub(crate) common: Common,
    pub(crate) hash: HashSuite,
    pub(crate) challenge: Challenge,
    pub(crate) systematic: bool,
    pub(crate) b: u32,
    pub(crate) seed_a: [u8; 32],
}

impl HeaderV1 {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let (challenge, norm_bound) = match self.challenge {
            Challenge::Ternary => (0_u8, 0_u64),
            Challenge::Binary { norm_bound } => (1, norm_bound),
        };
        let mut bytes = Vec::with_capacity(LEN);
        bytes.extend(STATEMENT_MAGIC);
        bytes.extend(u16::from(Version::One).to_le_bytes());
        bytes.extend([
            self.hash as u8,
            GENERATOR,
            self.common.encoding as u8,
            challenge,
            u8::from(self.systematic),
            0,
        ]);
        for field in
            [self.common.lambda, self.common.w, self.common.r, self.common.v, self.common.n, self.b]
        {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(self.common.l.to_le_bytes());
        bytes.extend(self.common.sigma.to_le_bytes());
        bytes.extend(self.common.norm_bound_squared.to_le_bytes());
        bytes.extend(norm_bound.to_le_bytes());
        bytes.extend(self.seed_a);
        debug_assert_eq!(bytes.len(), LEN, "the length of a header");
        bytes
    }

    /// # Errors
    /// The first field, in the order of the bytes, that has a value which the version does not define.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Malformation> {
        let field = Malformation::Field;
        let u32_at = |at| u32::from_le_bytes(array(bytes, at));
        let u64_at = |at| u64::from_le_bytes(array(bytes, at));
        let hash = HashSuite::from_id(bytes[10]).ok_or(field("hash"))?;
        if bytes[11] != GENERATOR {
            return Err(field("generator"));
        }
        let encoding = Encoding::from_id(bytes[12]).ok_or(field("encoding"))?;
        let challenge = match (bytes[13], u64_at(72)) {
            (0, 0) => Challenge::Ternary,
            (1, norm_bound) => Challenge::Binary { norm_bound },
            _ => return Err(field("challenge")),
        };
        let systematic = match bytes[14] {
            0 => false,
            1 => true,
            _ => return Err(field("systematic")),
        };
        if bytes[15] != 0 {
            return Err(field("reserved"));
        }
        let common = Common {
            encoding,
            lambda: u32_at(16),
            w: u32_at(20),
            r: u32_at(24),
            v: u32_at(28),
            n: u32_at(32),
            l: u64_at(40),
            sigma: u64_at(48),
            norm_bound_squared: u128::from_le_bytes(array(bytes, 56)),
        };
        Ok(Self { common, hash, challenge, systematic, b: u32_at(36), seed_a: array(bytes, 80) })
    }
}
