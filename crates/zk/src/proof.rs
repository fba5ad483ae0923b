//! [`Proof`]: the digest of its statement, the challenge hash, the rows of Z that A' is multiplied
//! with, and hints for the others.

use alloc::vec::Vec;

use crate::codec;
use crate::error::{Error, Fault, Malformation, Reason};
use crate::format::{
    HASH_AT, PROOF_FIXED_LEN, ProofKind, Z_LENGTH_LEN, declared_len, proof_header, proof_header_len,
};
use crate::hash::Digest;
use crate::parallel::for_chunks;
use crate::params::Params;
use tautochrone_simd::{Isa, vectorize};

/// A decoded proof; no entry of Z exceeds 14 sigma of its row. Decoding is canonical:
/// [`Proof::to_bytes`] gives back exactly the bytes it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// D.
    #[doc(hidden)]
    pub statement_digest: Digest,
    /// The challenge hash.
    #[doc(hidden)]
    pub challenge_hash: Digest,
    /// Z_1, the rows of Z that A' is multiplied with: [`Params::z_rows`] x n, column after column.
    #[doc(hidden)]
    pub z: Vec<i64>,
    /// The hints, r x n, column after column.
    #[doc(hidden)]
    pub hints: Vec<i8>,
}

impl Proof {
    /// The proof file: a header of 24 bytes, D, the challenge hash, the length of encoded Z_1,
    /// these, and encoded hints.
    ///
    /// # Panics
    /// If these are not the proof's parameters and Z does not fit them.
    #[must_use]
    pub fn to_bytes(&self, params: &Params) -> Vec<u8> {
        self.file(params, ProofKind::Knowledge, &[])
    }

    /// A file of this kind, with something between the fixed header and D.
    pub(crate) fn file(&self, params: &Params, kind: ProofKind, between: &[u8]) -> Vec<u8> {
        assert_eq!(self.z.len(), params.z_entries(), "Z has its shape");
        let mut parts = [Vec::new(), Vec::new()];
        for_chunks(&mut parts, 1, |i, part| {
            part[0] = match i {
                0 => encode_z(&self.z, params),
                _ => codec::hints::encode(&self.hints, params.hint_variance()),
            }
        });
        let [z, hints] = parts;
        let len = proof_header_len(params.hash()) + z.len() + hints.len();
        let mut bytes = Vec::with_capacity(between.len() + len);
        let len = (between.len() + len) as u64;
        bytes.extend(proof_header(kind, params.hash(), len));
        bytes.extend(between);
        bytes.extend(self.statement_digest.as_bytes());
        bytes.extend(self.challenge_hash.as_bytes());
        bytes.extend((z.len() as u64).to_le_bytes());
        bytes.extend(z);
        bytes.extend(hints);
        bytes
    }

    /// Reads a proof file for parameters and a statement digest.
    ///
    /// One rule separates the two kinds of refusal. Malformed is what is no file of this format:
    /// shorter than the fixed header of 24 bytes, another magic number or version, longer than
    /// [`Params::max_proof_bytes`], or of another length than it declares. Anything else that is
    /// wrong makes it invalid, in this order: hash suite, reserved bytes, statement digest,
    /// encoding of Z, encoding of hints, entries beyond 14 sigma.
    ///
    /// # Errors
    /// [`Error::Malformed`], or [`Error::Invalid`].
    pub fn parse(bytes: &[u8], params: &Params, digest: &Digest) -> Result<Self, Error> {
        let body = split_header(bytes, params, ProofKind::Knowledge, params.max_proof_bytes())?;
        Ok(Self::parse_body(body, params, digest)?)
    }

    /// Everything from D on.
    pub(crate) fn parse_body(
        body: &[u8],
        params: &Params,
        digest: &Digest,
    ) -> Result<Self, Reason> {
        let digest_len = params.hash().digest_len();
        let body = body.strip_prefix(digest.as_bytes()).ok_or(Reason::OtherStatement)?;
        let (challenge, body) = body.split_at_checked(digest_len).ok_or(Fault::Encoding)?;
        let (z, hints) = split_part(body)?;
        let z = decode_z(z, params)?;
        let hints = codec::hints::decode(hints, params.hint_variance(), params.w_entries())?;
        Self::check_entries(&z, params)?;
        let challenge_hash = Digest::from_slice(challenge);
        Ok(Self { statement_digest: *digest, challenge_hash, z, hints })
    }

    /// Checks every entry against 14 sigma of its row.
    pub(crate) fn check_entries(z: &[i64], params: &Params) -> Result<(), Reason> {
        let [(rows, sigma), (_, of_others)] = params.z_parts();
        for (column, z) in (0..).zip(z.chunks_exact(params.z_rows() as usize)) {
            let (messages, others) = z.split_at(rows as usize);
            if exceeds(messages, 14 * sigma) || exceeds(others, 14 * of_others) {
                return Err(Reason::Content(Fault::EntryTooLarge { column }));
            }
        }
        Ok(())
    }
}

/// As many bytes as the length in front of them says, and what follows these.
fn split_part(bytes: &[u8]) -> Result<(&[u8], &[u8]), Fault> {
    let (len, bytes) = bytes.split_first_chunk::<Z_LENGTH_LEN>().ok_or(Fault::Encoding)?;
    let len = usize::try_from(u64::from_le_bytes(*len)).unwrap_or(usize::MAX);
    bytes.split_at_checked(len).ok_or(Fault::Encoding)
}

/// Whether an entry is larger than `limit` < 2^63.
fn exceeds(z: &[i64], limit: u64) -> bool {
    let differences = vectorize!(
        Isa::detect_vectors(),
        z.iter().fold(0, |any, z| any | limit.wrapping_sub(z.unsigned_abs())),
    );
    differences >> 63 != 0
}

/// Encoded Z_1; with mixed masks the length of the encoded rows of messages, these, and the other
/// rows.
fn encode_z(z: &[i64], params: &Params) -> Vec<u8> {
    let encode = |z: &[i64], sigma| {
        let largest = codec::largest(sigma);
        assert!(z.iter().all(|z| z.unsigned_abs() <= largest), "the file can hold Z");
        codec::encode(z, sigma)
    };
    let [(rows, sigma), (_, of_others)] = params.z_parts();
    if rows == 0 {
        return encode(z, of_others);
    }
    let columns = z.chunks_exact(params.z_rows() as usize);
    let (messages, others): (Vec<_>, Vec<_>) = columns.map(|z| z.split_at(rows as usize)).unzip();
    let messages = encode(&messages.concat(), sigma);
    let len = messages.len() as u64;
    [&len.to_le_bytes()[..], &messages, &encode(&others.concat(), of_others)].concat()
}

/// The Z_1 that [`encode_z`] makes these bytes of.
fn decode_z(bytes: &[u8], params: &Params) -> Result<Vec<i64>, Reason> {
    let [(rows, sigma), (others, of_others)] = params.z_parts();
    if rows == 0 {
        return codec::decode(bytes, of_others, params.z_entries());
    }
    let (messages, rest) = split_part(bytes)?;
    let (rows, others, n) = (rows as usize, others as usize, params.n() as usize);
    let messages = codec::decode(messages, sigma, rows * n)?;
    let rest = codec::decode(rest, of_others, others * n)?;
    let mut z = Vec::with_capacity(params.z_entries());
    for column in 0..n {
        z.extend_from_slice(&messages[rows * column..][..rows]);
        z.extend_from_slice(&rest[others * column..][..others]);
    }
    Ok(z)
}

/// The part behind the fixed header of a file of this kind, of at most `most` bytes: the header is
/// of the format, the statement's, and has the length that it declares.
///
/// # Errors
/// [`Error::Malformed`], [`Reason::OtherStatement`] or [`Reason::Content`].
pub(crate) fn split_header<'a>(
    bytes: &'a [u8],
    params: &Params,
    kind: ProofKind,
    most: u64,
) -> Result<&'a [u8], Error> {
    let malformed = |problem| Error::Malformed { what: "proof", problem };
    let got = bytes.len() as u64;
    let Some((header, body)) = bytes.split_first_chunk() else {
        let header = PROOF_FIXED_LEN as u64;
        return Err(malformed(Malformation::TooShort { got, header }));
    };
    let declared = declared_len(kind, header).map_err(malformed)?;
    // Before the declared length: a reader may have stopped one byte beyond the longest.
    if got > most {
        return Err(malformed(Malformation::TooLong { most }));
    }
    if declared != got {
        return Err(malformed(Malformation::Length { got, expected: declared.into() }));
    }
    let expected = proof_header(kind, params.hash(), got);
    if header[HASH_AT] != expected[HASH_AT] {
        return Err(Reason::OtherStatement.into());
    }
    if *header != expected {
        return Err(Reason::Content(Fault::Header).into());
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::waived;
    use crate::params::CustomParams;

    fn toy(sigma: u64) -> Params {
        waived(CustomParams {
            n: Some(3),
            sigma: Some(sigma),
            round_t: Some(0),
            ..CustomParams::new(64, 4, 9, 3, 1)
        })
    }

    /// The longest file has the largest coefficients and hints: the bound is reached, and
    /// nothing exceeds it.
    #[test]
    fn the_largest_coefficients_have_the_longest_file() {
        for sigma in [2, 3, 15, 16, 5000, (1 << 26) - 1] {
            let params = toy(sigma);
            let largest = codec::largest(sigma);
            let digest = Digest::from_slice(&[7; 32]);
            let bytes = |z: i64| {
                let (statement_digest, challenge_hash) = (digest, digest);
                Proof { statement_digest, challenge_hash, z: vec![z; 15], hints: vec![20; 12] }
                    .to_bytes(&params)
            };
            for z in [largest.cast_signed(), -largest.cast_signed()] {
                assert_eq!(bytes(z).len() as u64, params.max_proof_bytes(), "{sigma}");
            }
            let parsed = Proof::parse(&bytes(14 * sigma.cast_signed()), &params, &digest);
            assert!(parsed.is_ok(), "{parsed:?}");
        }
    }

    /// Up to the longest length a file is read, beyond it malformed, even if it declares its true
    /// length.
    #[test]
    fn a_file_beyond_the_longest_is_malformed() {
        let params = toy(5000);
        let digest = Digest::from_slice(&[7; 32]);
        let file = |len: u64| {
            let mut bytes = proof_header(ProofKind::Knowledge, params.hash(), len).to_vec();
            bytes.extend([7; 64]);
            bytes.resize(len as usize, 0);
            Proof::parse(&bytes, &params, &digest)
        };
        let most = params.max_proof_bytes();
        assert!(matches!(file(most), Err(Error::Invalid(Reason::Content(Fault::Encoding)))));
        let Err(Error::Malformed { problem, .. }) = file(most + 1) else {
            panic!("a file of {most} bytes and one is a proof");
        };
        assert_eq!(problem, Malformation::TooLong { most });
    }
}
