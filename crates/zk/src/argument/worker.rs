//! [`ArgumentWorker`]: the answers of a shard of the columns to the requests of a coordinator.

use alloc::vec::Vec;
use core::ops::Range;

use tautochrone_simd::{Isa, declassify};
use zeroize::Zeroizing;

use super::claims::{Claim, Claims};
use super::column_sums::column_sums;
use super::field::ArgumentField;
use super::layout::{Layout, Slot};
use super::ranges::instance::TABLE_BYTES;
use super::ranges::level::{OfShard, Source};
use super::ranges::rows::{self, Rows};
use super::relation::Relation;
use super::request::{Elements, Request};
use crate::entry::{WitnessEntry, with_entry};
use crate::eq;
use crate::erase::{Secrets, redacted};
use crate::error::{Error, ShardProblem};
use crate::field::{ElementOf, Field, P61};
use crate::params::{BLOCK, Params};
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::{OF_GROUP, for_column_groups, for_first_rows};

/// A worker's shard of S while claims are proved: an answer to every [`Request`] of
/// [`Argument::new`](super::Argument::new). Answers are secret.
pub struct ArgumentWorker<'a, F: Field = P61> {
    of: OfShard<'a>,
    slot: &'a Slot,
    claims: &'a Claims,
    isa: Isa,
    table_bytes: usize,
    /// val(beta_j) of the shard's columns.
    pub(super) beta: Elements<F>,
    /// The masks in the shard's columns, until they are asked for.
    masks: Elements<F>,
    /// Of the claim whose rounds have begun.
    rows: Option<Rows<'a, F>>,
    /// Whether false relations get answers.
    proves_false_claims: bool,
}

redacted!("ArgumentWorker", ArgumentWorker<'_, F>, F: Field);

impl<'a, F: ArgumentField> ArgumentWorker<'a, F> {
    /// Reads a shard: pads, and whether ranges and norms hold of its columns.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if a claim does not hold; [`Error::Parameter`] if a claim is not about
    /// messages of this statement or needs more masks than the slot has, or arguments are not
    /// offered for its parameters; errors of reading the witness.
    pub fn new(
        params: &'a Params,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        slot: &'a Slot,
        claims: &'a Claims,
    ) -> Result<Self, Error> {
        let (worker, holds) = Self::read(params, witness, shard, slot, claims)?;
        if holds {
            Ok(Self { proves_false_claims: false, ..worker })
        } else {
            Err(Error::FalseFact)
        }
    }

    /// A worker that does not look at relations, and whether ranges and norms hold of its columns.
    pub(super) fn read(
        params: &'a Params,
        witness: &'a dyn WitnessSource,
        shard: Shard,
        slot: &'a Slot,
        claims: &'a Claims,
    ) -> Result<(Self, bool), Error> {
        let of = (params, witness, shard);
        slot.check_over::<F>(params, claims)?;
        let (beta, masks, holds) = with_entry!(params, T => read::<F, T>(of, slot, claims))?;
        let (isa, table_bytes, rows) = (Isa::detect_vectors(), TABLE_BYTES, None);
        let proves_false_claims = true;
        let worker =
            Self { of, slot, claims, isa, table_bytes, beta, masks, rows, proves_false_claims };
        Ok((worker, holds))
    }

    /// The same on these instructions, with so many bytes for the table.
    pub(super) fn on(self, isa: Isa, table_bytes: usize) -> Self {
        Self { isa, table_bytes, ..self }
    }

    /// The shard's answer.
    ///
    /// # Errors
    /// [`Error::Shard`] if the request is of other claims; errors of reading the witness.
    pub fn answer(&mut self, request: &Request<F>) -> Result<Elements<F>, Error> {
        let (params, layout) = (self.of.0, self.slot.layout());
        match request {
            Request::Masks => Ok(core::mem::take(&mut self.masks)),
            Request::Begin { claim, challenges, mask } if F::HAS_RANGES => {
                let rows = self.begin(*claim, challenges, *mask)?;
                with_entry!(params, T => self.rows.insert(rows).sums::<T>())
            }
            Request::Begin { .. } => Err(out_of_order()),
            Request::Bind(_) | Request::BindLast(_) => {
                answer_rounds(params, &mut self.rows, request)
            }
            Request::Columns(columns) => {
                columns.iter().try_for_each(|columns| columns.check(layout))?;
                let (of, data) = ((self.isa, self.of), self.slot.data());
                let of_rows = (layout.message_rows(), &self.beta[..]);
                let sums =
                    with_entry!(params, T => column_sums::<F, T>(of, of_rows, data, columns))?;
                Ok(of_places(layout, sums))
            }
            Request::Values(point) => {
                if point.len() != layout.rounds() {
                    return Err(out_of_order());
                }
                let rows = 0..layout.message_rows();
                let (parts, columns) = (core::slice::from_ref(&rows), 0..params.l());
                let beta = self.beta.clone();
                let source = Source { of: self.of, parts, columns, beta, stored: None };
                let mut weights = eq::table(point, layout.rows() as usize + 1);
                let last = weights.pop().expect("the row of beta");
                let mut weights = layout.row_weights(&weights);
                weights.push(last);
                with_entry!(params, T => rows::images::<F, T>(self.isa, &source, &weights))
            }
            Request::Places => with_entry!(params, T => self.places::<T>()),
        }
    }

    /// The columns of the shard.
    fn columns(&self) -> Range<u64> {
        let (params, _, shard) = self.of;
        shard.columns(params)
    }

    /// All places of the columns of messages, beta behind each column.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    fn places<T: WitnessEntry>(&self) -> Result<Elements<F>, Error> {
        let (layout, data) = (self.slot.layout(), self.slot.data());
        let (message, height) = (layout.message_rows() as usize, layout.rows() as usize + 1);
        let of_shard = self.columns();
        let first = of_shard.start.max(data.start).min(of_shard.end);
        let here = (of_shard.end - first) as usize;
        let mut places = Zeroizing::new(vec![ElementOf::ZERO; here * height]);
        let (of, columns) = (self.of, first..of_shard.end);
        for_first_rows(of, &columns, (message, OF_GROUP), &mut |start, stride, entries: &[T]| {
            let from = (start - first) as usize;
            let out = &mut places[from * height..][..entries.len() / stride * height];
            crate::parallel::for_chunks(out, height, |j, out| {
                let rows =
                    entries[stride * j..][..message].chunks_exact(layout.place_rows() as usize);
                out.iter_mut().zip(rows).for_each(|(out, rows)| *out = layout.place(rows));
            });
        })?;
        let beta = &self.beta[(first - of_shard.start) as usize..];
        for (column, &beta) in places.chunks_exact_mut(height).zip(beta) {
            column[height - 1] = beta;
        }
        Ok(places)
    }

    fn begin(
        &self,
        claim: u32,
        challenges: &[ElementOf<F>],
        mask: ElementOf<F>,
    ) -> Result<Rows<'a, F>, Error> {
        let (ranges, stored) = match self.claims.claims().get(claim as usize) {
            Some(Claim::Ranges(ranges)) => (ranges, None),
            Some(Claim::Relation(relation)) => {
                let stored = match relation.ranges_of_messages() {
                    Some(_) => None,
                    None => Some(self.table(relation)?),
                };
                (relation.ranges(), stored)
            }
            _ => return Err(out_of_order()),
        };
        let (parts, columns, beta) = (&ranges.rows[..], self.slot.data(), Zeroizing::default());
        let mut source = Source { of: self.of, parts, columns, beta, stored };
        let Range { start, end } = source.here();
        source.beta = Zeroizing::new(vec![ElementOf::ZERO; (end - start) as usize]);
        if start == source.columns.start {
            source.beta.iter_mut().take(1).for_each(|beta| *beta = mask);
        }
        Rows::new((self.isa, self.table_bytes), ranges, source, challenges)
    }

    /// The table of a relation in the shard's columns.
    ///
    /// # Errors
    /// [`Error::FalseFact`] if an entry is not in its range; [`Error::Shard`] if the shard has some
    /// but not all columns of an instance; errors of reading S.
    fn table(&self, relation: &Relation) -> Result<Secrets, Error> {
        let (data, spread) = (self.slot.data(), relation.spread());
        let Range { start, end } = self.columns();
        let [first, end] =
            [start, end].map(|column| column.clamp(data.start, data.end) - data.start);
        let is_whole =
            |column: u64| column.is_multiple_of(spread) || column == data.end - data.start;
        if !is_whole(first) || !is_whole(end) {
            return Err(Error::Shard(ShardProblem::Elements));
        }
        let rows = relation.ranges().rows.iter().map(ExactSizeIterator::len).sum();
        let mut messages = Secrets::zeros(rows * (end - first) as usize);
        let columns = data.start + first..self.of.0.l();
        with_entry!(self.of.0, T => self.read_messages::<T>(&columns, rows, &mut messages))?;
        let (table, outside) = relation.table(first, messages);
        let outside = declassify(outside);
        if outside && !self.proves_false_claims { Err(Error::FalseFact) } else { Ok(table) }
    }

    /// The first rows of columns.
    fn read_messages<T: WitnessEntry>(
        &self,
        columns: &Range<u64>,
        rows: usize,
        out: &mut [i8],
    ) -> Result<(), Error> {
        let mut out = out.chunks_exact_mut(rows);
        for_first_rows(self.of, columns, (rows, OF_GROUP), &mut |_, stride, entries: &[T]| {
            for (column, out) in entries.chunks_exact(stride).zip(out.by_ref()) {
                for (out, &entry) in out.iter_mut().zip(column) {
                    // The last sum-check fails of a wider one.
                    let entry: i32 = entry.into();
                    *out = entry as i8;
                }
            }
        })
    }
}

/// The answer to the challenge of a round of a claim.
///
/// # Errors
/// [`Error::Shard`] if the rounds have not begun, if it is for one round more or one less than
/// there are, or another request; errors of reading the witness.
pub(super) fn answer_rounds<F: ArgumentField>(
    params: &Params,
    rows: &mut Option<Rows<'_, F>>,
    request: &Request<F>,
) -> Result<Elements<F>, Error> {
    if !F::HAS_RANGES {
        return Err(out_of_order());
    }
    match request {
        Request::Bind(r) => {
            let rows = rows.as_mut().filter(|rows| rows.left() > 1).ok_or_else(out_of_order)?;
            rows.bind(*r);
            with_entry!(params, T => rows.sums::<T>())
        }
        Request::BindLast(r) => {
            let mut rows = rows.take_if(|rows| rows.left() == 1).ok_or_else(out_of_order)?;
            rows.bind(*r);
            with_entry!(params, T => rows.images::<T>())
        }
        _ => Err(out_of_order()),
    }
}

fn out_of_order() -> Error {
    Error::Shard(ShardProblem::Elements)
}

/// Sums of rows, beta behind the rows of each column, as sums of places.
fn of_places<F: Field>(layout: &Layout, sums: Elements<F>) -> Elements<F> {
    let rows = layout.place_rows() as usize;
    if rows == 1 {
        return sums;
    }
    let powers: Vec<F::Word> = layout.radix.powers::<F>().collect();
    let columns = sums.chunks_exact(layout.message_rows() as usize + 1);
    let height = layout.rows() as usize + 1;
    let mut places = Zeroizing::new(Vec::with_capacity(columns.len() * height));
    for sums in columns {
        let (of_places, beta) = sums.split_at(sums.len() - 1);
        places.extend(of_places.chunks_exact(rows).map(|sums| {
            let terms = sums.iter().zip(&powers);
            terms.fold(ElementOf::ZERO, |all, (&sum, &power)| all + sum.scale(power))
        }));
        places.extend(beta);
    }
    debug_assert_eq!(places.len(), places.capacity(), "nothing was moved");
    places
}

/// beta of all columns of a shard, the masks in it, and whether ranges and norms hold of it.
///
/// # Constant time
/// In the entries, but for whether they hold.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn read<F: Field, T: WitnessEntry>(
    (params, witness, shard): OfShard<'_>,
    slot: &Slot,
    claims: &Claims,
) -> Result<(Elements<F>, Elements<F>, bool), Error> {
    let (v, layout) = (params.v() as usize, slot.layout());
    let rows = layout.message_rows() as usize;
    let (gamma, of_beta, holding, data) = (slot.gamma(), slot.beta(), slot.holding(), slot.data());
    let here = shard.columns(params);
    let count = (here.start..here.end.min(data.start)).map(|j| slot.masks_in(j)).sum();
    // A vector that grows leaves copies behind.
    let mut masks = Zeroizing::new(Vec::with_capacity(count));
    let mut beta = Zeroizing::new(vec![ElementOf::ZERO; (here.end - here.start) as usize]);
    let mut outside = false;
    for_column_groups(params, witness, shard, &mut |first, entries: &[T]| {
        let first = first * u64::from(BLOCK);
        let beta = &mut beta[(first - here.start) as usize..][..entries.len() / v];
        crate::parallel::for_chunks(beta, 1, |j, beta| {
            beta[0] = of_beta.at(&entries[v * j..v * (j + 1)]);
        });
        for ((j, column), &beta) in (first..).zip(entries.chunks_exact(v)).zip(&*beta) {
            if j < data.start {
                masks.push(gamma.at(column));
            }
            if holding.contains(&j) {
                masks.push(beta);
                let places = column[..rows].chunks_exact(layout.place_rows() as usize);
                masks.extend(places.map(|rows| layout.place(rows)));
            }
            if data.contains(&j) {
                for claim in claims.claims() {
                    let ranges = match claim {
                        Claim::Ranges(ranges) => Some(ranges),
                        Claim::Relation(relation) => relation.ranges_of_messages(),
                        _ => None,
                    };
                    outside |= ranges.is_some_and(|ranges| ranges.is_violated(column));
                }
            }
        }
        Ok(())
    })?;
    debug_assert_eq!(masks.len(), count, "nothing was moved");
    Ok((beta, masks, !declassify(outside)))
}
