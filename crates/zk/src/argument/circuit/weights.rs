//! [`Wires`]: the matrices of a circuit with the variables of the constraints bound, as weights of
//! the places of its wires.

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token as _, vectorize};

use super::claim::CircuitClaim;
use super::constraints::{Circuit, Group, Known, Matrix, Row};
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
        let most = if wire < claim.inputs.len() { 1 } else { height - row };
        let (run, rest) = wires.split_at_mut(most.min(wires.len()));
        f(column, row, run);
        (wire, wires) = (wire + run.len(), rest);
    }
}

impl<F: SmallField> Wires<'_, F> {
    /// The constraints of a chunk: none of one that has dummies alone.
    fn constraints(&self, chunk: usize) -> core::ops::Range<usize> {
        let [start, end] = [chunk, chunk + 1].map(|k| self.circuit.constraints().min(SPAN * k));
        start..end
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
                for (matrix, &of_matrix) in self.scales.iter().enumerate() {
                    let factor = scale * of_matrix * high;
                    with_lanes!(Isa::detect_vectors(), L<F>, token => vectorize!(
                        token,
                        tables::scale::<F, L<F>>(token, &self.rows.low, factor, &mut weights),
                    ));
                    let rows = self.circuit.secret_rows(matrix, self.constraints(chunk));
                    for (row, &weight) in rows.zip(&weights) {
                        match row {
                            Ok(wire) => wires[wire] += weight,
                            Err(row) => Matrix::add_row(row, weight, wires),
                        }
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
        // As long as the circuit is: the statement does not matter. 0 for wires that are not
        // secret.
        let first = self.circuit.first_secret() as usize;
        let mut wires = vec![ElementOf::ZERO; first + self.circuit.secret_wires() as usize];
        crate::parallel::for_chunks(&mut wires[first..], WIRES, |chunk, out| {
            with_lanes!(isa, L<F>, token => vectorize!(
                token,
                for_runs(
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
                for (matrix, &scale) in self.scales.iter().enumerate() {
                    let constraints = self.constraints(chunk);
                    let count = constraints.len();
                    let rows = self.circuit.secret_rows(matrix, constraints);
                    for (value, row) in values.iter_mut().zip(rows) {
                        *value = row.map_or_else(
                            |row| {
                                let value = |wire: usize| wires[wire].coefficients();
                                ElementOf::from_residues(Matrix::<F>::row_sum(row, value))
                            },
                            |wire| wires[wire],
                        );
                    }
                    let sum = with_lanes!(isa, L<F>, token => vectorize!(
                        token,
                        tables::dot::<F, L<F>>(token, &self.rows.low, &values[..count]),
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

impl<F: SmallField> Known<F> {
    /// The sum of M~(r_x, k) z_k over the public wires k, given eq(r_x, i) and powers of alpha.
    pub(super) fn sum(
        &self,
        rows: &Halves<F>,
        scales: [ElementOf<F>; 3],
        public: &[ScalarOf<F>],
    ) -> ElementOf<F> {
        let of_set = |set: &Vec<u8>| {
            let mut weights = [F::Sum::default(); 3];
            for &row in set {
                let words = weights.iter_mut().zip(rows.low[row as usize].coefficients());
                words.for_each(|(sum, word)| F::add_word(sum, word));
            }
            weights.map(F::reduce)
        };
        let weights: Vec<[u64; 3]> = self.sets.iter().map(of_set).collect();
        let mut sum = ElementOf::ZERO;
        let chunk = |group: &Group<F>| (group.matrix, group.chunk);
        for groups in self.groups.chunk_by(|x, y| chunk(x) == chunk(y)) {
            let (mut part, mut sums) = (ElementOf::ZERO, [F::Sum::default(); 3]);
            for (count, group) in (1..).zip(groups) {
                let &Group { wire, set, coefficient: x, .. } = group;
                let value =
                    if wire == 0 { x } else { x * Circuit::<F>::public_value(public, wire) };
                for (sum, weight) in sums.iter_mut().zip(weights[set as usize]) {
                    F::add_product(sum, weight, value.value());
                }
                if usize::is_multiple_of(count, 32) {
                    part += ElementOf::from_residues(core::mem::take(&mut sums).map(F::reduce));
                }
            }
            part += ElementOf::from_residues(sums.map(F::reduce));
            let (matrix, chunk) = chunk(&groups[0]);
            sum += scales[matrix as usize] * rows.high[chunk as usize] * part;
        }
        sum
    }
}
