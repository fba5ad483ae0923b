//! `prove` and `verify` of messages in ranges and of bounded norm.

use std::collections::BTreeSet;

use serde_json::Value;
use tautochrone_testkit::examples::SEED;

use crate::folder::Folder;

/// A line of `prove` with these options.
fn prove(options: &str) -> String {
    format!("prove --statement s --proof p --seed {SEED} {options}")
}

/// The columns with messages of the witness in the file `w`: the last ones.
fn columns(dir: &Folder, answer: &Value, count: usize) -> Vec<Vec<u8>> {
    let v = answer["v"].as_u64().expect("a number") as usize;
    let witness = dir.read("w");
    witness.chunks_exact(v).skip(witness.len() / v - count).map(<[u8]>::to_vec).collect()
}

/// Asserts that these messages, in a file, make the same statement again.
fn prove_again(dir: &Folder, claim: &str, messages: &[u8]) {
    let statement = dir.read("s");
    dir.write("m", messages);
    dir.ok(prove(&format!("{claim} --witness m")));
    assert!(dir.read("s") == statement, "the same messages");
}

/// Asserts that these messages, in a file, are refused.
#[track_caller]
fn refused(dir: &Folder, claim: &str, messages: &[u8], problem: &str) {
    dir.write("m", messages);
    dir.refuses(prove(&format!("{claim} --witness m")), problem);
}

const VERIFY: &str = "verify --statement s --proof p";

/// Messages in ranges: random ones and messages of a file, `verify` says which rows; a message out
/// of its range, and options of other parameters are refused.
#[test]
fn messages_proved_to_be_in_ranges() {
    let dir = &Folder::new();
    let claim = "--columns 300 --exact 20:0:1 --exact 12:-2:5";
    let answer = dir.json(prove(&format!("{claim} --check --witness-out w")));
    let range = |first_row, rows, low, high| serde_json::json!({ "first_row": first_row, "rows": rows, "low": low, "high": high });
    let expected = serde_json::json!([range(0, 20, 0, 1), range(20, 12, -2, 5)]);
    assert_eq!((&answer["ranges"], &answer["exact"]), (&expected, &true.into()));
    assert_eq!((&answer["valid"], &answer["preset"]), (&true.into(), &Value::Null));
    let verify = format!("{VERIFY} --message-rows 32");
    let line = "verify --statement s --proof p --message-rows 32 \
                --require range:20:0:1 --require range:20+12:-2:5";
    assert_eq!(answer["verify"], line);
    // The claim that is shown, and a larger and a smaller one.
    for (required, expected) in [
        ("range:20:0:1 range:20+12:-2:5", 0),
        ("range:32:-2:5 norm:20:20", 0),
        ("range:32:-2:5 range:32:0:5", 1),
        ("range:33:-2:5", 1),
        ("exact-keys:5:5", 1),
        ("range:20:0", 2),
    ] {
        let line = format!("{verify} --require {}", required.replace(' ', " --require "));
        assert_eq!(dir.code(line), expected, "{required}");
    }
    let said = dir.ok(verify);
    assert!(said.starts_with("valid, exact: of the last 300 columns, "), "{said}");
    assert!(said.contains("front: rows 0 to 19 in [0, 1], rows 20 to 31 in [-2, 5]\n"), "{said}");

    // The messages of the witness, each value of the ranges among them.
    let columns = columns(dir, &answer, 300);
    let seen = |rows: std::ops::Range<usize>| -> BTreeSet<i8> {
        let entries = columns.iter().flat_map(|column| &column[rows.clone()]);
        entries.map(|entry| entry.cast_signed()).collect()
    };
    assert_eq!(seen(0..20), (0..=1).collect());
    assert_eq!(seen(20..32), (-2..=5).collect());
    let mut messages: Vec<u8> = columns.iter().flat_map(|column| &column[..32]).copied().collect();
    prove_again(dir, claim, &messages);
    for (entry, problem) in [(2, "do not hold for this witness"), (6, "exceeds the bound b = 5")] {
        messages[0] = entry;
        refused(dir, claim, &messages, problem);
    }
    refused(dir, claim, &messages[1..], "expected 9600 bytes (the messages)");
    dir.refuses(prove("--exact 20:0"), "ROWS:LOW:HIGH");
    dir.refuses(prove("--exact 20:1:2"), "0 among them");
    dir.refuses(prove("--exact 20:0:1 --whole"), "--whole");
}

/// Mixed masks, for so many proofs as are asked for, make a proof shorter, which says of how many
/// proofs its columns are; masks are refused where a preset has them, and narrow ones where
/// there are messages.
#[test]
fn messages_behind_mixed_masks() {
    let dir = &Folder::new();
    let claim = "--exact 20:0:1 --columns 100 --check";
    let bytes = |masks: &str| {
        let answer = dir.json(prove(&format!("{claim} {masks}")));
        answer["proof_bytes"].as_u64().expect("a number")
    };
    let wide = bytes("");
    let mixed = bytes("--masks mixed --proofs 3");
    assert!(100 * mixed < 85 * wide, "{mixed} {wide}");
    let said = dir.ok(VERIFY);
    assert!(said.contains("rows 0 to 19 in [0, 1]"), "{said}");
    assert!(said.contains("its columns are in at most 4 proofs"), "{said}");
    assert!(said.contains("in so many proofs alone (computational)"), "{said}");
    dir.refuses(prove("--masks mixed"), "--masks: only with --exact");
    dir.refuses(prove(&format!("{claim} --proofs 4")), "--masks");
    dir.refuses(prove(&format!("{claim} --masks narrow")), "mixed masks");
    dir.refuses("estimate --masks narrow", "--masks: only with --optimise");
}

/// Gaussian messages and their norm, beside trits: random ones and messages of a file; a column
/// that is longer, widths that are not bytes, and options of other parameters are refused.
#[test]
fn messages_proved_to_be_short() {
    let dir = &Folder::new();
    let claim = "--columns 300 --exact 20:-1:1 --norm 40:3.2";
    let answer = dir.json(prove(&format!("{claim} --check --witness-out w")));
    let norm = &answer["norms"][0];
    let (bound, bits) = (&norm["bound_squared"], &norm["bits"]);
    let [bound, bits] = [bound, bits].map(|x| x.as_u64().expect("a number") as usize);
    assert_eq!((&norm["first_row"], &norm["first_bit"]), (&20.into(), &60.into()));
    assert_eq!(answer["ranges"].as_array().expect("a list").len(), 2);
    let verify = format!("{VERIFY} --message-rows {}", 60 + bits);
    let said = dir.ok(&verify);
    assert!(said.contains(" in front: rows 0 to 19 in [-1, 1], rows 60 to"), "{said}");
    let shown = format!("rows 20 to 59 of squared norm at most {bound}\n");
    assert!(said.contains(&shown), "{said}");
    let proof = &dir.json(verify)["proofs"][0];
    assert_eq!((&proof["exact"], &proof["norms"]), (&true.into(), &answer["norms"]));

    // The equation holds of the witness, whose entries are as wide as they should be.
    let mut messages = Vec::new();
    let mut squares = 0;
    for column in columns(dir, &answer, 300) {
        let entry = |row: usize| i64::from(column[row].cast_signed());
        let square: i64 = (20..60).map(|row| entry(row).pow(2)).sum();
        let rest: i64 = (0..bits).map(|d| entry(60 + d) << d).sum();
        assert_eq!(square + rest, bound as i64);
        squares += square;
        messages.extend_from_slice(&column[..60]);
    }
    let variance = squares as f64 / (40.0 * 300.0);
    assert!((9.7..10.8).contains(&variance), "{variance}");
    prove_again(dir, claim, &messages);
    messages[60 * 7 + 20..60 * 8].fill(7);
    refused(dir, claim, &messages, "longer than its bound");
    messages[60 * 7 + 20..60 * 8].fill(0);
    messages[60 * 7 + 20] = 33;
    refused(dir, claim, &messages, "exceeds the bound b = 32");
    refused(dir, claim, &messages[1..], "expected 18000 bytes (the messages)");
    for wrong in ["20", "20:x", "20:13", "20:0.1", "20:NaN"] {
        dir.refuses(prove(&format!("--norm {wrong}")), "ROWS:SIGMA");
    }
    dir.refuses(prove("--norm 0:3.2"), "rows of a norm");
    dir.refuses(prove("--norm 20:3.2 --whole"), "--whole");
}

/// The same of a preset for errors, with the parameters that it names.
#[test]
fn a_preset_proves_that_errors_are_short() {
    let dir = &Folder::new();
    let preset = "--preset N1-128 --columns 128";
    let answer = dir.json(prove(&format!("{preset} --check --witness-out w")));
    assert_eq!(
        (&answer["preset"], &answer["r"], &answer["w"]),
        (&"N1-128".into(), &1264.into(), &30.into())
    );
    let norm = &answer["norms"][0];
    assert_eq!((&norm["rows"], &norm["bound_squared"]), (&1024.into(), &15_476.into()));
    assert_eq!((&norm["first_bit"], &norm["bits"]), (&1024.into(), &14.into()));
    let verify = format!("{VERIFY} --message-rows 1038");
    let line = answer["verify"].as_str().expect("a line");
    assert!(line.ends_with("--message-rows 1038 --require norm:1024:15476"), "{line}");
    for (bound, expected) in [("norm:1024:15476", 0), ("norm:1+9:20000", 0), ("norm:1024:15475", 1)]
    {
        assert_eq!(dir.code(format!("{verify} --require {bound}")), expected, "{bound}");
    }
    let said = dir.ok(verify);
    assert!(said.contains("rows 0 to 1023 of squared norm at most 15476\n"), "{said}");

    let columns = columns(dir, &answer, 128);
    let mut errors: Vec<u8> = columns.iter().flat_map(|column| &column[..1024]).copied().collect();
    prove_again(dir, preset, &errors);
    errors[1024 * 7..1024 * 8].fill(4);
    refused(dir, preset, &errors, "longer than its bound");
    dir.refuses(prove("--preset N1-128 --norm 20:3.2"), "--preset");
}
