//! Bytes that a piece of work has allocated at a time, counted by the allocator.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use mimalloc::MiMalloc;

/// The allocator of the programs, and what it has given out.
pub(crate) struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
static ALL: AtomicUsize = AtomicUsize::new(0);

fn count(bytes: usize) {
    ALL.fetch_add(bytes, Relaxed);
    MOST.fetch_max(LIVE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every call is handed on as it is; zeroed and grown memory, too, for which mimalloc has
// ways of its own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's guarantees are passed on.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.fetch_sub(layout.size(), Relaxed);
        count(size);
        // SAFETY: as above.
        unsafe { MiMalloc.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }
}

/// Megabytes (10^6) that `work` had at most at a time beyond what was there before, and that it
/// asked for in all.
pub(crate) fn megabytes(work: impl FnOnce()) -> (f64, f64) {
    let (live, all) = (LIVE.load(Relaxed), ALL.load(Relaxed));
    MOST.store(live, Relaxed);
    work();
    ((MOST.load(Relaxed) - live) as f64 / 1e6, (ALL.load(Relaxed) - all) as f64 / 1e6)
}
