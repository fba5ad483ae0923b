//! Signals that end the program remove the files that it writes under other names.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

fn names() -> MutexGuard<'static, Vec<PathBuf>> {
    static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, a signal removes this file before it ends the program, and nothing if the file has
/// its final name by then. Whoever uses a name that is another file's afterwards calls [`forget`].
pub fn remove_when_ended(name: &Path) {
    static STARTED: Once = Once::new();
    // Should there be no thread to wait for signals, the next program sweeps.
    STARTED.call_once(|| drop(wait()));
    let name = std::path::absolute(name).unwrap_or_else(|_| name.to_owned());
    names().push(name);
}

/// Removes all of them now.
pub fn remove() {
    for name in names().drain(..) {
        let _ = std::fs::remove_file(name);
    }
}

/// They are none of this process' business any more.
pub fn forget() {
    names().clear();
}

/// Starts the thread that waits for signals; not for signals that the parent has told to be
/// ignored, as `nohup` does.
fn wait() -> std::io::Result<()> {
    let ignored = ignored();
    let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];
    let mut signals =
        Signals::new(signals.iter().filter(|&signal| ignored >> (signal - 1) & 1 == 0))?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            remove();
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// The ignored signals, signal n as bit n - 1, where the system tells.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
