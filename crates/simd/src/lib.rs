//! CPU-feature tokens: zero-sized proofs that an instruction set is present, and [`Isa`], the set of tokens that a
//! computation may use.
//!
//! * Detection happens here and nowhere else in the workspace.
//! * A token such as [`Avx2`] has no public constructor: *having* one is the safety argument for entering a
//!   `#[target_feature]` function.
//! * [`Isa`] is chosen once, when a sampler, cipher or matrix context is built, and stored there. Every tier that the
//!   CPU offers can be forced ([`Isa::all`], [`Isa::named`]), so one test binary covers every code path.
//!
//! ```
//! use tautochrone_simd::Isa;
//!
//! let isa = Isa::detect();
//! let path = if isa.avx512().is_some() { "512-bit kernel" } else { "something narrower" };
//! println!("{isa}: {path}");
//! assert!(Isa::PORTABLE.avx2().is_none());
//! ```
//!
//! # Capping the instruction set
//! Building with `RUSTFLAGS='--cfg tautochrone_isa="avx2"'` (or any other tier name) caps [`Isa::detect`] and
//! [`Isa::all`], so that a whole test suite runs as it would on a smaller CPU.
#![no_std]

#[cfg(target_arch = "x86_64")]
mod cpuid;
mod feature;
mod isa;
mod public;
mod token;

pub use feature::Feature;
pub use isa::{Isa, IsaError, TIER_NAMES};
pub use public::{declassify, declassify_slice};
pub use token::{Adx, AesNi, Amx, Avx2, Avx512, Gfni, Ifma, Vaes, Vbmi, Vnni};

/// Features of this CPU, as a set of [`Feature`] bits; empty on other architectures.
#[cfg(not(target_arch = "x86_64"))]
mod cpuid {
    pub(crate) fn detected() -> u32 {
        0
    }
}
