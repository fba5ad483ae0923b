//! [`Statement`]: the parameters, the seed of A, and T by the hashes of its blocks.

use std::sync::Arc;

use crate::error::{Error, Malformation};
use crate::format::{STATEMENT_HEADER_LEN, StatementHeader};
use crate::hash::{Digest, Hasher};
use crate::params::{BLOCK, Params, Security};
use crate::shard::range::Shard;
use crate::source::ReadAt;
use crate::words::{ModQ, Word};

/// What is proved: "I know S with T = A S mod q and short columns". T itself is held only if the
/// statement was [loaded](Self::load), else its block hashes alone.
#[derive(Clone, Debug)]
pub struct Statement {
    params: Params,
    seed_a: [u8; 32],
    t_hashes: Vec<Digest>,
    t: Option<Arc<ModQ>>,
}

/// Two statements are equal if their files are, whether or not T is held.
impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        (&self.params, &self.seed_a, &self.t_hashes)
            == (&other.params, &other.seed_a, &other.t_hashes)
    }
}

impl Eq for Statement {}

impl Statement {
    pub(crate) fn new(params: Params, seed_a: [u8; 32], t_hashes: Vec<Digest>) -> Self {
        debug_assert_eq!(t_hashes.len() as u64, params.blocks(), "one hash a block");
        Self { params, seed_a, t_hashes, t: None }
    }

    /// Reads a statement file: checks its header and size, its security unless that is waived, then
    /// hashes T block by block.
    ///
    /// Who wrote the file chose its parameters, and a proof for weak ones shows nothing.
    ///
    /// Memory: one block of T a thread, and for each block 65 bytes, some 150 while it is read.
    ///
    /// # Errors
    /// [`Error::Malformed`] or [`Error::Io`]; those of [`Params::check_security`], unless it is
    /// waived.
    pub fn read(file: &dyn ReadAt, security: Security) -> Result<Self, Error> {
        let (params, seed_a) = read_header(file, security)?;
        let t_hashes = hash_blocks(file, &params, Shard::whole(&params))?;
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
            load_blocks::<u32>(file, &params)?
        } else {
            load_blocks::<u64>(file, &params)?
        };
        Ok(Self { t: Some(Arc::new(t)), ..Self::new(params, seed_a, t_hashes) })
    }

    /// T, if it is held.
    pub(crate) fn columns<W: Word>(&self) -> Option<&[W]> {
        self.t.as_deref().and_then(W::of)
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

    /// Column `index` of T, r words, from the statement's file, whose block is checked against its
    /// hash.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no such column; [`Error::Io`]; [`Error::Malformed`] if the
    /// file has changed since the statement was read.
    pub fn column(&self, file: &dyn ReadAt, index: u64) -> Result<Vec<u64>, Error> {
        let params = &self.params;
        if index >= params.l() {
            return Err(Error::parameter("column", index, "a column of the statement"));
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

    /// Digest D of the statement in a user's context: H("statement", header, T's block hashes,
    /// context).
    #[must_use]
    pub fn digest(&self, context: &[u8]) -> Digest {
        Hasher::new(self.params.hash(), "statement")
            .field(&self.params.header(self.seed_a).hashed_bytes())
            .digests(&self.t_hashes)
            .field(context)
            .finish()
    }
}

/// Parses and checks the header, that the file has exactly the size that it implies, and its
/// security unless waived.
pub(crate) fn read_header(
    file: &dyn ReadAt,
    security: Security,
) -> Result<(Params, [u8; 32]), Error> {
    let malformed = |problem| Error::Malformed { what: "statement", problem };
    let (got, header) = (file.len(), STATEMENT_HEADER_LEN as u64);
    if got < header {
        return Err(malformed(Malformation::TooShort { got, header }));
    }
    let mut bytes = [0; STATEMENT_HEADER_LEN];
    file.read_at(0, &mut bytes).map_err(Error::io("statement"))?;
    let header = StatementHeader::parse(&bytes).map_err(malformed)?;
    let params = Params::from_header(&header).map_err(malformed)?;
    let expected = params.statement_bytes();
    if u128::from(got) != expected {
        return Err(malformed(Malformation::Length { got, expected }));
    }
    Ok((params.judged(security)?, header.seed_a))
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
    let offset = STATEMENT_HEADER_LEN as u64 + index * u64::from(BLOCK) * column;
    file.read_at(offset, buffer)
}

/// Reads consecutive blocks of T from a statement file, from block `first` on, and compares them
/// with their hashes: what is computed from them belongs to the statement's digest, even if the
/// file is another by now.
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

/// Hashes a shard's blocks of T, read from a statement file.
///
/// # Errors
/// [`Error::Io`].
pub fn hash_blocks(file: &dyn ReadAt, params: &Params, shard: Shard) -> Result<Vec<Digest>, Error> {
    let blocks = shard.blocks();
    crate::parallel::try_map(blocks.end - blocks.start, |i| {
        let index = blocks.start + i;
        let mut buffer = vec![0; block_bytes(params, index)];
        read_block(file, params, index, &mut buffer).map_err(Error::io("statement"))?;
        Ok(block_hash(params, index, &buffer))
    })
}

/// The hashes of consecutive blocks of T from block `first` on, whose bytes these are.
pub(crate) fn hash_bytes(params: &Params, first: u64, bytes: &[u8]) -> Vec<Digest> {
    let block = block_bytes(params, first);
    let mut hashes = vec![Digest::from_slice(&[]); bytes.len().div_ceil(block)];
    crate::parallel::for_chunks(&mut hashes, 1, |i, hash| {
        let part = &bytes[i * block..bytes.len().min((i + 1) * block)];
        hash[0] = block_hash(params, first + i as u64, part);
    });
    hashes
}

/// Reads all of T: the hashes of its blocks, and its words.
fn load_blocks<W: Word>(file: &dyn ReadAt, params: &Params) -> Result<(Vec<Digest>, ModQ), Error> {
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
    Ok((hashes?, W::wrap(t)))
}
