//! `prove` and `verify` of messages in ranges and of bounded norm.

use tautochrone_testkit::examples::{SEED, code, json, ok, refused, run as example};

use crate::folder::Folder;

/// Messages in ranges: random ones and messages of a file, `verify` says which rows; a message out
/// of its range, and options of other parameters are refused.
#[test]
fn messages_proved_to_be_in_ranges() {
    let dir = &Folder::new();
    let files = ["--columns", "300", "--statement", "s", "--proof", "p", "--seed", SEED];
    let prove = |options: &[&str]| dir.run("prove", &[&files, options]);
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
    // The claim that is shown, and a larger and a smaller one.
    for (required, expected) in [
        ("range:20:0:1 range:20+12:-2:5", 0),
        ("range:32:-2:5 norm:20:20", 0),
        ("range:32:-2:5 range:32:0:5", 1),
        ("range:33:-2:5", 1),
        ("exact-keys:5:5", 1),
        ("range:20:0", 2),
    ] {
        let flags: Vec<&str> = required.split(' ').flat_map(|spec| ["--require", spec]).collect();
        let output = dir.run("verify", &[&verify, &flags]);
        assert_eq!(code(&output), expected, "{required}");
    }
    let said = ok(example("verify", &verify, dir));
    assert!(
        said.contains("valid, exact: rows 0 to 19 in [0, 1], rows 20 to 31 in [-2, 5], in columns"),
        "{said}"
    );

    // The messages of the witness, each value of the ranges among them.
    let v = answer["v"].as_u64().expect("a number") as usize;
    let witness = dir.read("w");
    let closed = answer["l"].as_u64().expect("a number") as usize - 300;
    let columns = witness.chunks_exact(v).skip(closed);
    let mut messages: Vec<u8> = columns.flat_map(|column| &column[..32]).copied().collect();
    let entries = |rows: std::ops::Range<usize>| {
        messages.chunks_exact(32).flat_map(move |column| column[rows.clone()].to_vec())
    };
    let seen = |rows| entries(rows).map(u8::cast_signed).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(seen(0..20), (0..=1).collect());
    assert_eq!(seen(20..32), (-2..=5).collect());
    let statement = dir.read("s");
    dir.write("m", &messages);
    let again = [&ranges[..], &["--witness", "m"]].concat();
    ok(prove(&again));
    assert!(dir.read("s") == statement, "the same messages");

    messages[0] = 2;
    dir.write("m", &messages);
    assert!(refused(&prove(&again)).contains("do not hold for this witness"));
    messages[0] = 6;
    dir.write("m", &messages);
    assert!(refused(&prove(&again)).contains("exceeds the bound b = 5"));
    messages.pop();
    dir.write("m", &messages);
    assert!(refused(&prove(&again)).contains("expected 9600 bytes (the messages)"));
    assert!(refused(&prove(&["--exact", "20:0"])).contains("ROWS:LOW:HIGH"));
    assert!(refused(&prove(&["--exact", "20:1:2"])).contains("0 among them"));
    assert!(refused(&prove(&["--exact", "20:0:1", "--whole"])).contains("--whole"));
}

/// Mixed masks, for so many proofs as are asked for, make a proof shorter, which says of how many
/// proofs its columns are; masks are refused where a preset has them, and narrow ones where
/// there are messages.
#[test]
fn messages_behind_mixed_masks() {
    let dir = &Folder::new();
    let files = ["--statement", "s", "--proof", "p", "--seed", SEED, "--check"];
    let prove = |options: &[&str]| dir.run("prove", &[&files, options]);
    let claim = ["--exact", "20:0:1", "--columns", "100"];
    let bytes = |masks: &[&str]| {
        let answer = json(prove(&[&claim[..], masks, &["--json"]].concat()));
        answer["proof_bytes"].as_u64().expect("a number")
    };
    let wide = bytes(&[]);
    let mixed = bytes(&["--masks", "mixed", "--proofs", "3"]);
    assert!(100 * mixed < 85 * wide, "{mixed} {wide}");
    let said = ok(example("verify", &["--statement", "s", "--proof", "p"], dir));
    assert!(said.contains("rows 0 to 19 in [0, 1]"), "{said}");
    assert!(said.contains("its columns are in at most 4 proofs"), "{said}");
    assert!(said.contains("in so many proofs alone (computational)"), "{said}");
    assert!(refused(&prove(&["--masks", "mixed"])).contains("--masks: only with --exact"));
    assert!(refused(&prove(&[&claim[..], &["--proofs", "4"]].concat())).contains("--masks"));
    let narrow = refused(&prove(&[&claim[..], &["--masks", "narrow"]].concat()));
    assert!(narrow.contains("mixed masks"), "{narrow}");
    let estimate = refused(&example("estimate", &["--masks", "narrow"], dir));
    assert!(estimate.contains("--masks: only with --optimise"), "{estimate}");
}

/// Gaussian messages and their norm, beside trits: random ones and messages of a file; a column
/// that is longer, widths that are not bytes, and options of other parameters are refused.
#[test]
fn messages_proved_to_be_short() {
    let dir = &Folder::new();
    let files = ["--columns", "300", "--statement", "s", "--proof", "p", "--seed", SEED];
    let prove = |options: &[&str]| dir.run("prove", &[&files, options]);
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
    let proof = &json(dir.run("verify", &[&verify, &["--json"]]))["proofs"][0];
    assert_eq!((&proof["exact"], &proof["norms"]), (&true.into(), &answer["norms"]));

    // The equation holds of the witness, whose entries are as wide as they should be.
    let v = answer["v"].as_u64().expect("a number") as usize;
    let witness = dir.read("w");
    let mut messages = Vec::new();
    let mut squares = 0;
    let closed = answer["l"].as_u64().expect("a number") as usize - 300;
    for column in witness.chunks_exact(v).skip(closed) {
        let entry = |row: usize| i64::from(column[row].cast_signed());
        let square: i64 = (20..60).map(|row| entry(row).pow(2)).sum();
        let rest: i64 = (0..bits).map(|d| entry(60 + d) << d).sum();
        assert_eq!(square + rest, bound as i64);
        squares += square;
        messages.extend_from_slice(&column[..60]);
    }
    let variance = squares as f64 / (40.0 * 300.0);
    assert!((9.7..10.8).contains(&variance), "{variance}");
    let statement = dir.read("s");
    dir.write("m", &messages);
    let again = [&claim[..], &["--witness", "m"]].concat();
    ok(prove(&again));
    assert!(dir.read("s") == statement, "the same messages");

    messages[60 * 7 + 20..60 * 8].fill(7);
    dir.write("m", &messages);
    assert!(refused(&prove(&again)).contains("longer than its bound"));
    messages[60 * 7 + 20..60 * 8].fill(0);
    messages[60 * 7 + 20] = 33;
    dir.write("m", &messages);
    assert!(refused(&prove(&again)).contains("exceeds the bound b = 32"));
    messages.pop();
    dir.write("m", &messages);
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
    let dir = &Folder::new();
    let prove = |options: &[&str]| {
        let all = ["--preset", "N1-128", "--columns", "128", "--seed", SEED];
        let files = ["--statement", "s", "--proof", "p"];
        dir.run("prove", &[&all, &files, options])
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
    let witness = dir.read("w");
    let columns = witness.chunks_exact(v).skip(witness.len() / v - 128);
    let mut errors: Vec<u8> = columns.flat_map(|column| &column[..1024]).copied().collect();
    let statement = dir.read("s");
    dir.write("m", &errors);
    ok(prove(&["--witness", "m"]));
    assert!(dir.read("s") == statement, "the same messages");
    errors[1024 * 7..1024 * 8].fill(4);
    dir.write("m", &errors);
    assert!(refused(&prove(&["--witness", "m"])).contains("longer than its bound"));
    let both = ["--preset", "N1-128", "--norm", "20:3.2", "--statement", "s", "--proof", "p"];
    assert!(refused(&example("prove", &both, dir)).contains("--preset"));
}
