//! Unfinished files go away however a rank ends: an error, a panic, or a signal, as `mpirun` sends
//! to all ranks once one of them was killed (and says which). Any rank removes what all ranks
//! write.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes a file when the process ends early.
pub fn register(path: PathBuf) {
    files().push(path);
}

/// Removes what was registered; where it has its final name already, nothing happens.
pub fn remove() {
    for path in files().drain(..) {
        let _ = std::fs::remove_file(path);
    }
}

/// Registered files are none of this process' business any more.
pub fn forget() {
    files().clear();
}

fn files() -> MutexGuard<'static, Vec<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what was registered when the process is told to end.
///
/// # Errors
/// If the signals cannot be caught.
pub fn on_signals() -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            remove();
            signal_hook::low_level::exit(128 + signal);
        }
    });
    Ok(())
}

/// A rank that panics must not go on to the end of MPI, where it would wait for the others for
/// ever.
pub fn on_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        print(info);
        remove();
        std::process::abort();
    }));
}
