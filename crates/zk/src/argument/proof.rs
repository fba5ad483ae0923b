//! [`ArgumentProof`]: what is sent for claims, and its file.

use alloc::vec::Vec;

use super::claims::Claims;
use super::file;
use super::layout::Slot;
use super::linear::row_messages;
use crate::blocks::check_padding;
use crate::error::{Error, Fault, Reason};
use crate::field::{ElementOf, Field, P61};
use crate::format::{ARGUMENT_START_LEN, CLAIMS_START_LEN, MAX_CLAIMS_LEN, ProofKind};
use crate::hash::Digest;
use crate::opening::transcript::split_elements;
use crate::params::Params;
use crate::proof::{Proof, split_header};

/// A proof of knowledge of a witness that satisfies some [`Claims`]. Decoding is canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentProof {
    /// D_0, which names A, T, slot and claims.
    pub(super) start: Digest,
    pub(super) slot: Slot,
    pub(super) claims: Claims,
    /// Columns of T that the proof brings with it, as in a statement's file.
    pub(super) columns: Vec<u8>,
    /// All that is sent before Y, in its order and as it is encoded.
    pub(super) elements: Vec<u8>,
    pub(super) proof: Proof,
}

/// The messages before Y, in their parts.
#[derive(Clone, Copy)]
pub(super) struct ArgumentMessages<'a, F: Field = P61> {
    /// By the claims, before eta.
    pub(super) claims: &'a [ElementOf<F>],
    /// ArgumentMessages of the last sum-check.
    pub(super) messages: &'a [ElementOf<F>],
    /// h_j of F_1 and D.
    pub(super) table: &'a [ElementOf<F>],
    /// X.
    pub(super) weighted: ElementOf<F>,
    /// y_j of all other columns.
    pub(super) others: &'a [ElementOf<F>],
}

/// How many elements are sent before Y.
fn count(slot: &Slot, claims: &Claims, params: &Params) -> usize {
    claims.sent(slot.layout()) + row_messages(slot) + 1 + params.l() as usize
}

impl<'a, F: Field> ArgumentMessages<'a, F> {
    /// The parts of as many elements.
    pub(super) fn split(elements: &'a [ElementOf<F>], slot: &Slot, claims: &Claims) -> Self {
        let (claims, rest) = elements.split_at(claims.sent(slot.layout()));
        let (messages, rest) = rest.split_at(row_messages(slot));
        let holding = slot.holding().end - slot.holding().start;
        let in_table = holding + slot.layout().columns();
        let (table, rest) = rest.split_at(in_table as usize);
        let (weighted, others) = rest.split_first().expect("X");
        Self { claims, messages, table, weighted: *weighted, others }
    }

    /// The values of all columns, in their order.
    pub(super) fn values(&self, slot: &Slot) -> Vec<ElementOf<F>> {
        let (mut table, mut others) = (self.table.iter(), self.others.iter());
        let count = self.table.len() + self.others.len();
        let next = |j| {
            let part = if slot.is_in_table(j) { &mut table } else { &mut others };
            *part.next().expect("one a column")
        };
        (0..count as u64).map(next).collect()
    }
}

impl Claims {
    /// Bytes of a proof file that are expected of these claims in a slot under these parameters: some
    /// parts of Z are longer than others.
    #[must_use]
    pub fn expected_proof_bytes(&self, params: &Params, slot: &Slot) -> u64 {
        let claim = (CLAIMS_START_LEN + file::to_bytes(slot, self).len()) as u64;
        let elements = count(slot, self, params) as u64;
        let between = claim + slot.layout().element_len() as u64 * elements;
        params.expected_proof_bytes() + between
    }
}

impl ArgumentProof {
    /// The file: a header of 24 bytes, D_0, the length of the claim and a number of columns of T in four
    /// bytes each, the claim, these columns, which the proof brings with it, the elements that are
    /// sent before Y, and the part of a proof file behind its header.
    ///
    /// # Panics
    /// If the claim has 2^24 bytes or more.
    #[must_use]
    pub fn to_bytes(&self, params: &Params) -> Vec<u8> {
        let new = self.new_columns(params);
        let claim = file::to_bytes(&self.slot, &self.claims);
        assert!(claim.len() < MAX_CLAIMS_LEN, "claims are written in less than 16 MiB");
        let between = [
            self.start.as_bytes(),
            &(claim.len() as u32).to_le_bytes(),
            &new.to_le_bytes(),
            &claim,
            &self.columns,
            &self.elements,
        ];
        self.proof.file(params, ProofKind::Claims, &between.concat())
    }

    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    const fn new_columns(&self, params: &Params) -> u32 {
        (self.columns.len() / params.column_bytes()) as u32
    }

    /// Whether a file begins as one of a proof of claims does.
    #[doc(hidden)]
    #[must_use]
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&ProofKind::Claims.magic())
    }

    /// The slot and the claims that a file is about, for a verifier who then decides whether this is
    /// what it wants to know ([`Shows::meets`](crate::Shows::meets)). Nothing is shown before
    /// [`Verifier::verify_claims`](crate::Verifier::verify_claims).
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed) if it is no file of a proof of claims,
    /// [`Error::Invalid`] if it is one of another statement, or has no claims that can be about
    /// this one; [`Error::StatedByOthers`] if the file brings columns of T with it, as a
    /// `CommittedCircuit` has them. Of circuits there are digests alone.
    #[doc(hidden)]
    pub fn claims(bytes: &[u8], params: &Params) -> Result<(Slot, Claims), Error> {
        // As many bytes as there are: the limit depends on what the claim says.
        let body = split_header(bytes, params, ProofKind::Claims, u64::MAX)?;
        let ([_, claim, _], new) = split_claim(body).ok_or(Reason::OtherFact)?;
        let (slot, claims) = file::parse(claim).ok_or(Reason::OtherFact)?;
        if new > 0 {
            // They have other parameters, which follow from the circuit.
            return Err(Error::StatedByOthers);
        }
        Parts::split(bytes, params, (&slot, &claims), 0)?;
        match slot.check(params, &claims) {
            Err(Error::StatedByOthers) => (),
            result => result.map_err(|_| Reason::OtherFact)?,
        }
        Ok((slot, claims))
    }

    /// Reads elements and the proof from a file about these claims, with this D_0, and the
    /// statement with this D. As with [`Proof::parse`], malformed is what is no file of the format;
    /// anything else that is wrong makes it invalid, in this order: version, suites, reserved
    /// bytes, D_0, the claims, the elements, then as there.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed), or [`Error::Invalid`].
    pub(super) fn parse<F: Field>(
        parts: &Parts<'_>,
        params: &Params,
        (slot, claims): (&Slot, &Claims),
        start: &Digest,
        digest: &Digest,
    ) -> Result<(Vec<ElementOf<F>>, Proof), Error> {
        if parts.start != start.as_bytes() {
            return Err(Reason::OtherFact.into());
        }
        let (elements, body) = split_elements(parts.rest, count(slot, claims, params))?;
        Ok((elements, Proof::parse_body(body, params, digest)?))
    }
}

/// A file in its parts: the ones that are hashed before elements and Z are decoded.
pub(super) struct Parts<'a> {
    start: &'a [u8],
    /// Columns of T that the file brings with it.
    pub(super) columns: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    /// The parts of a file of a proof of these claims that brings `new` columns of T with it.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed), or [`Error::Invalid`].
    pub(super) fn split(
        bytes: &'a [u8],
        params: &Params,
        (slot, claims): (&Slot, &Claims),
        new: u64,
    ) -> Result<Self, Error> {
        // Below 2^31 times 2^23.
        let len = new * params.column_bytes() as u64;
        let limit = params.max_argument_bytes() + len;
        let body = split_header(bytes, params, ProofKind::Claims, limit)?;
        let ([start, claim, body], stated) = split_claim(body).ok_or(Reason::OtherFact)?;
        if u64::from(stated) != new || claim != file::to_bytes(slot, claims) {
            return Err(Reason::OtherFact.into());
        }
        let len = usize::try_from(len).map_err(|_| Reason::Content(Fault::Encoding))?;
        let (columns, rest) = body.split_at_checked(len).ok_or(Reason::Content(Fault::Encoding))?;
        check_padding(params, 0, columns).map_err(|_| Reason::Content(Fault::Encoding))?;
        Ok(Self { start, columns, rest })
    }
}

/// D_0, the claim, and the bytes behind them; the number of columns of T. `None` if the file ends
/// within.
fn split_claim(body: &[u8]) -> Option<([&[u8]; 3], u32)> {
    let (start, body) = body.split_at_checked(ARGUMENT_START_LEN)?;
    let (len, body) = body.split_first_chunk()?;
    let (new, body) = body.split_first_chunk()?;
    let (claim, body) = body.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    Some(([start, claim, body], u32::from_le_bytes(*new)))
}
