//! The threads that products and proofs run on.

use std::mem;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::PyResult;
use rayon::ThreadPool;

use crate::errors::Error;

/// The pool, and the process that its threads belong to.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs `work` on a pool of as many threads as `RAYON_NUM_THREADS` says, or else the CPU has.
///
/// A child of `fork` has its parent's memory but none of its threads, so that it would wait for
/// them for ever: it gets a pool of its own. (`multiprocessing` forks on Linux by default before
/// Python 3.14.)
pub(crate) fn install<T: Send>(work: impl FnOnce() -> T + Send) -> PyResult<T> {
    Ok(pool()?.install(work))
}

fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    match &*held {
        Some((owner, pool)) if *owner == process => return Ok(pool.clone()),
        _ => (),
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .thread_name(|i| format!("tautochrone-{i}"))
        .build()
        .map_err(|e| Error::new_err(format!("cannot start the worker threads: {e}")))?;
    let pool = Arc::new(pool);
    // The parent's pool is not dropped: that would wait for threads that are not in this process.
    mem::forget(held.replace((process, pool.clone())));
    Ok(pool)
}
