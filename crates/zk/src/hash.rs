//! Domain-separated hashing: every use has its own tag, every field its length.
//!
//! H(tag, f_1, .., f_k) hashes `len(DOMAIN) DOMAIN len(tag) tag len(f_1) f_1 ..`, lengths as 64-bit
//! little-endian integers, so that no two different lists of fields give the same input.

use alloc::boxed::Box;

use sha3::{Digest as _, Sha3_512};
use shake::Shake256;
use shake::digest::{ExtendableOutput, Update, XofReader};
use zeroize::{Zeroize, Zeroizing};

use crate::suite::HashSuite;

/// The domain label of every hash.
const DOMAIN: &[u8] = b"tautochrone-zk/2";

/// A digest of 32 or 64 bytes, by suite.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest {
    bytes: [u8; 64],
    len: u8,
}

impl Digest {
    pub(crate) fn from_slice(slice: &[u8]) -> Self {
        let mut bytes = [0; 64];
        bytes[..slice.len()].copy_from_slice(slice);
        Self { bytes, len: slice.len() as u8 }
    }

    /// The bytes of the digest.
    #[doc(hidden)]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl core::fmt::Debug for Digest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Zeroize for Digest {
    fn zeroize(&mut self) {
        self.bytes.zeroize();
    }
}

/// A hash in progress. It may hold a seed or a part of S in its buffer: erased when dropped.
pub(crate) enum Hasher {
    Blake3(Box<blake3::Hasher>),
    Sha3(Box<Sha3_512>),
}

impl Hasher {
    pub(crate) fn new(suite: HashSuite, tag: &'static str) -> Self {
        let hasher = match suite {
            HashSuite::Blake3 => Self::Blake3(Box::new(blake3::Hasher::new())),
            HashSuite::Sha3 => Self::Sha3(Box::default()),
            _ => unreachable!("no other suite is defined"),
        };
        hasher.field(DOMAIN).field(tag.as_bytes())
    }

    pub(crate) fn field(mut self, bytes: &[u8]) -> Self {
        self.update(&(bytes.len() as u64).to_le_bytes());
        self.update(bytes);
        self
    }

    /// An unsigned integer as a field of eight bytes.
    pub(crate) fn number(self, value: u64) -> Self {
        self.field(&value.to_le_bytes())
    }

    /// A list of digests: their number, then each.
    pub(crate) fn digests(self, list: &[Digest]) -> Self {
        let start = self.number(list.len() as u64);
        list.iter().fold(start, |hasher, digest| hasher.field(digest.as_bytes()))
    }

    /// Announces a field of `len` bytes that follow through [`Self::update`].
    pub(crate) fn begin_field(&mut self, len: u64) {
        self.update(&len.to_le_bytes());
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Blake3(h) => {
                h.update(bytes);
            }
            Self::Sha3(h) => Update::update(h.as_mut(), bytes),
        }
    }

    /// A field of numbers of eight bytes each, which may be secret.
    pub(crate) fn words(&mut self, words: impl ExactSizeIterator<Item = u64>) {
        self.begin_field(8 * words.len() as u64);
        let mut buffer = Zeroizing::new([0; 8 << 7]);
        let mut words = words.peekable();
        while words.peek().is_some() {
            let mut len = 0;
            for (out, word) in buffer.as_chunks_mut().0.iter_mut().zip(&mut words) {
                *out = word.to_le_bytes();
                len += out.len();
            }
            self.update(&buffer[..len]);
        }
    }

    pub(crate) fn finish(mut self) -> Digest {
        match &mut self {
            Self::Blake3(h) => Digest::from_slice(h.finalize().as_bytes()),
            Self::Sha3(h) => Digest::from_slice(&h.finalize_reset()),
        }
    }

    /// The first 32 bytes of the digest, as key material.
    pub(crate) fn finish_key(self) -> [u8; 32] {
        let mut digest = self.finish();
        let mut key = [0; 32];
        key.copy_from_slice(&digest.as_bytes()[..32]);
        digest.zeroize();
        key
    }
}

impl Drop for Hasher {
    fn drop(&mut self) {
        match self {
            Self::Blake3(h) => h.zeroize(),
            // Erases itself.
            Self::Sha3(_) => (),
        }
    }
}

/// A long public output with random access.
///
/// BLAKE3: its own seekable output of H(tag, digest). SHA-3: chunk c of 8 KiB is SHAKE256 over the
/// same fields and c.
pub(crate) enum Xof {
    Blake3(Box<blake3::OutputReader>),
    Shake(Box<Shake256>),
}

const SHAKE_CHUNK: u64 = 8192;

impl Xof {
    pub(crate) fn new(suite: HashSuite, tag: &'static str, digest: &Digest) -> Self {
        match &Hasher::new(suite, tag).field(digest.as_bytes()) {
            Hasher::Blake3(h) => Self::Blake3(Box::new(h.finalize_xof())),
            Hasher::Sha3(_) => {
                let mut state = Shake256::default();
                for field in [DOMAIN, tag.as_bytes(), digest.as_bytes()] {
                    state.update(&(field.len() as u64).to_le_bytes());
                    state.update(field);
                }
                Self::Shake(Box::new(state))
            }
        }
    }

    /// Bytes [`offset`, `offset + out.len()`) of the output.
    #[expect(clippy::integer_division_remainder_used, reason = "offsets are public")]
    pub(crate) fn read_at(&self, offset: u64, out: &mut [u8]) {
        match self {
            Self::Blake3(reader) => {
                let mut reader = reader.as_ref().clone();
                reader.set_position(offset);
                reader.fill(out);
            }
            Self::Shake(state) => {
                let mut done = 0;
                while done < out.len() {
                    let at = offset + done as u64;
                    let (chunk, skip) = (at / SHAKE_CHUNK, (at % SHAKE_CHUNK) as usize);
                    let mut block = [0; SHAKE_CHUNK as usize];
                    let mut state = state.as_ref().clone();
                    state.update(&8_u64.to_le_bytes());
                    state.update(&chunk.to_le_bytes());
                    state.finalize_xof().read(&mut block);
                    let take = (block.len() - skip).min(out.len() - done);
                    out[done..done + take].copy_from_slice(&block[skip..skip + take]);
                    done += take;
                }
            }
        }
    }
}
