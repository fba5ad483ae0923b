//! [`Proof`]: the digest of its statement, the challenge hash, and Z.

use crate::codec;
use crate::error::{Error, Malformation, Reason};
use crate::hash::{Digest, HashSuite};
use crate::params::Params;
use crate::statement::VERSION;

const MAGIC: &[u8; 8] = b"TCZKprf\0";
/// Magic, version, hash and encoding suites, reserved, length of the file.
const FIXED: usize = 24;

/// Bytes before the encoded Z.
pub(crate) const fn header_len(hash: HashSuite) -> usize {
    FIXED + 2 * hash.digest_len()
}

/// A decoded proof; no entry of Z exceeds 14 sigma. Decoding is canonical: [`Proof::to_bytes`] gives back exactly the bytes
/// it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    pub(crate) statement_digest: Digest,
    pub(crate) challenge_hash: Digest,
    /// v x n, column after column.
    pub(crate) z: Vec<i64>,
}

impl Proof {
    /// The proof file: a header of 24 bytes, D, the challenge hash, encoded Z.
    ///
    /// # Panics
    /// If these are not the proof's parameters and Z does not fit them.
    #[must_use]
    pub fn to_bytes(&self, params: &Params) -> Vec<u8> {
        assert_eq!(self.z.len(), params.z_entries(), "Z has v n entries");
        let largest = codec::largest(params.encoding(), params.sigma());
        assert!(self.z.iter().all(|z| z.unsigned_abs() <= largest), "the file can hold Z");
        let z = codec::encode(params.encoding(), &self.z, params.sigma());
        let len = header_len(params.hash()) + z.len();
        let mut bytes = Vec::with_capacity(len);
        bytes.extend(fixed_header(params, len as u64));
        bytes.extend(self.statement_digest.as_bytes());
        bytes.extend(self.challenge_hash.as_bytes());
        bytes.extend(z);
        bytes
    }

    /// The proof with the same digests and another Z: for tests of verifiers. It is valid only by accident.
    ///
    /// # Panics
    /// If the length of Z changes.
    #[doc(hidden)]
    #[must_use]
    pub fn with_z(self, z: Vec<i64>) -> Self {
        assert_eq!(z.len(), self.z.len(), "Z keeps its shape");
        Self { z, ..self }
    }

    /// Z, v x n, column after column.
    #[must_use]
    pub fn z(&self) -> &[i64] {
        &self.z
    }

    /// Reads a proof file for parameters and a statement digest.
    ///
    /// Three outcomes. The outer `Err`: this is not a proof file, or it was cut or extended. The inner `Err`: it is one,
    /// but not for this statement, or altered. A single altered bit is always of the second kind: a magic number that
    /// differs in a file of the declared length for this very statement, and a length field that differs in a file whose
    /// contents are complete, count as altered.
    ///
    /// # Errors
    /// [`Error::Malformed`].
    pub fn parse(
        bytes: &[u8],
        params: &Params,
        digest: &Digest,
    ) -> Result<Result<Self, Reason>, Error> {
        let malformed = |problem| Err(Error::Malformed { what: "proof", problem });
        let (hash, got) = (params.hash(), bytes.len() as u64);
        if bytes.len() < FIXED {
            return malformed(Malformation::TooShort { got, header: FIXED as u64 });
        }
        let magic = bytes[..8] == MAGIC[..];
        let declared = u64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes"));
        let statement = bytes.get(FIXED..FIXED + hash.digest_len());
        let same_statement = statement == Some(digest.as_bytes());

        if declared != got {
            // Cut or extended, unless everything else is whole.
            let whole = magic && same_statement && Self::parse_body(bytes, params).is_ok();
            if whole {
                return Ok(Err(Reason::Header));
            }
            let problem = if magic {
                Malformation::Length { got, expected: declared.into() }
            } else {
                Malformation::Magic
            };
            return malformed(problem);
        }
        if !magic {
            return if same_statement {
                Ok(Err(Reason::Header))
            } else {
                malformed(Malformation::Magic)
            };
        }
        if bytes[..16] != fixed_header(params, got)[..16] {
            let version = u16::from_le_bytes([bytes[8], bytes[9]]);
            if version != VERSION && !same_statement {
                return malformed(Malformation::Version { got: version, known: VERSION });
            }
            return Ok(Err(if same_statement { Reason::Header } else { Reason::OtherStatement }));
        }
        if !same_statement {
            return Ok(Err(Reason::OtherStatement));
        }
        Ok(Self::parse_body(bytes, params))
    }

    /// Digests and Z, the fixed header being checked already.
    fn parse_body(bytes: &[u8], params: &Params) -> Result<Self, Reason> {
        let digest_len = params.hash().digest_len();
        let body = bytes.get(FIXED..).ok_or(Reason::Encoding)?;
        let (statement, body) = body.split_at_checked(digest_len).ok_or(Reason::Encoding)?;
        let (challenge, z) = body.split_at_checked(digest_len).ok_or(Reason::Encoding)?;
        let z = codec::decode(params.encoding(), z, params.sigma(), params.z_entries())?;
        Self::check_entries(&z, params)?;
        Ok(Self {
            statement_digest: Digest::from_slice(statement),
            challenge_hash: Digest::from_slice(challenge),
            z,
        })
    }

    /// Checks every entry against 14 sigma.
    pub(crate) fn check_entries(z: &[i64], params: &Params) -> Result<(), Reason> {
        for (column, z) in (0..).zip(z.chunks_exact(params.v() as usize)) {
            let largest = z.iter().map(|z| z.unsigned_abs()).max().unwrap_or(0);
            if largest > params.entry_bound() {
                return Err(Reason::EntryTooLarge { column });
            }
        }
        Ok(())
    }

    /// Checks every column against B, in exact integers; the entries are within 14 sigma.
    pub(crate) fn check_norms(z: &[i64], params: &Params) -> Result<(), Reason> {
        for (column, z) in (0..).zip(z.chunks_exact(params.v() as usize)) {
            // |z| <= 14 * 2^32 and v <= 2^20: the sum is below 2^92.
            let squared: u128 = z.iter().map(|&z| u128::from(z.unsigned_abs()).pow(2)).sum();
            if squared > params.norm_bound_squared() {
                return Err(Reason::NormTooLarge { column });
            }
        }
        Ok(())
    }
}

fn fixed_header(params: &Params, len: u64) -> [u8; FIXED] {
    let mut bytes = [0; FIXED];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[10] = params.hash() as u8;
    bytes[11] = params.encoding() as u8;
    bytes[16..24].copy_from_slice(&len.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{CustomParams, Preset, Security};

    /// Either encoding can write a little more than 14 sigma. Such a proof is refused as it is read, so that whatever was
    /// read can be written.
    #[test]
    fn entries_beyond_the_cap_are_refused() {
        for rans in [false, true] {
            let toy = CustomParams {
                r: 4,
                v: 8,
                l: 3,
                n: Some(2),
                sigma: Some(5000),
                rans,
                ..Preset::T4_128.custom()
            };
            let params = toy.validate(Security::Waived).unwrap();
            let digest = Digest::from_slice(&[7; 32]);
            for (entry, want) in [
                (70_000, Ok(())),
                (-70_000, Ok(())),
                (70_001, Err(Reason::EntryTooLarge { column: 1 })),
                (-70_001, Err(Reason::EntryTooLarge { column: 1 })),
            ] {
                let mut z = vec![0; 16];
                z[11] = entry;
                let z = codec::encode(params.encoding(), &z, params.sigma());
                let mut bytes = fixed_header(&params, (24 + 64 + z.len()) as u64).to_vec();
                bytes.extend([7; 64]);
                bytes.extend(z);
                let got = Proof::parse(&bytes, &params, &digest).unwrap();
                assert_eq!(got.clone().map(drop), want, "{entry}");
                if let Ok(proof) = got {
                    assert_eq!(proof.to_bytes(&params), bytes);
                }
            }
        }
    }
}
