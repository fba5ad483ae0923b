//! [`Argument`]: what is sent before Y, for claims or about keys, and the file of a proof that is
//! bound to it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::claims::Claims;
use super::file;
use super::layout::Slot;
use super::linear::row_messages;
use crate::blocks::check_padding;
use crate::erase::debug_fields;
use crate::error::{Error, Fault, Reason};
use crate::field::{ElementOf, Field};
use crate::format::{ARGUMENT_START_LEN, CLAIMS_START_LEN, MAX_CLAIMS_LEN, ProofKind};
use crate::hash::Digest;
use crate::opening::Opening;
use crate::opening::transcript::split_elements;
use crate::params::Params;
use crate::proof::{Proof, split_header};

/// All that is sent before Y, for [`Claims`] or about keys. Public once there is a proof.
pub struct Argument {
    /// Of claims or of keys.
    pub(super) kind: ProofKind,
    /// D_0, which names A, T and what is claimed.
    pub(super) start: Digest,
    /// The claim, and columns of T that the proof brings with it, as a file has them.
    pub(super) claim: Vec<u8>,
    pub(super) columns: Vec<u8>,
    /// All elements, in the order in which they are sent, as they are encoded.
    pub(super) elements: Vec<u8>,
    pub(super) opening: Box<dyn Opening>,
}

debug_fields!("Argument", Argument; start);

impl Argument {
    /// The file of a proof of knowledge that is bound to this: a header of 24 bytes, D_0, the
    /// claim, columns of T which the proof brings with it, the elements that are sent before Y, and
    /// the part of a proof file behind its header.
    #[must_use]
    pub fn proof_file(&self, params: &Params, proof: &Proof) -> Vec<u8> {
        let Self { kind, start, claim, columns, elements, .. } = self;
        let between = [start.as_bytes(), claim, columns, elements];
        proof.file(params, *kind, &between.concat())
    }
}

/// Claims as a file has them that brings `new` columns of T with it: their length and this number
/// in four bytes each, then these.
///
/// # Panics
/// If they have 2^24 bytes or more.
pub(super) fn claim_bytes(slot: &Slot, claims: &Claims, new: u64) -> Vec<u8> {
    let claim = file::to_bytes(slot, claims);
    assert!(claim.len() < MAX_CLAIMS_LEN, "claims are written in less than 16 MiB");
    [&(claim.len() as u32).to_le_bytes()[..], &(new as u32).to_le_bytes(), &claim].concat()
}

/// How many elements are sent before Y.
pub(super) fn count(slot: &Slot, claims: &Claims, params: &Params) -> usize {
    claims.sent(slot.layout()) + row_messages(slot) + 1 + params.l() as usize
}

impl Claims {
    /// Bytes of a proof file that are expected of these claims in a slot under these parameters:
    /// some parts of Z are longer than others. Relations that were read from a file count as their
    /// names alone, as what is sent for them depends on their instances.
    #[must_use]
    pub fn expected_proof_bytes(&self, params: &Params, slot: &Slot) -> u64 {
        let claim = (CLAIMS_START_LEN + file::to_bytes(slot, self).len()) as u64;
        let elements = count(slot, self, params) as u64;
        let between = claim + slot.layout().element_len() as u64 * elements;
        params.expected_proof_bytes() + between
    }
}

/// The slot and the claims that a file is about, for a verifier who then decides whether this is
/// what it wants to know ([`Shows::meets`](crate::Shows::meets)). Nothing is shown before
/// [`Verifier::verify_claims`](crate::Verifier::verify_claims).
///
/// # Errors
/// [`Error::Malformed`](crate::Error::Malformed) if it is no file of a proof of claims,
/// [`Error::Invalid`] if it is one of another statement, or has no claims that can be about this
/// one; [`Error::StatedByOthers`] if the file brings columns of T with it, as a `CommittedCircuit`
/// has them. Of circuits there are digests alone.
pub(crate) fn stated_claims(bytes: &[u8], params: &Params) -> Result<(Slot, Claims), Error> {
    // As many bytes as there are: the limit depends on what the claim says.
    let body = split_header(bytes, params, ProofKind::Claims, u64::MAX)?;
    let stated = body.get(ARGUMENT_START_LEN..).and_then(|body| {
        let (len, body) = body.split_first_chunk()?;
        let (new, body) = body.split_first_chunk::<4>()?;
        let claim = body.get(..u32::from_le_bytes(*len) as usize)?;
        Some((file::parse(claim)?, *new))
    });
    let ((slot, claims), new) = stated.ok_or(Reason::OtherFact)?;
    if new != [0; 4] {
        // They have other parameters, which follow from the circuit.
        return Err(Error::StatedByOthers);
    }
    Parts::of_claims(bytes, params, (&slot, &claims), 0)?;
    match slot.check(params, &claims) {
        Err(Error::StatedByOthers) => (),
        result => result.map_err(|_| Reason::OtherFact)?,
    }
    Ok((slot, claims))
}

/// A file in its parts: the ones that are hashed before elements and Z are decoded.
pub(super) struct Parts<'a> {
    start: &'a [u8],
    /// Columns of T that the file brings with it.
    pub(super) columns: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    /// The parts of a file of this kind and claim, of at most `most` bytes, with so many bytes of
    /// columns of T.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed), or [`Error::Invalid`].
    pub(super) fn split(
        bytes: &'a [u8],
        params: &Params,
        (kind, claim): (ProofKind, &[u8]),
        [of_t, most]: [u64; 2],
    ) -> Result<Self, Error> {
        let body = split_header(bytes, params, kind, most)?;
        let (start, body) = body.split_at_checked(ARGUMENT_START_LEN).ok_or(Reason::OtherFact)?;
        let body = body.strip_prefix(claim).ok_or(Reason::OtherFact)?;
        let of_t = usize::try_from(of_t).map_err(|_| Reason::Content(Fault::Encoding))?;
        let (columns, rest) =
            body.split_at_checked(of_t).ok_or(Reason::Content(Fault::Encoding))?;
        Ok(Self { start, columns, rest })
    }

    /// The parts of a file of a proof of these claims that brings `new` columns of T with it.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed), or [`Error::Invalid`].
    pub(super) fn of_claims(
        bytes: &'a [u8],
        params: &Params,
        (slot, claims): (&Slot, &Claims),
        new: u64,
    ) -> Result<Self, Error> {
        // Below 2^31 times 2^23.
        let of_t = new * params.column_bytes() as u64;
        let claim = claim_bytes(slot, claims, new);
        let lengths = [of_t, params.max_argument_bytes() + of_t];
        let parts = Self::split(bytes, params, (ProofKind::Claims, &claim), lengths)?;
        check_padding(params, 0, parts.columns).map_err(|_| Reason::Content(Fault::Encoding))?;
        Ok(parts)
    }

    /// Reads `count` elements and the proof, of a file with this D_0 and about the statement with
    /// this D. As with [`Proof::parse`], malformed is what is no file of the format; anything else
    /// that is wrong makes it invalid, in this order: version, suites, reserved bytes, the claims,
    /// new columns of T, D_0, the elements, then as there.
    ///
    /// # Errors
    /// [`Reason::OtherFact`]; [`Reason::Content`]; [`Reason::OtherStatement`].
    pub(super) fn decode<F: Field>(
        &self,
        params: &Params,
        [start, digest]: [&Digest; 2],
        count: usize,
    ) -> Result<(Vec<ElementOf<F>>, Proof), Reason> {
        if self.start != start.as_bytes() {
            return Err(Reason::OtherFact);
        }
        let (elements, body) = split_elements(self.rest, count)?;
        Ok((elements, Proof::parse_body(body, params, digest)?))
    }
}
