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

#[cfg(unix)]
impl folder::Folder {
    /// Runs a line as a user would, in a shell that finds the examples; returns the exit code.
    fn run_line(&self, line: &str) -> i32 {
        use tautochrone_testkit::examples::{code, command};

        let examples = std::path::Path::new(command("verify").get_program()).to_owned();
        let mut shell = std::process::Command::new("/bin/sh");
        shell.args(["-c", line]).env("PATH", examples.parent().expect("a directory"));
        code(&shell.current_dir(self).output().expect("a shell"))
    }
}
