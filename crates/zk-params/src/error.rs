//! [`Error`]: why an operation cannot be done; [`Reason`]: why a proof is not valid.

use alloc::sync::Arc;

use crate::io;

/// The error of a `Device`.
pub type DeviceError = Arc<dyn core::error::Error + Send + Sync>;

/// A request or an input that cannot be served. Nothing here depends on a secret except where a
/// variant says so.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter lies outside the range in which the protocol is defined.
    #[error("parameter {0}")]
    Parameter(#[from] ParameterError),
    /// The parameters give less than lambda bits against a known attack, or sigma is too small for
    /// the distance from simulated transcripts that lambda promises. `Security::Waived` accepts
    /// them.
    #[error(transparent)]
    Insecure(#[from] Weakness),
    /// No preset, requirement, parameters, columns or slots are there for a request; T is not in
    /// memory; a public key is not its column of T; a matrix A belongs to another statement, or a
    /// given A' is not r x (v - r) entries below 2^w, or weak.
    #[error(transparent)]
    Request(#[from] RequestProblem),
    /// A witness, or messages, of another length than the parameters say, or with an entry or a
    /// norm beyond their bounds. Says where, not what: entries are secret.
    #[error(transparent)]
    Witness(#[from] WitnessProblem),
    /// T is not A S for this witness, or nobody knows that it is. Arguments compare; a plain proof
    /// notices where T has an owner's digest, or is rounded and far from A S; else it is invalid,
    /// or about the T of the file where that is near.
    #[error("the witness does not belong to this statement")]
    ForeignWitness,
    /// A fact that was to be proved does not hold for this witness, or an entry is not in its
    /// range, or a constraint of a circuit is not satisfied.
    #[error("the fact, the ranges or the circuit do not hold for this witness")]
    FalseFact,
    /// A proof about a circuit, or about public instances, was to be verified without these.
    #[error("the proof is about a circuit or public keys, which whoever verifies it has to state")]
    StatedByOthers,
    /// A proof file, which proves nothing about this statement in this context. This verdict is
    /// final; of all other errors of a check, which is then without a verdict, whoever has the
    /// files may be able to mend the cause. The proof shows nothing in either case.
    #[error("invalid proof: {0}")]
    Invalid(#[from] Reason),
    /// A shard, or the shards together, cannot be used.
    #[cfg_attr(not(feature = "shards"), doc(hidden))]
    #[error(transparent)]
    Shard(ShardProblem),
    /// No attempt became a proof. With wide masks this has probability below 2^-500; with narrow
    /// masks a proof is one attempt, which fails with probability below 2^-60; with mixed masks the
    /// first that exceeds a bound is the last, with probability below 2^-50 (and this says 1).
    #[error("no proof in {0} attempts: sigma is too small for this witness, or T is not A S")]
    TooManyAttempts(u32),
    /// An observer (`PublicMatrix::with_observer`) ended the computation.
    #[error("cancelled")]
    Cancelled,
    /// A statement or proof file is not well formed.
    #[error("{what}: {problem}")]
    Malformed {
        /// `statement` or `proof`.
        what: &'static str,
        /// The error.
        problem: Malformation,
    },
    /// Reading the witness, or reading or writing T, failed.
    #[error("{what}: {source}")]
    Io {
        /// Which data.
        what: &'static str,
        /// The underlying error.
        source: Arc<io::Error>,
    },
    /// The device that was to sample and multiply failed.
    #[cfg_attr(not(feature = "device"), doc(hidden))]
    #[error("{0}")]
    Device(DeviceError),
    /// The randomness source failed.
    #[error(transparent)]
    Randomness(#[from] tautochrone_ctr::Error),
}

impl From<MatrixProblem> for Error {
    fn from(problem: MatrixProblem) -> Self {
        Self::Request(problem.into())
    }
}

impl Error {
    #[doc(hidden)]
    pub fn parameter(name: &'static str, got: impl Into<u128>, expected: &'static str) -> Self {
        Self::Parameter(ParameterError { name, got: got.into(), expected })
    }

    /// [`Self::parameter`], unless this holds.
    #[doc(hidden)]
    pub fn unless(
        holds: bool,
        name: &'static str,
        got: impl Into<u128>,
        expected: &'static str,
    ) -> Result<(), Self> {
        Ok(ParameterError::unless(holds, name, got, expected)?)
    }

    /// Makes errors of reading or writing `what`, for `map_err`.
    #[doc(hidden)]
    pub fn io(what: &'static str) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Io { what, source: Arc::new(source) }
    }
}

/// A parameter, and what it was expected to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} is {got}; expected {expected}")]
pub struct ParameterError {
    /// Name as in the protocol description.
    pub name: &'static str,
    /// The offending value.
    pub got: u128,
    /// The accepted values.
    pub expected: &'static str,
}

impl ParameterError {
    /// This error, unless something holds.
    pub(crate) fn unless(
        holds: bool,
        name: &'static str,
        got: impl Into<u128>,
        expected: &'static str,
    ) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self { name, got: got.into(), expected }) }
    }
}

/// Why parameters are not secure.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Weakness {
    /// An attack is too cheap.
    #[error(
        "insecure parameters: {attack} costs about 2^{bits:.1} operations; 2^{required} are required"
    )]
    Attack {
        /// Which attack.
        attack: &'static str,
        /// Its estimated classical cost in bits.
        bits: f64,
        /// lambda.
        required: u32,
    },
    /// sigma does not hide the witness.
    #[error("sigma {got} is too small to hide the witness; at least {needed} is needed")]
    Sigma {
        /// The given sigma.
        got: u64,
        /// alpha times the bound on ||S C||.
        needed: u64,
    },
}

/// A request that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestProblem {
    /// No dimensions reach a goal: before binding is strong enough, 4 B exceeds 2^(w-1).
    #[error(
        "no parameters with w = {w} bind {l} columns with entries up to {b}; take w = 64, fewer columns or a smaller bound"
    )]
    NoParameters {
        /// log2 q.
        w: u32,
        /// Bound on the entries of the witness.
        b: u32,
        /// Columns of the witness.
        l: u64,
    },
    /// No preset has this name.
    #[error("unknown preset; known are {}", .0.join(", "))]
    Preset(&'static [&'static str]),
    /// A column was to be opened that no opening may show: its pads mask what proofs send.
    #[error(
        "column {column} masks proofs, and is never opened; columns {} to {} are closed",
        closed.start, closed.end - 1
    )]
    ClosedColumn {
        /// Column, from 0.
        column: u64,
        /// The columns that are never opened.
        closed: core::ops::Range<u64>,
    },
    /// A text is no `Requirement`, or one that no proof can meet.
    #[error(
        "expected exact-keys:S:E, range:[FIRST+]ROWS:LOW:HIGH with 0 in it, or \
         norm:[FIRST+]ROWS:SQUARED, as exact-keys:1:1, range:1024:0:1 or norm:1024:15476"
    )]
    Requirement,
    /// Every slot of pads of some commitments was used for another claim.
    #[error("all {slots} slots of pads of these commitments are used, each for one claim")]
    NoSlot {
        /// How many there are.
        slots: u32,
    },
    /// T of a statement that was not loaded, and no file to read it from.
    #[error("T is not in memory; load the statement, or prove and verify with its file")]
    NotLoaded,
    /// A matrix A that cannot be used.
    #[error(transparent)]
    Matrix(#[from] MatrixProblem),
    /// A public key is not the column of T with its number, the first that is not.
    #[error("key {column} is not column {column} of T: they differ in row {row}")]
    Key {
        /// Column, from 0.
        column: u64,
        /// Its first row that differs, from 0.
        row: u64,
    },
    /// Public keys to compare with are not r x l words.
    #[error(
        "the keys have {got} bytes; expected {expected} (l keys of r words of ceil(w / 8) bytes)"
    )]
    KeysLength {
        /// Bytes present.
        got: u64,
        /// Bytes of r l words.
        expected: u64,
    },
}

/// A matrix A that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixProblem {
    /// A matrix A was used with a statement that has other parameters or another seed of A.
    #[error("the matrix A belongs to another statement")]
    Foreign,
    /// A given A' is not as many bytes as its entries have.
    #[error(
        "the given A' has {got} bytes; expected {expected} (r rows of v - r entries of ceil(w / 8) bytes)"
    )]
    Length {
        /// Bytes present.
        got: u64,
        /// Bytes of its entries.
        expected: u64,
    },
    /// An entry of a given A' is 2^w or more.
    #[error("entry at row {row}, column {column} of the given A' is 2^{w} or more")]
    Entry {
        /// Row, from 0.
        row: u64,
        /// Column, from 0.
        column: u64,
        /// log2 q.
        w: u32,
    },
    /// A row or column of a given A' is one that a uniform A' has with probability below 2^-128,
    /// and that makes LWE or SIS easy.
    #[error("{line} {index} of the given A' {fault}: LWE or SIS is easy for it")]
    Weak {
        /// `row` or `column`.
        line: &'static str,
        /// Its number, from 0.
        index: u64,
        /// The error.
        fault: &'static str,
    },
}

/// A witness, messages or secrets that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WitnessProblem {
    /// A witness entry exceeds b. Says where, not what: the value is secret.
    #[error("witness entry at row {row}, column {column} exceeds the bound b = {b}")]
    Bound {
        /// Row, from 0.
        row: u64,
        /// Column, from 0.
        column: u64,
        /// The bound.
        b: u32,
    },
    /// The sum of the squares of all entries of the witness exceeds F^2, the public bound from
    /// which sigma was computed.
    #[error(
        "the witness is longer than its parameters allow: its squared norm exceeds F^2 = {most}"
    )]
    Norm {
        /// F^2.
        most: u128,
    },
    /// The sum of the squares of all entries of the witness is below that sum for Gaussian entries,
    /// so that narrow masks do not hide it.
    #[error(
        "the witness is shorter than its parameters say: its squared norm is below {least}, and \
         narrow masks would not hide it"
    )]
    Short {
        /// Eight standard deviations below the mean.
        least: u128,
    },
    /// The witness does not have v x l entries.
    #[error("witness has {got} entries; expected {expected} (v * l, column after column)")]
    Length {
        /// Entries present.
        got: u64,
        /// v l.
        expected: u64,
    },
    /// A witness file is not as long as v x l entries are.
    #[error(
        "witness has {got} bytes; expected {expected} (v * l signed entries of {width} bytes, \
         little-endian, column after column)"
    )]
    FileLength {
        /// Bytes present.
        got: u64,
        /// v l times the width.
        expected: u128,
        /// Bytes of an entry: 1 where no b exceeds 127, 2 up to 32767, 4 above.
        width: usize,
    },
    /// Entries of a witness that is in bytes may need more than a byte.
    #[error("entries of the witness may be as large as b = {b}, more than a byte holds")]
    Wide {
        /// The largest bound.
        b: u32,
    },
    /// Messages to commit to are not rows x l entries.
    #[error(
        "messages have {got} entries; expected {expected} (message rows * l, column after column)"
    )]
    Messages {
        /// Entries present.
        got: u64,
        /// rows l.
        expected: u64,
    },
    /// Binary challenges: the witness' operator norm could not be certified to lie below the public
    /// bound.
    #[error("the largest singular value of the witness is not certified to be at most {bound}")]
    OperatorNorm {
        /// The public bound s.
        bound: u64,
    },
}

/// An error of a shard, or of the shards together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardProblem {
    /// Not a shard file.
    #[error("not a witness shard (its first bytes differ, or it is shorter than its header)")]
    Magic,
    /// Made for another statement.
    #[error("the shard's {name} is {got}; this statement needs {expected}")]
    Parameter {
        /// Which parameter.
        name: &'static str,
        /// In the shard.
        got: u64,
        /// In the statement.
        expected: u64,
    },
    /// The length of the file is not what its header implies.
    #[error("the shard has {got} bytes; its header implies {expected} (truncated or extended?)")]
    Length {
        /// Bytes present.
        got: u64,
        /// Bytes implied.
        expected: u128,
    },
    /// No range of whole blocks within the statement.
    #[error(
        "{count} columns from {first} on are no whole blocks of 256 columns among the statement's {l}"
    )]
    Range {
        /// First column.
        first: u64,
        /// Columns.
        count: u64,
        /// Columns of the statement.
        l: u64,
    },
    /// Columns that nobody has.
    #[error("no shard holds columns {first} to {}", end - 1)]
    Gap {
        /// First missing column.
        first: u64,
        /// Column after the last missing one.
        end: u64,
    },
    /// A column that two shards have.
    #[error("shards {one} and {other} both hold column {column}")]
    Overlap {
        /// A shard, by its place in the list.
        one: usize,
        /// Another.
        other: usize,
        /// The first such column.
        column: u64,
    },
    /// The number of block hashes differs from the number of blocks.
    #[error("{got} block hashes; the statement has {expected} blocks")]
    Hashes {
        /// Hashes given.
        got: u64,
        /// Blocks.
        expected: u64,
    },
    /// The sum M = S C of all parts has the wrong shape, or an entry beyond b l.
    #[error("the sum of the parts of S C is not v x n, or has entries beyond b l")]
    Sum,
    /// Workers sent the wrong number of field elements for an argument, or values that contradict
    /// earlier ones.
    #[error(
        "what the workers sent for an argument is not one element of the field for each of its values"
    )]
    Elements,
    /// The product T C has the wrong word size or shape.
    #[error("the sum of the parts of T C is not r x n words modulo 2^w")]
    Product,
    /// Binary challenges are not offered in shards.
    #[error("binary challenges need a norm of the whole witness; take ternary ones")]
    Binary,
}

/// Why a well-formed proof is not valid for a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The proof was made for another statement, other parameters or another context.
    #[error("the proof is for another statement, other parameters or another context")]
    OtherStatement,
    /// The proof was made for another fact or claim, another slot of pads, or another T.
    #[error("the proof is for another fact or claim, another slot of pads or another T")]
    OtherFact,
    /// A valid proof does not show what was required of it.
    #[error("the proof is valid, and does not show requirement {index}")]
    Requirement {
        /// Which of the requirements, the first that it does not show, from 0.
        index: usize,
    },
    /// A part of the proof is not what an honest prover sends.
    #[error(transparent)]
    Content(#[from] Fault),
}

/// A part of a proof that is not what an honest prover sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Reserved bytes of the header are not zero.
    #[error("the proof's header was altered: its reserved bytes are not zero")]
    Header,
    /// An element of the field of arguments is not encoded by words below p.
    #[error("field element {index} of the argument is not reduced modulo p")]
    FieldElement {
        /// Which, from 0, in the order of the file: the values of the columns come last.
        index: u64,
    },
    /// The values of the columns do not satisfy the equations of the claims.
    #[error("the values of the columns do not satisfy the equations of the argument")]
    Equation,
    /// The encoding of Z, hints or elements is not the one that the encoder would produce.
    #[error("an encoding is not canonical")]
    Encoding,
    /// An entry of Z exceeds 14 standard deviations of its row.
    #[error("an entry of Z in column {column} exceeds 14 standard deviations")]
    EntryTooLarge {
        /// Column of Z, from 0.
        column: u32,
    },
    /// A column of (Z_1, E) is longer than B.
    #[error("column {column} of Z is longer than the bound B")]
    NormTooLarge {
        /// Column of Z, from 0.
        column: u32,
    },
    /// W = A Z - T C does not hash to the challenge.
    #[error("the challenge does not match A Z - T C")]
    Challenge,
}

/// An error of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformation {
    /// Shorter than its fixed part.
    #[error("file has {got} bytes, too short for its header of {header}")]
    TooShort {
        /// Bytes present.
        got: u64,
        /// Bytes of the header.
        header: u64,
    },
    /// The first eight bytes are not the expected ones.
    #[error("not a file of this kind (its first eight bytes differ)")]
    Magic,
    /// The first eight bytes name another kind of file.
    #[error("this file is {found}")]
    OtherKind {
        /// The kind that it has.
        found: &'static str,
    },
    /// Another format version.
    #[error("format version {got}; this program reads version {known}")]
    Version {
        /// Version in the file.
        got: u16,
        /// The newest version understood.
        known: u16,
    },
    /// The length of the file is not what its header implies.
    #[error("file has {got} bytes; its header implies {expected} (truncated or extended?)")]
    Length {
        /// Bytes present.
        got: u64,
        /// Bytes implied.
        expected: u128,
    },
    /// Longer than any proof of its statement.
    #[error("file has more than {most} bytes, the most that a proof of this statement can have")]
    TooLong {
        /// Bytes of the longest.
        most: u64,
    },
    /// A block of T is not the one that was read before.
    #[error("block {0} of T has changed since the statement was read")]
    Block(u64),
    /// A column of T ends in bits that belong to no word and are not zero.
    #[error("a column in block {0} of T has padding bits that are not zero")]
    Padding(u64),
    /// A circuit file with more sections than one has a use for.
    #[error("file has {got} sections; expected at most {most}")]
    Sections {
        /// Sections that the file says it has.
        got: u32,
        /// The most that are read.
        most: u32,
    },
    /// A number of a circuit file is no element of the field.
    #[error("{what} {index} is not below 2^61 - 1")]
    Element {
        /// The name of the number.
        what: &'static str,
        /// Which constraint it is in, or which wire it is the value of.
        index: u32,
    },
    /// A section of a circuit file is missing, or there twice, or not as long as it says.
    #[error("section {0} is missing, or there twice, or has another length than its content")]
    Section(u32),
    /// A header field has a value that no version defines.
    #[error("header field {0} has an undefined value")]
    Field(&'static str),
    /// A parameter in the header lies outside the range in which the protocol is defined.
    #[error("header parameter {0}")]
    Parameter(#[from] ParameterError),
}
