//! Memory that is freed is public: allocators look into it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

use tautochrone_assurance::valgrind;

/// The system's allocator. Valgrind has one of its own instead; the tracer has not.
pub struct Forgetful;

static TRACED: AtomicBool = AtomicBool::new(false);

/// From here on freed memory is public, if the tracer runs this.
pub fn start() {
    TRACED.store(valgrind::traced(), Ordering::Relaxed);
}

// SAFETY: as the system's allocator, which does the work.
unsafe impl GlobalAlloc for Forgetful {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if TRACED.load(Ordering::Relaxed) {
            // SAFETY: the block is the caller's, as many bytes as the layout says.
            valgrind::unpoison(unsafe { core::slice::from_raw_parts_mut(block, layout.size()) });
        }
        // SAFETY: by the caller.
        unsafe { System.dealloc(block, layout) }
    }
}
