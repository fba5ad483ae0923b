//! Cycles, by a chain of multiplications: each takes three, and none can be left out. (Chains of
//! additions of constants are folded by recent CPUs.)

use std::arch::asm;
use std::time::Instant;

/// Cycles of a multiplication of 64 bits on the x86-64 CPUs since 2008.
const LATENCY: f64 = 3.0;
const LINKS: u64 = 16;
const PASSES: u64 = 4000;

/// Billions of cycles a second: the most of three short runs, 50 microseconds each.
pub(crate) fn gigahertz() -> f64 {
    let once = || {
        let start = Instant::now();
        chain();
        (LINKS * PASSES) as f64 * LATENCY / start.elapsed().as_secs_f64() / 1e9
    };
    once().max(once()).max(once())
}

fn chain() {
    // SAFETY: changes two general registers.
    unsafe {
        asm!(
            "2:",
            ".rept 16",
            "imul {product}, {product}",
            ".endr",
            "dec {passes}",
            "jnz 2b",
            product = inout(reg) 3_u64 => _,
            passes = inout(reg) PASSES => _,
            options(nostack, nomem),
        );
    }
}
