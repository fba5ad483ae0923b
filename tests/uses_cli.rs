//! The examples that use the library: LWE keys, a committed file, a roll-up.

use std::path::Path;
#[cfg(unix)]
use std::process::Command;

use tautochrone_testkit::examples::{self, SEED, code, json, ok, refused, run as example};

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
        (0, &text[381..]),
        "the last piece, which is short"
    );
    assert_eq!(code(&check("2", "o")), 1, "the opening of another piece");
    let args = ["check", "--piece", "3", "--opening", "o", "--json"];
    let answer = json(example("commit_file", &[&args[..], &files].concat(), dir));
    assert_eq!(answer["hex"], hex::encode(&text[381..]));

    // Neither another file nor another key opens anything, and nothing is written; nor does a
    // changed opening.
    let mut other = text.clone();
    other[390] ^= 1;
    std::fs::write(dir.join("other"), &other).expect("written");
    assert!(refused(&open("3", "other", "o2")).contains("do not open piece 3"));
    assert_eq!(code(&open("2", "other", "o1")), 0, "a piece that both files have");
    let key = std::fs::read(dir.join("k")).expect("written");
    let mut wrong = key.clone();
    wrong[0] = if wrong[0] == b'0' { b'1' } else { b'0' };
    std::fs::write(dir.join("k"), &wrong).expect("written");
    assert!(refused(&open("3", "log", "o2")).contains("do not open piece 3"));
    std::fs::write(dir.join("k"), &key).expect("written");
    assert!(!dir.join("o2").exists(), "nothing is published under wrong randomness");
    let mut opening = std::fs::read(dir.join("o")).expect("written");
    // A bit of the message, and a bit of the randomness. (The last entries are errors of LWE, which
    // rounding takes off T with its low bits.)
    for place in [0, 1023, 1024, 2000] {
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
        text[127 * piece + 5..127 * piece + 7].copy_from_slice(&number);
    }
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--in", "log", "--statement", "s", "--key", "k"];
    let commit = ["commit", "--facts", "2", "--proof", "p", "--seed", SEED];
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
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &true.into()));
    assert_eq!(code(&verify("1", "f", bytes)), 1, "another slot");
    for (place, digits) in [("131:10", &there[..]), ("130:10", &hex::encode(&text[131..141]))] {
        assert_eq!(code(&verify("0", "f", ["--bytes", place, "--hex", digits])), 1);
    }

    ok(prove("1", ["--sum", "5:2"], "g"));
    ok(verify("1", "g", ["--sum", "5:2", "--value", "6000"]));
    assert_eq!(code(&verify("1", "g", ["--sum", "5:2", "--value", "6001"])), 1);
    assert_eq!(code(&verify("1", "g", ["--sum", "5:1", "--value", "6000"])), 1);
    let proof = std::fs::read(dir.join("g")).expect("written");
    let mut changed = proof.clone();
    changed[100] ^= 1;
    std::fs::write(dir.join("h"), &changed).expect("written");
    assert_eq!(code(&verify("1", "h", ["--sum", "5:2", "--value", "6000"])), 1);
    std::fs::write(dir.join("h"), &proof[1..]).expect("written");
    assert_eq!(code(&verify("1", "h", ["--sum", "5:2", "--value", "6000"])), 2);

    // The same fact again is as good as a copy; another one in its slot is refused.
    ok(prove("1", ["--sum", "5:2"], "g2"));
    ok(verify("1", "g2", ["--sum", "5:2", "--value", "6000"]));
    assert!(refused(&prove("1", ["--sum", "5:1"], "h")).contains("slot 1 has served for sum 5:2"));
    assert!(refused(&prove("0", ["--sum", "5:2"], "h")).contains("take another"));
    // Pieces can be opened as without facts.
    let open = ["open", "--piece", "2", "--out", "o"];
    ok(example("commit_file", &[&open[..], &files].concat(), dir));
    let check = ["check", "--statement", "s", "--proof", "p", "--piece", "2", "--opening", "o"];
    assert_eq!(example("commit_file", &check, dir).stdout, &text[254..]);

    // What is no place, no slot, no value, or not the file.
    std::fs::write(dir.join("other"), &text[1..]).expect("written");
    let other = ["--in", "other", "--statement", "s", "--key", "k"];
    let prove_other = ["prove", "--slot", "0", "--out", "h2", "--bytes", "130:10"];
    let output = example("commit_file", &[&prove_other[..], &other].concat(), dir);
    assert!(refused(&output).contains("do not open"));
    let places = ["120:8", "0:0", "0:128", "1", "295:10", "18446744073709551615:1"];
    for place in places {
        refused(&prove("0", ["--bytes", place], "h2"));
    }
    for place in ["0:8", "126:2", "127:1", "18446744073709551615:1"] {
        refused(&prove("0", ["--sum", place], "h2"));
    }
    refused(&prove("2", ["--bytes", "130:10"], "h2"));
    refused(&verify("0", "f", ["--bytes", "130:10", "--value", "1"]));
    refused(&verify("1", "g", ["--sum", "5:2", "--text", "ab"]));
    refused(&verify("0", "f", ["--bytes", "130:10", "--text", "too short"]));
    refused(&verify("1", "g", ["--sum", "5:2", "--value", "18446744073709551615"]));
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
    let commit = ["commit", "--facts", "4", "--proof", "p", "--seed", SEED];
    ok(example("commit_file", &[&commit[..], &files].concat(), dir));
    let prove = |slot, what: &[&str], out| {
        let args = ["prove", "--slot", slot, "--out", out];
        example("commit_file", &[&args[..], what, &files].concat(), dir)
    };
    let verify = |slot, fact, what: &[&str]| {
        let args = ["verify", "--statement", "s", "--slot", slot, "--fact", fact];
        example("commit_file", &[&args[..], what].concat(), dir)
    };
    let places = ["--sum", "1:1", "--bytes", "3:2", "--bytes", "150:3"];
    assert!(ok(prove("0", &places, "f")).contains("3 facts, in slots 0 to 2"));
    let text_at = |at: usize, len: usize| String::from_utf8_lossy(&text[at..at + len]).into_owned();
    let (first, second) = (text_at(3, 2), text_at(150, 3));
    let total: u32 = [1, 128, 255].iter().map(|&at: &usize| u32::from(text[at])).sum();
    let total = total.to_string();
    let values = |first, second, total| ["--text", first, "--text", second, "--value", total];
    let right = [&places[..], &values(&first, &second, &total)].concat();
    let answer = ok(verify("0", "f", &right));
    for name in ["bytes 3:2", "bytes 150:3", "sum 1:1"] {
        assert!(answer.contains(&format!("{name}: the fact holds")), "{answer}");
    }
    let answer = json(verify("0", "f", &[&right[..], &["--json"]].concat()));
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &true.into()));
    assert_eq!(answer["facts"].as_array().map(Vec::len), Some(3));
    assert_eq!(answer["facts"][1]["fact"], "bytes 150:3");
    // Each value counts, and its place.
    for wrong in
        [values("zz", &second, &total), values(&first, "zzz", &total), values(&first, &second, "7")]
    {
        assert_eq!(code(&verify("0", "f", &[&places[..], &wrong].concat())), 1);
    }
    assert_eq!(code(&verify("1", "f", &right)), 1, "another slot");
    let two = ["--bytes", "3:2", "--text", &first, "--sum", "1:1", "--value", &total];
    assert_eq!(code(&verify("0", "f", &two)), 1, "fewer facts");
    let one = ["--bytes", "3:2", "--text", &first];
    assert_eq!(code(&verify("0", "f", &one)), 2, "no proof of one fact");

    // The same facts again; others, or the same in other slots of which two have served, are not.
    ok(prove("0", &places, "f2"));
    ok(verify("0", "f2", &right));
    let served = "slot 1 has served for bytes 3:2, bytes 150:3, sum 1:1, in slots from 0; take";
    assert!(refused(&prove("1", &places, "h")).contains(served));
    assert!(refused(&prove("1", &["--bytes", "3:2"], "h")).contains("slot 1 has served"));
    assert!(!dir.join("k.slot3").exists(), "no slot is taken for what is refused");
    // Slot 3 is left, for one fact.
    ok(prove("3", &["--bytes", "3:2"], "g"));
    ok(verify("3", "g", &one));
    assert!(refused(&prove("2", &places, "h")).contains("the statement has 4"));
    // A value for each place, of its kind.
    for values in [
        &["--text", &first, "--value", &total][..],
        &["--text", &first, "--text", &second][..],
        &["--text", &first, "--hex", "616263", "--value", &total][..],
    ] {
        refused(&verify("0", "f", &[&places[..], values].concat()));
    }
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

    let context = "commit_file: pieces of 127 bytes";
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
    assert_eq!(answer["hex"], hex::encode(&text[254..]));
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
