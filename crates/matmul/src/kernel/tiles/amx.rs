//! AMX tiles by inline assembly (the intrinsics are not stable).
//!
//! | tile | holds |
//! |---|---|
//! | tmm0 to tmm3 | sums: a row for each of 16 columns of Y, in it a lane for each of 16 rows of X |
//! | tmm4 (and tmm5) | 64 digits of 16 columns of Y, a column of Y in each row |
//! | tmm5 to tmm7 | 64 digits of 16 rows of X: in each row of the tile 4 digits of each row of X |
//!
//! `tdpb**d` adds to sum (c, r) the products of the four digits of each cell: exact in 32 bits,
//! wrapping. A panel of Y meets all panels of X of a strip, which stream from the second-level
//! cache, hence their `tileloaddt1`.
//!
//! Constant time: addresses and branches depend on shapes and numbers of digits only.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::offset_of;

use tautochrone_simd::{Amx, Vbmi};

use super::schedule::{Entry, LINES, what};
use super::{Level, Operands, Segment, Sums, Tiles, Update};
use crate::kernel::Task;
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

// The loops find the parts of a segment at these offsets.
const _: () = assert!(
    size_of::<Segment>() == 40 && offset_of!(Segment, y) == 16 && offset_of!(Segment, steps) == 32
);

/// The beginning and the end of every loop: of every segment, up to one without steps, `$second`
/// loads the addresses of the second panels, and the lines are run once a step.
macro_rules! looped {
    ($second:expr, $($line:expr,)*) => {
        concat!(
            "tilezero tmm0\n", "tilezero tmm1\n", "tilezero tmm2\n", "tilezero tmm3\n",
            "6:\n",
            "mov {x}, [{segment}]\n",
            "mov {y}, [{segment} + 16]\n",
            "mov {steps}, [{segment} + 32]\n",
            $second,
            "2:\n",
            $($line, "\n",)*
            "dec {steps}\n",
            "jnz 2b\n",
            "add {segment}, 40\n",
            "cmp qword ptr [{segment} + 32], 0\n",
            "jne 6b\n",
            "tilestored [{sums} + {row}], tmm0\n",
            "tilestored [{sums} + {row} + 1024], tmm1\n",
            "tilestored [{sums} + {row} + 2048], tmm2\n",
            "tilestored [{sums} + {row} + 3072], tmm3\n",
        )
    };
}

/// Two tiles of Y by one or two of X; `$op` multiplies.
macro_rules! quad {
    ($op:literal) => {
        looped![
            "mov {x1}, [{segment} + 8]\nmov {y1}, [{segment} + 24]\n",
            "tileloadd tmm4, [{y} + {row}]",
            "tileloaddt1 tmm6, [{x} + {row}]",
            concat!($op, " tmm0, tmm4, tmm6"),
            "tileloadd tmm5, [{y1} + {row}]",
            concat!($op, " tmm2, tmm5, tmm6"),
            "test {two:e}, {two:e}",
            "jz 3f",
            "tileloaddt1 tmm7, [{x1} + {row}]",
            concat!($op, " tmm1, tmm4, tmm7"),
            concat!($op, " tmm3, tmm5, tmm7"),
            "3:",
            "add {x}, {x_step}",
            "add {x1}, {x_step}",
            "add {y}, {y_step}",
            "add {y1}, {y_step}",
        ]
    };
}

/// Two digits of one panel of Y by two of two panels of X, modulo the square of the radix.
macro_rules! double {
    ($op:literal) => {
        looped![
            "mov {x1}, [{segment} + 8]\n",
            "tileloadd tmm6, [{y} + {row}]",
            "tileloaddt1 tmm4, [{x} + {row}]",
            concat!($op, " tmm0, tmm6, tmm4"),
            "tileloadd tmm7, [{y} + {row} + 1024]",
            concat!($op, " tmm1, tmm7, tmm4"),
            "tileloaddt1 tmm4, [{x1} + {row}]",
            concat!($op, " tmm2, tmm6, tmm4"),
            concat!($op, " tmm3, tmm7, tmm4"),
            "tileloaddt1 tmm5, [{x} + {row} + 1024]",
            concat!($op, " tmm1, tmm6, tmm5"),
            "tileloaddt1 tmm5, [{x1} + {row} + 1024]",
            concat!($op, " tmm3, tmm6, tmm5"),
            "add {x}, {x_step}",
            "add {x1}, {x_step}",
            "add {y}, {y_step}",
        ]
    };
}

/// One entry of a window, where `$a`, `$b`, `$c` hold the digits of X for sums 3, 2, 1, and `$a`
/// then that for sum 0. The next entry finds them one register further.
macro_rules! entry {
    ($op:literal, $a:literal, $b:literal, $c:literal) => {
        concat!(
            "mov {what:e}, dword ptr [{entry} + 8]\n",
            "test {what:e}, {load_y}\n",
            "jz 3f\n",
            "mov {at:e}, dword ptr [{entry}]\n",
            "add {at}, {y}\n",
            "tileloadd tmm4, [{at} + {row}]\n",
            "3:\n",
            "test {what:e}, {sum_3}\n",
            "jz 3f\n",
            concat!($op, " tmm3, tmm4, ", $a, "\n"),
            "3:\n",
            "test {what:e}, {sum_2}\n",
            "jz 3f\n",
            concat!($op, " tmm2, tmm4, ", $b, "\n"),
            "3:\n",
            "test {what:e}, {sum_1}\n",
            "jz 3f\n",
            concat!($op, " tmm1, tmm4, ", $c, "\n"),
            "3:\n",
            "test {what:e}, {load_x}\n",
            "jz 3f\n",
            "mov {at:e}, dword ptr [{entry} + 4]\n",
            "add {at}, {x}\n",
            concat!("tileloaddt1 ", $a, ", [{at} + {row}]\n"),
            "3:\n",
            "test {what:e}, {sum_0}\n",
            "jz 3f\n",
            concat!($op, " tmm0, tmm4, ", $a, "\n"),
            "3:\n",
            "add {entry}, 16\n",
            "test {what:e}, {last}\n",
            "jnz 5f\n",
        )
    };
}

macro_rules! window {
    ($op:literal) => {
        looped![
            "",
            "mov {entry}, {entries}",
            "4:",
            entry!($op, "tmm5", "tmm6", "tmm7"),
            entry!($op, "tmm6", "tmm7", "tmm5"),
            entry!($op, "tmm7", "tmm5", "tmm6"),
            "jmp 4b",
            "5:",
            "add {x}, {x_step}",
            "add {y}, {y_step}",
        ]
    };
}

/// `asm!` of a loop over the steps of two operands, with further operands of the loop.
macro_rules! run {
    ($text:expr, $operands:ident, $sums:ident, $($further:tt)*) => {
        asm!(
            $text,
            $($further)*
            segment = inout(reg) $operands.segments.0.as_ptr() => _,
            x = out(reg) _,
            y = out(reg) _,
            x_step = in(reg) $operands.x_step,
            y_step = in(reg) $operands.y_step,
            steps = out(reg) _,
            row = in(reg) 64usize,
            sums = in(reg) &raw mut *$sums,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        )
    };
}

/// `run!` of the loop for the signs of digits; the first factor is Y.
macro_rules! by_signs {
    ($loop:ident, $operands:ident, $sums:ident, $($further:tt)*) => {
        // SAFETY: guaranteed by the caller; tiles are configured as long as `self` lives.
        unsafe {
            match ($operands.x_signed, $operands.y_signed) {
                (true, true) => run!($loop!("tdpbssd"), $operands, $sums, $($further)*),
                (false, true) => run!($loop!("tdpbsud"), $operands, $sums, $($further)*),
                (true, false) => run!($loop!("tdpbusd"), $operands, $sums, $($further)*),
                (false, false) => run!($loop!("tdpbuud"), $operands, $sums, $($further)*),
            }
        }
    };
}

impl Tiles for &Configured {
    unsafe fn quad(self, operands: &Operands, two: bool, sums: &mut Sums) {
        by_signs!(quad, operands, sums,
            x1 = out(reg) _,
            y1 = out(reg) _,
            two = in(reg) u32::from(two),
        );
    }

    unsafe fn double(self, operands: &Operands, sums: &mut Sums) {
        by_signs!(double, operands, sums, x1 = out(reg) _,);
    }

    unsafe fn window(self, operands: &Operands, entries: &[Entry], sums: &mut Sums) {
        by_signs!(window, operands, sums,
            entries = in(reg) entries.as_ptr(),
            entry = out(reg) _,
            what = out(reg) _,
            at = out(reg) _,
            load_x = const what::LOAD_X,
            load_y = const what::LOAD_Y,
            sum_0 = const what::product(0),
            sum_1 = const what::product(1),
            sum_2 = const what::product(2),
            sum_3 = const what::product(3),
            last = const what::LAST,
        );
    }

    #[inline(always)]
    fn prefetch(self, start: *const u8, bytes: usize, level: Level) {
        for offset in (0..bytes).step_by(64) {
            let line = start.wrapping_add(offset).cast();
            // SAFETY: every x86-64 has the instruction, and it may have any address.
            unsafe {
                match level {
                    Level::First => _mm_prefetch::<_MM_HINT_T0>(line),
                    Level::Second => _mm_prefetch::<_MM_HINT_T1>(line),
                }
            }
        }
    }

    #[inline(always)]
    fn join<W: Word, const N: usize>(
        self,
        lanes: [&[u32; LINES]; N],
        update: &Update<'_, W>,
        z: &mut [W],
    ) {
        // SAFETY: `self` proves AVX-512.
        unsafe { join(lanes, update, z) }
    }
}

/// [`Tiles::join`], in registers of 512 bits; shorter ones at the end of Z by masks.
///
/// # Safety
/// AVX-512 F, BW, DQ, VL exist.
#[inline(always)]
unsafe fn join<W: Word, const N: usize>(
    lanes: [&[u32; LINES]; N],
    update: &Update<'_, W>,
    z: &mut [W],
) {
    let mask = ((1u32 << z.len()) - 1) as u16;
    let residues = update.residues.widen();
    // SAFETY: by the caller; only `z.len()` entries of Z are read and written.
    unsafe {
        if W::BITS == 64 {
            for half in 0..2 {
                let mask = (mask >> (8 * half)) as u8;
                let mut sum = match update.further {
                    Some(further) => _mm512_loadu_si512(further.as_ptr().add(8 * half).cast()),
                    None => _mm512_setzero_si512(),
                };
                for (k, lanes) in lanes.iter().enumerate() {
                    let lanes = _mm256_loadu_si256(lanes.as_ptr().add(8 * half).cast());
                    let shift = _mm_cvtsi32_si128(8 * k as i32);
                    let lanes = _mm512_sll_epi64(_mm512_cvtepi32_epi64(lanes), shift);
                    sum = _mm512_add_epi64(sum, lanes);
                }
                let z = z.as_mut_ptr().wrapping_add(8 * half).cast();
                if !update.store {
                    sum = _mm512_add_epi64(sum, _mm512_maskz_loadu_epi64(mask, z));
                }
                let sum = _mm512_and_si512(sum, _mm512_set1_epi64(residues as i64));
                _mm512_mask_storeu_epi64(z, mask, sum);
            }
            return;
        }
        // Words of at most 32 bits, each in the low bits of a lane.
        let mut sum = match (update.further, W::BITS) {
            (None, _) => _mm512_setzero_si512(),
            (Some(further), 8) => _mm512_cvtepu8_epi32(_mm_loadu_si128(further.as_ptr().cast())),
            (Some(further), 16) => {
                _mm512_cvtepu16_epi32(_mm256_loadu_si256(further.as_ptr().cast()))
            }
            (Some(further), _) => _mm512_loadu_si512(further.as_ptr().cast()),
        };
        for (k, lanes) in lanes.iter().enumerate() {
            let lanes = _mm512_loadu_si512(lanes.as_ptr().cast());
            let shift = _mm_cvtsi32_si128(8 * k as i32);
            sum = _mm512_add_epi32(sum, _mm512_sll_epi32(lanes, shift));
        }
        let z = z.as_mut_ptr();
        if !update.store {
            let old = match W::BITS {
                8 => _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, z.cast())),
                16 => _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, z.cast())),
                _ => _mm512_maskz_loadu_epi32(mask, z.cast()),
            };
            sum = _mm512_add_epi32(sum, old);
        }
        let sum = _mm512_and_si512(sum, _mm512_set1_epi32(residues as i32));
        match W::BITS {
            8 => _mm512_mask_cvtepi32_storeu_epi8(z.cast(), mask, sum),
            16 => _mm512_mask_cvtepi32_storeu_epi16(z.cast(), mask, sum),
            _ => _mm512_mask_storeu_epi32(z.cast(), mask, sum),
        }
    }
}

/// Forms the tiles of a task of bytes.
///
/// # Safety
/// As `tiles::multiply`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(in crate::kernel) unsafe fn run<W: Word>(token: Amx, _: Vbmi, task: &Task<'_, W>) {
    let tiles = Configured::new(token);
    // SAFETY: guaranteed by the caller.
    unsafe { super::multiply(&tiles, task) }
}
