//! Constant-time arithmetic on fixed-width integers, in the manner of FFA ("Finite Field
//! Arithmetic", Datskovskiy).
//!
//! * Numbers are little-endian slices of 64-bit limbs; their width is public, their value is
//!   secret. [`Fixed`] and [`BoxedNumber`] own their limbs, in place or on the heap, and wipe them
//!   when dropped.
//! * No operation branches on a value, uses it as an address, or divides by it in hardware. What an
//!   error reports (a zero modulus, an even one where Montgomery was asked for, a number without
//!   inverse) is public.
//! * [`modexp()`], [`modexp_pair`], [`modexp_batch`] and [`modexp_bytes`] choose the fastest of
//!   several engines. [`Method::Barrett`] takes the same time for every modulus of a width; the
//!   time of [`Method::Auto`] may show whether the modulus is odd.
//! * [`Barrett`], [`Montgomery`], [`Mul`], [`div`], [`gcd`], [`prime`], [`shift`] are the parts.
//! * Not audited. Constant time is best effort, as a compiler may turn a mask into a branch: check
//!   the build that you run.
//!
#![doc = include_str!("../README.md")]
//!
//! ## FFA's names and ours
//! | FFA | here |
//! |---|---|
//! | `W_Mux`, `W_ZeroP`, `W_NZeroP` | [`limb::mux`], [`limb::is_zero`], [`limb::is_nonzero`] |
//! | `Shift_Left_Gated`, `Shift_Right_Gated` | [`limb::shl_gated`], [`limb::shr_gated`] |
//! | `W_Carry`, `W_Borrow`, `Mul_Word` | [`limb::add`], [`limb::sub`], [`limb::mac`] |
//! | `FZ_Clear`, `WBool_To_FZ` | [`fz::clear`], [`fz::set_limb`] |
//! | `FZ_Mux`, `FZ_Swap` | [`fz::mux`], [`fz::swap`] |
//! | `FZ_EqP`, `FZ_LessThanP`, `FZ_GreaterThanP`, `FZ_ZeroP`, `FZ_OddP` | [`fz::eq`], [`fz::lt`], [`fz::gt`], [`fz::is_zero`], [`fz::is_odd`] |
//! | `FZ_Add`, `FZ_Add_Gated`, `FZ_Sub`, `FZ_Sub_Gated`, `FZ_Sub_Abs` | [`fz::add`], [`fz::add_gated`], [`fz::sub`], [`fz::sub_gated`], [`fz::abs_diff`] |
//! | `FZ_And`, `FZ_Or`, `FZ_Xor`, `FZ_Not`, `FZ_Neg` | [`fz::and`], [`fz::or`], [`fz::xor`], [`fz::not`], [`fz::neg`] |
//! | `FZ_ShiftLeft`, `FZ_ShiftRight`, `FZ_Measure` | [`shift::shl`], [`shift::shr`], [`shift::measure`] |
//! | `FZ_Quiet_ShiftLeft`, `FZ_Quiet_ShiftRight` | [`shift::quiet_shl`], [`shift::quiet_shr`] |
//! | `FZ_Quiet_Shift*_SubW`, `.._SubW_Soft` | [`shift::sublimb_shl`] .. , [`shift::sublimb_shl_soft`] .. |
//! | `FZ_Multiply`, `FZ_Square`, `FZ_Low_Multiply` | [`Mul::mul`], [`Mul::square`], [`Mul::mul_low`] |
//! | `FZ_Mul_Comba`, `FZ_Low_Mul_Comba`, `Karatsuba_Thresh` | [`Mul::with_comba`] |
//! | `FZ_IDiv`, `FZ_Mod` | [`div::div_rem`] |
//! | `FZ_Make_Barrettoid`, `FZ_Barrett_Reduce` | [`Barrett::new`], [`Barrett::reduce`] |
//! | `FZ_Mod_Mul`, `FZ_Mod_Sqr`, `FZ_Mod_Exp` | [`Barrett::mul`], [`Barrett::square`], [`Barrett::pow`] |
//! | `FZ_Greatest_Common_Divisor` | [`gcd::gcd`] |
//! | `FZ_MR_Composite_On_Witness` | [`prime::miller_rabin`] (all ones: no witness against primality) |
//!
//! A *mask* is a limb that is all ones for true and zero for false. Slices that an operation
//! combines have equal lengths; other lengths are a bug of the caller, and panic.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_variables, reason = "some shared parts serve vector kernels only")
)]
#![cfg_attr(
    not(test),
    warn(clippy::integer_division_remainder_used, reason = "its time depends on the operands")
)]
#![deny(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod asm;
mod barrett;
#[cfg(test)]
mod check;
pub mod convert;
#[cfg(all(feature = "crypto-bigint", target_pointer_width = "64"))]
mod crypto_bigint;
mod digits;
pub mod div;
mod error;
mod exponent;
pub mod fz;
pub mod gcd;
mod ifma_product;
pub mod limb;
mod modexp;
mod montgomery;
mod mul;
mod number;
mod power;
pub mod prime;
mod radix52;
mod select;
pub mod shift;

pub use barrett::Barrett;
pub use error::Error;
pub use modexp::{
    Job, Method, modexp, modexp_batch, modexp_bytes, modexp_bytes_vartime, modexp_pair,
};
pub use montgomery::Montgomery;
pub use mul::Mul;
pub use number::{BoxedNumber, Fixed, Number};

/// The vector kernels on emulated registers, for valgrind, which does not know AVX-512.
#[cfg(tautochrone_ctgrind)]
#[doc(hidden)]
pub mod emulated {
    use tautochrone_simd::vector::Emulated;

    use crate::exponent::Exponent;
    use crate::modexp::ifma::{barrett, montgomery};

    /// One exponentiation by Barrett as on IFMA; the modulus is not zero.
    pub fn modexp(r: &mut [u64], base: &[u64], exponent: &[u64], m: &[u64]) {
        barrett::modexp::<Emulated<8>>((), r, base, Exponent::secret(exponent), m);
    }

    /// One exponentiation by Montgomery as on IFMA, of at most 51 limbs; the modulus is odd.
    pub fn modexp_odd(r: &mut [u64], base: &[u64], exponent: &[u64], m: &[u64]) {
        montgomery::modexp::<Emulated<8>>((), r, base, Exponent::secret(exponent), m);
    }

    /// Two exponentiations by Montgomery at once, as on IFMA, of at most 16 limbs each; the moduli
    /// are odd.
    pub fn modexp_pair(jobs: [crate::Job<'_>; 2]) -> [Vec<u64>; 2] {
        crate::modexp::ifma::pair::modexp::<Emulated<8>>((), jobs)
    }

    /// `z := x y` as on IFMA.
    pub fn mul(z: &mut [u64], x: &[u64], y: &[u64]) {
        crate::ifma_product::mul::<Emulated<8>>((), z, x, y);
    }

    /// `z := x^2` as on IFMA.
    pub fn square(z: &mut [u64], x: &[u64]) {
        crate::ifma_product::square::<Emulated<8>>((), z, x);
    }

    /// `z := x y` modulo 2^(64 n) as on IFMA.
    pub fn mul_low(z: &mut [u64], x: &[u64], y: &[u64]) {
        crate::ifma_product::mul_low::<Emulated<8>>((), z, x, y);
    }

    /// Up to eight exponentiations of one width as on IFMA; no modulus is zero.
    pub fn modexp_lanes(jobs: &[crate::Job<'_>]) -> Vec<Vec<u64>> {
        crate::modexp::ifma_x8::modexp::<Emulated<8>>((), jobs)
    }
}
