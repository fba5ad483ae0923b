//! Runs every routine that handles secrets, with the secrets marked as uninitialised, and compares
//! what valgrind reports with what is claimed. Start it by `ctgrind.sh`.

mod bignum;
mod controls;
mod gauss;
mod ice;
mod kernels;
mod matmul;
mod report;
mod stream;
mod zk;

use std::process::ExitCode;

use report::Report;
use tautochrone_assurance::valgrind;
use tautochrone_simd::Isa;

fn main() -> ExitCode {
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
    let mut report = Report::new(std::env::args().nth(1));
    controls::check(&mut report);
    kernels::check(&mut report);
    for isa in Isa::all() {
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
