//! [`Wires`]: the matrices of a circuit with the variables of the constraints bound, as weights of the
//! places of its wires.

use alloc::vec;
use alloc::vec::Vec;

use super::claim::CircuitClaim;
use super::constraints::Circuit;
use crate::argument::instance::Weights;
use crate::eq;
use crate::field::Element;
use crate::scalar::Scalar;

/// Constraints behind the constraints of the circuit, on beta'_0, beta'_1 and beta'_2: beta'_0 0 =
/// 0, 0 beta'_1 = 0 and beta'_2 1 = beta'_2.
pub(super) const DUMMIES: usize = 3;
/// Constraints that are summed together.
const CHUNK: usize = 1 << 10;

/// M~(r_x, .) = (A~ + alpha B~ + alpha^2 C~)(r_x, .). Public.
pub(super) struct Wires<'a> {
    pub(super) claim: &'a CircuitClaim,
    pub(super) circuit: &'a Circuit,
    /// eq(r_x, i) of the constraints.
    pub(super) rows: Vec<Element>,
    /// 1, alpha and alpha^2.
    pub(super) scales: [Element; 3],
}

pub(super) fn powers(alpha: Element) -> [Element; 3] {
    [Element::monomial(1, 0), alpha, alpha * alpha]
}

impl Weights for Wires<'_> {
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn add(&self, scale: Element, places: usize, height: usize, table: &mut [Element]) {
        let first = self.circuit.first_secret();
        for (&of_matrix, matrix) in self.scales.iter().zip(&*self.circuit.matrices) {
            let scale = scale * of_matrix;
            for (index, &weight) in self.rows[..self.circuit.constraints()].iter().enumerate() {
                let weight = weight * scale;
                for &(wire, x) in matrix.row(index) {
                    if let Some(at) = wire.checked_sub(first) {
                        let place = self.claim.place(at as usize);
                        table[place / places * height + place % places] += weight.times(x);
                    }
                }
            }
        }
    }

    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    fn at(&self, point: &[Element], height: usize, columns: &[Element]) -> Element {
        let rows = eq::table(point, height);
        // As long as the circuit is: the statement does not matter.
        let mut wires = vec![Element::ZERO; self.circuit.secret_wires() as usize];
        crate::parallel::for_chunks(&mut wires, CHUNK, |chunk, out| {
            for (wire, out) in (chunk * CHUNK..).zip(out) {
                let place = self.claim.place(wire);
                *out = rows[place % height] * columns[place / height];
            }
        });
        let first = self.circuit.first_secret();
        let constraints = self.circuit.constraints();
        let mut parts = vec![Element::ZERO; constraints.div_ceil(CHUNK)];
        crate::parallel::for_chunks(&mut parts, 1, |chunk, out| {
            let start = CHUNK * chunk;
            let rows = self.rows[..constraints].iter().enumerate().skip(start).take(CHUNK);
            for (index, &weight) in rows {
                let mut sum = Element::ZERO;
                for (&scale, matrix) in self.scales.iter().zip(&*self.circuit.matrices) {
                    let secret = |entry: &&(u32, Scalar)| entry.0 >= first;
                    let entries = matrix.row(index).iter().filter(secret);
                    let terms = entries.map(|&(wire, x)| wires[(wire - first) as usize].times(x));
                    sum += scale * terms.fold(Element::ZERO, |sum, term| sum + term);
                }
                out[0] += weight * sum;
            }
        });
        parts.into_iter().fold(Element::ZERO, |sum, part| sum + part)
    }
}

impl Circuit {
    /// The sum of M~(r_x, k) z_k over the public wires k, given eq(r_x, i) and powers of alpha.
    pub(super) fn known(
        &self,
        rows: &[Element],
        scales: [Element; 3],
        public: &[Scalar],
    ) -> Element {
        let mut sum = Element::ZERO;
        for &(matrix, row, wire, x) in &*self.known {
            let value = x * Self::public_value(public, wire);
            sum += scales[matrix as usize] * rows[row as usize].times(value);
        }
        sum
    }
}
