//! The rounds for the rows, over some of the columns: their sums add up.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::level::{Source, bind};
use super::rounds::RowRound;
use super::terms::{Term, terms};
use super::{Shape, eq};
use crate::argument::field::Element;
use crate::error::Error;
use crate::witness::columns::SourceEntry;

/// Some columns between the rounds for the rows.
pub(in crate::argument) struct Rows<'a> {
    source: Source<'a>,
    /// e.
    messages: usize,
    /// Bytes of the table that may be stored; while it is longer, rounds read S.
    table_bytes: usize,
    /// eq(tau_2, j) of the columns.
    eq: Vec<Element>,
    terms: Vec<Term>,
    /// r as far as it is drawn.
    point: Vec<Element>,
    /// The table as far as it is bound, once it is stored, and its rows.
    table: Option<Zeroizing<Vec<Element>>>,
    height: usize,
}

impl<'a> Rows<'a> {
    pub(in crate::argument) fn new(
        source: Source<'a>,
        shape: Shape,
        challenges: &[Element],
        table_bytes: usize,
    ) -> Self {
        let (_, of_columns, _) = shape.split(challenges);
        let columns = source.shard.columns(source.params);
        let mut eq = eq::table(of_columns, columns.end as usize);
        eq.drain(..columns.start as usize);
        let terms = terms(source.ranges, shape, challenges);
        let (messages, height) = (shape.messages, shape.rows + 1);
        Self { source, messages, table_bytes, eq, terms, point: Vec::new(), table: None, height }
    }

    /// The columns' part of the next round polynomial, at 0, 2, .., e.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(in crate::argument) fn sums<T: SourceEntry>(
        &mut self,
    ) -> Result<Zeroizing<Vec<Element>>, Error> {
        let Self { source, eq, height, .. } = self;
        let height = *height;
        let round = RowRound::new(&self.terms, self.messages, height);
        let mut sums = Zeroizing::new(vec![Element::ZERO; self.messages]);
        if let Some(table) = &self.table {
            round.add(table, eq, &mut sums);
        } else if self.point.is_empty() && round.fits(source.ranges) {
            source.for_chunks(|first, count, entries: &[T]| {
                let end = first + count;
                let (beta, eq) = (&source.beta[first..end], &eq[first..end]);
                round.add_entries(entries, beta, eq, &mut sums);
            })?;
        } else if let ([r], true) = (&self.point[..], round.fits_halved(source.ranges)) {
            source.for_chunks(|first, count, entries: &[T]| {
                let end = first + count;
                let (beta, eq) = (&source.beta[first..end], &eq[first..end]);
                round.add_halved(*r, entries, beta, eq, &mut sums);
            })?;
        } else {
            let weights = eq::table(&self.point, 1 << self.point.len());
            let elements = height.saturating_mul(eq.len());
            let stores = elements.saturating_mul(size_of::<Element>()) <= self.table_bytes;
            let mut stored = stores.then(|| Zeroizing::new(Vec::with_capacity(elements)));
            source.for_folded::<T>(&weights, height, |first, folded| {
                round.add(folded, &eq[first..first + folded.len() / height], &mut sums);
                if let Some(stored) = &mut stored {
                    stored.extend_from_slice(folded);
                }
            })?;
            self.table = stored;
        }
        Ok(sums)
    }

    /// Binds the variable of the round.
    pub(in crate::argument) fn bind(&mut self, r: Element) {
        self.point.push(r);
        self.terms.iter_mut().for_each(|term| term.bind(r));
        self.table = self.table.take().map(|table| bind(&table, self.height, r));
        self.height = self.height.div_ceil(2);
    }

    /// What is left of every column when all row variables are bound: its phi_1.
    pub(in crate::argument) fn images<T: SourceEntry>(
        self,
    ) -> Result<Zeroizing<Vec<Element>>, Error> {
        if let Some(table) = self.table {
            return Ok(table);
        }
        let weights = eq::table(&self.point, 1 << self.point.len());
        let mut images = Zeroizing::new(Vec::with_capacity(self.eq.len()));
        self.source.for_folded::<T>(&weights, 1, |_, folded| images.extend_from_slice(folded))?;
        Ok(images)
    }
}
