//! Proofs about circuits on files: preimages of two hashes, and a circuit of the user's own.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use tautochrone::zk::argument::{Assignment, Circuit, CircuitBuilder, Scalar};
use tautochrone_testkit::examples::{SEED, code, command, json, ok, refused, run};

const FILES: [&str; 4] = ["--statement", "s", "--proof", "p"];

fn write(directory: &Path, name: &str, bytes: &[u8]) {
    std::fs::write(directory.join(name), bytes).expect("writable");
}

/// The line that `prove` has printed, run by a shell; the exit code.
fn run_line(line: &str, dir: &Path) -> i32 {
    let program = command("circuit").get_program().to_owned();
    let examples = Path::new(&program).parent().expect("a directory").to_owned();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", line]).env("PATH", examples).current_dir(dir);
    shell.status().expect("a shell").code().expect("no signal")
}

/// FIPS 180-4's example, and lengths on both sides of what one block takes.
#[test]
fn preimages_of_sha256_are_proved() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    for (message, digest) in [
        (&b"abc"[..], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
    ] {
        write(dir, "m", message);
        let prove = ["prove", "--sha256", "m", "--context", "it's me", "--json"];
        let answer = json(run("circuit", &[&prove[..], &FILES].concat(), dir));
        let line = answer["verify"].as_str().expect("a line");
        assert!(line.contains(digest), "{line}");
        assert_eq!(run_line(line, dir), 0);
        assert_eq!(run_line(&line.replace(" me", " you"), dir), 1, "another context");
        let other = digest.replace('a', "b");
        assert_eq!(run_line(&line.replace(digest, &other), dir), 1, "another digest");
        let length = message.len().to_string();
        let verify = ["verify", "--sha256", digest, "--length", &length];
        let output = run("circuit", &[&verify[..], &FILES].concat(), dir);
        assert_eq!(code(&output), 1, "without the context");
    }
    let verify = ["verify", "--sha256", "abc", "--length", "3"];
    let line = refused(&run("circuit", &[&verify[..], &FILES].concat(), dir));
    assert!(line.contains("64 hexadecimal digits"), "{line}");
}

/// The known answers are those of examples/circuit/poseidon2.py.
#[test]
fn preimages_of_poseidon2_are_proved() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let all: Vec<u8> = (0..200).collect();
    for (message, digest) in [
        (
            &b""[..],
            "57bb6837791a6c1428ed367dab7dfc1026c33e36a576ad0c4a0362657dc6d3144657217181b0ec09",
        ),
        (
            b"abc",
            "f2cf34e358be7e099bacf84d21f06e05b3bb55e7c8cc670cfea907f4bec4e801d4ea52743293031e",
        ),
        (
            &all[..49],
            "761d66b7e16f950134575e4940b8840e7d0b6011b6d58b103473c9605afd6a07673a7caa8c1a301c",
        ),
        (
            &all[..50],
            "ef40ba517ae62b00058755fe8d537600ce5da964a25b5a11d3e25a70b86a9a14fa2abdd90c9abf19",
        ),
        (&all, "edaacae226b9771ada4e944efdc2e30123f0fe031ae9a312b047fa4a3df2f31083427489f5fb260c"),
    ] {
        write(dir, "m", message);
        let prove = ["prove", "--poseidon2", "m", "--json"];
        let answer = json(run("circuit", &[&prove[..], &FILES].concat(), dir));
        let line = answer["verify"].as_str().expect("a line");
        assert!(line.contains(digest), "{line}");
        assert_eq!(run_line(line, dir), 0);
    }
    let digits = "ff".repeat(40);
    let verify = ["verify", "--poseidon2", &digits, "--length", "3"];
    let line = refused(&run("circuit", &[&verify[..], &FILES].concat(), dir));
    assert!(line.contains("five words"), "{line}");
}

/// x^3 + x + 5 = 35.
fn cube(x: u32) -> (Circuit, Assignment) {
    let mut builder = CircuitBuilder::new();
    let result = builder.public(Scalar::from(35));
    let x = builder.secret(Scalar::from(x));
    let square = builder.product(x, x);
    let cube = builder.product(square, x);
    builder.equal(builder.sum(&[cube, x]) + Scalar::from(5).into(), result);
    builder.finish().expect("a circuit")
}

#[test]
fn circuits_in_files_are_proved() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let (circuit, assignment) = cube(3);
    write(dir, "c", &circuit.to_r1cs());
    write(dir, "w", &assignment.to_wtns());
    let inputs = ["prove", "--r1cs", "c", "--wtns", "w", "--public", "public file"];
    let args = [&inputs[..], &FILES, &["--seed", SEED]].concat();
    let answer = ok(run("circuit", &args, dir));
    let line = answer.lines().last().and_then(|line| line.split_once("circuit verify"));
    let line = format!("circuit verify{}", line.expect("a line").1);
    assert_eq!(run_line(&line, dir), 0, "{line}");
    assert_eq!(std::fs::read(dir.join("public file")).expect("written"), br#"["35"]"#);
    for (public, expected) in [(r#"["36"]"#, 1), ("[]", 2), ("[35]", 2), (r#"["-1"]"#, 2)] {
        write(dir, "public file", public.as_bytes());
        assert_eq!(run_line(&line, dir), expected, "{public}");
    }
    // Wires that do not satisfy it: nothing is written.
    for name in ["s", "p", "public file"] {
        std::fs::remove_file(dir.join(name)).expect("it was written");
    }
    write(dir, "w", &cube(4).1.to_wtns());
    let line = refused(&run("circuit", &[&inputs[..], &FILES].concat(), dir));
    assert!(line.contains("do not hold"), "{line}");
    assert!(!dir.join("s").exists() && !dir.join("p").exists());
    // What is no circuit, and wires of another one.
    write(dir, "c", b"r1cs and no more");
    let line = refused(&run("circuit", &[&inputs[..], &FILES].concat(), dir));
    assert!(line.contains("c: circuit: "), "{line}");
}
