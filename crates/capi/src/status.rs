//! [`Status`], the reasons behind it, and [`guard`].

use core::cell::RefCell;
use core::fmt;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tautochrone_zk as zk;
use tautochrone_zk::internals::WitnessProblem;

/// The verdict on a proof: a structure, so that no condition takes it for true or false.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// TAUTOCHRONE_STATUS_OK: the proof is valid. TAUTOCHRONE_STATUS_INVALID: it is a proof file
    /// which shows nothing about this statement in this context. Anything else: there is no
    /// verdict.
    pub status: Status,
}

/// The result of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done; of a check: the proof is valid.
    Ok = 0,
    /// The proof is not valid: it shows nothing about this statement in this context.
    Invalid = 1,
    /// A pointer is null where none may be.
    Null = 2,
    /// An array is too short for its stated contents, misaligned, or overlaps another.
    Array = 3,
    /// A value that cannot be served.
    Parameter = 4,
    /// The statement's parameters give less security than they claim.
    Insecure = 5,
    /// The bytes are no statement or no proof, or are cut off.
    Malformed = 6,
    /// A file cannot be read.
    Io = 7,
    /// The operating system delivered no entropy.
    Entropy = 8,
    /// A fault of the library itself. Free the handles of this call, and do nothing else with them.
    Internal = 9,
}

/// A status other than [`Status::Ok`], and why.
pub(crate) struct Failure {
    status: Status,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: Status, message: impl fmt::Display) -> Self {
        debug_assert_ne!(status, Status::Ok, "a failure is none");
        Self { status, message: message.to_string() }
    }

    pub(crate) fn parameter(message: impl fmt::Display) -> Self {
        Self::new(Status::Parameter, message)
    }
}

impl From<tautochrone_ctr::Error> for Failure {
    fn from(error: tautochrone_ctr::Error) -> Self {
        Self::new(Status::Entropy, error)
    }
}

impl From<tautochrone_gauss::Error> for Failure {
    fn from(error: tautochrone_gauss::Error) -> Self {
        Self::parameter(error)
    }
}

impl From<tautochrone_matmul::Error> for Failure {
    fn from(error: tautochrone_matmul::Error) -> Self {
        use tautochrone_matmul::Error;
        let status = match error {
            Error::Length { .. } | Error::Overlap { .. } => Status::Array,
            _ => Status::Parameter,
        };
        Self::new(status, error)
    }
}

impl From<zk::Error> for Failure {
    fn from(error: zk::Error) -> Self {
        let status = match error {
            zk::Error::Insecure(_) => Status::Insecure,
            zk::Error::Malformed { .. } => Status::Malformed,
            zk::Error::Io { .. } => Status::Io,
            zk::Error::Witness(WitnessProblem::Length { .. }) => Status::Array,
            zk::Error::Invalid(reason) => return Self::new(Status::Invalid, reason),
            _ => Status::Parameter,
        };
        Self::new(status, error)
    }
}

thread_local! {
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs what C called, and turns errors and panics into a status.
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> Status {
    let failure = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure,
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            let failure = Failure::new(Status::Internal, text.unwrap_or("a panic"));
            // To drop it may panic again.
            mem::forget(payload);
            failure
        }
    };
    let Failure { status, message } = failure;
    // A thread that is about to end has nowhere to keep it, and the code says enough.
    let _ = MESSAGE.try_with(|last| *last.borrow_mut() = message);
    status
}

/// As [`guard`], for what cannot fail but by a panic, which it does not let through.
pub(crate) fn shield<T>(otherwise: T, call: impl FnOnce() -> T) -> T {
    let mut result = otherwise;
    guard(|| {
        result = call();
        Ok(())
    });
    result
}

/// The result of `read` for the message of the last failure of this thread, empty if there is none;
/// `None` if the thread is about to end.
pub(crate) fn last_message<T>(read: impl FnOnce(&str) -> T) -> Option<T> {
    MESSAGE.try_with(|last| read(&last.borrow())).ok()
}
