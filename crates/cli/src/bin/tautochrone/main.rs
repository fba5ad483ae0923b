//! The example programs as subcommands of one, with completions for shells and manual pages.
//!
//! `cargo install --path crates/cli` installs it.

mod completions;
mod man;

use std::process::ExitCode;

use tautochrone_cli::Suite;

/// The name of the program.
const NAME: &str = "tautochrone";

/// The sources of the examples; what starts each of them by itself is not used here.
macro_rules! examples {
    ($($(#[$path:meta])* $name:ident;)*) => {
        $($(#[$path])* #[expect(dead_code, reason = "`main`")] mod $name;)*

        /// Every example, with its name.
        fn examples(suite: Suite) -> Suite {
            suite$(.with(stringify!($name), $name::program()))*
        }
    };
}
examples! {
    #[path = "../../../../../examples/prove/main.rs"] prove;
    #[path = "../../../../../examples/verify/main.rs"] verify;
    #[path = "../../../../../examples/estimate/main.rs"] estimate;
    #[path = "../../../../../examples/lwe_keys/main.rs"] lwe_keys;
    #[path = "../../../../../examples/commit_file/main.rs"] commit_file;
    #[path = "../../../../../examples/circuit/main.rs"] circuit;
    #[path = "../../../../../examples/rollup/main.rs"] rollup;
    #[path = "../../../../../examples/pir/main.rs"] pir;
    #[path = "../../../../../examples/sample/main.rs"] sample;
    #[path = "../../../../../examples/configure.rs"] configure;
    #[path = "../../../../../examples/matmul/main.rs"] matmul;
    #[path = "../../../../../examples/modexp/main.rs"] modexp;
    #[path = "../../../../../examples/ice/main.rs"] ice;
    #[path = "../../../../../examples/ziggurat_tables/main.rs"] ziggurat_tables;
    #[path = "../../../../../examples/isa.rs"] isa;
}

/// What is said of the whole.
fn top() -> clap::Command {
    clap::Command::new(NAME)
        .about("Lattice proofs, discrete Gaussian samplers, products modulo 2^w, powers, and ICE")
        .after_help(
            "Exit codes: 0 done or valid, 1 a negative answer, 2 bad usage or input (one line on \
             stderr), 141 closed output",
        )
}

fn suite() -> Suite {
    examples(Suite::default())
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
