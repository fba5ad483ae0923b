//! The examples that use the library: LWE keys, a committed file, a roll-up.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn example(name: &str, args: &[&str], directory: &Path) -> Output {
    let mut path: PathBuf = std::env::current_exe().expect("a path");
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    Command::new(path)
        .args(args)
        .current_dir(directory)
        .output()
        .expect("the examples are built: `cargo build --examples`")
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{output:?}"))
}

#[test]
fn lwe_keys() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let args = ["--keys", "40", "--statement", "s", "--proof", "p", "--json"];
    let output = example("lwe_keys", &args, dir);
    assert_eq!(code(&output), 0, "{output:?}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&answer["keys"], &answer["valid"]), (&40.into(), &true.into()));

    // Ordinary files: `verify` reads them, in the right context only.
    let verify = |context| {
        let args = ["--statement", "s", "--proof", "p", "--context", context];
        code(&example("verify", &args, dir))
    };
    assert_eq!(verify("registration of keys"), 0);
    assert_eq!(verify("something else"), 1);

    assert_eq!(
        code(&example("lwe_keys", &["--keys", "0", "--statement", "s", "--proof", "p"], dir)),
        2
    );
}

#[test]
fn pieces_of_a_committed_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path();
    let text: Vec<u8> = (0..400_u32).map(|i| (i * 7 % 251) as u8).collect();
    std::fs::write(dir.join("log"), &text).expect("written");
    let files = ["--statement", "s", "--proof", "p"];
    let commit = ["commit", "--in", "log", "--key", "k", "--seed", SEED];
    let output = example("commit_file", &[&commit[..], &files].concat(), dir);
    assert_eq!(code(&output), 0, "{output:?}");

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
    let json = ["check", "--piece", "3", "--opening", "o", "--json"];
    let output = example("commit_file", &[&json[..], &files].concat(), dir);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
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
        assert_eq!(code(&output), 2, "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{output:?}");
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
    let output = example("rollup", &["--in", "text", "--group", "5", "--seed", SEED], dir);
    assert_eq!(code(&output), 0, "{output:?}");
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(answer.contains("e occurs in 3 of the first 5 lines"), "{answer}");
    assert!(answer.contains("3 groups"), "{answer}");
    let output =
        example("rollup", &["--in", "text", "--group", "5", "--seed", SEED, "--json"], dir);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&answer["groups"], &answer["lines_with_e"]), (&3.into(), &3.into()));
    assert_eq!(code(&example("rollup", &["--in", "text", "--group", "128"], dir)), 2);
    assert_eq!(code(&example("rollup", &["--in", "missing"], dir)), 2);
}
