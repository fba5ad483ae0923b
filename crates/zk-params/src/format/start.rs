//! The common beginning of all headers.

use crate::error::Malformation;

/// Version of the statement and proof formats and of the transcript.
pub const VERSION: u16 = 2;

/// Magic number and version.
pub const START_LEN: usize = 10;
/// Bytes of a magic number.
pub const MAGIC_LEN: usize = 8;
const STATEMENT_MAGIC: [u8; MAGIC_LEN] = *b"TCZKstmt";
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

/// The magic number and the version of a statement.
pub(crate) fn statement_start() -> [u8; START_LEN] {
    let mut start = [0; START_LEN];
    start[..MAGIC_LEN].copy_from_slice(&STATEMENT_MAGIC);
    start[MAGIC_LEN..].copy_from_slice(&VERSION.to_le_bytes());
    start
}

/// Checks the magic number and the version that a statement file begins with.
///
/// # Errors
/// [`Malformation::Magic`], [`Malformation::OtherKind`] or [`Malformation::Version`].
pub fn check_statement_start(start: &[u8; START_LEN]) -> Result<(), Malformation> {
    check_start(start, STATEMENT_MAGIC)
}

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
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("a field lies within its header")
}
