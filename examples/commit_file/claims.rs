//! The subjects of facts: bytes at a place, and sums of numbers over all pieces.

use tautochrone_cli::Failure;
use tautochrone_zk::Params;
use tautochrone_zk::argument::{Fact, P};

use super::args::{Place, Value, What};
use super::layout::{self, PIECE, column};

/// Most bytes of a number of a sum: its weights stay below p / 2.
const NUMBER: u64 = 7;

/// A fact and what it is about.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) fact: Fact,
    /// Whether its proof shows it of integers, and not modulo p alone: a sum of bits.
    pub(crate) over_the_integers: bool,
}

/// How many pieces of a file of `length` bytes have all of a place: the first ones.
const fn pieces_with(place: Place, length: u64) -> u64 {
    match length.checked_sub(place.offset + place.length) {
        Some(rest) => rest / PIECE as u64 + 1,
        None => 0,
    }
}

/// The fact that these bytes stand at a place of the file.
fn bytes_at(params: &Params, place: Place, bytes: &[u8]) -> Result<Named, Failure> {
    let (piece, within) = (place.offset / PIECE as u64, place.offset % PIECE as u64);
    let bits = bytes.iter().flat_map(|byte| (0..8).map(move |i| i64::from(byte >> i & 1)));
    let (row, height) = (8 * within as u32, 8 * bytes.len() as u32);
    let fact = Fact::block(row, column(piece), height, bits.collect())?;
    let over_the_integers = fact.holds_over_the_integers(params, &layout::of(params)?);
    Ok(Named { name: format!("bytes {place}"), fact, over_the_integers })
}

/// The fact that the little-endian numbers at a place of these first pieces add up to a value.
fn sum_at(place: Place, pieces: u64, value: u128) -> Result<Named, Failure> {
    let row = 8 * place.offset as u32;
    let rows = (0..8 * place.length as u32).map(|i| (row + i, 1 << i)).collect();
    let columns = (0..pieces).map(|piece| (column(piece), 1)).collect();
    let value = i64::try_from(value).map_err(|_| Failure::new("the sum exceeds 2^60 - 1"))?;
    let fact = Fact::sum(rows, columns, value)?;
    let largest = u128::from(pieces) * ((1 << (8 * place.length)) - 1);
    let over_the_integers = largest < P.into();
    Ok(Named { name: format!("sum {place}"), fact, over_the_integers })
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

/// Why there is nothing at a place in a file of `length` bytes, if there is not.
pub(crate) fn beyond(what: &What, length: u64) -> Option<String> {
    let ends = |place: &&Place| place.offset.saturating_add(place.length) > length;
    let bytes = what.bytes.iter().find(ends).map(|place| format!("bytes {place}"));
    // The first piece is the longest.
    let place = bytes.or_else(|| Some(format!("sum {}", what.sum.iter().find(ends)?)))?;
    Some(format!("{place}: the file has {length} bytes"))
}

/// The values at the places: bytes, then sums.
pub(crate) struct Values {
    bytes: Vec<Vec<u8>>,
    totals: Vec<u128>,
}

impl Values {
    /// The facts about these places of a file, which has all of them.
    pub(crate) fn of_file(what: &What, file: &[u8]) -> Self {
        let at = |bytes: &[u8], place: &Place| {
            bytes[place.offset as usize..][..place.length as usize].to_vec()
        };
        let number = |bytes: Vec<u8>| {
            bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
        };
        let total = |place: &Place| {
            let pieces = pieces_with(*place, file.len() as u64) as usize;
            file.chunks(PIECE).take(pieces).map(|piece| number(at(piece, place))).sum()
        };
        Self {
            bytes: what.bytes.iter().map(|place| at(file, place)).collect(),
            totals: what.sum.iter().map(total).collect(),
        }
    }

    /// As a reader asks about them: one for each place.
    pub(crate) fn given(what: &What, value: &Value) -> Result<Self, Failure> {
        let texts = value.text.iter().map(|text| Ok(text.clone().into_bytes()));
        let decode =
            |digits: &String| hex::decode(digits).map_err(|e| Failure::new(format!("--hex: {e}")));
        let bytes: Vec<Vec<u8>> =
            texts.chain(value.hex.iter().map(decode)).collect::<Result<_, _>>()?;
        let same = |name, places: usize, values: usize, expected| {
            if places == values {
                return Ok(());
            }
            let problem =
                format!("{places} places and {values} values; expected {expected} for each");
            Err(Failure::new(format!("--{name}: {problem}")))
        };
        same("bytes", what.bytes.len(), bytes.len(), "a --text or --hex")?;
        same("sum", what.sum.len(), value.total.len(), "a --value")?;
        for (place, bytes) in what.bytes.iter().zip(&bytes) {
            if bytes.len() as u64 != place.length {
                let got = bytes.len();
                return Err(Failure::new(format!("--bytes {place}: {got} bytes are given")));
            }
        }
        Ok(Self { bytes, totals: value.total.iter().map(|&total| total.into()).collect() })
    }

    /// The facts that they are of a file of `length` bytes, which has all the places.
    pub(crate) fn facts(
        &self,
        params: &Params,
        what: &What,
        length: u64,
    ) -> Result<Vec<Named>, Failure> {
        let bytes = what.bytes.iter().zip(&self.bytes);
        let bytes = bytes.map(|(&place, bytes)| bytes_at(params, place, bytes));
        let sums = what
            .sum
            .iter()
            .zip(&self.totals)
            .map(|(&place, &total)| sum_at(place, pieces_with(place, length), total));
        bytes.chain(sums).collect()
    }
}
