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
    #[error("coefficient {index} of the encapsulation key is {found}, expected at most 3328")]
    Coefficient {
        /// Which one, in the order of the encoding.
        index: usize,
        /// Its value.
        found: u16,
    },
    /// The secret key contains another public key, or is the seed of one.
    #[error("the secret key belongs to another public key")]
    OtherPublicKey,
    /// The secret key contains a wrong hash of its public key.
    #[error("the hash of the public key in the secret key is wrong")]
    Hash,
    /// The secret vector is no value that the standard draws.
    #[error("a coefficient of the secret is not from -{0} to {0}")]
    Secret(i8),
    /// t - A s is no value that the standard draws, or not the one that the seed gives.
    #[error("t - A s is not the error of this key: expected coefficients from -{0} to {0}")]
    Mismatch(i8),
    /// Not the DER of a key as RFC 9935 defines it.
    #[error("not the DER of {0}")]
    Der(&'static str),
    /// Not a text of RFC 7468 with this label.
    #[error("not lines of base64 between -----BEGIN {0}----- and -----END {0}-----")]
    Pem(&'static str),
    /// A private key of which the seed does not give the expanded key.
    #[error("the seed and the expanded key are not of one key")]
    Seed,
}
