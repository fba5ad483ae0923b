//! Runs routines on several secrets, for a plugin of qemu that compares the instructions.
//! Start it by `differential.sh`.
//!
//! The plugin sees the system calls of the emulated program. One number, which no kernel knows, is
//! for it: the name of a routine, in pieces, and where each call of it begins and ends.

mod arena;

use std::ffi::{c_int, c_long, c_ulong};
use std::hint::black_box;
use std::process::ExitCode;

use tautochrone_assurance::routines::request::{self, Request};
use tautochrone_assurance::routines::{self, Report, Secrets, Watch};
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

struct Marks {
    compared: bool,
}

impl Watch for Marks {
    fn run(&mut self, run: &mut dyn FnMut()) {
        if self.compared {
            ask(Request::Begin, 0);
            run();
            ask(Request::End, 0);
        } else {
            run();
        }
    }
}

struct Traces {
    isa: Isa,
    only: Vec<String>,
    random: Stream,
    /// How many were run, but for controls.
    routines: usize,
}

impl Report for Traces {
    fn isa(&self) -> Isa {
        self.isa
    }

    fn check(&mut self, name: &str, mut routine: impl FnMut(&Secrets, &mut dyn Watch)) {
        let is_control = name.starts_with(routines::CONTROL);
        let wanted = self.only.is_empty() || self.only.iter().any(|only| name.starts_with(only));
        if !wanted && !is_control {
            return;
        }
        self.routines += usize::from(!is_control);
        for byte in name.bytes() {
            ask(Request::Name, byte.into());
        }
        // One copy of the code of the routine, however often it is called.
        let routine: &mut dyn FnMut(&Secrets, &mut dyn Watch) = black_box(&mut routine);
        for call in 0..BEFORE + CALLS {
            let mut secrets = [0; 64];
            match call.checked_sub(BEFORE) {
                Some(0) => {}
                Some(1) => secrets = [u64::MAX; 64],
                _ => self.random.fill_u64(&mut secrets),
            }
            let compared = call >= BEFORE;
            if compared {
                arena::open();
            }
            routine(&secrets, &mut Marks { compared });
            arena::close();
        }
        ask(Request::Compare, 0);
    }
}

fn main() -> ExitCode {
    let mut only: Vec<String> = std::env::args().skip(1).collect();
    // The best, or the one that is named.
    let isa = match only.first().and_then(|first| first.strip_prefix("--isa=")) {
        None => Isa::detect(),
        Some(name) => match Isa::named(name) {
            Ok(isa) => {
                only.remove(0);
                isa
            }
            Err(error) => {
                eprintln!("differential: {error}");
                return ExitCode::from(2);
            }
        },
    };
    println!("-- {isa:?}");
    // One thread, which is what can be followed.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().expect("no pool yet");
    let random = Seed::from_bytes([1; 32]).stream(Label::new("differential"), 0);
    let mut traces = Traces { isa, only, random, routines: 0 };
    routines::check_all(&mut traces);
    if traces.routines == 0 {
        eprintln!("differential: no routine's name begins with {:?}", traces.only);
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}
