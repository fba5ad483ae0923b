//! Runs every routine that handles secrets, with the secrets marked as uninitialised, and compares
//! the reports of valgrind with the claims. Start it by `ctgrind.sh`.

mod allocator;
mod bignum;
mod controls;
mod gauss;
mod ice;
mod kem_keys;
mod kernels;
mod matmul;
mod report;
mod rings;
mod stream;
mod zk;

use std::process::ExitCode;

use report::Report;
use tautochrone_assurance::valgrind;
use tautochrone_simd::Isa;

#[global_allocator]
static ALLOCATOR: allocator::Forgetful = allocator::Forgetful;

fn main() -> ExitCode {
    allocator::start();
    if !valgrind::running() {
        eprintln!("ctgrind: this must run under valgrind; assurance/ctgrind.sh does that");
        return ExitCode::from(2);
    }
    if !cfg!(tautochrone_ctgrind) {
        eprintln!(
            "ctgrind: built without --cfg tautochrone_ctgrind; assurance/ctgrind.sh does that"
        );
        return ExitCode::from(2);
    }
    // One thread, which is what the tracer follows.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().expect("no pool yet");
    // The tracer answers the one question to the CPU: it has tiles.
    valgrind::begin();
    let mut sets: Vec<Isa> = Isa::all().collect();
    valgrind::end();
    if valgrind::traced() {
        // The others are valgrind's, which is faster and does not know these.
        sets.retain(|isa| isa.avx512().is_some() || isa.gfni().is_some());
    }
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    // `--from TIER`: not the tiers below it.
    if args.len() > 1 && args[0] == "--from" {
        let below = sets.iter().position(|isa| isa.name() == args[1]).unwrap_or(sets.len());
        sets.drain(..below);
        args.drain(..2);
    }
    let mut report = Report::new(args);
    controls::check(&mut report);
    kernels::check(&mut report);
    kem_keys::check(&mut report);
    rings::check(&mut report);
    for isa in sets {
        println!("-- {isa:?}");
        stream::check(&mut report, isa);
        gauss::check(&mut report, isa);
        matmul::check(&mut report, isa);
        ice::check(&mut report, isa);
        bignum::check(&mut report, isa);
        zk::check(&mut report, isa);
    }
    if report.finish() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
