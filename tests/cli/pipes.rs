//! `-` is stdin or stdout where a program reads or writes from the beginning to the end; data that
//! is read at any offset, or must appear whole, is a file.

use std::io::Write;
use std::process::{Output, Stdio};

use tautochrone_testkit::examples::{SEED, code, command, ok, refused};

use crate::folder::Folder;

/// Runs a program with these bytes on its stdin.
fn piped(line: impl AsRef<str>, directory: &Folder, input: &[u8]) -> Output {
    let mut program = command(line.as_ref());
    program.current_dir(directory);
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().expect("built");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // A program may end before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic");
    output
}

/// The output of a program for a file, and for the same bytes through a pipe.
#[test]
fn a_pipe_is_as_good_as_a_file() {
    let dir = &Folder::new();
    dir.write("text", b"even\nodd\nthree\nten\n");
    dir.write("matrix", (0..9_u64).flat_map(u64::to_le_bytes).collect::<Vec<u8>>());
    dir.write("jobs", b"{\"base\": \"3\", \"exponent\": \"5\", \"modulus\": \"17\"}\n");
    dir.write("number", b"17");
    let square = &format!("matmul --m 3 --k 3 --n 3 --seed {SEED} --z -");
    for (line, file) in [
        (format!("{square} --x "), "matrix"),
        (format!("{square} --y "), "matrix"),
        ("ice encrypt --game tf2 --out - --in ".to_owned(), "text"),
        ("modexp --batch ".to_owned(), "jobs"),
        ("modexp --base 3 --exponent 5 --modulus @".to_owned(), "number"),
        (format!("rollup --group 2 --seed {SEED} --in "), "text"),
    ] {
        // The output without times and without the size of a proof, which no seed fixes.
        let lines = |path: &str, input: &[u8]| {
            let output = piped(format!("{line}{path}"), dir, input);
            assert_eq!(code(&output), 0, "{line}{path}");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let lines =
                text.lines().filter(|line| !line.contains(" ms") && !line.contains("proof"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let want = lines(file, b"");
        assert!(!want.is_empty(), "{line}");
        assert_eq!(lines("-", &dir.read(file)), want, "{line}");
    }
    // Encrypted and decrypted by two programs in a row.
    let text = dir.read("text");
    let secret = piped("ice encrypt --game tf2 --in - --out -", dir, &text).stdout;
    assert_ne!(secret, text);
    assert_eq!(piped("ice decrypt --game tf2 --in - --out -", dir, &secret).stdout, text);
    // The source of a circuit.
    let configure = "configure --sigma 1.5 --precision 32 --variants 1 --out";
    dir.ok(format!("{configure} source"));
    assert_eq!(dir.output(format!("{configure} -")).stdout, dir.read("source"));
}

#[test]
fn proofs_and_what_they_are_made_from_come_through_pipes() {
    let dir = &Folder::new();
    let params = br#"{"w": 29, "r": 40, "v": 100, "l": 300, "b": 1, "n": 20}"#;
    let files = "--insecure --statement s --proof p";
    ok(piped(format!("prove --params - {files}"), dir, params));
    let verify = "verify --insecure --statement s --proof -";
    let proof = dir.read("p");
    assert!(ok(piped(verify, dir, &proof)).starts_with("valid"));
    let mut wrong = proof.clone();
    wrong[70] ^= 1;
    assert_eq!(code(&piped(verify, dir, &wrong)), 1);
    let line = refused(&piped(verify, dir, &proof[..50]));
    assert!(line.starts_with("error: stdin: "), "{line}");

    // A' by a pipe, to the prover and to the verifier.
    dir.write("params", params);
    let words = (1..=2400_u64).map(|i| (i * i * 0x9e37_79b9 >> 3) as u32 & 0x1fff_ffff);
    let matrix: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    for program in ["prove --params params", "verify"] {
        ok(piped(format!("{program} --matrix - {files}"), dir, &matrix));
    }

    // A file to commit to, and an opening.
    let files = "--statement s --key k";
    ok(piped(format!("commit_file commit --in - {files} --proof p"), dir, b"a piece"));
    ok(piped(format!("commit_file open --in - {files} --piece 0 --out o"), dir, b"a piece"));
    let check = "commit_file check --piece 0 --opening - --statement s --proof p";
    assert_eq!(piped(check, dir, &dir.read("o")).stdout, b"a piece");
}

/// The message says which form is wanted instead.
#[test]
fn what_is_read_at_any_offset_is_a_file() {
    let dir = &Folder::new();
    let preset = "--preset T1-128 --insecure";
    dir.ok(format!("prove {preset} --columns 8 --statement s --proof p"));
    let out = "--statement x --proof y";
    for line in [
        "verify --statement - --proof p",
        "verify --insecure --statement s --proof p --public-keys -",
        &format!("prove {preset} --columns 8 {out} --witness -"),
    ] {
        let error = refused(&piped(line, dir, b"some bytes"));
        assert!(error.contains("stdin: is read at any offset; expected the name of"), "{error}");
    }
    assert!(!dir.join("x").exists() && !dir.join("y").exists());
}
