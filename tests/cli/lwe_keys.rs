//! LWE keys that a program of another language made (tests/fixtures/lwe/generate.py, in Python's
//! integers), and keys with Gaussian errors: proved, verified, and refused where anything differs.

use std::path::{Path, PathBuf};
use std::process::Command;

use tautochrone_testkit::examples::{code, ok};

use crate::folder::Folder;

/// Dimensions of the fixture: far too small to be secure.
const SECRETS: usize = 40;
const ERRORS: usize = 24;
const KEYS: usize = 12;
/// Bytes of an integer below 2^30.
const WIDTH: usize = 4;

const NAMES: [&str; 4] = ["params.json", "matrix.bin", "witness.bin", "keys.bin"];
const FILES: &str = "--statement s --proof p";

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lwe")
}

/// A directory with the fixture in it.
fn fixture() -> Folder {
    let directory = Folder::new();
    for name in NAMES {
        std::fs::copy(fixtures().join("small").join(name), directory.join(name))
            .expect("a file of the fixture");
    }
    directory
}

/// The files of the fixture that `prove` reads.
const INPUTS: &str = "--params params.json --matrix matrix.bin --witness witness.bin";
const COMPARED: &str = "--public-keys keys.bin";

/// The line of `prove` on the files of the fixture.
fn register(more: &str) -> String {
    format!("{} --insecure {INPUTS} {more}", prove("bob"))
}

/// A line of `prove` for the keys of an owner.
fn prove(owner: &str) -> String {
    format!("prove --whole {FILES} --context 'registration of keys: {owner}'")
}

/// Asserts that `prove` refuses, that the line says why, and that nothing was written.
#[track_caller]
fn rejected(dir: &Folder, more: &str, why: &str) {
    let line = dir.refuses(register(more), why);
    assert!(!dir.join("s").exists() && !dir.join("p").exists(), "{line}");
}

/// A line of `verify` for the keys of an owner.
fn verify(owner: &str) -> String {
    format!("verify {FILES} --context 'registration of keys: {owner}'")
}

#[test]
fn keys_of_another_program_are_proved_and_verified() {
    let dir = &fixture();
    let text = dir.ok(register(COMPARED));
    assert!(text.contains("keys        compared with keys.bin"), "{text}");
    assert!(text.contains("and A', which was given, is as good as random"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix("to check    ")).expect("a line");
    assert_eq!(
        line,
        "verify --statement s --proof p --matrix matrix.bin --public-keys keys.bin --context \
         'registration of keys: bob' --insecure"
    );
    let answer = dir.json(register(COMPARED));
    assert_eq!((&answer["given_matrix"], &answer["given_keys"]), (&true.into(), &true.into()));

    let text = dir.ok(line);
    assert!(text.starts_with("valid, but the parameters are insecure\n"), "{text}");
    assert!(text.contains("matrix      given: that LWE and SIS are hard for it is your claim"));
    assert!(
        text.contains("shown       of a valid proof: A s' = t mod 2^30 and ||s'|| <= 2 B = 2^19.6")
    );
    assert_eq!(dir.json(line)["given_matrix"], true);
    // Another name, another key, another matrix.
    assert_eq!(dir.code(line.replace("bob", "x")), 1);
    let mut keys = dir.read("keys.bin");
    keys[(7 * ERRORS + 23) * WIDTH] ^= 1;
    dir.write("other.bin", &keys);
    dir.refuses(
        line.replace("keys.bin", "other.bin"),
        "error: other.bin: key 7 is not column 7 of T: they differ in row 23",
    );
    let mut matrix = dir.read("matrix.bin");
    matrix[0] ^= 1;
    dir.write("other.bin", &matrix);
    dir.refuses(
        line.replace("matrix.bin", "other.bin"),
        "other.bin: the matrix A belongs to another statement",
    );
}

/// A changed byte is noticed where it is: in a key; in A', by the first key whose secret has the
/// entry; in an error, which stands in one row alone; and by bounds of 32 and of 1.
#[test]
fn a_changed_byte_is_noticed() {
    const COLUMN: usize = SECRETS + ERRORS;
    let dir = &fixture();
    let (row, column) = (11, 17);
    let witness = dir.read("witness.bin");
    let first = (0..KEYS).find(|key| witness[key * COLUMN + column] != 0).expect("not only zeros");
    let other_key =
        |key, row| format!("key {key} is not column {key} of T: they differ in row {row}");
    let flipped = |name, at: usize, bit| (name, at, dir.read(name)[at] ^ bit);
    let of_key = |key, row| flipped("keys.bin", (key * ERRORS + row) * WIDTH + 2, 4);
    let entry = (row * SECRETS + column) * WIDTH;
    let error =
        |key, row, value: i8| ("witness.bin", key * COLUMN + SECRETS + row, value.cast_unsigned());
    let too_long = |key| format!("row {}, column {key} exceeds the bound b = 32", SECRETS + 2);
    let fourth = witness[3 * COLUMN + SECRETS + 9].cast_signed().wrapping_sub(1);
    for ((name, at, byte), why) in [
        (of_key(0, 0), other_key(0, 0)),
        (of_key(3, 5), other_key(3, 5)),
        (of_key(KEYS - 1, ERRORS - 1), other_key(KEYS - 1, ERRORS - 1)),
        (flipped("matrix.bin", entry, 1), other_key(first, row)),
        (
            flipped("matrix.bin", entry + 3, 0x40),
            "row 11, column 17 of the given A' is 2^30".to_owned(),
        ),
        (error(3, 9, fourth), other_key(3, 9)),
        (error(0, 2, 33), too_long(0)),
        (error(5, 2, -33), too_long(5)),
        (error(11, 2, 127), too_long(11)),
        (error(11, 2, -128), too_long(11)),
        (("witness.bin", SECRETS - 1, 2), "row 39, column 0 exceeds the bound b = 1".to_owned()),
    ] {
        let whole = dir.read(name);
        let mut changed = whole.clone();
        changed[at] = byte;
        dir.write(name, changed);
        rejected(dir, COMPARED, &why);
        dir.write(name, whole);
    }
}

/// There are keys for every secret: nothing but the keys shows that one was changed.
#[test]
fn a_changed_secret_makes_other_keys() {
    let dir = &fixture();
    let mut witness = dir.read("witness.bin");
    let entry = &mut witness[3 * (SECRETS + ERRORS) + SECRETS + 9];
    *entry = entry.wrapping_sub(1);
    dir.write("witness.bin", &witness);
    dir.ok(register(""));
}

#[test]
fn files_of_another_length_are_refused() {
    let sizes = [("matrix.bin", 3840, "A'"), ("witness.bin", 768, "v * l"), ("keys.bin", 1152, "")];
    for (name, expected, what) in sizes {
        let dir = &fixture();
        let whole = dir.read(name);
        assert_eq!(whole.len(), expected);
        let longer = [&whole[..], &[0]].concat();
        for bytes in [&whole[..expected - 1], &whole[..expected / 2], &[], &longer] {
            dir.write(name, bytes);
            let line = dir.refuses(register(COMPARED), &format!("expected {expected}"));
            assert!(line.contains(name) && line.contains(what), "{line}");
            assert!(!dir.join("s").exists() && !dir.join("p").exists());
        }
        dir.remove(name);
        rejected(dir, COMPARED, name);
    }
    // The parameters say how much there must be.
    let dir = &fixture();
    rejected(dir, "--columns 13", "witness has 768 bytes; expected 832");
    let params = dir.text("params.json");
    for end in [0, 1, params.len() / 2, params.len() - 3] {
        dir.write("params.json", &params[..end]);
        rejected(dir, COMPARED, "params.json: ");
    }
}

/// Keys to compare with need secrets to make them from.
#[test]
fn flags_that_others_need_are_asked_for() {
    let dir = &fixture();
    dir.refuses(format!("{} {COMPARED}", prove("bob")), "--witness");
    // Insecure dimensions need a word, on both sides.
    dir.refuses(register("").replace("--insecure", ""), "; --insecure goes on");
    dir.ok(register(""));
    dir.refuses(format!("verify {FILES} --matrix matrix.bin"), "; --insecure goes on");
}

/// Gaussian errors have a norm that honest ones keep to, F^2. Beyond it they are refused, be each
/// within its bound, before a file gets its name.
#[test]
fn long_errors_are_refused() {
    let dir = &fixture();
    let mut witness = dir.read("witness.bin");
    for column in witness.chunks_exact_mut(SECRETS + ERRORS) {
        column[SECRETS..].fill(32);
    }
    dir.write("witness.bin", &witness);
    rejected(dir, "", "witness.bin: the witness is longer than its parameters allow: its squared");
}

/// Keys of full size by our own samplers.
#[test]
fn gaussian_errors_end_to_end() {
    let dir = &Folder::new();
    let answer = dir.json(format!("{} --preset G4-128 --columns 64", prove("alice")));
    assert_eq!((&answer["v"], &answer["r"]), (&2848.into(), &1296.into()));
    assert_eq!((&answer["given_matrix"], &answer["given_keys"]), (&false.into(), &false.into()));
    let (code, verdict) = dir.verdict(verify("alice"));
    assert_eq!((code, &verdict["valid"]), (0, &true.into()));
    let assumed = "all rows of S are secret and distributed as the statement says";
    assert_eq!(verdict["hiding_assumes"], assumed);
    // Honest keys have a length of sqrt(1552 * 2/3 + 1296 * 10.24) = 120.
    let shown = verdict["log2_shown_length"].as_f64().expect("a number");
    assert!(shown > 17.0, "2^17 is a thousand times as long: relaxed");
    assert_eq!(dir.code(verify("bob")), 1);
}

/// The committed files are what the generator writes, and secure keys of its own making pass
/// without a waiver.
#[test]
fn the_generator_makes_the_fixture_and_secure_keys() {
    let dir = &Folder::new();
    let generate = |line: &str, seed: &str| {
        let mut python = Command::new("python3");
        python.arg(fixtures().join("generate.py")).args(line.split(' ')).args(["--seed", seed]);
        ok(python.current_dir(dir).output().expect("python3"));
    };
    let shape = "--keys 12 --rows 24 --secrets 40";
    generate(&format!("small {shape} --w 30"), "tautochrone fixture");
    for name in NAMES {
        let committed = std::fs::read(fixtures().join("small").join(name)).expect("a file");
        assert_eq!(dir.read(Path::new("small").join(name)), committed, "{name}");
    }
    // Other widths go through parameters: an entry beyond the bound of 3.2 is not beyond the one of
    // 9.
    generate(&format!("wide {shape} --sigma 9 --bound 80"), "wide");
    let errors = dir.read("wide/witness.bin");
    assert!(errors.iter().any(|&e| e.cast_signed().unsigned_abs() > 20), "wider than 3.2");
    // The line with the files of a folder.
    let of = |folder: &str, line: String| {
        let moved = |line: String, name: &&str| {
            line.replace(&format!(" {name}"), &format!(" {folder}/{name}"))
        };
        NAMES.iter().fold(line, moved)
    };
    dir.ok(of("wide", register(COMPARED)));
    // Errors of more than a byte are in files of two bytes an entry.
    generate(&format!("wider {shape} --sigma 100 --bound 1000 --w 40"), "wider");
    let witness = dir.read("wider/witness.bin");
    assert_eq!(witness.len(), 2 * KEYS * (SECRETS + ERRORS));
    let entries = witness.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes));
    assert!(entries.map(i16::unsigned_abs).max() > Some(200));
    dir.ok(of("wider", register(COMPARED)));

    generate("large --keys 4", "large");
    let errors: Vec<f64> = dir
        .read("large/witness.bin")
        .chunks_exact(1552 + 1296)
        .flat_map(|key| key[1552..].iter().map(|&e| f64::from(e.cast_signed())))
        .collect();
    let variance = errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64;
    // Five standard deviations of the estimate.
    let deviation = 10.24 * (2.0 / errors.len() as f64).sqrt();
    assert!((variance - 10.24).abs() < 5.0 * deviation, "{variance}");
    dir.ok(of("large", register(COMPARED).replace("--insecure", "")));
    let line = of("large", format!("{} --matrix matrix.bin {COMPARED}", verify("bob")));
    dir.ok(&line);
    assert_eq!(dir.code(line.replace("bob", "b")), 1);
}

/// Keys that are proved to be well formed, exactly: the reports of both programs, in text and JSON;
/// keys that are not; a proof of the other kind; hints that the parameters do not stand.
#[test]
fn keys_are_proved_to_be_well_formed() {
    let dir = &Folder::new();
    let make = |more: &str| format!("{} --columns 20 {more}", prove("carol"));
    let text = dir.ok(make("--exact-keys --check"));
    let shown = "every column is a key with secrets in [-1, 1] and errors in [-1, 1]";
    assert!(text.contains(&format!("exact       {shown}\n")), "{text}");
    assert!(text.contains("if LWE is hard with 1 hint a key known"), "{text}");
    assert!(text.contains("reveals     T and hints about every key"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix("to check    ")).expect("a line");
    let expected = "verify --statement s --proof p --context 'registration of keys: carol' \
                    --require exact-keys:1:1";
    assert_eq!(line, expected);
    let base = &verify("carol");
    let text = dir.ok(base);
    assert!(text.starts_with(&format!("valid, exact: {shown}; hiding 128.")), "{text}");
    let answer = dir.json(base);
    let proof = &answer["proofs"][0];
    assert_eq!((&proof["exact"], &proof["hints"]), (&true.into(), &1.into()), "{answer}");
    assert_eq!((&proof["secret_bound"], &proof["error_bound"]), (&1.into(), &1.into()));
    // The requirement of a reader: as much, less, and more.
    dir.ok(format!("{base} --require exact-keys:1:1 --require exact-keys:8:2"));
    for required in ["range:8:-1:1", "norm:1:100"] {
        let less = dir.output(format!("{base} --require exact-keys:1:1 --require {required}"));
        let text = String::from_utf8_lossy(&less.stdout);
        let expected =
            format!("not enough: a valid proof, but it does not show {required}, but that");
        assert!(code(&less) == 1 && text.starts_with(&expected), "{text}");
    }
    dir.refuses(format!("{base} --require exact-keys:1"), "expected exact-keys:S:E, range:");
    // Another context; and a bit of T, of a hint, of Z.
    assert_eq!(dir.code(format!("verify {FILES}")), 1);
    let honest = dir.read("p");
    for at in [100, honest.len() / 2, honest.len() - 1] {
        let mut altered = honest.clone();
        altered[at] ^= 1;
        dir.write("p", &altered);
        assert_eq!(dir.code(base), 1, "byte {at}");
    }
    // More hints than these parameters are secure with.
    let mut altered = honest;
    altered[64] = 8;
    dir.write("p", &altered);
    dir.refuses(base, "LWE with modular hints");
    // Two batches.
    let answer = dir.json(make("--exact-keys --hints 2"));
    let keys = &answer["keys"];
    assert_eq!((&keys["hints"], &answer["exact"]), (&2.into(), &true.into()), "{answer}");
    let bits = |name: &str| keys[name].as_f64().expect("a number");
    assert!(bits("hiding_bits_with_hints") >= 128.0 && bits("binding_bits") >= 128.0);
    assert_eq!(answer["hiding_bits"], keys["hiding_bits_with_hints"]);
    let plain = dir.json(make(""));
    assert_eq!((&plain["exact"], &plain["keys"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!(dir.json(base)["proofs"][0]["exact"], false);
    // Bounds that are too large; keys of another program, one of which is not ternary.
    dir.refuses(make("--exact-keys --preset G4-128"), "bound on errors");
    dir.refuses(make("--hints 2"), "--exact-keys");
    dir.refuses(make("--exact-keys --hints 9"), "--hints");
    dir.refuses(make("--exact-keys --exact 20:0:1"), "--exact");
}

/// A plain proof passes for what a reader asked its maker for, unless the reader asks `verify`.
#[test]
fn a_plain_proof_is_not_enough_for_exact_keys() {
    let dir = &Folder::new();
    dir.ok(format!("{} --columns 20", prove("dan")));
    assert!(dir.ok(verify("dan")).starts_with("valid\n"));
    let (code, answer) = dir.verdict(format!("{} --require exact-keys:1:1", verify("dan")));
    assert_eq!((code, &answer["valid"]), (1, &false.into()), "{answer}");
    let proof = &answer["proofs"][0];
    assert_eq!((&proof["valid"], &proof["exact"]), (&false.into(), &false.into()), "{answer}");
    assert_eq!(proof["unmet"], serde_json::json!(["exact-keys:1:1"]));
    let reason = "a valid proof, but it does not show exact-keys:1:1";
    assert_eq!(proof["reason"], reason);
    assert_eq!(answer["reason"], format!("p: not enough: {reason}"));
}

/// Parameters that are secure for keys, but not with the dummy columns of a proof about them.
#[test]
fn waived_security_of_keys_is_reported() {
    let dir = &Folder::new();
    let params = r#"{ "w": 29, "r": 892, "v": 2392, "l": 16, "b": 1, "round_t": 0 }"#;
    dir.write("params.json", params);
    let make = format!("{} --params params.json", prove("eve"));
    let line = dir.refuses(format!("{make} --exact-keys"), "--insecure goes on");
    assert!(line.contains("2^111.5"), "{line}");
    let text = dir.ok(format!("{make} --exact-keys --insecure"));
    assert!(text.contains("reveals     as much as may be: the parameters are insecure"), "{text}");
    dir.refuses(verify("eve"), "2^111.5");
    let waived = &format!("{} --insecure", verify("eve"));
    let text = dir.ok(waived);
    assert!(
        text.starts_with("valid, but the parameters are insecure, exact: every column"),
        "{text}"
    );
    assert!(text.contains("security    binding 111.5 bits"), "{text}");
    let answer = dir.json(waived);
    let proof = &answer["proofs"][0];
    for secure in [&answer["secure_parameters"], &proof["secure_parameters"]] {
        assert_eq!(secure, &false, "{answer}");
    }
    assert_eq!(answer["sis_bits"], proof["binding_bits"]);
    assert_eq!(answer["hiding_bits"], proof["hiding_bits_with_hints"]);
    // A plain proof of the same keys rests on the statement's parameters alone.
    dir.ok(make);
    assert!(dir.ok(waived).starts_with("valid\n"));
    assert_eq!(dir.json(waived)["secure_parameters"], true);
}
