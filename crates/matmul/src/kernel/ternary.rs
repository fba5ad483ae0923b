//! Sums of columns by table, for a tile of rows that fills 64 bytes.
#![allow(unsafe_code)]

mod generic;
#[cfg(target_arch = "x86_64")]
mod x86;

use tautochrone_simd::Isa;

use crate::word::Word;

#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
pub(super) use generic::Register;
#[cfg(target_arch = "x86_64")]
pub(super) use generic::column_of;
pub(crate) use generic::{Line, OF_FOUR, OF_THREE, Picks, Scratch, Tile, group};
#[cfg(target_arch = "x86_64")]
pub(super) use x86::Zmm;

/// Adds a tile's product to Z.
pub(crate) fn multiply<W: Word, const L: usize, const T: usize, const ROOM: usize>(
    isa: Isa,
    tile: Tile<'_, '_, W, W, L, T, ROOM>,
) {
    #[cfg(target_arch = "x86_64")]
    {
        if isa.avx512().is_some() {
            // SAFETY: the token proves AVX-512 F, BW, DQ, VL.
            return unsafe { x86::avx512::run(tile) };
        }
        if isa.avx2().is_some() {
            // SAFETY: the token proves AVX2.
            return unsafe { x86::avx2::run(tile) };
        }
    }
    let _ = isa;
    generic::run::<W, Line<W, L>, L, T, ROOM>(tile);
}

/// [`multiply`] for X of signed bytes of at most `bound`.
pub(crate) fn multiply_narrow<const T: usize, const ROOM: usize>(
    isa: Isa,
    tile: Tile<'_, '_, u8, u32, 64, T, ROOM>,
    bound: u8,
) {
    #[cfg(target_arch = "x86_64")]
    {
        if isa.avx512().is_some() {
            // SAFETY: the token proves AVX-512 F, BW, DQ, VL.
            return unsafe { x86::avx512::run_narrow(tile, bound) };
        }
        if isa.avx2().is_some() {
            // SAFETY: the token proves AVX2.
            return unsafe { x86::avx2::run_narrow(tile, bound) };
        }
    }
    let _ = isa;
    generic::run_narrow::<Line<u8, 64>, T, ROOM>(tile, bound);
}
