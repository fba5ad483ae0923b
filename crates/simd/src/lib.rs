//! CPU-feature tokens: zero-sized proofs that an instruction set is present, and [`Isa`], the set
//! of tokens that a computation may use.
//!
//! * Detection happens here and nowhere else in the workspace.
//! * A token such as [`Avx2`] has no public constructor: *having* one is the safety argument for
//!   entering a `#[target_feature]` function.
//! * [`Isa`] is chosen once, when a sampler, cipher or matrix context is built, and stored there.
//!   Every tier that the CPU offers can be forced ([`Isa::all`], [`Isa::named`]), so one test
//!   binary covers every code path.
//!
#![doc = include_str!("../README.md")]
//!
//! ## Capping the instruction set
//! Building with `RUSTFLAGS='--cfg tautochrone_isa="avx2"'` (or any other tier name) caps
//! [`Isa::detect`] and [`Isa::all`], so that a whole test suite runs as it would on a smaller CPU.
//!
//! The environment variable `TAUTOCHRONE_ISA` ([`ENVIRONMENT`]) does the same for one run of any
//! program: it is read once, before anything is detected, and the lower of the two caps holds. A
//! tier above a cap is [`IsaError::Unavailable`] to [`Isa::named`]. `auto`, an empty value and a
//! value that is no tier's name cap nothing; [`Isa::check_environment`] tells a program of the
//! last.
//!
//! Tiers of other architectures keep their places in the order of [`TIER_NAMES`] and are never
//! offered: on x86-64 a cap of `neon` leaves `portable`, and on aarch64 any cap above `neon` leaves
//! `neon`.
//!
//! ## Asking for AMX
//! CPUID shows what a CPU has, without a system call, except for one thing: Linux lets a process
//! use AMX tiles only after `arch_prctl(ARCH_REQ_XCOMP_PERM)`. A sandbox may refuse this call,
//! which costs no more than the tier `amx`, or kill the process for it. So it is made only when
//! that tier is about to be offered (by [`Isa::detect`], [`Isa::all`] and the names `amx` and
//! `auto` of [`Isa::named`]), on a CPU that has tiles, and below no cap. [`Isa::detect_vectors`]
//! and all other names never make it; of the workspace's crates, only `matmul` and what multiplies
//! with it have a use for tiles.
//!
//! The permission is for the process: threads have it, and children by `fork` inherit it, as they
//! do what was detected. The kernel allocates the state itself, 8 KiB a thread, at a thread's first
//! tile instruction. If it has no memory for it then, it ends the process with SIGSEGV: there is no
//! error that a program could handle. Where this matters, cap the tiers at `avx512`.
#![no_std]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]

extern crate alloc;
#[cfg(any(unix, windows, test))]
extern crate std;

mod barrier;
mod cpu;
#[cfg(target_arch = "x86_64")]
mod cpuid;
mod environment;
mod feature;
mod isa;
mod prefetch;
mod proof;
mod public;
mod rate;
mod tier;
mod token;
mod transpose;
pub mod vector;
mod vectorize;
mod wipe;

pub use barrier::value_barrier;
pub use environment::ENVIRONMENT;
pub use isa::Isa;
pub use prefetch::prefetch;
pub use proof::{HasAvx2, HasAvx512, HasGfni, HasIfma, HasNeon, HasVbmi, Token};
pub use public::{declassify, declassify_slice};
pub use rate::Ports;
pub use tier::{IsaError, TIER_NAMES};
pub use token::{
    Adx, AesNi, Amx, ArmAes, Avx2, Avx512, DotProd, Feature, Gfni, Ifma, Neon, Vaes, Vbmi, Vnni,
};
pub use transpose::transpose_bits;
pub use wipe::{Scratch, wipe};
