//! Sums and differences of whole numbers along the carry flag.
#![allow(unsafe_code)]
use core::arch::asm;

use tautochrone_simd::Adx;

/// Limbs of a turn of the loops.
pub(crate) const GROUP: usize = 8;

/// z := x op y, and the carry or borrow, from one that comes in; all of n limbs, a multiple of
/// eight, not zero. `dec` and `lea` leave the carry flag alone. Constant-time: the only jump counts
/// n.
macro_rules! chains {
    ($($(#[$doc:meta])* $name:ident = $op:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// All three are valid for `n` limbs, z for writing; it is x or y, or does not overlap
            /// them.
            #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
            unsafe fn $name(
                _: Adx,
                z: *mut u64,
                x: *const u64,
                y: *const u64,
                n: usize,
                mut carry: u64,
            ) -> u64 {
                assert!(n > 0 && n.is_multiple_of(GROUP), "limbs of a chain");
                // SAFETY: every CPU of this architecture has the instructions; the caller's
                // promise.
                unsafe {
                    asm!(
                        // The carry flag.
                        "neg {c}",
                        "2:",
                        ".set i,0",
                        ".rept 8",
                        "mov {t},[{x}+8*i]",
                        concat!($op, " {t},[{y}+8*i]"),
                        "mov [{z}+8*i],{t}",
                        ".set i,i+1",
                        ".endr",
                        "lea {x},[{x}+64]",
                        "lea {y},[{y}+64]",
                        "lea {z},[{z}+64]",
                        "dec {n}",
                        "jnz 2b",
                        "sbb {c},{c}",
                        x = inout(reg) x => _, y = inout(reg) y => _, z = inout(reg) z => _,
                        n = inout(reg) n / GROUP => _, t = out(reg) _, c = inout(reg) carry,
                        options(nostack),
                    );
                }
                carry & 1
            }
        )*
    };
}
chains! {
    /// z := x + y + carry, returns the carry.
    sum = "adc";
    /// z := x - y - borrow, returns the borrow.
    difference = "sbb";
}

/// x := x + y + carry, returns the carry.
pub(crate) fn add(adx: Adx, x: &mut [u64], y: &[u64], carry: u64) -> u64 {
    assert_eq!(x.len(), y.len(), "widths differ");
    // SAFETY: the lengths; x is x.
    unsafe { sum(adx, x.as_mut_ptr(), x.as_ptr(), y.as_ptr(), x.len(), carry) }
}

/// z := x + y + carry, returns the carry.
pub(crate) fn add_to(adx: Adx, z: &mut [u64], x: &[u64], y: &[u64], carry: u64) -> u64 {
    assert!(x.len() == y.len() && z.len() == x.len(), "widths differ");
    // SAFETY: the lengths; z is borrowed alone.
    unsafe { sum(adx, z.as_mut_ptr(), x.as_ptr(), y.as_ptr(), x.len(), carry) }
}

/// z := x - y, returns the borrow.
pub(crate) fn sub_to(adx: Adx, z: &mut [u64], x: &[u64], y: &[u64]) -> u64 {
    assert!(x.len() == y.len() && z.len() == x.len(), "widths differ");
    // SAFETY: as above.
    unsafe { difference(adx, z.as_mut_ptr(), x.as_ptr(), y.as_ptr(), x.len(), 0) }
}

/// x := x + w, returns the carry.
#[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
pub(crate) fn add_limb(_: Adx, x: &mut [u64], w: u64) -> u64 {
    assert!(!x.is_empty() && x.len().is_multiple_of(GROUP), "limbs of a chain");
    let carry: u64;
    // SAFETY: every CPU of this architecture has the instructions; all accesses lie in the asserted
    // length.
    unsafe {
        asm!(
            "xor {c:e},{c:e}",
            "2:",
            // w to the lowest limb of all, zero to the lowest limb of every other turn.
            "adc [{x}],{w}",
            ".set i,1",
            ".rept 7",
            "adc qword ptr [{x}+8*i],0",
            ".set i,i+1",
            ".endr",
            "mov {w:e},0",
            "lea {x},[{x}+64]",
            "dec {n}",
            "jnz 2b",
            "adc {c},0",
            x = inout(reg) x.as_mut_ptr() => _, w = inout(reg) w => _,
            n = inout(reg) x.len() / GROUP => _, c = out(reg) carry,
            options(nostack),
        );
    }
    carry
}
