//! The file of a proof about keys: D_0, the claim, dT_x, T of dummy columns, messages, h_0 to
//! h_(l - 1), X_1, Y_1, the values y of dummy columns, and what follows the header in a proof file.
//! And [`ExactKeys::verify`]: the equation of the dummy columns' values, and the proof that these
//! and the hints belong to the columns.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::ExactKeys;
use super::claim::FinalMessages;
use super::dummies::widen;
use crate::argument::proof::Parts;
use crate::argument::ranges::schedule::Schedule;
use crate::check::Check;
use crate::error::{Error, Fault, Reason};
use crate::field::Element;
use crate::format::{ARGUMENT_START_LEN, KEY_CLAIM_LEN, ProofKind};
use crate::keys::{Extended, KeyRanges};
use crate::params::{Params, Security};
use crate::pending::{Pending, settle_one};
use crate::proof::split_header;
use crate::sum_check::dot;

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
    /// Checks a proof in a user's context, with T in memory or [from a file](Self::with_file). If
    /// this is not an error, the prover knows for every key t an s and an e with A' s + e = t whose
    /// entries lie within the bounds of the claim, exactly.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the file, the claim, T or an equation is another;
    /// [`Error::Malformed`](crate::Error::Malformed) if it is no such file or the file has another
    /// T than the statement, [`Error::Io`](crate::Error::Io) if T cannot be read.
    pub fn verify(&self, context: &[u8], proof: &[u8]) -> Result<(), Error> {
        settle_one(self.pending(context, proof))
    }

    /// All that [`Self::verify`] checks but for what needs T. As with
    /// [`Proof::parse`](crate::proof::Proof::parse), malformed is what is no file of the format;
    /// anything else that is wrong makes it invalid, in this order: hash suite, reserved bytes, the
    /// claim, the length of T of dummy columns; then their padding, D_0, the elements, and what
    /// follows as there.
    pub(crate) fn pending(&self, context: &[u8], proof: &[u8]) -> Result<Pending<'_>, Error> {
        let of_t = u64::from(self.dummies()) * self.params().last_column_bytes() as u64;
        let about = (ProofKind::Keys, &self.claim_bytes()[..]);
        let parts = Parts::split(proof, self.params(), about, [of_t, self.max_proof_bytes()])?;
        let dummies =
            widen(&self.extended, parts.columns).ok_or(Reason::Content(Fault::Encoding))?;
        let extended = self.extend(&dummies)?;
        let start = self.transcript(&extended);
        let digest = extended.digest(&self.context(context));
        let count = self.extended.elements() as usize;
        let (sent, proof) = parts.decode(self.params(), [start.state(), &digest], count)?;
        let (messages, rest) = sent.split_at(self.dummies() as usize);
        let (ends, values) = rest.split_at(rest.len() - messages.len());
        let ends = FinalMessages::of(ends);
        let mut schedule = self.after_rounds(Schedule::replay(start, self.shape(), messages));
        let rho = schedule.rho(&ends);
        let w = schedule.pad_weights();
        let rest = dot(&w, messages) - schedule.last_claim(&self.ranges, &ends.hints);
        let expected = ends.weighted_masks + rho * (ends.weighted_hints + rho * rest);
        if dot(&w, values) != expected {
            return Err(Reason::Content(Fault::Equation).into());
        }
        let opening = schedule.finish(rho, values);
        let mut all: Vec<Element> = ends.hints.iter().map(|&hint| rho * hint).collect();
        all.extend(values);
        let check = Check::opened(&self.matrix, digest, proof, opening.with_values(all));
        Ok(Pending::new(check, Cow::Owned(extended), self.statement_file))
    }

    /// The claim as bytes of a file: bounds on secrets and errors, hints, and dT_x.
    pub(super) fn claim_bytes(&self) -> Vec<u8> {
        let claim = &self.claim;
        let [secret, error] = [claim.secret_bound(), claim.error_bound()];
        [secret, error, claim.hints(), self.extended.round_t()].map(u32::to_le_bytes).concat()
    }
}
