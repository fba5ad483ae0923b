//! [`Error`].

/// Why a key cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The key has the wrong length for the level.
    #[error(
        "a key of {got} bytes, expected {expected} for level {level} (8 bytes a level, 8 for level 0)"
    )]
    KeyLength {
        /// Bytes given.
        got: usize,
        /// Bytes expected.
        expected: usize,
        /// The level.
        level: u8,
    },
}
