//! The choices that a statement's header names by number: hash function, encoding of Z, challenge,
//! form of A; and how users name them.

/// The hash function of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum HashSuite {
    /// BLAKE3, 32-byte digests: 128-bit collision resistance.
    Blake3 = 1,
    /// SHA3-512 with SHAKE256 for long outputs, 64-byte digests: 256-bit collision resistance.
    Sha3 = 2,
}

impl HashSuite {
    /// Bytes of a digest.
    #[must_use]
    pub const fn digest_len(self) -> usize {
        match self {
            Self::Blake3 => 32,
            Self::Sha3 => 64,
        }
    }

    pub(crate) const fn from_id(id: u8) -> Option<Self> {
        match id {
            1 => Some(Self::Blake3),
            2 => Some(Self::Sha3),
            _ => None,
        }
    }
}

/// The encoding suite of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
#[repr(u8)]
pub enum Encoding {
    /// Suite 1: Rice coding, 0.13 to 0.15 bit above the entropy of a coefficient.
    #[default]
    Rice = 1,
    /// Suite 2: interleaved rANS over the high part, at most 0.03 bit above the entropy.
    Rans = 2,
}

impl Encoding {
    pub(crate) const fn from_id(id: u8) -> Option<Self> {
        match id {
            1 => Some(Self::Rice),
            2 => Some(Self::Rans),
            _ => None,
        }
    }
}

/// How the challenge matrix C is distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Challenge {
    /// Entries -1, 0, 1 with probabilities 1/4, 1/2, 1/4: S C is centred and short for every
    /// witness.
    Ternary,
    /// Entries 0, 1 with probability 1/2 each, as in the paper; needs a public bound on the largest
    /// singular value of S.
    Binary {
        /// The bound s >= s1(S); a prover refuses a witness for which it cannot certify it.
        norm_bound: u64,
    },
}

/// A [`Challenge`] without its bound, as users choose it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum ChallengeKind {
    /// [`Challenge::Ternary`].
    #[default]
    Ternary,
    /// [`Challenge::Binary`].
    Binary,
}

/// What A looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum MatrixForm {
    /// A = [A' | I]: the same hardness, and fewer multiplications.
    #[default]
    Systematic,
    /// All of A is random.
    Full,
}
