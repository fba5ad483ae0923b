//! [`KeyProof`]: what is sent for a claim about keys, and its file.

use alloc::vec::Vec;

use super::ExactKeys;
use super::claim::{FinalMessages, claim_bytes};
use crate::error::{Error, Fault, Reason};
use crate::field::Element;
use crate::format::{ARGUMENT_START_LEN, KEY_CLAIM_LEN, ProofKind};
use crate::hash::Digest;
use crate::keys::{Extended, KeyRanges};
use crate::opening::transcript::{encode, split_elements};
use crate::params::{Params, Security};
use crate::proof::{Proof, split_header};

/// A proof that keys are well formed ([`KeyRanges`]). Decoding is canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyProof {
    /// D_0, which names A, T, the dummy columns and the claim.
    pub(super) start: Digest,
    pub(super) claim: KeyRanges,
    /// The columns of T of dummy columns, as they are published.
    pub(super) dummies: Vec<u8>,
    /// Coefficients of round polynomials under pads, e a round.
    pub(super) messages: Vec<Element>,
    pub(super) ends: FinalMessages,
    /// y_j of dummy columns.
    pub(super) values: Vec<Element>,
    pub(super) proof: Proof,
}

impl KeyProof {
    /// The file: a header of 24 bytes, D_0, the claim, dT_x, T of dummy columns, messages, h_0 to
    /// h_(l - 1), X_1, Y_1, the values y of dummy columns, and what follows the header in a proof
    /// file.
    #[must_use]
    pub fn to_bytes(&self, keys: &ExactKeys<'_>) -> Vec<u8> {
        let between = [
            self.start.as_bytes(),
            &claim_bytes(&self.claim, keys.extended.round_t()),
            &self.dummies,
            &encode(&self.messages),
            &encode(&self.ends.to_vec()),
            &encode(&self.values),
        ];
        self.proof.file(&keys.extended.params, ProofKind::Keys, &between.concat())
    }

    /// Whether a file begins as one of a proof about keys does.
    #[doc(hidden)]
    #[must_use]
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&ProofKind::Keys.magic())
    }

    /// The claim that a file is about, for a verifier who then decides whether this is what it
    /// wants to know ([`Shows::meets`](crate::Shows::meets)), and whether the hints that it names
    /// are enough for all that is published of these keys. Nothing is shown before
    /// [`ExactKeys::verify`].
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed) if it is no file of a proof about keys,
    /// [`Error::Invalid`] if it is one of another statement, or has no claim that can be one about
    /// this one.
    #[doc(hidden)]
    pub fn claim(bytes: &[u8], params: &Params) -> Result<KeyRanges, Error> {
        // Of a statement that has none readers take the longest of claims for the longest.
        let most = match params.max_key_bytes() {
            0 => params.max_argument_bytes(),
            most => most,
        };
        let body = split_header(bytes, params, ProofKind::Keys, most)?;
        let claim = body
            .get(ARGUMENT_START_LEN..ARGUMENT_START_LEN + KEY_CLAIM_LEN)
            .ok_or(Reason::OtherFact)?;
        let (words, _) = claim.as_chunks::<4>();
        let [secret, error, hints] = [0, 1, 2].map(|i: usize| u32::from_le_bytes(words[i]));
        let claim = KeyRanges::new(secret, error).and_then(|claim| claim.with_hints(hints));
        let claim = claim.map_err(|_| Reason::OtherFact)?;
        Extended::of(params, &claim, Security::Waived).map_err(|_| Reason::OtherFact)?;
        Ok(claim)
    }
}

/// A file in its parts: what is hashed before the claim's elements and Z are decoded.
pub(super) struct Parts<'a> {
    start: &'a [u8],
    pub(super) dummies: &'a [u8],
    rest: &'a [u8],
}

impl ExactKeys<'_> {
    /// Cuts a file into its parts. As with [`Proof::parse`], malformed is what is no file of the
    /// format; anything else that is wrong makes it invalid, in this order: hash suite,
    /// reserved bytes, the claim, the length of T of dummy columns; then their padding, D_0, the
    /// elements, and what follows as there.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed), or [`Error::Invalid`].
    pub(super) fn split<'b>(&self, bytes: &'b [u8]) -> Result<Parts<'b>, Error> {
        let params = &self.extended.params;
        let body = split_header(bytes, params, ProofKind::Keys, self.max_proof_bytes())?;
        let (start, body) = body.split_at_checked(ARGUMENT_START_LEN).ok_or(Reason::OtherFact)?;
        let claim = claim_bytes(&self.claim, self.extended.round_t());
        let body = body.strip_prefix(&claim[..]).ok_or(Reason::OtherFact)?;
        let of_t = self.dummies() as usize * params.last_column_bytes();
        let (dummies, rest) =
            body.split_at_checked(of_t).ok_or(Reason::Content(Fault::Encoding))?;
        Ok(Parts { start, dummies, rest })
    }

    /// Decodes the parts of a proof with this D_0, about the statement with this D.
    ///
    /// # Errors
    /// [`Reason::OtherFact`], [`Reason::Content`] or [`Reason::Content`];
    /// [`Error::Malformed`](crate::Error::Malformed) if it is no such file.
    pub(super) fn decode(
        &self,
        parts: &Parts<'_>,
        start: &Digest,
        digest: &Digest,
    ) -> Result<KeyProof, Reason> {
        if parts.start != start.as_bytes() {
            return Err(Reason::OtherFact);
        }
        let (l, dummies) = (self.statement.params().l() as usize, self.dummies() as usize);
        let count = self.extended.elements() as usize;
        let (mut decoded, body) = split_elements(parts.rest, count)?;
        let values = decoded.split_off(dummies + l + 2);
        let [weighted_hints, weighted_masks] = [decoded[dummies + l], decoded[dummies + l + 1]];
        let mut hints = decoded.split_off(dummies);
        hints.truncate(l);
        let ends = FinalMessages { hints, weighted_hints, weighted_masks };
        let proof = Proof::parse_body(body, &self.extended.params, digest)?;
        let (start, dummies) = (*start, parts.dummies.to_vec());
        Ok(KeyProof { start, claim: self.claim, dummies, messages: decoded, ends, values, proof })
    }
}
