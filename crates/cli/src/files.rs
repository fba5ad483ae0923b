//! No output takes the place of another file of a command line.

use std::any::TypeId;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};

use crate::failure::Failure;
use crate::place::place;

/// The value of an option that is a path, by the name that help has of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `FILE` or `PATH`, which are read.
    Input,
    /// `OUT`, a file that is written.
    Output,
    /// `OUT|-`, which may be stdout.
    OutputOrStdout,
}

impl Kind {
    fn of(arg: &Arg) -> Option<Self> {
        let name = arg.get_value_names()?.first()?;
        let kind = match name.as_str() {
            "FILE" | "PATH" => Some(Self::Input),
            "OUT" => Some(Self::Output),
            "OUT|-" => Some(Self::OutputOrStdout),
            _ => None,
        };
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        debug_assert!(
            kind.is_some() || name == "DIR" || !is_path,
            "--{name}: a path of which kind?"
        );
        kind
    }
}

/// Refuses a command line in which an output would take the place of an input or of another output,
/// or has the place of the report: stdout is for that, unless a program can do without it.
pub(crate) fn check_files(command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
    for arg in command.get_arguments() {
        let (Some(flag), Some(kind)) = (arg.get_long(), Kind::of(arg)) else { continue };
        for path in matches.get_raw(arg.get_id().as_str()).into_iter().flatten().map(Path::new) {
            match kind {
                Kind::Input => inputs.push((flag, path)),
                Kind::Output if path == Path::new("-") => {
                    let problem = "needs a file name: stdout is for the report";
                    return Err(Failure::new(format!("--{flag} {problem}")));
                }
                Kind::OutputOrStdout if path == Path::new("-") => {
                    if matches.get_flag("json") {
                        let problem = "and --json both want stdout; give a file name";
                        return Err(Failure::new(format!("--{flag} - {problem}")));
                    }
                }
                Kind::Output | Kind::OutputOrStdout => outputs.push((flag, path)),
            }
        }
    }
    distinct(&outputs, &inputs)
}

/// Refuses outputs that would take the place of another output or of an input, given as names of
/// flags and paths. Devices and pipes are not replaced.
pub fn distinct(outputs: &[(&str, &Path)], inputs: &[(&str, &Path)]) -> Result<(), Failure> {
    for (i, (name, path)) in outputs.iter().enumerate() {
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            continue;
        }
        let (mut others, own) = (outputs[..i].iter().chain(inputs), place(path));
        if let Some((other, _)) = others.find(|(_, other)| place(other) == own) {
            let what = format!("--{other} and --{name} both name it; give two files");
            return Err(Failure::file(path, what));
        }
    }
    Ok(())
}
