//! Relations by their definition: dense matrices, and every unknown where it is.

use super::super::argument::{add, minus, multiply, scale};
use super::*;

/// Rows of M = [A | -q I], and t; and what names both in D_0.
#[derive(Clone)]
pub(crate) struct Instance {
    pub(crate) encoding: Vec<u8>,
    pub(crate) matrix: Vec<Vec<i64>>,
    pub(crate) target: Vec<i64>,
}

#[derive(Clone)]
pub(crate) struct Relation {
    pub(crate) name: &'static str,
    pub(crate) modulus: i64,
    /// 1 for integers, 2 for polynomials.
    pub(crate) structure: i64,
    /// n, blocks of the equation, and of secrets.
    pub(crate) shape: [usize; 3],
    pub(crate) secrets: (i32, i32),
    pub(crate) errors: (i32, i32),
    /// Instances in a column, and columns of an instance.
    pub(crate) places: usize,
    pub(crate) spread: usize,
    pub(crate) instances: Vec<Instance>,
}

impl Relation {
    /// Rows of secrets in a column, and of carries.
    fn rows(&self) -> [usize; 2] {
        let [n, rows, columns] = self.shape;
        [columns, rows].map(|blocks| self.places * blocks * n / self.spread)
    }

    /// Of the table.
    pub(super) fn ranges(&self) -> Claim {
        let [secrets, carries] = self.rows();
        let ranges = vec![(0, secrets, self.secrets), (secrets, carries, self.errors)];
        Claim::Ranges { ranges, norms: vec![] }
    }

    pub(super) fn digest(&self) -> Digest {
        let [n, rows, columns] = self.shape.map(|x| x as i64);
        let numbers = [self.modulus, self.structure, n, rows, columns];
        let bounds = [self.secrets, self.errors].map(|(low, high)| [low.into(), high.into()]);
        let last = [self.instances.len(), self.places, self.spread].map(|x| x as i64);
        let numbers = [&numbers[..], &bounds.concat(), &last].concat();
        let mut fields = vec![self.name.as_bytes().to_vec()];
        fields.extend(numbers.into_iter().map(|x: i64| x.to_le_bytes().to_vec()));
        fields.extend(self.instances.iter().map(|instance| instance.encoding.clone()));
        chained("relation", &fields.iter().map(|field| &field[..]).collect::<Vec<_>>())
    }

    /// Row and column of secret or carry number `index` of an instance.
    fn place(&self, instance: usize, index: usize) -> (usize, usize) {
        let [n, rows, columns] = self.shape;
        let low = n / self.spread;
        let (secrets, place) = (columns * n, instance % self.places);
        let (block, y) = if index < secrets {
            (place * columns + index / n, index % n)
        } else {
            (self.places * columns + place * rows + (index - secrets) / n, index % n)
        };
        (block * low + y % low, instance / self.places * self.spread + y / low)
    }

    /// The claim about the table, given as one about places of the messages, of which a column has so
    /// many.
    pub(super) fn of_unknowns(&self, claim: &Linear, messages: usize) -> Linear {
        let [secret_rows, _] = self.rows();
        let [n, _, columns] = self.shape;
        let weight = |(row, column): (usize, usize)| {
            let (_, of_row) = claim.rows.iter().find(|(other, _)| *other == row).unwrap();
            multiply(*of_row, claim.columns[column])
        };
        let mut weights = vec![ZERO; messages * claim.columns.len()];
        for j in 0..claim.columns.len() {
            for row in 0..secret_rows {
                weights[messages * j + row] = weight((row, j));
            }
        }
        let mut value = claim.value;
        for (i, instance) in self.instances.iter().enumerate() {
            let pairs = instance.matrix.iter().zip(&instance.target);
            for (index, (row, &t)) in pairs.enumerate() {
                let of_error = weight(self.place(i, columns * n + index));
                value = minus(value, scale(of_error, t.into()));
                for (unknown, &x) in row.iter().enumerate() {
                    let (row, column) = self.place(i, unknown);
                    let at = &mut weights[messages * column + row];
                    *at = add(*at, scale(of_error, (-x).into()));
                }
            }
        }
        let masks = claim.masks.clone();
        let linear = Linear::of_masks(claim.columns.len(), masks, value);
        Linear { places: weights.into_iter().enumerate().collect(), ..linear }
    }
}
