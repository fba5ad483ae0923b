//! Long work is named on a terminal, and nowhere else.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Output};

use tautochrone_testkit::examples::{code, command, ok};

use crate::folder::Folder;

/// Runs a program on a terminal of its own, by script(1) of util-linux.
fn on_a_terminal(name: &str, args: &[&str], directory: &Path) -> Output {
    let mut line = command(name).get_program().to_string_lossy().into_owned();
    for arg in args {
        line = format!("{line} {arg}");
    }
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(directory);
    script.output().expect("script, of util-linux")
}

/// The words of a program on a terminal, for each of its calls in turn.
fn say(directory: &Path, calls: &[(&str, &[&str], &[&str])]) {
    for (name, args, words) in calls {
        let slow = ["--isa", "portable", "--threads", "1"];
        let text = ok(on_a_terminal(name, &[*args, &slow].concat(), directory));
        for words in *words {
            assert!(text.contains(words), "{name} says {words}: {text}");
        }
    }
}

/// Each of these takes about a second or longer, several times what passes without a line, however
/// fast the machine is.
#[test]
#[cfg_attr(not(debug_assertions), ignore = "half a minute; the programs are the same")]
fn long_work_says_what_it_is() {
    let dir = &Folder::new();
    // Few rows of A and many columns of the challenge: one attempt takes about a second, however
    // many attempts there are.
    let params = r#"{"w": 32, "r": 64, "v": 4096, "l": 16384, "b": 1, "n": 1024}"#;
    dir.write("params", params);
    dir.write("zeros", vec![0; 100_000]);
    let files = ["--statement", "s", "--proof", "p"];
    let insecure = ["--insecure", "--statement", "s1", "--proof", "p1"];
    let several = ["--proof", "p1", "--proof", "p1", "--proof", "p1"];
    let prove = [&["--params", "params"][..], &insecure].concat();
    let verify = [&insecure[..], &several].concat();
    let keys = [&["--owner", "a"][..], &files].concat();
    let commit = [&["commit", "--in", "zeros", "--key", "k"][..], &files].concat();
    let proofs: [(&str, &[&str], &[&str]); 4] = [
        ("prove", &prove, &["commit", "proving"]),
        ("verify", &verify, &["checking"]),
        ("lwe_keys", &keys, &["making keys"]),
        ("commit_file", &commit, &["committing and proving"]),
    ];
    let others: [(&str, &[&str], &[&str]); 6] = [
        ("modexp", &["bench", "--bits", "8192"], &["raising to powers"]),
        ("configure", &["--sigma", "3.19", "--variants", "64"], &["searching for a small circuit"]),
        ("matmul", &["--w", "64", "--m", "1200", "--k", "1200", "--n", "1200"], &["multiplying"]),
        ("matmul", &["--m", "14000", "--k", "14000", "--n", "1"], &["drawing the matrices"]),
        ("sample", &["--sampler", "facct", "--sigma", "9", "--count", "20000000"], &["sampling"]),
        ("ice", &["bench", "--level", "8", "--bytes", "4194304"], &["measuring"]),
    ];
    std::thread::scope(|scope| {
        scope.spawn(|| say(dir, &proofs));
        say(dir, &others);
    });
}

/// Neither a file nor a pipe that stderr goes to has such lines in it, nor a terminal with
/// `--json`.
#[test]
fn only_terminals_are_told() {
    let directory = Folder::new();
    let slow = ["bench", "--bits", "8192", "--isa", "portable", "--threads", "1"];
    let output = command("modexp").args(slow).output().expect("it runs");
    // How long it took is said there, whoever reads it.
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(code(&output) == 0 && !told.contains("raising") && !told.contains('\r'), "{told}");
    let text = ok(on_a_terminal("modexp", &[&slow[..], &["--json"]].concat(), &directory));
    assert!(text.starts_with('{') && !text.contains("raising"), "{text}");
}
