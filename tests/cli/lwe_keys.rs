//! LWE keys that a program of another language made (tests/fixtures/lwe/generate.py, in Python's
//! integers), and keys with Gaussian errors: proved, verified, and refused where anything differs.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tautochrone_testkit::examples::{code, json, ok, refused, run};

use crate::folder::Folder;

/// Dimensions of the fixture: far too small to be secure.
const SECRETS: usize = 40;
const ERRORS: usize = 24;
const KEYS: usize = 12;
/// Bytes of an integer below 2^30.
const WIDTH: usize = 4;

const NAMES: [&str; 4] = ["params.json", "matrix.bin", "witness.bin", "keys.bin"];
const FILES: [&str; 4] = ["--statement", "s", "--proof", "p"];

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

/// `lwe_keys` on the files of the fixture.
fn register(directory: &Path, more: &[&str]) -> Output {
    let inputs =
        ["--params", NAMES[0], "--matrix", NAMES[1], "--witness", NAMES[2], "--owner", "bob"];
    run("lwe_keys", &[&inputs[..], &FILES, &["--insecure"], more].concat(), directory)
}

const COMPARED: [&str; 2] = ["--public-keys", NAMES[3]];

/// Asserts that `lwe_keys` refuses, that the line says why, and that nothing was written.
fn rejected(directory: &Path, more: &[&str], why: &str) {
    let line = refused(&register(directory, more));
    assert!(line.contains(why), "{line}");
    assert!(!directory.join("s").exists() && !directory.join("p").exists(), "{line}");
}

#[test]
fn keys_of_another_program_are_proved_and_verified() {
    let dir = &fixture();
    let text = ok(register(dir, &COMPARED));
    assert!(text.contains("keys     12: 24 words each, those of keys.bin"), "{text}");
    assert!(text.contains("A' s' + e' = t mod 2^30 exactly and ||(s', e')|| <= 2 B = 2^19.6"));
    assert!(text.contains("that LWE and SIS are hard for it"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix("again    ")).expect("a line");
    assert_eq!(
        line,
        "verify --statement s --proof p --matrix matrix.bin --public-keys keys.bin --context \
         'registration of keys: bob' --insecure"
    );
    let answer = json(register(dir, &[&COMPARED[..], &["--json"]].concat()));
    assert_eq!((&answer["given_matrix"], &answer["given_keys"]), (&true.into(), &true.into()));

    let base = [&FILES[..], &["--insecure", "--context", "registration of keys: bob", "--matrix"]]
        .concat();
    let verify = |more: &[&str]| dir.run("verify", &[&base, more]);
    let text = ok(verify(&[&["matrix.bin"], &COMPARED[..]].concat()));
    assert!(text.starts_with("valid, but the parameters are insecure\n"), "{text}");
    assert!(text.contains("matrix      given: that LWE and SIS are hard for it is your claim"));
    assert!(
        text.contains("shown       of a valid proof: A s' = t mod 2^30 and ||s'|| <= 2 B = 2^19.6")
    );
    assert_eq!(json(verify(&["matrix.bin", "--json"]))["given_matrix"], true);
    // Another name, another key, another matrix.
    let other = [&FILES[..], &["--insecure", "--context", "x", "--matrix", "matrix.bin"]].concat();
    assert_eq!(code(&run("verify", &other, dir)), 1);
    let mut keys = dir.read("keys.bin");
    keys[(7 * ERRORS + 23) * WIDTH] ^= 1;
    dir.write("other.bin", &keys);
    let line = refused(&verify(&["matrix.bin", "--public-keys", "other.bin"]));
    assert_eq!(line, "error: other.bin: key 7 is not column 7 of T: they differ in row 23");
    let mut matrix = dir.read("matrix.bin");
    matrix[0] ^= 1;
    dir.write("other.bin", &matrix);
    let line = refused(&verify(&["other.bin"]));
    assert!(line.contains("other.bin: the matrix A belongs to another statement"), "{line}");
}

#[test]
fn a_changed_key_is_named() {
    for (key, row) in [(0, 0), (3, 5), (KEYS - 1, ERRORS - 1)] {
        let directory = fixture();
        let mut keys = directory.read("keys.bin");
        keys[(key * ERRORS + row) * WIDTH + 2] ^= 4;
        directory.write("keys.bin", &keys);
        let why = format!("keys.bin: key {key} is not column {key} of T: they differ in row {row}");
        rejected(&directory, &COMPARED, &why);
    }
}

/// The first key with another product is the first whose secret has that entry.
#[test]
fn a_changed_matrix_is_noticed() {
    let dir = &fixture();
    let (row, column) = (11, 17);
    let mut matrix = dir.read("matrix.bin");
    matrix[(row * SECRETS + column) * WIDTH] ^= 1;
    dir.write("matrix.bin", &matrix);
    let witness = dir.read("witness.bin");
    let key = (0..KEYS).find(|key| witness[key * (SECRETS + ERRORS) + column] != 0);
    let key = key.expect("ternary secrets have entries");
    let why = format!("key {key} is not column {key} of T: they differ in row {row}");
    rejected(dir, &COMPARED, &why);
    // 2^30 and more is no entry.
    matrix[(row * SECRETS + column) * WIDTH + 3] |= 0x40;
    dir.write("matrix.bin", &matrix);
    rejected(dir, &COMPARED, "matrix.bin: entry at row 11, column 17 of the given A' is 2^30");
}

/// A changed secret is noticed by the keys, and only by them: there are keys for every secret.
#[test]
fn a_changed_secret_makes_other_keys() {
    let dir = &fixture();
    let mut witness = dir.read("witness.bin");
    // An entry of the fourth error, which stands in one row alone.
    let entry = &mut witness[3 * (SECRETS + ERRORS) + SECRETS + 9];
    *entry = entry.wrapping_sub(1);
    dir.write("witness.bin", &witness);
    rejected(dir, &COMPARED, "keys.bin: key 3 is not column 3 of T: they differ in row 9");
    ok(register(dir, &[]));
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
            let line = refused(&register(dir, &COMPARED));
            let hint = format!("expected {expected}");
            assert!(line.contains(name) && line.contains(&hint) && line.contains(what), "{line}");
            assert!(!dir.join("s").exists() && !dir.join("p").exists());
        }
        std::fs::remove_file(dir.join(name)).expect("ours");
        rejected(dir, &COMPARED, name);
    }
    // The parameters say how much there must be.
    let dir = &fixture();
    rejected(
        dir,
        &[&COMPARED[..], &["--keys", "13"]].concat(),
        "witness has 768 bytes; expected 832",
    );
    let params = String::from_utf8(dir.read("params.json")).expect("UTF-8");
    for end in [0, 1, params.len() / 2, params.len() - 3] {
        dir.write("params.json", &params.as_bytes()[..end]);
        rejected(dir, &COMPARED, "params.json: ");
    }
}

/// No output takes the place of an input; keys to compare with need secrets to make them from.
#[test]
fn files_are_not_confused() {
    let dir = &fixture();
    let before = NAMES.map(|name| dir.read(name));
    for name in NAMES {
        let files = ["--statement", "s", "--proof", name];
        let inputs = ["--params", NAMES[0], "--matrix", NAMES[1], "--witness", NAMES[2]];
        let all = [&inputs[..], &COMPARED, &files, &["--owner", "bob", "--insecure"]].concat();
        assert!(refused(&run("lwe_keys", &all, dir)).contains("both name it"), "{name}");
    }
    assert_eq!(NAMES.map(|name| dir.read(name)), before);
    let args = [&FILES[..], &COMPARED, &["--owner", "bob"]].concat();
    assert!(refused(&run("lwe_keys", &args, dir)).contains("--witness"));
    // Insecure dimensions need a word, on both sides.
    let args = [&FILES[..], &["--params", NAMES[0], "--matrix", NAMES[1], "--owner", "b"]].concat();
    assert!(refused(&run("lwe_keys", &args, dir)).contains("; --insecure goes on"));
    ok(register(dir, &[]));
    let args = [&FILES[..], &["--matrix", NAMES[1]]].concat();
    assert!(refused(&run("verify", &args, dir)).contains("; --insecure goes on"));
}

/// Gaussian errors have a bound, 32, and a norm that honest ones keep to: F^2. Beyond either they
/// are refused, before a file gets its name.
#[test]
fn long_errors_are_refused() {
    let dir = &fixture();
    let honest = dir.read("witness.bin");
    for (entry, key) in [(33_i8, 0), (-33, 5), (127, 11), (-128, 11)] {
        let mut witness = honest.clone();
        witness[key * (SECRETS + ERRORS) + SECRETS + 2] = entry.cast_unsigned();
        dir.write("witness.bin", &witness);
        let why = format!("row {}, column {key} exceeds the bound b = 32", SECRETS + 2);
        rejected(dir, &[], &why);
    }
    // Secrets have a bound of their own.
    let mut witness = honest.clone();
    witness[SECRETS - 1] = 2;
    dir.write("witness.bin", &witness);
    rejected(dir, &[], "row 39, column 0 exceeds the bound b = 1");
    // Every error within its bound, all of them at it.
    let mut witness = honest.clone();
    for column in witness.chunks_exact_mut(SECRETS + ERRORS) {
        column[SECRETS..].fill(32);
    }
    dir.write("witness.bin", &witness);
    rejected(dir, &[], "witness.bin: the witness is longer than its parameters allow: its squared");
    dir.write("witness.bin", &honest);
    ok(register(dir, &[]));
}

/// Keys of full size by our own samplers.
#[test]
fn gaussian_errors_end_to_end() {
    let dir = &Folder::new();
    let args = ["--preset", "G4-128", "--keys", "64", "--owner", "alice", "--json"];
    let answer = json(dir.run("lwe_keys", &[&args, &FILES]));
    assert_eq!((&answer["secret_len"], &answer["error_len"]), (&1552.into(), &1296.into()));
    assert_eq!((&answer["given_matrix"], &answer["given_keys"]), (&false.into(), &false.into()));
    // An honest column: 1552 entries of variance 2/3 and 1296 of variance 10.24, and some leeway.
    let length = (1552.0 * 2.0 / 3.0 + 1296.0 * 10.24_f64).sqrt();
    let stated = answer["honest_length"].as_f64().expect("a number");
    assert!((length..1.04 * length).contains(&stated), "{stated}");
    let shown = answer["log2_shown_length"].as_f64().expect("a number");
    assert!(shown > 17.0, "2^17 is a thousand times as long: relaxed");
    let verify = |context| {
        let output = dir.run("verify", &[&FILES, &["--context", context, "--json"]]);
        (code(&output), serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON"))
    };
    let (code, verdict) = verify("registration of keys: alice");
    assert_eq!((code, &verdict["valid"]), (0, &true.into()));
    let assumed = "all rows of S are secret and distributed as the statement says";
    assert_eq!(verdict["hiding_assumes"], assumed);
    assert_eq!(verdict["log2_shown_length"], answer["log2_shown_length"]);
    assert_eq!(verify("registration of keys: bob").0, 1);
    let text = ok(dir.run("lwe_keys", &[&args[..6], &FILES]));
    assert!(text.contains("nor any bound on an entry"), "{text}");
}

/// The committed files are what the generator writes, and secure keys of its own making pass
/// without a waiver.
#[test]
fn the_generator_makes_the_fixture_and_secure_keys() {
    let dir = &Folder::new();
    let generate = |args: &[&str]| {
        let mut python = Command::new("python3");
        python.arg(fixtures().join("generate.py")).args(args).current_dir(dir);
        ok(python.output().expect("python3"));
    };
    let small = ["small", "--keys", "12", "--rows", "24", "--secrets", "40", "--w", "30"];
    generate(&[&small[..], &["--seed", "tautochrone fixture"]].concat());
    for name in NAMES {
        let committed = std::fs::read(fixtures().join("small").join(name)).expect("a file");
        assert_eq!(dir.read(Path::new("small").join(name)), committed, "{name}");
    }
    // Other widths go through parameters: an entry beyond the bound of 3.2 is not beyond the one of
    // 9.
    let wide = ["wide", "--keys", "12", "--rows", "24", "--secrets", "40", "--sigma", "9"];
    generate(&[&wide[..], &["--bound", "80", "--seed", "wide"]].concat());
    let errors = dir.read("wide/witness.bin");
    assert!(errors.iter().any(|&e| e.cast_signed().unsigned_abs() > 20), "wider than 3.2");
    ok(register(&dir.join("wide"), &COMPARED));
    // Errors of more than a byte are in files of two bytes an entry.
    let wide = ["wider", "--keys", "12", "--rows", "24", "--secrets", "40", "--sigma", "100"];
    generate(&[&wide[..], &["--bound", "1000", "--w", "40", "--seed", "wider"]].concat());
    let witness = dir.read("wider/witness.bin");
    assert_eq!(witness.len(), 2 * KEYS * (SECRETS + ERRORS));
    let entries = witness.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes));
    assert!(entries.map(i16::unsigned_abs).max() > Some(200));
    ok(register(&dir.join("wider"), &COMPARED));

    generate(&["large", "--keys", "4", "--seed", "large"]);
    let large = dir.join("large");
    let errors: Vec<f64> = dir
        .read("large/witness.bin")
        .chunks_exact(1552 + 1296)
        .flat_map(|key| key[1552..].iter().map(|&e| f64::from(e.cast_signed())))
        .collect();
    let variance = errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64;
    // Five standard deviations of the estimate.
    let deviation = 10.24 * (2.0 / errors.len() as f64).sqrt();
    assert!((variance - 10.24).abs() < 5.0 * deviation, "{variance}");
    let args = ["--params", NAMES[0], "--matrix", NAMES[1], "--witness", NAMES[2], "--owner", "b"];
    ok(run("lwe_keys", &[&args[..], &COMPARED, &FILES].concat(), &large));
    let args = ["--matrix", NAMES[1], "--context", "registration of keys: b"];
    ok(run("verify", &[&args[..], &COMPARED, &FILES].concat(), &large));
    assert_eq!(code(&run("verify", &[&args[..2], &FILES].concat(), &large)), 1);
}

/// Keys that are proved to be well formed, exactly: the reports of both programs, in text and JSON;
/// keys that are not; a proof of the other kind; hints that the parameters do not stand.
#[test]
fn keys_are_proved_to_be_well_formed() {
    let dir = &Folder::new();
    let make =
        |more: &[&str]| dir.run("lwe_keys", &[&["--owner", "carol", "--keys", "20"], &FILES, more]);
    let text = ok(make(&["--exact"]));
    let shown = "secrets in [-1, 1], errors in [-1, 1]";
    assert!(text.contains("shown    every key is well formed, exactly"), "{text}");
    assert!(text.contains(shown) && text.contains("if LWE is hard with 1 hint a key known"));
    assert!(!text.contains("nor any bound on an entry"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix("again    ")).expect("a line");
    let expected = "verify --statement s --proof p --context 'registration of keys: carol' \
                    --require exact-keys:1:1";
    assert_eq!(line, expected);
    let base = [&FILES[..], &["--context", "registration of keys: carol"]].concat();
    let text = ok(run("verify", &base, dir));
    assert!(
        text.starts_with(&format!("valid, exact: every key is well formed, {shown}; hiding 128."))
    );
    let answer = json(dir.run("verify", &[&base, &["--json"]]));
    let proof = &answer["proofs"][0];
    assert_eq!((&proof["exact"], &proof["hints"]), (&true.into(), &1.into()), "{answer}");
    assert_eq!((&proof["secret_bound"], &proof["error_bound"]), (&1.into(), &1.into()));
    // The requirement of a reader: as much, less, and more.
    let verify = |more: &[&str]| dir.run("verify", &[&base, more]);
    ok(verify(&["--require", "exact-keys:1:1", "--require", "exact-keys:8:2"]));
    for required in ["range:8:-1:1", "norm:1:100"] {
        let less = verify(&["--require", "exact-keys:1:1", "--require", required]);
        let text = String::from_utf8_lossy(&less.stdout);
        let expected =
            format!("not enough: a valid proof, but it does not show {required}, but that");
        assert!(code(&less) == 1 && text.starts_with(&expected), "{text}");
    }
    let line = refused(&verify(&["--require", "exact-keys:1"]));
    assert!(line.contains("expected exact-keys:S:E, range:"), "{line}");
    // Another context; and a bit of T, of a hint, of Z.
    assert_eq!(code(&run("verify", &FILES, dir)), 1);
    let honest = dir.read("p");
    for at in [100, honest.len() / 2, honest.len() - 1] {
        let mut altered = honest.clone();
        altered[at] ^= 1;
        dir.write("p", &altered);
        assert_eq!(code(&run("verify", &base, dir)), 1, "byte {at}");
    }
    // More hints than these parameters are secure with.
    let mut altered = honest;
    altered[64] = 8;
    dir.write("p", &altered);
    let line = refused(&run("verify", &base, dir));
    assert!(line.contains("LWE with modular hints"), "{line}");
    // Two batches.
    let answer = json(make(&["--exact", "--hints", "2", "--json"]));
    assert_eq!(answer["exact"]["hints"], 2, "{answer}");
    let bits = |name: &str| answer["exact"][name].as_f64().expect("a number");
    assert!(bits("hiding_bits_with_hints") >= 128.0 && bits("binding_bits") >= 128.0);
    assert!(bits("hiding_bits") > bits("hiding_bits_with_hints"));
    assert_eq!(json(make(&["--json"]))["exact"], serde_json::Value::Null);
    assert_eq!(json(dir.run("verify", &[&base, &["--json"]]))["proofs"][0]["exact"], false);
    // Bounds that are too large; keys of another program, one of which is not ternary.
    let line = refused(&make(&["--exact", "--preset", "G4-128"]));
    assert!(line.contains("bound on errors"), "{line}");
    assert_eq!(code(&make(&["--hints", "2"])), 2);
    assert_eq!(code(&make(&["--exact", "--hints", "9"])), 2);
}

/// A plain proof passes for what a reader asked its maker for, unless the reader asks `verify`.
#[test]
fn a_plain_proof_is_not_enough_for_exact_keys() {
    let dir = &Folder::new();
    ok(dir.run("lwe_keys", &[&["--owner", "dan", "--keys", "20"], &FILES]));
    let base = [&FILES[..], &["--context", "registration of keys: dan"]].concat();
    assert!(ok(run("verify", &base, dir)).starts_with("valid\n"));
    let required = [&base[..], &["--require", "exact-keys:1:1", "--json"]].concat();
    let less = run("verify", &required, dir);
    let answer: serde_json::Value = serde_json::from_slice(&less.stdout).expect("JSON");
    assert_eq!((code(&less), &answer["valid"]), (1, &false.into()), "{answer}");
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
    dir.write("params.json", params.as_bytes());
    let make = |more: &[&str]| {
        let args = ["--params", "params.json", "--owner", "eve"];
        dir.run("lwe_keys", &[&args, &FILES, more])
    };
    let line = refused(&make(&["--exact"]));
    assert!(line.contains("2^111.5") && line.contains("--insecure goes on"), "{line}");
    ok(make(&["--exact", "--insecure"]));
    let base = [&FILES[..], &["--context", "registration of keys: eve"]].concat();
    let verify = |more: &[&str]| dir.run("verify", &[&base, more]);
    assert!(refused(&verify(&[])).contains("2^111.5"));
    let text = ok(verify(&["--insecure"]));
    assert!(text.starts_with("valid, but the parameters are insecure, exact: every key"), "{text}");
    assert!(text.contains("security    binding 111.5 bits"), "{text}");
    let answer = json(verify(&["--insecure", "--json"]));
    let proof = &answer["proofs"][0];
    for secure in [&answer["secure_parameters"], &proof["secure_parameters"]] {
        assert_eq!(secure, &false, "{answer}");
    }
    assert_eq!(answer["sis_bits"], proof["binding_bits"]);
    assert_eq!(answer["hiding_bits"], proof["hiding_bits_with_hints"]);
    // A plain proof of the same keys rests on the statement's parameters alone.
    ok(make(&[]));
    assert!(ok(verify(&["--insecure"])).starts_with("valid\n"));
    assert_eq!(json(verify(&["--insecure", "--json"]))["secure_parameters"], true);
}

/// The fixture's errors are Gaussian, with a bound that ranges do not reach.
#[test]
fn gaussian_errors_are_beyond_exact_ranges() {
    rejected(&fixture(), &["--exact"], "bound on errors");
}

/// Keys are registered for an owner, and a proof that was copied is not valid for another.
#[test]
fn keys_are_registered_for_an_owner() {
    let dir = &Folder::new();
    let args = ["--keys", "40", "--owner", "alice", "--statement", "s", "--proof", "p", "--json"];
    let answer = json(run("lwe_keys", &args, dir));
    assert_eq!((&answer["keys"], &answer["valid"]), (&40.into(), &true.into()));
    assert_eq!(
        answer["verify"],
        "verify --statement s --proof p --context 'registration of keys: alice'"
    );

    // Ordinary files: `verify` reads them, in the right context only.
    let verify = |context| {
        let args = ["--statement", "s", "--proof", "p", "--context", context];
        code(&run("verify", &args, dir))
    };
    assert_eq!(verify("registration of keys: alice"), 0);
    assert_eq!(verify("registration of keys: bob"), 1);
    assert_eq!(verify("something else"), 1);

    let none = ["--keys", "0", "--owner", "alice", "--statement", "s", "--proof", "p"];
    refused(&run("lwe_keys", &none, dir));
    let nobody = ["--keys", "4", "--statement", "s", "--proof", "p"];
    assert!(refused(&run("lwe_keys", &nobody, dir)).contains("--owner"));
}
