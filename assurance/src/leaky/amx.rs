//! A product by tiles that leaks in one of several ways, as a kernel for AMX could.

use core::arch::asm;
use core::arch::x86_64::*;
use core::hint::black_box;

/// The ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// None: the control of the controls.
    None,
    /// A branch on a digit.
    Branch,
    /// A table entry at a digit.
    Index,
    /// `memcmp` of two rows of digits.
    Compare,
    /// A branch on a sum that a tile has stored.
    StoredTile,
    /// A branch on digits that a vector register has stored.
    StoredVector,
    /// A column of zeros that is skipped.
    ZeroColumn,
    /// A division by a digit.
    Division,
}

impl Leak {
    /// All that leak.
    pub const ALL: [Self; 7] = [
        Self::Branch,
        Self::Index,
        Self::Compare,
        Self::StoredTile,
        Self::StoredVector,
        Self::ZeroColumn,
        Self::Division,
    ];
}

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
/// The CPU must have AMX int8 and AVX-512 F, and the operating system must allow tiles.
#[inline(never)]
#[target_feature(enable = "avx512f")]
pub unsafe fn multiply(
    leak: Leak,
    x: &[[u8; 64]; 16],
    y: &[[u8; 64]; 16],
    z: &mut [[u32; 16]; 16],
) {
    match leak {
        Leak::Branch => {
            if x[0][0] == 7 {
                black_box(1);
            }
        }
        Leak::Index => {
            black_box(black_box(&[3_u8; 256])[usize::from(x[0][0])]);
        }
        Leak::Compare => {
            black_box(black_box(&x[0][..]) == black_box(&y[0][..]));
        }
        Leak::StoredVector => {
            // SAFETY: a row is 64 bytes, and so is the array.
            let words: [u64; 8] =
                unsafe { core::mem::transmute(_mm512_loadu_si512(x[1].as_ptr().cast())) };
            if black_box(words)[3] == 5 {
                black_box(1);
            }
        }
        Leak::ZeroColumn => {
            if y[0].iter().all(|&digit| digit == 0) {
                *z = [[0; 16]; 16];
                return;
            }
        }
        Leak::Division => {
            black_box(1_000_003 / (black_box(u32::from(x[0][0])) | 1));
        }
        Leak::None | Leak::StoredTile => {}
    }
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
    if leak == Leak::StoredTile && z[2][3] == 5 {
        black_box(1);
    }
}
