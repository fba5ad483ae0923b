//! [`Proof`]: the digest of its statement, the challenge hash, and Z, of which version 2 has the rows
//! that A' is multiplied with, and hints for the others.

use alloc::vec::Vec;

use crate::codec::{self, Suite};
use crate::error::{Error, Malformation, Reason, VerifyError};
use crate::format::{PROOF_FIXED_LEN, ProofHeader, ProofKind, Z_LENGTH_LEN, proof_header_len};
use crate::hash::Digest;
use crate::params::Params;
use crate::residual::norm_squared;
use crate::suite::Version;

/// A decoded proof; no entry of Z exceeds 14 sigma. Decoding is canonical: [`Proof::to_bytes`]
/// gives back exactly the bytes it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    pub(crate) statement_digest: Digest,
    pub(crate) challenge_hash: Digest,
    /// [`Params::z_rows`] x n, column after column.
    pub(crate) z: Vec<i64>,
    /// r x n, column after column; none in version 1.
    pub(crate) hints: Vec<i8>,
}

impl Proof {
    /// The proof file: a header of 24 bytes, D, the challenge hash, encoded Z; in version 2, the
    /// length of the latter before it and encoded hints behind it.
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
        let largest = codec::largest(params.encoding(), params.sigma());
        assert!(self.z.iter().all(|z| z.unsigned_abs() <= largest), "the file can hold Z");
        let z = codec::encode(params.suite(), &self.z, params.sigma());
        let hints = match params.version() {
            Version::One => Vec::new(),
            Version::Two => {
                codec::hints::encode(params.encoding(), &self.hints, params.hint_variance())
            }
        };
        let len = proof_header_len(params.version(), params.hash()) + z.len() + hints.len();
        let mut bytes = Vec::with_capacity(between.len() + len);
        let len = (between.len() + len) as u64;
        bytes.extend(ProofHeader::of(params, kind, len).to_bytes());
        bytes.extend(between);
        bytes.extend(self.statement_digest.as_bytes());
        bytes.extend(self.challenge_hash.as_bytes());
        if params.version() == Version::Two {
            bytes.extend((z.len() as u64).to_le_bytes());
        }
        bytes.extend(z);
        bytes.extend(hints);
        bytes
    }

    /// The proof with the same digests and another Z: for tests of verifiers. It is valid only by
    /// accident.
    ///
    /// # Panics
    /// If the length of Z changes.
    #[doc(hidden)]
    #[must_use]
    pub fn with_z(self, z: Vec<i64>) -> Self {
        assert_eq!(z.len(), self.z.len(), "Z keeps its shape");
        Self { z, ..self }
    }

    /// Z, or in version 2 the rows of it that A' is multiplied with: [`Params::z_rows`] x n, column
    /// after column.
    #[must_use]
    pub fn z(&self) -> &[i64] {
        &self.z
    }

    /// The hints of version 2, r x n, column after column.
    #[must_use]
    pub fn hints(&self) -> &[i8] {
        &self.hints
    }

    /// The proof with the same digests and Z and other hints: for tests of verifiers.
    ///
    /// # Panics
    /// If the number of hints changes.
    #[doc(hidden)]
    #[must_use]
    pub fn with_hints(self, hints: Vec<i8>) -> Self {
        assert_eq!(hints.len(), self.hints.len(), "hints keep their shape");
        Self { hints, ..self }
    }

    /// Reads a proof file for parameters and a statement digest.
    ///
    /// One rule separates the two kinds of refusal. Malformed is what is no file of this format:
    /// shorter than the fixed header of 24 bytes, another magic number or version, longer than
    /// [`Params::max_proof_bytes`], or of another length than it declares. Anything else that is
    /// wrong makes it invalid, in this order: version, suites, reserved bytes, statement digest,
    /// encoding of Z, encoding of hints, entries beyond 14 sigma.
    ///
    /// # Errors
    /// [`VerifyError::NoVerdict`] with [`Error::Malformed`], or [`VerifyError::Invalid`].
    pub fn parse(bytes: &[u8], params: &Params, digest: &Digest) -> Result<Self, VerifyError> {
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
        let (challenge, body) = body.split_at_checked(digest_len).ok_or(Reason::Encoding)?;
        let (z, hints) = match params.version() {
            Version::One => (body, None),
            Version::Two => {
                let (len, body) =
                    body.split_first_chunk::<Z_LENGTH_LEN>().ok_or(Reason::Encoding)?;
                let len = usize::try_from(u64::from_le_bytes(*len)).unwrap_or(usize::MAX);
                let (z, hints) = body.split_at_checked(len).ok_or(Reason::Encoding)?;
                (z, Some(hints))
            }
        };
        let z = codec::decode(params.suite(), z, params.sigma(), params.z_entries())?;
        let hints = hints.map_or(Ok(Vec::new()), |hints| {
            let (variance, count) = (params.hint_variance(), params.w_entries());
            codec::hints::decode(params.encoding(), hints, variance, count)
        })?;
        Self::check_entries(&z, params)?;
        let challenge_hash = Digest::from_slice(challenge);
        Ok(Self { statement_digest: *digest, challenge_hash, z, hints })
    }

    /// Checks every entry against 14 sigma.
    pub(crate) fn check_entries(z: &[i64], params: &Params) -> Result<(), Reason> {
        for (column, z) in (0..).zip(z.chunks_exact(params.z_rows() as usize)) {
            let largest = z.iter().map(|z| z.unsigned_abs()).max().unwrap_or(0);
            if largest > params.entry_bound() {
                return Err(Reason::EntryTooLarge { column });
            }
        }
        Ok(())
    }

    /// Version 1: checks every column against B, in exact integers; the entries are within 14 sigma.
    pub(crate) fn check_norms(z: &[i64], params: &Params) -> Result<(), Reason> {
        for (column, z) in (0..).zip(z.chunks_exact(params.v() as usize)) {
            if norm_squared(z) > params.norm_bound_squared() {
                return Err(Reason::NormTooLarge { column });
            }
        }
        Ok(())
    }
}

impl ProofHeader {
    /// The header of a proof of this length.
    const fn of(params: &Params, kind: ProofKind, len: u64) -> Self {
        Self::new(kind, params.version(), params.hash(), params.encoding(), len)
    }
}

/// What is behind the fixed header of a file of this kind, of at most `most` bytes: the header is
/// of the format, the statement's, and has the length that it declares.
///
/// # Errors
/// [`Error::Malformed`], [`Reason::OtherStatement`] or [`Reason::Header`].
pub(crate) fn split_header<'a>(
    bytes: &'a [u8],
    params: &Params,
    kind: ProofKind,
    most: u64,
) -> Result<&'a [u8], VerifyError> {
    let malformed = |problem| Error::Malformed { what: "proof", problem };
    let got = bytes.len() as u64;
    let Some((header, body)) = bytes.split_first_chunk() else {
        let header = PROOF_FIXED_LEN as u64;
        return Err(malformed(Malformation::TooShort { got, header }).into());
    };
    let header = ProofHeader::parse(kind, header).map_err(malformed)?;
    // Before the declared length: a reader may have stopped one byte beyond the longest.
    if got > most {
        return Err(malformed(Malformation::TooLong { most }).into());
    }
    if header.len != got {
        return Err(malformed(Malformation::Length { got, expected: header.len.into() }).into());
    }
    let expected = ProofHeader::of(params, kind, header.len);
    if (header.version, header.suites) != (expected.version, expected.suites) {
        return Err(Reason::OtherStatement.into());
    }
    if header.reserved != expected.reserved {
        return Err(Reason::Header.into());
    }
    Ok(body)
}

impl Params {
    /// Bytes of the longest proof file that the encodings can produce: header, digests, and every
    /// coefficient and hint at its longest code. A longer file is malformed, so a reader need not
    /// read beyond one byte more.
    #[must_use]
    pub const fn max_proof_bytes(&self) -> u64 {
        let z = codec::most_bytes(self.suite(), self.z_entries() as u64, self.sigma());
        let hints = match self.version() {
            Version::One => 0,
            Version::Two => codec::hints::most_bytes(self.encoding(), self.w_entries() as u64),
        };
        proof_header_len(self.version(), self.hash()) as u64 + z + hints
    }

    /// The encoding of Z in this version.
    pub(crate) const fn suite(&self) -> Suite {
        Suite { encoding: self.encoding(), version: self.version() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed_header(params: &Params, len: u64) -> [u8; PROOF_FIXED_LEN] {
        ProofHeader::of(params, ProofKind::Knowledge, len).to_bytes()
    }

    use crate::params::{CustomParams, Preset, Security};
    use crate::suite::Encoding;

    /// Either encoding can write a little more than 14 sigma. Such a proof is refused as it is
    /// read, so that all that was read can be written.
    #[test]
    fn entries_beyond_the_cap_are_refused() {
        for encoding in [Encoding::Rice, Encoding::Rans] {
            let toy = CustomParams {
                r: 4,
                v: 8,
                l: 3,
                n: Some(2),
                sigma: Some(5000),
                encoding,
                ..Preset::T4_128_V1.custom()
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
                let z = codec::encode(params.suite(), &z, params.sigma());
                let mut bytes = fixed_header(&params, (24 + 64 + z.len()) as u64).to_vec();
                bytes.extend([7; 64]);
                bytes.extend(z);
                let got = Proof::parse(&bytes, &params, &digest);
                let reason = match &got {
                    Ok(_) => Ok(()),
                    Err(VerifyError::Invalid(reason)) => Err(*reason),
                    Err(VerifyError::NoVerdict(error)) => panic!("{error}"),
                };
                assert_eq!(reason, want, "{entry}");
                if let Ok(proof) = got {
                    assert_eq!(proof.to_bytes(&params), bytes);
                }
            }
        }
    }

    fn toy(encoding: Encoding, sigma: u64) -> Params {
        let custom = CustomParams {
            r: 4,
            v: 9,
            l: 3,
            n: Some(3),
            w: 64,
            sigma: Some(sigma),
            encoding,
            ..Preset::T4_128_V1.custom()
        };
        custom.validate(Security::Waived).unwrap()
    }

    /// The longest file is that of the largest coefficients: the bound is reached, and nothing
    /// exceeds it.
    #[test]
    fn the_largest_coefficients_have_the_longest_file() {
        for encoding in [Encoding::Rice, Encoding::Rans] {
            for sigma in [2, 3, 15, 16, 5000, (1 << 26) - 1] {
                let params = toy(encoding, sigma);
                let largest = codec::largest(params.encoding(), sigma);
                let digest = Digest::from_slice(&[7; 32]);
                let bytes = |z: i64| {
                    let (statement_digest, challenge_hash) = (digest, digest);
                    let hints = Vec::new();
                    Proof { statement_digest, challenge_hash, z: vec![z; 27], hints }
                        .to_bytes(&params)
                };
                for z in [largest.cast_signed(), -largest.cast_signed()] {
                    assert_eq!(
                        bytes(z).len() as u64,
                        params.max_proof_bytes(),
                        "{encoding:?} {sigma}"
                    );
                }
                // The longest that a verifier accepts is no more than an entry's unary part
                // shorter.
                let parsed = Proof::parse(&bytes(14 * sigma.cast_signed()), &params, &digest);
                assert!(parsed.is_ok(), "{parsed:?}");
            }
        }
    }

    /// Up to the longest length a file is read, beyond it malformed, even if it declares its true
    /// length.
    #[test]
    fn a_file_beyond_the_longest_is_malformed() {
        for encoding in [Encoding::Rice, Encoding::Rans] {
            let params = toy(encoding, 5000);
            let digest = Digest::from_slice(&[7; 32]);
            let file = |len: u64| {
                let mut bytes = fixed_header(&params, len).to_vec();
                bytes.extend([7; 64]);
                bytes.resize(len as usize, 0);
                Proof::parse(&bytes, &params, &digest)
            };
            let most = params.max_proof_bytes();
            assert!(matches!(file(most), Err(VerifyError::Invalid(Reason::Encoding))));
            let Err(VerifyError::NoVerdict(Error::Malformed { problem, .. })) = file(most + 1)
            else {
                panic!("a file of {most} bytes and one is a proof");
            };
            assert_eq!(problem, Malformation::TooLong { most });
        }
    }

    /// Files of the declared length that end within the digests are invalid, and nothing is read
    /// beyond their end.
    #[test]
    fn files_that_end_within_the_digests_are_invalid() {
        let params = toy(Encoding::Rice, 5000);
        let digest = Digest::from_slice(&[7; 32]);
        for len in 24..24 + 64 {
            let mut bytes = fixed_header(&params, len).to_vec();
            bytes.resize(len as usize, 7);
            let reason = if len < 24 + 32 { Reason::OtherStatement } else { Reason::Encoding };
            let Err(VerifyError::Invalid(got)) = Proof::parse(&bytes, &params, &digest) else {
                panic!("{len} bytes are not invalid");
            };
            assert_eq!(got, reason, "{len}");
        }
    }
}
