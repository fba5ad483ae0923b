//! The examples that use the library: LWE keys, a committed file, a roll-up.

use std::path::Path;
#[cfg(unix)]
use std::process::Command;

use tautochrone_testkit::examples::{self, SEED, code, json, ok, refused, run as example};
use tautochrone_zk::argument::{Element, Fact, P, PaddedMessages, PaddedSpace, Ranges, RowRange};
use tautochrone_zk::uses::column_unchecked;
use tautochrone_zk::{Error, Goal, Prover, PublicMatrix, Security, Seed, Statement, Verifier};

/// Runs a line that an example has printed as a user would, in a shell; returns the exit code.
#[cfg(unix)]
fn run_line(line: &str, dir: &Path) -> i32 {
    let examples = examples::command("verify").get_program().to_owned();
    let examples = Path::new(&examples).parent().expect("a directory").to_owned();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", line]).env("PATH", examples).current_dir(dir);
    code(&shell.output().expect("a shell"))
}

/// The line in the human answer that starts with `verify`, after any other text.
fn line_of(answer: &str) -> &str {
    let start = answer.find("verify --statement").expect("a line for verify");
    answer[start..].lines().next().expect("a line")
}

/// Keys are registered for an owner, and a proof that was copied is not valid for another.
#[test]
fn lwe_keys() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let args = ["--keys", "40", "--owner", "alice", "--statement", "s", "--proof", "p", "--json"];
    let answer = json(example("lwe_keys", &args, dir));
    assert_eq!((&answer["keys"], &answer["valid"]), (&40.into(), &true.into()));
    assert_eq!(
        answer["verify"],
        "verify --statement s --proof p --context 'registration of keys: alice'"
    );

    // Ordinary files: `verify` reads them, in the right context only.
    let verify = |context| {
        let args = ["--statement", "s", "--proof", "p", "--context", context];
        code(&example("verify", &args, dir))
    };
    assert_eq!(verify("registration of keys: alice"), 0);
    assert_eq!(verify("registration of keys: bob"), 1);
    assert_eq!(verify("something else"), 1);

    let none = ["--keys", "0", "--owner", "alice", "--statement", "s", "--proof", "p"];
    refused(&example("lwe_keys", &none, dir));
    let nobody = ["--keys", "4", "--statement", "s", "--proof", "p"];
    assert!(refused(&example("lwe_keys", &nobody, dir)).contains("--owner"));
}

/// Every example that proves prints the line that accepts its files, quoted for a shell, in both
/// forms of its answer.
#[cfg(unix)]
#[test]
fn printed_lines_of_verify_accept_the_files() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    std::fs::write(dir.join("text"), "even\nodd\nthree\n").expect("written");
    std::fs::create_dir(dir.join("a b")).expect("a directory");
    let runs: [(&str, &[&str]); 5] = [
        ("prove", &["--columns", "8", "--statement", "s0", "--proof", "p0"]),
        (
            "prove",
            &[
                "--preset",
                "seed",
                "--columns",
                "8",
                "--insecure",
                "--context=-it's; $HOME\n\"*",
                "--statement",
                "a b/s1",
                "--proof",
                "a b/p1",
            ],
        ),
        ("lwe_keys", &["--keys", "4", "--owner", "o'brien", "--statement", "s2", "--proof", "p2"]),
        (
            "commit_file",
            &["commit", "--in", "text", "--key", "k", "--statement", "s3", "--proof", "p3"],
        ),
        ("rollup", &["--in", "text", "--group", "2", "--out", "a b"]),
    ];
    for (name, args) in runs {
        let answer = json(example(name, &[args, &["--json"]].concat(), dir));
        let lines = match &answer["verify"] {
            serde_json::Value::Array(lines) => lines.clone(),
            line => vec![line.clone()],
        };
        assert_eq!(lines.len(), if name == "rollup" { 2 } else { 1 }, "{answer}");
        for line in lines {
            let line = line.as_str().expect("a line");
            assert_eq!(run_line(line, dir), 0, "{name}: {line}");
            // And nothing else does.
            assert_ne!(run_line(&format!("{line} --context=other"), dir), 0, "{name}: {line}");
        }
    }
    std::fs::remove_file(dir.join("k")).expect("a key");
    for (name, args) in [runs[0], runs[2], runs[3], runs[4]] {
        let answer = ok(example(name, args, dir));
        assert_eq!(run_line(line_of(&answer), dir), 0, "{name}: {answer}");
    }
}

#[test]
fn pieces_of_a_committed_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text: Vec<u8> = (0..400_u32).map(|i| (i * 7 % 251) as u8).collect();
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--statement", "s", "--proof", "p"];
    let commit = ["commit", "--in", "log", "--key", "k", "--seed", SEED];
    ok(example("commit_file", &[&commit[..], &files].concat(), dir));

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
        example("commit_file", &[&args[..], &files].concat(), dir)
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
    let answer = json(example("commit_file", &[&args[..], &files].concat(), dir));
    assert_eq!(
        (&answer["hex"], &answer["file_bytes"]),
        (&hex::encode(&text[384..]).into(), &400.into())
    );

    // Neither another file nor another key opens anything, and nothing is written; nor does a
    // changed opening.
    let mut other = text.clone();
    other[390] ^= 1;
    std::fs::write(dir.join("other"), &other).expect("written");
    assert!(refused(&open("3", "other", "o2")).contains("do not open"));
    assert_eq!(code(&open("2", "other", "o1")), 0, "a piece that both files have");
    let key = std::fs::read(dir.join("k")).expect("written");
    let mut wrong = key.clone();
    wrong[0] = if wrong[0] == b'0' { b'1' } else { b'0' };
    std::fs::write(dir.join("k"), &wrong).expect("written");
    assert!(refused(&open("3", "log", "o2")).contains("do not open"));
    std::fs::write(dir.join("k"), &key).expect("written");
    assert!(!dir.join("o2").exists(), "nothing is published under wrong randomness");
    let mut opening = std::fs::read(dir.join("o")).expect("written");
    // Bits of both messages and of both kinds of randomness. (The last entries are errors of LWE, which
    // rounding takes off T with its low bits.)
    let v = opening.len() / 2;
    for place in [0, 1023, 2000, v, v + 1023, v + 1024, v + 2000] {
        let before = opening[place];
        opening[place] = u8::from(before == 0);
        std::fs::write(dir.join("o3"), &opening).expect("written");
        assert_eq!(code(&check("3", "o3")), 1, "entry {place}");
        opening[place] = before;
    }
    opening.pop();
    std::fs::write(dir.join("o3"), &opening).expect("written");
    assert_eq!(code(&check("3", "o3")), 2, "no opening at all");

    for output in
        [open("4", "log", "o4"), open("3", "missing", "o4"), open("3", "s", "o4"), check("4", "o")]
    {
        refused(&output);
    }
    assert!(!dir.join("o4").exists());
    std::fs::write(dir.join("empty"), []).expect("written");
    let commit = ["commit", "--in", "empty", "--key", "k2"];
    assert_eq!(code(&example("commit_file", &[&commit[..], &files].concat(), dir)), 2);
    assert!(!dir.join("k2").exists());
    let commit = ["commit", "--in", "log", "--key", "k"];
    let statement = std::fs::read(dir.join("s")).expect("written");
    let output = example("commit_file", &[&commit[..], &files].concat(), dir);
    assert!(refused(&output).contains("is never replaced"));
    assert_eq!(std::fs::read(dir.join("k")).expect("written"), key);
    assert_eq!(std::fs::read(dir.join("s")).expect("written"), statement);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(dir.join("k")).expect("written").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "the key is for its owner");
    }
}

/// Bytes at a place and sums of numbers are shown, others are not; a slot serves one fact.
#[test]
fn facts_about_a_committed_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    // Three pieces, each with its number times 1000 in bytes 5 and 6.
    let mut text: Vec<u8> = (0..300_u32).map(|i| (i % 251) as u8).collect();
    for piece in 0..3 {
        let number = (1000 * (1 + piece as u16)).to_le_bytes();
        text[128 * piece + 5..128 * piece + 7].copy_from_slice(&number);
    }
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--exact", "--facts", "2", "--proof", "p", "--seed", SEED];
    ok(example("commit_file", &[&commit[..], &files].concat(), dir));

    let prove = |slot, what: [&str; 2], out| {
        let args = ["prove", "--slot", slot, "--out", out, what[0], what[1]];
        example("commit_file", &[&args[..], &files].concat(), dir)
    };
    let verify = |slot, fact, what: [&str; 4]| {
        let args = ["verify", "--statement", "s", "--slot", slot, "--fact", fact];
        example("commit_file", &[&args[..], &what].concat(), dir)
    };
    let there = hex::encode(&text[130..140]);
    ok(prove("0", ["--bytes", "130:10"], "f"));
    let bytes = ["--bytes", "130:10", "--hex", &there];
    assert!(ok(verify("0", "f", bytes)).contains("the fact holds"));
    let args = ["verify", "--statement", "s", "--slot", "0", "--fact", "f", "--json"];
    let answer = json(example("commit_file", &[&args[..], &bytes].concat(), dir));
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
        example("commit_file", &[&args[..], &["--sum", place, "--value", value]].concat(), dir)
    };
    ok(verify_sum("g", "5:2", "6000", "p"));
    assert_eq!(code(&verify_sum("g", "5:2", "6001", "p")), 1);
    assert_eq!(code(&verify_sum("g", "5:1", "6000", "p")), 1);
    let proof = std::fs::read(dir.join("g")).expect("written");
    let mut changed = proof.clone();
    changed[100] ^= 1;
    std::fs::write(dir.join("h"), &changed).expect("written");
    assert_eq!(code(&verify_sum("h", "5:2", "6000", "p")), 1, "no opening of the length");
    let end = proof.len() - 1;
    changed.copy_from_slice(&proof);
    changed[end - 100] ^= 1;
    std::fs::write(dir.join("h"), &changed).expect("written");
    assert_eq!(code(&verify_sum("h", "5:2", "6000", "p")), 1, "no proof");
    for cut in [&proof[..end], &proof[..100]] {
        std::fs::write(dir.join("h"), cut).expect("written");
        assert_eq!(code(&verify_sum("h", "5:2", "6000", "p")), 2);
    }
    // The proof that entries are bits counts as well.
    let mut proof = std::fs::read(dir.join("p")).expect("written");
    proof[200] ^= 1;
    std::fs::write(dir.join("h"), &proof).expect("written");
    assert_eq!(code(&verify_sum("g", "5:2", "6000", "h")), 1);

    // The same fact again is as good as a copy; another one in its slot is refused.
    ok(prove("1", ["--sum", "5:2"], "g2"));
    ok(verify_sum("g2", "5:2", "6000", "p"));
    assert!(refused(&prove("1", ["--sum", "5:1"], "h")).contains("slot 1 has served for sum 5:2"));
    assert!(refused(&prove("0", ["--sum", "5:2"], "h")).contains("take another"));
    // Pieces can be opened as without facts.
    let open = ["open", "--piece", "2", "--out", "o"];
    ok(example("commit_file", &[&open[..], &files].concat(), dir));
    let check = ["check", "--statement", "s", "--proof", "p", "--piece", "2", "--opening", "o"];
    assert_eq!(example("commit_file", &check, dir).stdout, &text[256..]);

    // What is no place, no slot, no value, or not the file.
    std::fs::write(dir.join("other"), &text[1..]).expect("written");
    let other = ["--in", "other", "--statement", "s", "--key", "k"];
    let prove_other = ["prove", "--slot", "0", "--out", "h2", "--bytes", "130:10"];
    let output = example("commit_file", &[&prove_other[..], &other].concat(), dir);
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
    let output = example("commit_file", &[&args[..], &files].concat(), dir);
    assert!(refused(&output).contains("--facts"));
}

/// Several facts in one proof: each is named, none may be another, and three slots serve once.
#[test]
fn several_facts_about_a_committed_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text: Vec<u8> = (0..300_u32).map(|i| b'a' + (i % 23) as u8).collect();
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--exact", "--facts", "4", "--proof", "p", "--seed", SEED];
    ok(example("commit_file", &[&commit[..], &files].concat(), dir));
    let prove = |slot, what: &[&str], out| {
        let args = ["prove", "--slot", slot, "--out", out];
        example("commit_file", &[&args[..], what, &files].concat(), dir)
    };
    let verify = |slot, fact, what: &[&str]| {
        let args = ["verify", "--statement", "s", "--slot", slot, "--fact", fact];
        example("commit_file", &[&args[..], what].concat(), dir)
    };
    // The last piece ends before byte 100.
    let places = ["--sum", "1:1", "--bytes", "3:2", "--bytes", "150:3", "--sum", "100:7"];
    // No slot is taken for what is refused.
    ok(prove("3", &["--bytes", "3:2"], "g"));
    assert!(refused(&prove("1", &places, "h")).contains("slot 3 has served for bytes 3:2; take"));
    assert!(!dir.join("k.slot1").exists());
    assert!(ok(prove("0", &places, "f")).contains("4 facts, in slots 0 to 2"));
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
    assert_eq!(code(&verify("0", "f", &one)), 2, "no proof of one fact");

    // The same facts again; others, or the same in other slots of which two have served, are not.
    ok(prove("0", &places, "f2"));
    ok(verify("0", "f2", &right));
    let served =
        "slot 1 has served for bytes 3:2, bytes 150:3, sum 1:1, sum 100:7, in slots from 0; take";
    assert!(refused(&prove("1", &places, "h")).contains(served));
    assert!(refused(&prove("1", &["--bytes", "3:2"], "h")).contains("slot 1 has served"));
    ok(verify("3", "g", &one));
    assert!(refused(&prove("2", &places, "h")).contains("the statement has 4"));
    // A value for each place, of its kind.
    for values in [
        &["--text", &first, "--value", &total, "--value", "1"][..],
        &["--text", &first, "--text", &second][..],
        &["--text", &first, "--hex", "616263", "--value", &total, "--value", "1"][..],
    ] {
        refused(&verify("0", "f", &[&places[..], values].concat()));
    }
    // No piece has the place.
    std::fs::write(dir.join("short"), &text[..50]).expect("written");
    let files = ["--in", "short", "--statement", "s2", "--key", "k2"];
    let commit = ["commit", "--exact", "--facts", "1", "--proof", "p2"];
    ok(example("commit_file", &[&commit[..], &files].concat(), dir));
    let sum = ["prove", "--slot", "0", "--sum", "44:7", "--out", "h"];
    let output = example("commit_file", &[&sum[..], &files].concat(), dir);
    assert!(refused(&output).contains("sum 44:7: the file has 50 bytes"));
    let bytes = ["prove", "--slot", "0", "--bytes", "44:6", "--out", "f2"];
    ok(example("commit_file", &[&bytes[..], &files].concat(), dir));
    let verify = ["verify", "--statement", "s2", "--proof", "p2", "--fact", "f2", "--slot", "0"];
    let sum = ["--sum", "44:7", "--value", "0"];
    assert_eq!(code(&example("commit_file", &[&verify[..], &sum].concat(), dir)), 1);
    assert!(!dir.join("h").exists());
}

/// A proof that all pieces are bits, which `verify` says; without it, it says nothing of the kind.
#[test]
fn bits_of_a_committed_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text: Vec<u8> = (0..300_u32).map(|i| (i % 251) as u8).collect();
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--exact", "--facts", "1", "--proof", "p", "--seed", SEED, "--json"];
    let answer = json(example("commit_file", &[&commit[..], &files].concat(), dir));
    assert_eq!((&answer["pieces"], &answer["exact"]), (&3.into(), &true.into()));
    let line = answer["verify"].as_str().expect("a line");
    assert!(line.ends_with("--require range:1024:0:1"), "{line}");

    let context = "commit_file 2: pieces of 128 bytes";
    let line = ["--context", context, "--message-rows", "1024"];
    let verify = |statement, proof, more: &[&str]| {
        let args = ["--statement", statement, "--proof", proof];
        example("verify", &[&args[..], &line, more].concat(), dir)
    };
    assert!(ok(verify("s", "p", &[])).contains("valid, exact: rows 0 to 1023 in [0, 1]"));
    let answer = json(verify("s", "p", &["--json"]));
    let proof = &answer["proofs"][0];
    assert_eq!((&answer["valid"], &proof["exact"]), (&true.into(), &true.into()));
    let range = serde_json::json!({ "first_row": 0, "rows": 1024, "low": 0, "high": 1 });
    assert_eq!(proof["ranges"], serde_json::json!([range]));
    let mut changed = std::fs::read(dir.join("p")).expect("written");
    changed[200] ^= 1;
    std::fs::write(dir.join("h"), &changed).expect("written");
    assert_eq!(code(&verify("s", "h", &[])), 1);
    // The end of the claim: another range.
    changed[200] ^= 1;
    changed[24 + 32 + 8 + 12] = 2;
    std::fs::write(dir.join("h"), &changed).expect("written");
    assert_eq!(code(&verify("s", "h", &["--proof", "p"])), 1);
    changed[0] ^= 1;
    std::fs::write(dir.join("h"), &changed).expect("written");
    assert_eq!(code(&verify("s", "h", &[])), 2);

    // Pieces are opened, and facts proved, as without it; empty pieces fill the columns.
    let open = ["open", "--piece", "2", "--out", "o"];
    ok(example("commit_file", &[&open[..], &files].concat(), dir));
    let check = ["check", "--statement", "s", "--proof", "p", "--piece", "2", "--opening", "o"];
    let answer = json(example("commit_file", &[&check[..], &["--json"]].concat(), dir));
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &true.into()));
    assert_eq!(answer["hex"], hex::encode(&text[256..]));
    let prove = ["prove", "--slot", "0", "--out", "f", "--bytes", "130:10"];
    ok(example("commit_file", &[&prove[..], &files].concat(), dir));
    let there = hex::encode(&text[130..140]);
    let args = ["verify", "--statement", "s", "--slot", "0", "--fact", "f", "--bytes", "130:10"];
    ok(example("commit_file", &[&args[..], &["--hex", &there]].concat(), dir));

    // A proof without ranges says nothing of them, and does not do where they are expected.
    let files = ["--in", "log", "--statement", "s2", "--key", "k2"];
    let commit = ["commit", "--proof", "p2", "--seed", SEED];
    ok(example("commit_file", &[&commit[..], &files].concat(), dir));
    let answer = ok(verify("s2", "p2", &[]));
    assert!(answer.starts_with("valid\n") && !answer.contains("exact"), "{answer}");
    assert_eq!(json(verify("s2", "p2", &["--json"]))["proofs"][0]["exact"], false);
    let check = ["check", "--statement", "s", "--proof", "p2", "--piece", "2", "--opening", "o"];
    assert_eq!(code(&example("commit_file", &check, dir)), 2);
}

/// Rows of a message of `commit_file`: the bits of 128 bytes.
const ROWS: usize = 1024;

/// What `commit_file` commits to, by docs/format.md: a front, the length, the pieces, and behind
/// them nothing.
fn columns_of(text: &[u8], front: usize, l: usize) -> Vec<i8> {
    let length = (text.len() as u64).to_le_bytes();
    let mut bytes = vec![0; ROWS / 8 * l];
    bytes[ROWS / 8 * front..][..8].copy_from_slice(&length);
    bytes[ROWS / 8 * (front + 1)..][..text.len()].copy_from_slice(text);
    bytes.iter().flat_map(|byte| (0..8).map(move |i| (byte >> i & 1) as i8)).collect()
}

/// A commitment to any messages, made by the library: its secret and its statement file.
struct Committer {
    a: PublicMatrix,
    space: PaddedSpace,
    messages: Vec<i8>,
    key: Seed,
    file: Vec<u8>,
    statement: Statement,
}

impl Committer {
    /// Of as many columns, with slots for facts and for ranges as a program would have them.
    fn new(messages: Vec<i8>, pad_slots: u32, range_slots: u32, front: u64) -> Self {
        let l = (messages.len() / ROWS) as u64;
        let goal = Goal { message_rows: 1024, pad_slots, range_slots, ..Goal::new(1, l) };
        let params = goal
            .optimise()
            .and_then(|params| params.validate(Security::Required))
            .expect("parameters");
        let space =
            PaddedSpace::with_ranges(&params, 1024, pad_slots, range_slots, Security::Required);
        let space = space.expect("slots").with_front(front);
        let (a, key) = (PublicMatrix::new(&params, [1; 32]), Seed::from_os().expect("entropy"));
        let mut file = Vec::new();
        let witness = space.witness(&a, &messages, &key).expect("messages");
        let statement = a.commit_and_hold(&witness, &mut file).expect("in memory");
        Self { a, space, messages, key, file, statement }
    }

    /// That of `s` and `k`.
    fn of_files(dir: &Path, text: &[u8], pad_slots: u32, range_slots: u32, front: u64) -> Self {
        let file = std::fs::read(dir.join("s")).expect("written");
        let statement = Statement::load(&file, Security::Required).expect("a statement");
        let params = statement.params();
        let space =
            PaddedSpace::with_ranges(params, 1024, pad_slots, range_slots, Security::Required);
        let space = space.expect("slots").with_front(front);
        let a = PublicMatrix::new(params, *statement.seed_a());
        let text_of_key = std::fs::read_to_string(dir.join("k")).expect("written");
        let mut key = [0; 32];
        hex::decode_to_slice(text_of_key.lines().next().expect("a line"), &mut key)
            .expect("digits");
        let key = tautochrone_cli::part(&Seed::from_bytes(key), "commit_file: randomness");
        let messages = columns_of(text, front as usize, params.l() as usize);
        Self { a, space, messages, key, file, statement }
    }

    fn witness(&self) -> PaddedMessages<'_> {
        self.space.witness(&self.a, &self.messages, &self.key).expect("messages")
    }

    /// A column, whether or not it may be opened.
    fn column(&self, index: u64) -> Vec<i8> {
        column_unchecked(self.statement.params(), &self.witness(), index)
            .expect("a column")
            .to_vec()
    }

    /// The file that shows a fact, the length being said to be in a column.
    fn fact_file(&self, fact: &Fact, length: u64) -> Vec<u8> {
        let (slot, witness) = (self.space.slot(0).expect("a slot"), self.witness());
        let prover = Prover::new(&self.a, &self.statement).expect("its A");
        let seed = Seed::from_os().expect("entropy");
        let proved = prover.prove_fact(b"commit_file 2: a fact", slot, fact, &witness, &seed);
        let proof = proved.expect("a fact").proof.to_bytes(self.statement.params());
        [bytes_of(&self.column(length)), proof].concat()
    }
}

fn bytes_of(column: &[i8]) -> Vec<u8> {
    column.iter().map(|entry| entry.cast_unsigned()).collect()
}

/// What anybody computes of a proof: the chain of hashes of docs/format.md.
struct Chain([u8; 32]);

impl Chain {
    fn hash(fields: &[&[u8]]) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new();
        for field in [b"tautochrone-zk/2"].iter().map(|field| &field[..]).chain(fields.to_vec()) {
            hasher.update(&(field.len() as u64).to_le_bytes()).update(field);
        }
        hasher
    }

    /// D_0, which the file of an argument has at 24.
    fn new(proof: &[u8]) -> Self {
        Self(proof[24..56].try_into().expect("32 bytes"))
    }

    fn absorb(&mut self, label: &[u8], message: &[u8]) {
        let hasher = Self::hash(&[b"argument message", &self.0, label, message]);
        self.0 = *hasher.finalize().as_bytes();
    }

    fn challenge(&mut self, label: &[u8]) -> Element {
        self.0 = *Self::hash(&[b"argument challenge", &self.0, label]).finalize().as_bytes();
        let (mut uniform, mut reduced) = ([0; 72], [0; 24]);
        Self::hash(&[b"argument element", &self.0]).finalize_xof().fill(&mut uniform);
        for (bytes, reduced) in uniform.chunks(24).zip(reduced.chunks_mut(8)) {
            let residue =
                bytes.iter().rev().fold(0, |x, &byte| (x << 8 | u128::from(byte)) % u128::from(P));
            reduced.copy_from_slice(&(residue as u64).to_le_bytes());
        }
        Element::from_bytes(&reduced).expect("reduced")
    }
}

/// Elements of a file.
fn elements(bytes: &[u8]) -> Vec<Element> {
    let element =
        |bytes: &[u8]| Element::from_bytes(bytes.try_into().expect("24 bytes")).expect("reduced");
    bytes.chunks_exact(24).map(element).collect()
}

/// The element that 81 rows of pads of an opened column are the digits of.
fn pad(column: &[i8], first_row: usize) -> Element {
    let mut bytes = [0; 24];
    for (digits, bytes) in column[first_row..][..81].chunks(27).zip(bytes.chunks_mut(8)) {
        let value = digits.iter().rev().fold(0, |x, &digit| 5 * x + i128::from(digit));
        bytes.copy_from_slice(&(value.rem_euclid(i128::from(P)) as u64).to_le_bytes());
    }
    Element::from_bytes(&bytes).expect("reduced")
}

/// eq(point, i) for all i.
fn eq_table(point: &[Element]) -> Vec<Element> {
    let one = Element::from(1);
    let half = |table: &[Element], x: Element| table.iter().map(|&y| y * x).collect::<Vec<_>>();
    point.iter().fold(vec![one], |table, &t| [half(&table, one - t), half(&table, t)].concat())
}

/// The messages of the ten rounds for the rows of bits, before they are masked: those of a proof
/// about these messages.
fn messages_of_rounds(messages: &[i8], proof: &[u8]) -> Vec<Element> {
    let (l, one, zero) = (messages.len() / ROWS, Element::from(1), Element::from(0));
    let mut chain = Chain::new(proof);
    let rounds = 11 + l.next_power_of_two().ilog2() as usize;
    let tau: Vec<Element> = (0..rounds).map(|_| chain.challenge(b"tau")).collect();
    let of_columns = eq_table(&tau[11..]);
    let mut table: Vec<Element> = messages.iter().map(|&bit| i64::from(bit).into()).collect();
    let (mut scale, mut sent) = (one, Vec::new());
    for (round, &t) in tau[..10].iter().enumerate() {
        let of_rows = eq_table(&tau[round + 1..10]);
        let pairs = of_rows.len();
        // P(x + d X) for P(x) = x^2 - x: coefficients of 1, X and X^2.
        let mut sums = [zero; 3];
        for (j, column) in table.chunks(2 * pairs).enumerate() {
            for (pair, &of_row) in column.chunks(2).zip(&of_rows) {
                let (x, d) = (pair[0], pair[1] - pair[0]);
                let weight = of_row * of_columns[j];
                let terms = [x * x - x, (x + x - one) * d, d * d];
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weight * term);
            }
        }
        // The factor of tau_11, of which all these rows have 0, and of this round.
        let factor = scale * (one - tau[10]);
        let (constant, linear) = (factor * (one - t), factor * (t + t - one));
        sent.extend([constant * sums[0], constant * sums[2] + linear * sums[1], linear * sums[2]]);
        chain.absorb(b"round", &proof[80 + 72 * round..][..72]);
        let r = chain.challenge(b"r");
        scale = scale * (one - t + (t + t - one) * r);
        table = table.chunks(2).map(|pair| pair[0] + r * (pair[1] - pair[0])).collect();
    }
    sent
}

/// Who opens a column that masks a message of a sum-check shows a sum over all columns, by which
/// guesses of closed pieces are told apart. No column that `commit_file` opens does.
#[test]
fn an_opening_beside_a_proof_of_bits_tells_no_guesses_apart() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let ballot = |name: &str| {
        let vote = format!("{name}, says voter 17: {name}");
        let text = format!("{vote:<128}{:<100}", "public");
        text.into_bytes()
    };
    let (text, guess) = (ballot("Smith"), ballot("Jones"));
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    ok(example("commit_file", &[&["commit", "--exact", "--proof", "p"], &files[..]].concat(), dir));
    ok(example(
        "commit_file",
        &[&["open", "--piece", "1", "--out", "o"], &files[..]].concat(),
        dir,
    ));
    let (proof, opening) = (
        std::fs::read(dir.join("p")).expect("written"),
        std::fs::read(dir.join("o")).expect("written"),
    );
    // 3 (11 + 7) messages, and nine columns more.
    let (front, l) = (63, 118);
    let owner = Committer::of_files(dir, &text, 0, 1, front);
    assert_eq!(owner.statement.params().l(), l);
    let v = owner.statement.params().v() as usize;
    let opened: Vec<i8> = opening.iter().map(|byte| byte.cast_signed()).collect();
    assert!(opened[..v] == owner.column(front) && opened[v..] == owner.column(front + 2));
    let closed = owner.space.open(owner.statement.params(), &owner.witness(), front - 1);
    assert!(matches!(closed, Err(Error::ClosedColumn { column: 62, .. })));

    let gamma = u32::from_le_bytes(proof[60..64].try_into().expect("4 bytes")) as usize + 81;
    let sent = elements(&proof[80..80 + 30 * 24]);
    let candidates = [&text, &guess]
        .map(|text| messages_of_rounds(&columns_of(text, front as usize, l as usize), &proof));
    let same = (0..30).filter(|&k| candidates[0][k] == candidates[1][k]).collect::<Vec<_>>();
    assert_eq!(same, [0], "all messages but the first tell guesses apart");
    let fits = |k: usize, column: &[i8]| {
        candidates.each_ref().map(|unmasked| sent[k] - pad(column, gamma) == unmasked[k])
    };
    for k in 1..30 {
        for column in [&opened[..v], &opened[v..]] {
            assert_eq!(fits(k, column), [false; 2], "message {k}");
        }
        // The control: this is what a column in front would show.
        assert_eq!(fits(k, &owner.column(k as u64)), [true, false], "message {k}");
    }
}

/// The same of totals beside a proof of several facts.
#[test]
fn an_opening_beside_a_proof_of_sums_shows_no_other_total() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text: Vec<u8> = (0..300_u32).map(|i| (i * 7 % 251) as u8).collect();
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--exact", "--facts", "3", "--proof", "p"];
    ok(example("commit_file", &[&commit[..], &files].concat(), dir));
    let prove = ["prove", "--slot", "0", "--sum", "5:2", "--sum", "9:2", "--out", "f"];
    ok(example("commit_file", &[&prove[..], &files].concat(), dir));
    ok(example(
        "commit_file",
        &[&["open", "--piece", "0", "--out", "o"], &files[..]].concat(),
        dir,
    ));
    let owner = Committer::of_files(dir, &text, 3, 1, 63);
    let v = owner.statement.params().v() as usize;
    let file = std::fs::read(dir.join("f")).expect("written");
    let opening = std::fs::read(dir.join("o")).expect("written");
    let (length, proof) = file.split_at(v);
    assert_eq!(length, &opening[..v]);

    // Message 0: the sums of the even bits of all numbers.
    let eta = Chain::new(proof).challenge(b"eta");
    let even = |at: usize| -> i64 {
        let number = |piece: &[u8]| i64::from(u16::from_le_bytes([piece[at], piece[at + 1]]));
        text.chunks(128).map(|piece| number(piece) & 0x5555).sum()
    };
    let total = Element::from(even(5)) + eta * Element::from(even(9));
    let sent = elements(&proof[56..80])[0];
    for column in opening.chunks(v) {
        let column: Vec<i8> = column.iter().map(|byte| byte.cast_signed()).collect();
        assert_ne!(sent - pad(&column, ROWS + 81), total);
    }
    assert_eq!(sent - pad(&owner.column(0), ROWS + 81), total, "the control");
}

/// What facts and openings show of one commitment is one file: of one length, and nothing is behind
/// its end.
#[test]
fn facts_and_openings_do_not_contradict_each_other() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text = b"no.  paid: 1000000";
    let paid = &text[5..];
    let bits = paid.iter().flat_map(|byte| (0..8).map(move |i| i64::from(byte >> i & 1)));
    let fact = Fact::block(8 * 5, 1, 8 * paid.len() as u32, bits.collect()).unwrap();
    let verdicts = |messages: Vec<i8>, opened: u64| {
        let committer = Committer::new(messages, 1, 0, 0);
        let (params, witness) = (committer.statement.params(), committer.witness());
        let prover = Prover::new(&committer.a, &committer.statement).unwrap();
        let context = b"commit_file 2: pieces of 128 bytes";
        let proof = prover.prove(context, &witness, &Seed::from_os().unwrap()).unwrap().proof;
        let columns = [opened, 1, 2].map(|index| bytes_of(&committer.column(index)));
        for (name, bytes) in [
            ("s", committer.file.clone()),
            ("p", proof.to_bytes(params)),
            ("f", committer.fact_file(&fact, opened)),
            ("o0", [&columns[0][..], &columns[1]].concat()),
            ("o1", [&columns[0][..], &columns[2]].concat()),
        ] {
            std::fs::write(dir.join(name), bytes).expect("written");
        }
        let verify = ["verify", "--statement", "s", "--slot", "0", "--fact", "f"];
        let what = ["--bytes", "5:13", "--text", "paid: 1000000"];
        let verified = example("commit_file", &[&verify[..], &what].concat(), dir);
        let check = |piece, opening| {
            let args = ["check", "--statement", "s", "--proof", "p", "--piece", piece];
            example("commit_file", &[&args[..], &["--opening", opening]].concat(), dir)
        };
        [verified, check("0", "o0"), check("1", "o1")].map(|output| {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            (code(&output), said)
        })
    };
    let honest = || columns_of(text, 0, 3);
    let codes = |messages, opened| verdicts(messages, opened).map(|(code, _)| code);
    assert_eq!(codes(honest(), 0), [0, 0, 1], "there is no second piece");
    // A file of three bytes, and more behind its end.
    let mut short = honest();
    short[..ROWS].copy_from_slice(&columns_of(b"no.", 0, 3)[..ROWS]);
    let [verified, checked, _] = verdicts(short, 0);
    assert_eq!((verified.0, checked.0), (1, 1));
    assert!(verified.1.contains("bytes 5:13: the file has 3 bytes"), "{}", verified.1);
    assert!(checked.1.contains("is not of a file of 3 bytes"), "{}", checked.1);
    // What is no length: bits behind 64, no bits, more than there are columns for, a column of
    // bytes.
    let changed = |row: usize, entry: i8| {
        let mut messages = honest();
        messages[row] = entry;
        messages
    };
    for (messages, opened) in
        [(changed(64, 1), 0), (changed(7, -1), 0), (changed(40, 1), 0), (honest(), 1)]
    {
        assert_eq!(codes(messages, opened), [1, 1, 1]);
    }
    // No layout: there is a front for facts, and nothing behind it.
    let small = Committer::new(vec![0; 37 * ROWS], 3, 0, 0);
    std::fs::write(dir.join("s"), &small.file[..]).expect("written");
    std::fs::write(dir.join("log"), text).expect("written");
    std::fs::write(dir.join("k"), format!("{SEED}\n{SEED}\n")).expect("written");
    let open = ["open", "--in", "log", "--statement", "s", "--key", "k", "--piece", "0"];
    let output = example("commit_file", &[&open[..], &["--out", "o"]].concat(), dir);
    assert!(refused(&output).contains("do not open"), "37 columns are a front, a length, a piece");
    let small = Committer::new(vec![0; 36 * ROWS], 3, 0, 0);
    std::fs::write(dir.join("s"), &small.file[..]).expect("written");
    let output = example("commit_file", &[&open[..], &["--out", "o"]].concat(), dir);
    assert!(refused(&output).contains("36 columns; "), "{output:?}");
}

/// Whoever commits to 0 and -1 where bits are expected proves any total. `verify` wants to see that
/// they are bits.
#[test]
fn a_sum_is_one_of_bits() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    // Three numbers 1000, and "bits" of -2923, which make the total 77.
    let mut text = vec![b'x'; 4 * 128];
    for piece in text.chunks_mut(128) {
        piece[5..7].copy_from_slice(&1000_u16.to_le_bytes());
    }
    let (front, l) = (63, 118);
    let honest = columns_of(&text, front, l);
    let mut messages = honest.clone();
    let last = &mut messages[(front + 4) * ROWS + 40..][..16];
    last.iter_mut().enumerate().for_each(|(i, bit)| *bit = -((2923 >> i & 1) as i8));
    let rows = (0..16).map(|i| (40 + i, 1 << i)).collect();
    let columns = (1..5).map(|piece| (front as u64 + piece, 1)).collect();
    let fact = Fact::sum(rows, columns, 77).unwrap();

    let ranges = vec![RowRange { first_row: 0, rows: 1024, low: 0, high: 1 }];
    let ranges = Ranges::new(ranges).unwrap();
    let context = b"commit_file 2: pieces of 128 bytes";
    let seed = Seed::from_os().unwrap();
    let forger = Committer::new(messages, 1, 1, front as u64);
    let params = forger.statement.params();
    let prover = Prover::new(&forger.a, &forger.statement).unwrap();
    let slot = forger.space.range_slot(0).unwrap();
    let refused_ranges = prover.prove_ranges(context, slot, &ranges, &forger.witness(), &seed);
    assert!(matches!(refused_ranges, Err(Error::FalseFact)));
    let file = forger.fact_file(&fact, front as u64);
    std::fs::write(dir.join("f"), &file).expect("written");
    std::fs::write(dir.join("s"), &forger.file).expect("written");
    let plain = prover.prove(context, &forger.witness(), &seed).unwrap().proof.to_bytes(params);
    std::fs::write(dir.join("plain"), plain).expect("written");
    // The fact alone is proved.
    let verifier = Verifier::new(&forger.a, &forger.statement).unwrap();
    let (slot, v) = (forger.space.slot(0).unwrap(), params.v() as usize);
    verifier.verify_fact(b"commit_file 2: a fact", slot, &fact, &file[v..]).unwrap();

    // A proof of ranges of another statement, of bits.
    let other = Committer::new(honest, 1, 1, front as u64);
    let prover = Prover::new(&other.a, &other.statement).unwrap();
    let slot = other.space.range_slot(0).unwrap();
    let proved = prover.prove_ranges(context, slot, &ranges, &other.witness(), &seed).unwrap();
    let proof = proved.proof.to_bytes(other.statement.params());
    std::fs::write(dir.join("other"), proof).expect("written");

    let verify = ["verify", "--statement", "s", "--slot", "0", "--fact", "f"];
    let verify = [&verify[..], &["--sum", "5:2", "--value", "77"]].concat();
    let with = |proof: &[&str]| example("commit_file", &[&verify[..], proof].concat(), dir);
    assert!(refused(&with(&[])).contains("--sum needs --proof"));
    assert!(refused(&with(&["--proof", "plain"])).contains("f or plain: "));
    assert_eq!(code(&with(&["--proof", "other"])), 1);
    // A statement that no proof of bits can be had of.
    let none = Committer::new(columns_of(&text, 0, 5), 1, 0, 0);
    std::fs::write(dir.join("s"), &none.file).expect("written");
    assert!(refused(&with(&["--proof", "plain"])).contains("--exact"));
    let bytes = ["verify", "--statement", "s", "--slot", "0", "--fact", "f", "--bytes", "0:1"];
    let bytes = [&bytes[..], &["--text", "x", "--proof", "plain"]].concat();
    assert!(refused(&example("commit_file", &bytes, dir)).contains("--exact"));
}

/// A statement that was altered is not proved about, a slot is not taken for it, and nothing is
/// written.
#[test]
fn an_altered_statement_is_not_proved_about() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    std::fs::write(dir.join("log"), vec![b'x'; 300]).expect("written");
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--facts", "1", "--proof", "p"];
    ok(example("commit_file", &[&commit[..], &files].concat(), dir));
    let prove = ["prove", "--slot", "0", "--bytes", "0:3", "--out", "f"];
    let prove = || example("commit_file", &[&prove[..], &files].concat(), dir);
    let pristine = ["s", "k"].map(|name| std::fs::read(dir.join(name)).expect("written"));
    // The lowest published bit of a word of the last column, and the owner's digest.
    let column = (pristine[0].len() - 256) / 4;
    for (name, pristine, at) in [("s", &pristine[0], 256 + 3 * column), ("k", &pristine[1], 65)] {
        let mut changed = pristine.clone();
        changed[at] =
            if name == "s" { changed[at] ^ 1 } else { b"01"[usize::from(changed[at] == b'0')] };
        std::fs::write(dir.join(name), changed).expect("written");
        assert!(refused(&prove()).contains("do not open"), "{name}");
        assert!(!dir.join("f").exists() && !dir.join("k.slot0").exists());
        std::fs::write(dir.join(name), pristine).expect("written");
    }
    std::fs::write(dir.join("k"), &pristine[1][..65]).expect("written");
    assert!(refused(&prove()).contains("two lines of 64 hexadecimal digits"));
    std::fs::write(dir.join("k"), &pristine[1]).expect("written");
    // No total could be shown of it.
    let sum = ["prove", "--slot", "0", "--sum", "0:1", "--out", "f"];
    let output = example("commit_file", &[&sum[..], &files].concat(), dir);
    assert!(refused(&output).contains("--exact"));
    ok(prove());
    // What is remembered of the slot names the statement.
    let record = std::fs::read_to_string(dir.join("k.slot0")).expect("written");
    let statement = Statement::load(&pristine[0], Security::Required).unwrap();
    assert_eq!(record, format!("bytes 0:3 of {:?}\n", statement.digest(b"")));
}

/// Messages in ranges: random ones and those of a file, `verify` says which rows; a message out of
/// its range, too few columns, and options of other parameters are refused.
#[test]
fn messages_proved_to_be_in_ranges() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let files = ["--columns", "300", "--statement", "s", "--proof", "p", "--seed", SEED];
    let prove = |options: &[&str]| example("prove", &[&files, options].concat(), dir);
    let ranges = ["--exact", "20:0:1", "--exact", "12:-2:5"];
    let answer = json(prove(&[&ranges[..], &["--check", "--json", "--witness-out", "w"]].concat()));
    let range = |first_row, rows, low, high| serde_json::json!({ "first_row": first_row, "rows": rows, "low": low, "high": high });
    let expected = serde_json::json!([range(0, 20, 0, 1), range(20, 12, -2, 5)]);
    assert_eq!((&answer["ranges"], &answer["exact"]), (&expected, &true.into()));
    assert_eq!((&answer["valid"], &answer["preset"]), (&true.into(), &serde_json::Value::Null));
    let verify = ["--statement", "s", "--proof", "p", "--message-rows", "32"];
    let line = "verify --statement s --proof p --message-rows 32 \
                --require range:20:0:1 --require range:20+12:-2:5";
    assert_eq!(answer["verify"], line);
    // What is shown, and more and less than it.
    for (required, expected) in [
        ("range:20:0:1 range:20+12:-2:5", 0),
        ("range:32:-2:5 norm:20:20", 0),
        ("range:32:-2:5 range:32:0:5", 1),
        ("range:33:-2:5", 1),
        ("exact-keys:5:5", 1),
        ("range:20:0", 2),
    ] {
        let flags: Vec<&str> = required.split(' ').flat_map(|spec| ["--require", spec]).collect();
        let output = example("verify", &[&verify[..], &flags].concat(), dir);
        assert_eq!(code(&output), expected, "{required}");
    }
    let said = ok(example("verify", &verify, dir));
    assert!(
        said.contains("valid, exact: rows 0 to 19 in [0, 1], rows 20 to 31 in [-2, 5]"),
        "{said}"
    );

    // The messages of the witness, each value of the ranges among them.
    let v = answer["v"].as_u64().expect("a number") as usize;
    let witness = std::fs::read(dir.join("w")).expect("written");
    let mut messages: Vec<u8> =
        witness.chunks_exact(v).flat_map(|column| &column[..32]).copied().collect();
    let entries = |rows: std::ops::Range<usize>| {
        messages.chunks_exact(32).flat_map(move |column| column[rows.clone()].to_vec())
    };
    let seen = |rows| entries(rows).map(u8::cast_signed).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(seen(0..20), (0..=1).collect());
    assert_eq!(seen(20..32), (-2..=5).collect());
    let statement = std::fs::read(dir.join("s")).expect("written");
    std::fs::write(dir.join("m"), &messages).expect("written");
    let again = [&ranges[..], &["--witness", "m"]].concat();
    ok(prove(&again));
    assert!(std::fs::read(dir.join("s")).expect("written") == statement, "the same messages");

    messages[0] = 2;
    std::fs::write(dir.join("m"), &messages).expect("written");
    assert!(refused(&prove(&again)).contains("do not hold for this witness"));
    messages[0] = 6;
    std::fs::write(dir.join("m"), &messages).expect("written");
    assert!(refused(&prove(&again)).contains("exceeds the bound b = 5"));
    messages.pop();
    std::fs::write(dir.join("m"), &messages).expect("written");
    assert!(refused(&prove(&again)).contains("expected 9600 bytes (the messages)"));
    assert!(refused(&prove(&["--exact", "20:0"])).contains("ROWS:LOW:HIGH"));
    assert!(refused(&prove(&["--exact", "20:1:2"])).contains("0 among them"));
    assert!(refused(&prove(&["--exact", "20:0:1", "--whole"])).contains("--whole"));
    let few = ["--columns", "9", "--statement", "s", "--proof", "p", "--exact", "20:0:1"];
    assert!(refused(&example("prove", &few, dir)).contains("these ranges need at least"));
}

/// Gaussian messages and their norm, beside trits: random ones and those of a file; a column that is
/// longer, widths that are not bytes, and options of other parameters are refused.
#[test]
fn messages_proved_to_be_short() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let files = ["--columns", "300", "--statement", "s", "--proof", "p", "--seed", SEED];
    let prove = |options: &[&str]| example("prove", &[&files, options].concat(), dir);
    let claim = ["--exact", "20:-1:1", "--norm", "40:3.2"];
    let answer = json(prove(&[&claim[..], &["--check", "--json", "--witness-out", "w"]].concat()));
    let norm = &answer["norms"][0];
    let (bound, bits) = (&norm["bound_squared"], &norm["bits"]);
    let [bound, bits] = [bound, bits].map(|x| x.as_u64().expect("a number") as usize);
    assert_eq!((&norm["first_row"], &norm["first_bit"]), (&20.into(), &60.into()));
    assert_eq!(answer["ranges"].as_array().expect("a list").len(), 2);
    let rows = (60 + bits).to_string();
    let verify = ["--statement", "s", "--proof", "p", "--message-rows", &rows];
    let said = ok(example("verify", &verify, dir));
    assert!(said.contains("valid, exact: rows 0 to 19 in [-1, 1], rows 60 to"), "{said}");
    let shown =
        format!("rows 20 to 59 of norm at most {:.1} (squared: {bound};", (bound as f64).sqrt());
    assert!(said.contains(&shown), "{said}");
    let proof = &json(example("verify", &[&verify[..], &["--json"]].concat(), dir))["proofs"][0];
    assert_eq!((&proof["exact"], &proof["norms"]), (&true.into(), &answer["norms"]));

    // The equation holds of the witness, whose entries are as wide as they should be.
    let v = answer["v"].as_u64().expect("a number") as usize;
    let witness = std::fs::read(dir.join("w")).expect("written");
    let mut messages = Vec::new();
    let mut squares = 0;
    for column in witness.chunks_exact(v) {
        let entry = |row: usize| i64::from(column[row].cast_signed());
        let square: i64 = (20..60).map(|row| entry(row).pow(2)).sum();
        let rest: i64 = (0..bits).map(|d| entry(60 + d) << d).sum();
        assert_eq!(square + rest, bound as i64);
        squares += square;
        messages.extend_from_slice(&column[..60]);
    }
    let variance = squares as f64 / (40.0 * 300.0);
    assert!((9.7..10.8).contains(&variance), "{variance}");
    let statement = std::fs::read(dir.join("s")).expect("written");
    std::fs::write(dir.join("m"), &messages).expect("written");
    let again = [&claim[..], &["--witness", "m"]].concat();
    ok(prove(&again));
    assert!(std::fs::read(dir.join("s")).expect("written") == statement, "the same messages");

    messages[60 * 7 + 20..60 * 8].fill(7);
    std::fs::write(dir.join("m"), &messages).expect("written");
    assert!(refused(&prove(&again)).contains("longer than its bound"));
    messages[60 * 7 + 20..60 * 8].fill(0);
    messages[60 * 7 + 20] = 33;
    std::fs::write(dir.join("m"), &messages).expect("written");
    assert!(refused(&prove(&again)).contains("exceeds the bound b = 32"));
    messages.pop();
    std::fs::write(dir.join("m"), &messages).expect("written");
    assert!(refused(&prove(&again)).contains("expected 18000 bytes (the messages)"));
    for wrong in ["20", "20:x", "20:13", "20:0.1", "20:NaN"] {
        assert!(refused(&prove(&["--norm", wrong])).contains("ROWS:SIGMA"), "{wrong}");
    }
    assert!(refused(&prove(&["--norm", "0:3.2"])).contains("rows of a norm"));
    assert!(refused(&prove(&["--norm", "20:3.2", "--whole"])).contains("--whole"));
}

/// The same of a preset for errors, with the parameters that it names.
#[test]
fn a_preset_proves_that_errors_are_short() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let prove = |options: &[&str]| {
        let all = ["--preset", "N1-128", "--columns", "128", "--seed", SEED];
        let files = ["--statement", "s", "--proof", "p"];
        example("prove", &[&all[..], &files[..], options].concat(), dir)
    };
    let answer = json(prove(&["--check", "--json", "--witness-out", "w"]));
    assert_eq!(
        (&answer["preset"], &answer["r"], &answer["w"]),
        (&"N1-128".into(), &1264.into(), &30.into())
    );
    let norm = &answer["norms"][0];
    assert_eq!((&norm["rows"], &norm["bound_squared"]), (&1024.into(), &15_476.into()));
    assert_eq!((&norm["first_bit"], &norm["bits"]), (&1024.into(), &14.into()));
    let verify = ["--statement", "s", "--proof", "p", "--message-rows", "1038"];
    let line = answer["verify"].as_str().expect("a line");
    assert!(line.ends_with("--message-rows 1038 --require norm:1024:15476"), "{line}");
    for (bound, expected) in [("norm:1024:15476", 0), ("norm:1+9:20000", 0), ("norm:1024:15475", 1)]
    {
        let required = [&verify[..], &["--require", bound]].concat();
        assert_eq!(code(&example("verify", &required, dir)), expected, "{bound}");
    }
    let said = ok(example("verify", &verify, dir));
    assert!(said.contains("rows 0 to 1023 of norm at most 124.4 (squared: 15476;"), "{said}");

    let v = answer["v"].as_u64().expect("a number") as usize;
    let witness = std::fs::read(dir.join("w")).expect("written");
    let mut errors: Vec<u8> = witness.chunks_exact(v).flat_map(|c| &c[..1024]).copied().collect();
    let statement = std::fs::read(dir.join("s")).expect("written");
    std::fs::write(dir.join("m"), &errors).expect("written");
    ok(prove(&["--witness", "m"]));
    assert!(std::fs::read(dir.join("s")).expect("written") == statement, "the same messages");
    errors[1024 * 7..1024 * 8].fill(4);
    std::fs::write(dir.join("m"), &errors).expect("written");
    assert!(refused(&prove(&["--witness", "m"])).contains("longer than its bound"));
    let both = ["--preset", "N1-128", "--norm", "20:3.2", "--statement", "s", "--proof", "p"];
    assert!(refused(&example("prove", &both, dir)).contains("--preset"));
    let few = ["--preset", "N1-128", "--columns", "100", "--statement", "s", "--proof", "p"];
    assert!(refused(&example("prove", &few, dir)).contains("need at least 118"));
}

#[test]
fn roll_up() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text = "even\nodd\nthree\nten\nzzz\n".repeat(3);
    std::fs::write(dir.join("text"), text).expect("written");
    let args = ["--in", "text", "--group", "5", "--seed", SEED];
    let answer = ok(example("rollup", &args, dir));
    assert!(answer.contains("e occurs in 3 of the first 5 lines"), "{answer}");
    assert!(answer.contains("3 groups"), "{answer}");
    let answer = json(example("rollup", &[&args[..], &["--json"]].concat(), dir));
    assert_eq!((&answer["groups"], &answer["lines_with_e"]), (&3.into(), &3.into()));
    assert_eq!(code(&example("rollup", &["--in", "text", "--group", "128"], dir)), 2);
    assert_eq!(code(&example("rollup", &["--in", "missing"], dir)), 2);
    std::fs::write(dir.join("text"), b"\xff\xfee\0").expect("written");
    assert!(refused(&example("rollup", &["--in", "text"], dir)).contains("text: is UTF-16"));
}
