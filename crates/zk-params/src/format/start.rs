//! The common beginning of all headers.

use crate::error::Malformation;

/// Version of the statement and proof formats and of the transcript.
pub const VERSION: u16 = 2;

/// Magic number and version.
pub const START_LEN: usize = 10;
pub(super) const MAGIC_LEN: usize = 8;
pub(super) const STATEMENT_MAGIC: [u8; MAGIC_LEN] = *b"TCZKstmt";
pub(super) const PROOF_MAGIC: [u8; MAGIC_LEN] = *b"TCZKprf\0";
pub(super) const CLAIMS_MAGIC: [u8; MAGIC_LEN] = *b"TCZKclm\0";
pub(super) const KEYS_MAGIC: [u8; MAGIC_LEN] = *b"TCZKkey\0";
/// The kind of file of each magic number.
const KINDS: [([u8; MAGIC_LEN], &str); 4] = [
    (STATEMENT_MAGIC, "a statement"),
    (PROOF_MAGIC, "a proof of knowledge alone"),
    (CLAIMS_MAGIC, "a proof of claims about messages"),
    (KEYS_MAGIC, "a proof that keys are well formed"),
];

/// Checks a magic number and the version behind it.
pub(super) fn check_start(
    bytes: &[u8; START_LEN],
    magic: [u8; MAGIC_LEN],
) -> Result<(), Malformation> {
    if bytes[..MAGIC_LEN] != magic {
        let other = KINDS.iter().find(|(other, _)| bytes[..MAGIC_LEN] == *other);
        return Err(
            other.map_or(Malformation::Magic, |&(_, found)| Malformation::OtherKind { found })
        );
    }
    match u16::from_le_bytes([bytes[8], bytes[9]]) {
        VERSION => Ok(()),
        got => Err(Malformation::Version { got, known: VERSION }),
    }
}

/// The `N` bytes of a header from `at` on.
pub(super) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("a field lies within its header")
}
