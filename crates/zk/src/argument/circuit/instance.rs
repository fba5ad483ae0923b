//! [`Instance`]: a circuit with public inputs, and where its secret wires are.

use super::super::scalar::Scalar;
use super::constraints::Circuit;
use super::shape::Shape;
use super::space::CircuitSpace;
use crate::error::Error;
use crate::params::Params;

/// What is claimed: that the wires in these places satisfy a circuit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) public: &'a [Scalar],
    pub(super) shape: Shape,
    /// Which elements of the columns that were committed before the first secret wires are.
    pub(super) inputs: &'a [u64],
}

impl<'a> Instance<'a> {
    /// Of a statement that was made for this circuit.
    ///
    /// # Errors
    /// As [`CircuitSpace::new`]; [`Error::Parameter`] if there are more or fewer public inputs than
    /// the circuit's.
    pub(super) fn alone(
        params: &Params,
        circuit: &'a Circuit,
        public: &'a [Scalar],
    ) -> Result<Self, Error> {
        let shape = CircuitSpace::shape(params, circuit)?;
        circuit.check_public(public)?;
        Ok(Self { circuit, public, shape, inputs: &[] })
    }

    /// Which one of the elements of all columns, column after column, a secret wire is: an input,
    /// or an element of the new columns.
    pub(super) fn element(&self, wire: usize) -> usize {
        let Shape { elements, committed, .. } = self.shape;
        match wire.checked_sub(self.inputs.len()) {
            None => self.inputs[wire] as usize,
            Some(index) => elements as usize * committed as usize + index,
        }
    }

    /// Its place in the table of wires.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn place(&self, wire: usize) -> usize {
        let element = self.element(wire);
        // One place more a column: that of beta, the last one.
        element + element / self.shape.elements as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::constraints::Matrix;
    use super::*;

    /// Every wire has a place of its own, none of them that of a beta; new wires are in new
    /// columns.
    #[test]
    fn places_are_different() {
        let matrices = [(); 3].map(|()| {
            let mut matrix = Matrix::default();
            matrix.push(vec![(1, Scalar::ONE)]);
            matrix
        });
        let circuit = Circuit::new(0, 1000, matrices).unwrap();
        for (elements, inputs) in
            [(1, &[][..]), (7, &[]), (31, &[]), (1023, &[]), (1, &[2, 0, 4]), (31, &[154, 3, 17])]
        {
            let committed = if inputs.is_empty() { 0 } else { 5 };
            let new = 1000 - inputs.len() as u64;
            let shape = Shape::least(&circuit, elements, committed, new);
            let fewer = Shape { columns: shape.columns - 1, ..shape };
            assert!(shape.columns == committed + 1 || !fewer.has_columns(new));
            let instance = Instance { circuit: &circuit, public: &[], shape, inputs };
            let mut seen = vec![false; shape.places()];
            let betas = (0..shape.columns as usize).map(|j| shape.beta(j));
            for place in betas.chain((0..1000).map(|k| instance.place(k))) {
                assert!(!seen[place]);
                seen[place] = true;
            }
            assert_eq!(shape.beta(0), elements as usize);
            assert_eq!(1 << shape.row_rounds, elements + 1);
            let height = elements as usize + 1;
            for (wire, &input) in inputs.iter().enumerate() {
                let (column, row) =
                    (input as usize / elements as usize, input as usize % elements as usize);
                assert_eq!(instance.place(wire), column * height + row);
            }
            assert_eq!(instance.place(inputs.len()), committed as usize * height);
        }
    }
}
