//! [`Statement`]: the parameters, the seed of A, and T by the hashes of its blocks.

use std::sync::Arc;

use crate::codec::Encoding;
use crate::engine::Word;
use crate::error::{Error, Malformation};
use crate::hash::{Digest, HashSuite, Hasher};
use crate::params::{BLOCK, Challenge, Memo, Params, Security};
use crate::source::ReadAt;

const MAGIC: &[u8; 8] = b"TCZKstmt";
/// Version of the statement and proof formats and of the transcript.
pub const VERSION: u16 = 1;
/// How A is expanded: 1 = AES-128-CTR.
pub(crate) const GENERATOR: u8 = 1;
/// Bytes before T in a statement file.
pub(crate) const HEADER_LEN: usize = 112;

/// What is proved: "I know S with T = A S mod q and short columns". T itself is held only if the statement was
/// [loaded](Self::load), else its block hashes alone.
#[derive(Clone, Debug)]
pub struct Statement {
    params: Params,
    seed_a: [u8; 32],
    t_hashes: Vec<Digest>,
    t: Option<Arc<Columns>>,
}

/// Two statements are equal if their files are, whether or not T is held.
impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        (&self.params, &self.seed_a, &self.t_hashes)
            == (&other.params, &other.seed_a, &other.t_hashes)
    }
}

impl Eq for Statement {}

/// T in memory, column after column.
pub(crate) enum Columns {
    W32(Vec<u32>),
    W64(Vec<u64>),
}

impl core::fmt::Debug for Columns {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Columns").finish_non_exhaustive()
    }
}

impl Statement {
    pub(crate) fn new(params: Params, seed_a: [u8; 32], t_hashes: Vec<Digest>) -> Self {
        debug_assert_eq!(t_hashes.len() as u64, params.blocks(), "one hash a block");
        Self { params, seed_a, t_hashes, t: None }
    }

    /// Reads a statement file: checks its header and size, its security unless that is waived, then hashes T block by
    /// block.
    ///
    /// Who wrote the file chose its parameters, and a proof for weak ones shows nothing.
    ///
    /// Memory: one block of T a thread, and for each block 65 bytes, some 150 while it is read.
    ///
    /// # Errors
    /// [`Error::Malformed`] or [`Error::Io`]; those of [`Params::check_security`], unless it is waived.
    pub fn read(file: &dyn ReadAt, security: Security) -> Result<Self, Error> {
        let (params, seed_a) = read_header(file, security)?;
        let t_hashes = hash_blocks(&params, |index, buffer| {
            read_block(file, &params, index, buffer).map_err(Error::io("statement"))
        })?;
        Ok(Self::new(params, seed_a, t_hashes))
    }

    /// As [`Self::read`], and holds T: checks then read no file and hash nothing again.
    ///
    /// Memory: T, that is the size of the file.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn load(file: &dyn ReadAt, security: Security) -> Result<Self, Error> {
        let (params, seed_a) = read_header(file, security)?;
        let (t_hashes, t) = if params.w() == 32 {
            let (hashes, words) = load_blocks(file, &params)?;
            (hashes, Columns::W32(words))
        } else {
            let (hashes, words) = load_blocks(file, &params)?;
            (hashes, Columns::W64(words))
        };
        Ok(Self { t: Some(Arc::new(t)), ..Self::new(params, seed_a, t_hashes) })
    }

    /// T, if it is held.
    pub(crate) fn columns<W: Word>(&self) -> Option<&[W]> {
        self.t.as_deref().and_then(W::columns)
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The public seed from which A is expanded.
    #[must_use]
    pub fn seed_a(&self) -> &[u8; 32] {
        &self.seed_a
    }

    /// The hash of each block of [`BLOCK`] columns of T.
    #[must_use]
    pub fn block_hashes(&self) -> &[Digest] {
        &self.t_hashes
    }

    /// Column `index` of T, r words, from the statement's file, whose block is checked against its hash.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no such column; [`Error::Io`]; [`Error::Malformed`] if the file has changed since
    /// the statement was read.
    pub fn column(&self, file: &dyn ReadAt, index: u64) -> Result<Vec<u64>, Error> {
        let params = &self.params;
        if index >= params.l() {
            return Err(Error::Parameter {
                name: "column",
                got: index.into(),
                expected: "a column of the statement",
            });
        }
        let block = index / u64::from(BLOCK);
        let mut bytes = vec![0; block_bytes(params, block)];
        read_checked(
            file,
            params,
            block,
            &mut bytes,
            &self.t_hashes[block as usize..=block as usize],
        )?;
        let width = params.w() as usize / 8;
        let size = params.r() as usize * width;
        let start = (index % u64::from(BLOCK)) as usize * size;
        Ok(words(&bytes[start..start + size], width).collect())
    }

    /// Digest D of the statement in a user's context: H("statement", header, T's block hashes, context).
    #[must_use]
    pub fn digest(&self, context: &[u8]) -> Digest {
        Hasher::new(self.params.hash(), "statement")
            .field(&header(&self.params, &self.seed_a)[MAGIC.len()..])
            .digests(&self.t_hashes)
            .field(context)
            .finish()
    }
}

/// The header of a statement file: every public parameter at its place, little-endian.
pub(crate) fn header(params: &Params, seed_a: &[u8; 32]) -> [u8; HEADER_LEN] {
    let (challenge, norm_bound) = match params.challenge() {
        Challenge::Ternary => (0_u8, 0_u64),
        Challenge::Binary { norm_bound } => (1, norm_bound),
    };
    let mut bytes = Vec::with_capacity(HEADER_LEN);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([
        params.hash() as u8,
        GENERATOR,
        params.encoding() as u8,
        challenge,
        u8::from(params.systematic()),
        0,
    ]);
    for field in [params.lambda(), params.w(), params.r(), params.v(), params.n(), params.b()] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend(params.l().to_le_bytes());
    bytes.extend(params.sigma().to_le_bytes());
    bytes.extend(params.norm_bound_squared().to_le_bytes());
    bytes.extend(norm_bound.to_le_bytes());
    bytes.extend(seed_a);
    bytes.try_into().expect("the fields above are 112 bytes")
}

/// Parses and checks the header, that the file has exactly the size that it implies, and its security unless waived.
pub(crate) fn read_header(
    file: &dyn ReadAt,
    security: Security,
) -> Result<(Params, [u8; 32]), Error> {
    let malformed = |problem| Error::Malformed { what: "statement", problem };
    let field = |name| malformed(Malformation::Field(name));
    let got = file.len();
    if got < HEADER_LEN as u64 {
        return Err(malformed(Malformation::TooShort { got, header: HEADER_LEN as u64 }));
    }
    let mut bytes = [0; HEADER_LEN];
    file.read_at(0, &mut bytes).map_err(Error::io("statement"))?;
    if bytes[..8] != MAGIC[..] {
        return Err(malformed(Malformation::Magic));
    }
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err(malformed(Malformation::Version { got: version, known: VERSION }));
    }
    let hash = HashSuite::from_id(bytes[10]).ok_or_else(|| field("hash"))?;
    if bytes[11] != GENERATOR {
        return Err(field("generator"));
    }
    let encoding = Encoding::from_id(bytes[12]).ok_or_else(|| field("encoding"))?;
    let norm_bound = u64_at(72);
    let challenge = match (bytes[13], norm_bound) {
        (0, 0) => Challenge::Ternary,
        (1, norm_bound) => Challenge::Binary { norm_bound },
        _ => return Err(field("challenge")),
    };
    let systematic = match bytes[14] {
        0 => false,
        1 => true,
        _ => return Err(field("systematic")),
    };
    if bytes[15] != 0 {
        return Err(field("reserved"));
    }
    let params = Params {
        lambda: u32_at(16),
        w: u32_at(20),
        r: u32_at(24),
        v: u32_at(28),
        n: u32_at(32),
        b: u32_at(36),
        l: u64_at(40),
        sigma: u64_at(48),
        norm_bound_squared: u128::from_le_bytes(bytes[56..72].try_into().expect("sixteen bytes")),
        challenge,
        systematic,
        encoding,
        estimate: Memo::default(),
    }
    .checked()
    .map_err(|e| match e {
        Error::Parameter { name, got, expected } => {
            malformed(Malformation::Parameter { name, got, expected })
        }
        other => other,
    })?;
    if params.hash() != hash {
        return Err(field("hash"));
    }
    let expected = params.statement_bytes();
    if u128::from(got) != expected {
        return Err(malformed(Malformation::Length { got, expected }));
    }
    if security == Security::Required {
        params.check_security()?;
    }
    Ok((params, bytes[80..112].try_into().expect("32 bytes")))
}

/// Bytes of block `index` of T.
pub(crate) fn block_bytes(params: &Params, index: u64) -> usize {
    params.block_columns(index) as usize * params.r() as usize * (params.w() as usize / 8)
}

/// Reads block `index` of T from a statement file.
pub(crate) fn read_block(
    file: &dyn ReadAt,
    params: &Params,
    index: u64,
    buffer: &mut [u8],
) -> std::io::Result<()> {
    let column = u64::from(params.r()) * u64::from(params.w() / 8);
    let offset = HEADER_LEN as u64 + index * u64::from(BLOCK) * column;
    file.read_at(offset, buffer)
}

/// Reads consecutive blocks of T from a statement file, from block `first` on, and compares them with their hashes: what
/// is computed from them belongs to the statement's digest, even if the file is another by now.
///
/// # Errors
/// [`Error::Io`]; [`Error::Malformed`], which names the first block that differs.
pub(crate) fn read_checked(
    file: &dyn ReadAt,
    params: &Params,
    first: u64,
    buffer: &mut [u8],
    hashes: &[Digest],
) -> Result<(), Error> {
    read_block(file, params, first, buffer).map_err(Error::io("statement"))?;
    let block = block_bytes(params, 0);
    crate::parallel::try_map(hashes.len() as u64, |i| {
        let start = i as usize * block;
        let end = buffer.len().min(start + block);
        if block_hash(params, first + i, &buffer[start..end]) == hashes[i as usize] {
            return Ok(());
        }
        Err(Error::Malformed { what: "statement", problem: Malformation::Block(first + i) })
    })
    .map(drop)
}

/// Little-endian words of `width` bytes.
pub(crate) fn words(bytes: &[u8], width: usize) -> impl Iterator<Item = u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    bytes.chunks_exact(width).map(word)
}

/// H("T-block", index, bytes).
pub(crate) fn block_hash(params: &Params, index: u64, bytes: &[u8]) -> Digest {
    Hasher::new(params.hash(), "T-block").number(index).field(bytes).finish()
}

/// Hashes every block that `read` delivers, blocks in parallel.
fn hash_blocks(
    params: &Params,
    read: impl Fn(u64, &mut [u8]) -> Result<(), Error> + Sync,
) -> Result<Vec<Digest>, Error> {
    crate::parallel::try_map(params.blocks(), |index| {
        let mut buffer = vec![0; block_bytes(params, index)];
        read(index, &mut buffer)?;
        Ok(block_hash(params, index, &buffer))
    })
}

/// Reads all of T: the hashes of its blocks, and its words.
fn load_blocks<W: Word>(
    file: &dyn ReadAt,
    params: &Params,
) -> Result<(Vec<Digest>, Vec<W>), Error> {
    let r = params.r() as usize;
    // The header was checked: the file has as many bytes.
    let mut t = vec![W::default(); r * params.l() as usize];
    let size = r * BLOCK as usize;
    let hashes: Result<_, Error> = crate::parallel::try_map_chunks(&mut t, size, |index, words| {
        let index = index as u64;
        let mut buffer = vec![0; block_bytes(params, index)];
        read_block(file, params, index, &mut buffer).map_err(Error::io("statement"))?;
        for (word, bytes) in words.iter_mut().zip(buffer.chunks_exact(W::BYTES)) {
            *word = W::from_bytes(bytes);
        }
        Ok(block_hash(params, index, &buffer))
    });
    Ok((hashes?, t))
}
