//! [`Program`]: a command line and what it asks for.

use std::path::Path;
use std::process::{ExitCode, Termination};

use clap::{ArgMatches, Command, Parser};
use tautochrone_simd::{ENVIRONMENT, Isa};

use crate::failure::Failure;
use crate::files::check_files;
use crate::run::{Answer, Ended, exit, fail};

/// The action of a program on a parsed command line.
pub(crate) type Body = Box<dyn FnOnce(&ArgMatches) -> Result<Answer, Ended>>;

/// A command line and what it asks for: an example by itself, or one of a [`Suite`](crate::Suite).
pub struct Program {
    pub(crate) command: Command,
    pub(crate) body: Body,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("command", &self.command).finish_non_exhaustive()
    }
}

impl Program {
    /// A program with the flags of `A`, which is prepared for its work by [`prepare`].
    pub fn new<A: Parser>(body: impl FnOnce(A) -> Result<Answer, Failure> + 'static) -> Self {
        let parse = |matches: &ArgMatches| {
            A::from_arg_matches(matches).map_err(|e| Ended::Usage(e.format(&mut A::command())))
        };
        Self {
            command: A::command(),
            body: Box::new(move |matches| {
                let args = parse(matches)?;
                prepare(&A::command(), matches).and_then(|()| body(args)).map_err(Ended::Failed)
            }),
        }
    }
}

/// What comes before all work: refuses a command line in which an output would take the place of
/// another file, and starts as many worker threads as it says.
pub fn prepare(command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    if let Some((name, matches)) = matches.subcommand() {
        let subcommand = command.find_subcommand(name).expect("it has been parsed");
        return prepare(subcommand, matches);
    }
    check_files(command, matches)?;
    // A program without the flag has no work for them.
    if !command.get_arguments().any(|arg| arg.get_id() == "threads") {
        return Ok(());
    }
    let threads = matches.get_one::<u16>("threads").map_or(0, |&threads| threads.into());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().map_err(|e| Failure::new(format!("cannot start the worker threads: {e}")))
}

/// A `main` that returns a program runs it: parses this process's command line, does what it asks
/// for, and turns the result into an exit code. The program is called what this process was called.
impl Termination for Program {
    fn report(self) -> ExitCode {
        let called = std::env::args_os().next();
        let name = called.as_deref().and_then(|path| Path::new(path).file_stem()?.to_str());
        let command = match name {
            // Once in the life of a process.
            Some(name) => self.command.name(&*name.to_owned().leak()),
            None => self.command,
        };
        start(command, self.body)
    }
}

/// Parses this process's command line and goes on with what was parsed.
pub(crate) fn start(
    command: Command,
    body: impl FnOnce(&ArgMatches) -> Result<Answer, Ended>,
) -> ExitCode {
    // Before anything is detected.
    if let Err(e) = Isa::check_environment() {
        return fail(&format_args!("the environment variable {ENVIRONMENT}: {e}"));
    }
    exit(complete(command).try_get_matches().map_err(Ended::Usage).and_then(|m| body(&m)))
}

/// The common part of programs: a version, and values that are negative numbers.
pub(crate) fn complete(command: Command) -> Command {
    with_negative_numbers(command.version(env!("CARGO_PKG_VERSION")).propagate_version(true))
}

/// Takes `-3` after a flag for its value, so that the error says what would be right.
fn with_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|arg| {
            let takes_one = arg.get_action().takes_values() && arg.get_long().is_some();
            if takes_one { arg.allow_negative_numbers(true) } else { arg }
        })
        .mut_subcommands(with_negative_numbers)
}
