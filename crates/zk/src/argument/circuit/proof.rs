//! [`CircuitProof`]: what is sent about a circuit, and its file.

use alloc::vec::Vec;

use super::super::elements::split_elements;
use super::super::field::{ELEMENT_LEN, Element};
use super::super::transcript::encode;
use super::claim::{Ends, Sent};
use super::shape::{ENDS, INNER, MOST_OUTER_ROUNDS, OUTER, Shape};
use crate::blocks::check_padding;
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
    /// The columns of T of new wires, where others were committed before.
    pub(super) columns: Vec<u8>,
    pub(super) sent: Sent,
    /// y_j.
    pub(super) values: Vec<Element>,
    pub(super) proof: Proof,
}

impl CircuitProof {
    /// The file: a header of 24 bytes, D_0, in a proof about a [`CommittedCircuit`] the columns of
    /// T of new wires, messages for the constraints, v_A, v_B, v_C, messages for the wires, v, X_1,
    /// X_2, Y_1, Y_2, y_0 to y_(l - 1), and what follows the header in a proof file. The parameters
    /// are those of the statement, or [`CommittedCircuit::params`].
    ///
    /// [`CommittedCircuit`]: super::CommittedCircuit
    /// [`CommittedCircuit::params`]: super::CommittedCircuit::params
    #[must_use]
    pub fn to_bytes(&self, params: &Params) -> Vec<u8> {
        let Sent { outer, products, inner, value, ends } = &self.sent;
        let between = [
            self.start.as_bytes(),
            &self.columns[..],
            &encode(outer),
            &encode(products),
            &encode(inner),
            &encode(core::slice::from_ref(value)),
            &encode(&ends.to_array()),
            &encode(&self.values),
        ];
        let kind = kind(!self.columns.is_empty());
        self.proof.file(params, kind, &between.concat())
    }

    /// Whether a file begins as one of a proof about a circuit does whose wires were all committed
    /// for it.
    #[must_use]
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&kind(false).magic())
    }

    /// Whether a file begins as one of a proof about a
    /// [`CommittedCircuit`](super::CommittedCircuit) does.
    #[must_use]
    pub fn is_about_inputs(bytes: &[u8]) -> bool {
        bytes.starts_with(&kind(true).magic())
    }
}

/// What a file shows, of a circuit whose first wires were committed before or of one alone.
const fn kind(committed: bool) -> ProofKind {
    if committed { ProofKind::CommittedCircuit } else { ProofKind::Circuit }
}

/// Bytes of the columns of T that a file brings with it.
const fn column_bytes(params: &Params, shape: &Shape) -> u64 {
    let columns = if shape.committed > 0 { shape.columns - shape.committed } else { 0 };
    // Below 2^31 times 2^23.
    columns * params.column_bytes() as u64
}

/// Bytes of the longest file.
pub(super) const fn most_bytes(params: &Params, shape: &Shape) -> u64 {
    params.max_circuit_bytes() + column_bytes(params, shape)
}

/// A file in its parts: what is hashed before elements and Z are decoded.
pub(super) struct Parts<'a> {
    start: &'a [u8],
    /// The columns of T of new wires.
    pub(super) columns: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    /// Cuts a file into its parts. As with [`Proof::parse`], malformed is what is no file of the
    /// format; anything else that is wrong makes it invalid, in this order: hash suite,
    /// reserved bytes, the columns of T, D_0, the elements, then as there.
    ///
    /// # Errors
    /// [`VerifyError::NoVerdict`] with [`Error::Malformed`](crate::Error::Malformed), or
    /// [`VerifyError::Invalid`].
    pub(super) fn split(
        bytes: &'a [u8],
        params: &Params,
        shape: &Shape,
    ) -> Result<Self, VerifyError> {
        let kind = kind(shape.committed > 0);
        let body = split_header(bytes, params, kind, most_bytes(params, shape))?;
        let (start, body) = body.split_at_checked(START_LEN).ok_or(Reason::OtherFact)?;
        let len = usize::try_from(column_bytes(params, shape)).map_err(|_| Reason::Encoding)?;
        let (columns, rest) = body.split_at_checked(len).ok_or(Reason::Encoding)?;
        check_padding(params, 0, columns).map_err(|_| Reason::Encoding)?;
        Ok(Self { start, columns, rest })
    }

    /// Decodes a proof of the claim with this D_0, about the statement with this D.
    ///
    /// # Errors
    /// [`Reason::OtherFact`]; [`Reason::FieldElement`]; [`Reason::Encoding`]; as [`Proof::parse`].
    pub(super) fn decode(
        &self,
        params: &Params,
        shape: &Shape,
        start: &Digest,
        digest: &Digest,
    ) -> Result<CircuitProof, Reason> {
        if self.start != start.as_bytes() {
            return Err(Reason::OtherFact);
        }
        let count = shape.sent() + params.l() as usize;
        let (mut decoded, body) = split_elements(self.rest, count)?;
        let values = decoded.split_off(shape.sent());
        let mut decoded = decoded.into_iter();
        let outer = decoded.by_ref().take(shape.outer_messages()).collect();
        let products = take(&mut decoded);
        let inner = decoded.by_ref().take(INNER * shape.inner_rounds()).collect();
        let [value] = take(&mut decoded);
        let ends = Ends::from_array(take(&mut decoded));
        let sent = Sent { outer, products, inner, value, ends };
        let proof = Proof::parse_body(body, params, digest)?;
        Ok(CircuitProof { start: *start, columns: self.columns.to_vec(), sent, values, proof })
    }
}

/// The next few elements, of which there are as many.
fn take<const N: usize>(elements: &mut impl Iterator<Item = Element>) -> [Element; N] {
    core::array::from_fn(|_| elements.next().expect("as many as were counted"))
}

/// Most messages of rounds: 2^27 constraints, dummies included, and 2^20 rows and 2^31 columns.
const MOST_MESSAGES: u64 = (OUTER * MOST_OUTER_ROUNDS) as u64 + INNER as u64 * (20 + 31);

impl Params {
    /// Bytes of the longest file of a proof about a circuit: those of
    /// [`max_proof_bytes`](Self::max_proof_bytes), D_0, and 24 for each column and each of at most
    /// 183 + 8 other elements.
    #[must_use]
    pub const fn max_circuit_bytes(&self) -> u64 {
        let elements = MOST_MESSAGES + ENDS as u64 + self.l();
        self.max_proof_bytes() + START_LEN as u64 + ELEMENT_LEN as u64 * elements
    }
}

/// Bytes of D_0.
const START_LEN: usize = 32;
