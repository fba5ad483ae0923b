//! `--exact`: a proof that messages lie in ranges, exactly.

use std::path::Path;
use std::str::FromStr;

use tautochrone::ctr::{Label, Seed};
use tautochrone::gauss::uniform::fill_below;
use tautochrone::zk::argument::{PaddedSpace, RangeSlot, Ranges, RowRange};
use tautochrone::zk::{Goal, Params, PublicMatrix, Security, WitnessSource};
use tautochrone_cli::Failure;
use zeroize::Zeroizing;

/// Most bytes of messages, 64 MiB: they are in memory.
const LONGEST: u64 = 64 << 20;

/// ROWS:LOW:HIGH of the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    rows: u32,
    low: i32,
    high: i32,
}

impl FromStr for Part {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected ROWS:LOW:HIGH, as 1024:0:1";
        let fields: Vec<&str> = text.split(':').collect();
        let [rows, low, high] = fields[..] else { return Err(expected) };
        let number = |text: &str| text.parse().map_err(|_| expected);
        Ok(Self {
            rows: rows.parse().map_err(|_| expected)?,
            low: number(low)?,
            high: number(high)?,
        })
    }
}

/// The ranges that are proved, of messages that lie in them or not.
pub(crate) struct Exact {
    pub(crate) ranges: Ranges,
    pub(crate) rows: u32,
    messages: Zeroizing<Vec<i8>>,
}

impl Exact {
    /// Ranges of the command line, each of the rows that follow those of the one before, and the
    /// messages of `--witness`, or random ones.
    pub(crate) fn new(
        parts: &[Part],
        l: u64,
        witness: Option<&Path>,
        seed: &Seed,
    ) -> Result<Self, Failure> {
        let mut rows = 0_u32;
        let mut ranges = Vec::with_capacity(parts.len());
        for &Part { rows: count, low, high } in parts {
            ranges.push(RowRange { first_row: rows, rows: count, low, high });
            let sum = rows.checked_add(count);
            rows = sum.ok_or_else(|| Failure::new("--exact: more than 2^32 rows in all"))?;
        }
        let ranges = Ranges::new(ranges).map_err(Failure::new)?;
        let least = ranges.least_columns(l);
        if l < least {
            let problem = format!("--columns {l}; these ranges need at least {least}");
            return Err(Failure::new(problem));
        }
        let bytes = u64::from(rows).saturating_mul(l);
        if bytes > LONGEST {
            let problem = format!("{rows} rows of {l} columns; at most {LONGEST} entries in all");
            return Err(Failure::new(problem));
        }
        let messages = match witness {
            Some(path) => read(path, bytes as usize)?,
            None => random(&ranges, l, seed)?,
        };
        Ok(Self { ranges, rows, messages })
    }

    /// The smallest proof for such messages.
    pub(crate) fn params(&self, l: u64, security: Security) -> Result<Params, String> {
        let largest = |part: &RowRange| part.low.unsigned_abs().max(part.high.unsigned_abs());
        let b = self.ranges.parts().iter().map(largest).max().unwrap_or(1);
        let goal = Goal { message_rows: self.rows, range_slots: 1, ..Goal::new(b, l) };
        goal.optimise().and_then(|custom| custom.validate(security)).map_err(|e| e.to_string())
    }

    fn space(&self, params: &Params, security: Security) -> Result<PaddedSpace, Failure> {
        PaddedSpace::with_ranges(params, self.rows, 0, 1, security).map_err(Failure::new)
    }

    /// Bits of hiding of all rows but the messages.
    pub(crate) fn hiding(&self, params: &Params, security: Security) -> Result<f64, Failure> {
        Ok(self.space(params, security)?.hiding().classical)
    }

    /// Whose pads the claim is proved with.
    pub(crate) fn slot(&self, params: &Params, security: Security) -> Result<RangeSlot, Failure> {
        self.space(params, security)?.range_slot(0).map_err(Failure::new)
    }

    /// Messages over pads and randomness.
    pub(crate) fn witness<'a>(
        &'a self,
        a: &PublicMatrix,
        params: &Params,
        security: Security,
        seed: &Seed,
    ) -> Result<Box<dyn WitnessSource + 'a>, Failure> {
        let space = self.space(params, security)?;
        Ok(Box::new(space.witness(a, &self.messages, seed).map_err(Failure::new)?))
    }
}

/// Messages of a file, an entry a byte.
fn read(path: &Path, expected: usize) -> Result<Zeroizing<Vec<i8>>, Failure> {
    let bytes = Zeroizing::new(tautochrone_cli::read_exactly(path, expected, "the messages")?);
    Ok(Zeroizing::new(bytes.iter().map(|byte| byte.cast_signed()).collect()))
}

/// Messages that are uniform in the ranges of their rows.
fn random(ranges: &Ranges, l: u64, seed: &Seed) -> Result<Zeroizing<Vec<i8>>, Failure> {
    let mut stream = seed.stream(Label::new("prove: messages"), 0);
    let rows: u64 = ranges.parts().iter().map(|part| u64::from(part.rows)).sum();
    let mut messages = Zeroizing::new(Vec::with_capacity((rows * l) as usize));
    let mut column = Zeroizing::new(vec![0_u8; rows as usize]);
    for _ in 0..l {
        for &RowRange { rows, low, high, .. } in ranges.parts() {
            let column = &mut column[..rows as usize];
            let count = u64::from(high.abs_diff(low)) + 1;
            fill_below(&mut stream, count, column).map_err(Failure::new)?;
            messages.extend(column.iter().map(|&entry| (i32::from(entry) + low) as i8));
        }
    }
    Ok(messages)
}
