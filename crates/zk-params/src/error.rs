//! [`Error`]: why an operation cannot be done; [`Reason`]: why a proof is not valid.

mod file;
mod matrix;
mod parameter;
mod reason;
mod request;
mod shard;
mod witness;

pub use file::Malformation;
pub use matrix::MatrixProblem;
pub use parameter::{ParameterError, Weakness};
pub use reason::{Fault, Reason};
pub use request::RequestProblem;
pub use shard::ShardProblem;
pub use witness::WitnessProblem;

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
    /// A witness, or messages, of another length than the parameters say, or with an entry or a norm
    /// beyond their bounds. Says where, not what: entries are secret.
    #[error(transparent)]
    Witness(#[from] WitnessProblem),
    /// T is not A S for this witness, or nobody knows that it is. Arguments compare; a plain proof
    /// notices where T is rounded or has an owner's digest, else it is invalid.
    #[error("the witness does not belong to this statement")]
    ForeignWitness,
    /// A fact that was to be proved does not hold for this witness, or an entry is not in its range,
    /// or a constraint of a circuit is not satisfied.
    #[error("the fact, the ranges or the circuit do not hold for this witness")]
    FalseFact,
    /// A proof about a circuit, or about public instances, was to be verified without these.
    #[error("the proof is about a circuit or public keys, which whoever verifies it has to state")]
    StatedByOthers,
    /// A proof file, which proves nothing about this statement in this context. This verdict is final;
    /// of all other errors of a check, which is then without a verdict, whoever has the files may be
    /// able to mend the cause. The proof shows nothing in either case.
    #[error("invalid proof: {0}")]
    Invalid(#[from] Reason),
    /// A shard, or the shards together, cannot be used.
    #[cfg_attr(not(feature = "shards"), doc(hidden))]
    #[error(transparent)]
    Shard(ShardProblem),
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
