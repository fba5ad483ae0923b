//! What the headers of all versions begin with.

use crate::error::Malformation;
use crate::suite::Version;

/// Newest version of the statement and proof formats and of the transcript.
pub const VERSION: u16 = Version::Two as u16;

/// Magic number and version.
pub(crate) const START_LEN: usize = 10;
pub(super) const MAGIC_LEN: usize = 8;
pub(super) const STATEMENT_MAGIC: [u8; MAGIC_LEN] = *b"TCZKstmt";
pub(super) const PROOF_MAGIC: [u8; MAGIC_LEN] = *b"TCZKprf\0";
pub(super) const FACT_MAGIC: [u8; MAGIC_LEN] = *b"TCZKfct\0";
pub(super) const FACTS_MAGIC: [u8; MAGIC_LEN] = *b"TCZKfcs\0";
pub(super) const RANGES_MAGIC: [u8; MAGIC_LEN] = *b"TCZKrng\0";
pub(super) const NORMS_MAGIC: [u8; MAGIC_LEN] = *b"TCZKnrm\0";
pub(super) const CIRCUIT_MAGIC: [u8; MAGIC_LEN] = *b"TCZKcrc\0";
pub(super) const COMMITTED_CIRCUIT_MAGIC: [u8; MAGIC_LEN] = *b"TCZKcci\0";
pub(super) const WHOLE_KEYS_MAGIC: [u8; MAGIC_LEN] = *b"TCZKkey\0";
pub(super) const KEYS_MAGIC: [u8; MAGIC_LEN] = *b"TCZKkey2";

/// Checks a magic number; the version behind it, if there is such a one.
pub(super) fn check_start(
    bytes: &[u8; START_LEN],
    magic: [u8; MAGIC_LEN],
) -> Result<Version, Malformation> {
    if bytes[..MAGIC_LEN] != magic {
        return Err(Malformation::Magic);
    }
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    Version::from_id(version).ok_or(Malformation::Version { got: version, known: VERSION })
}

/// The `N` bytes of a header from `at` on.
pub(super) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("a field lies within its header")
}
