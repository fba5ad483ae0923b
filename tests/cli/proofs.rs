//! `prove` and `verify`: their files, and what they refuse.

use tautochrone_testkit::examples::{SEED, TOY, code, names};

use crate::folder::Folder;

const FILES: &str = "--statement s --proof p";
const VERIFY: &str = "verify --statement s --proof p";

/// The line of `prove` for files of 40 columns, which are the same each time.
fn toy() -> String {
    format!("{TOY} --seed {SEED} --reproducible")
}

/// A directory with such a statement and proof in it.
fn proved() -> Folder {
    let dir = Folder::new();
    dir.ok(format!("{} --check", toy()));
    dir
}

#[test]
fn prove_then_verify() {
    let dir = &proved();
    assert_eq!(names(dir), ["p", "s"]);
    dir.ok(VERIFY);
    assert_eq!(dir.json(VERIFY)["valid"], true);
    let other = format!("{VERIFY} --context x");
    let (code, answer) = dir.verdict(&other);
    assert_eq!((code, &answer["valid"]), (1, &false.into()));
    assert!(answer["reason"].as_str().expect("a reason").contains("another statement"));
    assert!(answer["proofs"][0]["hint"].as_str().expect("a hint").contains("--context"));
    let text = dir.output(other).stdout;
    assert!(String::from_utf8_lossy(&text).contains("is --context the text"), "a hint");
}

#[test]
fn the_same_seed_gives_the_same_files_and_a_witness_file_works() {
    let (dir, two) = (&proved(), proved());
    let read = |name: &str| dir.read(name);
    for name in ["s", "p"] {
        assert_eq!(read(name), two.read(name));
    }
    let to = |statement: &str, proof: &str| {
        toy().replace(FILES, &format!("--statement {statement} --proof {proof}"))
    };
    dir.ok(format!("{} --witness-out w", to("s2", "p2")));
    dir.ok(format!("{} --witness w", to("s3", "p3")));
    assert_eq!(read("s2"), read("s3"));
    assert_eq!(read("p2"), read("p3"), "a witness is a witness, wherever it comes from");
}

/// The demonstration's parameters are for the prover *and* the verifier to refuse.
#[test]
fn insecure_statements_need_a_word() {
    let dir = &Folder::new();
    dir.ok(format!("prove --preset seed --columns 20 --insecure {FILES}"));
    dir.refuses(VERIFY, "; --insecure goes on");
    let waived = &format!("{VERIFY} --insecure");
    let answer = dir.json(waived);
    assert_eq!((&answer["valid"], &answer["secure_parameters"]), (&true.into(), &false.into()));
    let text = dir.ok(waived);
    assert!(text.starts_with("valid, but the parameters are insecure\n"), "{text}");
    assert!(text.contains("reveals     as much as may be: the parameters are insecure"), "{text}");
    // Where nothing was waived but the flag is there, nothing is said.
    let text = proved().ok(waived);
    assert!(text.starts_with("valid\n"), "{text}");
}

#[test]
fn malformed_files_are_exit_code_two() {
    let dir = &proved();
    let (proof, statement) = (dir.read("p"), dir.read("s"));
    let mut absurd = statement.clone();
    absurd[48..56].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    let random = blake3::hash(b"random").as_bytes().repeat(1000);
    let bad_proof = "verify --statement s --proof bad";
    let bad_statement = "verify --statement bad --proof p";
    for (bytes, line, hint) in [
        (&proof[..proof.len() - 1], bad_proof, "truncated or extended"),
        (&[&proof[..], b"x"].concat(), bad_proof, ""),
        (&random, bad_proof, ""),
        (&random, bad_statement, ""),
        (&absurd, bad_statement, "2^31"),
    ] {
        dir.write("bad", bytes);
        dir.refuses(line, hint);
    }
    for (whole, line) in [(&statement, bad_statement), (&proof, bad_proof)] {
        for len in [0, 1, 8, 100, 112, whole.len() / 2, whole.len() - 1] {
            dir.write("bad", &whole[..len]);
            dir.refuses(line, "bad: ");
        }
    }
    let mut flipped = proof;
    // Malformed in what says what kind of file this is and how long, invalid everywhere else
    // (docs/format.md).
    for (at, answer) in
        [(0, 2), (9, 2), (17, 2), (10, 1), (11, 1), (13, 1), (30, 1), (70, 1), (5000, 1)]
    {
        flipped[at] ^= 4;
        dir.write("bad", &flipped);
        assert_eq!(dir.code(bad_proof), answer, "byte {at}");
        flipped[at] ^= 4;
    }
}

/// Files that are given for each other are called what they are.
#[test]
fn a_file_of_another_kind_is_named() {
    let dir = proved();
    let said = "statement: this file is a proof of knowledge alone";
    dir.refuses("verify --statement p --proof s", said);
    dir.refuses("verify --statement s --proof s", "proof: this file is a statement");
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
        let line = format!("verify --statement s --proof {}", names.join(" --proof "));
        let output = dir.output(&line);
        assert_eq!(code(&output), expected, "{line}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        if let [_, _, ..] = names {
            let lines: Vec<&str> = text.lines().take(names.len()).collect();
            assert_eq!(lines.len(), names.len(), "{line}: {text}");
            for (name, line) in names.iter().zip(lines) {
                assert!(line.starts_with(verdict(*name)), "{names:?}: {line}");
            }
        }
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(errors.lines().count(), usize::from(expected == 2), "{line}: {errors}");
        assert!(expected < 2 || errors.starts_with(&format!("error: {first}: ")), "{errors}");

        let (code, answer) = dir.verdict(&line);
        assert_eq!((code, &answer["valid"]), (expected, &(expected == 0).into()), "{answer}");
        let proofs = answer["proofs"].as_array().expect("an array");
        assert_eq!(proofs.len(), names.len(), "{answer}");
        for (&name, proof) in names.iter().zip(proofs) {
            assert_eq!((&proof["file"], &proof["valid"]), (&name.into(), &(name == "p").into()));
            assert_eq!(proof["reason"].is_string(), name == "invalid", "{proof}");
            assert_eq!(proof["error"].is_string(), ["cut", "missing"].contains(&name), "{proof}");
        }
    }
}

/// Which rows are messages a statement may say; of one that does not, the one who verifies
/// does, and reads what hiding is left.
#[test]
fn hiding_is_named_with_its_condition() {
    let dir = &Folder::new();
    dir.write("text", "a piece");
    let committed = dir.json(format!("commit_file commit --in text --key k {FILES}"));
    let verify = &format!("{VERIFY} --context 'commit_file 2: pieces of 128 bytes'");
    let with_rows = &format!("{verify} --message-rows 1024");
    let (unaware, aware) = (dir.json(verify), dir.json(with_rows));
    assert_eq!(aware["hiding_bits"], committed["hiding_bits"]);
    assert_eq!(unaware["hiding_bits"], committed["hiding_bits"]);
    assert!(aware["hiding_bits"].as_f64().expect("a number") < 135.0, "{aware}");
    let assumed = "all rows of S but the first 1024 are secret and uniform";
    assert_eq!(unaware["hiding_assumes"], assumed);
    let text = dir.ok(with_rows);
    assert!(text.contains("if all rows of S but the first 1024 are secret and uniform"), "{text}");
    assert!(text.contains("lambda      128 (hash, challenge)\n"), "{text}");
    assert!(text.contains("reveals     nothing but T and the claim if LWE is hard"), "{text}");
    dir.refuses(format!("{verify} --message-rows 1100"), "recovering a message");
    dir.refuses(format!("{verify} --message-rows 1000000"), "message rows");

    // A statement may say nothing of messages.
    let old = "--statement s1 --proof p1 --insecure";
    dir.ok(format!("prove --preset T1-128 --columns 40 {old}"));
    let silent = dir.json(format!("verify {old}"));
    let told = dir.json(format!("verify {old} --message-rows 1024"));
    let bits = |answer: &serde_json::Value| answer["hiding_bits"].as_f64().expect("a number");
    assert!(bits(&silent) > 128.0 && bits(&told) < 60.0, "{silent} {told}");
    assert_eq!(silent["hiding_assumes"], "all rows of S are secret and uniform");
    assert_eq!(told["hiding_assumes"], assumed);

    // `estimate` says the same of the same parameters.
    let statement = dir.read("s");
    let field =
        |at: usize| u32::from_le_bytes(statement[at..at + 4].try_into().expect("four bytes"));
    let (w, r, v) = (field(20), field(24), field(28));
    let estimate = &format!("estimate --w {w} --b 1 --l 1 --r {r} --v {v}");
    let with_rows = |rows: u32| format!("{estimate} --message-rows {rows}");
    let answer = dir.json(with_rows(1024));
    assert_eq!(answer["hiding_classical"], aware["hiding_bits"]);
    assert_eq!(answer["secure"], true);
    assert!(dir.json(estimate)["hiding_classical"].as_f64().expect("a number") > 200.0);
    assert_eq!(dir.json(with_rows(1100))["secure"], false);
    let text = dir.ok(with_rows(1024));
    assert!(text.contains("if all rows of S but 1024 of messages are secret"), "{text}");
    assert!(!text.contains("dual-hybrid"), "no row that counts messages as secret: {text}");
    dir.refuses(with_rows(1_000_000), "message rows");
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
    let prove = |matrix| format!("prove --params params --insecure --matrix {matrix} {FILES}");
    let text = dir.ok(prove("a"));
    let to_check = "to check    verify --statement s --proof p --matrix a --insecure";
    assert!(text.contains(to_check), "{text}");
    assert_eq!(dir.json(format!("{} --check", prove("a")))["given_matrix"], true);
    dir.refuses(prove("zeros"), "zeros: column 0 of the given A' has too many small entries");
    let verify = format!("{VERIFY} --insecure");
    let text = dir.ok(format!("{verify} --matrix a"));
    assert!(text.contains("and A', which was given, is as good as random"), "{text}");
    dir.refuses(&verify, "--matrix");
    for (file, error) in [
        ("other", "other: the matrix A belongs to another statement"),
        ("large", "large: entry at row 1, column 17 of the given A' is 2^29"),
        ("short", "short: expected 9600 bytes"),
        ("missing", "missing: "),
    ] {
        dir.refuses(format!("{verify} --matrix {file}"), error);
    }
    dir.ok(TOY);
    dir.refuses(format!("{verify} --matrix a"), "comes from a seed");
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
        let answer = dir.json(format!("prove --params {file} --seed {SEED} {FILES} --check"));
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
        let text = dir.refuses(format!("prove --params {name} --statement x --proof y"), hint);
        assert!(text.contains(name), "{text}");
    }
}

/// Secure parameters with entries of two and of four bytes: the witness is written, read and proved.
#[test]
fn wide_witnesses_are_files() {
    let dir = &Folder::new();
    for (b, w, r, v, width) in [(1000_u64, 36, 1544, 2584, 2), (40_000, 42, 1640, 2584, 4)] {
        let toml = format!("w = {w}\nr = {r}\nv = {v}\nl = 20\nb = {b}\n");
        dir.write("p.toml", toml);
        let prove = format!("prove --params p.toml {FILES} --insecure --seed {SEED}");
        assert_eq!(dir.json(format!("{prove} --witness-out witness"))["w"], w);
        let (statement, witness) = (dir.read("s"), dir.read("witness"));
        assert_eq!(witness.len() as u64, v * 20 * width);
        let proved = dir.json(format!("{prove} --witness witness --check"));
        assert_eq!(proved["valid"], true);
        assert!(dir.read("s") == statement, "the same statement");
        // One byte is missing.
        dir.write("short", &witness[1..]);
        let expected = format!("signed entries of {width} bytes");
        dir.refuses(format!("{prove} --witness short"), &expected);
    }
}
