//! [`Status`], the messages behind it, and [`guard`].

use core::cell::RefCell;
use core::ffi::{c_char, c_int};
use core::fmt;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tautochrone_zk as zk;

use crate::memory;

/// What became of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done; of a check: the proof is valid.
    Ok = 0,
    /// The proof is not valid: it shows nothing about this statement in this context.
    Invalid = 1,
    /// A pointer is null where none may be.
    Null = 2,
    /// An array is too short for what it is said to hold, misaligned, or overlaps another.
    Array = 3,
    /// A value that cannot be served.
    Parameter = 4,
    /// The statement's parameters give less security than they claim.
    Insecure = 5,
    /// A statement or proof is no such file, or is cut off.
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
            zk::Error::Insecure { .. } | zk::Error::SigmaTooSmall { .. } => Status::Insecure,
            zk::Error::Malformed { .. } => Status::Malformed,
            zk::Error::Io { .. } => Status::Io,
            zk::Error::Invalid(_) => Status::Invalid,
            _ => Status::Parameter,
        };
        Self::new(status, error)
    }
}

impl From<zk::VerifyError> for Failure {
    fn from(error: zk::VerifyError) -> Self {
        match error {
            zk::VerifyError::Invalid(reason) => Self::new(Status::Invalid, reason),
            zk::VerifyError::NoVerdict(error) => error.into(),
        }
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

/// Why the last call of this thread that failed did so, as a line of UTF-8.
///
/// Copies the message and a terminating NUL to `buffer`, of `size` bytes, as far as it fits.
/// `buffer` may be null if `size` is 0. Returns the length of the whole message without the NUL: 0
/// if no call has failed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tautochrone_message(buffer: *mut c_char, size: usize) -> usize {
    let copy = |message: &str| {
        // SAFETY: the caller's promise of a buffer of that size.
        let Ok(buffer) = (unsafe { memory::output::<u8>(buffer.cast(), size, "buffer") }) else {
            return 0;
        };
        if let Some(room) = size.checked_sub(1) {
            // Not in the middle of a character.
            let len = (0..=room.min(message.len()))
                .rev()
                .find(|&len| message.is_char_boundary(len))
                .unwrap_or(0);
            buffer[..len].copy_from_slice(&message.as_bytes()[..len]);
        }
        message.len()
    };
    catch_unwind(AssertUnwindSafe(|| {
        MESSAGE.try_with(|last| copy(&last.borrow())).unwrap_or_default()
    }))
    .unwrap_or_default()
}

/// What a status means in general, as "the proof is not valid"; for ever. Of a number that is no
/// status: "unknown status".
#[unsafe(no_mangle)]
pub extern "C" fn tautochrone_status_text(status: c_int) -> *const c_char {
    let text = match status {
        0 => c"done",
        1 => c"the proof is not valid",
        2 => c"a null pointer",
        3 => c"an array that is too short, misaligned, or overlaps another",
        4 => c"a value that cannot be served",
        5 => c"insecure parameters",
        6 => c"a malformed file",
        7 => c"a file that cannot be read",
        8 => c"no entropy from the operating system",
        9 => c"a fault of the library",
        _ => c"unknown status",
    };
    text.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last() -> String {
        let mut buffer = [1; 64];
        // SAFETY: a buffer of this size.
        let len = unsafe { tautochrone_message(buffer.as_mut_ptr().cast(), buffer.len()) };
        String::from_utf8(buffer[..len].to_vec()).expect("UTF-8")
    }

    #[test]
    fn panics_become_a_status() {
        assert_eq!(guard(|| panic!("a text")), Status::Internal);
        assert_eq!(last(), "a text");
        assert_eq!(guard(|| panic!("the {}th text", 4)), Status::Internal);
        assert_eq!(last(), "the 4th text");
        assert_eq!(shield(7, || panic!("a third")), 7);
        assert_eq!(last(), "a third");
    }

    #[test]
    fn what_was_thrown_may_panic_itself() {
        struct Twice;
        impl Drop for Twice {
            fn drop(&mut self) {
                panic!("once more");
            }
        }
        assert_eq!(guard(|| std::panic::panic_any(Twice)), Status::Internal);
        assert_eq!(last(), "a panic");
    }

    #[test]
    fn messages_are_not_cut_within_a_character() {
        let _ = guard(|| Err(Failure::parameter("a\u{e9}b")));
        for (size, want) in [(1, ""), (2, "a"), (3, "a"), (4, "a\u{e9}"), (5, "a\u{e9}b")] {
            let mut buffer = [1_u8; 8];
            // SAFETY: the buffer is larger.
            assert_eq!(unsafe { tautochrone_message(buffer.as_mut_ptr().cast(), size) }, 4);
            assert_eq!(&buffer[..want.len()], want.as_bytes(), "{size}");
            assert!(buffer[want.len()..size].iter().all(|&byte| byte == 0), "{size}");
            assert!(buffer[size..].iter().all(|&byte| byte == 1), "{size}");
        }
    }
}
