//! Output files that appear whole or not at all.

use std::fmt::Display;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tautochrone_zk::FileSource;

use crate::failure::Failure;
use crate::partial::{self, Partial, directory};
use crate::place::follow;
use crate::run::{Stdout, about_stdout};

/// Who may read an output file: at most those whom the umask lets, and, where the output replaces a
/// file, at most those who could read that file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Privacy {
    /// Mode 0666 less the umask.
    Public,
    /// Mode 0600 less the umask.
    Secret,
}

/// An output that appears whole or not at all: [`Output::finish`] gives it its name.
///
/// After a crash of the program or of the machine, the name leads to the whole output or to what
/// was there before: the file is on disk before it gets its name. When [`Output::finish`] returns,
/// so is the name, as far as the file system can promise.
///
/// Until then the file has no name, and nothing is left of it, however the program ends. Where a
/// system or a file system has no such files, it is written next to its final name, and signals
/// that can be caught remove it; what others leave is removed by the next output of the same user
/// in that directory. Files that a running process writes are not, because it holds a lock on them.
/// (Network file systems whose locks other machines do not see are no place for outputs of several
/// machines in one directory: one that is removed too early is an error, and never a damaged file.)
/// Access control lists are not taken over from a replaced file.
#[derive(Debug)]
pub enum Output {
    /// `-`.
    Stdout,
    /// A device or a pipe, which is written to as it is: a file must not take its place.
    Special(PathBuf, File),
    /// A named file.
    File(Whole),
}

/// A file that is being written.
#[derive(Debug)]
pub struct Whole {
    /// As the user calls it: errors show no other name.
    name: PathBuf,
    /// Where that leads.
    target: PathBuf,
    partial: Partial,
    /// The file whose owner and mode it takes over.
    replaced: Option<Box<Metadata>>,
    /// Whether the name must be free.
    new: bool,
}

impl Output {
    /// Starts an output; `-` is stdout. A symbolic link stays, and leads to the new file, even if
    /// it led to no file before.
    pub fn create(path: &Path, privacy: Privacy) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        let failure = |e: io::Error| Failure::file(path, e);
        let (target, old) = match path.metadata() {
            Ok(found) if found.is_dir() => {
                return Err(Failure::file(path, "is a directory; expected a file name"));
            }
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(path).map_err(failure)?;
                return Ok(Self::Special(path.to_owned(), file));
            }
            Ok(found) => (path.canonicalize().map_err(failure)?, Some(found)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => (follow(path).map_err(failure)?, None),
            Err(e) => return Err(failure(e)),
        };
        let most = if privacy == Privacy::Public { 0o666 } else { 0o600 };
        let mode = old.as_ref().map_or(most, |old| most & access::mode(old));
        let partial = partial::create(&directory(&target), mode).map_err(failure)?;
        if let Some(old) = &old {
            access::keep_group(&partial.file, old).map_err(failure)?;
        }
        let name = path.to_owned();
        Ok(Self::File(Whole { name, target, partial, replaced: None, new: false }))
    }

    /// As [`Output::create`], but replaces no file, be it one that appears in the meantime.
    pub fn create_new(path: &Path, privacy: Privacy) -> Result<Self, Failure> {
        if path.is_file() {
            return Err(taken(path));
        }
        let mut output = Self::create(path, privacy)?;
        if let Self::File(whole) = &mut output {
            whole.new = true;
        }
        Ok(output)
    }

    /// Flushes, puts the file on disk and gives it its name. There is no other way for an output to
    /// appear.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush().map_err(|e| self.failure(e))?;
        let Self::File(Whole { name, target, partial, replaced, new }) = self else {
            return Ok(());
        };
        let failure = |e: io::Error| Failure::file(&name, e);
        if let Some(old) = &replaced {
            access::take_over(&partial.file, old).map_err(failure)?;
        }
        partial.file.sync_all().map_err(failure)?;
        match partial.persist(&target, new) {
            Err(e) if new && e.kind() == io::ErrorKind::AlreadyExists => return Err(taken(&name)),
            result => result.map_err(failure)?,
        }
        sync_directory(&directory(&target)).map_err(|e| {
            Failure::file(
                &name,
                format_args!("is written, but may not outlive a power failure: {e}"),
            )
        })
    }

    /// Writes all of `bytes` and finishes.
    pub fn write_whole(path: &Path, privacy: Privacy, bytes: &[u8]) -> Result<(), Failure> {
        Self::create(path, privacy)?.finish_with(bytes)
    }

    /// The same for an output that has been started.
    pub fn finish_with(mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_all(bytes).map_err(|e| self.failure(e))?;
        self.finish()
    }

    /// Replaces an existing file, at once or not at all: through symbolic links, and with the
    /// permissions it has.
    pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let found = path.metadata().map_err(|e| Failure::file(path, e))?;
        if !found.is_file() {
            return Err(Failure::file(path, "is no regular file, which alone can be replaced"));
        }
        let mut output = Self::create(path, Privacy::Secret)?;
        output.write_all(bytes).map_err(|e| output.failure(e))?;
        if let Self::File(whole) = &mut output {
            whole.replaced = Some(Box::new(found));
        }
        output.finish()
    }

    /// A reader of the bytes written and flushed so far, for files only.
    pub fn reader(&self) -> io::Result<FileSource> {
        match self {
            Self::Stdout | Self::Special(..) => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "is read again, so it must be a regular file",
            )),
            Self::File(whole) => FileSource::new(whole.partial.file.try_clone()?),
        }
    }

    /// A write error, with the name of the output.
    pub fn failure(&self, e: impl Display) -> Failure {
        match self {
            Self::Stdout => about_stdout(&e),
            Self::Special(name, _) | Self::File(Whole { name, .. }) => Failure::file(name, e),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout => Stdout.write(bytes),
            Self::Special(_, file) => file.write(bytes),
            Self::File(whole) => whole.partial.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout => Stdout.flush(),
            Self::Special(_, file) => file.flush(),
            Self::File(whole) => whole.partial.file.flush(),
        }
    }
}

fn taken(path: &Path) -> Failure {
    Failure::file(path, "is there already, and is never replaced; expected a new name")
}

/// Puts the names in a directory on disk.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    // A directory may be writable and not readable; and not every file system can do this.
    let Ok(directory) = File::open(path) else { return Ok(()) };
    match directory.sync_all().map_err(|e| (e.kind(), e)) {
        Err((io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported, _)) => Ok(()),
        result => result.map_err(|(_, e)| e),
    }
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Owners, groups and modes.
#[cfg(unix)]
mod access {
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    pub(super) fn mode(file: &Metadata) -> u32 {
        file.mode() & 0o777
    }

    /// The group of the old file; if it cannot be restored, no rights for the other one.
    pub(super) fn keep_group(file: &File, old: &Metadata) -> io::Result<()> {
        let new = file.metadata()?;
        if new.gid() != old.gid() && fchown(file, None, Some(old.gid())).is_err() {
            return file.set_permissions(Permissions::from_mode(new.mode() & 0o707));
        }
        Ok(())
    }

    /// Owner, group and mode of the old file, less the rights of what cannot be taken over.
    pub(super) fn take_over(file: &File, old: &Metadata) -> io::Result<()> {
        let new = file.metadata()?;
        let mut mode = old.mode() & 0o7777;
        if new.uid() != old.uid() && fchown(file, Some(old.uid()), None).is_err() {
            mode &= 0o777;
        }
        if new.gid() != old.gid() && fchown(file, None, Some(old.gid())).is_err() {
            mode &= 0o707;
        }
        file.set_permissions(Permissions::from_mode(mode))
    }
}

#[cfg(not(unix))]
mod access {
    use std::fs::{File, Metadata};
    use std::io;

    pub(super) fn mode(_: &Metadata) -> u32 {
        0o666
    }

    pub(super) fn keep_group(_: &File, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn take_over(file: &File, old: &Metadata) -> io::Result<()> {
        file.set_permissions(old.permissions())
    }
}
