//! Counts the allocations of a call. A test makes [`Counting`] its `#[global_allocator]`.
#![allow(unsafe_code, reason = "a global allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts what each thread asks for.
#[derive(Debug)]
pub struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Allocations of this thread while `work` runs.
///
/// # Panics
/// If [`Counting`] is not the allocator of the program, so that nothing is counted.
pub fn allocations(work: impl FnOnce()) -> usize {
    let start = COUNT.get();
    drop(std::hint::black_box(vec![1]));
    let before = COUNT.get();
    assert!(before > start, "`Counting` must be the `#[global_allocator]`");
    work();
    COUNT.get() - before
}
