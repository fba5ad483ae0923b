//! Welch's t-test between the times of a routine on one fixed secret and on random ones, on the
//! best instruction set of this machine: `timing -- --report [SECONDS [NAME]]`, NAME for the
//! routines whose names begin with it. |t| above 10 in the final test speaks of a leak; noise can
//! not hide the control, which leaks on purpose. Beside it the share of permutations of the
//! classes, within blocks of 64 measurements, whose difference is as large: a leak makes it 0.001,
//! the least there is; where |t| is large and this is not, it was the machine. A report, not a
//! gate: times of a shared machine prove nothing by themselves.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[cfg(target_arch = "x86_64")]
use tautochrone_assurance::leaky;
use tautochrone_assurance::routines::{self, Report, Secrets, Watch};
use tautochrone_assurance::welch;
use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_gauss::bitslice::{Adjusted, Bitslice, Width};
use tautochrone_matmul::{Matrix, MatrixMut, Multiplier, Ternary};
use tautochrone_simd::Isa;

/// The inputs of every test.
struct Times {
    isa: Isa,
    time: Duration,
    only: String,
    random: Stream,
    /// The largest |t| of the first routine that leaks on purpose.
    control: Option<f64>,
}

/// The time of the last call.
struct Clock(Duration);

impl Watch for Clock {
    fn run(&mut self, run: &mut dyn FnMut()) {
        let start = Instant::now();
        run();
        self.0 = start.elapsed();
    }
}

impl Report for Times {
    fn isa(&self) -> Isa {
        self.isa
    }

    /// Prints the largest |t|.
    fn check(&mut self, name: &str, mut routine: impl FnMut(&Secrets, &mut dyn Watch)) {
        let is_control = name.starts_with(routines::CONTROL);
        if !name.starts_with(&self.only) && !is_control {
            return;
        }
        let found = welch::test(self.time, &mut self.random, |secrets| {
            let mut clock = Clock(Duration::ZERO);
            routine(secrets, &mut clock);
            clock.0
        });
        println!(
            "{name:<24} max |t| = {:8.2} over {} measurements, permuted {:.3}",
            found.largest_t, found.count, found.permuted
        );
        self.control.get_or_insert(found.largest_t);
    }
}

/// Functions that are not timed, in the binary for the disassembly check.
fn untimed(report: &mut Times) {
    let isa = report.isa;
    // How many trials an adjusted distribution takes depends on its centre, so there is nothing to
    // compare.
    let base = Bitslice::builder().sigma(2.0).isa(isa);
    let adjusted = Adjusted::new(&base, Width::public(1.9)).expect("a width");
    adjusted
        .fill(black_box(0.5), &mut report.random, black_box(&mut [0_i32; 64]))
        .expect("a centre");
    adjusted
        .fill_centres(black_box(&[0.5; 64]), &mut report.random, black_box(&mut [0_i32; 64]))
        .expect("centres");
    // A proof multiplies public numbers alone by tables of words.
    let (x, y) = ([1_u32; 16 * 4], [1_i8; 4 * 3]);
    let x = Matrix::column_major(black_box(&x), 16, 4).expect("a matrix");
    let y = Matrix::column_major(&y, 4, 3).expect("a matrix");
    let mut z = [0_u32; 16 * 3];
    let z = MatrixMut::column_major(black_box(&mut z), 16, 3).expect("a matrix");
    let y = Ternary::public_vartime(y).expect("ternary");
    Multiplier::new_on(isa).product(x, y).add_to(z).expect("shapes agree");
    #[cfg(target_arch = "x86_64")]
    black_box((
        leaky::leaky_division as *const (),
        leaky::vector::leaky_vector_branch as *const (),
        leaky::vector::leaky_vector_mask as *const (),
        leaky::vector::leaky_vector_index as *const (),
        leaky::vector::leaky_vector_division as *const (),
    ));
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() != Some("--report") {
        eprintln!("usage: timing --report [SECONDS per routine, default 2 [NAME]]");
        return ExitCode::from(2);
    }
    let seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(2.0_f64).clamp(0.1, 3600.0);
    let isa = Isa::detect();
    println!("{isa:?}, {seconds} s each");
    let mut report = Times {
        isa,
        time: Duration::from_secs_f64(seconds),
        only: args.next().unwrap_or_default(),
        random: Seed::from_bytes([1; 32]).stream(Label::new("timing"), 0),
        control: None,
    };
    routines::check_all(&mut report);
    untimed(&mut report);
    if report.control.is_some_and(|t| t > 10.0) {
        ExitCode::SUCCESS
    } else {
        println!("BROKEN: the control was not noticed");
        ExitCode::FAILURE
    }
}
