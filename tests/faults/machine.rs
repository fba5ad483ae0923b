//! The example binaries when the machine fails them: full disks, closed pipes, half-written files,
//! a kill in the middle, no entropy. A fault is exit code 2 and one line;
//! nothing is lost, nothing half-done is left behind.

use std::process::Stdio;

use tautochrone_testkit::examples::{SEED, TOY, after, command, names, refused};
#[cfg(target_os = "linux")]
use tautochrone_testkit::preload::{self, half_a_write};

use crate::folder::Folder;

#[test]
fn a_full_disk_leaves_the_old_files() {
    let dir = &Folder::proved();
    let read = |name: &str| dir.read(name);
    let old = (read("s"), read("p"));
    // No file may grow beyond 4 blocks; the write then fails as on a full disk.
    refused(&after("trap '' XFSZ; ulimit -f 4", TOY, dir));
    assert_eq!((read("s"), read("p")), old, "a failed run has touched the old files");
    assert_eq!(names(dir), ["p", "s"], "a temporary file was left");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_an_error() {
    for line in ["isa", "isa --json"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux");
        refused(&command(line).stdout(full).output().expect("it runs"));
    }
}

/// Bytes without an end of line stay in a buffer until they are flushed.
#[test]
#[cfg(target_os = "linux")]
fn a_piece_that_is_not_written_is_an_error() {
    let dir = &Folder::new();
    dir.write("log", "no end of line");
    dir.ok("commit_file commit --in log --key k --statement s --proof p");
    dir.ok("commit_file open --in log --statement s --key k --piece 0 --out o");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux");
    let mut check = command("commit_file check --statement s --proof p --piece 0 --opening o");
    refused(&check.current_dir(dir).stdout(full).output().expect("it runs"));
}

/// As a filter does, a program whose reader has gone ends in silence, with an exit code that is no
/// verdict.
#[test]
fn a_closed_pipe_ends_a_program_in_silence() {
    let dir = &Folder::proved();
    dir.write("log", "a piece");
    dir.ok("commit_file commit --in log --statement t --proof q --key k");
    dir.ok("commit_file open --in log --statement t --key k --piece 0 --out o");
    for line in [
        "isa",
        "isa --json",
        "isa --help",
        "verify --statement s --proof p",
        "matmul --m 9 --k 9 --n 9 --z -",
        "sample --sampler uniform --count 1000000 --out -",
        "configure --sigma 1.5 --variants 1 --out -",
        "commit_file check --statement t --proof q --piece 0 --opening o",
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = command(line)
            .current_dir(dir)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .expect("built");
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*text), (Some(141), ""), "{line}");
    }
}

/// A closed pipe where warnings and errors go is no panic either.
#[test]
fn a_closed_standard_error_is_no_panic() {
    let dir = &Folder::proved();
    dir.write("noise", [0x80; 64]);
    let commit = "commit_file commit --in noise --key k --statement t --proof q";
    for (line, code) in [
        (&format!("{TOY} --seed {SEED}")[..], 0),
        (&format!("{commit} --seed {SEED}"), 0),
        ("ice decrypt --find-key --in noise --ext x", 1),
        ("ice --no-such-flag", 2),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut example = command(line);
        example.current_dir(dir).stdout(Stdio::null()).stderr(writer);
        assert_eq!(example.status().expect("it runs").code(), Some(code), "{line}");
    }
}

/// A device or a pipe that an output is named after is written to, and stays; so does a link, which
/// leads to the file.
#[test]
fn special_files_are_written_to() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};
    let dir = &Folder::new();
    let made = std::process::Command::new("mkfifo").arg(dir.join("pipe")).status();
    assert!(made.expect("mkfifo").success());
    let sample = |out| {
        let mut sample = command(&format!("sample --sampler uniform --count 1000 --out {out}"));
        sample.current_dir(dir).stdout(Stdio::null()).spawn().expect("built")
    };
    let mut child = sample("pipe");
    let bytes = dir.read("pipe");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(bytes.len(), 8000);
    assert!(dir.join("pipe").metadata().expect("there").file_type().is_fifo());

    std::fs::create_dir(dir.join("elsewhere")).expect("writable");
    dir.write("elsewhere/file", "old");
    symlink("elsewhere/file", dir.join("link")).expect("writable");
    assert!(sample("link").wait().expect("it ends").success());
    assert!(dir.join("link").is_symlink());
    assert_eq!(dir.read("elsewhere/file").len(), 8000);
    assert_eq!(names(dir), ["elsewhere", "link", "pipe"]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let dir = &Folder::proved();
    std::fs::create_dir(dir.join("folder")).expect("writable");
    for path in ["folder", "missing", "s/below-a-file"] {
        dir.refuses(format!("verify --statement {path} --proof p"), path);
        dir.refuses(format!("verify --statement s --proof {path}"), path);
    }
}

/// A prover is killed at the worst moments: where its secret is made, in the middle of a write, and
/// where a file is whole and has no name. It stops there itself, so that no clock decides.
#[test]
#[cfg(target_os = "linux")]
fn a_killed_prover_leaves_whole_files() {
    let dir = &Folder::proved();
    let read = |name: &str| dir.read(name);
    let old = (read("s"), read("p"));
    let shims = tempfile::tempdir().expect("a directory");
    // The third file that is put on disk, after the statement and its folder, is the proof.
    for (function, replaced) in [
        ("ssize_t getrandom(void *b, size_t size, unsigned f) { stop(1); return -1; }", false),
        (&*half_a_write(true), false),
        ("int fsync(int file) { stop(1); return 0; }", false),
        ("int fsync(int file) { static int n; if (++n == 3) stop(1); return 0; }", true),
    ] {
        let mut prove = command(TOY);
        prove.current_dir(dir).stdout(Stdio::null());
        prove.env("LD_PRELOAD", preload::library(shims.path(), "stop.so", function));
        let mut child = prove.spawn().expect("it runs");
        preload::wait_until_stopped(&mut child);
        child.kill().expect("it is there");
        assert!(!child.wait().expect("it ends").success());
        assert_eq!(read("p"), old.1, "{function}");
        assert_eq!(read("s") != old.0, replaced, "{function}");
    }
    // The new statement is whole: the old proof is of another one.
    let verdict = dir.output("verify --statement s --proof p");
    assert_eq!(verdict.status.code(), Some(1), "{verdict:?}");
    // An output that has a name of its own while it is written, on a file system without nameless
    // files, is removed by the next run.
    dir.ok(TOY);
    assert_eq!(names(dir), ["p", "s"]);
}

/// Before a secret is made, nothing may go on without entropy: not when the system call fails, nor
/// when it claims to have filled the buffer and has not.
#[test]
#[cfg(target_os = "linux")]
fn without_entropy_there_is_no_proof() {
    let dir = &Folder::new();
    let shims = tempfile::tempdir().expect("a directory");
    for (body, hint) in [
        ("errno = EIO; return -1;", "entropy source failed"),
        ("memset(buffer, 0, size); return (ssize_t)size;", "only zeros"),
    ] {
        let function =
            format!("ssize_t getrandom(void *buffer, size_t size, unsigned flags) {{ {body} }}");
        let shim = preload::library(shims.path(), "entropy.so", &function);
        let mut prove = command(TOY);
        prove.current_dir(dir).env("LD_PRELOAD", shim);
        let text = refused(&prove.output().expect("it runs"));
        assert!(text.contains(hint), "{text}");
        assert_eq!(names(dir), [""; 0], "something was left behind");
    }
}
