//! [`Folder`]: a temporary folder, in which programs run.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// A seed in hexadecimal digits, for `--seed`.
pub(crate) const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root")
}

/// Where `cargo test` has built the example programs.
fn examples() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let examples = test.ancestors().nth(2).expect("a folder of builds").join("examples");
    assert!(examples.join("verify").exists(), "no examples: `cargo build --examples`");
    examples
}

/// The interpreter itself, PYTHON of [`Folder::shell`]: a version manager puts a script before it
/// that takes several times as long to start.
static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let line = "import sys; print(sys.executable, end='')";
    let output = Command::new("python3").args(["-c", line]).output().expect("Python 3");
    String::from_utf8(output.stdout).expect("UTF-8")
});

/// An empty folder; it is removed when dropped.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    /// Runs lines as a user would, in a shell that finds the examples, [`SEED`], [`PYTHON`], and
    /// [`root`] as ROOT.
    pub(crate) fn shell(&self, lines: impl AsRef<str>) -> Output {
        let path = std::env::var_os("PATH").expect("a path");
        let paths = std::iter::once(examples()).chain(std::env::split_paths(&path));
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", lines.as_ref()]).current_dir(self);
        shell.env("PATH", std::env::join_paths(paths).expect("paths"));
        shell.env("SEED", SEED).env("ROOT", root()).env("PYTHON", &*PYTHON);
        shell.output().expect("a shell")
    }

    /// The exit code of a line.
    #[track_caller]
    pub(crate) fn code(&self, line: impl AsRef<str>) -> i32 {
        code(&self.shell(line))
    }

    /// The answer of a line that succeeds.
    #[track_caller]
    pub(crate) fn ok(&self, line: impl AsRef<str>) -> String {
        let output = self.shell(line);
        assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// The error of an example that refuses a line, and says these words.
    #[track_caller]
    pub(crate) fn refuses(&self, line: impl AsRef<str>, words: &str) -> String {
        let error = refused(&self.shell(&line));
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

/// The exit code.
#[track_caller]
pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("killed by a signal: {output:?}"))
}

/// Asserts exit code 2, nothing on stdout, and one line on stderr apart from the warning about
/// `--seed`; returns the line.
#[track_caller]
pub(crate) fn refused(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(code(output), 2, "{text}");
    assert!(output.stdout.is_empty(), "on stdout: {}", String::from_utf8_lossy(&output.stdout));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("warning: ")).collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert!(lines[0].starts_with("error: "), "{text}");
    lines[0].to_owned()
}
