//! [`Shape`]: the numbers of a claim.

use super::constraints::Circuit;

/// Constraints behind those of the circuit, on beta_0, beta_1 and beta_2: beta_0 0 = 0, 0 beta_1 =
/// 0 and beta_2 1 = beta_2.
pub(super) const DUMMIES: usize = 3;
/// Messages of a round for a variable of the constraints: the coefficients of 1, X^2 and X^3.
pub(super) const OUTER: usize = 3;
/// Messages of a round for a variable of the wires: those of 1 and X^2.
pub(super) const INNER: usize = 2;

/// Elements that are sent besides messages of rounds and values of columns: v_A, v_B, v_C, v, X_1,
/// X_2, Y_1 and Y_2.
pub(super) const ENDS: usize = 8;

/// Numbers of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// 2^mu_1 - 1: elements of F in a column. Behind them is the row of beta.
    pub(super) elements: u32,
    /// l.
    pub(super) columns: u64,
    /// Constraints, dummies included.
    pub(super) constraints: usize,
    /// mu_x: variables of the constraints.
    pub(super) outer_rounds: usize,
    /// mu_1: variables of the rows of wires.
    pub(super) row_rounds: usize,
    /// mu_2: variables of the columns.
    pub(super) column_rounds: usize,
}

impl Shape {
    pub(super) const fn new(circuit: &Circuit, elements: u32, columns: u64) -> Self {
        let constraints = circuit.constraints() + DUMMIES;
        Self {
            elements,
            columns,
            constraints,
            outer_rounds: constraints.next_power_of_two().ilog2() as usize,
            row_rounds: (elements + 1).ilog2() as usize,
            column_rounds: columns.next_power_of_two().ilog2() as usize,
        }
    }

    /// With as many columns as the wires and the pads need.
    pub(super) fn least(circuit: &Circuit, elements: u32) -> Self {
        let mut columns = u64::from(circuit.secret_wires()).div_ceil(elements.into());
        loop {
            let shape = Self::new(circuit, elements, columns);
            if shape.has_columns(circuit) {
                return shape;
            }
            columns += 1;
        }
    }

    /// mu_z = mu_1 + mu_2: variables of the wires.
    pub(super) const fn inner_rounds(&self) -> usize {
        self.row_rounds + self.column_rounds
    }

    /// Messages of the rounds for the constraints.
    pub(super) const fn outer_messages(&self) -> usize {
        OUTER * self.outer_rounds
    }

    /// N = 3 mu_x + 2 mu_z: messages of all rounds, each masked by gamma of a column.
    pub(super) const fn messages(&self) -> usize {
        self.outer_messages() + INNER * self.inner_rounds()
    }

    /// Elements of K that are sent besides those of the columns.
    pub(super) const fn sent(&self) -> usize {
        self.messages() + ENDS
    }

    /// Places of the table of wires: 2^mu_1 a column.
    pub(super) const fn places(&self) -> usize {
        (self.elements as usize + 1) * self.columns as usize
    }

    /// Places of the columns that constraints speak of: those of wires, and the first three, whose
    /// betas the dummies are about. So many are at most six a wire of the circuit and six a row of
    /// S, however many columns a statement has.
    pub(super) const fn used_places(&self, circuit: &Circuit) -> usize {
        let columns = (circuit.secret_wires() as usize).div_ceil(self.elements as usize);
        let columns = if columns > DUMMIES { columns } else { DUMMIES };
        (self.elements as usize + 1) * columns
    }

    /// The place of secret wire `index`.
    #[expect(clippy::integer_division_remainder_used, reason = "indices are public")]
    pub(super) const fn place(&self, index: usize) -> usize {
        // One place more a column: that of beta, the last one.
        index + index / self.elements as usize
    }

    /// The place of beta of column `column`.
    pub(super) const fn beta(&self, column: usize) -> usize {
        (self.elements as usize + 1) * column + self.elements as usize
    }

    /// Whether all wires have a place, each message has a pad, and one column more has one that
    /// masks nothing before the end.
    pub(super) const fn has_columns(&self, circuit: &Circuit) -> bool {
        let wires = self.elements as u64 * self.columns;
        wires >= circuit.secret_wires() as u64 && self.columns > self.messages() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::constraints::Matrix;
    use super::*;
    use crate::argument::Scalar;

    /// Every wire has a place of its own, none of them that of a beta.
    #[test]
    fn places_are_different() {
        let matrices = [(); 3].map(|()| {
            let mut matrix = Matrix::default();
            matrix.push(vec![(1, Scalar::ONE)]);
            matrix
        });
        let circuit = Circuit::new(0, 1000, matrices).unwrap();
        for elements in [1, 7, 31, 1023] {
            let shape = Shape::least(&circuit, elements);
            assert!(!Shape::new(&circuit, elements, shape.columns - 1).has_columns(&circuit));
            let mut seen = vec![false; shape.places()];
            let betas = (0..shape.columns as usize).map(|j| shape.beta(j));
            for place in betas.chain((0..1000).map(|k| shape.place(k))) {
                assert!(!seen[place]);
                seen[place] = true;
            }
            assert_eq!(shape.beta(0), elements as usize);
            let longest = Shape::new(&circuit, elements, 1 << 31);
            let used = longest.used_places(&circuit);
            assert_eq!(used, shape.used_places(&circuit));
            assert!(used > shape.place(999) && used > shape.beta(2));
            assert!(used <= 6 * (1000 + elements as usize), "{used}");
            assert_eq!(1 << shape.row_rounds, elements + 1);
        }
    }
}
