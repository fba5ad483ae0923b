//! `--exact`, `--norm` and presets for errors: a proof that messages lie in ranges, and how long they
//! are, exactly.

use std::path::Path;
use std::str::FromStr;

use tautochrone::ctr::{Label, Seed, Stream};
use tautochrone::gauss::bitslice::Bitslice;
use tautochrone::gauss::uniform::fill_below;
use tautochrone::zk::argument::{
    GaussianErrors, PaddedSpace, RangeSlot, Ranges, RowNorm, RowRange,
};
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

/// ROWS:SIGMA of the command line: Gaussians of this standard deviation, in millionths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormPart {
    rows: u32,
    micros: u64,
}

impl FromStr for NormPart {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected ROWS:SIGMA, as 1024:3.2, sigma from 0.5 to 12.7";
        let (rows, sigma) = text.split_once(':').ok_or(expected)?;
        let sigma: f64 = sigma.parse().map_err(|_| expected)?;
        let rows = rows.parse().map_err(|_| expected)?;
        // Ten standard deviations are a byte.
        if !(0.5..=12.7).contains(&sigma) {
            return Err(expected);
        }
        Ok(Self { rows, micros: (sigma * 1e6).round() as u64 })
    }
}

impl From<GaussianErrors> for NormPart {
    fn from(errors: GaussianErrors) -> Self {
        Self { rows: errors.rows(), micros: errors.micros() }
    }
}

impl NormPart {
    fn sigma(self) -> f64 {
        self.micros as f64 / 1e6
    }

    /// The prover's bound on an entry, ten standard deviations: exceeded once in 2^75 entries.
    fn bound(self) -> u32 {
        (10.0 * self.sigma()).ceil() as u32
    }
}

/// The claim that is proved, of messages of which it holds or not.
pub(crate) struct Exact {
    pub(crate) ranges: Ranges,
    pub(crate) rows: u32,
    /// What is known of the squared norm of a message, and of its entries.
    norm_squared: u64,
    bound: u32,
    messages: Zeroizing<Vec<i8>>,
}

impl Exact {
    /// Ranges and norms of the command line, each of the rows that follow those of the one before,
    /// and behind all of these the bits of norms; and the messages of `--witness`, or random ones.
    pub(crate) fn new(
        parts: &[Part],
        norm_parts: &[NormPart],
        l: u64,
        witness: Option<&Path>,
        seed: &Seed,
    ) -> Result<Self, Failure> {
        let too_many = || Failure::new("--exact, --norm: more than 2^32 rows in all");
        let mut given = 0_u32;
        let mut ranges = Vec::with_capacity(parts.len() + 1);
        for &Part { rows, low, high } in parts {
            ranges.push(RowRange { first_row: given, rows, low, high });
            given = given.checked_add(rows).ok_or_else(too_many)?;
        }
        let in_ranges = given;
        let mut norms = Vec::with_capacity(norm_parts.len());
        for &NormPart { rows, micros } in norm_parts {
            norms.push(RowNorm::gaussian(given, rows, micros, 0).map_err(Failure::new)?);
            given = given.checked_add(rows).ok_or_else(too_many)?;
        }
        let mut rows = given;
        for norm in &mut norms {
            norm.first_bit = rows;
            rows = rows.checked_add(norm.bits).ok_or_else(too_many)?;
        }
        if rows > given {
            let bits = RowRange { first_row: given, rows: rows - given, low: 0, high: 1 };
            ranges.push(bits);
        }
        let squared = |part: &RowRange| {
            let largest = u64::from(part.low.unsigned_abs().max(part.high.unsigned_abs()));
            u64::from(part.rows).saturating_mul(largest.saturating_mul(largest))
        };
        let of_norms = norms.iter().map(|norm| norm.bound_squared);
        let norm_squared = ranges.iter().map(squared).chain(of_norms).fold(0, u64::saturating_add);
        let ranges = Ranges::with_norms(ranges, norms).map_err(Failure::new)?;
        let largest = |part: &RowRange| part.low.unsigned_abs().max(part.high.unsigned_abs());
        let bounds = norm_parts.iter().map(|part| part.bound());
        let bound = ranges.parts().iter().map(largest).chain(bounds).max().unwrap_or(1);
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
        let own = match witness {
            Some(path) => read(path, (u64::from(given) * l) as usize)?,
            None => {
                random(&ranges.parts()[..parts.len()], [in_ranges, given], norm_parts, l, seed)?
            }
        };
        let mut messages = Zeroizing::new(vec![0; bytes as usize]);
        let columns = messages.chunks_exact_mut(rows as usize);
        for (column, own) in columns.zip(own.chunks_exact(given as usize)) {
            column[..own.len()].copy_from_slice(own);
        }
        ranges
            .fill_slack(rows as usize, &mut messages)
            .map_err(|e| Failure::new(format!("{e}: a column is longer than its bound")))?;
        Ok(Self { ranges, rows, norm_squared, bound, messages })
    }

    /// The smallest proof for such messages.
    pub(crate) fn params(&self, l: u64, security: Security) -> Result<Params, String> {
        let goal = Goal { message_rows: self.rows, range_slots: 1, ..Goal::new(self.bound, l) };
        let goal = if self.ranges.norms().is_empty() {
            goal
        } else {
            // Randomness is ternary, whatever the messages are.
            let (message_bound, message_norm_squared) = (Some(self.bound), Some(self.norm_squared));
            Goal { b: 1, message_bound, message_norm_squared, ..goal }
        };
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

/// Messages that are uniform in the ranges of their rows, and then Gaussian: so many rows in all
/// before and behind.
fn random(
    ranges: &[RowRange],
    [in_ranges, rows]: [u32; 2],
    norms: &[NormPart],
    l: u64,
    seed: &Seed,
) -> Result<Zeroizing<Vec<i8>>, Failure> {
    let mut stream = seed.stream(Label::new("prove: messages"), 0);
    let rows = rows as usize;
    let mut messages = Zeroizing::new(vec![0_i8; rows * l as usize]);
    for column in messages.chunks_exact_mut(rows) {
        for &RowRange { first_row, rows, low, high } in ranges {
            let part = &mut column[first_row as usize..][..rows as usize];
            let mut entries = Zeroizing::new(vec![0_u8; part.len()]);
            let count = u64::from(high.abs_diff(low)) + 1;
            fill_below(&mut stream, count, &mut entries).map_err(Failure::new)?;
            for (out, &entry) in part.iter_mut().zip(entries.iter()) {
                *out = (i32::from(entry) + low) as i8;
            }
        }
    }
    let mut first = in_ranges as usize;
    for part in norms {
        let behind = first + part.rows as usize;
        fill_gaussian(&mut stream, *part, messages.chunks_exact_mut(rows), first..behind)?;
        first = behind;
    }
    Ok(messages)
}

/// Gaussian entries in some rows of columns.
fn fill_gaussian<'a>(
    stream: &mut Stream,
    part: NormPart,
    columns: impl Iterator<Item = &'a mut [i8]>,
    rows: core::ops::Range<usize>,
) -> Result<(), Failure> {
    let sampler = Bitslice::builder().sigma(part.sigma()).build().map_err(Failure::new)?;
    for column in columns {
        let part = &mut column[rows.clone()];
        let mut entries = Zeroizing::new(vec![0_i32; part.len()]);
        sampler.fill(stream, &mut entries);
        for (out, &entry) in part.iter_mut().zip(entries.iter()) {
            *out = entry as i8;
        }
    }
    Ok(())
}
