//! The threads that products and proofs run on.

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::process;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::status::{Failure, Status};

/// A pool, and the process that its threads belong to.
struct Pool {
    process: u32,
    threads: ThreadPool,
}

/// The pool that was started last, which is never freed. No lock: another thread might hold it
/// during a `fork`, and nobody would release it in the child.
static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

/// Runs `work` on a pool of as many threads as `RAYON_NUM_THREADS` says, or else the CPU has.
///
/// A child of `fork` has its parent's memory but none of its threads, so that it would wait for
/// them for ever: it gets a pool of its own.
pub(crate) fn install<T: Send>(
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    pool()?.install(work)
}

fn pool() -> Result<&'static ThreadPool, Failure> {
    let process = process::id();
    let last = POOL.load(Ordering::Acquire);
    // SAFETY: null or a pool, which lives as long as the process.
    match unsafe { last.as_ref() } {
        Some(pool) if pool.process == process => return Ok(&pool.threads),
        _ => (),
    }
    let threads = ThreadPoolBuilder::new()
        .thread_name(|i| format!("tautochrone-{i}"))
        .build()
        .map_err(|e| {
            Failure::new(Status::Internal, format_args!("cannot start the worker threads: {e}"))
        })?;
    let pool = Box::into_raw(Box::new(Pool { process, threads }));
    match POOL.compare_exchange(last, pool, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: it lives as long as the process from now on.
        Ok(_) => Ok(unsafe { &(*pool).threads }),
        Err(other) => {
            // SAFETY: nobody else has seen it.
            drop(unsafe { Box::from_raw(pool) });
            // SAFETY: another thread of this process put it there.
            Ok(unsafe { &(*other).threads })
        }
    }
}
