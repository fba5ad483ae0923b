//! The example programs as scripts and their users run them.

mod circuit;
mod commit_file;
mod committer;
mod configure;
mod detection;
mod device;
#[path = "../folder.rs"]
mod folder;
mod ice;
mod keys;
mod lines;
mod lwe_keys;
mod matmul;
mod messages;
mod modexp;
mod pipes;
mod pir;
mod programs;
mod proofs;
mod rollup;
mod sample;
mod terminal;

use serde_json::Value;
use tautochrone_testkit::examples::{code, command};

impl folder::Folder {
    /// The exit code of an example.
    #[track_caller]
    fn code(&self, line: impl AsRef<str>) -> i32 {
        code(&self.output(line))
    }

    /// The JSON of an example that succeeds.
    #[track_caller]
    fn json(&self, line: impl AsRef<str>) -> Value {
        let (code, answer) = self.verdict(line);
        assert_eq!(code, 0, "{answer}");
        answer
    }

    /// The exit code of an example, and its JSON.
    #[track_caller]
    fn verdict(&self, line: impl AsRef<str>) -> (i32, Value) {
        let output = self.output(format!("{} --json", line.as_ref()));
        let answer = serde_json::from_slice(&output.stdout);
        (code(&output), answer.unwrap_or_else(|e| panic!("{e}: {output:?}")))
    }

    /// Removes a file.
    fn remove(&self, name: &str) {
        std::fs::remove_file(self.join(name)).expect("there");
    }

    /// Runs a line as a user would, in a shell that finds the examples; returns the exit code.
    fn run_line(&self, line: &str) -> i32 {
        let examples = std::path::Path::new(command("verify").get_program()).to_owned();
        let mut shell = std::process::Command::new("/bin/sh");
        shell.args(["-c", line]).env("PATH", examples.parent().expect("a directory"));
        code(&shell.current_dir(self).output().expect("a shell"))
    }
}
