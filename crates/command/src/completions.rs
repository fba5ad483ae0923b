//! `tautochrone completions`: scripts with which shells complete its command lines.

use std::io::Write;

use clap::Command;
use clap_complete::Shell;
use tautochrone_cli::{Answer, Failure, Program, Stdout};

/// Prints the script with which a shell completes command lines of tautochrone
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  completions bash > ~/.local/share/bash-completion/completions/tautochrone\n  completions zsh > /usr/local/share/zsh/site-functions/_tautochrone\n  completions fish > ~/.config/fish/completions/tautochrone.fish"
)]
struct Args {
    /// Which shell
    shell: Shell,
}

/// The program, of a whole command line.
pub(crate) fn program(whole: fn() -> Command) -> Program {
    Program::new(move |args: Args| {
        let mut command = whole();
        let name = command.get_name().to_owned();
        let mut script = Vec::new();
        clap_complete::generate(args.shell, &mut command, name, &mut script);
        let written = Stdout.write_all(&script).and_then(|()| Stdout.flush());
        written.map_err(|e| Failure::new(format!("stdout: {e}")))?;
        Ok(Answer::Yes)
    })
}
