//! The choices that a statement's header names by number: version, hash function, encoding of Z,
//! challenge, form and origin of A; and how users name them.

/// The version of a statement, which is that of its format and of its protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u16", into = "u16"))]
#[non_exhaustive]
#[repr(u16)]
pub enum Version {
    /// Proofs carry all of Z, T is whole, and w is 32 or 64. For files that exist, and for the
    /// forms that version 2 does not offer: A that is random in all columns, binary challenges.
    One = 1,
    /// Compact: proofs carry hints instead of the part of Z that the identity in A = [A' | I] is
    /// multiplied with, T may be rounded, and w is anything from 25 to 64.
    #[default]
    Two = 2,
}

impl Version {
    pub(crate) const fn from_id(id: u16) -> Option<Self> {
        match id {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => None,
        }
    }
}

impl From<Version> for u16 {
    fn from(version: Version) -> Self {
        version as Self
    }
}

impl TryFrom<u16> for Version {
    type Error = &'static str;

    fn try_from(id: u16) -> Result<Self, Self::Error> {
        Self::from_id(id).ok_or("versions are 1 and 2")
    }
}

/// Where A' comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
#[repr(u8)]
pub enum Expansion {
    /// A seed, expanded as version 1 does, to words of four or eight bytes: in version 2 for
    /// columns of T that exist already.
    SeedV1 = 1,
    /// A seed, expanded as version 2 does, to words of ceil(w / 8) bytes.
    Seed = 2,
    /// Given in full, by whoever states the instance. The estimates of binding and hiding hold for
    /// uniform A', and that it is as good as uniform is then the claim of whoever chose it.
    Given = 3,
}

impl Expansion {
    pub(crate) const fn from_id(id: u8) -> Option<Self> {
        match id {
            1 => Some(Self::SeedV1),
            2 => Some(Self::Seed),
            3 => Some(Self::Given),
            _ => None,
        }
    }
}

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
