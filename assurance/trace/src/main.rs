//! Follows secrets through a program as it runs, one instruction at a time, on the real CPU:
//! `trace [--rules] [--singly] [--log FILE] [--executed FILE] PROGRAM [ARGUMENT ..]`.
//!
//! The program marks secrets by valgrind's client requests (`MAKE_MEM_UNDEFINED`), as for memcheck,
//! and what it wants followed by `int3` at the beginning and a request of ours at the end; the rest
//! runs at full speed. Instructions in a row whose addresses are known before the first of them are
//! executed at once, up to a breakpoint; with `--singly`, each is stepped through, which finds the
//! same and is slow. Of every instruction that is followed it is known which bytes of its operands
//! depend on a secret. A jump, an address, a division or a square root that does is a finding.
//! Tiles of AMX are emulated, with the permission for them, so that code for them runs on any CPU
//! with AVX-512.
//!
//! This does for all instructions of the CPU what valgrind does for AVX2; it knows instructions
//! from iced-x86, and the values from the CPU itself. It follows one thread.

mod address;
mod decoded;
mod execution;
mod process;
mod propagate;
mod registers;
mod report;
mod requests;
mod rules;
mod run;
mod scalar;
mod shadow;
mod straight;
mod system;
#[cfg(test)]
mod tests;
mod tiles;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use run::Options;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).peekable();
    let mut options =
        Options { log: PathBuf::from("/dev/null"), executed: None, singly: false, rules: false };
    while let Some(option) = args.next_if(|arg| arg.starts_with("--")) {
        match option.as_str() {
            "--singly" => options.singly = true,
            "--rules" => options.rules = true,
            "--log" | "--executed" => match (option.as_str(), args.next()) {
                ("--log", Some(file)) => options.log = file.into(),
                (_, Some(file)) => options.executed = Some(file.into()),
                (_, None) => return usage(),
            },
            _ => return usage(),
        }
    }
    let Some(program) = args.next() else { return usage() };
    let mut command = Command::new(&program);
    command
        .args(args)
        .env("TAUTOCHRONE_TRACE", "1")
        .env("LD_BIND_NOW", "1")
        .env("RAYON_NUM_THREADS", "1");
    // Vector registers instead of string instructions, which are stepped through byte by byte.
    command.env(
        "GLIBC_TUNABLES",
        "glibc.cpu.x86_rep_movsb_threshold=1073741824:glibc.cpu.x86_rep_stosb_threshold=1073741824",
    );
    match run::run(&mut command, &program, &options) {
        Ok(code) => ExitCode::from(code.clamp(0, 255) as u8),
        Err(error) => {
            eprintln!("trace: {error}");
            ExitCode::from(2)
        }
    }
}

fn usage() -> ExitCode {
    eprintln!(
        "usage: trace [--rules] [--singly] [--log FILE] [--executed FILE] PROGRAM [ARGUMENT ..]"
    );
    ExitCode::from(2)
}
