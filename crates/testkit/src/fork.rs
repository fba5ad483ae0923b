//! Forked children.
#![allow(unsafe_code)]

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

/// Whether `f` is true in a child process, which a signal or a panic does not end. For test
/// programs with one test: a child has no other threads, but what they locked stays locked.
#[must_use]
pub fn in_child(f: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child is a copy of this thread. It calls `f` and ends at once, without the
    // parent's handlers.
    let child = unsafe { fork() };
    if child == 0 {
        let holds = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
        let status = i32::from(!holds.unwrap_or(false));
        // SAFETY: ends the child.
        unsafe { _exit(status) }
    }
    assert!(child > 0, "fork failed");
    let mut status = -1;
    // SAFETY: `status` is writable and outlives the call; the child is ours.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    status == 0
}
