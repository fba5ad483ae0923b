//! Runs the example programs of the root package as their users do.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A seed in hexadecimal digits, for `--seed`.
pub const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// The words of a line, of which one in quotes may have spaces or the other kind of quotes in it.
fn words(line: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), line.trim_start());
    while let Some(first) = rest.chars().next() {
        let (word, behind) = match first {
            '\'' | '"' => rest[1..].split_once(first).expect("a second quote"),
            _ => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word);
        rest = behind.trim_start();
    }
    words
}

/// An example that `cargo test` has built next to the calling test, with its arguments: the words of
/// a line, of which one in quotes may have spaces in it.
#[must_use]
pub fn command(line: &str) -> Command {
    let words = words(line);
    let (name, args) = words.split_first().expect("a name");
    let mut path: PathBuf = std::env::current_exe().expect("a test has a path");
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is missing: `cargo build --examples`", path.display());
    let mut command = Command::new(path);
    command.args(args);
    command
}

/// Runs an example in a directory, from a shell that has executed something before.
#[must_use]
pub fn after(before: &str, line: &str, directory: &Path) -> Output {
    let example = command(line);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{before}; exec \"$0\" \"$@\"")).arg(example.get_program());
    shell.args(example.get_args()).current_dir(directory).output().expect("a shell")
}

/// A line of `prove` for files `s` and `p` of 40 columns.
pub const TOY: &str = "prove --preset T1-128 --columns 40 --insecure --statement s --proof p";

/// The names of the files in a directory, sorted.
#[must_use]
pub fn names(directory: &Path) -> Vec<String> {
    let entries = directory.read_dir().expect("readable");
    let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
    let mut names: Vec<String> = entries.map(|e| name(e).into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// The exit code.
#[must_use]
#[track_caller]
pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("killed by a signal: {output:?}"))
}

/// The output of a run; asserts that it succeeded.
#[expect(clippy::must_use_candidate, reason = "an assertion, often called for that alone")]
#[track_caller]
pub fn ok(output: Output) -> String {
    assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The answer of a successful run with `--json`.
#[must_use]
#[track_caller]
pub fn json(output: Output) -> serde_json::Value {
    serde_json::from_str(&ok(output)).expect("one JSON object")
}

/// Asserts exit code 2, nothing on stdout, and one line on stderr apart from the warning about
/// `--seed`; returns the line.
#[expect(clippy::must_use_candidate, reason = "an assertion, often called for that alone")]
#[track_caller]
pub fn refused(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(code(output), 2, "{text}");
    assert!(output.stdout.is_empty(), "on stdout: {}", String::from_utf8_lossy(&output.stdout));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("warning: ")).collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert!(lines[0].starts_with("error: "), "{text}");
    lines[0].to_owned()
}
