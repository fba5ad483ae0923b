//! [`Error`].

/// Why randomness could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system delivered no entropy.
    #[cfg(feature = "os-rng")]
    #[error("the operating system's entropy source failed: {0}")]
    Entropy(getrandom::Error),
    /// The operating system says that it delivered entropy, and all of it is zeros.
    #[error("the operating system's entropy source delivered only zeros")]
    Zeros,
    /// This program was built without the feature `os-rng`.
    #[error("no entropy: this program was built without the feature `os-rng` of tautochrone-ctr")]
    NoSource,
}
