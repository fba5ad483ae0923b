//! The `pir` example: every block comes back, in any of its files a fault is an error.

use std::path::Path;
use std::process::Output;

use tautochrone_testkit::examples::{self, json, ok, refused};

use crate::folder::Folder;

fn pir(args: &[&str], directory: &Path) -> Output {
    examples::run("pir", args, directory)
}

/// A file of 10 blocks, the last of which is short, and its hint.
fn served() -> (Folder, Vec<u8>) {
    let directory = Folder::new();
    let file: Vec<u8> = (0..950_u32).map(|i| (i * i >> 3) as u8).collect();
    std::fs::write(directory.join("file"), &file).expect("writable");
    let args = ["setup", "--in", "file", "--block", "100", "--hint", "h", "--json"];
    let answer = json(pir(&args, &directory));
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
    let (dir, file) = &served();
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

/// A block is the one of the hint or none: not from a file that has changed, not by what was made
/// for another file or block length, not from a server that lies, and not by files that are
/// altered.
#[test]
fn what_does_not_fit_the_hint_is_refused() {
    let (dir, file) = &served();
    let recover = [&RECOVER[..8], &["block"]].concat();
    let refuses = |args: &[&str], hint: &str| {
        let text = refused(&pir(args, dir));
        assert!(text.contains(hint), "{text}");
        assert!(!dir.join("block").exists());
    };
    // One seed, so that nothing but the content tells one set-up from another, and so that no
    // change is too small by chance.
    let setup = |block| {
        let args = ["setup", "--in", "file", "--block", block, "--hint", "h", "--seed"];
        ok(pir(&[&args[..], &[examples::SEED]].concat(), dir));
    };
    setup("100");
    let args = ["query", "--hint", "h", "--index", "3", "--query", "q", "--secret", "k", "--seed"];
    ok(pir(&[&args[..], &[examples::SEED]].concat(), dir));
    ok(pir(&ANSWER, dir));
    let keep = |from: &str, to: &str| drop(std::fs::copy(dir.join(from), dir.join(to)));
    keep("a", "old-a");
    keep("h", "old-h");
    keep("q", "old-q");
    // One byte of the file changes, in the block that is asked for and in another, with the length
    // that it had.
    for at in [350, 950 - 1] {
        let mut changed = file.clone();
        changed[at] ^= 1;
        dir.write("file", &changed);
        std::fs::remove_file(dir.join("a")).expect("there");
        refuses(&ANSWER, "file: is not the file of the query");
        assert!(!dir.join("a").exists());
        // A new hint, and what was made by the old one.
        setup("100");
        keep("old-a", "a");
        refuses(&recover, "belongs to another hint");
        // A server that answers for its file to every query: by a byte more, its answer
        // has the query's entry for that block more in that row.
        let mut false_answer = dir.read("old-a");
        let words = dir.read("old-q");
        let (block, row) = (at / 100, at % 100);
        let word = |bytes: &[u8], i: usize| {
            u32::from_le_bytes(bytes[96 + 4 * i..][..4].try_into().expect("four bytes"))
        };
        let difference = u32::from(changed[at]).wrapping_sub(file[at].into());
        let z = word(&false_answer, row).wrapping_add(word(&words, block).wrapping_mul(difference));
        false_answer[96 + 4 * row..][..4].copy_from_slice(&z.to_le_bytes());
        dir.write("a", false_answer);
        keep("old-h", "h");
        refuses(&recover, "a: does not give the block of h");
    }
    dir.write("file", file);
    keep("old-a", "a");
    setup("50");
    refuses(&recover, "belongs to another hint");
    keep("old-h", "h");
    // Altered: part of H, of the hashes a word, of answer and secret one, and every digest.
    let hashes = std::fs::metadata(dir.join("h")).expect("there").len() as usize - 320;
    for (name, at, hint) in [
        ("h", 99, "a: does not give the block of h"),
        ("h", hashes + 319, "its hashes of blocks are damaged"),
        ("h", hashes, "its hashes of blocks are damaged"),
        ("h", 70, "its hashes of blocks are damaged"),
        ("a", 70, "belongs to another hint"),
        ("a", 99, "a: does not give the block of h"),
        ("k", 70, "belongs to another hint"),
        ("k", 100, "a: does not give the block of h"),
        // The index, 2 instead of 3.
        ("k", 96 + 32, "a: does not give the block of h"),
    ] {
        let whole = dir.read(name);
        let mut altered = whole.clone();
        // One bit of H counts for nothing where the secret is even.
        let len = if at == 99 { 400 } else { 1 };
        altered.iter_mut().skip(at).take(len).for_each(|byte| *byte ^= 1 << (at % 32 / 4));
        dir.write(name, altered);
        refuses(&recover, hint);
        dir.write(name, whole);
    }
    let damaged = dir.read("h");
    dir.write("h", [&damaged[..hashes], &[0; 320]].concat());
    let args = ["query", "--hint", "h", "--index", "3", "--query", "x", "--secret", "y"];
    refuses(&args, "its hashes of blocks are damaged");
    dir.write("h", damaged);
    ok(pir(&recover, dir));
    assert_eq!(dir.read("block"), file[300..400]);
}

/// The same index gives another query each time, and the same seed the same on every instruction
/// set.
#[test]
fn queries_repeat_by_their_seed_only() {
    let (dir, _) = &served();
    let read = || dir.read("q");
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
    let (dir, file) = &served();
    query("3", dir);
    ok(pir(&ANSWER, dir));
    let beyond = ["query", "--hint", "h", "--index", "10", "--query", "x", "--secret", "y"];
    assert!(refused(&pir(&beyond, dir)).contains("the last block is 9"));
    let same = ["query", "--hint", "h", "--index", "1", "--query", "x", "--secret", "x"];
    assert!(refused(&pir(&same, dir)).contains("both name it"));
    // Another file, and files of another kind, length or set-up.
    dir.write("file", &file[..949]);
    assert!(refused(&pir(&ANSWER, dir)).contains("a file of 950 bytes, not 949"));
    dir.write("file", "");
    assert!(refused(&pir(&ANSWER, dir)).contains("is empty"));
    for (name, args) in [("q", &ANSWER[..]), ("h", &RECOVER), ("k", &RECOVER), ("a", &RECOVER)] {
        let whole = dir.read(name);
        let mut shape = whole.clone();
        shape[12] ^= 1;
        let mut weak = whole.clone();
        weak[17] -= 1;
        let long = [&whole[..], &[0]].concat();
        for bad in [&[][..], &whole[..63], &whole[..64], &whole[1..], &shape, &weak, &long] {
            dir.write(name, bad);
            assert!(refused(&pir(args, dir)).starts_with(&format!("error: {name}: ")), "{name}");
        }
        dir.write(name, whole);
    }
    dir.write("file", file);
    ok(pir(&["setup", "--in", "file", "--block", "100", "--hint", "h"], dir));
    assert!(refused(&pir(&RECOVER, dir)).contains("belongs to another hint"));
    // So many blocks that their noise would hide them.
    let sparse = std::fs::File::create(dir.join("file")).expect("writable");
    sparse.set_len(1 << 25).expect("a file system with sparse files");
    let small = ["setup", "--in", "file", "--block", "1", "--hint", "h"];
    assert!(refused(&pir(&small, dir)).contains("take larger blocks"));
}
