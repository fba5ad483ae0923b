//! Memory for calls that are compared: blocks that are allocated in the same order lie in the same
//! place, no matter what happened before.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Enough for a call, whose memory is not used again before its end.
const SIZE: usize = 64 << 20;
/// At least a cache line.
const ALIGNMENT: usize = 128;

#[repr(C, align(128))]
struct Bytes(UnsafeCell<[u8; SIZE]>);

// SAFETY: parts of it are handed out once each between two calls of `open`.
unsafe impl Sync for Bytes {}

static BYTES: Bytes = Bytes(UnsafeCell::new([0; SIZE]));
static USED: AtomicUsize = AtomicUsize::new(0);
static OPEN: AtomicBool = AtomicBool::new(false);

/// The system's memory, but for blocks that are allocated while a call is prepared and runs.
pub struct Arena;

/// From here on memory is the arena's, from its beginning: blocks that were allocated there before
/// must not be in use any more.
pub fn open() {
    USED.store(0, Ordering::Relaxed);
    OPEN.store(true, Ordering::Relaxed);
}

/// From here on memory is the system's again.
pub fn close() {
    OPEN.store(false, Ordering::Relaxed);
}

impl Arena {
    fn owns(pointer: *const u8) -> bool {
        (pointer.addr()).wrapping_sub(BYTES.0.get().addr()) < SIZE
    }
}

// SAFETY: blocks of the arena do not overlap and are aligned; others are the system's, which gets
// back what it gave.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !OPEN.load(Ordering::Relaxed) {
            // SAFETY: as the caller's.
            return unsafe { System.alloc(layout) };
        }
        let size = layout.size().next_multiple_of(ALIGNMENT);
        let start = USED.fetch_add(size, Ordering::Relaxed);
        if layout.align() > ALIGNMENT || start + size > SIZE {
            return std::ptr::null_mut();
        }
        BYTES.0.get().cast::<u8>().wrapping_add(start)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if !Self::owns(pointer) {
            // SAFETY: the system's, by the line above.
            unsafe { System.dealloc(pointer, layout) }
        }
    }
}
