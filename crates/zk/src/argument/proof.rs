//! [`FactProof`]: what is sent for a fact, and its file.

use alloc::vec::Vec;

use super::elements::split_elements;
use super::field::{ELEMENT_LEN, Element};
use super::transcript::encode;
use crate::error::{Reason, VerifyError};
use crate::format::ProofKind;
use crate::hash::Digest;
use crate::params::Params;
use crate::proof::{Proof, split_header};

/// A proof of knowledge of a witness of which a [`Fact`](super::Fact) holds. Decoding is canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactProof {
    /// D_0, which names A, T, slot and fact.
    pub(super) start: Digest,
    /// m.
    pub(super) mask: Element,
    /// y_j.
    pub(super) values: Vec<Element>,
    pub(super) proof: Proof,
}

impl FactProof {
    /// The file: a header of 24 bytes, D_0, m, y_0 to y_(l - 1), and what follows the header in a
    /// proof file.
    #[must_use]
    pub fn to_bytes(&self, params: &Params) -> Vec<u8> {
        let between = [
            self.start.as_bytes(),
            &encode(core::slice::from_ref(&self.mask)),
            &encode(&self.values),
        ];
        self.proof.file(params, ProofKind::Fact, &between.concat())
    }

    /// Reads a file of a proof of the fact with this D_0 about the statement with this D. As with
    /// [`Proof::parse`], malformed is what is no file of the format; anything else that is wrong
    /// makes it invalid, in this order: version, suites, reserved bytes, D_0, the elements, then as
    /// there.
    ///
    /// # Errors
    /// [`VerifyError::NoVerdict`] with [`Error::Malformed`](crate::Error::Malformed), or
    /// [`VerifyError::Invalid`].
    pub(super) fn parse(
        bytes: &[u8],
        params: &Params,
        start: &Digest,
        digest: &Digest,
    ) -> Result<Self, VerifyError> {
        let body = split_header(bytes, params, ProofKind::Fact, params.max_fact_bytes())?;
        let body = body.strip_prefix(start.as_bytes()).ok_or(Reason::OtherFact)?;
        let (mut values, body) = split_elements(body, 1 + params.l() as usize)?;
        let mask = values.remove(0);
        let proof = Proof::parse_body(body, params, digest)?;
        Ok(Self { start: *start, mask, values, proof })
    }
}

impl Params {
    /// Bytes of the longest file of a proof of a fact: those of
    /// [`max_proof_bytes`](Self::max_proof_bytes), D_0, and 24 for each column and one mask.
    #[must_use]
    pub const fn max_fact_bytes(&self) -> u64 {
        self.max_proof_bytes() + START_LEN + ELEMENT_LEN as u64 * (1 + self.l())
    }
}

/// Bytes of D_0.
const START_LEN: u64 = 32;
