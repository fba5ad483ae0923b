//! Output files that appear whole or not at all.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Failure;

/// Who may read an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Privacy {
    /// Mode 0644.
    Public,
    /// Mode 0600.
    Secret,
}

/// An output that appears whole or not at all: written beside its final name, renamed by [`Output::finish`].
#[derive(Debug)]
pub enum Output {
    /// `-`.
    Stdout,
    /// A device or a pipe, which is written to as it is: a file must not take its place.
    Special(PathBuf, File),
    /// A named file.
    File(PathBuf, tempfile::NamedTempFile),
}

impl Output {
    /// Starts an output; `-` is stdout. A symbolic link stays, and leads to what is written.
    pub fn create(path: &Path, privacy: Privacy) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        let failure = |e: io::Error| Failure::file(path, e);
        let target = match path.metadata() {
            Ok(found) if found.is_dir() => {
                return Err(Failure::file(path, "is a directory; expected a file name"));
            }
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(path).map_err(failure)?;
                return Ok(Self::Special(path.to_owned(), file));
            }
            Ok(_) => path.canonicalize().map_err(failure)?,
            // Nothing is there; or what is wrong shows below.
            Err(_) => path.to_owned(),
        };
        let directory = match target.parent() {
            Some(p) if !p.as_os_str().is_empty() => p,
            _ => Path::new("."),
        };
        let file = tempfile::Builder::new().prefix(".partial-").tempfile_in(directory);
        let file = file.map_err(failure)?;
        if privacy == Privacy::Public {
            make_readable(file.as_file()).map_err(failure)?;
        }
        Ok(Self::File(target, file))
    }

    /// Flushes and gives the file its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush().map_err(|e| self.failure(e))?;
        match self {
            Self::Stdout | Self::Special(..) => Ok(()),
            Self::File(path, file) => {
                file.persist(&path).map(drop).map_err(|e| Failure::file(&path, e.error))
            }
        }
    }

    /// Writes all of `bytes` and finishes.
    pub fn write_whole(path: &Path, privacy: Privacy, bytes: &[u8]) -> Result<(), Failure> {
        let mut output = Self::create(path, privacy)?;
        output.write_all(bytes).map_err(|e| output.failure(e))?;
        output.finish()
    }

    /// Replaces an existing file, at once or not at all: through symbolic links, and with the permissions it has.
    pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let target = path.canonicalize().map_err(|e| Failure::file(path, e))?;
        let found = target.metadata().map_err(|e| Failure::file(path, e))?;
        if !found.is_file() {
            return Err(Failure::file(path, "is no regular file, which alone can be replaced"));
        }
        let mut output = Self::create(&target, Privacy::Secret)?;
        output.write_all(bytes).map_err(|e| output.failure(e))?;
        if let Self::File(_, file) = &output {
            // On disk and with its final permissions before it takes the old file's place.
            let file = file.as_file();
            file.set_permissions(found.permissions())
                .and_then(|()| file.sync_all())
                .map_err(|e| Failure::file(path, e))?;
        }
        output.finish()
    }

    /// A write error, with the name of the output.
    pub fn failure(&self, e: impl Display) -> Failure {
        match self {
            Self::Stdout => Failure::new(format!("stdout: {e}")),
            Self::Special(path, _) | Self::File(path, _) => Failure::file(path, e),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout => io::stdout().write(bytes),
            Self::Special(_, file) => file.write(bytes),
            Self::File(_, file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout => io::stdout().flush(),
            Self::Special(_, file) => file.flush(),
            Self::File(_, file) => file.flush(),
        }
    }
}

#[cfg(unix)]
fn make_readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &File) -> io::Result<()> {
    Ok(())
}

/// Where a path leads, by whatever name it is called.
pub fn place(path: &Path) -> PathBuf {
    let there = |path: &Path| path.canonicalize().ok();
    let beside = || {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        Some(there(parent.unwrap_or(Path::new(".")))?.join(path.file_name()?))
    };
    there(path).or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// Refuses outputs that would take the place of another output or of an input, given as names of flags and paths. Devices
/// and pipes are not replaced.
pub fn distinct(outputs: &[(&str, &Path)], inputs: &[(&str, &Path)]) -> Result<(), Failure> {
    for (i, (name, path)) in outputs.iter().enumerate() {
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            continue;
        }
        let mut others = outputs[..i].iter().chain(inputs);
        if let Some((other, _)) = others.find(|(_, other)| place(other) == place(path)) {
            let what = format!("--{other} and --{name} both name it; give two files");
            return Err(Failure::file(path, what));
        }
    }
    Ok(())
}
