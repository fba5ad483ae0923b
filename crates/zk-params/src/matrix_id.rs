//! [`MatrixId`]: which A.

/// Bytes of a seed of A', or of the digest of a given one.
pub const MATRIX_ID_LEN: usize = 64;

/// Which A a statement is about: the seed of A', or the digest of a given one, padded with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixId([u8; MATRIX_ID_LEN]);

impl MatrixId {
    /// The seed, if it is one.
    #[must_use]
    pub fn seed(&self) -> &[u8; 32] {
        self.0.first_chunk().expect("an identifier is longer than a seed")
    }
}

#[doc(hidden)]
impl MatrixId {
    /// An id that no statement's matrix has.
    pub const NONE: Self = Self([u8::MAX; MATRIX_ID_LEN]);

    /// The identifier of a matrix that is expanded from this seed.
    pub fn of_seed(seed: [u8; 32]) -> Self {
        let mut bytes = [0; MATRIX_ID_LEN];
        bytes[..32].copy_from_slice(&seed);
        Self(bytes)
    }

    pub const fn from_bytes(bytes: [u8; MATRIX_ID_LEN]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; MATRIX_ID_LEN] {
        &self.0
    }
}
