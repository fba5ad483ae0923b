//! [`Folder`]: a temporary folder, in which programs run.

use std::ops::Deref;
use std::path::Path;
use std::process::Output;

use tautochrone_testkit::examples::{self, command};

/// An empty folder; it is removed when dropped.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    /// Runs an example here: its name and its arguments, as [`command`] takes them.
    pub(crate) fn output(&self, line: impl AsRef<str>) -> Output {
        command(line.as_ref()).current_dir(self).output().expect("it runs")
    }

    /// The answer of an example that succeeds.
    #[track_caller]
    pub(crate) fn ok(&self, line: impl AsRef<str>) -> String {
        examples::ok(self.output(line))
    }

    /// The error of an example that refuses a line, and says these words.
    #[track_caller]
    pub(crate) fn refuses(&self, line: impl AsRef<str>, words: &str) -> String {
        let error = examples::refused(&self.output(&line));
        assert!(error.contains(words), "{}: {error}, not {words}", line.as_ref());
        error
    }

    /// The content of a file.
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        std::fs::read(self.join(name)).expect("readable")
    }

    /// The text of a file.
    pub(crate) fn text(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }

    /// Makes, or replaces, a file.
    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        std::fs::write(self.join(name), content).expect("writable");
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self
    }
}
