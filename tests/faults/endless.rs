//! The example binaries on inputs without end: each has a limit, and bytes beyond it are not read.
#![cfg(target_os = "linux")]

use tautochrone_testkit::examples::{after, command, names, ok, refused, run};

use crate::folder::Folder;

/// However long a file or a pipe is, no more of it is read than the longest proof has.
#[test]
fn endless_proofs_are_refused() {
    let dir = &Folder::proved();
    // A file that begins as a proof and does not end, and one that is nothing.
    let proof = dir.read("p");
    for (content, problem) in
        [(&proof[..], "file has more than "), (&[], "not a file of this kind")]
    {
        dir.write("long", content);
        let file = std::fs::File::options().write(true).open(dir.join("long")).expect("writable");
        file.set_len(1 << 40).expect("a sparse file");
        let text = refused(&run("verify", &["--statement", "s", "--proof", "long"], dir));
        assert!(text.contains(&format!("long: proof: {problem}")), "{text}");
        let file = std::fs::File::open(dir.join("long")).expect("readable");
        let mut verify = command("verify");
        verify.args(["--statement", "s", "--proof", "-"]).current_dir(dir).stdin(file);
        let text = refused(&verify.output().expect("it runs"));
        assert!(text.contains(&format!("stdin: proof: {problem}")), "{text}");
    }
}

/// Inputs that are read as a whole have a limit each: of a file of 4 TB nothing is read, and of a
/// device or pipe not more than that. A program that tries all the same runs out of the memory that
/// it is given here.
#[test]
fn endless_inputs_are_refused() {
    let dir = &Folder::new();
    dir.write("log", "one line");
    let commit = ["commit", "--in", "log", "--key", "k", "--statement", "s", "--proof", "p"];
    ok(run("commit_file", &commit, dir));
    let sparse = std::fs::File::create(dir.join("sparse")).expect("writable");
    sparse.set_len(4 << 40).expect("a file system with sparse files");
    let before = names(dir);
    let read = |name: &str, args: &[&str]| {
        refused(&after("ulimit -v 8000000; exec </dev/zero", name, args, dir))
    };
    let key = ["--game", "tf2"];
    let out = ["--statement", "s2", "--proof", "p2"];
    for (path, said) in [("sparse", "sparse"), ("/dev/zero", "/dev/zero"), ("-", "stdin")] {
        let number = format!("@{path}");
        let operands = ["--base", "2", "--exponent", "3", "--modulus", &number];
        let check = |name: &str, args: &[&str], most: u64| {
            let text = read(name, args);
            let hint = format!("{said}: has over {most} bytes");
            assert!(text.contains(&hint), "{name} {args:?}: {text}");
        };
        check("ice", &[&["encrypt", "--in", path, "--out", "x"], &key[..]].concat(), 1 << 30);
        check("modexp", &["--batch", path], 64 << 20);
        check("modexp", &operands, 1 << 20);
        check("rollup", &["--in", path], 1 << 20);
        let commit = ["commit", "--in", path, "--key", "k2"];
        check("commit_file", &[&commit[..], &out].concat(), 64 << 20);
        check("prove", &[&["--params", path], &out[..]].concat(), 1 << 20);
        let keys = ["--owner", "a", "--params", path];
        let list = ["verify", "--set", "ML-KEM-512", "--purpose", "x", "--ids", path];
        check("keys", &[&list[..], &out].concat(), 64 << 20);
        check("lwe_keys", &[&keys[..], &out].concat(), 1 << 20);
        let open = ["open", "--in", "log", "--statement", "s", "--piece", "0", "--out", "o"];
        check("commit_file", &[&open[..], &["--key", path]].concat(), 1 << 20);
    }
    read("ice", &[&["encrypt", "--in", "sparse", "--in-place"], &key[..]].concat());
    // An input of one length is not read beyond it; one that is read at any offset has a length.
    let keys = ["--preset", "T1-128", "--keys", "8", "--owner", "a"];
    let public = ["--statement", "s", "--proof", "p", "--public-keys"];
    for (path, matrix, witness, opened) in [
        (
            "sparse",
            "sparse: expected 6706176 bytes (A'), found more",
            "has 4398046511104 bytes",
            "round_t",
        ),
        ("/dev/zero", "zero: expected 6706176 bytes", "not a regular file", "not a regular file"),
        ("-", "stdin: expected 6706176 bytes", "stdin: is read at any offset", "at any offset"),
    ] {
        for (flag, problem) in [("--matrix", matrix), ("--witness", witness)] {
            let text = read("lwe_keys", &[&keys[..], &[flag, path], &out].concat());
            assert!(text.contains(problem), "{flag} {path}: {text}");
        }
        // T is rounded here: no keys can be compared with it.
        let text = read("verify", &[&public[..], &[path]].concat());
        assert!(text.contains(opened), "{path}: {text}");
    }
    assert_eq!(names(dir), before, "nothing was written");
    // No line has a byte, but a column of T has thousands for each.
    dir.write("log", "\n".repeat((1 << 14) + 1));
    assert!(read("rollup", &["--in", "log"]).contains("16385 lines"));
}
