//! Runs routines on several secrets, and compares what they do:
//! `differential [--isa TIER] [--times SECONDS] [BEGINNING OF A NAME ..]`.
//!
//! Under qemu a plugin compares the instructions (`differential.sh`). It sees the system calls of
//! the emulated program. One number, which no kernel knows, is for it: the name of a routine, in
//! pieces, and where each call of it begins and ends. With `--times`, on the CPU itself, the times
//! are compared ([`times`], `timing.sh`): a report, not a gate, for times of a shared machine prove
//! nothing by themselves.

mod arena;
#[path = "../../../differential/src/request.rs"]
mod request;
mod routines;
mod times;

use std::ffi::{c_int, c_long, c_ulong};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use request::Request;
use routines::{Report, Routine};
use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_simd::Isa;

#[global_allocator]
static ALLOCATOR: arena::Arena = arena::Arena;

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

fn ask(request: Request, argument: c_ulong) {
    // SAFETY: a kernel that does not know the call does nothing; its arguments are integers.
    unsafe { syscall(c_long::from(request::NUMBER), request as c_int, argument) };
}

/// A call of each routine in front of the calls that are compared: values that are computed once,
/// and memory that is asked for once, is then there.
const BEFORE: usize = 2;
/// Calls that are compared: on zeros, on ones, and on random words.
const CALLS: usize = 8;

/// Calls a routine, for the plugin.
fn trace(random: &mut Stream, name: &str, routine: &mut Routine<'_>) {
    for byte in name.bytes() {
        ask(Request::Name, byte.into());
    }
    // One copy of the code of the routine, however often it is called.
    let routine = black_box(routine);
    for call in 0..BEFORE + CALLS {
        let mut secrets = [0; 64];
        match call.checked_sub(BEFORE) {
            Some(0) => {}
            Some(1) => secrets = [u64::MAX; 64],
            _ => random.fill_u64(&mut secrets),
        }
        let compared = call >= BEFORE;
        if compared {
            arena::open();
        }
        routine(&secrets, &mut |run| {
            if compared {
                ask(Request::Begin, 0);
                run();
                ask(Request::End, 0);
            } else {
                run();
            }
        });
        arena::close();
    }
    ask(Request::Compare, 0);
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("differential: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let mut args = std::env::args().skip(1).peekable();
    let mut option = |name| args.next_if_eq(name).map(|_| args.next().unwrap_or_default());
    // The best, or the one that is named.
    let isa = option("--isa").map_or_else(|| Ok(Isa::detect()), |name| Isa::named(&name));
    let isa = isa.map_err(|error| error.to_string())?;
    let seconds = option("--times").map(|seconds| seconds.parse::<f64>());
    let seconds = seconds.transpose().map_err(|error| format!("--times: {error}"))?;
    let time = seconds.map(|seconds| Duration::from_secs_f64(seconds.clamp(0.1, 3600.0)));
    println!("-- {isa:?}");
    // One thread, which is what can be followed.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().expect("no pool yet");
    let mut random = Seed::from_bytes([1; 32]).stream(Label::new("differential"), 0);
    let mut control = None;
    let compare: &mut dyn FnMut(&str, &mut Routine<'_>) = match &time {
        None => &mut |name, routine| trace(&mut random, name, routine),
        Some(time) => &mut |name, routine| {
            let (score, blocks) = times::compare(*time, &mut random, routine);
            println!("{name:<24} z = {score:6.2} over {blocks} blocks");
            control.get_or_insert(score);
        },
    };
    let mut report = Report { isa, only: args.collect(), compare, routines: 0 };
    report.check_all();
    if report.routines == 0 {
        return Err(format!("no routine's name begins with {:?}", report.only));
    }
    if time.is_some() {
        routines::not_compared(isa);
        // The first of the controls, the early exit.
        if control.is_none_or(|score| score < times::LIMIT) {
            println!("BROKEN: the control was not noticed");
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}
