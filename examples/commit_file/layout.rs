//! The columns: the length of the file, then its pieces, behind the columns that mask proofs.

use tautochrone_cli::Failure;
use tautochrone_zk::argument::{Claims, Fact, Layout, Ranges, RowRange};
use tautochrone_zk::{Distribution, Error, Params};

/// Bytes of a file in a piece.
pub(crate) const PIECE: usize = 128;
/// Bits of a piece.
pub(crate) const ROWS: u32 = 8 * PIECE as u32;
/// The column of the length. As all columns here it is one of messages.
pub(crate) const LENGTH: u64 = 0;
/// All rows are bits.
pub(crate) const BITS: RowRange = RowRange { first_row: 0, rows: ROWS, low: 0, high: 1 };

/// The same as a claim that can be proved.
pub(crate) fn bits() -> Claims {
    Ranges::new(vec![BITS]).expect("a range of two integers").into()
}

/// The column of a piece.
pub(crate) const fn column(piece: u64) -> u64 {
    piece.saturating_add(1)
}

/// So many slots: the first is for the bits, each of the others for a list of facts.
pub(crate) fn layout(slots: u32, columns: u64) -> Result<Layout, Error> {
    // Facts need no masks.
    let fact = Claims::from(Fact::block(0, 0, 1, vec![0])?);
    let claims = |slot| if slot == 0 { bits() } else { fact.clone() };
    (0..slots).try_fold(Layout::new(ROWS, columns), |layout, slot| layout.with_slot(&claims(slot)))
}

/// The messages of a statement, and its pads if there are any. Its header says all of this, so
/// every reader has the same.
pub(crate) fn of(params: &Params) -> Result<Layout, Failure> {
    let group = params.row_groups().get(1);
    let pads = group.filter(|group| group.distribution == Distribution::Any);
    // One slot has two pads.
    let pad = layout(1, 2)?.pad_rows() / 2;
    let slots = pads.map_or(0, |group| (group.rows / pad).saturating_sub(1));
    let l = params.l();
    let closed = layout(slots, l)?.closed();
    // Fewer columns need no more in front.
    let mut layouts = (l.saturating_sub(closed).max(2)..=l).flat_map(|data| layout(slots, data));
    let layout = layouts.find(|layout| layout.all_columns() == l).ok_or_else(|| {
        Failure::new(format!(
            "{l} columns; expected a length and pieces behind those of {slots} slots"
        ))
    })?;
    layout.hiding(params)?;
    Ok(layout)
}

/// How many pieces there may be.
pub(crate) const fn pieces(layout: &Layout) -> u64 {
    layout.columns() - 1
}

/// The bits of all columns, 0 or 1, so b = 1; `None` for a file of more pieces.
pub(crate) fn messages(layout: &Layout, file: &[u8]) -> Option<Vec<i8>> {
    if file.len() as u64 > PIECE as u64 * pieces(layout) {
        return None;
    }
    let mut bits = vec![0; ROWS as usize * layout.columns() as usize];
    let (of_length, of_pieces) = bits.split_at_mut(ROWS as usize);
    let length = (file.len() as u64).to_le_bytes();
    for (bytes, bits) in [(&length[..], of_length), (file, of_pieces)] {
        for (byte, bits) in bytes.iter().zip(bits.chunks_exact_mut(8)) {
            bits.iter_mut().enumerate().for_each(|(i, bit)| *bit = (byte >> i & 1) as i8);
        }
    }
    Some(bits)
}
