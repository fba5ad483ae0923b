//! Comba's columns, unrolled at 8, 16 and 32 limbs (bvt 2019, FFA Ch. 14), with `mulx`.
#![allow(unsafe_code)]
use core::arch::asm;

use tautochrone_simd::Adx;

/// z := x y. Inputs x[L], y[L]; output z[columns], columns = 2 L for the product, L for the low
/// one. Accumulator c0, c1, c2 over one column; clobbers rdx and flags. `mulx` (BMI2) only.
/// Constant-time: straight line. `z` does not overlap `x` or `y`.
macro_rules! columns {
    ($(#[$doc:meta])* $name:ident, $kernel:ident, $columns:literal) => {
        $(#[$doc])*
        pub(crate) fn $name(adx: Adx, z: &mut [u64], x: &[u64], y: &[u64]) -> bool {
            match x.len() {
                8 => $kernel::<8>(adx, z, x, y),
                16 => $kernel::<16>(adx, z, x, y),
                32 => $kernel::<32>(adx, z, x, y),
                _ => return false,
            }
            true
        }

        fn $kernel<const L: usize>(_: Adx, z: &mut [u64], x: &[u64], y: &[u64]) {
            assert!(x.len() == L && y.len() == L && z.len() == $columns * L);
            // SAFETY: the token proves ADX, and every CPU with ADX has BMI2; all accesses lie in
            // the asserted lengths.
            unsafe {
                asm!(
                    "xor {c0:e},{c0:e}", "xor {c1:e},{c1:e}", "xor {c2:e},{c2:e}",
                    ".set k,0",
                    ".rept {C}*{L}",
                    ".set i,0",
                    ".rept {L}",
                    ".if (k-i >= 0) && (k-i < {L})",
                    "mov rdx,[{x}+8*i]", "mulx {h},{l},[{y}+8*(k-i)]", "add {c0},{l}", "adc {c1},{h}", "adc {c2},0",
                    ".endif",
                    ".set i,i+1",
                    ".endr",
                    "mov [{z}+8*k],{c0}", "mov {c0},{c1}", "mov {c1},{c2}", "xor {c2:e},{c2:e}",
                    ".set k,k+1",
                    ".endr",
                    L = const L, C = const $columns,
                    x = in(reg) x.as_ptr(), y = in(reg) y.as_ptr(), z = in(reg) z.as_mut_ptr(),
                    c0 = out(reg) _, c1 = out(reg) _, c2 = out(reg) _, h = out(reg) _, l = out(reg) _, out("rdx") _,
                    options(nostack)
                );
            }
        }
    };
}
columns! {
    /// The product where there is a kernel for the width; false where there is none.
    mul, product, 2
}
columns! {
    /// The low product where there is a kernel for the width.
    mul_low, low, 1
}
