//! [`Error`]: why an operation cannot be done; [`VerifyError`] and [`Reason`]: why a proof was not accepted.

use std::io;
use std::sync::Arc;

/// A request or an input that cannot be served. Nothing here depends on a secret except where a variant says so.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter lies outside the range in which the protocol is defined.
    #[error("parameter {name} is {got}; expected {expected}")]
    Parameter {
        /// Name as in the protocol description.
        name: &'static str,
        /// The offending value.
        got: u128,
        /// What would be accepted.
        expected: &'static str,
    },
    /// The parameters give less than lambda bits against a known attack.
    #[error(
        "insecure parameters: {attack} costs about 2^{bits:.1} operations; 2^{required} are required"
    )]
    Insecure {
        /// Which attack.
        attack: &'static str,
        /// Its estimated classical cost in bits.
        bits: f64,
        /// lambda.
        required: u32,
    },
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
    /// sigma is too small for the distance from simulated transcripts that lambda promises.
    #[error("sigma {got} is too small to hide the witness; at least {needed} is needed")]
    SigmaTooSmall {
        /// The given sigma.
        got: u64,
        /// alpha times the bound on ||S C||.
        needed: u64,
    },
    /// No preset has this name.
    #[error("unknown preset; known are {0}")]
    UnknownPreset(&'static str),
    /// A witness entry exceeds b. Says where, not what: the value is secret.
    #[error("witness entry at row {row}, column {column} exceeds the bound b = {b}")]
    WitnessBound {
        /// Row, from 0.
        row: u64,
        /// Column, from 0.
        column: u64,
        /// The bound.
        b: u32,
    },
    /// A matrix A was used with a statement that has other parameters or another seed of A.
    #[error("the matrix A belongs to another statement")]
    ForeignMatrix,
    /// A proof is not valid: a [`VerifyError`] where one error type serves for everything.
    #[error("invalid proof: {0}")]
    Invalid(Reason),
    /// A shard, or the shards together, cannot be used.
    #[error(transparent)]
    Shard(crate::shard::ShardProblem),
    /// The witness is not v x l bytes.
    #[error(
        "witness has {got} bytes; expected {expected} (v * l, one signed byte an entry, column after column)"
    )]
    WitnessLength {
        /// Bytes present.
        got: u64,
        /// v l.
        expected: u64,
    },
    /// Messages to commit to are not rows x l entries.
    #[error(
        "messages have {got} entries; expected {expected} (message rows * l, column after column)"
    )]
    MessageLength {
        /// Entries present.
        got: u64,
        /// rows l.
        expected: u64,
    },
    /// Binary challenges: the witness' operator norm could not be certified to lie below the public bound.
    #[error("the largest singular value of the witness is not certified to be at most {bound}")]
    OperatorNorm {
        /// The public bound s.
        bound: u64,
    },
    /// Every attempt was rejected; with honest parameters this has probability below 2^-500.
    #[error("all {0} attempts were rejected; sigma is too small for this witness")]
    TooManyAttempts(u32),
    /// A statement or proof file is not well formed.
    #[error("{what}: {problem}")]
    Malformed {
        /// `statement` or `proof`.
        what: &'static str,
        /// What is wrong with it.
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
    #[error("{0}")]
    Device(crate::device::DeviceError),
    /// The randomness source failed.
    #[error(transparent)]
    Randomness(#[from] tautochrone_ctr::Error),
    /// The Gaussian sampler refused sigma.
    #[error(transparent)]
    Sampler(#[from] tautochrone_gauss::Error),
}

impl Error {
    /// Makes errors of reading or writing `what`, for `map_err`.
    pub fn io(what: &'static str) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Io { what, source: Arc::new(source) }
    }
}

/// Why a proof was not accepted.
///
/// The proof shows nothing in either case. A verdict on it, [`VerifyError::Invalid`], is final; without one, whoever
/// has the files may be able to mend what [`VerifyError::NoVerdict`] names.
#[derive(Clone, Debug, thiserror::Error)]
pub enum VerifyError {
    /// A proof file, which proves nothing about this statement in this context.
    #[error("invalid proof: {0}")]
    Invalid(#[from] Reason),
    /// The bytes are no proof file, T could not be read or has changed, or a device failed.
    #[error(transparent)]
    NoVerdict(#[from] Error),
}

impl From<VerifyError> for Error {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Invalid(reason) => Self::Invalid(reason),
            VerifyError::NoVerdict(error) => error,
        }
    }
}

/// What is wrong with a file.
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
    /// Another format version.
    #[error("format version {got}; this program reads version {known}")]
    Version {
        /// Version in the file.
        got: u16,
        /// The version understood.
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
    /// A header field has a value that no version defines.
    #[error("header field {0} has an undefined value")]
    Field(&'static str),
    /// A parameter in the header lies outside the range in which the protocol is defined.
    #[error("header parameter {name} is {got}; expected {expected}")]
    Parameter {
        /// Name as in the protocol description.
        name: &'static str,
        /// The offending value.
        got: u128,
        /// What would be accepted.
        expected: &'static str,
    },
}

/// Why a well-formed proof is not valid for a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// Reserved bytes of the header are not zero.
    #[error("the proof's header was altered: its reserved bytes are not zero")]
    Header,
    /// The proof was made for another statement, other parameters or another context.
    #[error("the proof is for another statement, other parameters or another context")]
    OtherStatement,
    /// The encoding of Z is not the one that the encoder would produce.
    #[error("the encoding of Z is not canonical")]
    Encoding,
    /// An entry of Z exceeds 14 sigma.
    #[error("an entry of Z in column {column} exceeds 14 sigma")]
    EntryTooLarge {
        /// Column of Z, from 0.
        column: u32,
    },
    /// A column of Z is longer than B.
    #[error("column {column} of Z is longer than the bound B")]
    NormTooLarge {
        /// Column of Z, from 0.
        column: u32,
    },
    /// W = A Z - T C does not hash to the challenge.
    #[error("the challenge does not match A Z - T C")]
    Challenge,
}
