//! The example binaries on inputs without end: each has a limit, and bytes beyond it are not read.
#![cfg(target_os = "linux")]

use tautochrone_testkit::examples::{after, command, names, refused};

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
        dir.refuses("verify --statement s --proof long", &format!("long: proof: {problem}"));
        let file = std::fs::File::open(dir.join("long")).expect("readable");
        let mut verify = command("verify --statement s --proof -");
        let text = refused(&verify.current_dir(dir).stdin(file).output().expect("it runs"));
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
    dir.ok("commit_file commit --in log --key k --statement s --proof p");
    let sparse = std::fs::File::create(dir.join("sparse")).expect("writable");
    sparse.set_len(4 << 40).expect("a file system with sparse files");
    let before = names(dir);
    let read = |line: &str, hint: &str| {
        let text = refused(&after("ulimit -v 8000000; exec </dev/zero", line, dir));
        assert!(text.contains(hint), "{line}: {text}");
    };
    let out = "--statement s2 --proof p2";
    for (path, said) in [("sparse", "sparse"), ("/dev/zero", "/dev/zero"), ("-", "stdin")] {
        for (line, most) in [
            (format!("ice encrypt --game tf2 --out x --in {path}"), 1 << 30),
            (format!("modexp --batch {path}"), 64 << 20),
            (format!("modexp --base 2 --exponent 3 --modulus @{path}"), 1 << 20),
            (format!("rollup --in {path}"), 1 << 20),
            (format!("commit_file commit --in {path} --key k2 {out}"), 64 << 20),
            (format!("prove --params {path} {out}"), 1 << 20),
            (format!("keys verify --set ML-KEM-512 --purpose x --ids {path} {out}"), 64 << 20),
            (
                format!("commit_file open --in log --statement s --piece 0 --out o --key {path}"),
                1 << 20,
            ),
        ] {
            read(&line, &format!("{said}: has over {most} bytes"));
        }
    }
    read("ice encrypt --in sparse --in-place --game tf2", "sparse: ");
    // An input of one length is not read beyond it; one that is read at any offset has a length.
    let keys = "prove --preset T1-128 --columns 8";
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
            read(&format!("{keys} {flag} {path} {out}"), problem);
        }
        // T is rounded here: no keys can be compared with it.
        read(&format!("verify --statement s --proof p --public-keys {path}"), opened);
    }
    assert_eq!(names(dir), before, "nothing was written");
    // No line has a byte, but a column of T has thousands for each.
    dir.write("log", "\n".repeat((1 << 14) + 1));
    read("rollup --in log", "16385 lines");
}
