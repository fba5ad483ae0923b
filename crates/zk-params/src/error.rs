//! [`Error`]: why an operation cannot be done; [`VerifyError`] and [`Reason`]: why a proof was not
//! accepted.

mod file;
mod parameter;
mod reason;
mod shard;

pub use file::Malformation;
pub use parameter::ParameterError;
pub use reason::Reason;
pub use shard::ShardProblem;

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
    #[error("unknown preset; known are {}", .0.join(", "))]
    UnknownPreset(&'static [&'static str]),
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
    /// The sum of the squares of all entries of the witness exceeds F^2, the public bound from which
    /// sigma was computed.
    #[error(
        "the witness is longer than its parameters allow: its squared norm exceeds F^2 = {most}"
    )]
    WitnessNorm {
        /// F^2.
        most: u128,
    },
    /// The sum of the squares of all entries of the witness is below what those of Gaussians have, so
    /// that narrow masks do not hide it.
    #[error(
        "the witness is shorter than its parameters say: its squared norm is below {least}, and \
         narrow masks would not hide it"
    )]
    WitnessShort {
        /// Eight standard deviations below the mean.
        least: u128,
    },
    /// T is not A S for this witness, or nobody knows that it is. Arguments compare; a plain proof
    /// notices where T is rounded or has an owner's digest, else it is invalid.
    #[error("the witness does not belong to this statement")]
    ForeignWitness,
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
    /// A fact that was to be proved does not hold for this witness, or an entry is not in its range,
    /// or a constraint of a circuit is not satisfied.
    #[error("the fact, the ranges or the circuit do not hold for this witness")]
    FalseFact,
    /// A proof about a circuit, or about public instances, was to be verified without these.
    #[error("the proof is about a circuit or public keys, which whoever verifies it has to state")]
    StatedByOthers,
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
    /// A matrix A was used with a statement that has other parameters or another seed of A.
    #[error("the matrix A belongs to another statement")]
    ForeignMatrix,
    /// A given A' is not as many bytes as its entries have.
    #[error(
        "the given A' has {got} bytes; expected {expected} (r rows of v - r entries of ceil(w / 8) bytes)"
    )]
    MatrixLength {
        /// Bytes present.
        got: u64,
        /// Bytes of its entries.
        expected: u64,
    },
    /// An entry of a given A' is 2^w or more.
    #[error("entry at row {row}, column {column} of the given A' is 2^{w} or more")]
    MatrixEntry {
        /// Row, from 0.
        row: u64,
        /// Column, from 0.
        column: u64,
        /// log2 q.
        w: u32,
    },
    /// A row or column of a given A' is one that a uniform A' has with probability below 2^-128, and
    /// that makes LWE or SIS easy.
    #[error("{line} {index} of the given A' {fault}: LWE or SIS is easy for it")]
    WeakMatrix {
        /// `row` or `column`.
        line: &'static str,
        /// Its number, from 0.
        index: u64,
        /// The error.
        fault: &'static str,
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
    /// A public key is not the column of T with its number, the first that is not.
    #[error("key {column} is not column {column} of T: they differ in row {row}")]
    Key {
        /// Column, from 0.
        column: u64,
        /// Its first row that differs, from 0.
        row: u64,
    },
    /// T of a statement that was not loaded, and no file to read it from.
    #[error("T is not in memory; load the statement, or prove and verify with its file")]
    NotLoaded,
    /// A proof is not valid: a [`VerifyError`] where one error type serves for everything.
    #[error("invalid proof: {0}")]
    Invalid(Reason),
    /// A shard, or the shards together, cannot be used.
    #[error(transparent)]
    Shard(ShardProblem),
    /// The witness does not have v x l entries.
    #[error("witness has {got} entries; expected {expected} (v * l, column after column)")]
    WitnessLength {
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
    WitnessFileLength {
        /// Bytes present.
        got: u64,
        /// v l times the width.
        expected: u128,
        /// [`Params::entry_bytes`](crate::params::Params::entry_bytes).
        width: usize,
    },
    /// A witness whose entries need more than a byte was asked for bytes.
    #[error(
        "entries of the witness may be as large as b = {b}, more than a byte holds: \
         WitnessSource::read_wide_columns delivers them"
    )]
    WideEntries {
        /// The largest bound.
        b: u32,
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
    /// Binary challenges: the witness' operator norm could not be certified to lie below the public
    /// bound.
    #[error("the largest singular value of the witness is not certified to be at most {bound}")]
    OperatorNorm {
        /// The public bound s.
        bound: u64,
    },
    /// Every attempt was rejected; with honest parameters this has probability below 2^-500, and with
    /// narrow masks below 2^-180.
    #[error("all {0} attempts were rejected; sigma is too small for this witness")]
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
    #[error("{0}")]
    Device(DeviceError),
    /// The randomness source failed.
    #[error(transparent)]
    Randomness(#[from] tautochrone_ctr::Error),
    /// The Gaussian sampler refused sigma.
    #[error(transparent)]
    Sampler(#[from] tautochrone_gauss::Error),
}

impl Error {
    #[doc(hidden)]
    pub fn parameter(name: &'static str, got: impl Into<u128>, expected: &'static str) -> Self {
        Self::Parameter(ParameterError { name, got: got.into(), expected })
    }

    /// Makes errors of reading or writing `what`, for `map_err`.
    pub fn io(what: &'static str) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Io { what, source: Arc::new(source) }
    }
}

/// Why a proof was not accepted.
///
/// The proof shows nothing in either case. A verdict on it, [`VerifyError::Invalid`], is final;
/// without one, whoever has the files may be able to mend the cause that [`VerifyError::NoVerdict`]
/// names.
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
