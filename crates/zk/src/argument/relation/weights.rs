//! V: with which weights the unknowns count in the value that the first sum-check leaves. With W =
//! eq(r, .) on the table, an error is t - A s + q k, so that
//!
//! ```text
//! sum of W over secrets and errors = sum of W t + sum over secrets of (W - A^T W) s + sum of q W k.
//! ```

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::Isa;

use super::Known;
use super::family::Structure;
use super::products::{Halves, Sums, correlate, omega};
use crate::argument::instance::Weights;
use crate::argument::layout::Layout;
use crate::eq;
use crate::field::Element;
use crate::sum_check::dot;

/// Groups of columns whose sums are made by one thread.
const GROUPS: usize = 16;

/// V of a point r.
pub(super) struct Unknowns<'a> {
    known: &'a Known,
    /// eq(r_1, .) of blocks of rows.
    blocks: Vec<Element>,
    /// eq(r_2, .) of groups of columns.
    groups: Vec<Element>,
    /// The variables of an entry of a block: of its row, then of its column.
    inner_point: Vec<Element>,
    /// eq of these at entry y.
    inner: Vec<Element>,
    isa: Isa,
}

impl<'a> Unknowns<'a> {
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn new(
        known: &'a Known,
        rows: &[Element],
        columns: &[Element],
        layout: &Layout,
    ) -> Self {
        let placement = &known.placement;
        let (low, spread) = (placement.low(), placement.spread);
        let (of_entry, of_block) = rows.split_at(low.ilog2() as usize);
        let (of_column, of_group) = columns.split_at(spread.ilog2() as usize);
        let inner_point = [of_entry, of_column].concat();
        Self {
            known,
            blocks: eq::table(of_block, (placement.rows() / low) as usize),
            groups: eq::table(of_group, layout.columns().div_ceil(spread.into()) as usize),
            inner: eq::table(&inner_point, known.shape.n as usize),
            inner_point,
            isa: Isa::detect_vectors(),
        }
    }

    /// The sum of W t.
    pub(super) fn public(&self) -> Element {
        let shape = &self.known.shape;
        self.sum(|group, place, instance| {
            let mut target = vec![0; shape.errors_len()];
            self.known.family.target(instance, &mut target);
            let blocks = &self.blocks[self.known.placement.carry_block(place)..];
            let blocks = blocks.iter().zip(target.chunks_exact(shape.n as usize));
            let sum = blocks.fold(Element::ZERO, |sum, (&block, target)| {
                let terms = self.inner.iter().zip(target);
                let inner = terms.fold([0_i128; 3], |mut sums, (inner, &t)| {
                    let products = sums.iter_mut().zip(inner.coefficients());
                    products.for_each(|(sum, x)| *sum += i128::from(x) * i128::from(t));
                    sums
                });
                sum + block * Element::from_integers(inner)
            });
            self.groups[group] * sum
        })
    }

    /// The sum over all groups and instances of f(group, place, instance).
    fn sum(&self, f: impl Fn(usize, usize, u64) -> Element + Sync + Send) -> Element {
        let (placement, groups) = (&self.known.placement, self.groups.len());
        let mut parts = vec![Element::ZERO; groups.div_ceil(GROUPS)];
        crate::parallel::for_chunks(&mut parts, 1, |chunk, part| {
            for group in (chunk * GROUPS..groups).take(GROUPS) {
                for (place, instance) in placement.group(group).enumerate() {
                    if instance < placement.instances {
                        part[0] += f(group, place, instance);
                    }
                }
            }
        });
        parts.into_iter().fold(Element::ZERO, |sum, part| sum + part)
    }

    /// Adds the rows of blocks of A of an instance with these weights, and appends the sums.
    fn add_rows(&self, instance: u64, blocks: &[Element], out: &mut Vec<Element>) {
        let mut sums = Sums::zeros(self.known.shape.row_len());
        self.known.family.rows(instance, &mut |row, entries| {
            sums.add(self.isa, blocks[row], entries);
        });
        out.extend(sums.elements());
    }

    /// A^T W of instances, one after the other, given their sums over rows of blocks.
    fn transposed(&self, mut sums: Vec<Element>) -> Vec<Element> {
        match self.known.shape.structure {
            Structure::Plain => {
                sums.iter().flat_map(|&x| self.inner.iter().map(move |&y| x * y)).collect()
            }
            Structure::Ring => {
                let n = self.known.shape.n as usize;
                correlate(self.isa, &mut sums, n, &self.inner_point);
                sums
            }
        }
    }

    /// What U^T A W is made of, besides weights of blocks, for weights of entries in U.
    fn prepare(&self, right: &[Element]) -> Vec<Element> {
        match self.known.shape.structure {
            Structure::Plain => vec![dot(&self.inner, right)],
            Structure::Ring => omega(&self.inner, right),
        }
    }

    /// U^T A W of an instance, for weights of blocks.
    fn form(
        &self,
        instance: u64,
        (left, right): (&[Element], &[Element]),
        (prepared, halves): (&[Element], &Halves),
    ) -> Element {
        let (family, n) = (&self.known.family, self.known.shape.n as usize);
        let mut sum = Element::ZERO;
        match self.known.shape.structure {
            Structure::Plain => {
                let right = Halves::new(right);
                family.rows(instance, &mut |row, entries| {
                    sum += left[row] * right.dot(self.isa, entries);
                });
                sum * prepared[0]
            }
            Structure::Ring => {
                family.rows(instance, &mut |row, entries| {
                    let polynomials = entries.chunks_exact(n).zip(right);
                    let of_row = polynomials.fold(Element::ZERO, |sum, (entries, &right)| {
                        sum + right * halves.dot(self.isa, entries)
                    });
                    sum += left[row] * of_row;
                });
                sum
            }
        }
    }
}

impl Weights for Unknowns<'_> {
    fn add(&self, scale: Element, _: usize, height: usize, table: &mut [Element]) {
        let Known { placement, shape, .. } = self.known;
        let modulus = Element::from(i64::from(shape.modulus));
        let group_len = height * placement.spread as usize;
        let (n, log) = (shape.n as usize, shape.n.ilog2());
        crate::parallel::for_chunks(table, group_len, |group, out| {
            let weight = scale * self.groups[group];
            let scaled = |first: usize, count: u32| -> Vec<Element> {
                let blocks = &self.blocks[first..first + count as usize];
                blocks.iter().map(|&block| weight * block).collect()
            };
            let mut sums = Vec::new();
            for (place, instance) in placement.group(group).enumerate() {
                let (of_secrets, of_carries) =
                    (placement.secret_block(place), placement.carry_block(place));
                let secrets = scaled(of_secrets, shape.columns);
                placement.for_entries(of_secrets, shape.columns, height, |i, at| {
                    // Columns behind the last instance need not be whole groups.
                    if let Some(out) = out.get_mut(at) {
                        *out += secrets[i >> log] * self.inner[i & (n - 1)];
                    }
                });
                if instance >= placement.instances {
                    continue;
                }
                let carries = scaled(of_carries, shape.rows);
                self.add_rows(instance, &carries, &mut sums);
                let carries: Vec<Element> = carries.iter().map(|&x| modulus * x).collect();
                placement.for_entries(of_carries, shape.rows, height, |i, at| {
                    out[at] += carries[i >> log] * self.inner[i & (n - 1)];
                });
            }
            // Of the places that have an instance: the first ones.
            let transposed = self.transposed(sums);
            for (place, x) in transposed.chunks_exact(shape.secrets_len()).enumerate() {
                let of_secrets = placement.secret_block(place);
                placement.for_entries(of_secrets, shape.columns, height, |i, at| {
                    out[at] = out[at] - x[i];
                });
            }
        });
    }

    fn at(&self, point: &[Element], _: usize, columns: &[Element]) -> Element {
        let Known { placement, shape, .. } = self.known;
        let modulus = Element::from(i64::from(shape.modulus));
        let (low, spread) = (placement.low() as usize, placement.spread as usize);
        let (of_entry, of_block) = point.split_at(low.ilog2() as usize);
        let entries = eq::table(of_entry, low);
        let blocks = eq::table(of_block, self.blocks.len());
        // For an entry in column h of a group.
        let prepared: Vec<(Vec<Element>, Element)> = (0..spread)
            .map(|h| {
                let mut right = vec![Element::ZERO; shape.n as usize];
                right[h * low..][..low].copy_from_slice(&entries);
                (self.prepare(&right), dot(&self.inner, &right))
            })
            .collect();
        let common = Halves::new(&prepared[0].0);
        let products: Vec<Element> =
            self.blocks.iter().zip(&blocks).map(|(&x, &y)| x * y).collect();
        let total = |first: usize, count: u32| {
            let some = &products[first..first + count as usize];
            some.iter().fold(Element::ZERO, |sum, &x| sum + x)
        };
        // Secrets without an instance are in the table, too.
        let groups = self.groups.iter().zip(columns.chunks(spread));
        let sums = groups.fold(Element::ZERO, |sum, (&weight, columns)| {
            let columns = columns.iter().zip(&prepared);
            sum + weight * columns.fold(Element::ZERO, |sum, (&h, (_, inner))| sum + h * *inner)
        });
        let of_secrets = sums * total(0, placement.places * shape.columns);
        let of_instances = self.sum(|group, place, instance| {
            let columns = &columns[group * spread..][..spread];
            let mut inner = Element::ZERO;
            let combined: Vec<Element>;
            let halves: Halves;
            let (own, scale) = if let [h] = *columns {
                inner += h * prepared[0].1;
                ((&prepared[0].0[..], &common), h)
            } else {
                let mut sum = vec![Element::ZERO; prepared[0].0.len()];
                for (&h, (prepared, of_inner)) in columns.iter().zip(&prepared) {
                    inner += h * *of_inner;
                    sum.iter_mut().zip(prepared).for_each(|(sum, &x)| *sum += h * x);
                }
                combined = sum;
                halves = Halves::new(&combined);
                ((&combined[..], &halves), Element::monomial(1, 0))
            };
            let (of_secrets, of_carries) =
                (placement.secret_block(place), placement.carry_block(place));
            let left = &self.blocks[of_carries..][..shape.rows as usize];
            let right = &blocks[of_secrets..][..shape.columns as usize];
            let form = scale * self.form(instance, (left, right), own);
            self.groups[group] * (modulus * inner * total(of_carries, shape.rows) - form)
        });
        of_secrets + of_instances
    }
}
