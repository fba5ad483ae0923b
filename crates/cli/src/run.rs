//! From a result to an exit code, and the messages on the way.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::error::ErrorKind;

use crate::busy;
use crate::failure::Failure;

/// The answer of a run that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Exit code 0: done, or "valid".
    Yes,
    /// Exit code 1: a negative answer.
    No,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Ended {
    /// By the command line, or by a flag that asks for text (`--help`).
    Usage(clap::Error),
    Failed(Failure),
}

/// The exit code when the reader of stdout has closed it: the one that a shell shows of a program
/// that `SIGPIPE` has ended. It is no verdict.
const CLOSED_PIPE: u8 = 128 + 13;

/// Whether stdout has been closed by who read it. What follows from that is not worth a line.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// The exit code of a result; what was wrong with the command line, or failed, is one line.
pub(crate) fn exit(result: Result<Answer, Ended>) -> ExitCode {
    busy::end();
    match result {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(Ended::Failed(failure)) => fail(&failure),
        // A suite alone: its programs, as help has them.
        Err(Ended::Usage(e)) if e.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            warn(e.render());
            ExitCode::from(2)
        }
        Err(Ended::Usage(e)) if e.use_stderr() => {
            let text = e.render().to_string();
            let line = text
                .lines()
                .take_while(|l| !l.starts_with("Usage") && !l.starts_with("For more"))
                .map(str::trim);
            let line = line.filter(|l| !l.is_empty()).collect::<Vec<_>>().join(" ");
            fail(&format_args!("{} (see --help)", line.trim_start_matches("error: ")))
        }
        Err(Ended::Usage(e)) => match e.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(e) => {
                notice(&e);
                fail(&about_stdout(&e))
            }
        },
    }
}

pub(crate) fn fail(message: &dyn Display) -> ExitCode {
    if CLOSED.load(Ordering::Relaxed) {
        return ExitCode::from(CLOSED_PIPE);
    }
    warn(format_args!("error: {message}"));
    ExitCode::from(2)
}

/// A number with its noun, as in "1 attempt".
#[must_use]
pub fn counted(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A line on stderr; if that is closed, nothing is left to do.
pub fn warn(line: impl Display) {
    busy::end();
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
        busy::end();
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
