//! What the program does, where that takes long and nobody counts its steps: a line on stderr.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long work may take before a line says what it is.
const PATIENCE: Duration = Duration::from_millis(300);

/// The thread that shows the line, until its channel is closed.
static LINE: Mutex<Option<(Sender<()>, JoinHandle<()>)>> = Mutex::new(None);

/// Shows `what`, with the time it has taken, as soon as that is longer than one waits without a
/// sign: until the next call, or until [`end`].
pub(crate) fn show(what: &'static str) {
    end();
    let (done, end) = mpsc::channel();
    let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(move || {
        if end.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        let style = indicatif::ProgressStyle::with_template("{spinner} {msg}  {elapsed}")
            .expect("the template is well formed");
        let line = indicatif::ProgressBar::new_spinner().with_style(style).with_message(what);
        line.set_elapsed(PATIENCE);
        while end.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
            line.tick();
        }
        line.finish_and_clear();
    });
    // Without a thread there is no line.
    *LINE.lock().unwrap_or_else(PoisonError::into_inner) = thread.ok().map(|thread| (done, thread));
}

/// Takes the line away: before anything else is printed, and as the program ends.
pub(crate) fn end() {
    let line = LINE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((done, thread)) = line {
        drop(done);
        let _ = thread.join();
    }
}
