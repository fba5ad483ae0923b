//! Constant time checked by tools:
//!
//! * `ctgrind`: secrets are marked as uninitialised memory and every routine that handles them runs
//!   under valgrind, which reports each branch and each address that depends on them (Langley,
//!   ctgrind, 2010).
//! * `disassembly.py`: the compiled kernels, with the ones for AVX-512, hold no division and let no
//!   value out of a vector register into a jump or an address.
//! * `differential`: routines of all crates run on several secrets on an emulated CPU, whose plugin
//!   compares the instructions executed and the addresses used (Weiser, Zankl, Spreitzer, Miller,
//!   Mangard, Sigl, "DATA: differential address trace analysis", USENIX Security 2018). The same
//!   program compares times on the CPU itself.
//!
//! Each carries routines that leak on purpose ([`leaky`]) and fails unless it catches them.

pub mod leaky;
#[cfg(target_arch = "x86_64")]
pub mod valgrind;
