//! From a command line to an exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// The exit code when whoever read stdout has closed it: that which a shell shows of a program that
/// `SIGPIPE` has ended. It is no verdict.
const CLOSED_PIPE: u8 = 128 + 13;

/// Whether stdout has been closed by who read it. What follows from that is not worth a line.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Parses the command line, runs `body`, and turns its result into an exit code. Bad usage is one
/// line and exit 2.
pub fn run<A: Parser>(body: impl FnOnce(A) -> Result<Answer, Failure>) -> ExitCode {
    // Before anything is detected.
    if let Err(e) = Isa::check_environment() {
        return fail(&format_args!("the environment variable {ENVIRONMENT}: {e}"));
    }
    let parsed = command::<A>().try_get_matches().and_then(|matches| {
        A::from_arg_matches(&matches).map_err(|e| e.format(&mut command::<A>()))
    });
    let args = match parsed {
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
            return match e.print() {
                Ok(()) => ExitCode::SUCCESS,
                Err(e) => {
                    notice(&e);
                    fail(&about_stdout(&e))
                }
            };
        }
    };
    match body(args) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(failure) => fail(&failure),
    }
}

/// The command line of a program, by the name that it was called by.
fn command<A: Parser>() -> clap::Command {
    let called = std::env::args_os().next();
    let name = called.as_deref().and_then(|path| Path::new(path).file_stem()?.to_str());
    let command = A::command().version(env!("CARGO_PKG_VERSION")).propagate_version(true);
    let command = match name {
        // Once in the life of a program.
        Some(name) => command.name(&*name.to_owned().leak()),
        None => command,
    };
    with_negative_numbers(command)
}

/// Takes `-3` after a flag for its value, so that the error says what would be right.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|arg| {
            let takes_one = arg.get_action().takes_values() && arg.get_long().is_some();
            if takes_one { arg.allow_negative_numbers(true) } else { arg }
        })
        .mut_subcommands(with_negative_numbers)
}

fn fail(message: &dyn Display) -> ExitCode {
    if CLOSED.load(Ordering::Relaxed) {
        return ExitCode::from(CLOSED_PIPE);
    }
    warn(format_args!("error: {message}"));
    ExitCode::from(2)
}

/// A line on stderr; if that is closed, nothing is left to do.
pub fn warn(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints a line of the answer to stdout; a closed pipe is a failure, not a panic.
pub fn say(line: impl Display) -> Result<(), Failure> {
    writeln!(Stdout, "{line}").map_err(|e| about_stdout(&e))
}

/// A write to stdout that failed.
pub(crate) fn about_stdout(e: &dyn Display) -> Failure {
    Failure::new(format!("stdout: {e}"))
}

/// Stdout, whose end is noticed: the program then ends in silence, as filters do.
#[derive(Debug)]
pub struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes).inspect_err(notice)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().inspect_err(notice)
    }
}

fn notice(e: &io::Error) {
    if e.kind() == io::ErrorKind::BrokenPipe {
        CLOSED.store(true, Ordering::Relaxed);
    }
}
