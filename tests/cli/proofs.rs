//! `prove` and `verify`: their files, and what they refuse.

use std::path::Path;

use tautochrone_testkit::examples::{self, SEED, code, json, run};

use super::programs::{files, refused};

use crate::folder::Folder;

/// A directory with a statement and a proof of 40 columns in it.
fn proved() -> Folder {
    let directory = Folder::new();
    let args =
        ["--preset", "T1-128", "--columns", "40", "--insecure", "--seed", SEED, "--reproducible"];
    let output = run(
        "prove",
        &[&args[..], &["--statement", "s", "--proof", "p", "--check"]].concat(),
        &directory,
    );
    assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    directory
}

#[test]
fn prove_then_verify() {
    let dir = &proved();
    assert_eq!(files(dir), [Path::new("p"), Path::new("s")]);
    assert_eq!(code(&run("verify", &["--statement", "s", "--proof", "p"], dir)), 0);

    let answer = json(run("verify", &["--statement", "s", "--proof", "p", "--json"], dir));
    assert_eq!(answer["valid"], true);

    let other =
        run("verify", &["--statement", "s", "--proof", "p", "--context", "x", "--json"], dir);
    assert_eq!(code(&other), 1);
    let answer: serde_json::Value = serde_json::from_slice(&other.stdout).expect("one JSON object");
    assert_eq!(answer["valid"], false);
    assert!(answer["reason"].as_str().expect("a reason").contains("another statement"));
    assert!(answer["proofs"][0]["hint"].as_str().expect("a hint").contains("--context"));
    let other = run("verify", &["--statement", "s", "--proof", "p", "--context", "x"], dir);
    assert!(String::from_utf8_lossy(&other.stdout).contains("is --context the text"), "a hint");
}

#[test]
fn the_same_seed_gives_the_same_files_and_a_witness_file_works() {
    let (one, two) = (proved(), proved());
    for name in ["s", "p"] {
        assert_eq!(one.read(name), two.read(name));
    }
    let dir = &one;
    let base =
        ["--preset", "T1-128", "--columns", "40", "--insecure", "--seed", SEED, "--reproducible"];
    let out = [&base[..], &["--statement", "s2", "--proof", "p2", "--witness-out", "w"]].concat();
    assert_eq!(code(&run("prove", &out, dir)), 0);
    let again = [&base[..], &["--statement", "s3", "--proof", "p3", "--witness", "w"]].concat();
    assert_eq!(code(&run("prove", &again, dir)), 0);
    let read = |name: &str| dir.read(name);
    assert_eq!(read("s2"), read("s3"));
    assert_eq!(read("p2"), read("p3"), "a witness is a witness, wherever it comes from");
    // No output takes the place of the witness or of another output.
    let witness = read("w");
    for files in [
        ["--statement", "./w", "--proof", "p4", "--witness", "w"],
        ["--statement", "s4", "--proof", "w", "--witness", "w"],
        ["--statement", "s4", "--proof", "p4", "--witness-out", "s4"],
        ["--statement", "x4", "--proof", "./x4", "--witness", "w"],
    ] {
        let output = dir.run("prove", &[&base, &files]);
        assert_eq!(code(&output), 2, "{files:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("both name it"), "{files:?}");
    }
    assert_eq!(read("w"), witness);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(dir.join("w")).expect("written").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "the witness is private");
    }
}

/// The demonstration's parameters are for the prover *and* the verifier to refuse.
#[test]
fn insecure_statements_need_a_word() {
    let dir = &Folder::new();
    let args = ["--preset", "seed", "--columns", "20", "--insecure"];
    let files = ["--statement", "s", "--proof", "p"];
    assert_eq!(code(&dir.run("prove", &[&args, &files])), 0);
    assert!(refused("verify", &files, dir).contains("; --insecure goes on"));
    let answer = json(dir.run("verify", &[&files, &["--insecure", "--json"]]));
    assert_eq!((&answer["valid"], &answer["secure_parameters"]), (&true.into(), &false.into()));
    let text = examples::ok(dir.run("verify", &[&files, &["--insecure"]]));
    assert!(text.starts_with("valid, but the parameters are insecure\n"), "{text}");
    assert!(text.contains("reveals     as much as may be: the parameters are insecure"), "{text}");
    // Where nothing was waived but the flag is there, nothing is said.
    let dir = &proved();
    let text = examples::ok(dir.run("verify", &[&files, &["--insecure"]]));
    assert!(text.starts_with("valid\n"), "{text}");
}

#[test]
fn malformed_files_are_exit_code_two() {
    let dir = &proved();
    let proof = dir.read("p");
    let statement = dir.read("s");
    let write = |name: &str, bytes: &[u8]| dir.write(name, bytes);
    write("bad", &proof[..proof.len() - 1]);
    assert!(
        refused("verify", &["--statement", "s", "--proof", "bad"], dir)
            .contains("truncated or extended")
    );
    write("bad", &[&proof[..], b"x"].concat());
    refused("verify", &["--statement", "s", "--proof", "bad"], dir);
    write("bad", b"");
    refused("verify", &["--statement", "s", "--proof", "bad"], dir);
    refused("verify", &["--statement", "bad", "--proof", "p"], dir);
    write("bad", &blake3::hash(b"random").as_bytes().repeat(1000));
    refused("verify", &["--statement", "s", "--proof", "bad"], dir);
    refused("verify", &["--statement", "bad", "--proof", "p"], dir);
    let mut absurd = statement.clone();
    absurd[48..56].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    write("bad", &absurd);
    assert!(refused("verify", &["--statement", "bad", "--proof", "p"], dir).contains("2^31"));
    refused("verify", &["--statement", "missing", "--proof", "p"], dir);
    refused("verify", &["--statement", ".", "--proof", "p"], dir);

    let mut flipped = proof;
    // Malformed in what says what kind of file this is and how long, invalid everywhere else
    // (docs/format.md).
    for (at, answer) in
        [(0, 2), (9, 2), (17, 2), (10, 1), (11, 1), (13, 1), (30, 1), (70, 1), (5000, 1)]
    {
        flipped[at] ^= 4;
        write("bad", &flipped);
        assert_eq!(
            code(&run("verify", &["--statement", "s", "--proof", "bad"], dir)),
            answer,
            "byte {at}"
        );
        flipped[at] ^= 4;
    }
}

/// Files that are given for each other are called what they are.
#[test]
fn a_file_of_another_kind_is_named() {
    let directory = proved();
    let said = |args: &[&str]| refused("verify", args, &directory);
    let swapped = said(&["--statement", "p", "--proof", "s"]);
    assert!(swapped.contains("statement: this file is a proof of knowledge alone"), "{swapped}");
    let twice = said(&["--statement", "s", "--proof", "s"]);
    assert!(twice.contains("proof: this file is a statement"), "{twice}");
}

/// Every proof has its verdict, in the order of the command line, independently of the others; the
/// worst one is the exit code.
#[test]
fn a_bad_proof_does_not_silence_the_others() {
    let dir = &proved();
    let mut invalid = dir.read("p");
    invalid[70] ^= 1;
    dir.write("invalid", &invalid);
    dir.write("cut", &invalid[..99]);
    let verdict = |name| match name {
        "p" => "p: valid",
        // E of another challenge is as good as uniform, and longer than an honest one.
        "invalid" => "invalid: invalid: column 0 of Z is longer than the bound B",
        "cut" => "cut: error: proof: file has 99 bytes",
        _ => "missing: error: ",
    };
    for (names, expected, first) in [
        (&["p", "missing"][..], 2, "missing"),
        (&["missing", "p"], 2, "missing"),
        (&["p", "cut", "invalid", "p"], 2, "cut"),
        (&["invalid", "missing", "cut", "p"], 2, "missing"),
        (&["p", "invalid", "p"], 1, ""),
        (&["p", "p"], 0, ""),
        (&["missing"], 2, "missing"),
        (&["invalid"], 1, ""),
        // More than are checked together.
        (&[&["p"; 20][..], &["cut", "p"]].concat(), 2, "cut"),
    ] {
        let mut args = vec!["--statement", "s"];
        for name in names {
            args.extend(["--proof", name]);
        }
        let output = run("verify", &args, dir);
        assert_eq!(code(&output), expected, "{names:?}");
        let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
        if let [_, _, ..] = names {
            let lines: Vec<&str> = text.lines().take(names.len()).collect();
            assert_eq!(lines.len(), names.len(), "{names:?}: {text}");
            for (name, line) in names.iter().zip(lines) {
                assert!(line.starts_with(verdict(*name)), "{names:?}: {line}");
            }
        }
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(errors.lines().count(), usize::from(expected == 2), "{names:?}: {errors}");
        assert!(expected < 2 || errors.starts_with(&format!("error: {first}: ")), "{errors}");

        args.push("--json");
        let output = run("verify", &args, dir);
        assert_eq!(code(&output), expected, "{names:?}");
        let answer: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(answer["valid"], expected == 0, "{answer}");
        let proofs = answer["proofs"].as_array().expect("an array");
        assert_eq!(proofs.len(), names.len(), "{answer}");
        for (name, proof) in names.iter().zip(proofs) {
            assert_eq!(
                (&proof["file"], &proof["valid"]),
                (&(*name).into(), &(*name == "p").into())
            );
            assert_eq!(proof["reason"].is_string(), *name == "invalid", "{proof}");
            assert_eq!(proof["error"].is_string(), ["cut", "missing"].contains(name), "{proof}");
        }
    }
}

/// Which rows are messages a statement may say; of one that does not, the one who verifies
/// does, and reads what hiding is left.
#[test]
fn hiding_is_named_with_its_condition() {
    let dir = &Folder::new();
    dir.write("text", "a piece");
    let files = ["--statement", "s", "--proof", "p"];
    let commit = ["commit", "--in", "text", "--key", "k", "--json"];
    let committed = json(dir.run("commit_file", &[&commit, &files]));
    let context = ["--context", "commit_file 2: pieces of 128 bytes"];
    let verify = |more: &[&str]| dir.run("verify", &[&files, &context, more]);
    let unaware = json(verify(&["--json"]));
    let aware = json(verify(&["--message-rows", "1024", "--json"]));
    assert_eq!(aware["hiding_bits"], committed["hiding_bits"]);
    assert_eq!(unaware["hiding_bits"], committed["hiding_bits"]);
    assert!(aware["hiding_bits"].as_f64().expect("a number") < 135.0, "{aware}");
    let assumed = "all rows of S but the first 1024 are secret and uniform";
    assert_eq!(unaware["hiding_assumes"], assumed);
    let text = examples::ok(verify(&["--message-rows", "1024"]));
    assert!(text.contains("if all rows of S but the first 1024 are secret and uniform"), "{text}");
    assert!(text.contains("lambda      128 (hash, challenge)\n"), "{text}");
    assert!(text.contains("reveals     nothing but T and the claim if LWE is hard"), "{text}");
    assert!(
        examples::refused(&verify(&["--message-rows", "1100"])).contains("recovering a message")
    );
    assert!(examples::refused(&verify(&["--message-rows", "1000000"])).contains("message rows"));

    // A statement may say nothing of messages.
    let old = ["--statement", "s1", "--proof", "p1", "--insecure"];
    let preset = ["--preset", "T1-128", "--columns", "40"];
    examples::ok(dir.run("prove", &[&preset, &old]));
    let verify_old = |more: &[&str]| json(dir.run("verify", &[&old, more]));
    let (silent, told) =
        (verify_old(&["--json"]), verify_old(&["--message-rows", "1024", "--json"]));
    let bits = |answer: &serde_json::Value| answer["hiding_bits"].as_f64().expect("a number");
    assert!(bits(&silent) > 128.0 && bits(&told) < 60.0, "{silent} {told}");
    assert_eq!(silent["hiding_assumes"], "all rows of S are secret and uniform");
    assert_eq!(told["hiding_assumes"], assumed);

    // `estimate` says the same of the same parameters.
    let statement = dir.read("s");
    let field = |at: usize| {
        let bytes = statement[at..at + 4].try_into().expect("four bytes");
        u32::from_le_bytes(bytes).to_string()
    };
    let (w, r, v) = (field(20), field(24), field(28));
    let dimensions = ["--w", &w, "--b", "1", "--l", "1", "--r", &r, "--v", &v];
    let estimate = |more: &[&str]| dir.run("estimate", &[&dimensions, more]);
    let answer = json(estimate(&["--message-rows", "1024", "--json"]));
    assert_eq!(answer["hiding_classical"], aware["hiding_bits"]);
    assert_eq!(answer["secure"], true);
    assert!(json(estimate(&["--json"]))["hiding_classical"].as_f64().expect("a number") > 200.0);
    assert_eq!(json(estimate(&["--message-rows", "1100", "--json"]))["secure"], false);
    let text = examples::ok(estimate(&["--message-rows", "1024"]));
    assert!(text.contains("if all rows of S but 1024 of messages are secret"), "{text}");
    assert!(!text.contains("dual-hybrid"), "no row that counts messages as secret: {text}");
    examples::refused(&estimate(&["--message-rows", "1000000"]));
}

/// An A' that another program made is named on both sides, and said to be the user's claim.
#[test]
fn a_given_matrix_is_a_file() {
    let dir = &Folder::new();
    let params = r#"{"w": 29, "r": 40, "v": 100, "l": 300, "b": 1, "n": 20}"#;
    dir.write("params", params);
    // 40 x 60 entries below 2^29 in four bytes each.
    let words = (1..=2400_u64).map(|i| (i * i * 0x9e37_79b9 >> 3) as u32 & 0x1fff_ffff);
    let matrix: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let mut other = matrix.clone();
    other[5] ^= 1;
    let mut large = matrix.clone();
    large[4 * 77 + 3] |= 0x20;
    let files = [("a", &matrix[..]), ("other", &other), ("large", &large), ("short", &matrix[1..])];
    for (name, bytes) in files.into_iter().chain([("zeros", &[0; 9600][..])]) {
        dir.write(name, bytes);
    }
    let out = ["--insecure", "--statement", "s", "--proof", "p"];
    let prove = [&["--params", "params", "--check", "--matrix"][..], &["a"], &out].concat();
    let text = examples::ok(run("prove", &prove, dir));
    let to_check = "to check    verify --statement s --proof p --matrix a --insecure";
    assert!(text.contains(to_check), "{text}");
    let verify = |more: &[&str]| dir.run("verify", &[&out, more]);
    let json = json(dir.run("prove", &[&prove, &["--json"]]));
    assert_eq!(json["given_matrix"], true);
    let zeros = [&["--params", "params", "--matrix"][..], &["zeros"], &out].concat();
    let error = "zeros: column 0 of the given A' has too many small entries";
    assert!(examples::refused(&run("prove", &zeros, dir)).contains(error));
    let text = examples::ok(verify(&["--matrix", "a"]));
    assert!(text.contains("and A', which was given, is as good as random"), "{text}");
    for (more, error) in [
        (&[][..], "--matrix"),
        (&["--matrix", "other"], "other: the matrix A belongs to another statement"),
        (&["--matrix", "large"], "large: entry at row 1, column 17 of the given A' is 2^29"),
        (&["--matrix", "short"], "short: expected 9600 bytes"),
        (&["--matrix", "missing"], "missing: "),
    ] {
        assert!(examples::refused(&verify(more)).contains(error), "{error}");
    }
    examples::ok(dir.run("prove", &[&["--preset", "T1-128", "--columns", "8"][..], &out]));
    assert!(examples::refused(&verify(&["--matrix", "a"])).contains("comes from a seed"));
}

#[test]
fn custom_parameters_come_from_a_file() {
    let dir = &Folder::new();
    let toml = "w = 29\nr = 1176\nv = 2632\nl = 64\nb = 1\n";
    dir.write("p.toml", toml);
    dir.write("p.json", r#"{"w": 29, "r": 1176, "v": 2632, "l": 64, "b": 1}"#);
    // As some editors begin a file; without an ending, the first character tells the two apart.
    for (name, of) in [("bom.toml", "p.toml"), ("bom.json", "p.json"), ("bom", "p.json")] {
        let text = dir.text(of);
        dir.write(name, format!("\u{feff}\n{text}"));
    }
    for file in ["p.toml", "p.json", "bom.toml", "bom.json", "bom"] {
        let args = [
            "--params",
            file,
            "--seed",
            SEED,
            "--statement",
            "s",
            "--proof",
            "p",
            "--check",
            "--json",
        ];
        let answer = json(run("prove", &args, dir));
        assert_eq!(answer["l"], 64);
        assert!(answer["sis_bits"].as_f64().expect("a number") >= 128.0);
    }
    let utf_16: Vec<u8> = "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, content, hint) in [
        ("array.json", &b"[29, 1176, 2632, 64, 1]"[..], "expected an object"),
        ("array", b" [29, 1176, 2632, 64, 1]", "expected an object"),
        ("bom-array", b"\xef\xbb\xbf[{}]", "expected an object"),
        ("number.json", b"29", "expected an object"),
        ("empty.json", b"", "expected an object"),
        ("toml.json", toml.as_bytes(), "expected an object"),
        ("json.toml", b"{\"w\": 29}", "key"),
        ("object.json", b"{\"w\": 29,}", "trailing comma"),
        ("utf-16.json", &utf_16, "UTF-16"),
        ("bytes.json", b"\xff{}", "UTF-8"),
    ] {
        dir.write(name, content);
        let text = refused("prove", &["--params", name, "--statement", "x", "--proof", "y"], dir);
        assert!(text.contains(hint) && text.contains(name), "{name}: {text}");
    }
}

/// Secure parameters with entries of two and of four bytes: the witness is written, read and proved.
#[test]
fn wide_witnesses_are_files() {
    let dir = &Folder::new();
    for (b, w, r, v, width) in [(1000_u64, 36, 1544, 2584, 2), (40_000, 42, 1640, 2584, 4)] {
        let toml = format!("w = {w}\nr = {r}\nv = {v}\nl = 20\nb = {b}\n");
        dir.write("p.toml", toml);
        let files = ["--params", "p.toml", "--statement", "s", "--proof", "p", "--insecure"];
        let write = [&files[..], &["--seed", SEED, "--witness-out", "witness"]].concat();
        let written = json(dir.run("prove", &[&write, &["--json"]]));
        assert_eq!(written["w"], w);
        let read = |name: &str| dir.read(name);
        let (statement, witness) = (read("s"), read("witness"));
        assert_eq!(witness.len() as u64, v * 20 * width);
        let read_back = [&files[..], &["--seed", SEED, "--witness", "witness", "--check"]].concat();
        let proved = json(dir.run("prove", &[&read_back, &["--json"]]));
        assert_eq!(proved["valid"], true);
        assert!(read("s") == statement, "the same statement");
        // One byte is missing.
        dir.write("short", &witness[1..]);
        let short = [&files[..], &["--witness", "short"]].concat();
        let expected = format!("signed entries of {width} bytes");
        assert!(refused("prove", &short, dir).contains(&expected));
    }
}
