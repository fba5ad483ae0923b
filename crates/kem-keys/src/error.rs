//! [`Error`].

/// Why a key was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A public key of another length than the parameter set has.
    #[error("{set}: the public key has {found} bytes, expected {expected}")]
    PublicLength {
        /// The parameter set.
        set: &'static str,
        /// The bytes given.
        found: usize,
        /// The bytes of every public key of the set.
        expected: usize,
    },
    /// A secret key of another length than the parameter set has.
    #[error("{set}: the secret key has {found} bytes, expected {expected}{}", .seed.map_or("", |_| " (64 as a seed)"))]
    SecretLength {
        /// The parameter set.
        set: &'static str,
        /// The bytes given.
        found: usize,
        /// The bytes of every expanded secret key of the set.
        expected: usize,
        /// The bytes of a seed, where secret keys may be seeds.
        seed: Option<usize>,
    },
    /// A coefficient of an ML-KEM encapsulation key that is not reduced: FIPS 203, section 7.2.
    #[error(
        "{set}: coefficient {index} of the encapsulation key is {found}, expected at most 3328"
    )]
    Coefficient {
        /// The parameter set.
        set: &'static str,
        /// Which one, in the order of the encoding.
        index: usize,
        /// Its value.
        found: u16,
    },
    /// The secret key contains, or is the seed of, another public key.
    #[error("{set}: the secret key belongs to another public key")]
    OtherPublicKey {
        /// The parameter set.
        set: &'static str,
    },
    /// The secret key contains a wrong hash of its public key.
    #[error("{set}: the hash of the public key in the secret key is wrong")]
    Hash {
        /// The parameter set.
        set: &'static str,
    },
    /// The secret vector is no value that the standard draws.
    #[error("{set}: a coefficient of the secret is not from -{bound} to {bound}")]
    Secret {
        /// The parameter set.
        set: &'static str,
        /// The largest absolute value.
        bound: i8,
    },
    /// t - A s is no value that the standard draws, or not the one that the seed gives.
    #[error("{set}: t - A s is not the error of a key, expected from -{bound} to {bound}")]
    Mismatch {
        /// The parameter set.
        set: &'static str,
        /// The largest absolute value.
        bound: i8,
    },
}
