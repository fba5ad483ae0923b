//! [`Wires`]: the matrices of a circuit with the variables of the constraints bound, as weights of the
//! places of its wires.

use alloc::vec;

use tautochrone_simd::{Isa, Token as _};

use super::claim::CircuitClaim;
use super::constraints::{Circuit, Known, Matrix};
use crate::argument::instance::Weights;
use crate::argument::tables;
use crate::eq::{self, Halves, SPAN};
use crate::field::{Element, fold, with_lanes};
use crate::scalar::Scalar;

/// Constraints behind the constraints of the circuit, on beta'_0, beta'_1 and beta'_2: beta'_0 0 =
/// 0, 0 beta'_1 = 0 and beta'_2 1 = beta'_2.
pub(super) const DUMMIES: usize = 3;
/// Wires, and chunks of constraints, that one thread works on together.
const WIRES: usize = 1 << 12;
const CHUNKS: usize = 4;

/// M~(r_x, .) = (A~ + alpha B~ + alpha^2 C~)(r_x, .). Public.
pub(super) struct Wires<'a> {
    pub(super) claim: &'a CircuitClaim,
    pub(super) circuit: &'a Circuit,
    /// eq(r_x, i) of the constraints.
    pub(super) rows: Halves,
    /// 1, alpha and alpha^2.
    pub(super) scales: [Element; 3],
}

pub(super) fn powers(alpha: Element) -> [Element; 3] {
    [Element::monomial(1, 0), alpha, alpha * alpha]
}

/// The places of wires from `wire` on, as the rows and columns of runs down a column of `height`
/// places: calls f(column, row, run) for each, with its part of `wires`.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn for_runs(
    claim: &CircuitClaim,
    (mut wire, height): (usize, usize),
    mut wires: &mut [Element],
    mut f: impl FnMut(usize, usize, &mut [Element]),
) {
    while !wires.is_empty() {
        let place = claim.place(wire);
        let (column, row) = (place / height, place % height);
        let most = if wire < claim.inputs().len() { 1 } else { height - row };
        let (run, rest) = wires.split_at_mut(most.min(wires.len()));
        f(column, row, run);
        (wire, wires) = (wire + run.len(), rest);
    }
}

impl Wires<'_> {
    /// The constraints of a chunk.
    fn constraints(&self, chunk: usize) -> core::ops::Range<usize> {
        SPAN * chunk..self.circuit.constraints().min(SPAN * (chunk + 1))
    }
}

impl Weights for Wires<'_> {
    fn add(&self, scale: Element, places: usize, height: usize, table: &mut [Element]) {
        let first = self.circuit.first_secret() as usize;
        let mut wires = vec![Element::ZERO; first + self.circuit.secret_wires() as usize];
        let mut weights = [Element::ZERO; SPAN];
        for (chunk, &high) in self.rows.high.iter().enumerate() {
            for (&of_matrix, matrix) in self.scales.iter().zip(&*self.circuit.matrices) {
                let factor = scale * of_matrix * high;
                with_lanes!(Isa::detect_vectors(), L, token => token.vectorize(
                    #[inline(always)]
                    || tables::scale::<L>(token, &self.rows.low, factor, &mut weights),
                ));
                for (index, &weight) in self.constraints(chunk).zip(&weights) {
                    matrix.add_row(index, weight, &mut wires);
                }
            }
        }
        for_runs(self.claim, (0, places), &mut wires[first..], |column, row, run| {
            let out = &mut table[column * height + row..];
            out.iter_mut().zip(run).for_each(|(out, weight)| *out += *weight);
        });
    }

    fn at(&self, point: &[Element], height: usize, columns: &[Element]) -> Element {
        let isa = Isa::detect_vectors();
        let rows = eq::table(point, height);
        // As long as the circuit is: the statement does not matter. 0 for wires that are not secret.
        let first = self.circuit.first_secret() as usize;
        let mut wires = vec![Element::ZERO; first + self.circuit.secret_wires() as usize];
        crate::parallel::for_chunks(&mut wires[first..], WIRES, |chunk, out| {
            with_lanes!(isa, L, token => token.vectorize(
                #[inline(always)]
                || for_runs(
                    self.claim,
                    (chunk * WIRES, height),
                    out,
                    #[inline(always)]
                    |column, row, run| tables::scale::<L>(token, &rows[row..], columns[column], run),
                ),
            ));
        });
        let mut parts = vec![Element::ZERO; self.circuit.constraints().div_ceil(SPAN)];
        crate::parallel::for_chunks(&mut parts, CHUNKS, |first, out| {
            let mut values = [Element::ZERO; SPAN];
            for (chunk, out) in (CHUNKS * first..).zip(out) {
                for (&scale, matrix) in self.scales.iter().zip(&*self.circuit.matrices) {
                    let constraints = self.constraints(chunk);
                    let count = constraints.len();
                    for (value, index) in values.iter_mut().zip(constraints) {
                        let sum = matrix.row_sum(index, |wire| wires[wire].coefficients());
                        *value = Element::from_residues(sum);
                    }
                    let sum = with_lanes!(isa, L, token => token.vectorize(
                        #[inline(always)]
                        || tables::dot::<L>(token, &self.rows.low, &values[..count]),
                    ));
                    *out += scale * sum;
                }
                *out = *out * self.rows.high[chunk];
            }
        });
        parts.into_iter().fold(Element::ZERO, |sum, part| sum + part)
    }
}

impl Matrix {
    /// Adds a row times `weight` to weights of wires. Public.
    fn add_row(&self, index: usize, weight: Element, wires: &mut [Element]) {
        for &(wire, x) in self.row(index) {
            let out = &mut wires[wire as usize];
            *out = match x {
                Scalar::ONE => *out + weight,
                _ if x == -Scalar::ONE => *out - weight,
                _ => *out + weight.times(x),
            };
        }
    }
}

impl Circuit {
    /// The sum of M~(r_x, k) z_k over the public wires k, given eq(r_x, i) and powers of alpha.
    pub(super) fn known(&self, rows: &Halves, scales: [Element; 3], public: &[Scalar]) -> Element {
        // They are sorted by matrix, then by row.
        let chunk = |&(matrix, row, ..): &Known| (matrix, row as usize >> SPAN.ilog2());
        let mut sum = Element::ZERO;
        for known in self.known.chunk_by(|x, y| chunk(x) == chunk(y)) {
            let mut part = Element::ZERO;
            // Sums of products below 2^122.
            for known in known.chunks(32) {
                let mut sums = [0; 3];
                for &(_, row, wire, x) in known {
                    let value = if wire == 0 { x } else { x * Self::public_value(public, wire) };
                    let weight = rows.low[row as usize & (SPAN - 1)].coefficients();
                    for (sum, weight) in sums.iter_mut().zip(weight) {
                        *sum += u128::from(weight) * u128::from(value.value());
                    }
                }
                part += Element::from_residues(sums.map(fold));
            }
            let (matrix, high) = chunk(&known[0]);
            sum += scales[matrix as usize] * rows.high[high] * part;
        }
        sum
    }
}
