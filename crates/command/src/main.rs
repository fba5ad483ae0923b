//! The example programs as subcommands of one, with completions for shells and manual pages.
//!
//! `cargo install --path crates/command --locked --profile dist` installs it.
#![expect(
    clippy::mod_module_files,
    reason = "a folder's `mod.rs` is the root of an example and a module here"
)]

mod completions;
mod man;

use std::process::ExitCode;

use tautochrone_cli::Suite;

/// The name of the program.
const NAME: &str = "tautochrone";

/// The examples as modules.
macro_rules! examples {
    ($($name:ident),* $(,)?) => {
        #[path = "../../../examples"]
        mod examples {
            $(pub(crate) mod $name;)*
        }

        /// Every example, with its name.
        fn with_examples(suite: Suite) -> Suite {
            suite$(.with(stringify!($name), examples::$name::main()))*
        }
    };
}
examples! {
    prove, verify, estimate, keys, commit_file, circuit, rollup, pir, sample, configure,
    matmul, modexp, ice, isa,
}

/// The description of the program.
fn top() -> clap::Command {
    clap::Command::new(NAME)
        .about("Lattice proofs, discrete Gaussian samplers, products modulo 2^w, powers, and ICE")
        .after_help(
            "Exit codes: 0 done or valid, 1 a negative answer, 2 bad usage or input (one line on \
             stderr), 141 closed output",
        )
}

fn suite() -> Suite {
    with_examples(Suite::default())
        .with("completions", completions::program(command))
        .with("man", man::program(command))
}

/// The whole command line.
fn command() -> clap::Command {
    suite().command(top())
}

fn main() -> ExitCode {
    suite().main(NAME, top())
}
