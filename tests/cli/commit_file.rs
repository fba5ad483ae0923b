//! A committed file: pieces and facts that are shown, and requests that are refused.

use tautochrone_testkit::examples::{SEED, code, json, ok, refused, run as example};
use tautochrone_zk::{Security, Statement};

use crate::folder::Folder;

#[test]
fn pieces_of_a_committed_file() {
    let dir = &Folder::new();
    let text: Vec<u8> = (0..400_u32).map(|i| (i * 7 % 251) as u8).collect();
    dir.write("log", &text);
    let files = ["--statement", "s", "--proof", "p"];
    let commit = ["commit", "--in", "log", "--key", "k", "--seed", SEED];
    ok(dir.run("commit_file", &[&commit, &files]));

    let open = |piece, file: &str, out| {
        let args = [
            "open",
            "--in",
            file,
            "--statement",
            "s",
            "--key",
            "k",
            "--piece",
            piece,
            "--out",
            out,
        ];
        example("commit_file", &args, dir)
    };
    let check = |piece, opening| {
        let args = ["check", "--piece", piece, "--opening", opening];
        dir.run("commit_file", &[&args, &files])
    };
    assert_eq!(code(&open("3", "log", "o")), 0);
    let output = check("3", "o");
    assert_eq!(
        (code(&output), &output.stdout[..]),
        (0, &text[384..]),
        "the last piece, which is short"
    );
    assert_eq!(code(&check("2", "o")), 1, "the opening of another piece");
    let args = ["check", "--piece", "3", "--opening", "o", "--json"];
    let answer = json(dir.run("commit_file", &[&args, &files]));
    assert_eq!(
        (&answer["hex"], &answer["file_bytes"]),
        (&hex::encode(&text[384..]).into(), &400.into())
    );

    // Neither another file nor another key opens anything, and nothing is written; nor does a
    // changed opening.
    let mut other = text.clone();
    other[390] ^= 1;
    dir.write("other", &other);
    assert!(refused(&open("3", "other", "o2")).contains("do not open"));
    assert!(refused(&open("2", "other", "o2")).contains("do not open"), "randomness is the file's");
    let key = dir.read("k");
    let mut wrong = key.clone();
    wrong[0] = if wrong[0] == b'0' { b'1' } else { b'0' };
    dir.write("k", &wrong);
    assert!(refused(&open("3", "log", "o2")).contains("do not open"));
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
        assert_eq!(code(&check("3", "o3")), 1, "entry {place}");
        opening[place] = before;
    }
    opening.pop();
    dir.write("o3", &opening);
    assert_eq!(code(&check("3", "o3")), 2, "no opening at all");

    for output in
        [open("4", "log", "o4"), open("3", "missing", "o4"), open("3", "s", "o4"), check("4", "o")]
    {
        refused(&output);
    }
    assert!(!dir.join("o4").exists());
    dir.write("empty", []);
    let commit = ["commit", "--in", "empty", "--key", "k2"];
    assert_eq!(code(&dir.run("commit_file", &[&commit, &files])), 2);
    assert!(!dir.join("k2").exists());
    let commit = ["commit", "--in", "log", "--key", "k"];
    let statement = dir.read("s");
    let output = dir.run("commit_file", &[&commit, &files]);
    assert!(refused(&output).contains("is never replaced"));
    assert_eq!(dir.read("k"), key);
    assert_eq!(dir.read("s"), statement);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(dir.join("k")).expect("written").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "the key is for its owner");
    }
}

/// Bytes at a place and sums of numbers are shown, others are not; a slot serves one list of facts.
#[test]
fn facts_about_a_committed_file() {
    let dir = &Folder::new();
    // Three pieces, each with its number times 1000 in bytes 5 and 6.
    let mut text: Vec<u8> = (0..300_u32).map(|i| (i % 251) as u8).collect();
    for piece in 0..3 {
        let number = (1000 * (1 + piece as u16)).to_le_bytes();
        text[128 * piece + 5..128 * piece + 7].copy_from_slice(&number);
    }
    dir.write("log", &text);
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--facts", "2", "--proof", "p", "--seed", SEED];
    ok(dir.run("commit_file", &[&commit, &files]));

    let prove = |slot, what: [&str; 2], out| {
        let args = ["prove", "--slot", slot, "--out", out, what[0], what[1]];
        dir.run("commit_file", &[&args, &files])
    };
    let verify = |slot, fact, what: [&str; 4]| {
        let args = ["verify", "--statement", "s", "--slot", slot, "--fact", fact];
        dir.run("commit_file", &[&args, &what])
    };
    let there = hex::encode(&text[130..140]);
    ok(prove("0", ["--bytes", "130:10"], "f"));
    let bytes = ["--bytes", "130:10", "--hex", &there];
    assert!(ok(verify("0", "f", bytes)).contains("the fact holds"));
    let args = ["verify", "--statement", "s", "--slot", "0", "--fact", "f", "--json"];
    let answer = json(dir.run("commit_file", &[&args, &bytes]));
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &false.into()));
    assert_eq!(answer["file_bytes"], 300);
    let exact = [&args[..], &bytes, &["--proof", "p"]].concat();
    assert_eq!(json(example("commit_file", &exact, dir))["exact"], true);
    assert_eq!(code(&verify("1", "f", bytes)), 1, "another slot");
    // There is a piece, but not so much of the file.
    let beyond = ["--bytes", "295:10", "--hex", &there];
    assert_eq!(code(&verify("0", "f", beyond)), 1);
    for (place, digits) in [("131:10", &there[..]), ("130:10", &hex::encode(&text[131..141]))] {
        assert_eq!(code(&verify("0", "f", ["--bytes", place, "--hex", digits])), 1);
    }

    ok(prove("1", ["--sum", "5:2"], "g"));
    let verify_sum = |fact, place, value, proof| {
        let args = ["verify", "--statement", "s", "--slot", "1", "--fact", fact, "--proof", proof];
        dir.run("commit_file", &[&args, &["--sum", place, "--value", value]])
    };
    ok(verify_sum("g", "5:2", "6000", "p"));
    assert_eq!(code(&verify_sum("g", "5:2", "6001", "p")), 1);
    assert_eq!(code(&verify_sum("g", "5:1", "6000", "p")), 1);
    let proof = dir.read("g");
    let mut changed = proof.clone();
    changed[100] ^= 1;
    dir.write("h", &changed);
    assert_eq!(code(&verify_sum("h", "5:2", "6000", "p")), 1, "no opening of the length");
    let end = proof.len() - 1;
    changed.copy_from_slice(&proof);
    changed[end - 100] ^= 1;
    dir.write("h", &changed);
    assert_eq!(code(&verify_sum("h", "5:2", "6000", "p")), 1, "no proof");
    for cut in [&proof[..end], &proof[..100]] {
        dir.write("h", cut);
        assert_eq!(code(&verify_sum("h", "5:2", "6000", "p")), 2);
    }
    // The proof that entries are bits counts as well.
    let mut proof = dir.read("p");
    proof[200] ^= 1;
    dir.write("h", &proof);
    assert_eq!(code(&verify_sum("g", "5:2", "6000", "h")), 1);

    // The same fact again is as good as a copy; another one in its slot is refused.
    ok(prove("1", ["--sum", "5:2"], "g2"));
    ok(verify_sum("g2", "5:2", "6000", "p"));
    assert!(refused(&prove("1", ["--sum", "5:1"], "h")).contains("slot 1 has served for sum 5:2"));
    assert!(refused(&prove("0", ["--sum", "5:2"], "h")).contains("take another"));
    // Pieces can be opened as without facts.
    let open = ["open", "--piece", "2", "--out", "o"];
    ok(dir.run("commit_file", &[&open, &files]));
    let check = ["check", "--statement", "s", "--proof", "p", "--piece", "2", "--opening", "o"];
    assert_eq!(example("commit_file", &check, dir).stdout, &text[256..]);

    // A place, a slot or a value that does not exist, or another file.
    dir.write("other", &text[1..]);
    let other = ["--in", "other", "--statement", "s", "--key", "k"];
    let prove_other = ["prove", "--slot", "0", "--out", "h2", "--bytes", "130:10"];
    let output = dir.run("commit_file", &[&prove_other, &other]);
    assert!(refused(&output).contains("do not open"));
    let places = ["121:8", "0:0", "0:129", "1", "295:10", "18446744073709551615:1"];
    for place in places {
        refused(&prove("0", ["--bytes", place], "h2"));
    }
    for place in ["0:8", "127:2", "128:1", "18446744073709551615:1"] {
        refused(&prove("0", ["--sum", place], "h2"));
    }
    refused(&prove("2", ["--bytes", "130:10"], "h2"));
    refused(&verify("0", "f", ["--bytes", "130:10", "--value", "1"]));
    refused(&verify("1", "g", ["--sum", "5:2", "--text", "ab"]));
    refused(&verify("0", "f", ["--bytes", "130:10", "--text", "too short"]));
    refused(&verify_sum("g", "5:2", "18446744073709551615", "p"));
    assert!(!dir.join("h2").exists());
    // A statement without pads.
    let commit = ["commit", "--in", "log", "--statement", "s2", "--proof", "p2", "--key", "k2"];
    ok(example("commit_file", &commit, dir));
    let args = ["prove", "--slot", "0", "--out", "h2", "--bytes", "130:10"];
    let files = ["--in", "log", "--statement", "s2", "--key", "k2"];
    let output = dir.run("commit_file", &[&args, &files]);
    assert!(refused(&output).contains("--facts"));
}

/// Several facts in one proof: each is named, none may be another, and their slot serves once.
#[test]
fn several_facts_about_a_committed_file() {
    let dir = &Folder::new();
    let text: Vec<u8> = (0..300_u32).map(|i| b'a' + (i % 23) as u8).collect();
    dir.write("log", &text);
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--facts", "2", "--proof", "p", "--seed", SEED];
    ok(dir.run("commit_file", &[&commit, &files]));
    let prove = |slot, what: &[&str], out| {
        let args = ["prove", "--slot", slot, "--out", out];
        dir.run("commit_file", &[&args, what, &files])
    };
    let verify = |slot, fact, what: &[&str]| {
        let args = ["verify", "--statement", "s", "--slot", slot, "--fact", fact];
        dir.run("commit_file", &[&args, what])
    };
    // The last piece ends before byte 100.
    let places = ["--sum", "1:1", "--bytes", "3:2", "--bytes", "150:3", "--sum", "100:7"];
    // No slot is taken for a request that is refused.
    ok(prove("1", &["--bytes", "3:2"], "g"));
    assert!(refused(&prove("1", &places, "h")).contains("slot 1 has served for bytes 3:2; take"));
    refused(&prove("0", &["--bytes", "3:2", "--bytes", "295:10"], "h"));
    assert!(!dir.join("k.slot0").exists());
    assert!(ok(prove("0", &places, "f")).contains("facts: 4, in slot 0"));
    let text_at = |at: usize, len: usize| String::from_utf8_lossy(&text[at..at + len]).into_owned();
    let (first, second) = (text_at(3, 2), text_at(150, 3));
    let total: u32 = [1, 129, 257].iter().map(|&at: &usize| u32::from(text[at])).sum();
    let wide = |at: usize| (0..7).map(|i| u64::from(text[at + i]) << (8 * i)).sum::<u64>();
    let (total, wide) = (total.to_string(), (wide(100) + wide(228)).to_string());
    let values = |first, second, total| {
        ["--text", first, "--text", second, "--value", total, "--value", &wide, "--proof", "p"]
            .map(str::to_owned)
    };
    let right = [&places.map(str::to_owned)[..], &values(&first, &second, &total)].concat();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    let answer = ok(verify("0", "f", &right));
    for name in ["bytes 3:2", "bytes 150:3", "sum 1:1", "sum 100:7"] {
        assert!(answer.contains(&format!("{name}: the fact holds\n")), "{answer}");
    }
    let answer = json(verify("0", "f", &[&right[..], &["--json"]].concat()));
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &true.into()));
    assert_eq!(answer["facts"].as_array().map(Vec::len), Some(4));
    let fact = serde_json::json!({ "fact": "bytes 150:3", "over_the_integers": true });
    assert_eq!(answer["facts"][1], fact);
    // Each value counts, and its place.
    for wrong in
        [values("zz", &second, &total), values(&first, "zzz", &total), values(&first, &second, "7")]
    {
        let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
        assert_eq!(code(&verify("0", "f", &[&places[..], &wrong].concat())), 1);
    }
    assert_eq!(code(&verify("1", "f", &right)), 1, "another slot");
    let two = ["--bytes", "3:2", "--text", &first, "--sum", "1:1", "--value", &total];
    let two = [&two[..], &["--proof", "p"]].concat();
    assert_eq!(code(&verify("0", "f", &two)), 1, "fewer facts");
    let one = ["--bytes", "3:2", "--text", &first];
    assert_eq!(code(&verify("0", "f", &one)), 1, "one fact");

    // The same facts again; others are refused.
    ok(prove("0", &places, "f2"));
    ok(verify("0", "f2", &right));
    let served = "slot 0 has served for bytes 3:2, bytes 150:3, sum 1:1, sum 100:7; take";
    assert!(refused(&prove("0", &["--bytes", "3:2"], "h")).contains(served));
    ok(verify("1", "g", &one));
    assert!(refused(&prove("2", &places, "h")).contains("the statement has 2 slots"));
    refused(&prove("4294967295", &places, "h"));
    // A value for each place, of its kind.
    for values in [
        &["--text", &first, "--value", &total, "--value", "1"][..],
        &["--text", &first, "--text", &second][..],
        &["--text", &first, "--hex", "616263", "--value", &total, "--value", "1"][..],
    ] {
        refused(&verify("0", "f", &[&places[..], values].concat()));
    }
    // No piece has the place.
    dir.write("short", &text[..50]);
    let files = ["--in", "short", "--statement", "s2", "--key", "k2"];
    let commit = ["commit", "--facts", "1", "--proof", "p2"];
    ok(dir.run("commit_file", &[&commit, &files]));
    let sum = ["prove", "--slot", "0", "--sum", "44:7", "--out", "h"];
    let output = dir.run("commit_file", &[&sum, &files]);
    assert!(refused(&output).contains("sum 44:7: the file has 50 bytes"));
    let bytes = ["prove", "--slot", "0", "--bytes", "44:6", "--out", "f2"];
    ok(dir.run("commit_file", &[&bytes, &files]));
    let verify = ["verify", "--statement", "s2", "--proof", "p2", "--fact", "f2", "--slot", "0"];
    let sum = ["--sum", "44:7", "--value", "0"];
    assert_eq!(code(&dir.run("commit_file", &[&verify, &sum])), 1);
    assert!(!dir.join("h").exists());
}

/// A proof that all pieces are bits, which `verify` says; without it, it says nothing of the kind.
#[test]
fn bits_of_a_committed_file() {
    let dir = &Folder::new();
    let text: Vec<u8> = (0..300_u32).map(|i| (i % 251) as u8).collect();
    dir.write("log", &text);
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--facts", "1", "--proof", "p", "--seed", SEED, "--json"];
    let answer = json(dir.run("commit_file", &[&commit, &files]));
    assert_eq!((&answer["pieces"], &answer["exact"]), (&3.into(), &true.into()));
    let line = answer["verify"].as_str().expect("a line");
    assert!(line.ends_with("--require range:1024:0:1:4"), "{line}");

    let context = "commit_file 2: pieces of 128 bytes";
    let line = ["--context", context, "--message-rows", "1024"];
    let verify = |statement, proof, more: &[&str]| {
        let args = ["--statement", statement, "--proof", proof];
        dir.run("verify", &[&args, &line, more])
    };
    let shown = "valid, exact: rows 0 to 1023 in [0, 1], in columns 48 to 51 of T\n";
    assert!(ok(verify("s", "p", &[])).contains(shown));
    ok(verify("s", "p", &["--require", "range:1024:0:1:4"]));
    // Fewer columns than required, and fewer than all.
    for required in ["range:1024:0:1:5", "range:1024:0:1"] {
        assert_eq!(code(&verify("s", "p", &["--require", required])), 1);
    }
    let answer = json(verify("s", "p", &["--json"]));
    let proof = &answer["proofs"][0];
    assert_eq!((&answer["valid"], &proof["exact"]), (&true.into(), &true.into()));
    let range = serde_json::json!({ "first_row": 0, "rows": 1024, "low": 0, "high": 1 });
    assert_eq!(proof["ranges"], serde_json::json!([range]));
    let mut changed = dir.read("p");
    changed[200] ^= 1;
    dir.write("h", &changed);
    assert_eq!(code(&verify("s", "h", &[])), 1);
    // The end of the claim: another range.
    changed[200] ^= 1;
    let end = 60 + usize::from(changed[56]);
    changed[end - 2] = 4;
    dir.write("h", &changed);
    assert_eq!(code(&verify("s", "h", &["--proof", "p"])), 1);
    changed[0] ^= 1;
    dir.write("h", &changed);
    assert_eq!(code(&verify("s", "h", &[])), 2);

    // Pieces are opened, and facts proved.
    let open = ["open", "--piece", "2", "--out", "o"];
    ok(dir.run("commit_file", &[&open, &files]));
    let check = ["check", "--statement", "s", "--proof", "p", "--piece", "2", "--opening", "o"];
    let answer = json(dir.run("commit_file", &[&check, &["--json"]]));
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &true.into()));
    assert_eq!(answer["hex"], hex::encode(&text[256..]));
    let prove = ["prove", "--slot", "0", "--out", "f", "--bytes", "130:10"];
    ok(dir.run("commit_file", &[&prove, &files]));
    let there = hex::encode(&text[130..140]);
    let args = ["verify", "--statement", "s", "--slot", "0", "--fact", "f", "--bytes", "130:10"];
    ok(dir.run("commit_file", &[&args, &["--hex", &there]]));

    // A proof of knowledge says nothing of bits, and does not do where they are expected.
    let files = ["--in", "log", "--statement", "s2", "--key", "k2"];
    let commit = ["commit", "--proof", "p2", "--seed", SEED];
    ok(dir.run("commit_file", &[&commit, &files]));
    let answer = ok(verify("s2", "p2", &[]));
    assert!(answer.starts_with("valid\n") && !answer.contains("exact"), "{answer}");
    assert_eq!(json(verify("s2", "p2", &["--json"]))["proofs"][0]["exact"], false);
    let check = ["check", "--statement", "s", "--proof", "p2", "--piece", "2", "--opening", "o"];
    assert_eq!(code(&example("commit_file", &check, dir)), 2);
}

/// A file behind mixed masks: its proofs are shorter, for one proof and one list of facts, and all that
/// is done with a file is done with it.
#[test]
fn files_behind_mixed_masks() {
    let dir = &Folder::new();
    dir.write("log", [7; 300]);
    let commit_file = |args: &[&str]| example("commit_file", args, dir);
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--facts", "1", "--proof", "p", "--masks", "mixed", "--seed", SEED];
    let said = ok(commit_file(&[&commit[..], &files].concat()));
    assert!(said.contains("of at most 2 proofs about the file"), "{said}");
    ok(commit_file(&[&["open", "--piece", "1", "--out", "o"][..], &files].concat()));
    let check = ["check", "--statement", "s", "--proof", "p", "--piece", "1", "--opening", "o"];
    assert_eq!(json(commit_file(&[&check[..], &["--json"]].concat()))["exact"], true);
    let prove = ["prove", "--slot", "0", "--out", "f", "--bytes", "130:10"];
    ok(commit_file(&[&prove[..], &files].concat()));
    let verify = ["verify", "--statement", "s", "--slot", "0", "--fact", "f", "--bytes", "130:10"];
    ok(commit_file(&[&verify[..], &["--hex", &"07".repeat(10)]].concat()));
    assert_eq!(code(&commit_file(&[&verify[..], &["--hex", &"08".repeat(10)]].concat())), 1);
    let plain = ["--in", "log", "--statement", "s2", "--key", "k2", "--proof", "p2"];
    let plain = [&["commit", "--masks", "mixed", "--proofs", "1"][..], &plain].concat();
    assert!(ok(commit_file(&plain)).contains("of at most 1 proof about the file"));
}

/// A statement that was altered is not proved about, a slot is not taken for it, and nothing is
/// written.
#[test]
fn an_altered_statement_is_not_proved_about() {
    let dir = &Folder::new();
    dir.write("log", vec![b'x'; 300]);
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--facts", "1", "--proof", "p"];
    ok(dir.run("commit_file", &[&commit, &files]));
    let prove = ["prove", "--slot", "0", "--bytes", "0:3", "--out", "f"];
    let prove = || dir.run("commit_file", &[&prove, &files]);
    let pristine = ["s", "k"].map(|name| dir.read(name));
    // The lowest published bit of a word of the last column, and the owner's digest.
    let column = (pristine[0].len() - 256) / 52;
    for (name, pristine, at) in [("s", &pristine[0], 256 + 51 * column), ("k", &pristine[1], 65)] {
        let mut changed = pristine.clone();
        changed[at] =
            if name == "s" { changed[at] ^ 1 } else { b"01"[usize::from(changed[at] == b'0')] };
        dir.write(name, changed);
        assert!(refused(&prove()).contains("do not open"), "{name}");
        assert!(!dir.join("f").exists() && !dir.join("k.slot0").exists());
        dir.write(name, pristine);
    }
    dir.write("k", &pristine[1][..65]);
    assert!(refused(&prove()).contains("two lines of 64 hexadecimal digits"));
    dir.write("k", &pristine[1]);
    ok(prove());
    // The record of the slot names the statement.
    let record = dir.text("k.slot0");
    let statement = Statement::load(&pristine[0], Security::Required).unwrap();
    assert_eq!(record, format!("bytes 0:3 of {:?}\n", statement.digest(b"")));
}
