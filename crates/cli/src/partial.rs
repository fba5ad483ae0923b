//! Files that are being written. On Linux they have no name until they are whole, so that nothing
//! is left of them, however the program ends. Where a file system has no such files, they have
//! names of their own next to the final ones, which a signal that can be caught removes, and a lock
//! for as long as the process lives that writes them.

mod names;
#[cfg(unix)]
pub mod signals;
#[cfg(unix)]
mod sweep;
#[cfg(target_os = "linux")]
mod unnamed;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use tempfile::TempPath;

pub(super) use names::directory;
use names::names;

/// A file that is being written; nothing is left of it when it is dropped.
#[derive(Debug)]
pub(super) struct Partial {
    pub(super) file: File,
    /// `None`: it has no name.
    name: Option<TempPath>,
}

/// Creates a file in a directory, with those bits of `mode` that the umask lets through, and
/// removes what dead processes have left there.
pub(super) fn create(directory: &Path, mode: u32) -> io::Result<Partial> {
    #[cfg(target_os = "linux")]
    if let Some(file) = unnamed::create(directory, mode) {
        sweep::sweep(directory, &file);
        return Ok(Partial { file, name: None });
    }
    let builder = names();
    // Another process that sweeps between the creation and the lock takes the file for a leftover:
    // make another one.
    for _ in 0..100 {
        let (file, path) = builder.make_in(directory, |path| open(path, mode))?.into_parts();
        // On a file system without locks there is none; but then nobody gets one who sweeps,
        // either.
        if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && has_name(&file)? {
            #[cfg(unix)]
            sweep::sweep(directory, &file);
            return Ok(Partial { file, name: Some(path) });
        }
    }
    Err(io::Error::other("other processes remove every file that is created in its directory"))
}

impl Partial {
    /// Gives the file its final name. If `new`, that must be free; else it is taken from the file
    /// that had it.
    pub(super) fn persist(self, target: &Path, new: bool) -> io::Result<()> {
        match self.name {
            Some(name) if new => name.persist_noclobber(target).map_err(|e| e.error),
            Some(name) => name.persist(target).map_err(|e| e.error),
            #[cfg(target_os = "linux")]
            None => unnamed::persist(&self.file, target, new),
            #[cfg(not(target_os = "linux"))]
            None => unreachable!("only Linux has files without a name"),
        }
    }
}

fn open(path: &Path, mode: u32) -> io::Result<File> {
    #[cfg(unix)]
    signals::remove_when_ended(path);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    options.open(path)
}

#[cfg(unix)]
fn has_name(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    file.metadata().map(|found| found.nlink() > 0)
}

#[cfg(not(unix))]
fn has_name(_: &File) -> io::Result<bool> {
    Ok(true)
}
