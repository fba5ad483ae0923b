//! The rounds for the rows, over some of the columns: their sums add up.

use alloc::vec::Vec;

use tautochrone_simd::Isa;
use zeroize::Zeroizing;

use super::level::{Source, bind_column, transpose};
use super::rounds::blocks::Blocks;
use super::rounds::{Bound, Polynomial, RowRound};
use super::scales::Scales;
use super::schedule::{Term, terms};
use super::{Ranges, Shape, eq};
use crate::entry::WitnessEntry;
use crate::error::{Error, ShardProblem};
use crate::field::{ElementOf, Field, Lanes, P61, Tables, with_lanes};
use crate::polynomial::Points;

/// Some columns between the rounds for the rows.
pub(in crate::argument) struct Rows<'a, F: Field = P61> {
    source: Source<'a, F>,
    /// Bytes of the table that may be stored; while it is longer, rounds read S.
    table_bytes: usize,
    /// eq(tau_2, j) of the columns.
    eq: Vec<ElementOf<F>>,
    terms: Vec<Term<F>>,
    /// tau_1.
    tau: Vec<ElementOf<F>>,
    /// Of polynomials of each degree.
    points: Vec<Points<F>>,
    /// r as far as it is drawn.
    point: Vec<ElementOf<F>>,
    /// The first rounds, until they are over.
    blocks: Option<Blocks<F>>,
    /// The table; as long as there are blocks, the rows of it behind these alone.
    tables: Tables<F>,
    /// Elements from one column of the table to the next.
    stride: usize,
    /// The last challenge, until the table is read next.
    unbound: Option<Bound<F>>,
    /// Rows of the table.
    height: usize,
    /// What the rows of the table are multiplied by; if these are over, until the table is read
    /// next.
    scales: Option<Scales<F>>,
    /// The last round polynomial.
    polynomial: Polynomial<F>,
    /// What the next one is at 0 and 1 together, once that is known.
    claim: Option<Zeroizing<ElementOf<F>>>,
    isa: Isa,
}

impl<'a, F: Field> Rows<'a, F> {
    /// On these instructions, with so many bytes for the table.
    ///
    /// # Errors
    /// [`Error::Shard`] if the challenges are those of another claim.
    pub(in crate::argument) fn new(
        (isa, table_bytes): (Isa, usize),
        ranges: &Ranges,
        source: Source<'a, F>,
        challenges: &[ElementOf<F>],
    ) -> Result<Self, Error> {
        let shape = Shape::new(ranges, source.columns.end - source.columns.start);
        if challenges.len() != shape.challenges() {
            return Err(Error::Shard(ShardProblem::Elements));
        }
        let (of_rows, of_columns, _) = shape.split(challenges);
        let here = source.here();
        let [first, end] = [here.start, here.end].map(|column| column - source.columns.start);
        let mut eq = eq::table(of_columns, end as usize);
        eq.drain(..first as usize);
        let terms = terms(ranges, shape, challenges);
        let (messages, height) = (shape.messages, shape.rows + 1);
        // The rows behind the blocks are stored, too.
        let stores = |blocks: &Blocks<F>| {
            let rest = height - (shape.rows >> blocks.variables << blocks.variables);
            rest == 1 || rest * eq.len() * size_of::<ElementOf<F>>() <= table_bytes
        };
        let blocks = Blocks::new(&terms, ranges, shape).filter(stores);
        Ok(Self {
            source,
            table_bytes,
            eq,
            terms,
            tau: of_rows.to_vec(),
            points: (0..=messages).map(Points::new).collect(),
            point: Vec::new(),
            blocks,
            tables: Tables::default(),
            stride: 0,
            unbound: None,
            height,
            scales: None,
            polynomial: Polynomial::zero(messages),
            claim: (!shape.has_norms).then(Zeroizing::default),
            isa,
        })
    }

    /// How many variables are not bound.
    pub(in crate::argument) const fn left(&self) -> usize {
        self.tau.len() - self.point.len()
    }

    /// The columns' part of the next round polynomial: its coefficients of 1, X^2, .., X^e. Once
    /// before each variable is bound.
    pub(in crate::argument) fn sums<T: WitnessEntry>(
        &mut self,
    ) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
        with_lanes!(self.isa, L<F>, token => self.sums_with::<T, L<F>>(token))
    }

    /// The value of every column when all row variables are bound: its phi_1.
    pub(in crate::argument) fn images<T: WitnessEntry>(
        self,
    ) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
        with_lanes!(self.isa, L<F>, token => self.images_with::<T, L<F>>(token))
    }

    fn sums_with<T: WitnessEntry, L: Lanes<F>>(
        &mut self,
        token: L::Token,
    ) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
        let unbound = self.unbound.take();
        let divisors = self.scales.take_if(|scales| scales.are_over());
        let Self { source, eq, height, tables, stride, isa, .. } = self;
        let (height, bound) = (*height, self.point.len());
        let (tau, behind) = (self.tau[bound], &self.tau[bound + 1..]);
        if let Some(blocks) = &mut self.blocks {
            let variables = blocks.variables;
            // Whether the rows behind the blocks count.
            let first = (height - 1) >> variables << variables;
            let rest = first < height - 1;
            if bound == 0 {
                let whole = first;
                let stored = if rest { (height - whole) * eq.len().div_ceil(L::LANES) } else { 0 };
                let mut table = Zeroizing::new(Vec::with_capacity(stored));
                source.for_chunks(&mut |first, count, entries: &[T]| {
                    let end = first + count;
                    blocks.add::<T, L>((*isa, token), entries, &eq[first..end]);
                    if rest {
                        let beta = &source.beta[first..end];
                        table.extend_from_slice(&last::<F, T, L>(token, entries, beta, whole));
                    }
                })?;
                debug_assert_eq!(table.len(), table.capacity(), "nothing was moved");
                if rest {
                    *stride = height - first;
                    *L::table(tables) = Some(table);
                }
            }
            self.polynomial = blocks.polynomial(tau, &behind[..variables - 1], &self.points);
            if let Some(table) = L::table(tables) {
                let round = RowRound::new(&self.terms, tau, first >> 1, height);
                let mut values = Zeroizing::new(vec![ElementOf::ZERO; round.values()]);
                round.add::<L>(token, (table, *stride, first), (unbound, None), eq, &mut values);
                round.add_to(&mut self.polynomial, &self.points, &values, None);
            }
        } else {
            let mut round = RowRound::new(&self.terms, tau, 0, height);
            let elements = height.saturating_mul(eq.len());
            let stores = elements.saturating_mul(size_of::<ElementOf<F>>()) <= self.table_bytes;
            if L::table(tables).is_none() && stores && self.claim.is_some() {
                self.scales = Scales::new(&self.terms, &self.tau[bound..], [height, eq.len()]);
            }
            let scales = self.scales.as_ref();
            if self.claim.is_some() {
                round = round.given_claim(scales);
            }
            let mut values = Zeroizing::new(vec![ElementOf::ZERO; round.values()]);
            if let Some(table) = L::table(tables) {
                let bound = (unbound, divisors.as_ref());
                round.add::<L>(token, (table, *stride, 0), bound, eq, &mut values);
            } else {
                let weights = eq::table(&self.point, 1 << bound);
                let elements = height * eq.len().div_ceil(L::LANES);
                let mut table = stores.then(|| Zeroizing::new(Vec::with_capacity(elements)));
                let stored = table.as_deref_mut();
                source.for_folded::<T, L>(
                    (*isa, token),
                    (&weights, scales),
                    height,
                    stored,
                    &mut |first, count, rows| {
                        let eq = &eq[first..first + count];
                        round.add::<L>(token, (rows, height, 0), (None, None), eq, &mut values);
                    },
                )?;
                (*stride, *L::table(tables)) = (height, table);
            }
            let claim = self.claim.as_deref().copied();
            self.polynomial = Polynomial::zero(self.points.len() - 1);
            round.add_to(&mut self.polynomial, &self.points, &values, claim);
        }
        Ok(self.polynomial.sent())
    }

    /// Binds the variable of the round.
    pub(in crate::argument) fn bind(&mut self, r: ElementOf<F>) {
        self.claim = Some(Zeroizing::new(self.polynomial.at(r)));
        let mut height = self.height;
        if let Some(blocks) = &mut self.blocks {
            let variables = blocks.variables;
            height -= (height - 1) >> variables << variables;
            blocks.bind(&self.points, self.tau[self.point.len()], r);
            if variables == 1 {
                (self.blocks, self.tables) = (None, Tables::default());
            }
        }
        self.point.push(r);
        self.terms.iter_mut().for_each(|term| term.bind(r));
        self.scales.iter_mut().for_each(Scales::bind);
        self.unbound = Some(Bound { r, height });
        self.height = self.height.div_ceil(2);
    }

    fn images_with<T: WitnessEntry, L: Lanes<F>>(
        mut self,
        token: L::Token,
    ) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
        let (Some(table), Some(Bound { r, height })) = (L::table(&mut self.tables), self.unbound)
        else {
            let weights = eq::table(&self.point, 1 << self.point.len());
            return images_of::<F, T, L>((self.isa, token), &self.source, &weights);
        };
        let divisors = self.scales.filter(Scales::are_over);
        crate::parallel::for_chunks(table, self.stride, |_, column| {
            bind_column::<F, L>(token, &mut column[..height], (r, divisors.as_ref()));
        });
        let mut images = Zeroizing::new(vec![ElementOf::ZERO; self.eq.len()]);
        scatter::<F, L>(token, &mut images, table.iter().step_by(self.stride));
        Ok(images)
    }
}

/// sum over rows a of weights_a x_a for each column of a source, the row behind the others
/// included.
///
/// # Constant time
/// In the entries.
pub(in crate::argument) fn images<F: Field, T: WitnessEntry>(
    isa: Isa,
    source: &Source<'_, F>,
    weights: &[ElementOf<F>],
) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
    with_lanes!(isa, L<F>, token => images_of::<F, T, L<F>>((isa, token), source, weights))
}

fn images_of<F: Field, T: WitnessEntry, L: Lanes<F>>(
    (isa, token): (Isa, L::Token),
    source: &Source<'_, F>,
    weights: &[ElementOf<F>],
) -> Result<Zeroizing<Vec<ElementOf<F>>>, Error> {
    let here = source.here();
    let mut images = Zeroizing::new(vec![ElementOf::ZERO; (here.end - here.start) as usize]);
    source.for_folded::<T, L>(
        (isa, token),
        (weights, None),
        1,
        None,
        &mut |first, count, folded| {
            scatter::<F, L>(token, &mut images[first..first + count], folded.iter());
        },
    )?;
    Ok(images)
}

/// The rows of columns from row `first` on, and beta.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn last<F: Field, T: WitnessEntry, L: Lanes<F>>(
    token: L::Token,
    entries: &[T],
    beta: &[ElementOf<F>],
    first: usize,
) -> Zeroizing<Vec<L::Stored>> {
    let rows = entries.len() / beta.len();
    let groups = beta.len().div_ceil(L::LANES);
    let mut last = Zeroizing::new(Vec::with_capacity(groups * (rows - first + 1)));
    for group in 0..groups {
        let entries = transpose::<F, T, L>(entries, rows, group);
        for row in entries[first * L::LANES..].chunks_exact(L::LANES) {
            last.push(L::of_integers(L::integers(token, row)).store());
        }
        last.push(L::gather(token, &beta[group * L::LANES..]).store());
    }
    debug_assert_eq!(last.len(), last.capacity(), "nothing was moved");
    last
}

fn scatter<'a, F: Field, L: Lanes<F>>(
    token: L::Token,
    images: &mut [ElementOf<F>],
    groups: impl Iterator<Item = &'a L::Stored>,
) where
    L::Stored: 'a,
{
    for (images, group) in images.chunks_mut(L::LANES).zip(groups) {
        L::load(token, group).scatter(images);
    }
}
