//! [`Statement`]: the parameters, which A, and T by the hashes of its blocks.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::blocks::{Blocks, block_hash, hash_blocks, hash_bytes};
use crate::commit;
use crate::entry::parts_of;
use crate::error::{Error, Malformation, RequestProblem};
use crate::format::{MAGIC_LEN, START_LEN, STATEMENT_HEADER_LEN, check_statement_start};
use crate::hash::{Digest, Hasher};
use crate::matrix::PublicMatrix;
use crate::matrix_id::MatrixId;
use crate::owner::{Owner, OwnerDigest};
use crate::params::{BLOCK, Params, Security};
use crate::rounded_off::RoundedOff;
use crate::shard::range::Shard;
use crate::source::{Appended, ReadAt};
use crate::witness::WitnessSource;
use crate::witness::digest::WitnessDigest;
use crate::words::{ModQ, Word, with_t_word};

/// The statement of a proof: "I know S with T = A S mod q and short columns". T itself is held only
/// if the statement was [loaded](Self::load), else its block hashes alone.
///
/// ```
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = custom.validate(Security::Waived)?;
/// # let a = PublicMatrix::new(&params, [1; 32]);
/// # let witness = RandomWitness::new(Seed::from_os()?);
/// # let mut file = Vec::new();
/// # a.commit_and_hold(&witness, &mut file)?;
/// // What a verifier does first, with a file of somebody else: weak parameters are refused.
/// assert!(matches!(Statement::load(&file, Security::Required), Err(Error::Insecure(_))));
/// let statement = Statement::load(&file, Security::Waived)?;
/// let a = PublicMatrix::new(statement.params(), *statement.seed_a());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Statement {
    params: Params,
    matrix_id: MatrixId,
    t_hashes: Vec<Digest>,
    t: Option<Arc<ModQ>>,
    /// Columns of T behind the columns of `t` or of the file, as bytes of a statement file.
    more: Vec<u8>,
    /// For provers, if this process computed T.
    rounded_off: Option<Arc<RoundedOff>>,
    /// Who computed T, for provers.
    owner: Owner,
}

/// Two statements are equal if their files are, whether or not T is held.
impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        (&self.params, &self.matrix_id, &self.t_hashes)
            == (&other.params, &other.matrix_id, &other.t_hashes)
    }
}

impl Eq for Statement {}

impl Statement {
    pub(crate) fn new(params: Params, matrix_id: MatrixId, t_hashes: Vec<Digest>) -> Self {
        debug_assert_eq!(t_hashes.len() as u64, params.blocks(), "one hash a block");
        let (more, owner) = (Vec::new(), Owner::default());
        Self { params, matrix_id, t_hashes, t: None, more, rounded_off: None, owner }
    }

    /// The same statement, holding T.
    pub(crate) fn holding(self, t: ModQ) -> Self {
        Self { t: Some(Arc::new(t)), ..self }
    }

    /// The statement about these columns and more behind them, given by `more` as bytes of a
    /// statement file, under the parameters and the A of all. Full blocks have the hashes that they
    /// have already; it holds T if this statement does.
    ///
    /// # Errors
    /// [`Error::Request`] if the last block is not full and T is neither in memory nor in a file;
    /// errors of reading it.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(crate) fn extended(
        &self,
        params: &Params,
        matrix_id: MatrixId,
        file: Option<&dyn ReadAt>,
        more: &[u8],
    ) -> Result<Self, Error> {
        let full = self.params.l() / u64::from(BLOCK);
        let (mut hashes, last) = (self.t_hashes.clone(), self.t_hashes.get(full as usize));
        let mut bytes = match last {
            Some(hash) => self.last_block(full, hash, file)?,
            None => Vec::new(),
        };
        bytes.extend_from_slice(more);
        hashes.truncate(full as usize);
        hashes.extend(hash_bytes(params, full, &bytes));
        let extended = Self::new(params.clone(), matrix_id, hashes);
        Ok(Self { t: self.t.clone(), more: more.to_vec(), ..extended })
    }

    /// The bytes of the block that is not full.
    fn last_block(
        &self,
        block: u64,
        hash: &Digest,
        file: Option<&dyn ReadAt>,
    ) -> Result<Vec<u8>, Error> {
        let params = &self.params;
        let (r, start) = (params.r() as usize, block as usize * BLOCK as usize);
        let loaded = with_t_word!(params, W => {
            let words = self.columns::<W>();
            words.map(|words| Word::pack(&words[start * r..], r, params.t_width()))
        });
        if let Some(bytes) = loaded {
            return Ok(bytes);
        }
        let file = file.ok_or(Error::Request(RequestProblem::NotLoaded))?;
        Blocks::new(file, params).read_checked(block, hash, <[u8]>::to_vec)
    }

    /// Reads a statement file: checks its header and size, its security unless that is waived, then
    /// hashes T block by block.
    ///
    /// Who wrote the file chose its parameters, and a proof for weak ones shows nothing.
    ///
    /// Memory: one block of T a thread, and for each block 65 bytes, some 150 while it is read.
    ///
    /// # Errors
    /// [`Error::Malformed`] or [`Error::Io`]; unless waived, [`Error::Insecure`] or
    /// [`Error::Parameter`].
    pub fn read(file: &dyn ReadAt, security: Security) -> Result<Self, Error> {
        let (params, matrix_id) = read_header(file, security)?;
        let t_hashes = hash_blocks(file, &params, Shard::whole(&params))?;
        Ok(Self::new(params, matrix_id, t_hashes))
    }

    /// As [`Self::read`], and holds T: checks then read no file and hash nothing again.
    ///
    /// Memory: T, that is the size of the file.
    ///
    /// # Errors
    /// [`Error::Malformed`] or [`Error::Io`]; unless waived, [`Error::Insecure`] or
    /// [`Error::Parameter`].
    pub fn load(file: &dyn ReadAt, security: Security) -> Result<Self, Error> {
        let (params, matrix_id) = read_header(file, security)?;
        let (t_hashes, t) = with_t_word!(params, W => load_blocks::<W>(file, &params)?);
        Ok(Self::new(params, matrix_id, t_hashes).holding(t))
    }

    /// Whether T is held.
    pub(crate) fn is_loaded(&self) -> bool {
        self.t.is_some()
    }

    /// T, rounded as it is published, if it is held.
    pub(crate) fn columns<W: Word>(&self) -> Option<&[W]> {
        self.t.as_deref().and_then(W::of)
    }

    /// The columns of T behind [`Self::columns`].
    pub(crate) fn more_columns<W: Word>(&self) -> Vec<W> {
        let (params, r) = (&self.params, self.params.r() as usize);
        let mut words = vec![W::default(); parts_of(&self.more, params.column_bytes()) * r];
        // Its own bytes, or checked where the bytes of a proof were decoded.
        let _ = Word::unpack(&self.more, r, params.t_width(), &mut words);
        words
    }

    /// All of T, where its first columns are in this file.
    pub(crate) fn file_of_all<'a>(&'a self, file: &'a dyn ReadAt) -> Appended<'a> {
        Appended { file, more: &self.more }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The public seed from which A is expanded; the first bytes of the digest of A' where that was
    /// given.
    #[must_use]
    pub fn seed_a(&self) -> &[u8; 32] {
        self.matrix_id.seed()
    }

    /// Which A it is about.
    pub(crate) const fn matrix_id(&self) -> &MatrixId {
        &self.matrix_id
    }

    /// The hash of each block of [`BLOCK`] columns of T.
    #[doc(hidden)]
    #[must_use]
    pub fn block_hashes(&self) -> &[Digest] {
        &self.t_hashes
    }

    /// Column `index` of T, r words modulo q, from the statement's file, whose block is checked
    /// against its hash. Where T is rounded, they are multiples of 2^dT.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no such column; [`Error::Io`]; [`Error::Malformed`] if the
    /// file has changed since the statement was read.
    #[expect(clippy::integer_division_remainder_used, reason = "indices of columns are public")]
    pub fn column(&self, file: &dyn ReadAt, index: u64) -> Result<Vec<u64>, Error> {
        let params = &self.params;
        Error::unless(index < params.l(), "column", index, "a column of the statement")?;
        let block = index / u64::from(BLOCK);
        let (r, width, size) = (params.r() as usize, params.t_width(), params.column_bytes());
        let start = (index % u64::from(BLOCK)) as usize * size;
        let mut words = vec![0_u64; r];
        Blocks::new(file, params).read_checked(block, &self.t_hashes[block as usize], |bytes| {
            // The block is the one whose padding was checked.
            let _ = Word::unpack(&bytes[start..start + size], r, width, &mut words);
        })?;
        Ok(words.into_iter().map(|word| word << params.round_t()).collect())
    }

    /// Of an S that may be another: what was rounded off A S is forgotten.
    pub(crate) fn with_owner(self, owner: Owner) -> Self {
        Self { owner, rounded_off: None, ..self }
    }

    /// What is rounded off T or its last columns, if it is known to belong to the owner's S.
    pub(crate) const fn rounded_off(&self) -> Option<&Arc<RoundedOff>> {
        self.rounded_off.as_ref()
    }

    pub(crate) fn with_rounded_off(self, rounded_off: Option<Arc<RoundedOff>>) -> Self {
        Self { rounded_off, ..self }
    }

    /// H("owner", H(S), D) of the witness S and this statement, in no context, if
    /// [`PublicMatrix::commit`](crate::PublicMatrix::commit) returned it or the digest was
    /// [given](Self::with_owner_digest): an owner stores it beside S to prove about a statement
    /// file later without multiplying again.
    ///
    /// Secret as S is: whoever knows it can test guesses of all of S.
    #[must_use]
    pub fn owner_digest(&self) -> Option<&[u8; 32]> {
        match &self.owner {
            Owner::Digest(digest) => Some(digest.as_bytes()),
            _ => None,
        }
    }

    /// The statement with the digest that its owner stored. Provers of arguments then answer for
    /// the witness of this digest, about the T of this digest, and refuse all others by
    /// [`Error::ForeignWitness`]; without it they compute A S once more to compare, which takes two
    /// to three times as long as a proof.
    ///
    /// The digest is erased with the statement; the caller erases its own copies.
    #[must_use]
    pub fn with_owner_digest(self, digest: [u8; 32]) -> Self {
        self.with_owner(Owner::Digest(OwnerDigest::from_bytes(digest)))
    }

    /// The statement whose T = A S the caller computed, from the S of this digest.
    #[cfg_attr(not(feature = "shards"), doc(hidden))]
    #[must_use]
    pub fn owned_by(self, s: &WitnessDigest) -> Self {
        let digest = self.owner_digest_of(&s.finish(&self.params));
        self.with_owner(Owner::Digest(digest))
    }

    /// H("owner", H(S), D), given H(S).
    fn owner_digest_of(&self, s: &Digest) -> OwnerDigest {
        OwnerDigest::new(self.params.hash(), s, &self.digest(b""))
    }

    /// Whether H(S) is what the statement has the owner's digest of, if it has one.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`].
    pub(crate) fn check_owner_digest(&self, s: &Digest) -> Result<(), Error> {
        match &self.owner {
            Owner::Digest(digest) if !digest.is(&self.owner_digest_of(s)) => {
                Err(Error::ForeignWitness)
            }
            _ => Ok(()),
        }
    }

    /// That T = A S, for the S with this H(S): what every argument needs before anything of it is
    /// returned.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`]; errors of reading S or of a device, where nothing is known of who
    /// computed T.
    pub(crate) fn check_owner(
        &self,
        matrix: &PublicMatrix,
        witness: &dyn WitnessSource,
        s: &Digest,
    ) -> Result<(), Error> {
        let unknown = matches!(self.owner, Owner::Unknown);
        if unknown && commit::hashes(matrix, witness)? != self.block_hashes() {
            return Err(Error::ForeignWitness);
        }
        self.check_owner_digest(s)
    }

    /// As [`Self::check_owner`], for coordinators, where nobody has all of S.
    ///
    /// # Errors
    /// [`Error::ForeignWitness`], also where nothing is known of who computed T.
    pub(crate) fn check_owner_known(&self, s: &Digest) -> Result<(), Error> {
        match &self.owner {
            Owner::Unknown => Err(Error::ForeignWitness),
            _ => self.check_owner_digest(s),
        }
    }

    /// Digest D of the statement in a user's context: H("statement", header, T's block hashes,
    /// context).
    #[must_use]
    pub fn digest(&self, context: &[u8]) -> Digest {
        Hasher::new(self.params.hash(), "statement")
            .field(&self.params.header(&self.matrix_id)[MAGIC_LEN..])
            .digests(&self.t_hashes)
            .field(context)
            .finish()
    }
}

/// The parameters and the A of a statement file, whose header, size and, unless waived, security
/// are checked, but whose T is not read.
///
/// # Errors
/// [`Error::Malformed`] or [`Error::Io`]; unless waived, [`Error::Insecure`] or
/// [`Error::Parameter`].
pub fn read_header(file: &dyn ReadAt, security: Security) -> Result<(Params, MatrixId), Error> {
    let malformed = |problem| Error::Malformed { what: "statement", problem };
    let got = file.len();
    let read = |len: usize| {
        if got < len as u64 {
            return Err(malformed(Malformation::TooShort { got, header: len as u64 }));
        }
        let mut bytes = vec![0; len];
        file.read_at(0, &mut bytes).map_err(Error::io("statement"))?;
        Ok(bytes)
    };
    let start = read(START_LEN)?;
    let start = start.first_chunk().expect("as many were read");
    check_statement_start(start).map_err(malformed)?;
    let header = read(STATEMENT_HEADER_LEN)?;
    let (params, matrix_id) = Params::from_header(&header).map_err(malformed)?;
    let expected = params.statement_bytes();
    if u128::from(got) != expected {
        return Err(malformed(Malformation::Length { got, expected }));
    }
    Ok((params.judged(security)?, matrix_id))
}

/// Reads all of T: the hashes of its blocks, and its words.
fn load_blocks<W: Word>(file: &dyn ReadAt, params: &Params) -> Result<(Vec<Digest>, ModQ), Error> {
    let r = params.r() as usize;
    // The header was checked: the file has as many bytes.
    let mut t = vec![W::default(); r * params.l() as usize];
    let size = r * BLOCK as usize;
    let blocks = Blocks::new(file, params);
    let hashes: Result<_, Error> = crate::parallel::try_map_chunks(&mut t, size, |index, words| {
        let index = index as u64;
        blocks.read(index, |bytes| {
            if !Word::unpack(bytes, r, params.t_width(), words) {
                let problem = Malformation::Padding(index);
                return Err(Error::Malformed { what: "statement", problem });
            }
            Ok(block_hash(params, index, bytes))
        })?
    });
    Ok((hashes?, W::wrap(t)))
}
