//! The `pir` example: every block comes back, in any of its files a fault is an error.

use std::path::Path;
use std::process::Output;

use tautochrone_testkit::examples::{self, json, ok, refused};

fn pir(args: &[&str], directory: &Path) -> Output {
    examples::run("pir", args, directory)
}

/// A file of 10 blocks, the last of which is short, and its hint.
fn served() -> (tempfile::TempDir, Vec<u8>) {
    let directory = tempfile::tempdir().expect("a directory");
    let file: Vec<u8> = (0..950_u32).map(|i| (i * i >> 3) as u8).collect();
    std::fs::write(directory.path().join("file"), &file).expect("writable");
    let args = ["setup", "--in", "file", "--block", "100", "--hint", "h", "--json"];
    let answer = json(pir(&args, directory.path()));
    assert_eq!((&answer["blocks"], &answer["block_bytes"]), (&10.into(), &100.into()));
    assert!(answer["security_bits"].as_f64().expect("a number") >= 128.0, "{answer}");
    (directory, file)
}

fn query(index: &str, directory: &Path) {
    let args = ["query", "--hint", "h", "--index", index, "--query", "q", "--secret", "k"];
    ok(pir(&args, directory));
}

const ANSWER: [&str; 7] = ["answer", "--in", "file", "--query", "q", "--answer", "a"];
const RECOVER: [&str; 9] =
    ["recover", "--hint", "h", "--secret", "k", "--answer", "a", "--out", "-"];

#[test]
fn every_block_comes_back() {
    let (directory, file) = served();
    let dir = directory.path();
    for (index, block) in file.chunks(100).enumerate() {
        query(&index.to_string(), dir);
        ok(pir(&ANSWER, dir));
        assert_eq!(pir(&RECOVER, dir).stdout, block, "block {index}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(dir.join("k")).expect("written").permissions().mode();
        assert_eq!(mode & 0o77, 0, "the secret is private");
    }
}

/// The same index gives another query each time, and the same seed the same on every instruction
/// set.
#[test]
fn queries_repeat_by_their_seed_only() {
    let (directory, _) = served();
    let dir = directory.path();
    let read = || std::fs::read(dir.join("q")).expect("written");
    query("3", dir);
    let first = read();
    query("3", dir);
    assert_ne!(first, read());
    let args = ["query", "--hint", "h", "--index", "3", "--query", "q", "--secret", "k"];
    let seeded = [&args[..], &["--seed", examples::SEED, "--isa"]].concat();
    ok(pir(&[&seeded[..], &["portable"]].concat(), dir));
    let first = read();
    ok(pir(&[&seeded[..], &["auto"]].concat(), dir));
    assert_eq!(first, read());
}

#[test]
fn faults_are_refused() {
    let (directory, file) = served();
    let dir = directory.path();
    query("3", dir);
    ok(pir(&ANSWER, dir));
    let beyond = ["query", "--hint", "h", "--index", "10", "--query", "x", "--secret", "y"];
    assert!(refused(&pir(&beyond, dir)).contains("the last block is 9"));
    let same = ["query", "--hint", "h", "--index", "1", "--query", "x", "--secret", "x"];
    assert!(refused(&pir(&same, dir)).contains("both name it"));
    // Another file, and files of another kind, length or set-up.
    std::fs::write(dir.join("file"), &file[..949]).expect("writable");
    assert!(refused(&pir(&ANSWER, dir)).contains("a file of 950 bytes, not 949"));
    std::fs::write(dir.join("file"), "").expect("writable");
    assert!(refused(&pir(&ANSWER, dir)).contains("is empty"));
    for (name, args) in [("q", &ANSWER[..]), ("h", &RECOVER), ("k", &RECOVER), ("a", &RECOVER)] {
        let whole = std::fs::read(dir.join(name)).expect("written");
        let mut shape = whole.clone();
        shape[12] ^= 1;
        let mut weak = whole.clone();
        weak[17] -= 1;
        let long = [&whole[..], &[0]].concat();
        for bad in [&[][..], &whole[..63], &whole[..64], &whole[1..], &shape, &weak, &long] {
            std::fs::write(dir.join(name), bad).expect("writable");
            assert!(refused(&pir(args, dir)).starts_with(&format!("error: {name}: ")), "{name}");
        }
        std::fs::write(dir.join(name), whole).expect("writable");
    }
    std::fs::write(dir.join("file"), &file).expect("writable");
    ok(pir(&["setup", "--in", "file", "--block", "100", "--hint", "h"], dir));
    assert!(refused(&pir(&RECOVER, dir)).contains("belongs to another hint"));
    // So many blocks that their noise would hide them.
    let sparse = std::fs::File::create(dir.join("file")).expect("writable");
    sparse.set_len(1 << 25).expect("a file system with sparse files");
    let small = ["setup", "--in", "file", "--block", "1", "--hint", "h"];
    assert!(refused(&pir(&small, dir)).contains("take larger blocks"));
}
