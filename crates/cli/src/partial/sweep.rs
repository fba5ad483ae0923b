//! Removes what dead processes have left.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::names::{PREFIX, RANDOM, SUFFIX};

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
