//! Packed operands of entries of two bits, in a quarter of their bytes.
//!
//! Byte i of four adjacent tiles of a panel, each an entry in [-2, 1], is one byte: the entry of
//! tile t at bits 2 t and 2 t + 1. Of a last group with fewer tiles the missing ones are zero.

use core::ops::Range;

use tautochrone_simd::vectorize;

use super::{Form, Packer, Store};
use crate::buffer::Buffer;
use crate::layout::Layout;
use crate::parallel;
use crate::width::Width;

/// Bytes of a tile: 64 terms of 16 lines.
const TILE: usize = 1024;
/// Tiles that share bytes.
const TILES: usize = 4;

/// Whether operands of this layout and width may be stored so: layouts for tiles, of one digit.
pub(crate) fn takes(layout: &Layout, width: Width) -> bool {
    layout.step.is_some() && layout.encoding.count == 1 && width.signed && width.bits <= 2
}

/// Bytes of a panel of so many tiles.
pub(super) const fn panel_bytes(tiles: usize) -> usize {
    tiles.div_ceil(TILES) * TILE
}

/// Writes adjacent panels, each of which `digits` packs to `size` bytes; what `digits` returns.
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
pub(super) fn pack(
    packer: Packer,
    size: usize,
    out: &mut [u8],
    digits: impl FnOnce(&mut [u8]) -> bool,
) -> bool {
    let mut scratch = Buffer::default();
    let packed = panel_bytes(size / TILE);
    let tiles = scratch.bytes_mut(out.len() / packed * size);
    let found = digits(tiles);
    for (tiles, out) in tiles.chunks_exact(size).zip(out.chunks_exact_mut(packed)) {
        compress(packer, tiles, out);
    }
    found
}

impl Store {
    /// Writes the panels in a range, of an operand that was packed so, to `out`, as an operand of
    /// these lines alone, whose layout is returned.
    pub(crate) fn expand(
        &self,
        packer: Packer,
        layout: &Layout,
        panels: Range<usize>,
        out: &mut Self,
        parallel: bool,
    ) -> Layout {
        let height = layout.shape.lines;
        let lines = layout.lines.min(panels.end * height) - panels.start * height;
        let strip = Layout { lines, ..*layout };
        let mut bytes = self.digits.bytes(Form::TwoBits.bytes(layout));
        let mut rest = out.digits.bytes_mut(strip.bytes());
        for block in 0..layout.blocks() {
            let (size, packed) = (layout.panel_bytes(block), panel_bytes(layout.steps(block)));
            let (own, others) = bytes.split_at(packed * layout.panels());
            let (out, others_out) = rest.split_at_mut(size * panels.len());
            (bytes, rest) = (others, others_out);
            let own = &own[panels.start * packed..panels.end * packed];
            let both = out.chunks_mut(size).zip(own.chunks(packed));
            parallel::for_each(both, parallel, |_, (tiles, own)| expand(packer, own, tiles));
        }
        strip
    }
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
            #[cfg(target_arch = "x86_64")]
            Packer::Vbmi(token) => super::vbmi::expand(token, bytes, tiles),
            _ => expand_portable(bytes, tiles),
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
