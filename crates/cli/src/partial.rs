//! Files that are being written: they have names of their own next to the final ones, and a lock
//! for as long as the process lives that writes them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use tempfile::TempPath;

/// Names are `.partial-`, so many letters and digits by chance, and `.out`. The end tells them from
/// the `.partial-NAME` of the programs that use MPI, which the next run takes over.
const PREFIX: &str = ".partial-";
const RANDOM: usize = 16;
const SUFFIX: &str = ".out";

/// Creates a file in a directory, with those bits of `mode` that the umask lets through, and
/// removes what dead processes have left there.
pub(super) fn create(directory: &Path, mode: u32) -> io::Result<(File, TempPath)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    // Another process that sweeps between the creation and the lock takes the file for a leftover:
    // make another one.
    for _ in 0..100 {
        let (file, path) = builder.make_in(directory, |path| open(path, mode))?.into_parts();
        // On a file system without locks there is none; but then nobody gets one who sweeps,
        // either.
        if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && has_name(&file)? {
            sweep::sweep(directory, &file);
            return Ok((file, path));
        }
    }
    Err(io::Error::other("other processes remove every file that is created in its directory"))
}

fn open(path: &Path, mode: u32) -> io::Result<File> {
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

#[cfg(unix)]
mod sweep {
    use std::collections::HashSet;
    use std::ffi::OsStr;
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::{Path, PathBuf};
    use std::sync::Mutex;

    use super::{PREFIX, RANDOM, SUFFIX};

    /// Removes the files of dead processes from a directory, once in this process. What cannot be
    /// removed stays: it is no fault of this run.
    pub(super) fn sweep(directory: &Path, own: &File) {
        static SWEPT: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
        let first = SWEPT.lock().is_ok_and(|mut swept| {
            swept.get_or_insert_default().insert(crate::place::place(directory))
        });
        let (true, Ok(own)) = (first, own.metadata()) else { return };
        let Ok(entries) = directory.read_dir() else { return };
        for entry in entries.flatten().filter(|entry| is_partial(&entry.file_name())) {
            let _ = remove(&entry.path(), own.uid());
        }
    }

    fn is_partial(name: &OsStr) -> bool {
        let name = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
        name.is_some_and(|name| {
            name.len() == RANDOM && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    }

    /// Removes a regular file of this user whose lock nobody holds.
    fn remove(path: &Path, user: u32) -> io::Result<()> {
        let id = |found: &Metadata| (found.dev(), found.ino());
        let found = path.symlink_metadata()?;
        if !found.is_file() || found.uid() != user {
            return Ok(());
        }
        // For reading and writing: should a pipe have taken its place, this does not wait for the
        // other end.
        let file = File::options().read(true).write(true).open(path)?;
        file.try_lock()?;
        // Under the lock, the name leads to the file still: whoever wrote it did not finish in
        // between.
        if id(&file.metadata()?) == id(&found) && id(&path.symlink_metadata()?) == id(&found) {
            std::fs::remove_file(path)?;
        }
        Ok(())
    }
}

#[cfg(not(unix))]
mod sweep {
    pub(super) fn sweep(_: &std::path::Path, _: &std::fs::File) {}
}
