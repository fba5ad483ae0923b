//! The common part of the example programs: common flags, exit codes, whole-file output, progress.
//! The program `tautochrone` of this package has them all as subcommands.
//!
//! Contract: exit 0 means done or "valid", 1 a negative answer, 2 bad usage or input, 141 that
//! whoever read stdout has closed it. One line on stderr says what was wrong, where, and what would
//! be right. No output file is ever left half-written.
#![allow(
    clippy::missing_errors_doc,
    reason = "every failure is one line for whoever runs the program"
)]

mod busy;
mod common;
pub mod device;
mod exact;
mod failure;
mod files;
mod input;
pub mod keys;
mod line;
mod masks;
mod output;
pub mod params;
mod partial;
mod place;
mod program;
pub mod ranges;
pub mod require;
mod rounds;
mod run;
pub mod seed;
mod suite;
mod verdict;

pub use common::{Common, Seeded};
pub use exact::{ExactArgs, ExactClaim, KeyArgs, NormArg, RangeArg};
pub use failure::Failure;
pub use files::distinct;
pub use input::{
    DATA, OPTION, about_input, open, read, read_exactly, read_proof, text, without_mark,
};
pub use line::CommandLine;
pub use masks::MaskArgs;
pub use output::{Output, Privacy};
pub use params::{ParamsArgs, waivable};
#[cfg(unix)]
pub use partial::signals;
pub use place::place;
pub use program::{Program, prepare};
pub use rounds::Rounds;
pub use run::{Answer, Stdout, counted, say, warn};
pub use seed::{SeedBytes, part, public_part};
pub use suite::Suite;
pub use verdict::Outcome;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
