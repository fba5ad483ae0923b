//! [`CircuitProof`]: what is sent about a circuit, and its file.

use alloc::vec::Vec;

use super::super::field::{ELEMENT_LEN, Element};
use super::super::transcript::encode;
use super::claim::{Ends, Sent};
use super::constraints::MAX_CIRCUIT;
use super::shape::{ENDS, INNER, OUTER, Shape};
use crate::error::{Reason, VerifyError};
use crate::format::ProofKind;
use crate::hash::Digest;
use crate::params::Params;
use crate::proof::{Proof, split_header};

/// A proof of knowledge of a witness of which the wires satisfy a circuit. Decoding is canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CircuitProof {
    /// D_0, which names A, T, the circuit and the public inputs.
    pub(super) start: Digest,
    pub(super) sent: Sent,
    /// y_j.
    pub(super) values: Vec<Element>,
    pub(super) proof: Proof,
}

impl CircuitProof {
    /// The file: a header of 24 bytes, D_0, messages for the constraints, v_A, v_B, v_C, messages
    /// for the wires, v, X_1, X_2, Y_1, Y_2, y_0 to y_(l - 1), and what follows the header in a proof
    /// file.
    #[must_use]
    pub fn to_bytes(&self, params: &Params) -> Vec<u8> {
        let Sent { outer, products, inner, value, ends } = &self.sent;
        let between = [
            self.start.as_bytes(),
            &encode(outer),
            &encode(products),
            &encode(inner),
            &encode(core::slice::from_ref(value)),
            &encode(&ends.to_array()),
            &encode(&self.values),
        ];
        self.proof.file(params, ProofKind::Circuit, &between.concat())
    }

    /// Whether a file begins as one of a proof about a circuit does.
    #[must_use]
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&ProofKind::Circuit.magic())
    }

    /// Reads a file of a proof of the claim with this D_0, about the statement with this D. As with
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
        shape: &Shape,
        start: &Digest,
        digest: &Digest,
    ) -> Result<Self, VerifyError> {
        let body = split_header(bytes, params, ProofKind::Circuit, params.max_circuit_bytes())?;
        let body = body.strip_prefix(start.as_bytes()).ok_or(Reason::OtherFact)?;
        let count = shape.sent() + params.l() as usize;
        let (elements, body) =
            body.split_at_checked(ELEMENT_LEN * count).ok_or(Reason::Encoding)?;
        let (elements, _) = elements.as_chunks::<ELEMENT_LEN>();
        let mut decoded = Vec::with_capacity(count);
        for (index, bytes) in (0..).zip(elements) {
            decoded.push(Element::from_bytes(bytes).ok_or(Reason::FieldElement { index })?);
        }
        let values = decoded.split_off(shape.sent());
        let mut decoded = decoded.into_iter();
        let outer = decoded.by_ref().take(shape.outer_messages()).collect();
        let products = take(&mut decoded);
        let inner = decoded.by_ref().take(INNER * shape.inner_rounds()).collect();
        let [value] = take(&mut decoded);
        let ends = Ends::from_array(take(&mut decoded));
        let sent = Sent { outer, products, inner, value, ends };
        let proof = Proof::parse_body(body, params, digest)?;
        Ok(Self { start: *start, sent, values, proof })
    }
}

/// The next few elements, of which there are as many.
fn take<const N: usize>(elements: &mut impl Iterator<Item = Element>) -> [Element; N] {
    core::array::from_fn(|_| elements.next().expect("as many as were counted"))
}

/// Most messages of rounds: 2^27 constraints, dummies included, and 2^20 rows and 2^31 columns.
const MOST_MESSAGES: u64 = OUTER as u64 * 27 + INNER as u64 * (20 + 31);
const _: () = assert!(MAX_CIRCUIT + super::shape::DUMMIES <= 1 << 27, "so many rounds suffice");

impl Params {
    /// Bytes of the longest file of a proof about a circuit: those of
    /// [`max_proof_bytes`](Self::max_proof_bytes), D_0, and 24 for each column and each of at most
    /// 183 + 8 other elements.
    #[must_use]
    pub const fn max_circuit_bytes(&self) -> u64 {
        let elements = MOST_MESSAGES + ENDS as u64 + self.l();
        self.max_proof_bytes() + START_LEN + ELEMENT_LEN as u64 * elements
    }
}

/// Bytes of D_0.
const START_LEN: u64 = 32;
