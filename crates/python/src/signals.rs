//! Ctrl-C during long calls, which run without the interpreter's lock.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::{PyResult, Python};

use crate::errors::{Error, Failure};
use crate::threads;

/// How often signals are looked for.
const INTERVAL: Duration = Duration::from_millis(50);

/// Runs Python's signal handlers; what they raise is the error.
fn handle(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// For loops on the calling thread, which alone can handle signals.
pub(crate) struct Signals {
    last: Instant,
}

impl Signals {
    pub(crate) fn new() -> Self {
        Self { last: Instant::now() }
    }

    /// Handles signals, every 50 ms at most.
    pub(crate) fn check(&mut self) -> PyResult<()> {
        if self.last.elapsed() < INTERVAL {
            return Ok(());
        }
        let result = Python::attach(handle);
        self.last = Instant::now();
        result
    }
}

/// Tells work on another thread to end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// An error once the work is to end, for readers that it calls.
    pub(crate) fn check(&self) -> io::Result<()> {
        if self.is_set() { Err(io::Error::other("interrupted")) } else { Ok(()) }
    }

    /// What an observer of a computation answers.
    pub(crate) fn answer(&self) -> ControlFlow<()> {
        if self.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs `work` on the pool, without the interpreter's lock, while the calling thread handles
/// signals. If a handler raises, `work` is told to stop, and the exception is the error once it
/// has.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    py.detach(|| {
        let stop = Stop::default();
        let (done, finished) = mpsc::channel();
        let work = || {
            let result = threads::install(|| work(&stop)).and_then(|done| done.map_err(Into::into));
            // Nobody listens if the call was interrupted.
            let _ = done.send(());
            result
        };
        thread::scope(|scope| {
            let worker = thread::Builder::new()
                .spawn_scoped(scope, work)
                .map_err(|e| Error::new_err(format!("cannot start a thread: {e}")))?;
            let mut raised = Ok(());
            while raised.is_ok()
                && finished.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout)
            {
                raised = Python::attach(handle);
            }
            if raised.is_err() {
                stop.0.store(true, Ordering::Relaxed);
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            raised.and(result)
        })
    })
}
