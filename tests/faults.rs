//! The example binaries when the machine fails them: full disks, closed pipes, half-written files, a kill in the middle,
//! absurd parameters. A fault is exit code 2 and one line; nothing is lost, nothing half-done is left behind.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// An example that `cargo test` has built beside this test.
fn example(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().expect("a path");
    path.pop();
    path.pop();
    path.join("examples").join(name)
}

fn run(name: &str, args: &[&str], directory: &Path) -> Output {
    let mut command = Command::new(example(name));
    command.args(args).current_dir(directory).output().expect("`cargo build --examples`")
}

/// Exit code 2 and one line on stderr.
fn refused(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    let lines = text.lines().filter(|line| !line.starts_with("warning: "));
    assert_eq!(lines.count(), 1, "{text}");
    text
}

fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("readable");
    let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
    let mut names: Vec<String> = entries.map(|e| name(e).into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

const TOY: [&str; 9] =
    ["--preset", "T1-128", "--columns", "40", "--insecure", "--statement", "s", "--proof", "p"];

fn proved() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let output = run("prove", &TOY, directory.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    directory
}

#[test]
fn a_full_disk_leaves_the_old_files() {
    let directory = proved();
    let dir = directory.path();
    let read = |name: &str| std::fs::read(dir.join(name)).expect("written");
    let old = (read("s"), read("p"));
    // No file may grow beyond 4 blocks; the write then fails as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    let output = command.arg("-c").arg(script).arg(example("prove")).args(TOY).current_dir(dir);
    refused(&output.output().expect("a shell"));
    assert_eq!((read("s"), read("p")), old, "a failed run has touched the old files");
    assert_eq!(names(dir), ["p", "s"], "a temporary file was left");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_an_error() {
    for args in [&[][..], &["--json"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux");
        let mut command = Command::new(example("isa"));
        refused(&command.args(args).stdout(full).output().expect("built"));
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    for (name, args) in [("isa", &[][..]), ("isa", &["--json"])] {
        let mut command = Command::new(example(name));
        let mut child = command
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("built");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stderr);
        // It may have written everything before the pipe was closed.
        assert!(matches!(output.status.code(), Some(0 | 2)), "{name}: {text}");
        assert!(!text.contains("panicked"), "{name}: {text}");
    }
}

#[test]
fn half_written_files_are_refused() {
    let directory = proved();
    let dir = directory.path();
    for (name, args) in [
        ("s", ["--statement", "half", "--proof", "p"]),
        ("p", ["--statement", "s", "--proof", "half"]),
    ] {
        let whole = std::fs::read(dir.join(name)).expect("written");
        for len in [0, 1, 8, 100, 112, whole.len() / 2, whole.len() - 1] {
            std::fs::write(dir.join("half"), &whole[..len]).expect("writable");
            refused(&run("verify", &args, dir));
        }
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let directory = proved();
    let dir = directory.path();
    std::fs::create_dir(dir.join("folder")).expect("writable");
    for path in ["folder", "missing", "s/below-a-file"] {
        let text = refused(&run("verify", &["--statement", path, "--proof", "p"], dir));
        assert!(text.contains(path), "{text}");
        let text = refused(&run("verify", &["--statement", "s", "--proof", path], dir));
        assert!(text.contains(path), "{text}");
    }
    let unwritable = [
        "--preset",
        "T1-128",
        "--columns",
        "40",
        "--insecure",
        "--statement",
        "no/s",
        "--proof",
        "p",
    ];
    refused(&run("prove", &unwritable, dir));
}

#[test]
fn a_killed_prover_leaves_the_old_files() {
    let directory = proved();
    let dir = directory.path();
    let read = |name: &str| std::fs::read(dir.join(name)).expect("written");
    let old = (read("s"), read("p"));
    for delay in [1, 20, 100] {
        // Thousands of columns: seconds of work.
        let args = ["--preset", "T4-128", "--statement", "s", "--proof", "p"];
        let mut command = Command::new(example("prove"));
        command.args(args).current_dir(dir).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("built");
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().expect("it runs, or has ended");
        let status = child.wait().expect("it ends");
        assert!(!status.success(), "it was killed before its end");
        assert_eq!((read("s"), read("p")), old, "after {delay} ms");
    }
}

#[test]
fn absurd_parameters_are_refused() {
    let directory = proved();
    let dir = directory.path();
    for columns in ["0", "1099511627776", "18446744073709551615", "99999999999999999999", "-1"] {
        let mut args = TOY;
        args[3] = columns;
        refused(&run("prove", &args, dir));
    }
    // 2^40 columns in the header of a file that has 40.
    let mut statement = std::fs::read(dir.join("s")).expect("written");
    statement[40..48].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    std::fs::write(dir.join("absurd"), statement).expect("writable");
    refused(&run("verify", &["--statement", "absurd", "--proof", "p"], dir));
}
