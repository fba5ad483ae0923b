//! Packed operands of entries of two bits, in a quarter of their bytes.
//!
//! Byte i of four adjacent tiles of a panel, each an entry in [-2, 1], is one byte: the entry of
//! tile t at bits 2 t and 2 t + 1. Of a last group with fewer tiles the missing ones are zero.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use tautochrone_simd::{declassify, vectorize};

use super::{Packer, Store, TOGETHER, pack_panels};
use crate::buffer::Buffer;
use crate::error::Error;
use crate::layout::Layout;
use crate::matrix::Matrix;
use crate::matrix::any::{AnyMatrix, with_matrix};
use crate::parallel;
use crate::width::Width;
use crate::word::Operand;

/// Bytes of a tile: 64 terms of 16 lines.
const TILE: usize = 1024;
/// Tiles that share bytes.
const TILES: usize = 4;

/// A packed operand of entries of two bits: `[block][panel][four steps][byte of a tile]`.
#[derive(Default)]
pub(crate) struct TwoBits(Buffer);

impl TwoBits {
    /// Whether operands of this layout and width may be stored so: layouts for tiles, of one digit.
    pub(crate) fn takes(layout: &Layout, width: Width) -> bool {
        layout.step.is_some() && layout.encoding.count == 1 && width.signed && width.bits <= 2
    }

    /// Bytes of an operand.
    pub(crate) fn bytes(layout: &Layout) -> usize {
        (0..layout.blocks()).map(|block| panel_bytes(layout.steps(block)) * layout.panels()).sum()
    }

    /// Packs a matrix whose rows are the lines, a panel at a time.
    ///
    /// # Errors
    /// [`Error::BeyondBits`], which is all that is revealed of the entries.
    pub(crate) fn pack(
        packer: Packer,
        layout: &Layout,
        view: AnyMatrix<'_>,
        parallel: bool,
    ) -> Result<Self, Error> {
        with_matrix!(view, view => Self::pack_view(packer, layout, view, parallel))
    }

    fn pack_view<T: Operand>(
        packer: Packer,
        layout: &Layout,
        view: Matrix<'_, T>,
        parallel: bool,
    ) -> Result<Self, Error> {
        let mut store = Self::default();
        let mut rest = store.0.bytes_mut(Self::bytes(layout));
        let beyond = AtomicBool::new(false);
        for block in 0..layout.blocks() {
            let (size, packed) = (layout.panel_bytes(block), panel_bytes(layout.steps(block)));
            let (bytes, others) = rest.split_at_mut(packed * layout.panels());
            rest = others;
            parallel::for_each_chunk(bytes, TOGETHER * packed, parallel, |group, out| {
                let mut scratch = Buffer::default();
                #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
                let tiles = scratch.bytes_mut(out.len() / packed * size);
                let found = pack_panels(packer, layout, &view, block, group * TOGETHER, tiles);
                beyond.fetch_or(found, Ordering::Relaxed);
                for (tiles, out) in tiles.chunks_exact(size).zip(out.chunks_exact_mut(packed)) {
                    compress(packer, tiles, out);
                }
            });
        }
        if declassify(beyond.into_inner()) {
            return Err(Error::BeyondBits { bits: view.bits() });
        }
        Ok(store)
    }

    /// Writes the panels in a range to `store`, as an operand of these lines alone, whose layout is
    /// returned.
    pub(crate) fn expand(
        &self,
        packer: Packer,
        layout: &Layout,
        panels: Range<usize>,
        store: &mut Store,
        parallel: bool,
    ) -> Layout {
        let height = layout.shape.lines;
        let lines = layout.lines.min(panels.end * height) - panels.start * height;
        let strip = Layout { lines, ..*layout };
        let (mut bytes, mut rest) =
            (self.0.bytes(Self::bytes(layout)), store.digits.bytes_mut(strip.bytes()));
        for block in 0..layout.blocks() {
            let (size, packed) = (layout.panel_bytes(block), panel_bytes(layout.steps(block)));
            let (own, others) = bytes.split_at(packed * layout.panels());
            let (out, others_out) = rest.split_at_mut(size * panels.len());
            (bytes, rest) = (others, others_out);
            let own = &own[panels.start * packed..panels.end * packed];
            parallel::for_each_chunk(out, size, parallel, |panel, tiles| {
                expand(packer, &own[panel * packed..][..packed], tiles);
            });
        }
        strip
    }
}

/// Bytes of a panel of so many tiles.
const fn panel_bytes(tiles: usize) -> usize {
    tiles.div_ceil(TILES) * TILE
}

/// Stores the tiles of a panel.
fn compress(packer: Packer, tiles: &[u8], out: &mut [u8]) {
    let groups = tiles.chunks(TILES * TILE).zip(out.chunks_exact_mut(TILE));
    vectorize!(packer, {
        for (tiles, out) in groups {
            let mut rest = tiles.chunks_exact(TILE);
            let first = rest.next().expect("a group has a tile");
            for (out, &entry) in out.iter_mut().zip(first) {
                *out = entry & 3;
            }
            for (shift, tile) in (2..).step_by(2).zip(rest) {
                for (out, &entry) in out.iter_mut().zip(tile) {
                    *out |= (entry & 3) << shift;
                }
            }
        }
    });
}

/// The tiles of a panel.
fn expand(packer: Packer, bytes: &[u8], tiles: &mut [u8]) {
    let groups = tiles.chunks_mut(TILES * TILE).zip(bytes.as_chunks().0);
    for (tiles, bytes) in groups {
        let tiles = tiles.as_chunks_mut().0.iter_mut();
        match packer {
            Packer::Portable => expand_portable(bytes, tiles),
            #[cfg(target_arch = "x86_64")]
            Packer::Vbmi(token) => super::vbmi::expand(token, bytes, tiles),
        }
    }
}

/// Up to four tiles.
fn expand_portable<'a>(bytes: &[u8; TILE], tiles: impl Iterator<Item = &'a mut [u8; TILE]>) {
    for (tile, shift) in tiles.zip([0, 2, 4, 6]) {
        for (entry, &byte) in tile.iter_mut().zip(bytes) {
            // Two bits in two's complement.
            *entry = ((byte >> shift & 3) ^ 2).wrapping_sub(2);
        }
    }
}
