//! The files that the example binaries write: who may read them, what a failure or a crash leaves.

use std::fs::{Metadata, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tautochrone_cli::{Output, Privacy};
use tautochrone_testkit::examples::{SEED, TOY, after, command, names, ok, refused};
#[cfg(target_os = "linux")]
use tautochrone_testkit::preload::{self, NAMED, half_a_write, library};

use crate::folder::Folder;

fn found(path: &Path) -> Metadata {
    path.symlink_metadata().unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn mode(path: &Path) -> u32 {
    found(path).mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("ours");
}

/// Lines of examples with the public and the secret files that they write.
const WRITERS: [(&str, &[&str], &[&str]); 6] = [
    ("ice encrypt --game tf2 --in in --out dec", &["dec"], &[]),
    ("matmul --m 8 --k 8 --n 8 --z z", &["z"], &[]),
    ("sample --sampler uniform --count 9 --out x", &[], &["x"]),
    (
        "prove --preset T1-128 --columns 40 --insecure --statement s --proof p --witness-out w",
        &["s", "p"],
        &["w"],
    ),
    ("pir setup --in in --block 9 --hint h", &["h"], &[]),
    ("pir query --hint h --index 0 --query q --secret k", &["q"], &["k"]),
];

/// Each file of [`WRITERS`] with the mode that it would have without umask and earlier file.
fn write_all(umask: u32, directory: &Path) -> Vec<(PathBuf, u32)> {
    let mut files = Vec::new();
    for (line, public, secret) in WRITERS {
        ok(after(&format!("umask {umask:o}"), line, directory));
        files.extend(public.iter().map(|name| (directory.join(name), 0o666)));
        files.extend(secret.iter().map(|name| (directory.join(name), 0o600)));
    }
    files
}

/// Lines in which an output has the name of an input, or of another output: they are refused before
/// anything is read.
const CONFUSED: [&str; 22] = [
    "circuit commit --in in --statement in --key k",
    "circuit commit --values in --statement s --key in",
    "circuit prove --poseidon2 in --statement ./in --proof p",
    "circuit prove --r1cs in --wtns w --public in --values v --committed c --key k --proof p",
    "circuit prove --r1cs r --wtns w --public x --statement x --proof p",
    "circuit prove --poseidon2 m --committed c --key in --proof in",
    "commit_file commit --in in --statement s --proof p --key in",
    "commit_file open --in f --statement s --key in --piece 0 --out ./in",
    "commit_file open --in f --statement s --key in --piece 0 --out in.slot0",
    "commit_file prove --in f --statement s --key in --slot 0 --bytes 0:1 --out in.slot7",
    "ice encrypt --game tf2 --in in --out in",
    "keys prove --set ML-KEM-512 --ids in --purpose x --statement in --proof p",
    "keys prove --set ML-KEM-512 --ml-kem . --ids in --purpose x --statement s --proof ./in",
    "matmul --m 1 --k 1 --n 1 --y in --z ./in",
    "pir setup --in in --block 9 --hint in",
    "prove --params in --statement in --proof p",
    "prove --matrix in --statement s --proof in",
    "prove --witness in --statement s --proof p --witness-out in",
    "prove --witness w --public-keys in --statement ./in --proof p",
    "rollup --in lines.lzs --out .",
    "rollup --in ./groups.lzp --out .",
    "sample --sampler uniform --count 1 --out x.svg --plot x.svg",
];

#[test]
fn outputs_take_no_place_that_is_taken() {
    let dir = &Folder::new();
    let inputs = ["groups.lzp", "in", "in.slot0", "in.slot7", "lines.lzs"];
    for name in inputs {
        dir.write(name, name);
    }
    for line in CONFUSED {
        dir.refuses(line, "both name it");
    }
    assert_eq!(names(dir), inputs);
    for name in inputs {
        assert_eq!(dir.text(name), name);
    }
}

/// A key is all that opens its commitments, and what a `--seed` has hidden is hidden by it alone.
#[test]
fn keys_are_never_replaced_and_seeds_are_warned_of() {
    let dir = &Folder::new();
    dir.write("m", "secret");
    for line in [
        "prove --preset T1-128 --columns 40 --insecure --statement s --proof p",
        "rollup --in m",
        "circuit prove --poseidon2 m --statement s --proof p",
        "commit_file commit --in m --statement s --proof p --key k",
        "circuit commit --in m --wires 2000 --slots 1 --statement s --key k",
    ] {
        let run = |seed: &str| dir.output(format!("{line} {seed}"));
        let with_seed = &format!("--seed {SEED}");
        let warned = |output: &std::process::Output| {
            String::from_utf8_lossy(&output.stderr).contains("warning: with --seed")
        };
        let seeded = run(with_seed);
        assert!(warned(&seeded), "{line}");
        ok(seeded);
        if !line.ends_with("--key k") {
            let unseeded = run("");
            assert!(!warned(&unseeded), "{line}");
            ok(unseeded);
            continue;
        }
        let files = ["k", "s"].map(|name| dir.join(name));
        let before = files.clone().map(|path| std::fs::read(path).expect("written"));
        assert_eq!(mode(&files[0]), 0o600, "the key is for its owner");
        for seed in ["", with_seed] {
            let line = format!("{line} {seed}");
            dir.refuses(line, "k: is there already, and is never replaced");
        }
        assert_eq!(files.clone().map(|path| std::fs::read(path).expect("there")), before);
        std::fs::remove_file(&files[0]).expect("there");
    }
    // A file that appears while the key is being made.
    let path = dir.join("k");
    let output = Output::create_new(&path, Privacy::Secret).expect("the name is free");
    std::fs::write(&path, "another's").expect("writable");
    let error = output.finish_with(b"key").expect_err("the name is taken").to_string();
    assert!(error.contains("is never replaced"), "{error}");
    assert_eq!(std::fs::read(&path).expect("there"), b"another's");
    assert_eq!(names(dir), ["k", "m", "p", "s"]);
}

#[test]
fn a_new_file_has_the_mode_that_the_umask_lets_it_have() {
    for umask in [0o77, 0o27, 0o22, 0o2, 0] {
        let directory = Folder::new();
        directory.write("in", "some text");
        for (path, most) in write_all(umask, &directory) {
            assert_eq!(mode(&path), most & !umask, "{} under {umask:o}", path.display());
        }
    }
}

#[test]
fn replacing_a_file_never_widens_its_mode() {
    let dir = &Folder::new();
    dir.write("in", "some text");
    let files = write_all(0o22, dir);
    for (old, umask) in [(0o600, 0o22), (0o640, 0o22), (0o666, 0o77), (0o777, 0o2), (0o400, 0)] {
        for (path, _) in &files {
            set_mode(path, old);
        }
        for (path, most) in write_all(umask, dir) {
            let want = old & most & !umask;
            assert_eq!(mode(&path), want, "{}, {old:o} before, {umask:o}", path.display());
        }
    }
    // Through a link, it is the file behind it that counts.
    std::os::unix::fs::symlink("dec", dir.join("link")).expect("writable");
    set_mode(&dir.join("dec"), 0o600);
    ok(after("umask 22", "ice encrypt --game tf2 --in in --out link", dir));
    assert!(found(&dir.join("link")).is_symlink());
    assert_eq!(mode(&dir.join("dec")), 0o600);
}

/// A link to no file leads to the output, as the shell's `>` does it, through other links and
/// from another directory; what leads nowhere else is an error, and stays what it is.
#[test]
fn outputs_are_written_behind_links() {
    let dir = &Folder::new();
    dir.write("in", "some text");
    std::fs::create_dir(dir.join("d")).expect("writable");
    std::fs::create_dir(dir.join("e")).expect("writable");
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, dir.join(name)).expect("writable");
    };
    let encrypt =
        |out: &str| after("umask 22", &format!("ice encrypt --game tf2 --in in --out {out}"), dir);
    link("new", "one");
    link("d/other", "two");
    link("../e/far", "d/other");
    link(dir.join("absolute").to_str().expect("UTF-8"), "three");
    link("d", "folder");
    link("../four", "d/up");
    for (out, written) in [
        ("one", "new"),
        ("two", "e/far"),
        ("three", "absolute"),
        ("folder/up", "four"),
        ("./folder/x", "d/x"),
    ] {
        ok(encrypt(out));
        assert!(out.ends_with('x') || found(&dir.join(out)).is_symlink(), "{out}");
        let file = found(&dir.join(written));
        assert!(file.is_file() && file.len() == 9, "{out}");
        assert_eq!(mode(&dir.join(written)), 0o644, "{out}");
    }
    link("loop", "loop");
    link("missing/x", "no-folder");
    link("d", "to-folder");
    link("gone/", "slash");
    link("in/x", "below-file");
    for out in ["loop", "no-folder", "to-folder", "slash", "below-file"] {
        let text = refused(&encrypt(out));
        assert!(text.starts_with(&format!("error: {out}: ")), "{text}");
        assert!(found(&dir.join(out)).is_symlink(), "{out}");
    }
    assert_eq!(dir.read("in"), b"some text");
    // Two outputs behind two names are one.
    link("later", "first");
    link("./first", "second");
    for files in [
        "--statement first --proof later",
        "--statement later --proof second",
        "--statement first --proof second",
    ] {
        dir.refuses(TOY.replace("--statement s --proof p", files), "both name it");
    }
    assert!(!dir.join("later").exists());
}

#[test]
fn in_place_a_file_has_its_mode_whatever_the_umask() {
    let dir = &Folder::new();
    let path = dir.join("in");
    std::fs::write(&path, "some text").expect("writable");
    for (old, umask) in [(0o600, 0o0), (0o664, 0o77), (0o755, 0o22), (0o444, 0o22)] {
        set_mode(&path, old);
        let before = std::fs::read(&path).expect("readable");
        let line = "ice encrypt --game tf2 --in in --in-place";
        ok(after(&format!("umask {umask:o}"), line, dir));
        assert_ne!(std::fs::read(&path).expect("readable"), before);
        assert_eq!(mode(&path), old, "under {umask:o}");
    }
}

/// The bits for a group say nothing about another group.
#[test]
fn a_replaced_file_stays_with_its_group() {
    let dir = &Folder::new();
    let path = dir.join("in");
    std::fs::write(&path, "some text").expect("writable");
    // A group that we may give files to: only the superuser can count on one, and has user 0.
    if found(&path).uid() != 0 || std::os::unix::fs::chown(&path, Some(1), Some(1)).is_err() {
        return;
    }
    set_mode(&path, 0o640);
    ok(after("umask 22", "ice encrypt --game tf2 --in in --in-place", dir));
    let file = found(&path);
    assert_eq!((file.uid(), file.gid(), file.mode() & 0o777), (1, 1, 0o640));
    dir.write("out", "old");
    std::os::unix::fs::chown(dir.join("out"), None, Some(1)).expect("we may");
    set_mode(&dir.join("out"), 0o640);
    ok(after("umask 22", "ice encrypt --game tf2 --in in --out out", dir));
    let file = found(&dir.join("out"));
    assert_eq!((file.gid(), file.mode() & 0o777), (1, 0o640));
}

#[test]
fn errors_call_files_as_the_user_does() {
    let dir = &Folder::new();
    std::fs::create_dir(dir.join("folder")).expect("writable");
    dir.write("folder/old", "old");
    std::os::unix::fs::symlink("folder/old", dir.join("link")).expect("writable");
    // No file may grow beyond 4 blocks; the write then fails as on a full disk.
    let full = "trap '' XFSZ; ulimit -f 4";
    for (before, out) in [("true", "missing/x"), (full, "x"), (full, "link"), (full, "folder/old")]
    {
        let line = format!("sample --sampler uniform --count 100000 --out {out}");
        let text = refused(&after(before, &line, dir));
        assert!(text.starts_with(&format!("error: {out}: ")), "{text}");
        assert!(!text.contains("partial"), "{text}");
    }
    assert_eq!(dir.read("folder/old"), b"old");
}

/// `fsync` fails for directories or for all else: a file gets its name after it is on disk, and the
/// name is put on disk too.
#[test]
#[cfg(target_os = "linux")]
fn what_does_not_reach_the_disk_is_an_error_and_replaces_nothing() {
    let dir = &Folder::new();
    let fails = |name, what: &str| {
        let source = "int fsync(int fd) { struct stat s; fstat(fd, &s);\n\
                      if (CONDITION(s.st_mode)) { errno = EIO; return -1; } return 0; }\n";
        library(dir, name, &source.replace("CONDITION", what))
    };
    let (file, folder) = (fails("file.so", "!S_ISDIR"), fails("directory.so", "S_ISDIR"));
    std::fs::create_dir(dir.join("d")).expect("writable");
    for out in ["d/new", "d/old"] {
        dir.write("d/old", "some text");
        let to = if out == "d/old" { "--in-place" } else { "--out d/new" };
        let line = format!("ice encrypt --game tf2 --in d/old {to}");
        let ice = |shim: &Path| {
            let mut ice = command(&line);
            ice.current_dir(dir).env("LD_PRELOAD", shim).output().expect("it runs")
        };
        let text = refused(&ice(&file));
        assert!(text.starts_with(&format!("error: {out}: ")), "{text}");
        assert_eq!(dir.read("d/old"), b"some text");
        assert_eq!(names(&dir.join("d")), ["old"]);
        let text = refused(&ice(&folder));
        assert!(text.contains(&format!("{out}: is written, but")), "{text}");
        assert_ne!(dir.read(out), b"some text");
        std::fs::remove_file(dir.join(out)).expect("ours");
    }
}

/// Another process may sweep between the creation of a file and its lock: it holds the lock, or has
/// removed the file. On a file system without locks there is no lock at all.
#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_swept_before_it_is_locked_is_made_again() {
    let dir = &Folder::new();
    dir.write("in", "some text");
    std::fs::create_dir(dir.join("d")).expect("writable");
    let removed = "int flock(int fd, int operation) { static int calls; char link[64], path[4096] = \"\";\n\
                   if (!calls++) { snprintf(link, sizeof link, \"/proc/self/fd/%d\", fd);\n\
                   readlink(link, path, sizeof path - 1); if (unlink(path)) _exit(9); }\n\
                   return syscall(SYS_flock, fd, operation); }\n";
    let held = "int flock(int fd, int operation) { static int calls;\n\
                if (!calls++) { errno = EWOULDBLOCK; return -1; }\n\
                return syscall(SYS_flock, fd, operation); }\n";
    let none = "int flock(int fd, int operation) { errno = ENOLCK; return -1; }\n";
    for (name, source) in [("removed.so", removed), ("held.so", held), ("none.so", none)] {
        let source = &[NAMED, source].concat();
        let mut ice = command("ice encrypt --game tf2 --in in --out d/x");
        ok(ice
            .current_dir(dir)
            .env("LD_PRELOAD", library(dir, name, source))
            .output()
            .expect("it runs"));
        assert_eq!(names(&dir.join("d")), ["x"], "{name}");
        std::fs::remove_file(dir.join("d/x")).expect("written");
    }
}

/// A prover that has stopped in the middle of a write.
#[cfg(target_os = "linux")]
fn prover(directory: &Path, shim: &Path) -> Child {
    let mut prove = command(TOY);
    prove.current_dir(directory).env("LD_PRELOAD", shim);
    let mut child = prove.stdout(Stdio::null()).spawn().expect("it runs");
    preload::wait_until_stopped(&mut child);
    child
}

/// The names that unfinished files have in a directory.
fn partial(directory: &Path) -> Vec<String> {
    let mut names = names(directory);
    names.retain(|name| name.starts_with(".partial-"));
    names
}

/// However a program ends, nothing is left of the file that it was writing; where files cannot be
/// without a name, a signal that cannot be caught leaves one.
#[test]
#[cfg(target_os = "linux")]
fn no_signal_leaves_a_file() {
    let dir = &Folder::new();
    let elsewhere = tempfile::tempdir().expect("a directory");
    let shim = |name: &str, before: &str, forever| {
        library(elsewhere.path(), name, &[before, &half_a_write(forever)].concat())
    };
    let (unnamed, named) = (shim("unnamed.so", "", true), shim("named.so", NAMED, true));
    // A program in the background of a shell, or under `nohup`, has signals ignored, and so have
    // its children.
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask");
    let ignored = u64::from_str_radix(ignored.trim(), 16).expect("hexadecimal");
    let signals = [("HUP", 1), ("INT", 2), ("QUIT", 3), ("ABRT", 6), ("KILL", 9), ("TERM", 15)];
    for (name, number) in signals {
        if ignored >> (number - 1) & 1 == 1 {
            continue;
        }
        let ended_by_it = |shim: &Path| {
            let mut child = prover(dir, shim);
            let (files, names) = (open_files(&child), partial(dir));
            preload::signal(&child, name);
            preload::signal(&child, "CONT");
            assert_eq!(child.wait().expect("it ends").code(), None, "{name} has ended it");
            (files, names)
        };
        let (files, written) = ended_by_it(&unnamed);
        assert!(files.iter().any(|path| path.ends_with("(deleted)")), "{files:?}");
        assert_eq!([written, names(dir)].concat(), [""; 0], "{name}");
        if !["KILL", "ABRT"].contains(&name) {
            let (_, written) = ended_by_it(&named);
            assert_eq!((written.len(), names(dir).len()), (1, 0), "{name}");
        }
    }
    // A parent that has a signal ignored means it.
    let (mut prove, toy) = (Command::new("sh"), command(TOY));
    prove.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(toy.get_program());
    prove.args(toy.get_args()).current_dir(dir).env("LD_PRELOAD", shim("once.so", NAMED, false));
    let mut child = prove.stdout(Stdio::null()).spawn().expect("a shell");
    preload::wait_until_stopped(&mut child);
    assert_eq!(partial(dir).len(), 1);
    preload::signal(&child, "HUP");
    preload::signal(&child, "CONT");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(names(dir), ["p", "s"]);
}

/// The files that a process has open, as /proc tells.
#[cfg(target_os = "linux")]
fn open_files(process: &Child) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(format!("/proc/{}/fd", process.id())) else {
        return Vec::new();
    };
    let link = |e: std::io::Result<std::fs::DirEntry>| std::fs::read_link(e.ok()?.path()).ok();
    entries.filter_map(link).map(|path| path.to_string_lossy().into_owned()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn what_killed_programs_leave_is_swept_and_what_running_ones_write_is_not() {
    let dir = &Folder::new();
    let elsewhere = tempfile::tempdir().expect("a directory");
    let shim = library(elsewhere.path(), "named.so", &[NAMED, &half_a_write(true)].concat());
    let mut dead = prover(dir, &shim);
    dead.kill().expect("it runs");
    dead.wait().expect("it ends");
    let left = partial(dir);
    assert_eq!(left.len(), 1, "nobody could remove it");
    let mut running = prover(dir, &shim);
    let written = partial(dir);
    assert!(written.len() == 1 && written != left, "the next prover removes it");
    dir.ok(TOY);
    assert_eq!(names(dir), [&written[0], "p", "s"], "that of the running prover stays");
    // Dead by now, in a directory of another output.
    running.kill().expect("it is there");
    running.wait().expect("it ends");
    std::fs::create_dir(dir.join("d")).expect("writable");
    dir.write("in", "some text");
    dir.ok("ice encrypt --game tf2 --in in --out d/x");
    assert_eq!(partial(dir), written, "another directory");
    dir.ok("ice encrypt --game tf2 --in in --out x");
    assert_eq!(names(dir), ["d", "in", "p", "s", "x"]);
}

/// Names that look like leftovers, and files that nobody should open.
#[test]
fn sweeping_removes_nothing_else() {
    let dir = &Folder::new();
    let at = |name: &str| dir.join(name);
    dir.write("in", "some text");
    for name in [
        ".partial-",
        ".partial-s",
        ".partial-0123456789abcdef",
        ".partial-0123456789abcde.out",
        ".partial-0123456789abcde_.out",
        ".partial-0123456789abcdef.out~",
        "partial-0123456789abcdef.out",
    ] {
        dir.write(name, "of somebody else");
    }
    std::fs::create_dir(at(".partial-000000000000000d.out")).expect("writable");
    std::os::unix::fs::symlink("in", at(".partial-000000000000000f.out")).expect("writable");
    let pipe = Command::new("mkfifo").arg(at(".partial-000000000000000e.out")).status();
    assert!(pipe.expect("mkfifo").success());
    let locked = std::fs::File::create(at(".partial-000000000000000a.out")).expect("writable");
    locked.lock().expect("a file system with locks");
    let mut want = names(dir);
    // The one that is a leftover.
    dir.write(".partial-0123456789ABCDEF.out", "of a dead process");
    let foreign = at(".partial-000000000000000b.out");
    std::fs::write(&foreign, "of another user").expect("writable");
    if std::os::unix::fs::chown(&foreign, Some(1), None).is_ok() && found(&foreign).uid() == 1 {
        want.push(".partial-000000000000000b.out".to_owned());
    }
    dir.ok("ice encrypt --game tf2 --in in --out x");
    want.push("x".to_owned());
    want.sort();
    assert_eq!(names(dir), want);
    drop(locked);
}
