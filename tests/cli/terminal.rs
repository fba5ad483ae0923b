//! Long work is named on a terminal, and nowhere else.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Output};

use tautochrone_testkit::examples::{code, command, ok};
use tautochrone_testkit::step;

use crate::folder::Folder;

/// Runs a program on a terminal of its own, by script(1) of util-linux.
fn on_a_terminal(line: &str, directory: &Path) -> Output {
    let program = command(line);
    let args = line.split_once(' ').map_or("", |(_, args)| args);
    let line = format!("{} {args}", program.get_program().display());
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(directory);
    script.output().expect("script, of util-linux")
}

/// The words of each line's program on a terminal, or of every third's.
fn say(directory: &Path, lines: &[(&str, &[&str])]) {
    for (line, words) in lines.iter().step_by(step(1, 3)) {
        let slow = format!("{line} --isa portable --threads 1");
        let text = ok(on_a_terminal(&slow, directory));
        for words in *words {
            assert!(text.contains(words), "{line} says {words}: {text}");
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
    let insecure = "--insecure --statement s1 --proof p1";
    let proofs: [(&str, &[&str]); 3] = [
        (&format!("prove --params params {insecure}"), &["commit", "proving"]),
        (&format!("verify {insecure} --proof p1 --proof p1 --proof p1"), &["checking"]),
        (
            "commit_file commit --in zeros --key k --statement s --proof p",
            &["committing and proving"],
        ),
    ];
    let others: [(&str, &[&str]); 6] = [
        ("modexp bench --bits 8192", &["raising to powers"]),
        ("configure --sigma 3.19 --variants 64", &["searching for a small circuit"]),
        ("matmul --w 64 --m 1200 --k 1200 --n 1200", &["multiplying"]),
        ("matmul --m 14000 --k 14000 --n 1", &["drawing the matrices"]),
        ("sample --sampler facct --sigma 9 --count 20000000", &["sampling"]),
        ("ice bench --level 8 --bytes 4194304", &["measuring"]),
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
    let slow = "modexp bench --bits 8192 --isa portable --threads 1";
    let output = command(slow).output().expect("it runs");
    // How long it took is said there, whoever reads it.
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(code(&output) == 0 && !told.contains("raising") && !told.contains('\r'), "{told}");
    let text = ok(on_a_terminal(&format!("{slow} --json"), &Folder::new()));
    assert!(text.starts_with('{') && !text.contains("raising"), "{text}");
}
