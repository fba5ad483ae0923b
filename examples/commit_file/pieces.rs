//! A file as messages: pieces of 127 bytes, each a column of 1024 bits.

use std::path::Path;

use tautochrone::ctr::Seed;
use tautochrone::zk::argument::{PAD_ROWS, PaddedSpace, RANGE_PAD_ROWS, Ranges, RowRange};
use tautochrone::zk::uses::commitment::MessageSpace;
use tautochrone::zk::{Distribution, Params, PublicMatrix, Security, WitnessSource};
use tautochrone_cli::Failure;
use zeroize::Zeroizing;

/// Bytes of a file in a piece.
pub(crate) const PIECE: usize = 127;
/// The randomness under the messages has a seed of its own.
const RANDOMNESS: &str = "commit_file: randomness";
/// Most bytes of a file, 64 MiB: its bits are in memory, a byte for each.
const LONGEST: u64 = 64 << 20;
/// The context of the proofs.
pub(crate) const CONTEXT: &str = "commit_file: pieces of 127 bytes";
/// Bits of a piece; its first byte says how many of the others are used.
pub(crate) const ROWS: u32 = 8 * (PIECE as u32 + 1);

/// All of them, as a claim that can be proved.
pub(crate) fn bits() -> Result<Ranges, Failure> {
    let bits = RowRange { first_row: 0, rows: ROWS, low: 0, high: 1 };
    Ranges::new(vec![bits]).map_err(Failure::new)
}

/// Adds empty pieces behind those of the file, up to `l`.
pub(crate) fn fill(messages: &mut Vec<i8>, l: u64) {
    messages.resize(messages.len().max(ROWS as usize * l as usize), 0);
}

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

/// How many facts can be proved of a statement, and how many claims of ranges: their pads are the
/// second group of rows, and those of a claim are no multiple of those of a fact.
pub(crate) fn slots(params: &Params) -> (u32, u32) {
    let group = params.row_groups().get(1);
    let pads = group.filter(|group| group.distribution == Distribution::Any);
    let rows = pads.map_or(0, |group| group.rows);
    let ranges = u32::from(!rows.is_multiple_of(PAD_ROWS) && rows >= RANGE_PAD_ROWS);
    ((rows - RANGE_PAD_ROWS * ranges) / PAD_ROWS, ranges)
}

/// The space of a statement with such slots.
pub(crate) fn space(params: &Params) -> Result<PaddedSpace, Failure> {
    let (facts, ranges) = slots(params);
    PaddedSpace::with_ranges(params, ROWS, facts, ranges, Security::Required).map_err(Failure::new)
}

/// The witness: messages over pads, if there are any, over randomness from the key.
pub(crate) fn witness<'a>(
    a: &PublicMatrix,
    params: &Params,
    messages: &'a [i8],
    key: &Seed,
) -> Result<Box<dyn WitnessSource + 'a>, Failure> {
    let seed = tautochrone_cli::part(key, RANDOMNESS);
    if slots(params) == (0, 0) {
        let space = MessageSpace::new(params, ROWS, Security::Required).map_err(Failure::new)?;
        return Ok(Box::new(space.witness(params, messages, seed).map_err(Failure::new)?));
    }
    Ok(Box::new(space(params)?.witness(a, messages, &seed).map_err(Failure::new)?))
}

/// The key in a file.
pub(crate) fn key(path: &Path) -> Result<Seed, Failure> {
    let mut key = Zeroizing::new([0; 32]);
    let digits = Zeroizing::new(tautochrone_cli::read(path, tautochrone_cli::OPTION)?);
    hex::decode_to_slice(&*digits, &mut *key)
        .map_err(|_| Failure::file(path, "expected 64 hexadecimal digits"))?;
    Ok(Seed::from_bytes(*key))
}
