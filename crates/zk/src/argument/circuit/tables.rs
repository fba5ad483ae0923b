//! The matrices of a circuit with the variables of the constraints bound.

use alloc::vec;
use alloc::vec::Vec;

use super::super::field::Element;
use super::super::ranges::eq;
use super::super::scalar::Scalar;
use super::claim::Course;
use super::constraints::Circuit;
use super::instance::Instance;
use super::shape::Shape;

/// Constraints that are summed together.
const CHUNK: usize = 1 << 10;

/// The columns whose betas the dummy constraints are about, and their matrices: (constraint behind
/// the circuit's own, matrix, column from the first one that masks).
const OF_BETAS: [(usize, usize, usize); 4] = [(0, 0, 0), (1, 1, 1), (2, 0, 2), (2, 2, 2)];

/// M~(r_x, .) = (A~ + alpha B~ + alpha^2 C~)(r_x, .) at all places of the table of wires, and the sum
/// of M~(r_x, k) z_k over the public wires k. Public.
pub(super) fn bound(instance: &Instance<'_>, course: &Course) -> (Vec<Element>, Element) {
    let Instance { circuit, public, shape, .. } = *instance;
    let rows = eq::table(&course.outer_point, shape.constraints);
    let mut table = vec![Element::ZERO; shape.places()];
    let mut sum = Element::ZERO;
    let first = circuit.first_secret();
    for (scale, matrix) in powers(course.alpha).into_iter().zip(&circuit.matrices) {
        for (index, &weight) in rows[..circuit.constraints()].iter().enumerate() {
            let weight = weight * scale;
            for &(wire, x) in matrix.row(index) {
                match wire.checked_sub(first) {
                    Some(at) => table[instance.place(at as usize)] += weight.times(x),
                    None => sum += weight.times(x * Circuit::public_value(public, wire)),
                }
            }
        }
    }
    let dummies = &rows[circuit.constraints()..];
    for (constraint, matrix, column) in OF_BETAS {
        table[shape.beta(shape.masks() + column)] +=
            dummies[constraint] * powers(course.alpha)[matrix];
    }
    // 1 in B.
    sum += dummies[2] * course.alpha;
    (table, sum)
}

/// M~(r_x, r_z), and the sum over the public wires.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
pub(super) fn evaluate(instance: &Instance<'_>, course: &Course) -> [Element; 2] {
    let Instance { circuit, public, shape, .. } = *instance;
    let rows = eq::table(&course.outer_point, shape.constraints);
    let (of_rows, of_columns) = (course.row_weights(), course.column_weights());
    let height = shape.elements as usize;
    // eq(r_z, .) at the places of the wires: as long as the circuit is, whatever the statement
    // says.
    let mut places = vec![Element::ZERO; circuit.secret_wires() as usize];
    crate::parallel::for_chunks(&mut places, CHUNK, |chunk, out| {
        for (wire, out) in (chunk * CHUNK..).zip(out) {
            let element = instance.element(wire);
            *out = of_rows[element % height] * of_columns[element / height];
        }
    });
    let first = circuit.first_secret();
    let scales = powers(course.alpha);
    let chunks = circuit.constraints().div_ceil(CHUNK);
    let mut parts = vec![[Element::ZERO; 2]; chunks];
    crate::parallel::for_chunks(&mut parts, 1, |chunk, out| {
        let start = CHUNK * chunk;
        for (index, &weight) in (start..circuit.constraints()).zip(&rows[start..]).take(CHUNK) {
            for (&scale, matrix) in scales.iter().zip(&circuit.matrices) {
                let (mut secret, mut known) = (Element::ZERO, Scalar::ZERO);
                for &(wire, x) in matrix.row(index) {
                    match wire.checked_sub(first) {
                        Some(at) => secret += places[at as usize].times(x),
                        None => known += x * Circuit::public_value(public, wire),
                    }
                }
                let weight = weight * scale;
                out[0][0] += weight * secret;
                out[0][1] += weight.times(known);
            }
        }
    });
    let zero = [Element::ZERO; 2];
    let [mut all, mut known] = parts.into_iter().fold(zero, |[a, b], [x, y]| [a + x, b + y]);
    let dummies = &rows[circuit.constraints()..];
    for (constraint, matrix, column) in OF_BETAS {
        all += dummies[constraint]
            * scales[matrix]
            * of_rows[height]
            * of_columns[shape.masks() + column];
    }
    known += dummies[2] * course.alpha;
    [all, known]
}

/// A z, B z and C z at the dummy constraints, given the betas of the columns that mask. Secret.
pub(super) fn dummies(beta: &[Element]) -> [[Element; 3]; super::shape::DUMMIES] {
    let (zero, one) = (Element::ZERO, Element::monomial(1, 0));
    [[beta[0], zero, zero], [zero, beta[1], zero], [beta[2], one, beta[2]]]
}

fn powers(alpha: Element) -> [Element; 3] {
    [Element::monomial(1, 0), alpha, alpha * alpha]
}

impl Shape {
    /// The table of wires: all elements, and beta in the last place of each column. Secret.
    pub(super) fn table(&self, secret: &[Scalar], beta: &[Element], out: &mut [Element]) {
        let height = self.elements as usize + 1;
        crate::parallel::for_chunks(out, height, |j, column| {
            let wires = &secret[(height - 1) * j..];
            for (out, &wire) in column[..height - 1].iter_mut().zip(wires) {
                *out = wire.into();
            }
            column[height - 1] = beta[j];
        });
    }
}
