//! The rounds for the rows, over some of the columns: their sums add up.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::Isa;
use tautochrone_simd::vector::Madd52;
use zeroize::Zeroizing;

use super::level::{Source, bind};
use super::rounds::RowRound;
use super::terms::{Term, terms};
use super::{Ranges, Shape, eq};
use crate::error::Error;
use crate::field::{Eight, Element, Lanes, Wide, with_lanes};
use crate::witness::columns::SourceEntry;

/// Some columns between the rounds for the rows.
pub(in crate::argument) struct Rows<'a> {
    source: Source<'a>,
    ranges: &'a Ranges,
    /// e.
    messages: usize,
    /// Bytes of the table that may be stored; while it is longer, rounds read S.
    table_bytes: usize,
    /// eq(tau_2, j) of the columns.
    eq: Vec<Element>,
    terms: Vec<Term>,
    /// r as far as it is drawn.
    point: Vec<Element>,
    tables: Tables,
    /// Rows of the table.
    height: usize,
    isa: Isa,
}

impl<'a> Rows<'a> {
    pub(in crate::argument) fn new(
        ranges: &'a Ranges,
        source: Source<'a>,
        shape: Shape,
        challenges: &[Element],
        table_bytes: usize,
    ) -> Self {
        let (_, of_columns, _) = shape.split(challenges);
        let here = source.here();
        let [first, end] = [here.start, here.end].map(|column| column - source.columns.start);
        let mut eq = eq::table(of_columns, end as usize);
        eq.drain(..first as usize);
        let terms = terms(ranges, shape, challenges);
        let (messages, height) = (shape.messages, shape.rows + 1);
        let (point, tables, isa) = (Vec::new(), Tables::default(), Isa::detect_vectors());
        Self { source, ranges, messages, table_bytes, eq, terms, point, tables, height, isa }
    }

    /// The same on these instructions; otherwise on the best of the CPU.
    pub(in crate::argument) fn on(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// The columns' part of the next round polynomial, at 0, 2, .., e.
    pub(in crate::argument) fn sums<T: SourceEntry>(
        &mut self,
    ) -> Result<Zeroizing<Vec<Element>>, Error> {
        with_lanes!(self.isa, L, token => self.sums_with::<T, L>(token))
    }

    /// Binds the variable of the round.
    pub(in crate::argument) fn bind(&mut self, r: Element) {
        with_lanes!(self.isa, L, token => self.bind_with::<L>(token, r));
    }

    /// The value of every column when all row variables are bound: its phi_1.
    pub(in crate::argument) fn images<T: SourceEntry>(
        self,
    ) -> Result<Zeroizing<Vec<Element>>, Error> {
        with_lanes!(self.isa, L, token => self.images_with::<T, L>(token))
    }

    fn sums_with<T: SourceEntry, L: Stores>(
        &mut self,
        token: L::Token,
    ) -> Result<Zeroizing<Vec<Element>>, Error> {
        let Self { source, ranges, eq, height, tables, .. } = self;
        let height = *height;
        let round = RowRound::new(&self.terms, self.messages, height);
        let mut sums = Zeroizing::new(vec![Element::ZERO; self.messages]);
        if let Some(table) = L::table(tables) {
            round.add::<L>(token, table, eq, &mut sums);
        } else if self.point.is_empty() && round.fits(ranges) {
            source.for_chunks(|first, count, entries: &[T]| {
                let end = first + count;
                let (beta, eq) = (&source.beta[first..end], &eq[first..end]);
                round.add_entries::<T, L>(token, (entries, beta), eq, &mut sums);
            })?;
        } else if let ([r], true) = (&self.point[..], round.fits_halved(ranges)) {
            source.for_chunks(|first, count, entries: &[T]| {
                let end = first + count;
                let (beta, eq) = (&source.beta[first..end], &eq[first..end]);
                round.add_halved::<T, L>(token, *r, (entries, beta), eq, &mut sums);
            })?;
        } else {
            let weights = eq::table(&self.point, 1 << self.point.len());
            let elements = height.saturating_mul(eq.len());
            let stores = elements.saturating_mul(size_of::<Element>()) <= self.table_bytes;
            let elements = height * eq.len().div_ceil(L::LANES);
            let mut stored = stores.then(|| Zeroizing::new(Vec::with_capacity(elements)));
            source.for_folded::<T, L>(token, &weights, height, |first, count, folded| {
                round.add::<L>(token, folded, &eq[first..first + count], &mut sums);
                if let Some(stored) = &mut stored {
                    stored.extend_from_slice(folded);
                }
            })?;
            *L::table(tables) = stored;
        }
        Ok(sums)
    }

    fn bind_with<L: Stores>(&mut self, token: L::Token, r: Element) {
        self.point.push(r);
        self.terms.iter_mut().for_each(|term| term.bind(r));
        let table = L::table(&mut self.tables);
        *table = table.take().map(|table| bind::<L>(token, &table, self.height, r));
        self.height = self.height.div_ceil(2);
    }

    fn images_with<T: SourceEntry, L: Stores>(
        mut self,
        token: L::Token,
    ) -> Result<Zeroizing<Vec<Element>>, Error> {
        let Some(table) = L::table(&mut self.tables) else {
            let weights = eq::table(&self.point, 1 << self.point.len());
            return images_of::<T, L>(token, &self.source, &weights);
        };
        let mut images = Zeroizing::new(vec![Element::ZERO; self.eq.len()]);
        scatter::<L>(token, &mut images, table);
        Ok(images)
    }
}

/// sum over rows a of weights_a x_a for each column of a source, the row behind the others included.
///
/// # Errors
/// Errors of reading S.
///
/// # Constant time
/// In the entries.
pub(in crate::argument) fn images<T: SourceEntry>(
    isa: Isa,
    source: &Source<'_>,
    weights: &[Element],
) -> Result<Zeroizing<Vec<Element>>, Error> {
    with_lanes!(isa, L, token => images_of::<T, L>(token, source, weights))
}

fn images_of<T: SourceEntry, L: Lanes>(
    token: L::Token,
    source: &Source<'_>,
    weights: &[Element],
) -> Result<Zeroizing<Vec<Element>>, Error> {
    let here = source.here();
    let mut images = Zeroizing::new(vec![Element::ZERO; (here.end - here.start) as usize]);
    source.for_folded::<T, L>(token, weights, 1, |first, count, folded| {
        scatter::<L>(token, &mut images[first..first + count], folded);
    })?;
    Ok(images)
}

fn scatter<L: Lanes>(token: L::Token, images: &mut [Element], groups: &[L::Stored]) {
    for (images, group) in images.chunks_mut(L::LANES).zip(groups) {
        L::load(token, group).scatter(images);
    }
}

/// The table as far as it is bound, once it is stored: in one of these forms.
#[derive(Default)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "vector kernels alone have lanes of eight elements")
)]
struct Tables {
    one: Option<Zeroizing<Vec<Element>>>,
    eight: Option<Zeroizing<Vec<Eight>>>,
}

/// Which of the forms lanes have in memory.
trait Stores: Lanes {
    fn table(tables: &mut Tables) -> &mut Option<Zeroizing<Vec<Self::Stored>>>;
}

impl Stores for Element {
    fn table(tables: &mut Tables) -> &mut Option<Zeroizing<Vec<Self>>> {
        &mut tables.one
    }
}

impl<V: Madd52> Stores for Wide<V> {
    fn table(tables: &mut Tables) -> &mut Option<Zeroizing<Vec<Eight>>> {
        &mut tables.eight
    }
}

#[cfg(test)]
mod tests;
