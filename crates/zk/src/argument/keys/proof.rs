//! The file of a proof about keys: D_0, the claim, dT_x, T of dummy columns, messages, h_0 to h_(l -
//! 1), X_1, Y_1, the values y of dummy columns, and what follows the header in a proof file.

use alloc::vec::Vec;

use super::ExactKeys;
use crate::argument::proof::Parts;
use crate::error::{Error, Reason};
use crate::format::{ARGUMENT_START_LEN, KEY_CLAIM_LEN, ProofKind};
use crate::keys::{Extended, KeyRanges};
use crate::params::{Params, Security};
use crate::proof::split_header;

/// The claim that a file is about, for a verifier who then decides whether this is what it
/// wants to know ([`Shows::meets`](crate::Shows::meets)), and whether the hints that it names
/// are enough for all that is published of these keys. Nothing is shown before
/// [`ExactKeys::verify`].
///
/// # Errors
/// [`Error::Malformed`](crate::Error::Malformed) if it is no file of a proof about keys,
/// [`Error::Invalid`] if it is one of another statement, or has no claim that can be one about
/// this one.
pub(crate) fn stated_claim(bytes: &[u8], params: &Params) -> Result<KeyRanges, Error> {
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

impl ExactKeys<'_> {
    /// Cuts a file into its parts. As with [`Proof::parse`](crate::proof::Proof::parse), malformed is
    /// what is no file of the format; anything else that is wrong makes it invalid, in this order:
    /// hash suite, reserved bytes, the claim, the length of T of dummy columns; then their padding,
    /// D_0, the elements, and what follows as there.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed), or [`Error::Invalid`].
    pub(super) fn split<'b>(&self, bytes: &'b [u8]) -> Result<Parts<'b>, Error> {
        let (params, claim) = (&self.extended.params, self.claim_bytes());
        let of_t = u64::from(self.dummies()) * params.last_column_bytes() as u64;
        let lengths = [of_t, self.max_proof_bytes()];
        Parts::split(bytes, params, (ProofKind::Keys, &claim), lengths)
    }

    /// The claim as bytes of a file: bounds on secrets and errors, hints, and dT_x.
    pub(super) fn claim_bytes(&self) -> Vec<u8> {
        let claim = &self.claim;
        let [secret, error] = [claim.secret_bound(), claim.error_bound()];
        [secret, error, claim.hints(), self.extended.round_t()].map(u32::to_le_bytes).concat()
    }
}
