//! [`RangeProof`]: what is sent for a claim of ranges, and its file.

use alloc::vec::Vec;

use super::{MAX_NORMS, MAX_RANGES, RangeSlot, Ranges, RowNorm, RowRange, Shape};
use crate::argument::elements::split_elements;
use crate::argument::ends::Ends;
use crate::argument::field::{ELEMENT_LEN, Element};
use crate::argument::transcript::encode;
use crate::error::{Reason, VerifyError};
use crate::format::ProofKind;
use crate::hash::Digest;
use crate::params::Params;
use crate::proof::{Proof, split_header};

/// A proof of knowledge of a witness of which some rows lie in [`Ranges`], and have their norms.
/// Decoding is canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeProof {
    /// D_0, which names A, T, the pads and the claim.
    pub(super) start: Digest,
    pub(super) slot: RangeSlot,
    pub(super) ranges: Ranges,
    /// Coefficients of round polynomials under pads, e a round.
    pub(super) messages: Vec<Element>,
    pub(super) ends: Ends,
    /// y_j.
    pub(super) values: Vec<Element>,
    pub(super) proof: Proof,
}

/// Bytes of the number of ranges and the first row of the pads, and of a range; of the number of
/// norms, if there are any, and of a norm.
const CLAIM_LEN: usize = 8;
const RANGE_LEN: usize = 16;
const NORMS_LEN: usize = 4;
const NORM_LEN: usize = 24;

/// The claim as bytes of a file.
fn claim_bytes(slot: RangeSlot, ranges: &Ranges) -> Vec<u8> {
    let count = ranges.parts().len() as u32;
    let mut bytes = [count.to_le_bytes(), slot.first_row().to_le_bytes()].concat();
    for RowRange { first_row, rows, low, high } in ranges.parts() {
        bytes.extend(first_row.to_le_bytes());
        bytes.extend(rows.to_le_bytes());
        bytes.extend(low.to_le_bytes());
        bytes.extend(high.to_le_bytes());
    }
    if !ranges.norms().is_empty() {
        bytes.extend((ranges.norms().len() as u32).to_le_bytes());
    }
    for &RowNorm { first_row, rows, bound_squared, first_bit, bits } in ranges.norms() {
        for word in [first_row, rows, first_bit, bits] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(bound_squared.to_le_bytes());
    }
    bytes
}

/// The kind of its file.
fn kind(ranges: &Ranges) -> ProofKind {
    if ranges.norms().is_empty() { ProofKind::Ranges } else { ProofKind::Norms }
}

/// Norms of a claim, at least one, and what is behind them.
fn split_norms(body: &[u8]) -> Option<(Vec<RowNorm>, &[u8])> {
    let (head, rest) = body.split_first_chunk::<NORMS_LEN>()?;
    let count = u32::from_le_bytes(*head) as usize;
    let count = Some(count).filter(|count| (1..=MAX_NORMS).contains(count))?;
    let (norms, rest) = rest.split_at_checked(NORM_LEN * count)?;
    let (norms, _) = norms.as_chunks::<NORM_LEN>();
    let norm = |bytes: &[u8; NORM_LEN]| {
        let (words, _) = bytes.as_chunks::<4>();
        let word = |at: usize| u32::from_le_bytes(words[at]);
        let bound_squared = u64::from(word(4)) | u64::from(word(5)) << 32;
        let [first_row, rows, first_bit, bits] = [0, 1, 2, 3].map(word);
        RowNorm { first_row, rows, bound_squared, first_bit, bits }
    };
    Some((norms.iter().map(norm).collect(), rest))
}

/// The numbers of a claim, and what is behind them.
fn split_claim(body: &[u8], kind: ProofKind) -> Option<(RangeSlot, Ranges, &[u8])> {
    let (head, rest) = body.split_at_checked(CLAIM_LEN)?;
    let word = |bytes: &[u8], at: usize| Some(u32::from_le_bytes(*bytes[4 * at..].first_chunk()?));
    let count = word(head, 0)? as usize;
    let (parts, rest) =
        rest.split_at_checked(RANGE_LEN * Some(count).filter(|&count| count <= MAX_RANGES)?)?;
    let part = |bytes: &[u8]| {
        let (low, high) = (word(bytes, 2)?.cast_signed(), word(bytes, 3)?.cast_signed());
        Some(RowRange { first_row: word(bytes, 0)?, rows: word(bytes, 1)?, low, high })
    };
    let parts: Option<Vec<RowRange>> = parts.chunks_exact(RANGE_LEN).map(part).collect();
    let (norms, rest) = match kind {
        ProofKind::Norms => split_norms(rest)?,
        _ => (Vec::new(), rest),
    };
    let ranges = Ranges::with_norms(parts?, norms).ok()?;
    let first_row = word(head, 1)?;
    let rows = u32::try_from(ranges.end()).ok()?;
    Some((RangeSlot::new(rows, first_row), ranges, rest))
}

impl RangeProof {
    /// The file: a header of 24 bytes, D_0, the claim, messages, v, X_1, X_2, Y_1, Y_2, y_0 to
    /// y_(l - 1), and what follows the header in a proof file.
    #[must_use]
    pub fn to_bytes(&self, params: &Params) -> Vec<u8> {
        let between = [
            self.start.as_bytes(),
            &claim_bytes(self.slot, &self.ranges),
            &encode(&self.messages),
            &encode(&self.ends.to_array()),
            &encode(&self.values),
        ];
        self.proof.file(params, kind(&self.ranges), &between.concat())
    }

    /// Whether a file begins as one of a proof of ranges does, or of norms.
    #[must_use]
    pub fn is_one(bytes: &[u8]) -> bool {
        [ProofKind::Ranges, ProofKind::Norms].iter().any(|kind| bytes.starts_with(&kind.magic()))
    }

    /// The pads and the ranges that a file is about, for a verifier who then decides whether this
    /// is what it wants to know ([`Shown::meets`](crate::Shown::meets)). Nothing is shown before
    /// [`Verifier::verify_ranges`](crate::Verifier::verify_ranges).
    ///
    /// # Errors
    /// [`VerifyError::NoVerdict`] with [`Error::Malformed`](crate::Error::Malformed) if it is no
    /// file of a proof of ranges, [`VerifyError::Invalid`] if it is one of another statement, or
    /// has no claim that can be one about this one.
    pub fn claim(bytes: &[u8], params: &Params) -> Result<(RangeSlot, Ranges), VerifyError> {
        let norms = bytes.starts_with(&ProofKind::Norms.magic());
        let kind = if norms { ProofKind::Norms } else { ProofKind::Ranges };
        let body = split_header(bytes, params, kind, params.max_range_bytes())?;
        let claim = body.get(START_LEN..).and_then(|body| split_claim(body, kind));
        let (slot, ranges, _) = claim.ok_or(Reason::OtherFact)?;
        slot.check(params, &ranges).map_err(|_| Reason::OtherFact)?;
        Ok((slot, ranges))
    }

    /// Reads a file of a proof of this claim, with this D_0, about the statement with this D. As
    /// with [`Proof::parse`], malformed is what is no file of the format; anything else that is
    /// wrong makes it invalid, in this order: version, suites, reserved bytes, D_0, the claim, the
    /// elements, then as there.
    ///
    /// # Errors
    /// [`VerifyError::NoVerdict`] with [`Error::Malformed`](crate::Error::Malformed), or
    /// [`VerifyError::Invalid`].
    pub(super) fn parse(
        bytes: &[u8],
        params: &Params,
        slot: RangeSlot,
        ranges: &Ranges,
        start: &Digest,
        digest: &Digest,
    ) -> Result<Self, VerifyError> {
        let body = split_header(bytes, params, kind(ranges), params.max_range_bytes())?;
        let body = body.strip_prefix(start.as_bytes()).ok_or(Reason::OtherFact)?;
        let claim = claim_bytes(slot, ranges);
        let body = body.strip_prefix(&claim[..]).ok_or(Reason::OtherFact)?;
        let all = Shape::new(ranges, params.l()).all_messages();
        let count = all + Ends::COUNT + params.l() as usize;
        let (mut decoded, body) = split_elements(body, count)?;
        let values = decoded.split_off(all + Ends::COUNT);
        let ends: Vec<Element> = decoded.split_off(all);
        let ends = Ends::from_array(ends.try_into().expect("as many as there are"));
        let proof = Proof::parse_body(body, params, digest)?;
        let (start, ranges) = (*start, ranges.clone());
        Ok(Self { start, slot, ranges, messages: decoded, ends, values, proof })
    }
}

impl Params {
    /// Bytes of the longest file of a proof of ranges: those of
    /// [`max_proof_bytes`](Self::max_proof_bytes), D_0, the claim, and 24 for each column and each
    /// of at most 18 (20 + 31) + 5 other elements.
    #[must_use]
    pub const fn max_range_bytes(&self) -> u64 {
        let norms = NORMS_LEN + MAX_NORMS * NORM_LEN;
        let claim = START_LEN + CLAIM_LEN + MAX_RANGES * RANGE_LEN + norms;
        let elements = (super::MAX_WIDTH as u64 + 1) * MOST_ROUNDS + Ends::COUNT as u64 + self.l();
        self.max_proof_bytes() + claim as u64 + ELEMENT_LEN as u64 * elements
    }
}

/// Bytes of D_0.
const START_LEN: usize = 32;
/// At most 2^20 rows of the table, and 2^31 columns.
const MOST_ROUNDS: u64 = 20 + 31;

#[cfg(test)]
mod tests {
    use super::*;

    /// An example of docs/format.md: a claim by its words, and e, mu_1 and mu_2 with 200 columns.
    fn check_example(
        kind: ProofKind,
        claim: (RangeSlot, Ranges),
        words: &[u32],
        numbers: [usize; 3],
    ) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (slot, ranges) = &claim;
        assert_eq!(claim_bytes(*slot, ranges), bytes);
        let shape = Shape::new(ranges, 200);
        assert_eq!([shape.messages, shape.row_rounds, shape.column_rounds], numbers);
        let longer = [&bytes[..], &[7]].concat();
        assert_eq!(split_claim(&longer, kind).unwrap(), (claim.0, claim.1, &[7][..]));
        for end in 0..bytes.len() {
            assert!(split_claim(&bytes[..end], kind).is_none());
        }
    }

    #[test]
    fn the_worked_example() {
        let range = |first_row, rows, low| RowRange { first_row, rows, low, high: 1 };
        let ranges = Ranges::new(vec![range(1, 3, 0), range(4, 4, -1)]).unwrap();
        let words = [2, 9, 1, 3, 0, 1, 4, 4, u32::MAX, 1];
        check_example(ProofKind::Ranges, (RangeSlot::new(8, 9), ranges), &words, [4, 3, 8]);
    }

    #[test]
    fn the_worked_example_of_norms() {
        let bits = RowRange { first_row: 4, rows: 5, low: 0, high: 1 };
        let norm = RowNorm::at_most(0, 4, 20, 4);
        let ranges = Ranges::with_norms(vec![bits], vec![norm]).unwrap();
        let mut words = vec![1, 10, 4, 5, 0, 1, 1, 0, 4, 4, 5, 20, 0];
        check_example(ProofKind::Norms, (RangeSlot::new(9, 10), ranges), &words, [3, 4, 8]);
        // No norm, or more than there may be.
        words.resize(60, 0);
        for count in [0, 5, u32::MAX] {
            words[6] = count;
            let altered: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert!(split_claim(&altered, ProofKind::Norms).is_none(), "{count}");
        }
    }
}
