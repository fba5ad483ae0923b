//! [`FactsProof`]: what is sent for several facts, and its file.

use alloc::vec::Vec;

use super::{Facts, Shape};
use crate::argument::elements::split_elements;
use crate::argument::ends::Ends;
use crate::argument::field::{ELEMENT_LEN, Element};
use crate::argument::transcript::encode;
use crate::error::{Reason, VerifyError};
use crate::format::ProofKind;
use crate::hash::Digest;
use crate::params::Params;
use crate::proof::{Proof, split_header};

/// A proof of knowledge of a witness of which all [`Facts`] hold. Decoding is canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsProof {
    /// D_0, which names A, T, slots and facts.
    pub(super) start: Digest,
    /// Coefficients of round polynomials under pads, two a round.
    pub(super) messages: Vec<Element>,
    pub(super) ends: Ends,
    /// y_j.
    pub(super) values: Vec<Element>,
    pub(super) proof: Proof,
}

impl FactsProof {
    /// The file: a header of 24 bytes, D_0, messages, v, X_1, X_2, Y_1, Y_2, y_0 to y_(l - 1), and
    /// what follows the header in a proof file.
    #[must_use]
    pub fn to_bytes(&self, params: &Params) -> Vec<u8> {
        let between = [
            self.start.as_bytes(),
            &encode(&self.messages)[..],
            &encode(&self.ends.to_array()),
            &encode(&self.values),
        ];
        self.proof.file(params, ProofKind::Facts, &between.concat())
    }

    /// Reads a file of a proof of these facts, with this D_0, about the statement with this D. As
    /// with [`Proof::parse`], malformed is what is no file of the format; anything else that is
    /// wrong makes it invalid, in this order: version, suites, reserved bytes, D_0, the elements,
    /// then as there.
    ///
    /// # Errors
    /// [`VerifyError::NoVerdict`] with [`Error::Malformed`](crate::Error::Malformed), or
    /// [`VerifyError::Invalid`].
    pub(super) fn parse(
        bytes: &[u8],
        params: &Params,
        facts: &Facts,
        start: &Digest,
        digest: &Digest,
    ) -> Result<Self, VerifyError> {
        let body = split_header(bytes, params, ProofKind::Facts, params.max_facts_bytes())?;
        let body = body.strip_prefix(start.as_bytes()).ok_or(Reason::OtherFact)?;
        let all = Shape::new(facts, params.l()).messages();
        let count = all + Ends::COUNT + params.l() as usize;
        let (mut decoded, body) = split_elements(body, count)?;
        let values = decoded.split_off(all + Ends::COUNT);
        let ends = decoded.split_off(all);
        let ends = Ends::from_array(ends.try_into().expect("as many as there are"));
        let proof = Proof::parse_body(body, params, digest)?;
        Ok(Self { start: *start, messages: decoded, ends, values, proof })
    }
}

impl Params {
    /// Bytes of the longest file of a proof of several facts: those of
    /// [`max_proof_bytes`](Self::max_proof_bytes), D_0, and 24 for each column and each of at most
    /// 2 (20 + 31) + 5 other elements.
    #[must_use]
    pub const fn max_facts_bytes(&self) -> u64 {
        let elements = Shape::MESSAGES as u64 * MOST_ROUNDS + Ends::COUNT as u64 + self.l();
        self.max_proof_bytes() + START_LEN + ELEMENT_LEN as u64 * elements
    }
}

/// Bytes of D_0.
const START_LEN: u64 = 32;
/// At most 2^20 rows of the table, and 2^31 columns.
const MOST_ROUNDS: u64 = 20 + 31;
