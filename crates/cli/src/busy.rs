//! [`Busy`]: what the program does, where that takes long and nobody counts its steps.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long work may take before a line says what it is.
const PATIENCE: Duration = Duration::from_millis(300);

/// Shows the current work on a terminal, with the time it has taken, until it is dropped; the default
/// shows nothing.
#[derive(Debug, Default)]
pub struct Busy(Option<(Sender<()>, JoinHandle<()>)>);

impl Busy {
    /// Shows `what` on stderr as soon as the work has taken longer than one waits without a sign.
    #[must_use]
    pub fn shown(what: &'static str) -> Self {
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
        Self(thread.ok().map(|thread| (done, thread)))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.0.take() {
            drop(done);
            let _ = thread.join();
        }
    }
}
