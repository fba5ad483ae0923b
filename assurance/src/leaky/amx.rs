//! A product by tiles, as a kernel for AMX forms it.

use core::arch::asm;

/// `ldtilecfg`'s operand: palette 1, eight tiles of 16 rows of 64 bytes.
#[repr(C, align(64))]
struct Configuration {
    palette: [u8; 16],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

static CONFIGURATION: Configuration = Configuration {
    palette: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// `z[m][n] = sum over k, i of signed y[m][4 k + i] unsigned x[k][4 n + i]`, rows of 64 bytes.
///
/// # Safety
/// The CPU must have AMX int8, and the operating system must allow tiles.
#[inline(never)]
pub unsafe fn multiply(x: &[[u8; 64]; 16], y: &[[u8; 64]; 16], z: &mut [[u32; 16]; 16]) {
    // SAFETY: the tiles that are used are configured, and the rows that are read and written are
    // the registers of the arguments.
    unsafe {
        asm!(
            "ldtilecfg [{configuration}]",
            "tilezero tmm0",
            "tileloadd tmm1, [{y} + {stride}]",
            "tileloadd tmm2, [{x} + {stride}]",
            "tdpbsud tmm0, tmm1, tmm2",
            "tilestored [{z} + {stride}], tmm0",
            "tilerelease",
            configuration = in(reg) &raw const CONFIGURATION,
            x = in(reg) x.as_ptr(),
            y = in(reg) y.as_ptr(),
            z = in(reg) z.as_mut_ptr(),
            stride = in(reg) 64_usize,
            out("tmm0") _, out("tmm1") _, out("tmm2") _,
            options(nostack),
        );
    }
}
