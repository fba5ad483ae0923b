//! The examples that use the library: LWE keys, a committed file, a roll-up.

#[path = "support/examples.rs"]
mod examples;

use examples::{SEED, code, json, ok, refused, run as example};

#[test]
fn lwe_keys() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let args = ["--keys", "40", "--statement", "s", "--proof", "p", "--json"];
    let answer = json(example("lwe_keys", &args, dir));
    assert_eq!((&answer["keys"], &answer["valid"]), (&40.into(), &true.into()));

    // Ordinary files: `verify` reads them, in the right context only.
    let verify = |context| {
        let args = ["--statement", "s", "--proof", "p", "--context", context];
        code(&example("verify", &args, dir))
    };
    assert_eq!(verify("registration of keys"), 0);
    assert_eq!(verify("something else"), 1);

    let none = ["--keys", "0", "--statement", "s", "--proof", "p"];
    refused(&example("lwe_keys", &none, dir));
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

    // Another file opens nothing, nor does a changed opening.
    let mut other = text.clone();
    other[390] ^= 1;
    std::fs::write(dir.join("other"), &other).expect("written");
    assert_eq!(code(&open("3", "other", "o2")), 0);
    assert_eq!(code(&check("3", "o2")), 1);
    let mut opening = std::fs::read(dir.join("o")).expect("written");
    *opening.last_mut().expect("not empty") ^= 1;
    std::fs::write(dir.join("o3"), &opening).expect("written");
    assert_eq!(code(&check("3", "o3")), 1);
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
}
