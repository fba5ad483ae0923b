//! A committed file: pieces and facts that are shown, and requests that are refused.

use tautochrone_testkit::examples::SEED;
use tautochrone_zk::{Security, Statement};

use crate::folder::Folder;

/// What the owner has of a committed file.
const OWNED: &str = "--in log --statement s --key k";

/// A folder with a file `log`, which was committed to with these flags.
fn committed(text: &[u8], flags: &str) -> Folder {
    let dir = Folder::new();
    dir.write("log", text);
    dir.ok(format!("commit_file commit {OWNED} --proof p {flags} --seed {SEED}"));
    dir
}

fn prove(slot: u32, what: &str, out: &str) -> String {
    format!("commit_file prove {OWNED} --slot {slot} {what} --out {out}")
}

fn verify(slot: u32, fact: &str, what: &str) -> String {
    format!("commit_file verify --statement s --slot {slot} --fact {fact} {what}")
}

#[test]
fn pieces_of_a_committed_file() {
    let text: Vec<u8> = (0..400_u32).map(|i| (i * 7 % 251) as u8).collect();
    let dir = &committed(&text, "");
    let open = |piece, file: &str, out| {
        format!("commit_file open --in {file} --statement s --key k --piece {piece} --out {out}")
    };
    let check = |piece, opening| {
        format!("commit_file check --statement s --proof p --piece {piece} --opening {opening}")
    };
    dir.ok(open(3, "log", "o"));
    let output = dir.output(check(3, "o"));
    assert!(output.status.success() && output.stdout == text[384..], "the last piece is short");
    assert_eq!(dir.code(check(2, "o")), 1, "the opening of another piece");
    let answer = dir.json(check(3, "o"));
    assert_eq!(answer["hex"], hex::encode(&text[384..]));
    assert_eq!(answer["file_bytes"], 400);

    // Neither another file nor another key opens anything, and nothing is written; nor does a
    // changed opening.
    let mut other = text.clone();
    other[390] ^= 1;
    dir.write("other", &other);
    for piece in [3, 2] {
        dir.refuses(open(piece, "other", "o2"), "do not open");
    }
    let key = dir.read("k");
    let mut wrong = key.clone();
    wrong[0] = if wrong[0] == b'0' { b'1' } else { b'0' };
    dir.write("k", &wrong);
    dir.refuses(open(3, "log", "o2"), "do not open");
    dir.write("k", &key);
    assert!(!dir.join("o2").exists(), "nothing is published under wrong randomness");
    let mut opening = dir.read("o");
    // Bits of both messages and of both kinds of randomness. (The last entries are errors of LWE,
    // which rounding takes off T with its low bits.)
    let v = opening.len() / 2;
    for place in [0, 1023, 2000, v, v + 1023, v + 1024, v + 2000] {
        let before = opening[place];
        opening[place] = u8::from(before == 0);
        dir.write("o3", &opening);
        assert_eq!(dir.code(check(3, "o3")), 1, "entry {place}");
        opening[place] = before;
    }
    opening.pop();
    dir.write("o3", &opening);
    dir.refuses(check(3, "o3"), "o3: expected ");

    dir.refuses(open(4, "log", "o4"), "the last is 3");
    dir.refuses(open(3, "missing", "o4"), "missing");
    dir.refuses(open(3, "s", "o4"), "do not open");
    dir.refuses(check(4, "o"), "");
    assert!(!dir.join("o4").exists());
    dir.write("empty", []);
    dir.refuses("commit_file commit --in empty --statement s --proof p --key k2", "is empty");
    assert!(!dir.join("k2").exists());
}

/// Bytes at a place and sums of numbers are shown, others are not; a slot serves one list of facts.
#[test]
fn facts_about_a_committed_file() {
    // Three pieces, each with its number times 1000 in bytes 5 and 6.
    let mut text: Vec<u8> = (0..300_u32).map(|i| (i % 251) as u8).collect();
    for piece in 0..3 {
        let number = (1000 * (1 + piece as u16)).to_le_bytes();
        text[128 * piece + 5..128 * piece + 7].copy_from_slice(&number);
    }
    let dir = &committed(&text, "--facts 2");
    let there = hex::encode(&text[130..140]);
    dir.ok(prove(0, "--bytes 130:10", "f"));
    let bytes = &format!("--bytes 130:10 --hex {there}");
    assert!(dir.ok(verify(0, "f", bytes)).contains("the fact holds"));
    let answer = dir.json(verify(0, "f", bytes));
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &false.into()));
    assert_eq!(answer["file_bytes"], 300);
    assert_eq!(dir.json(verify(0, "f", &format!("{bytes} --proof p")))["exact"], true);
    assert_eq!(dir.code(verify(1, "f", bytes)), 1, "another slot");
    // There is a piece, but not so much of the file; another place; other bytes.
    for (place, digits) in
        [("295:10", &there[..]), ("131:10", &there[..]), ("130:10", &hex::encode(&text[131..141]))]
    {
        let other = verify(0, "f", &format!("--bytes {place} --hex {digits}"));
        assert_eq!(dir.code(other), 1, "{place}");
    }

    dir.ok(prove(1, "--sum 5:2", "g"));
    let verify_sum = |fact: &str, place: &str, value: u64, proof: &str| {
        verify(1, fact, &format!("--proof {proof} --sum {place} --value {value}"))
    };
    dir.ok(verify_sum("g", "5:2", 6000, "p"));
    assert_eq!(dir.code(verify_sum("g", "5:2", 6001, "p")), 1);
    assert_eq!(dir.code(verify_sum("g", "5:1", 6000, "p")), 1);
    let proof = dir.read("g");
    let end = proof.len() - 1;
    for (at, what) in [(100, "no opening of the length"), (end - 100, "no proof")] {
        let mut changed = proof.clone();
        changed[at] ^= 1;
        dir.write("h", &changed);
        assert_eq!(dir.code(verify_sum("h", "5:2", 6000, "p")), 1, "{what}");
    }
    for cut in [&proof[..end], &proof[..100]] {
        dir.write("h", cut);
        assert_eq!(dir.code(verify_sum("h", "5:2", 6000, "p")), 2);
    }
    // The proof that entries are bits counts as well.
    let mut proof = dir.read("p");
    proof[200] ^= 1;
    dir.write("h", &proof);
    assert_eq!(dir.code(verify_sum("g", "5:2", 6000, "h")), 1);

    // The same fact again is as good as a copy; another one in its slot is refused.
    dir.ok(prove(1, "--sum 5:2", "g2"));
    dir.ok(verify_sum("g2", "5:2", 6000, "p"));
    dir.refuses(prove(1, "--sum 5:1", "h"), "slot 1 has served for sum 5:2");
    dir.refuses(prove(0, "--sum 5:2", "h"), "take another");
    // Pieces can be opened as without facts.
    dir.ok(format!("commit_file open {OWNED} --piece 2 --out o"));
    let check = "commit_file check --statement s --proof p --piece 2 --opening o";
    assert_eq!(dir.output(check).stdout, &text[256..]);

    // A place, a slot or a value that does not exist, or another file.
    dir.write("other", &text[1..]);
    let other = prove(0, "--bytes 130:10", "h2").replace("--in log", "--in other");
    dir.refuses(other, "do not open");
    for place in ["121:8", "0:0", "0:129", "1", "295:10", "18446744073709551615:1"] {
        dir.refuses(prove(0, &format!("--bytes {place}"), "h2"), place);
    }
    for place in ["0:8", "127:2", "128:1", "18446744073709551615:1"] {
        dir.refuses(prove(0, &format!("--sum {place}"), "h2"), place);
    }
    dir.refuses(prove(2, "--bytes 130:10", "h2"), "the statement has 2 slots");
    dir.refuses(verify(0, "f", "--bytes 130:10 --value 1"), "--bytes");
    dir.refuses(verify(1, "g", "--sum 5:2 --text ab"), "--bytes");
    dir.refuses(verify(0, "f", "--bytes 130:10 --text 'too short'"), "9 bytes are given");
    dir.refuses(verify_sum("g", "5:2", u64::MAX, "p"), "the sum exceeds");
    assert!(!dir.join("h2").exists());
    // A statement without pads.
    dir.ok("commit_file commit --in log --statement s2 --proof p2 --key k2");
    let prove = "commit_file prove --in log --statement s2 --key k2 --slot 0 --out h2";
    dir.refuses(format!("{prove} --bytes 130:10"), "--facts");
}

/// Several facts in one proof: each is named, none may be another, and their slot serves once.
#[test]
fn several_facts_about_a_committed_file() {
    let text: Vec<u8> = (0..300_u32).map(|i| b'a' + (i % 23) as u8).collect();
    let dir = &committed(&text, "--facts 2");
    // The last piece ends before byte 100.
    let places = "--sum 1:1 --bytes 3:2 --bytes 150:3 --sum 100:7";
    // No slot is taken for a request that is refused.
    dir.ok(prove(1, "--bytes 3:2", "g"));
    dir.refuses(prove(1, places, "h"), "slot 1 has served for bytes 3:2; take");
    dir.refuses(prove(0, "--bytes 3:2 --bytes 295:10", "h"), "295:10");
    assert!(!dir.join("k.slot0").exists());
    assert!(dir.ok(prove(0, places, "f")).contains("facts: 4, in slot 0"));
    let text_at = |at: usize, len: usize| String::from_utf8_lossy(&text[at..at + len]).into_owned();
    let (first, second) = (&text_at(3, 2), &text_at(150, 3));
    let total: u32 = [1, 129, 257].iter().map(|&at: &usize| u32::from(text[at])).sum();
    let wide = |at: usize| (0..7).map(|i| u64::from(text[at + i]) << (8 * i)).sum::<u64>();
    let wide = wide(100) + wide(228);
    let values = |first: &str, second: &str, total| {
        format!("{places} --text {first} --text {second} --value {total} --value {wide} --proof p")
    };
    let right = &values(first, second, total);
    let answer = dir.ok(verify(0, "f", right));
    for name in ["bytes 3:2", "bytes 150:3", "sum 1:1", "sum 100:7"] {
        assert!(answer.contains(&format!("{name}: the fact holds\n")), "{answer}");
    }
    let answer = dir.json(verify(0, "f", right));
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &true.into()));
    assert_eq!(answer["facts"].as_array().map(Vec::len), Some(4));
    let fact = serde_json::json!({ "fact": "bytes 150:3", "over_the_integers": true });
    assert_eq!(answer["facts"][1], fact);
    // Each value counts, and its place, and their number.
    for wrong in [
        values("zz", second, total),
        values(first, "zzz", total),
        values(first, second, 7),
        format!("--bytes 3:2 --text {first} --sum 1:1 --value {total} --proof p"),
        format!("--bytes 3:2 --text {first}"),
    ] {
        assert_eq!(dir.code(verify(0, "f", &wrong)), 1, "{wrong}");
    }
    assert_eq!(dir.code(verify(1, "f", right)), 1, "another slot");

    // The same facts again; others are refused.
    dir.ok(prove(0, places, "f2"));
    dir.ok(verify(0, "f2", right));
    let served = "slot 0 has served for bytes 3:2, bytes 150:3, sum 1:1, sum 100:7; take";
    dir.refuses(prove(0, "--bytes 3:2", "h"), served);
    dir.ok(verify(1, "g", &format!("--bytes 3:2 --text {first}")));
    for slot in [2, u32::MAX] {
        dir.refuses(prove(slot, places, "h"), "the statement has 2 slots");
    }
    // A value for each place, of its kind.
    for values in [
        format!("--text {first} --value {total} --value 1"),
        format!("--text {first} --text {second}"),
        format!("--text {first} --hex 616263 --value {total} --value 1"),
    ] {
        dir.refuses(verify(0, "f", &format!("{places} {values}")), "--");
    }
    // No piece has the place.
    let dir = &committed(&text[..50], "--facts 1");
    dir.refuses(prove(0, "--sum 44:7", "h"), "sum 44:7: the file has 50 bytes");
    dir.ok(prove(0, "--bytes 44:6", "f2"));
    assert_eq!(dir.code(verify(0, "f2", "--proof p --sum 44:7 --value 0")), 1);
    assert!(!dir.join("h").exists());
}

/// A proof that all pieces are bits, which `verify` says; without it, it says nothing of the kind.
#[test]
fn bits_of_a_committed_file() {
    let text: Vec<u8> = (0..300_u32).map(|i| (i % 251) as u8).collect();
    let dir = &Folder::new();
    dir.write("log", &text);
    let commit = format!("commit_file commit {OWNED} --proof p --facts 1 --seed {SEED}");
    let answer = dir.json(commit);
    assert_eq!((&answer["pieces"], &answer["exact"]), (&3.into(), &true.into()));
    let line = answer["verify"].as_str().expect("a line");
    assert!(line.ends_with("--require range:1024:0:1:4"), "{line}");

    let verify = |statement, proof| {
        format!(
            "verify --statement {statement} --proof {proof} --message-rows 1024 \
             --context 'commit_file 2: pieces of 128 bytes'"
        )
    };
    let of_bits = &verify("s", "p");
    let shown = "valid, exact: of the last 4 columns, 48 in front: rows 0 to 1023 in [0, 1]\n";
    assert!(dir.ok(of_bits).contains(shown));
    // As required; fewer columns, and fewer than all.
    for (required, code) in
        [("range:1024:0:1:4", 0), ("range:1024:0:1:5", 1), ("range:1024:0:1", 1)]
    {
        assert_eq!(dir.code(format!("{of_bits} --require {required}")), code, "{required}");
    }
    let answer = dir.json(of_bits);
    let proof = &answer["proofs"][0];
    assert_eq!((&answer["valid"], &proof["exact"]), (&true.into(), &true.into()));
    let range = serde_json::json!({ "first_row": 0, "rows": 1024, "low": 0, "high": 1 });
    assert_eq!(proof["ranges"], serde_json::json!([range]));
    let mut changed = dir.read("p");
    changed[200] ^= 1;
    dir.write("h", &changed);
    assert_eq!(dir.code(verify("s", "h")), 1);
    // The end of the claim: another range.
    changed[200] ^= 1;
    let end = 60 + usize::from(changed[56]);
    changed[end - 2] = 4;
    dir.write("h", &changed);
    assert_eq!(dir.code(format!("{} --proof p", verify("s", "h"))), 1);
    changed[0] ^= 1;
    dir.write("h", &changed);
    assert_eq!(dir.code(verify("s", "h")), 2);

    // Pieces are opened, and facts proved.
    dir.ok(format!("commit_file open {OWNED} --piece 2 --out o"));
    let check = "commit_file check --statement s --piece 2 --opening o --proof";
    let answer = dir.json(format!("{check} p"));
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &true.into()));
    assert_eq!(answer["hex"], hex::encode(&text[256..]));

    // A proof of knowledge says nothing of bits, and does not do where they are expected.
    let plain = "commit_file commit --in log --statement s2 --key k2 --proof p2";
    dir.ok(format!("{plain} --seed {SEED}"));
    let answer = dir.ok(verify("s2", "p2"));
    assert!(answer.starts_with("valid\n") && !answer.contains("exact"), "{answer}");
    assert_eq!(dir.json(verify("s2", "p2"))["proofs"][0]["exact"], false);
    dir.refuses(format!("{check} p2"), "p2");
}

/// A file behind mixed masks: its proofs are shorter, for one proof and one list of facts, and all that
/// is done with a file is done with it.
#[test]
fn files_behind_mixed_masks() {
    let dir = &Folder::new();
    dir.write("log", [7; 300]);
    let commit = format!("commit_file commit {OWNED} --facts 1 --proof p --masks mixed");
    let said = dir.ok(format!("{commit} --seed {SEED}"));
    assert!(said.contains("of at most 2 proofs about the file"), "{said}");
    dir.ok(format!("commit_file open {OWNED} --piece 1 --out o"));
    let check = "commit_file check --statement s --proof p --piece 1 --opening o";
    assert_eq!(dir.json(check)["exact"], true);
    dir.ok(prove(0, "--bytes 130:10", "f"));
    for (byte, code) in [("07", 0), ("08", 1)] {
        let bytes = format!("--bytes 130:10 --hex {}", byte.repeat(10));
        assert_eq!(dir.code(verify(0, "f", &bytes)), code);
    }
    let plain = "commit_file commit --in log --statement s2 --key k2 --proof p2";
    let said = dir.ok(format!("{plain} --masks mixed --proofs 1"));
    assert!(said.contains("of at most 1 proof about the file"), "{said}");
}

/// A statement that was altered is not proved about, a slot is not taken for it, and nothing is
/// written.
#[test]
fn an_altered_statement_is_not_proved_about() {
    let dir = &committed(&[b'x'; 300], "--facts 1");
    let prove = &prove(0, "--bytes 0:3", "f");
    let pristine = ["s", "k"].map(|name| dir.read(name));
    // The lowest published bit of a word of the last column, and the owner's digest.
    let column = (pristine[0].len() - 256) / 52;
    for (name, pristine, at) in [("s", &pristine[0], 256 + 51 * column), ("k", &pristine[1], 65)] {
        let mut changed = pristine.clone();
        changed[at] =
            if name == "s" { changed[at] ^ 1 } else { b"01"[usize::from(changed[at] == b'0')] };
        dir.write(name, changed);
        dir.refuses(prove, "do not open");
        assert!(!dir.join("f").exists() && !dir.join("k.slot0").exists());
        dir.write(name, pristine);
    }
    dir.write("k", &pristine[1][..65]);
    dir.refuses(prove, "two lines of 64 hexadecimal digits");
    dir.write("k", &pristine[1]);
    dir.ok(prove);
    // The record of the slot names the statement.
    let record = dir.text("k.slot0");
    let statement = Statement::load(&pristine[0], Security::Required).unwrap();
    assert_eq!(record, format!("bytes 0:3 of {:?}\n", statement.digest(b"")));
}
