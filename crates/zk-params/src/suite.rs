//! The choices that a statement's header names by number: hash function, challenge, origin of A';
//! and how users name them.

/// Where A' comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
#[repr(u8)]
pub enum Expansion {
    /// A seed, expanded to words of ceil(w / 8) bytes.
    #[default]
    Seed = 1,
    /// Given in full, by whoever states the instance. The estimates of binding and hiding hold for
    /// uniform A', and that it is as good as uniform is then the claim of whoever chose it.
    Given = 2,
}

impl Expansion {
    #[doc(hidden)]
    pub const fn from_id(id: u8) -> Option<Self> {
        match id {
            1 => Some(Self::Seed),
            2 => Some(Self::Given),
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

    #[doc(hidden)]
    pub const fn from_id(id: u8) -> Option<Self> {
        match id {
            1 => Some(Self::Blake3),
            2 => Some(Self::Sha3),
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

/// How wide Y is, which masks S C (docs/protocol.md, section 15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase", deny_unknown_fields))]
#[non_exhaustive]
pub enum Masks {
    /// So wide that rejection hides any S statistically, in any number of proofs.
    #[default]
    Wide,
    /// So wide that LWE hides an S that is Gaussian, in a number of proofs about one S: nothing is
    /// rejected, and proofs are a third as long.
    Narrow {
        /// log2 of the number of proofs about an S, 0 to 20.
        log2_proofs: u32,
    },
    /// Wide ones, with rejection, for the rows of messages and pads, in front; narrow ones for the
    /// randomness behind them, which is Gaussian: what committed data have by default.
    Mixed {
        /// log2 of the number of proofs about an S, 0 to 20.
        log2_proofs: u32,
    },
}

impl Masks {
    /// The number of proofs about one S for which zero knowledge is claimed; `None` for any number.
    #[doc(hidden)]
    pub fn proofs(self) -> Option<u64> {
        self.log2_proofs().map(|log2| 1_u64.checked_shl(log2).unwrap_or(u64::MAX))
    }

    /// Its logarithm to the base 2.
    #[doc(hidden)]
    pub const fn log2_proofs(self) -> Option<u32> {
        match self {
            Self::Wide => None,
            Self::Narrow { log2_proofs } | Self::Mixed { log2_proofs } => Some(log2_proofs),
        }
    }
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
