//! Files without a name, which the kernel removes when the program ends, however it does.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, OFlags, linkat};

/// A file in a directory's file system, if that has files without a name and they can get one.
pub(super) fn create(directory: &Path, mode: u32) -> Option<File> {
    let unnamed = OFlags::TMPFILE.bits().cast_signed();
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).mode(mode).custom_flags(unnamed).open(directory);
    let file = file.ok()?;
    // By that link it gets its name; not every sandbox has /proc.
    let (linked, own) = (link(&file).metadata().ok()?, file.metadata().ok()?);
    if (linked.dev(), linked.ino()) != (own.dev(), own.ino()) {
        return None;
    }
    // While a lock is held, a name that it has on the way to the final one is no leftover.
    let _ = file.try_lock();
    Some(file)
}

/// Gives the file its name: at once, or in two steps where another file has it, since a link cannot
/// replace one. A program that is killed between these leaves a name that the next one sweeps. If
/// `new`, another file keeps the name, which is an error.
pub(super) fn persist(file: &File, target: &Path, new: bool) -> io::Result<()> {
    let give = |name: &Path| linkat(CWD, link(file), CWD, name, AtFlags::SYMLINK_FOLLOW);
    match give(target) {
        Err(rustix::io::Errno::EXIST) if !new => {}
        result => return Ok(result?),
    }
    let directory = super::names::directory(target);
    let ((), name) = super::names::names().make_in(directory, |name| Ok(give(name)?))?.into_parts();
    name.persist(target).map_err(|e| e.error)
}

/// Where /proc shows an open file.
fn link(file: &File) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}
