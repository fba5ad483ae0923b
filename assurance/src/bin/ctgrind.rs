//! Runs every routine that handles secrets, with the secrets marked as uninitialised, and compares what valgrind reports
//! with what is claimed. Start it by `ctgrind.sh`.

#[path = "../ctgrind/bignum.rs"]
mod bignum;
#[path = "../ctgrind/controls.rs"]
mod controls;
#[path = "../ctgrind/gauss.rs"]
mod gauss;
#[path = "../ctgrind/ice.rs"]
mod ice;
#[path = "../ctgrind/kernels.rs"]
mod kernels;
#[path = "../ctgrind/matmul.rs"]
mod matmul;
#[path = "../ctgrind/stream.rs"]
mod stream;
#[path = "../ctgrind/zk.rs"]
mod zk;

use std::process::ExitCode;

use tautochrone_assurance::valgrind;
use tautochrone_simd::Isa;

/// The claims, and how they fared.
struct Report {
    filter: Option<String>,
    checked: usize,
    broken: Vec<String>,
}

impl Report {
    /// `run` must not be reported.
    fn clean(&mut self, name: &str, run: impl FnOnce()) {
        self.check(name, false, run);
    }

    /// `run` leaks, and must be reported.
    fn leaky(&mut self, name: &str, run: impl FnOnce()) {
        self.check(name, true, run);
    }

    fn check(&mut self, name: &str, leaks: bool, run: impl FnOnce()) {
        if self.filter.as_ref().is_some_and(|filter| !name.contains(filter.as_str())) {
            return;
        }
        let before = valgrind::errors();
        run();
        let reports = valgrind::errors() - before;
        let holds = (reports > 0) == leaks;
        println!(
            "{} {name}: {reports} reports{}",
            if holds { "ok    " } else { "BROKEN" },
            if leaks { ", a leak on purpose" } else { "" }
        );
        self.checked += 1;
        if !holds {
            self.broken.push(name.to_owned());
        }
    }
}

/// Asserts that an output depends on the secrets: a check of a routine that never saw one would be void.
fn still_secret<T>(output: &[T]) {
    assert!(valgrind::tainted(output), "the output does not depend on the secrets");
}

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
    let mut report = Report { filter: std::env::args().nth(1), checked: 0, broken: Vec::new() };
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
    println!("{} claims checked, {} broken", report.checked, report.broken.len());
    for name in &report.broken {
        println!("BROKEN {name}");
    }
    if report.broken.is_empty() && report.checked > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
