//! V: with which weights the unknowns count in the value that the first sum-check leaves. With W =
//! eq(r, .) on the table, an error is t - A s + q k, so that
//!
//! ```text
//! sum of W over secrets and errors = sum of W t + sum over secrets of (W - A^T W) s + sum of q W k.
//! ```
//!
//! W and q W are products of weights of rows and of columns; A^T W is a weight of each secret.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::Isa;

use super::Known;
use super::placement::Placement;
use super::point::Point;
use super::products::{Halves, Sums, correlate};
use crate::argument::layout::Layout;
use crate::argument::linear::{Places, Weights};
use crate::argument::request::Columns;
use crate::eq;
use crate::field::{Element, ElementOf, Field};
use crate::sum_check::{dot, outer};

/// Groups of columns whose sums are made by one thread.
const GROUPS: usize = 16;
/// Groups of columns whose polynomials are multiplied together, as many as there are lanes or more.
const TOGETHER: usize = 8;

/// The part of V that is a product, for a point of the rows of the table and one of the columns, of
/// which there are so many.
pub(super) fn products(
    known: &Known,
    rows: &[Element],
    columns: &[Element],
    count: u64,
) -> Vec<Places<'static>> {
    let Known { placement, shape, .. } = known;
    let modulus = shape.moduli[0] as u64;
    let weights = eq::table(rows, placement.rows() as usize);
    let mut secrets: Vec<(u32, Element)> = (0..).zip(weights).collect();
    let carries = secrets.split_off(placement.first_row(shape.carries()) as usize);
    let mut carries: Vec<_> = carries.into_iter().map(|(row, x)| (row, x.scale(modulus))).collect();
    let point = Columns::Point(columns.to_vec());
    if full_columns(placement) == count {
        secrets.append(&mut carries);
        return [Places::Product { rows: secrets, columns: point }].into();
    }
    let mut places = in_instances(placement, carries, columns, count);
    places.push(Places::Product { rows: secrets, columns: point });
    places
}

/// Columns of groups without a place that is empty.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn full_columns(placement: &Placement) -> u64 {
    placement.instances / u64::from(placement.places) * u64::from(placement.spread)
}

/// Weights of the rows of a part, one place after the other, times eq(r, .) of the columns, of which
/// there are so many, where there are instances.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn in_instances<F: Field>(
    placement: &Placement,
    rows: Vec<(u32, ElementOf<F>)>,
    columns: &[ElementOf<F>],
    count: u64,
) -> Vec<Places<'static, F>> {
    let full = full_columns(placement);
    if full == count {
        return [Places::Product { rows, columns: Columns::Point(columns.to_vec()) }].into();
    }
    // Places of a last group that has some which are empty.
    let last = (placement.instances % u64::from(placement.places)) as usize;
    let weights = eq::table(columns, (full + 1).min(count) as usize);
    let mut of_full: Vec<(u64, ElementOf<F>)> = (0..).zip(weights).collect();
    let of_last = of_full.split_off(full as usize);
    let rows_of_last = rows[..rows.len() / placement.places as usize * last].to_vec();
    [(rows, Columns::Some(of_full)), (rows_of_last, Columns::Some(of_last))]
        .map(|(rows, columns)| Places::Product { rows, columns })
        .into()
}

/// -A^T W of a point r.
pub(super) struct Unknowns<'a> {
    known: &'a Known,
    point: Point,
    isa: Isa,
}

impl<'a> Unknowns<'a> {
    pub(super) fn new(
        known: &'a Known,
        rows: &[Element],
        columns: &[Element],
        layout: &Layout,
    ) -> Self {
        let point = Point::new(known.placement, rows, columns, layout.columns());
        Self { known, point, isa: Isa::detect_vectors() }
    }

    /// The sum of W t.
    pub(super) fn public(&self) -> Element {
        let (shape, inner) = (&self.known.shape, Halves::new(&self.point.inner));
        self.point.sum(GROUPS, |group, place, instance| {
            let mut target = vec![0; shape.equations_len()];
            self.known.small_targets(instance, &mut target);
            let blocks = self
                .point
                .equations(shape, place)
                .iter()
                .zip(target.chunks_exact(shape.n as usize));
            let sum = blocks.fold(Element::ZERO, |sum, (&block, target)| {
                sum + block * inner.dot(self.isa, target)
            });
            self.point.groups[group] * sum
        })
    }

    /// Adds up the rows of blocks of A of an instance with these weights.
    fn add_rows(&self, instance: u64, blocks: &[Element], sums: &mut Sums) {
        sums.clear();
        self.known.rows(instance, &mut |row, entries| sums.add(self.isa, blocks[row], entries));
    }

    /// A^T W of instances, one after the other, given their sums over rows of blocks.
    fn transposed(&self, mut sums: Vec<Element>) -> Vec<Element> {
        if self.known.shape.is_plain() {
            return outer(&sums, &self.point.inner);
        }
        let n = self.known.shape.n as usize;
        correlate(self.isa, &mut sums, n, &self.point.variables);
        sums
    }

    /// What U^T A W is made of, besides weights of blocks, for weights of entries in U. Of
    /// polynomials, Omega with <a, Omega> = the sum over x and y of eq(r, x) (weight of y) times the
    /// coefficient of X^x in a X^y.
    fn prepare(&self, mut right: Vec<Element>) -> Vec<Element> {
        if self.known.shape.is_plain() {
            return vec![dot(&self.point.inner, &right)];
        }
        let n = right.len();
        correlate(self.isa, &mut right, n, &self.point.variables);
        right
    }

    /// U^T A W of an instance, for weights of blocks.
    fn form(
        &self,
        instance: u64,
        (left, right): (&[Element], &[Element]),
        (prepared, halves): (&[Element], &Halves),
    ) -> Element {
        let mut sum = Element::ZERO;
        if self.known.shape.is_plain() {
            let right = Halves::new(right);
            self.known.rows(instance, &mut |row, entries| {
                sum += left[row] * right.dot(self.isa, entries);
            });
            return sum * prepared[0];
        }
        let n = self.known.shape.n as usize;
        self.known.rows(instance, &mut |row, entries| {
            let polynomials = entries.chunks_exact(n).zip(right);
            let of_row = polynomials.fold(Element::ZERO, |sum, (entries, &right)| {
                sum + right * halves.dot(self.isa, entries)
            });
            sum += left[row] * of_row;
        });
        sum
    }
}

impl Weights for Unknowns<'_> {
    /// Weights of secrets.
    fn end(&self, _: usize) -> usize {
        self.known.placement.first_row(self.known.shape.carries()) as usize
    }

    fn add(&self, scale: Element, _: usize, height: usize, table: &mut [Element]) {
        let Known { placement, shape, family, .. } = self.known;
        let group_len = height * placement.spread as usize;
        let len = shape.unknowns_len();
        // A^T W of every place, besides the weight of a group.
        let common = family.is_common().then(|| {
            let mut sums = Sums::zeros(shape.row_len());
            let mut all = Vec::new();
            for place in 0..placement.places as usize {
                self.add_rows(0, self.point.equations(shape, place), &mut sums);
                all.extend(sums.elements());
            }
            self.transposed(all)
        });
        crate::parallel::for_chunks(table, TOGETHER * group_len, |chunk, out| {
            let mut instances = Vec::new();
            for group in (TOGETHER * chunk..self.point.groups.len()).take(TOGETHER) {
                let places = placement.group(group).enumerate();
                let places = places.filter(|&(_, instance)| instance < placement.instances);
                instances.extend(places.map(|(place, instance)| (group, place, instance)));
            }
            let subtract = |out: &mut [Element], (group, place), of: &dyn Fn(usize) -> Element| {
                let out = &mut out[(group - TOGETHER * chunk) * group_len..][..group_len];
                placement.for_part(0, place, height, |i, at| out[at] = out[at] - of(i));
            };
            if let Some(common) = &common {
                for (group, place, _) in instances {
                    let weight = scale * self.point.groups[group];
                    let of_place = &common[place * len..][..len];
                    subtract(out, (group, place), &|i| weight * of_place[i]);
                }
                return;
            }
            let (mut sums, mut all) = (Sums::zeros(shape.row_len()), Vec::new());
            for &(group, place, instance) in &instances {
                let weight = scale * self.point.groups[group];
                let blocks = self.point.equations(shape, place).iter();
                let blocks: Vec<_> = blocks.map(|&block| weight * block).collect();
                self.add_rows(instance, &blocks, &mut sums);
                all.extend(sums.elements());
            }
            let transposed = self.transposed(all);
            for ((group, place, _), of) in instances.into_iter().zip(transposed.chunks_exact(len)) {
                subtract(out, (group, place), &|i| of[i]);
            }
        });
    }

    fn at(&self, point: &[Element], _: usize, columns: &[Element]) -> Element {
        let Known { placement, shape, family, .. } = self.known;
        let (low, spread) = (placement.low() as usize, placement.spread as usize);
        let (of_entry, of_block) = point.split_at(low.ilog2() as usize);
        let entries = eq::table(of_entry, low);
        let blocks = eq::table(of_block, self.point.blocks.len());
        // For an entry in column h of a group.
        let prepared: Vec<Vec<Element>> = (0..spread)
            .map(|h| {
                let mut right = vec![Element::ZERO; shape.n as usize];
                right[h * low..][..low].copy_from_slice(&entries);
                self.prepare(right)
            })
            .collect();
        let first = Halves::new(&prepared[0]);
        // U^T A W of an instance in this place, with these values of its columns.
        let form = |place: usize, instance: u64, columns: &[Element]| {
            let right = &blocks[placement.first_block(0, place)..][..shape.blocks() as usize];
            let sides = (self.point.equations(shape, place), right);
            if let [h] = *columns {
                return h * self.form(instance, sides, (&prepared[0], &first));
            }
            let mut all = vec![Element::ZERO; prepared[0].len()];
            for (&h, prepared) in columns.iter().zip(&prepared) {
                all.iter_mut().zip(prepared).for_each(|(sum, &x)| *sum += h * x);
            }
            self.form(instance, sides, (&all, &Halves::new(&all)))
        };
        if family.is_common() {
            self.known.store();
        }
        Element::ZERO - self.point.form(family.is_common(), GROUPS, columns, form)
    }
}
