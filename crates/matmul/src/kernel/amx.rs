//! AMX tiles by inline assembly (the intrinsics are not stable).
//!
//! A panel of X is 32 rows, one of Y 32 columns; `Z^T = Y^T X^T` in 2 x 2 tiles of 16 x 16 sums, so
//! that a tile row is 16 adjacent entries of a column of Z:
//!
//! | tile | holds | rows | row stride |
//! |---|---|---|---|
//! | tmm0, tmm1 | sums of columns 0-15 of Y with rows 0-15, 16-31 of X | 16 columns of Y | 128 bytes |
//! | tmm2, tmm3 | the same for columns 16-31 | | |
//! | tmm4, tmm5 | 64 digits of columns 0-15, 16-31 of Y, signed | 16 columns of Y | 64 bytes |
//! | tmm6, tmm7 | 16 cells of rows 0-15, 16-31 of X, unsigned | 16 cells | 128 bytes |
//!
//! `tdpbsud` adds to sum (c, r) the products of the four digits of each cell: exact in 32 bits,
//! wrapping.
//!
//! **No CPU with AMX was at hand where this was written**: it has run on one that Bochs emulates
//! (`assurance/amx.sh`), where it passes the cross-ISA tests, and its speed is not known.
//! `emulated.rs` shares everything with it but the `asm!` blocks.
#![allow(unsafe_code)]

use core::arch::asm;

use tautochrone_simd::Amx;

use super::block::{self, Pair, TILE, Task, Tile};
use crate::word::Word;

/// `ldtilecfg`'s operand: palette 1, eight tiles of 16 rows of 64 bytes (Intel SDM volume 1,
/// section 18.1).
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

static CONFIGURATION: Configuration = {
    let mut row_bytes = [0; 16];
    let mut rows = [0; 16];
    let mut tile = 0;
    while tile < 8 {
        row_bytes[tile] = 64;
        rows[tile] = 16;
        tile += 1;
    }
    Configuration { palette: 1, start_row: 0, reserved: [0; 14], row_bytes, rows }
};

/// The calling thread's tiles are configured while this lives. Dropping it also clears the tile
/// registers.
struct Configured {
    _proof: Amx,
}

impl Configured {
    fn new(token: Amx) -> Self {
        // SAFETY: the token proves AMX and the operating system's permission; the operand is a
        // valid configuration.
        unsafe {
            asm!("ldtilecfg [{}]", in(reg) &raw const CONFIGURATION, options(nostack, readonly));
        }
        Self { _proof: token }
    }
}

impl Drop for Configured {
    fn drop(&mut self) {
        // SAFETY: the token in `self` proves AMX.
        unsafe {
            asm!("tilerelease", options(nostack, nomem));
        }
    }
}

impl Tile for &Configured {
    type Lane = u32;
    const ROWS: usize = 32;
    const COLUMNS: usize = 32;

    #[inline(always)]
    unsafe fn multiply(
        self,
        pairs: &[Pair],
        cells: usize,
        _: usize,
        _: usize,
        out: &mut [u32; TILE],
    ) {
        // z[c][r] := sum over pairs, steps, cells of y[c] x[r]. Inputs: `pairs` (not empty),
        // `steps` of 64 digits (not zero); output: 4 KiB at `out`. Clobbers all tiles. X streams
        // from the second-level cache, hence `tileloaddt1`; Y's panel stays in the first. Constant
        // time: no branch or address depends on a digit. SAFETY: panels of X have `16 steps` cells
        // of 128 bytes and panels of Y `steps` cells of 2048 bytes; tiles are configured as long as
        // `self` lives; `out` is 4096 writable bytes.
        unsafe {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "2:",
                "mov {x}, [{pairs}]",
                "mov {y}, [{pairs} + 8]",
                "mov {k}, {steps}",
                "3:",
                "tileloadd tmm4, [{y} + {y_row}]",
                "tileloaddt1 tmm6, [{x} + {x_row}]",
                "tdpbsud tmm0, tmm4, tmm6",
                "tileloaddt1 tmm7, [{x} + {x_row} + 64]",
                "tdpbsud tmm1, tmm4, tmm7",
                "tileloadd tmm5, [{y} + {y_row} + 1024]",
                "tdpbsud tmm2, tmm5, tmm6",
                "tdpbsud tmm3, tmm5, tmm7",
                "add {x}, 2048",
                "add {y}, 2048",
                "dec {k}",
                "jnz 3b",
                "add {pairs}, 16",
                "dec {count}",
                "jnz 2b",
                "tilestored [{out} + {x_row}], tmm0",
                "tilestored [{out} + {x_row} + 64], tmm1",
                "tilestored [{out} + {x_row} + 2048], tmm2",
                "tilestored [{out} + {x_row} + 2112], tmm3",
                pairs = inout(reg) pairs.as_ptr() => _,
                count = inout(reg) pairs.len() => _,
                steps = in(reg) cells / 16,
                x = out(reg) _,
                y = out(reg) _,
                k = out(reg) _,
                out = in(reg) out.as_mut_ptr(),
                x_row = in(reg) 128usize,
                y_row = in(reg) 64usize,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack),
            );
        }
    }
}

/// Forms the tiles of a task of bytes.
///
/// # Safety
/// As `block::multiply`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn run<W: Word>(token: Amx, task: &Task<'_, W>) {
    let tiles = Configured::new(token);
    // SAFETY: guaranteed by the caller.
    unsafe { block::multiply(&tiles, task) }
}
