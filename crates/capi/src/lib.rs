//! The C library. Its documentation is `include/tautochrone.h`, which cbindgen writes from here:
//! `TAUTOCHRONE_HEADER=write cargo test --test header`.
//!
//! Every function that C calls goes through [`status::guard`]: no panic crosses the boundary, and
//! every error has a code and a message. Pointers become references in [`memory`] alone.

mod memory;
mod message;
mod product;
mod proof;
mod prover;
mod sampler;
mod status;
mod stream;
mod threads;

use core::ffi::{CStr, c_char};

/// The version of the library, as "0.1.0"; for ever.
#[unsafe(no_mangle)]
pub extern "C" fn tautochrone_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no NUL"),
        };
    VERSION.as_ptr()
}
