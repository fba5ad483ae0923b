//! With which weights unknowns count in linear claims about instances: A^T W, for weights W = eq(r,
//! .) of the equations, is a weight of each unknown.
//!
//! Where errors are not committed, W is a weight of each entry of the table, and an error of it is
//! t - A s + q k, so that
//!
//! ```text
//! sum of W over secrets and errors = sum of W t + sum over secrets of (W - A^T W) s + sum of q W k.
//! ```
//!
//! W and q W are products of weights of rows and of columns.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use tautochrone_simd::Isa;

use super::Known;
use super::family::{Coefficient, UnknownPart};
use super::placement::Placement;
use super::point::Point;
use super::products::{Parts, Sums, correlate};
use crate::argument::linear::{Product, Weights};
use crate::argument::request::Columns;
use crate::eq;
use crate::field::{ElementOf, Field};
use crate::sum_check::{dot, outer};

/// Groups of columns whose sums are made by one thread, where errors are not committed.
const GROUPS: usize = 16;
/// Groups of columns whose polynomials are multiplied together then, as many as there are lanes or
/// more.
const TOGETHER: usize = 8;

/// The part of the weights that is products, where errors are not committed, for a point of the
/// rows of the table and one of the columns, of which there are so many.
pub(super) fn products<F: Field>(
    known: &Known,
    rows: &[ElementOf<F>],
    columns: &[ElementOf<F>],
    count: u64,
) -> Vec<Product<F>> {
    let Known { placement, shape, .. } = known;
    let modulus = F::residue(shape.moduli[0].cast_signed());
    let weights = eq::table(rows, placement.rows() as usize);
    let mut secrets: Vec<(u32, ElementOf<F>)> = (0..).zip(weights).collect();
    let carries = secrets.split_off(placement.first_row(shape.carries()) as usize);
    let mut carries: Vec<_> = carries.into_iter().map(|(row, x)| (row, x.scale(modulus))).collect();
    let point = Columns::Point(columns.to_vec());
    if full_columns(placement) == count {
        secrets.append(&mut carries);
        return [(secrets, point)].into();
    }
    let mut products = in_instances(placement, carries, columns, count);
    products.push((secrets, point));
    products
}

/// Columns of groups without a place that is empty.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn full_columns(placement: &Placement) -> u64 {
    placement.instances / u64::from(placement.places) * u64::from(placement.spread)
}

/// Weights of the rows of a part, one place after the other, times eq(r, .) of the columns, of
/// which there are so many, where there are instances.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn in_instances<F: Field>(
    placement: &Placement,
    rows: Vec<(u32, ElementOf<F>)>,
    columns: &[ElementOf<F>],
    count: u64,
) -> Vec<Product<F>> {
    let full = full_columns(placement);
    if full == count {
        return [(rows, Columns::Point(columns.to_vec()))].into();
    }
    // Places of a last group that has some which are empty.
    let last = (placement.instances % u64::from(placement.places)) as usize;
    let weights = eq::table(columns, (full + 1).min(count) as usize);
    let mut of_full: Vec<(u64, ElementOf<F>)> = (0..).zip(weights).collect();
    let of_last = of_full.split_off(full as usize);
    let rows_of_last = rows[..rows.len() / placement.places as usize * last].to_vec();
    [(rows, Columns::Some(of_full)), (rows_of_last, Columns::Some(of_last))].into()
}

/// A^T W of a point r, or -A^T W where errors are not committed.
pub(super) struct Unknowns<'a, F: Field> {
    known: &'a Known,
    point: Point<F>,
    isa: Isa,
}

impl<'a, F: Field> Unknowns<'a, F> {
    /// For a point of the rows and one of the columns, of which there are so many.
    pub(super) fn new(
        known: &'a Known,
        rows: &[ElementOf<F>],
        columns: &[ElementOf<F>],
        count: u64,
    ) -> Self {
        let point = Point::new(known.placement, rows, columns, count);
        Self { known, point, isa: Isa::detect_vectors() }
    }

    /// Of so many groups that one thread works on where errors are not committed, how many it
    /// takes: else an instance is large.
    const fn together(&self, groups: usize) -> usize {
        if self.known.shape.commits_to_errors() { 1 } else { groups }
    }

    /// A weight with its sign.
    fn signed(&self, x: ElementOf<F>) -> ElementOf<F> {
        if self.known.shape.commits_to_errors() { x } else { ElementOf::ZERO - x }
    }

    /// The sum of W t.
    pub(super) fn public(&self) -> ElementOf<F> {
        let (shape, inner) = (&self.known.shape, &self.point.inner);
        let parts = Parts::new(inner);
        self.point.sum(self.together(GROUPS), |group, place, instance| {
            let (mut target, mut small) = (vec![0; inner.len()], vec![0_i32; inner.len()]);
            let mut sum = ElementOf::ZERO;
            for (row, &weight) in self.point.equations(shape, place).iter().enumerate() {
                self.known.target(instance, row, &mut target);
                let of_row = if shape.commits_to_errors() {
                    let terms = inner.iter().zip(&target);
                    terms.fold(ElementOf::ZERO, |sum, (&x, &t)| sum + x * integer(t))
                } else {
                    small.iter_mut().zip(&target).for_each(|(small, &t)| *small = t as i32);
                    parts.dot(self.isa, &small)
                };
                sum += weight * of_row;
            }
            self.point.groups[group] * sum
        })
    }

    /// A^T W of instances, one after the other, for weights of the blocks of equations of each.
    fn transposed(
        &self,
        instances: impl Iterator<Item = (u64, Vec<ElementOf<F>>)>,
    ) -> Vec<ElementOf<F>> {
        let shape = &self.known.shape;
        if shape.commits_to_errors() {
            return instances.flat_map(|(i, weights)| self.transposed_one(i, &weights)).collect();
        }
        let (mut sums, mut all) = (Sums::zeros::<F>(shape.row_len()), Vec::new());
        for (instance, weights) in instances {
            sums.clear();
            for (row, &weight) in weights.iter().enumerate() {
                self.known.row(instance, row, &mut |_, coefficient| {
                    if let Coefficient::Row(entries) = coefficient {
                        sums.add(self.isa, weight, entries);
                    }
                });
            }
            all.extend(sums.elements::<F>());
        }
        if shape.is_plain() {
            return outer(&all, &self.point.inner);
        }
        correlate(self.isa, &mut all, self.point.inner.len(), &self.point.variables);
        all
    }

    /// A^T W of an instance, where errors are committed.
    fn transposed_one(&self, instance: u64, weights: &[ElementOf<F>]) -> Vec<ElementOf<F>> {
        let n = self.point.inner.len();
        let blocks = self.known.shape.blocks() as usize;
        // The sum of polynomials, as far as there are any, and of integers, of each block.
        let mut sums = vec![ElementOf::ZERO; blocks * n];
        let mut integers = vec![ElementOf::ZERO; blocks];
        let mut polynomials = vec![false; blocks];
        for (row, &weight) in weights.iter().enumerate() {
            self.known.row(instance, row, &mut |block, coefficient| match coefficient {
                Coefficient::Integer(a) => integers[block] += weight * a.into(),
                Coefficient::Polynomial(a) => {
                    polynomials[block] = true;
                    let sums = &mut sums[block * n..][..n];
                    sums.iter_mut().zip(a).for_each(|(sum, &a)| *sum += weight * a.into());
                }
                Coefficient::Row(_) => (),
            });
        }
        for (block, sums) in sums.chunks_exact_mut(n).enumerate() {
            if polynomials[block] {
                correlate(self.isa, sums, n, &self.point.variables);
            }
            let inner = self.point.inner.iter();
            sums.iter_mut().zip(inner).for_each(|(sum, &x)| *sum += integers[block] * x);
        }
        sums
    }

    /// What U^T A W is made of, besides weights of blocks, for weights of entries in U: Omega with
    /// <a, Omega> = the sum over x and y of eq(r, x) (weight of y) times the coefficient of X^x in
    /// a X^y; where A consists of integers its first entry alone.
    fn prepare(&self, mut right: Vec<ElementOf<F>>) -> (Vec<ElementOf<F>>, Parts) {
        if self.known.shape.is_plain() {
            right = vec![dot(&self.point.inner, &right)];
        } else {
            let n = right.len();
            correlate(self.isa, &mut right, n, &self.point.variables);
        }
        let parts = Parts::new(&right);
        (right, parts)
    }

    /// U^T A W of an instance, for weights of blocks.
    fn form(
        &self,
        instance: u64,
        (left, right): (&[ElementOf<F>], &[ElementOf<F>]),
        (omega, parts): &(Vec<ElementOf<F>>, Parts),
    ) -> ElementOf<F> {
        let of_blocks = self.known.shape.is_plain().then(|| Parts::new(right));
        let mut sum = ElementOf::ZERO;
        for (row, &weight) in left.iter().enumerate() {
            let mut of_row = ElementOf::ZERO;
            self.known.row(instance, row, &mut |block, coefficient| match coefficient {
                Coefficient::Integer(a) => of_row += right[block] * omega[0] * a.into(),
                Coefficient::Polynomial(a) => {
                    let terms = omega.iter().zip(a);
                    let zero = ElementOf::ZERO;
                    of_row += right[block] * terms.fold(zero, |sum, (&x, &a)| sum + x * a.into());
                }
                Coefficient::Row(entries) => match &of_blocks {
                    Some(of_blocks) => of_row = omega[0] * of_blocks.dot(self.isa, entries),
                    None => {
                        for (entries, &right) in entries.chunks_exact(omega.len()).zip(right) {
                            of_row += right * parts.dot(self.isa, entries);
                        }
                    }
                },
            });
            sum += weight * of_row;
        }
        sum
    }
}

/// An integer of absolute value at most 2^125.
pub(super) fn integer<F: Field>(x: i128) -> ElementOf<F> {
    ElementOf::monomial(F::residue(x), 0)
}

impl<F: Field> Weights<F> for Unknowns<'_, F> {
    /// Weights of unknowns besides carries.
    fn end(&self, _: usize) -> usize {
        self.known.placement.first_row(self.known.shape.carries()) as usize
    }

    fn add(&self, scale: ElementOf<F>, _: usize, height: usize, table: &mut [ElementOf<F>]) {
        let Known { placement, shape, family, .. } = self.known;
        let (group_len, len) = (height * placement.spread as usize, shape.unknowns_len());
        // A^T W of every place, besides the weight of a group.
        let common = family.is_common().then(|| {
            let places = 0..placement.places as usize;
            self.transposed(places.map(|x| (0, self.point.equations(shape, x).to_vec())))
        });
        let together = self.together(TOGETHER);
        crate::parallel::for_chunks(table, together * group_len, |chunk, out| {
            let groups = (together * chunk..self.point.groups.len()).take(together);
            let instances: Vec<_> = groups
                .flat_map(|group| placement.group(group).enumerate().map(move |of| (group, of)))
                .filter(|&(_, (_, instance))| instance < placement.instances)
                .collect();
            let weight = |group: usize| self.signed(scale * self.point.groups[group]);
            let blocks = |&(group, (place, instance)): &(usize, (usize, u64))| {
                let (weight, blocks) = (weight(group), self.point.equations(shape, place));
                (instance, blocks.iter().map(|&block| weight * block).collect())
            };
            let own = match &common {
                Some(_) => Vec::new(),
                None => self.transposed(instances.iter().map(blocks)),
            };
            for (index, (group, (place, _))) in instances.into_iter().enumerate() {
                let of_instance: Cow<'_, [_]> = match &common {
                    Some(common) => {
                        let weight = weight(group);
                        common[place * len..][..len].iter().map(|&x| weight * x).collect()
                    }
                    None => own[index * len..][..len].into(),
                };
                let out = &mut out[(group - together * chunk) * group_len..][..group_len];
                for (part, _, weights) in shape.split(&of_instance) {
                    placement.for_part(part, place, height, |i, at| out[at] += weights[i]);
                }
            }
        });
    }

    fn at(&self, point: &[ElementOf<F>], _: usize, columns: &[ElementOf<F>]) -> ElementOf<F> {
        let Known { placement, shape, family, .. } = self.known;
        let (low, spread) = (placement.low() as usize, placement.spread as usize);
        let (of_entry, of_block) = point.split_at(low.ilog2() as usize);
        let entries = eq::table(of_entry, low);
        let blocks = eq::table(of_block, self.point.blocks.len());
        let right_of = |place: usize| -> Vec<ElementOf<F>> {
            let parts = shape.parts.iter().enumerate();
            let of_part = |(index, part): (usize, &UnknownPart)| {
                &blocks[placement.first_block(index, place)..][..part.blocks as usize]
            };
            parts.flat_map(of_part).copied().collect()
        };
        let rights: Vec<_> = (0..placement.places as usize).map(right_of).collect();
        // Of the entries of one column its value is a factor.
        let one = (spread == 1).then(|| self.prepare(entries.clone()));
        if family.is_common() {
            self.known.store();
        }
        let groups = self.together(GROUPS);
        let sum =
            self.point.form(family.is_common(), groups, columns, |place, instance, columns| {
                let sides = (self.point.equations(shape, place), &rights[place][..]);
                match &one {
                    Some(one) => columns[0] * self.form(instance, sides, one),
                    None => self.form(instance, sides, &self.prepare(outer(columns, &entries))),
                }
            });
        self.signed(sum)
    }
}
