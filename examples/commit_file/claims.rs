//! What facts are about: bytes at a place, and sums of numbers over all pieces.

use tautochrone::zk::argument::{BatchSlot, Fact, Facts, PaddedSpace, Slot};
use tautochrone_cli::Failure;

use super::args::{Place, Value, What};
use super::pieces::{self, PIECE, ROWS};

/// Most bytes of a number of a sum: its weights stay below p / 2.
const NUMBER: u64 = 7;

/// A fact and what it is about.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) fact: Fact,
}

/// Facts in their slots: one in one, or several in three.
pub(crate) enum Claim {
    One(Slot, Fact),
    Several(BatchSlot, Facts),
}

impl Claim {
    /// In the slots from `first` on, of a statement of `l` pieces.
    pub(crate) fn new(
        space: &PaddedSpace,
        first: u32,
        l: u64,
        named: &[Named],
    ) -> Result<Self, Failure> {
        if let [Named { fact, .. }] = named {
            return Ok(Self::One(space.slot(first).map_err(Failure::new)?, fact.clone()));
        }
        let slot = space.batch_slot(first).map_err(|_| {
            let slots = space.slots();
            let problem = "several facts at once take three slots";
            Failure::new(format!("--slot {first}: {problem}, and the statement has {slots}"))
        })?;
        let facts = named.iter().map(|named| named.fact.clone()).collect();
        let facts = Facts::new(facts).map_err(Failure::new)?;
        let least = facts.least_columns(l);
        if least > l {
            let problem = format!("{l} pieces; several facts at once need {least}");
            return Err(Failure::new(format!("the statement has {problem}")));
        }
        Ok(Self::Several(slot, facts))
    }

    /// How many slots it takes.
    pub(crate) const fn slots(&self) -> u32 {
        match self {
            Self::One(..) => 1,
            Self::Several(..) => BatchSlot::SLOTS,
        }
    }
}

/// The number of pieces from `l` on with which several facts can be proved at once.
pub(crate) fn least_pieces(l: u64) -> Result<u64, Failure> {
    let all = Fact::block(0, 0, ROWS, vec![0; ROWS as usize]);
    let facts = all.and_then(|fact| Facts::new(vec![fact]));
    Ok(facts.map_err(Failure::new)?.least_columns(l))
}

/// That these bytes stand at a place of the file. Beyond its end a file has bytes of 0.
fn bytes_at(place: Place, bytes: &[u8]) -> Result<Named, Failure> {
    let (piece, within) = (place.offset / PIECE as u64, place.offset % PIECE as u64);
    let bits = bytes.iter().flat_map(|byte| (0..8).map(move |i| i64::from(byte >> i & 1)));
    // The first byte of a message says how long its piece is.
    let row = 8 * (1 + within as u32);
    let fact = Fact::block(row, piece, 8 * bytes.len() as u32, bits.collect());
    Ok(Named { name: format!("bytes {place}"), fact: fact.map_err(Failure::new)? })
}

/// That the little-endian numbers at a place of all `l` pieces add up to a value.
fn sum_at(place: Place, l: u64, value: u128) -> Result<Named, Failure> {
    let row = 8 * (1 + place.offset as u32);
    let rows = (0..8 * place.length as u32).map(|i| (row + i, 1 << i)).collect();
    let columns = (0..l).map(|j| (j, 1)).collect();
    let value = i64::try_from(value).map_err(|_| Failure::new("the sum exceeds 2^60 - 1"))?;
    let fact = Fact::sum(rows, columns, value).map_err(Failure::new)?;
    Ok(Named { name: format!("sum {place}"), fact })
}

/// Refuses places that no fact is about.
pub(crate) fn check(what: &What) -> Result<(), Failure> {
    let bytes = what.bytes.iter().map(|place| ("bytes", place, PIECE as u64));
    for (name, place, most) in bytes.chain(what.sum.iter().map(|place| ("sum", place, NUMBER))) {
        let within = if name == "bytes" { place.offset % PIECE as u64 } else { place.offset };
        let end = within.checked_add(place.length);
        let fits = end.is_some_and(|end| end <= PIECE as u64);
        if !fits || !(1..=most).contains(&place.length) {
            let expected = format!("expected 1 to {most} bytes within one piece of {PIECE}");
            return Err(Failure::new(format!("--{name} {place}: {expected}")));
        }
    }
    Ok(())
}

/// The facts that are true of a file, given its messages.
pub(crate) fn of_messages(what: &What, messages: &[i8]) -> Result<Vec<Named>, Failure> {
    let pieces: Vec<Vec<u8>> = messages.chunks(ROWS as usize).filter_map(pieces::bytes).collect();
    let file = pieces.concat();
    let bytes = what.bytes.iter().map(|&place| {
        let start = usize::try_from(place.offset).unwrap_or(usize::MAX);
        let bytes = file.get(start..).and_then(|rest| rest.get(..place.length as usize));
        let length = file.len();
        let bytes = bytes.ok_or_else(|| Failure::new(format!("the file has {length} bytes")))?;
        bytes_at(place, bytes)
    });
    let sums = what.sum.iter().map(|&place| {
        let number = |piece: &Vec<u8>| {
            let at = |i: u64| piece.get((place.offset + i) as usize).copied().unwrap_or(0);
            (0..place.length).map(|i| u128::from(at(i)) << (8 * i)).sum::<u128>()
        };
        sum_at(place, pieces.len() as u64, pieces.iter().map(number).sum())
    });
    bytes.chain(sums).collect()
}

/// The facts that a reader asks about.
pub(crate) fn of_values(what: &What, value: &Value, l: u64) -> Result<Vec<Named>, Failure> {
    let texts = value.text.iter().map(|text| Ok(text.clone().into_bytes()));
    let decode =
        |digits: &String| hex::decode(digits).map_err(|e| Failure::new(format!("--hex: {e}")));
    let values: Vec<Vec<u8>> =
        texts.chain(value.hex.iter().map(decode)).collect::<Result<_, _>>()?;
    let same = |name, places: usize, values: usize, expected| {
        if places == values {
            return Ok(());
        }
        let problem = format!("{places} places and {values} values; expected {expected} for each");
        Err(Failure::new(format!("--{name}: {problem}")))
    };
    same("bytes", what.bytes.len(), values.len(), "a --text or --hex")?;
    same("sum", what.sum.len(), value.total.len(), "a --value")?;
    let bytes = what.bytes.iter().zip(&values).map(|(&place, bytes)| {
        if bytes.len() as u64 != place.length {
            let got = bytes.len();
            return Err(Failure::new(format!("--bytes {place}: {got} bytes are given")));
        }
        bytes_at(place, bytes)
    });
    let sums = what.sum.iter().zip(&value.total);
    bytes.chain(sums.map(|(&place, &total)| sum_at(place, l, total.into()))).collect()
}
