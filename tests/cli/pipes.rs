//! `-` is stdin or stdout where a program reads or writes from the beginning to the end; data that
//! is read at any offset, or must appear whole, is a file.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use tautochrone_testkit::examples::{SEED, code, command, ok, refused};

use crate::folder::Folder;

/// Runs a program with these bytes on its stdin.
fn piped(name: &str, args: &[&str], directory: &Path, input: &[u8]) -> Output {
    let mut program = command(name);
    program.args(args).current_dir(directory);
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
    let square = ["--m", "3", "--k", "3", "--n", "3", "--seed", SEED, "--z", "-"];
    let ice = ["encrypt", "--game", "tf2", "--out", "-"];
    let power = ["--base", "3", "--exponent", "5"];
    for (name, before, flag, file, at) in [
        ("matmul", &square[..], "--x", "matrix", ""),
        ("matmul", &square, "--y", "matrix", ""),
        ("ice", &ice, "--in", "text", ""),
        ("modexp", &[], "--batch", "jobs", ""),
        ("modexp", &power, "--modulus", "number", "@"),
        ("rollup", &["--group", "2", "--seed", SEED], "--in", "text", ""),
    ] {
        // The output without times and without the size of a proof, which no seed fixes.
        let lines = |path: &str, input: &[u8]| {
            let operand = format!("{at}{path}");
            let output = piped(name, &[before, &[flag, &operand]].concat(), dir, input);
            assert_eq!(code(&output), 0, "{name} {flag} {path}");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let lines =
                text.lines().filter(|line| !line.contains(" ms") && !line.contains("proof"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let want = lines(file, b"");
        assert!(!want.is_empty(), "{name} {flag}");
        assert_eq!(lines("-", &dir.read(file)), want, "{name} {flag}");
    }
    // Encrypted and decrypted by two programs in a row.
    let secret = piped("ice", &[&ice[..], &["--in", "-"]].concat(), dir, &dir.read("text")).stdout;
    assert_ne!(secret, dir.read("text"));
    let back = ["decrypt", "--game", "tf2", "--in", "-", "--out", "-"];
    assert_eq!(piped("ice", &back, dir, &secret).stdout, dir.read("text"));
    // The source of a circuit.
    let configure = ["--sigma", "1.5", "--precision", "32", "--variants", "1", "--out"];
    ok(dir.run("configure", &[&configure, &["source"]]));
    let source = dir.run("configure", &[&configure, &["-"]]).stdout;
    assert_eq!(source, dir.read("source"));
}

#[test]
fn proofs_and_what_they_are_made_from_come_through_pipes() {
    let dir = &Folder::new();
    let params = br#"{"w": 29, "r": 40, "v": 100, "l": 300, "b": 1, "n": 20}"#;
    let files = ["--insecure", "--statement", "s", "--proof", "p"];
    ok(piped("prove", &[&["--params", "-"][..], &files].concat(), dir, params));
    let verify = ["--insecure", "--statement", "s", "--proof", "-"];
    let proof = dir.read("p");
    assert!(ok(piped("verify", &verify, dir, &proof)).starts_with("valid"));
    let mut wrong = proof.clone();
    wrong[70] ^= 1;
    assert_eq!(code(&piped("verify", &verify, dir, &wrong)), 1);
    let line = refused(&piped("verify", &verify, dir, &proof[..50]));
    assert!(line.starts_with("error: stdin: "), "{line}");

    // A' by a pipe, to the prover and to the verifier.
    dir.write("params", params);
    let words = (1..=2400_u64).map(|i| (i * i * 0x9e37_79b9 >> 3) as u32 & 0x1fff_ffff);
    let matrix: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let given = ["--params", "params", "--matrix", "-"];
    ok(piped("prove", &[&given[..], &files].concat(), dir, &matrix));
    ok(piped("verify", &[&files[..], &["--matrix", "-"]].concat(), dir, &matrix));
    ok(piped("lwe_keys", &[&given[..], &files, &["--owner", "a"]].concat(), dir, &matrix));

    // A file to commit to, and an opening.
    let files = ["--statement", "s", "--proof", "p"];
    let commit = ["commit", "--in", "-", "--key", "k"];
    ok(piped("commit_file", &[&commit[..], &files].concat(), dir, b"a piece"));
    let open =
        ["open", "--in", "-", "--statement", "s", "--key", "k", "--piece", "0", "--out", "o"];
    ok(piped("commit_file", &open, dir, b"a piece"));
    let check = [&["check", "--piece", "0", "--opening", "-"][..], &files].concat();
    assert_eq!(piped("commit_file", &check, dir, &dir.read("o")).stdout, b"a piece");
}

/// The message says which form is wanted instead.
#[test]
fn what_is_read_at_any_offset_is_a_file() {
    let dir = &Folder::new();
    let files = ["--insecure", "--statement", "s", "--proof", "p"];
    let preset = ["--preset", "T1-128", "--columns", "8"];
    ok(dir.run("prove", &[&preset, &files]));
    let out = ["--insecure", "--statement", "x", "--proof", "y"];
    let keys = ["--preset", "T1-128", "--keys", "8", "--owner", "a"];
    for (name, args) in [
        ("verify", &["--statement", "-", "--proof", "p"][..]),
        ("verify", &[&files[..], &["--public-keys", "-"]].concat()),
        ("prove", &[&preset[..], &out, &["--witness", "-"]].concat()),
        ("lwe_keys", &[&keys[..], &out, &["--witness", "-"]].concat()),
    ] {
        let line = refused(&piped(name, args, dir, b"some bytes"));
        assert!(line.contains("stdin: is read at any offset; expected the name of"), "{line}");
    }
    assert!(!dir.join("x").exists() && !dir.join("y").exists());
}
