//! Errors, all of whose contents are public.

/// Errors. Everything that an error reports is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The modulus is zero.
    #[error("the modulus is zero")]
    ZeroModulus,
    /// Montgomery arithmetic needs an odd modulus.
    #[error("Montgomery arithmetic needs an odd modulus")]
    EvenModulus,
    /// An operand has another width than the modulus, in 64-bit limbs.
    #[error("an operand has {found} limbs where the modulus has {expected}")]
    Width {
        /// Limbs of the modulus.
        expected: usize,
        /// Limbs of the operand.
        found: usize,
    },
    /// The number does not fit the width.
    #[error("the number does not fit {limbs} limbs of 64 bits")]
    TooLong {
        /// Limbs available.
        limbs: usize,
    },
    /// A character is not a hexadecimal digit.
    #[error("character {} is not a hexadecimal digit; expected digits alone", position + 1)]
    NotHex {
        /// Offset in bytes.
        position: usize,
    },
    /// No hexadecimal digits at all.
    #[error("no hexadecimal digits")]
    Empty,
    /// The number shares a factor with the modulus.
    #[error("the number has no inverse modulo this modulus")]
    NoInverse,
}

/// Refuses an operand that is not as wide as the modulus.
pub(crate) fn same_width(expected: usize, x: &[u64]) -> Result<(), Error> {
    if x.len() == expected { Ok(()) } else { Err(Error::Width { expected, found: x.len() }) }
}
