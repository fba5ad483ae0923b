//! Why a proof is not valid.

/// Why a well-formed proof is not valid for a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The proof was made for another statement, other parameters or another context.
    #[error("the proof is for another statement, other parameters or another context")]
    OtherStatement,
    /// The proof was made for another fact or claim, another slot of pads, or another T.
    #[error("the proof is for another fact or claim, another slot of pads or another T")]
    OtherFact,
    /// A valid proof does not show what was required of it.
    #[error("the proof is valid, and does not show requirement {index}")]
    Requirement {
        /// Which of the requirements, the first that it does not show, from 0.
        index: usize,
    },
    /// A part of the proof is not what an honest prover sends.
    #[error(transparent)]
    Content(#[from] Fault),
}

/// A part of a proof that is not what an honest prover sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Reserved bytes of the header are not zero.
    #[error("the proof's header was altered: its reserved bytes are not zero")]
    Header,
    /// An element of the field of arguments is not encoded by words below p.
    #[error("field element {index} of the argument is not reduced modulo p")]
    FieldElement {
        /// Which, from 0, in the order of the file: the values of the columns come last.
        index: u64,
    },
    /// The values of the columns do not satisfy the equations of the claims.
    #[error("the values of the columns do not satisfy the equations of the argument")]
    Equation,
    /// The encoding of Z is not the one that the encoder would produce.
    #[error("the encoding of Z is not canonical")]
    Encoding,
    /// An entry of Z exceeds 14 sigma.
    #[error("an entry of Z in column {column} exceeds 14 sigma")]
    EntryTooLarge {
        /// Column of Z, from 0.
        column: u32,
    },
    /// A column of (Z_1, E) is longer than B.
    #[error("column {column} of Z is longer than the bound B")]
    NormTooLarge {
        /// Column of Z, from 0.
        column: u32,
    },
    /// W = A Z - T C does not hash to the challenge.
    #[error("the challenge does not match A Z - T C")]
    Challenge,
}
