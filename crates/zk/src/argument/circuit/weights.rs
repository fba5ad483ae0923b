//! [`Wires`]: the matrices of a circuit with the variables of the constraints bound, as weights of the
//! places of its wires.

use alloc::vec;

use tautochrone_simd::{Isa, Token as _};

use super::claim::CircuitClaim;
use super::constraints::{Circuit, Known, Matrix, Row};
use crate::argument::linear::Weights;
use crate::argument::tables;
use crate::eq::{self, Halves, SPAN};
use crate::field::{ElementOf, SmallField, with_lanes};
use crate::scalar::ScalarOf;

/// Constraints behind the constraints of the circuit, on beta'_0, beta'_1 and beta'_2: beta'_0 0 =
/// 0, 0 beta'_1 = 0 and beta'_2 1 = beta'_2.
pub(super) const DUMMIES: usize = 3;
/// Wires, and chunks of constraints, that one thread works on together.
const WIRES: usize = 1 << 12;
const CHUNKS: usize = 4;
/// Most sums of weights of wires, where each thread has its own.
const MOST_SUMS: usize = 1 << 21;

/// M~(r_x, .) = (A~ + alpha B~ + alpha^2 C~)(r_x, .). Public.
pub(super) struct Wires<'a, F: SmallField> {
    pub(super) claim: &'a CircuitClaim<F>,
    pub(super) circuit: &'a Circuit<F>,
    /// eq(r_x, i) of the constraints.
    pub(super) rows: Halves<F>,
    /// 1, alpha and alpha^2.
    pub(super) scales: [ElementOf<F>; 3],
}

pub(super) fn powers<F: SmallField>(alpha: ElementOf<F>) -> [ElementOf<F>; 3] {
    [ElementOf::one(), alpha, alpha * alpha]
}

/// The places of wires from `wire` on, as the rows and columns of runs down a column of `height`
/// places: calls f(column, row, run) for each, with its part of `wires`.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn for_runs<F: SmallField>(
    claim: &CircuitClaim<F>,
    (mut wire, height): (usize, usize),
    mut wires: &mut [ElementOf<F>],
    mut f: impl FnMut(usize, usize, &mut [ElementOf<F>]),
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

impl<F: SmallField> Wires<'_, F> {
    /// The constraints of a chunk.
    fn constraints(&self, chunk: usize) -> core::ops::Range<usize> {
        SPAN * chunk..self.circuit.constraints().min(SPAN * (chunk + 1))
    }
}

impl<F: SmallField> Weights<F> for Wires<'_, F> {
    fn add(&self, scale: ElementOf<F>, places: usize, height: usize, table: &mut [ElementOf<F>]) {
        let first = self.circuit.first_secret() as usize;
        let count = first + self.circuit.secret_wires() as usize;
        #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
        let tasks = (MOST_SUMS / count).clamp(1, crate::parallel::threads());
        let chunks = self.rows.high.len().div_ceil(tasks);
        let mut parts = vec![ElementOf::ZERO; tasks * count];
        crate::parallel::for_chunks(&mut parts, count, |task, wires| {
            let mut weights = [ElementOf::ZERO; SPAN];
            let all = self.rows.high.iter().enumerate();
            for (chunk, &high) in all.skip(task * chunks).take(chunks) {
                for (&of_matrix, matrix) in self.scales.iter().zip(&*self.circuit.matrices) {
                    let factor = scale * of_matrix * high;
                    with_lanes!(Isa::detect_vectors(), L<F>, token => token.vectorize(
                        #[inline(always)]
                        || tables::scale::<F, L<F>>(token, &self.rows.low, factor, &mut weights),
                    ));
                    for (index, &weight) in self.constraints(chunk).zip(&weights) {
                        Matrix::add_row(matrix.row_from(index, first), weight, wires);
                    }
                }
            }
        });
        for wires in parts.chunks_exact_mut(count) {
            for_runs(self.claim, (0, places), &mut wires[first..], |column, row, run| {
                let out = &mut table[column * height + row..];
                out.iter_mut().zip(run).for_each(|(out, weight)| *out += *weight);
            });
        }
    }

    fn at(&self, point: &[ElementOf<F>], height: usize, columns: &[ElementOf<F>]) -> ElementOf<F> {
        let isa = Isa::detect_vectors();
        let rows = eq::table(point, height);
        // As long as the circuit is: the statement does not matter. 0 for wires that are not secret.
        let first = self.circuit.first_secret() as usize;
        let mut wires = vec![ElementOf::ZERO; first + self.circuit.secret_wires() as usize];
        crate::parallel::for_chunks(&mut wires[first..], WIRES, |chunk, out| {
            with_lanes!(isa, L<F>, token => token.vectorize(
                #[inline(always)]
                || for_runs(
                    self.claim,
                    (chunk * WIRES, height),
                    out,
                    #[inline(always)]
                    |column, row, run| {
                        tables::scale::<F, L<F>>(token, &rows[row..], columns[column], run);
                    },
                ),
            ));
        });
        let mut parts = vec![ElementOf::ZERO; self.circuit.constraints().div_ceil(SPAN)];
        crate::parallel::for_chunks(&mut parts, CHUNKS, |group, out| {
            let mut values = [ElementOf::ZERO; SPAN];
            for (chunk, out) in (CHUNKS * group..).zip(out) {
                for (&scale, matrix) in self.scales.iter().zip(&*self.circuit.matrices) {
                    let constraints = self.constraints(chunk);
                    let count = constraints.len();
                    for (value, index) in values.iter_mut().zip(constraints) {
                        let row = matrix.row_from(index, first);
                        let sum = Matrix::<F>::row_sum(row, |wire| wires[wire].coefficients());
                        *value = ElementOf::from_residues(sum);
                    }
                    let sum = with_lanes!(isa, L<F>, token => token.vectorize(
                        #[inline(always)]
                        || tables::dot::<F, L<F>>(token, &self.rows.low, &values[..count]),
                    ));
                    *out += scale * sum;
                }
                *out = *out * self.rows.high[chunk];
            }
        });
        parts.into_iter().fold(ElementOf::ZERO, |sum, part| sum + part)
    }
}

impl<F: SmallField> Matrix<F> {
    /// Adds a row times `weight` to weights of wires. Public.
    fn add_row(row: &Row<F>, weight: ElementOf<F>, wires: &mut [ElementOf<F>]) {
        for &(wire, x) in row {
            let out = &mut wires[wire as usize];
            *out = match x.value() {
                1 => *out + weight,
                value if value == F::P - 1 => *out - weight,
                _ => *out + weight.times(x),
            };
        }
    }
}

impl<F: SmallField> Circuit<F> {
    /// The sum of M~(r_x, k) z_k over the public wires k, given eq(r_x, i) and powers of alpha.
    pub(super) fn known(
        &self,
        rows: &Halves<F>,
        scales: [ElementOf<F>; 3],
        public: &[ScalarOf<F>],
    ) -> ElementOf<F> {
        // They are sorted by matrix, then by row.
        let chunk = |&(matrix, row, ..): &Known<F>| (matrix, row as usize >> SPAN.ilog2());
        let mut sum = ElementOf::ZERO;
        for known in self.known.chunk_by(|x, y| chunk(x) == chunk(y)) {
            let (mut part, mut sums) = (ElementOf::ZERO, [F::Sum::default(); 3]);
            // Constants are often the same, row after row: one product for many weights.
            let same = |x: &Known<F>, y: &Known<F>| (x.2, x.3) == (y.2, y.3);
            let runs = known.chunk_by(same).flat_map(|known| known.chunks(32));
            for (count, run) in (1..).zip(runs) {
                let weight = |&(_, row, ..): &Known<F>| rows.low[row as usize & (SPAN - 1)];
                let weights = if let [one] = run {
                    weight(one).coefficients()
                } else {
                    let mut sums = [F::Sum::default(); 3];
                    for weight in run.iter().map(weight) {
                        let words = sums.iter_mut().zip(weight.coefficients());
                        words.for_each(|(sum, word)| F::add_word(sum, word));
                    }
                    sums.map(F::reduce)
                };
                let (.., wire, x) = run[0];
                let value = if wire == 0 { x } else { x * Self::public_value(public, wire) };
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    F::add_product(sum, weight, value.value());
                }
                if usize::is_multiple_of(count, 32) {
                    part += ElementOf::from_residues(core::mem::take(&mut sums).map(F::reduce));
                }
            }
            part += ElementOf::from_residues(sums.map(F::reduce));
            let (matrix, high) = chunk(&known[0]);
            sum += scales[matrix as usize] * rows.high[high] * part;
        }
        sum
    }
}
