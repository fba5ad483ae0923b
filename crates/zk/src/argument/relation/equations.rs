//! Equations that hold exactly, A_i x_i = t_i + q k_i over the integers, with all that is unknown,
//! errors and carries included, in the messages. As they are linear, one challenge a variable shows
//! them: the sum of all equations with weights W = eq(r, .) at the places of their carries, in which
//! unknowns count A^T W, and carries -q W.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::Isa;

use super::Known;
use super::family::{CARRY_BASE, Coefficient};
use super::point::Point;
use super::products::correlate;
use super::weights::in_instances;
use crate::argument::layout::Layout;
use crate::argument::linear::{LinearClaim, Places, Weights};
use crate::eq;
use crate::field::{ElementOf, Field};
use crate::opening::transcript::Transcript;
use crate::sum_check::outer;

/// Label of the challenges.
const POINT: &str = "equations";

/// A^T W of a point r.
struct Unknowns<'a, F: Field> {
    known: &'a Known,
    point: Point<F>,
}

/// That all equations hold, for a point of the rows and columns of messages that is drawn.
pub(super) fn replay<'a, F: Field>(
    known: &'a Known,
    transcript: &mut Transcript,
    layout: &Layout,
) -> LinearClaim<'a, F> {
    let count = layout.columns();
    let mut point = |variables| -> Vec<ElementOf<F>> {
        (0..variables).map(|_| transcript.challenge(POINT)).collect()
    };
    let rows = point(layout.rounds());
    let columns = point(count.next_power_of_two().ilog2() as usize);
    let placement = &known.placement;
    let (carries, blocks) = (known.shape.carries(), known.shape.moduli.len());
    let [first, end] = [carries, carries + 1].map(|part| placement.first_row(part));
    let weights = eq::table(&rows, end as usize).split_off(first as usize);
    let mut places = Vec::new();
    let mut scale = -1;
    for digit in 0..known.shape.carry_digits() {
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let scaled = |(row, &x): (usize, &ElementOf<F>)| {
            // Rows are in the order of places, and within a place in the order of blocks.
            let block = row / placement.low() as usize % blocks;
            let modulus = scale * known.shape.moduli[block].cast_signed();
            (first + digit * (end - first) + row as u32, x * integer(modulus))
        };
        let of_digits = weights.iter().enumerate().map(scaled).collect();
        places.extend(in_instances(placement, of_digits, &columns, count));
        scale *= i128::from(CARRY_BASE);
    }
    let unknowns = Unknowns { known, point: Point::new(*placement, &rows, &columns, count) };
    let value = unknowns.public();
    places.push(Places::Each(Box::new(unknowns)));
    LinearClaim { value, places: Places::Sum(places), masks: Vec::new() }
}

impl<F: Field> Unknowns<'_, F> {
    /// The sum of W t.
    fn public(&self) -> ElementOf<F> {
        self.point.sum(1, |group, place, instance| {
            let rows = self.point.equations(&self.known.shape, place);
            let mut target = vec![0; self.point.inner.len()];
            let mut sum = ElementOf::ZERO;
            for (row, &weight) in rows.iter().enumerate() {
                self.known.target(instance, row, &mut target);
                let terms = self.point.inner.iter().zip(&target);
                sum += weight * terms.fold(ElementOf::ZERO, |sum, (&x, &t)| sum + x * integer(t));
            }
            self.point.groups[group] * sum
        })
    }

    /// A^T W of the unknowns of an instance, with these weights of blocks of equations.
    fn transposed(&self, instance: u64, rows: &[ElementOf<F>]) -> Vec<ElementOf<F>> {
        let n = self.point.inner.len();
        let blocks = self.known.shape.blocks() as usize;
        // The sum of polynomials, as far as there are any, and of integers, of each block.
        let mut sums = vec![ElementOf::ZERO; blocks * n];
        let mut integers = vec![ElementOf::ZERO; blocks];
        let mut polynomials = vec![false; blocks];
        for (row, &weight) in rows.iter().enumerate() {
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
                correlate(Isa::detect_vectors(), sums, n, &self.point.variables);
            }
            sums.iter_mut()
                .zip(&self.point.inner)
                .for_each(|(sum, &x)| *sum += integers[block] * x);
        }
        sums
    }

    /// The sum over unknowns of an instance of A^T W times weights that are a product: of blocks,
    /// and of entries; for the vector that polynomials are multiplied with then.
    fn form(
        &self,
        instance: u64,
        (rows, right): (&[ElementOf<F>], &[ElementOf<F>]),
        omega: &[ElementOf<F>],
    ) -> ElementOf<F> {
        let mut sum = ElementOf::ZERO;
        for (row, &weight) in rows.iter().enumerate() {
            let mut of_row = ElementOf::ZERO;
            self.known.row(instance, row, &mut |block, coefficient| {
                let product = match coefficient {
                    Coefficient::Integer(a) => omega[0] * a.into(),
                    Coefficient::Polynomial(a) => {
                        let terms = omega.iter().zip(a);
                        terms.fold(ElementOf::ZERO, |sum, (&x, &a)| sum + x * a.into())
                    }
                    Coefficient::Row(_) => ElementOf::ZERO,
                };
                of_row += right[block] * product;
            });
            sum += weight * of_row;
        }
        sum
    }
}

/// An integer of absolute value at most 2^125.
fn integer<F: Field>(x: i128) -> ElementOf<F> {
    ElementOf::monomial(F::residue(x), 0)
}

impl<F: Field> Weights<F> for Unknowns<'_, F> {
    /// Weights of unknowns besides carries.
    fn end(&self, _: usize) -> usize {
        self.known.placement.first_row(self.known.shape.carries()) as usize
    }

    fn add(&self, scale: ElementOf<F>, _: usize, height: usize, table: &mut [ElementOf<F>]) {
        let Known { placement, shape, family, .. } = self.known;
        let common: Option<Vec<_>> = family.is_common().then(|| {
            (0..placement.places as usize)
                .map(|x| self.transposed(0, self.point.equations(shape, x)))
                .collect()
        });
        crate::parallel::for_chunks(table, height * placement.spread as usize, |group, out| {
            for (place, instance) in placement.group(group).enumerate() {
                if instance >= placement.instances {
                    break;
                }
                let weight = scale * self.point.groups[group];
                let own;
                let of_place = if let Some(common) = &common {
                    &common[place]
                } else {
                    own = self.transposed(instance, self.point.equations(shape, place));
                    &own
                };
                for (index, _, weights) in shape.split(of_place) {
                    placement.for_part(index, place, height, |i, at| {
                        out[at] += weight * weights[i];
                    });
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
            let mut right = Vec::new();
            for (index, part) in shape.parts.iter().enumerate() {
                let first = placement.first_block(index, place);
                right.extend_from_slice(&blocks[first..first + part.blocks as usize]);
            }
            right
        };
        let rights: Vec<_> = (0..placement.places as usize).map(right_of).collect();
        // <a, omega> is the sum over x and y of eq(r, x) (coefficient of X^x in a X^y) times the
        // weight of entry y, which is in column h of its group.
        let omega = |columns: &[ElementOf<F>]| -> Vec<ElementOf<F>> {
            let mut right = outer(columns, &entries);
            let n = right.len();
            correlate(Isa::detect_vectors(), &mut right, n, &self.point.variables);
            right
        };
        let one = (spread == 1).then(|| omega(&[1.into()]));
        self.point.form(family.is_common(), 1, columns, |place, instance, columns| {
            let sides = (self.point.equations(shape, place), &rights[place][..]);
            match &one {
                Some(omega) => columns[0] * self.form(instance, sides, omega),
                None => self.form(instance, sides, &omega(columns)),
            }
        })
    }
}
