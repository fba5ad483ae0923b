//! Which column holds what: a front that is never opened, the length of the file, its pieces.

use tautochrone_cli::Failure;
use tautochrone_zk::argument::{
    BatchSlot, Fact, Facts, PAD_ROWS, PaddedSpace, RANGE_PAD_ROWS, RangeSlot, Ranges, RowRange,
};
use tautochrone_zk::estimate::Hardness;
use tautochrone_zk::uses::commitment::MessageSpace;
use tautochrone_zk::{Distribution, Error, Params, Security};

/// Bytes of a file in a piece.
pub(crate) const PIECE: usize = 128;
/// Bits of a piece.
pub(crate) const ROWS: u32 = 8 * PIECE as u32;

/// That all entries are bits, as a claim that can be proved.
pub(crate) fn bits() -> Result<Ranges, Error> {
    Ranges::new(vec![RowRange { first_row: 0, rows: ROWS, low: 0, high: 1 }])
}

/// The claims that can be proved under the pads of some slots.
struct Claims {
    /// Several facts at once, about any rows: as many columns are closed as for all of them.
    facts: Option<Facts>,
    ranges: Option<Ranges>,
}

impl Claims {
    fn new(facts: u32, ranges: u32) -> Result<Self, Error> {
        let all = || Facts::new(vec![Fact::block(0, 0, ROWS, vec![0; ROWS as usize])?]);
        Ok(Self {
            facts: (facts >= BatchSlot::SLOTS).then(all).transpose()?,
            ranges: (ranges > 0).then(bits).transpose()?,
        })
    }

    /// f, of `l` columns in all.
    fn front(&self, l: u64) -> u64 {
        let facts = self.facts.as_ref().map_or(0, |facts| facts.closed(l));
        facts.max(self.ranges.as_ref().map_or(0, |ranges| ranges.closed(l)))
    }

    /// Whether `l` columns are enough for a front, `data` columns behind it, and the claims.
    fn fit(&self, l: u64, data: u64) -> bool {
        let masks = self.ranges.as_ref().is_none_or(|ranges| ranges.least_columns(l) == l);
        masks && self.front(l) + data <= l
    }
}

/// The least number of columns for a file of so many pieces, with slots for facts and for ranges.
pub(crate) fn least_columns(pieces: u64, facts: u32, ranges: u32) -> Result<u64, Error> {
    let (claims, data) = (Claims::new(facts, ranges)?, 1 + pieces);
    // The front and 64 columns more are fewer than 3 (11 + 64) + 73.
    let most = data + 300;
    Ok((data..most).find(|&l| claims.fit(l, data)).unwrap_or(most))
}

/// The columns of a statement. Its header says all of this, so every reader has the same.
pub(crate) struct Layout {
    /// What it costs to tell messages apart: the rows of a message hide nothing.
    pub(crate) hiding: Hardness,
    /// `None` if no claim can be proved of it, so that there are no pads and there is no front.
    pub(crate) space: Option<PaddedSpace>,
    front: u64,
    l: u64,
}

impl Layout {
    pub(crate) fn of(params: &Params) -> Result<Self, Failure> {
        let hiding = MessageSpace::new(params, ROWS, Security::Required).map_err(Failure::new)?;
        let hiding = hiding.hiding();
        let ((facts, ranges), l) = (slots(params), params.l());
        let front = Claims::new(facts, ranges).map_err(Failure::new)?.front(l);
        if l < front + 2 {
            let expected = front + 2;
            return Err(Failure::new(format!(
                "{l} columns; a file that was committed to with such slots has {expected} or more"
            )));
        }
        let space = (facts + ranges > 0).then(|| {
            let space = PaddedSpace::with_ranges(params, ROWS, facts, ranges, Security::Required);
            space.map(|space| space.with_front(front))
        });
        Ok(Self { hiding, space: space.transpose().map_err(Failure::new)?, front, l })
    }

    /// Where the bits of all columns are proved, if they are: `commit --exact`.
    pub(crate) fn range_slot(&self) -> Option<RangeSlot> {
        self.space.and_then(|space| space.range_slot(0).ok())
    }

    /// The column of the length.
    pub(crate) const fn length_column(&self) -> u64 {
        self.front
    }

    /// The column of a piece.
    pub(crate) const fn column(&self, piece: u64) -> u64 {
        self.front.saturating_add(1).saturating_add(piece)
    }

    /// How many pieces there may be: the columns behind that of the length.
    pub(crate) const fn pieces(&self) -> u64 {
        self.l - self.front - 1
    }

    /// The bits of all columns, 0 or 1, so b = 1; `None` for a file of more pieces.
    pub(crate) fn messages(&self, file: &[u8]) -> Option<Vec<i8>> {
        if file.len() as u64 > PIECE as u64 * self.pieces() {
            return None;
        }
        let mut bits = vec![0; ROWS as usize * self.l as usize];
        let length = (file.len() as u64).to_le_bytes();
        for (bytes, column) in [(&length[..], self.front), (file, self.front + 1)] {
            let bits = bits[ROWS as usize * column as usize..].chunks_exact_mut(8);
            for (byte, bits) in bytes.iter().zip(bits) {
                bits.iter_mut().enumerate().for_each(|(i, bit)| *bit = (byte >> i & 1) as i8);
            }
        }
        Some(bits)
    }
}

/// How many facts can be proved of a statement, and how many claims of ranges: their pads are the
/// second group of rows, and those of a claim are no multiple of those of a fact.
fn slots(params: &Params) -> (u32, u32) {
    let group = params.row_groups().get(1);
    let pads = group.filter(|group| group.distribution == Distribution::Any);
    let rows = pads.map_or(0, |group| group.rows);
    let ranges = u32::from(!rows.is_multiple_of(PAD_ROWS) && rows >= RANGE_PAD_ROWS);
    ((rows - RANGE_PAD_ROWS * ranges) / PAD_ROWS, ranges)
}
