//! [`Set`].

use alloc::string::String;
use core::str::FromStr;

/// A parameter set of ML-KEM (FIPS 203) or FrodoKEM (ISO/IEC 18033-2, amendment 2). As text it has
/// the standard's name.
///
/// s, e and t are [blocks](Self::blocks): polynomials modulo X^256 + 1, or rows of 8 integers. A
/// has as many rows and columns of polynomials, or of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Set {
    /// ML-KEM-512.
    MlKem512,
    /// ML-KEM-768.
    MlKem768,
    /// ML-KEM-1024.
    MlKem1024,
    /// FrodoKEM-640-AES.
    FrodoAes640,
    /// FrodoKEM-640-SHAKE.
    FrodoShake640,
    /// FrodoKEM-976-AES.
    FrodoAes976,
    /// FrodoKEM-976-SHAKE.
    FrodoShake976,
    /// FrodoKEM-1344-AES.
    FrodoAes1344,
    /// FrodoKEM-1344-SHAKE.
    FrodoShake1344,
}

impl Set {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::MlKem512,
        Self::MlKem768,
        Self::MlKem1024,
        Self::FrodoAes640,
        Self::FrodoShake640,
        Self::FrodoAes976,
        Self::FrodoShake976,
        Self::FrodoAes1344,
        Self::FrodoShake1344,
    ];

    /// Name, blocks, bits of an entry of t, bound, and bytes of the hash of the public key.
    const fn table(self) -> (&'static str, usize, u32, i8, usize) {
        match self {
            Self::MlKem512 => ("ML-KEM-512", 2, 12, 3, 32),
            Self::MlKem768 => ("ML-KEM-768", 3, 12, 2, 32),
            Self::MlKem1024 => ("ML-KEM-1024", 4, 12, 2, 32),
            Self::FrodoAes640 => ("FrodoKEM-640-AES", 640, 15, 12, 16),
            Self::FrodoShake640 => ("FrodoKEM-640-SHAKE", 640, 15, 12, 16),
            Self::FrodoAes976 => ("FrodoKEM-976-AES", 976, 16, 10, 24),
            Self::FrodoShake976 => ("FrodoKEM-976-SHAKE", 976, 16, 10, 24),
            Self::FrodoAes1344 => ("FrodoKEM-1344-AES", 1344, 16, 6, 32),
            Self::FrodoShake1344 => ("FrodoKEM-1344-SHAKE", 1344, 16, 6, 32),
        }
    }

    /// The standard's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.table().0
    }

    /// Whether it is one of ML-KEM, and not of FrodoKEM.
    #[must_use]
    pub const fn is_ml_kem(self) -> bool {
        matches!(self, Self::MlKem512 | Self::MlKem768 | Self::MlKem1024)
    }

    pub(crate) const fn has_aes(self) -> bool {
        matches!(self, Self::FrodoAes640 | Self::FrodoAes976 | Self::FrodoAes1344)
    }

    /// Blocks of s, of e and of t: k of ML-KEM, n of FrodoKEM.
    #[must_use]
    pub const fn blocks(self) -> usize {
        self.table().1
    }

    /// Entries of a block: the coefficients of a polynomial, or 8.
    #[must_use]
    pub const fn block_len(self) -> usize {
        if self.is_ml_kem() { 256 } else { 8 }
    }

    /// Entries of s, of e and of t.
    pub(crate) const fn entries(self) -> usize {
        self.blocks() * self.block_len()
    }

    /// Entries of a row of A: the coefficients of k polynomials, or n integers.
    #[must_use]
    pub const fn row_len(self) -> usize {
        if self.is_ml_kem() { self.entries() } else { self.blocks() }
    }

    /// Bits of an entry of t in a public key.
    pub(crate) const fn bits(self) -> u32 {
        self.table().2
    }

    /// q.
    #[must_use]
    pub const fn modulus(self) -> u32 {
        if self.is_ml_kem() { 3329 } else { 1 << self.bits() }
    }

    /// The largest entry of s and of e.
    #[must_use]
    pub const fn bound(self) -> i8 {
        self.table().3
    }

    /// Bytes of the hash of a public key, and of the random value that a secret key has as well.
    #[must_use]
    pub const fn hash_len(self) -> usize {
        self.table().4
    }

    /// The bytes of a public key: t, and the seed of A.
    #[must_use]
    pub const fn public_len(self) -> usize {
        let seed = if self.is_ml_kem() { 32 } else { 16 };
        self.packed_len() + seed
    }

    /// The bytes of t in a public key.
    pub(crate) const fn packed_len(self) -> usize {
        (self.entries() * self.bits() as usize) >> 3
    }

    /// The bytes of a secret key, of ML-KEM an expanded one.
    #[must_use]
    pub const fn secret_len(self) -> usize {
        self.secret_vector_len() + self.public_len() + 2 * self.hash_len()
    }

    /// The bytes of s in a secret key.
    pub(crate) const fn secret_vector_len(self) -> usize {
        if self.is_ml_kem() { self.packed_len() } else { 2 * self.entries() }
    }
}

impl core::fmt::Display for Set {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// No parameter set has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no parameter set {0}: expected ML-KEM-512, -768, -1024, FrodoKEM-640-SHAKE, .. or -1344-AES"
)]
pub struct NoSet(String);

/// In any case.
impl FromStr for Set {
    type Err = NoSet;

    fn from_str(name: &str) -> Result<Self, NoSet> {
        let mut all = Self::ALL.into_iter();
        all.find(|set| set.name().eq_ignore_ascii_case(name)).ok_or_else(|| NoSet(name.into()))
    }
}
