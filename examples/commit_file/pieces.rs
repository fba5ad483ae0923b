//! A file as messages: pieces of 127 bytes, each a column of 1024 bits.

use std::path::Path;

use tautochrone_cli::Failure;

/// Bytes of a file in a piece.
const PIECE: usize = 127;
/// Most bytes of a file, 64 MiB: its bits are in memory, a byte for each.
const LONGEST: u64 = 64 << 20;
/// The context of the proofs.
pub(crate) const CONTEXT: &str = "commit_file: pieces of 127 bytes";
/// Bits of a piece; its first byte says how many of the others are used.
pub(crate) const ROWS: u32 = 8 * (PIECE as u32 + 1);

/// One column of bits a piece: 0 or 1, so b = 1.
pub(crate) fn messages(path: &Path) -> Result<Vec<i8>, Failure> {
    let file = tautochrone_cli::read(path, LONGEST)?;
    if file.is_empty() {
        return Err(Failure::file(path, "is empty; there is nothing to commit to"));
    }
    let mut bits = Vec::with_capacity(file.len().div_ceil(PIECE) * ROWS as usize);
    for piece in file.chunks(PIECE) {
        let mut bytes = [0; PIECE + 1];
        bytes[0] = piece.len() as u8;
        bytes[1..=piece.len()].copy_from_slice(piece);
        bits.extend(bytes.iter().flat_map(|byte| (0..8).map(move |i| (byte >> i & 1) as i8)));
    }
    Ok(bits)
}

/// The bytes of a message, if it is one: only zeros and ones, and a length that can be.
pub(crate) fn bytes(message: &[i8]) -> Option<Vec<u8>> {
    if !message.iter().all(|&bit| bit == 0 || bit == 1) {
        return None;
    }
    let byte = |bits: &[i8]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | bit as u8);
    let bytes: Vec<u8> = message.chunks_exact(8).map(byte).collect();
    bytes.get(1..=usize::from(bytes[0])).map(<[u8]>::to_vec)
}
