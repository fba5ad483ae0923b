//! The `pir` example: every block comes back, in any of its files a fault is an error.

use tautochrone_testkit::examples::SEED;

use crate::folder::Folder;

/// A file of 10 blocks, the last of which is short, and its hint.
fn served() -> (Folder, Vec<u8>) {
    let dir = Folder::new();
    let file: Vec<u8> = (0..950_u32).map(|i| (i * i >> 3) as u8).collect();
    dir.write("file", &file);
    let answer = dir.json("pir setup --in file --block 100 --hint h");
    assert_eq!((&answer["blocks"], &answer["block_bytes"]), (&10.into(), &100.into()));
    assert!(answer["security_bits"].as_f64().expect("a number") >= 128.0, "{answer}");
    (dir, file)
}

fn query(index: usize) -> String {
    format!("pir query --hint h --index {index} --query q --secret k")
}

const ANSWER: &str = "pir answer --in file --query q --answer a";
const RECOVER: &str = "pir recover --hint h --secret k --answer a --out -";

#[test]
fn every_block_comes_back() {
    let (dir, file) = &served();
    for (index, block) in file.chunks(100).enumerate() {
        dir.ok(query(index));
        dir.ok(ANSWER);
        assert_eq!(dir.output(RECOVER).stdout, block, "block {index}");
    }
}

/// A block is the one of the hint or none: not from a file that has changed, not by what was made
/// for another file or block length, not from a server that lies, and not by files that are
/// altered.
#[test]
fn what_does_not_fit_the_hint_is_refused() {
    let (dir, file) = &served();
    let recover = &RECOVER.replace("--out -", "--out block");
    let refuses = |line: &str, hint: &str| {
        dir.refuses(line, hint);
        assert!(!dir.join("block").exists());
    };
    // One seed, so that nothing but the content tells one set-up from another, and so that no
    // change is too small by chance.
    let setup = |block| {
        dir.ok(format!("pir setup --in file --block {block} --hint h --seed {SEED}"));
    };
    setup(100);
    dir.ok(format!("{} --seed {SEED}", query(3)));
    dir.ok(ANSWER);
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
        dir.remove("a");
        refuses(ANSWER, "file: is not the file of the query");
        assert!(!dir.join("a").exists());
        // A new hint, and what was made by the old one.
        setup(100);
        keep("old-a", "a");
        refuses(recover, "belongs to another hint");
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
        refuses(recover, "a: does not give the block of h");
    }
    dir.write("file", file);
    keep("old-a", "a");
    setup(50);
    refuses(recover, "belongs to another hint");
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
        refuses(recover, hint);
        dir.write(name, whole);
    }
    let damaged = dir.read("h");
    dir.write("h", [&damaged[..hashes], &[0; 320]].concat());
    refuses(&query(3), "its hashes of blocks are damaged");
    dir.write("h", damaged);
    dir.ok(recover);
    assert_eq!(dir.read("block"), file[300..400]);
}

/// The same index gives another query each time, and the same seed the same on every instruction
/// set.
#[test]
fn queries_repeat_by_their_seed_only() {
    let (dir, _) = &served();
    let made = |line: &str| {
        dir.ok(line);
        dir.read("q")
    };
    assert_ne!(made(&query(3)), made(&query(3)));
    let seeded = format!("{} --seed {SEED} --isa", query(3));
    assert_eq!(made(&format!("{seeded} portable")), made(&format!("{seeded} auto")));
}

#[test]
fn faults_are_refused() {
    let (dir, file) = &served();
    dir.ok(query(3));
    dir.ok(ANSWER);
    dir.refuses(query(10), "the last block is 9");
    dir.refuses(query(1).replace("--secret k", "--secret q"), "both name it");
    // Another file, and files of another kind, length or set-up.
    dir.write("file", &file[..949]);
    dir.refuses(ANSWER, "a file of 950 bytes, not 949");
    dir.write("file", "");
    dir.refuses(ANSWER, "is empty");
    for (name, line) in [("q", ANSWER), ("h", RECOVER), ("k", RECOVER), ("a", RECOVER)] {
        let whole = dir.read(name);
        let mut shape = whole.clone();
        shape[12] ^= 1;
        let mut weak = whole.clone();
        weak[17] -= 1;
        let long = [&whole[..], &[0]].concat();
        for bad in [&[][..], &whole[..63], &whole[..64], &whole[1..], &shape, &weak, &long] {
            dir.write(name, bad);
            dir.refuses(line, &format!("error: {name}: "));
        }
        dir.write(name, whole);
    }
    dir.write("file", file);
    dir.ok("pir setup --in file --block 100 --hint h");
    dir.refuses(RECOVER, "belongs to another hint");
    // So many blocks that their noise would hide them.
    let sparse = std::fs::File::create(dir.join("file")).expect("writable");
    sparse.set_len(1 << 25).expect("a file system with sparse files");
    dir.refuses("pir setup --in file --block 1 --hint h", "take larger blocks");
}
