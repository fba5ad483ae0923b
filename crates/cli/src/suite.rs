//! [`Suite`]: several programs under one name.

use std::process::ExitCode;
use std::sync::OnceLock;

use clap::Command;

use crate::program::{Body, Program, complete, start};

/// Programs that are the subcommands of one.
#[derive(Default)]
pub struct Suite {
    commands: Vec<Command>,
    bodies: Vec<Body>,
}

/// The name of the suite that this process runs.
static NAME: OnceLock<&str> = OnceLock::new();

/// The words before the name of a program on a command line: nothing, or the name of its suite and
/// a space.
pub(crate) fn prefix() -> impl std::fmt::Display {
    NAME.get().map_or_else(String::new, |name| format!("{name} "))
}

impl std::fmt::Debug for Suite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Suite").field("commands", &self.commands).finish_non_exhaustive()
    }
}

impl Suite {
    /// Adds a program. Its subcommand has hyphens where the name has underscores, and can be called
    /// by that name, too.
    #[must_use]
    pub fn with(mut self, name: &'static str, program: Program) -> Self {
        let Program { command, body } = program;
        // Once in the life of a process.
        let hyphens: &str = name.replace('_', "-").leak();
        let command = command.name(hyphens);
        let command = if name.contains('_') { command.alias(name) } else { command };
        self.commands.push(command);
        self.bodies.push(body);
        self
    }

    /// The command line of the suite; `top` has its name and description.
    #[must_use]
    pub fn command(&self, top: Command) -> Command {
        let name = top.get_name().to_owned();
        let commands = self.commands.iter().cloned().map(|c| with_examples_of(&name, c));
        complete(top.subcommand_required(true).arg_required_else_help(true).subcommands(commands))
    }

    /// Runs the program that this process's command line names, and turns its result into an exit
    /// code.
    #[must_use]
    pub fn main(self, name: &'static str, top: Command) -> ExitCode {
        let command = self.command(top.name(name));
        let _ = NAME.set(name);
        start(command, |matches| {
            let (chosen, matches) = matches.subcommand().expect("one is required");
            let at = self.commands.iter().position(|command| command.get_name() == chosen);
            let body = self.bodies.into_iter().nth(at.expect("one of them"));
            body.expect("as many as commands")(matches)
        })
    }
}

/// The examples at the end of a program's help, as one calls it in the suite.
fn with_examples_of(suite: &str, command: Command) -> Command {
    let Some(help) = command.get_after_help().map(ToString::to_string) else { return command };
    let name = command.get_name().to_owned();
    let alone = format!("  {} ", name.replace('-', "_"));
    let lines = help.lines().map(|line| match line.strip_prefix(&alone) {
        Some(flags) => format!("  {suite} {name} {flags}"),
        None => line.to_owned(),
    });
    let help = lines.collect::<Vec<_>>().join("\n");
    command.after_help(help)
}
