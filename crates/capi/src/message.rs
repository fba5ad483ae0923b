//! Messages and texts: what C is told in words.

use core::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{memory, status};

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
        if let Some(capacity) = size.checked_sub(1) {
            // Not in the middle of a character.
            let len = (0..=capacity.min(message.len()))
                .rev()
                .find(|&len| message.is_char_boundary(len))
                .unwrap_or(0);
            buffer[..len].copy_from_slice(&message.as_bytes()[..len]);
        }
        message.len()
    };
    catch_unwind(AssertUnwindSafe(|| status::last_message(copy).unwrap_or_default()))
        .unwrap_or_default()
}

/// The meaning of a status in general, such as "the proof is not valid"; the text is never freed.
/// For a number that is no status: "unknown status".
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
    use crate::status::{Failure, Status, guard, shield};

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
