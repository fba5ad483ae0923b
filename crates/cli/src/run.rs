//! From a command line to an exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use tautochrone_simd::{ENVIRONMENT, Isa};

use crate::failure::Failure;

/// What a run that did not fail answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Exit code 0: done, or "valid".
    Yes,
    /// Exit code 1: a negative answer.
    No,
}

/// Parses the command line, runs `body`, and turns its result into an exit code. Bad usage is one
/// line and exit 2.
pub fn run<A: Parser>(body: impl FnOnce(A) -> Result<Answer, Failure>) -> ExitCode {
    // Before anything is detected.
    if let Err(e) = Isa::check_environment() {
        return fail(&format_args!("the environment variable {ENVIRONMENT}: {e}"));
    }
    let args = match A::try_parse() {
        Ok(args) => args,
        Err(e) if e.use_stderr() => {
            let text = e.render().to_string();
            let line = text
                .lines()
                .take_while(|l| !l.starts_with("Usage") && !l.starts_with("For more"))
                .map(str::trim);
            let line = line.filter(|l| !l.is_empty()).collect::<Vec<_>>().join(" ");
            return fail(&format_args!("{} (see --help)", line.trim_start_matches("error: ")));
        }
        Err(e) => {
            return if e.print().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    match body(args) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(failure) => fail(&failure),
    }
}

fn fail(message: &dyn Display) -> ExitCode {
    warn(format_args!("error: {message}"));
    ExitCode::from(2)
}

/// A line on stderr; if that is closed, nothing is left to do.
pub fn warn(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints a line of the answer to stdout; a closed pipe is a failure, not a panic.
pub fn say(line: impl Display) -> Result<(), Failure> {
    writeln!(io::stdout(), "{line}").map_err(|e| Failure::new(format!("stdout: {e}")))
}
