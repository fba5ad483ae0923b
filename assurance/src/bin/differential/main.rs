//! Runs every routine on several secrets, for a plugin of qemu that compares what is executed.
//! Start it by `differential.sh`.
//!
//! The plugin sees the system calls of the emulated program. One number, which no kernel knows, is
//! for it: the name of a routine, in pieces, and where each call of it begins and ends.

mod arena;

use std::ffi::{c_int, c_long, c_ulong};
use std::hint::black_box;
use std::process::ExitCode;

use tautochrone_assurance::routines::{self, Report, Secrets, Watch};
use tautochrone_ctr::{Label, Seed, Stream};
use tautochrone_simd::Isa;

#[global_allocator]
static ALLOCATOR: arena::Arena = arena::Arena;

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

/// No system call of Linux: see `differential/src/lib.rs`.
const REQUEST: c_long = 0x7a07;

/// What is asked of the plugin.
#[derive(Clone, Copy)]
enum Request {
    Name = 1,
    Begin = 2,
    End = 3,
    Compare = 4,
}

fn ask(request: Request, argument: c_ulong) {
    // SAFETY: a kernel that does not know the call does nothing; its arguments are integers.
    unsafe { syscall(REQUEST, request as c_int as c_long, argument) };
}

/// A call of each routine in front of those that are compared: what is computed once, and memory
/// that is asked for once, is then there.
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
}

impl Report for Traces {
    fn isa(&self) -> Isa {
        self.isa
    }

    fn check(&mut self, name: &str, mut routine: impl FnMut(&Secrets, &mut dyn Watch)) {
        let wanted = self.only.is_empty() || self.only.iter().any(|only| name.starts_with(only));
        if !wanted && !name.starts_with(routines::CONTROL) {
            return;
        }
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
    let mut sets: Vec<Isa> = Isa::all().collect();
    // The best alone, or the one that is named.
    let named = only.first().and_then(|first| first.strip_prefix("--isa="));
    match named {
        Some(name) => sets.retain(|isa| isa.name() == name),
        None => drop(sets.drain(..sets.len() - 1)),
    }
    if named.is_some() {
        only.remove(0);
    }
    let Some(&isa) = sets.first() else {
        eprintln!("differential: this CPU has no such instruction set");
        return ExitCode::from(2);
    };
    println!("-- {isa:?}");
    // One thread, which is what can be followed.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().expect("no pool yet");
    let random = Seed::from_bytes([1; 32]).stream(Label::new("differential"), 0);
    routines::check_all(&mut Traces { isa, only, random });
    ExitCode::SUCCESS
}
