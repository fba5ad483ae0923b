//! Hints, queries, secrets and answers as files: a magic number, the shape, and little-endian
//! words. A hint ends in hashes of the blocks.

use std::path::Path;

use rayon::prelude::*;
use tautochrone_cli::{Failure, Output, Privacy};
use zeroize::Zeroizing;

use super::scheme::Shape;

/// Bytes of a header.
const HEADER: usize = 96;
/// Most bytes of one of these files: 16 GiB.
const LONGEST: u64 = 16 << 30;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Hint,
    Query,
    Secret,
    Answer,
}

impl Kind {
    fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Hint => b"lzpirh2\0",
            Self::Query => b"lzpirq2\0",
            Self::Secret => b"lzpirs2\0",
            Self::Answer => b"lzpira2\0",
        }
    }
}

/// The beginning of every file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) shape: Shape,
    /// Bytes of the file that is served.
    pub(crate) bytes: u64,
    /// The seed of A, which also tells one server's set-up from another's.
    pub(crate) seed_a: [u8; 32],
    /// The [`digest`] of the file that is served.
    pub(crate) digest: [u8; 32],
}

/// BLAKE3 of each block, in eight words.
pub(crate) fn hashes(shape: Shape, file: &[u8]) -> Vec<u32> {
    file.par_chunks(shape.rows as usize).flat_map_iter(hash).collect()
}

/// BLAKE3 of a block.
pub(crate) fn hash(block: &[u8]) -> [u32; 8] {
    let bytes = blake3::hash(block);
    std::array::from_fn(|i| u32::from_le_bytes(bytes.as_bytes().as_chunks().0[i]))
}

/// BLAKE3 of all hashes: another file has another.
pub(crate) fn digest(hashes: &[u32]) -> [u8; 32] {
    let bytes: Vec<u8> = hashes.iter().flat_map(|word| word.to_le_bytes()).collect();
    blake3::hash(&bytes).into()
}

impl Header {
    fn to_bytes(self, kind: Kind) -> [u8; HEADER] {
        let Shape { rows, columns, secret } = self.shape;
        let mut out = [0; HEADER];
        out[..8].copy_from_slice(kind.magic());
        for (out, value) in out[8..20].chunks_mut(4).zip([rows, columns, secret]) {
            out.copy_from_slice(&value.to_le_bytes());
        }
        out[24..32].copy_from_slice(&self.bytes.to_le_bytes());
        out[32..64].copy_from_slice(&self.seed_a);
        out[64..].copy_from_slice(&self.digest);
        out
    }

    /// An error unless it is of this kind, and its shape is the one for that many bytes.
    fn from_bytes(kind: Kind, bytes: &[u8]) -> Result<Self, String> {
        let header = bytes.get(..HEADER).filter(|header| header.starts_with(kind.magic()));
        let header = header.ok_or_else(|| format!("is not a {kind:?} of pir").to_lowercase())?;
        let word =
            |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let (rows, bytes) = (word(8), long(24));
        if rows == 0 || rows > 1 << 20 || bytes == 0 || bytes > tautochrone_cli::DATA {
            return Err(format!("blocks of {rows} bytes, {bytes} in all, are out of range"));
        }
        // The client's own choice of the secret's length, so that no server weakens it.
        let shape = Shape::new(bytes, rows).map_err(|e| e.to_string())?;
        if (shape.columns, shape.secret) != (word(12), word(16)) || word(20) != 0 {
            return Err(format!("its shape is not {shape:?}"));
        }
        let part = |at: usize| header[at..at + 32].try_into().expect("32 bytes");
        Ok(Self { shape, bytes, seed_a: part(32), digest: part(64) })
    }
}

/// Writes a file.
pub(crate) fn write(path: &Path, kind: Kind, header: Header, words: &[u32]) -> Result<(), Failure> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(HEADER + 4 * words.len()));
    bytes.extend(header.to_bytes(kind));
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let privacy = if kind == Kind::Secret { Privacy::Secret } else { Privacy::Public };
    Output::write_whole(path, privacy, &bytes)
}

/// Reads a file, whose words must be as many as its shape says.
pub(crate) fn read(path: &Path, kind: Kind) -> Result<(Header, Zeroizing<Vec<u32>>), Failure> {
    let bytes = Zeroizing::new(tautochrone_cli::read(path, LONGEST)?);
    let about = |e: String| tautochrone_cli::about_input(path, &e);
    let header = Header::from_bytes(kind, &bytes).map_err(about)?;
    let Shape { rows, columns, secret } = header.shape;
    let words = match kind {
        Kind::Hint => u64::from(rows) * u64::from(secret) + 8 * u64::from(columns),
        Kind::Query => columns.into(),
        // A seed and the index.
        Kind::Secret => 9,
        Kind::Answer => rows.into(),
    };
    let body = &bytes[HEADER..];
    if body.len() as u64 != 4 * words {
        let got = body.len();
        return Err(about(format!("expected {} bytes after the header, found {got}", 4 * words)));
    }
    let words = body.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
    let words = Zeroizing::new(words.collect::<Vec<u32>>());
    if kind == Kind::Hint && digest(split(header.shape, &words).1) != header.digest {
        return Err(about("its hashes of blocks are damaged".to_owned()));
    }
    Ok((header, words))
}

/// H, and the hashes of the blocks, of a hint.
pub(crate) fn split(shape: Shape, hint: &[u32]) -> (&[u32], &[u32]) {
    hint.split_at(shape.rows as usize * shape.secret as usize)
}
