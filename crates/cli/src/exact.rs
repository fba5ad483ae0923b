//! `--exact` and `--norm`: a proof that messages lie in ranges, and how long they are, exactly. The
//! programs of crates/zk-mpi, too, take them from here: their files are the same as from `prove`.

mod args;
mod messages;

use std::path::Path;

use tautochrone_ctr::Seed;
use tautochrone_simd::Scratch;
use tautochrone_zk::argument::{
    Claims, GaussianErrors, Layout, PaddedMessages, Ranges, RowNorm, RowRange, Slot,
};
use tautochrone_zk::{Params, PublicMatrix, Requirement, Security, Shows};

pub use args::{ExactArgs, KeyArgs, NormArg, RangeArg};

use crate::failure::Failure;
use crate::masks::MaskArgs;

/// Most bytes of messages, 64 MiB: they are in memory.
const LONGEST: u64 = 64 << 20;
/// Columns of messages where the command line does not say how many.
const COLUMNS: u64 = 4096;

/// The claim about messages.
#[derive(Debug)]
pub struct ExactClaim {
    ranges: Ranges,
    /// Messages, and a slot for the claim.
    layout: Layout,
    /// Rows of messages that were asked for; the others are bits of norms.
    given: u32,
    /// The norms that were asked for.
    norm_args: Vec<NormArg>,
    masks: MaskArgs,
}

impl ExactArgs {
    /// The claim, if there is one, of so many columns.
    pub fn claim(&self, columns: Option<u64>) -> Result<Option<ExactClaim>, Failure> {
        if self.is_empty() {
            self.masks.refuse("--exact or --norm; presets H1-128 to H64-128 have narrow ones")?;
            return Ok(None);
        }
        let claim = ExactClaim::new(&self.exact, &self.norm, columns.unwrap_or(COLUMNS))?;
        Ok(Some(ExactClaim { masks: self.masks.clone(), ..claim }))
    }
}

impl ExactClaim {
    /// The norms of a preset's errors, which are all messages that there are under these
    /// parameters.
    pub fn of_errors(errors: GaussianErrors, params: &Params) -> Result<Self, Failure> {
        let layout = errors.layout(params)?;
        Self::new(&[], &[errors.into()], layout.columns())
    }

    /// Ranges and norms of the command line, each of the rows that follow the rows of the one
    /// before, and behind all of these the bits of norms.
    fn new(parts: &[RangeArg], norm_parts: &[NormArg], l: u64) -> Result<Self, Failure> {
        let mut rows = 0_u32;
        // The first of so many rows.
        let mut place = |count: u32| {
            let first = rows;
            let too_many = || Failure::new("--exact, --norm: more than 2^32 rows in all");
            rows = rows.checked_add(count).ok_or_else(too_many)?;
            Ok::<_, Failure>(first)
        };
        let mut ranges = Vec::with_capacity(parts.len() + 1);
        for &RangeArg { rows, low, high } in parts {
            ranges.push(RowRange { first_row: place(rows)?, rows, low, high });
        }
        let mut norms = Vec::with_capacity(norm_parts.len());
        for &NormArg { rows, micros } in norm_parts {
            norms.push(RowNorm::gaussian(place(rows)?, rows, micros, 0)?);
        }
        let given = place(0)?;
        for norm in &mut norms {
            norm.first_bit = place(norm.bits)?;
        }
        if rows > given {
            let bits = RowRange { first_row: given, rows: rows - given, low: 0, high: 1 };
            ranges.push(bits);
        }
        let ranges = Ranges::with_norms(ranges, norms)?;
        if u64::from(rows).saturating_mul(l) > LONGEST {
            let problem = format!("{rows} rows of {l} columns; at most {LONGEST} entries in all");
            return Err(Failure::new(problem));
        }
        let layout = Layout::new(rows, l).with_slot(&ranges.clone().into())?;
        let (norm_args, masks) = (norm_parts.to_vec(), MaskArgs::default());
        Ok(Self { ranges, layout, given, norm_args, masks })
    }

    /// The ranges that were asked for.
    fn given_ranges(&self) -> impl Iterator<Item = &RowRange> {
        self.ranges.parts().iter().filter(|part| part.first_row < self.given)
    }

    /// The claim as it is proved.
    #[must_use]
    pub fn claims(&self) -> Claims {
        self.ranges.clone().into()
    }

    /// What its proof shows.
    #[must_use]
    pub fn shows(&self) -> Shows {
        Shows::Claims(self.slot(), self.claims())
    }

    /// The requested part of the claim: all but the bits of norms.
    #[must_use]
    pub fn required(&self) -> Vec<Requirement> {
        let ranges = self.given_ranges().copied().map(Requirement::from);
        ranges.chain(self.ranges.norms().iter().copied().map(Requirement::from)).collect()
    }

    /// Rows of messages, bits of norms included.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.layout.rows()
    }

    /// Columns of messages.
    #[must_use]
    pub const fn columns(&self) -> u64 {
        self.layout.columns()
    }

    /// The messages of `--witness`, or random ones, with the bits of norms.
    pub fn messages(&self, witness: Option<&Path>, seed: &Seed) -> Result<Scratch<i8>, Failure> {
        let [rows, given] = [self.rows(), self.given].map(|rows| rows as usize);
        let own = if let Some(path) = witness {
            messages::read(path, given * self.columns() as usize)?
        } else {
            let first_rows = self.ranges.norms().iter().map(|norm| norm.first_row);
            let norms = first_rows.zip(&self.norm_args);
            let ranges: Vec<RowRange> = self.given_ranges().copied().collect();
            messages::random(&ranges, norms, [given, self.columns() as usize], seed)?
        };
        let mut messages = Scratch::new(rows * self.columns() as usize, 0);
        for (column, own) in messages.chunks_exact_mut(rows).zip(own.chunks_exact(given)) {
            column[..own.len()].copy_from_slice(own);
        }
        self.ranges
            .fill_slack(rows, &mut messages)
            .map_err(|e| Failure::new(format!("{e}: a column is longer than its bound")))?;
        Ok(messages)
    }

    /// The smallest proof for such messages, or the smallest T and proofs with the masks that were
    /// asked for.
    pub fn params(&self, security: Security) -> Result<Params, String> {
        let parts = self.ranges.parts().iter();
        let largest = |part: &RowRange| part.low.unsigned_abs().max(part.high.unsigned_abs());
        let squared =
            |part: &RowRange| u64::from(part.rows).saturating_mul(u64::from(largest(part)).pow(2));
        let norms = self.ranges.norms().iter().map(|norm| norm.bound_squared);
        let norm_squared = parts.clone().map(squared).chain(norms).fold(0, u64::saturating_add);
        let bounds = self.norm_args.iter().map(|norm| norm.bound());
        let bound = parts.map(largest).chain(bounds).max().unwrap_or(1);
        let goal = self.layout.goal_with_norm(bound, norm_squared);
        let goal = self.masks.apply(goal, 1);
        goal.optimise().and_then(|custom| custom.validate(security)).map_err(|e| e.to_string())
    }

    /// Bits of hiding of all rows but the messages.
    pub fn hiding(&self, params: &Params) -> Result<f64, Failure> {
        Ok(self.layout.hiding(params)?.classical)
    }

    /// Whose pads the claim is proved with.
    #[must_use]
    pub fn slot(&self) -> Slot {
        self.layout.slot(0).expect("the layout has one")
    }

    /// Messages over pads and randomness.
    pub fn witness<'a>(
        &self,
        a: &PublicMatrix,
        messages: &'a [i8],
        seed: &Seed,
    ) -> Result<PaddedMessages<'a>, Failure> {
        self.layout.witness(a, messages, seed).map_err(Failure::new)
    }
}
