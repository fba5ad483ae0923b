//! `tautochrone man`: its manual pages.

use std::io;
use std::path::PathBuf;

use clap::Command;
use clap_mangen::Man;
use tautochrone_cli::{Answer, Failure, Output, Privacy, Program, say};

/// Writes the manual pages of tautochrone and of each of its subcommands
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  man --out ~/.local/share/man/man1")]
struct Args {
    /// A directory for them
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// The same for every program.
const EXIT_STATUS: &str = r#".SH "EXIT STATUS"
.TP
0
Done, or valid.
.TP
1
A negative answer: a proof is not valid, no key was found.
.TP
2
Bad usage or input, or a machine that fails; one line on stderr says what, where, and what would be
right.
.TP
141
Whoever read stdout has closed it.
.SH ENVIRONMENT
.TP
TAUTOCHRONE_ISA
Caps the instruction sets that are used: any name that \-\-isa takes.
"#;

/// The program, of a whole command line.
pub(crate) fn program(whole: fn() -> Command) -> Program {
    Program::new(move |args: Args| {
        let mut command = whole().disable_help_subcommand(true);
        command.build();
        let mut pages = Vec::new();
        render(&command, &mut pages).expect("memory takes all that is written");
        std::fs::create_dir_all(&args.out).map_err(|e| Failure::file(&args.out, e))?;
        for (name, page) in &pages {
            Output::write_whole(&args.out.join(name), Privacy::Public, page)?;
        }
        say(format_args!("{} pages in {}", pages.len(), args.out.display()))?;
        Ok(Answer::Yes)
    })
}

/// The pages of a command and of its subcommands, with their files' names.
fn render(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    page.extend_from_slice(EXIT_STATUS.as_bytes());
    pages.push((man.get_filename(), page));
    command.get_subcommands().try_for_each(|subcommand| render(subcommand, pages))
}
