//! Small instances, whose targets follow from messages.

use alloc::borrow::Cow;

use tautochrone_ctr::{Label, Seed};

use super::super::placement::{CARRIES, SECRETS};
use super::super::{Family, FamilyShape, Structure};
use crate::argument::Relation;

/// Places and columns of an instance, and messages by columns of some height.
pub(in crate::argument) type Messages<'a> = ((u32, u32), (usize, &'a [i64]));

/// Matrices and targets in full.
#[derive(Clone)]
pub(in crate::argument) struct Toy {
    pub(in crate::argument) shape: FamilyShape,
    pub(in crate::argument) matrices: Vec<Vec<Vec<i16>>>,
    pub(in crate::argument) targets: Vec<Vec<i32>>,
    /// Whether the matrices are said to be the same.
    pub(in crate::argument) common: bool,
}

impl Family for Toy {
    fn shape(&self) -> FamilyShape {
        self.shape
    }

    fn instances(&self) -> u64 {
        self.targets.len() as u64
    }

    fn is_common(&self) -> bool {
        self.common
    }

    fn encoding(&self, instance: u64) -> Cow<'_, [u8]> {
        let target = self.targets[instance as usize].iter().map(|&t| i64::from(t));
        let matrix = self.matrices[instance as usize].iter().flatten().map(|&a| i64::from(a));
        target.chain(matrix).flat_map(i64::to_le_bytes).collect()
    }

    fn target(&self, instance: u64, out: &mut [i32]) {
        out.copy_from_slice(&self.targets[instance as usize]);
    }

    fn rows(&self, instance: u64, see: &mut dyn FnMut(usize, &[i16])) {
        for (row, entries) in self.matrices[instance as usize].iter().enumerate() {
            see(row, entries);
        }
    }
}

pub(in crate::argument) fn shape(
    structure: Structure,
    [n, rows, columns]: [u32; 3],
) -> FamilyShape {
    FamilyShape {
        name: "toys",
        modulus: 97,
        structure,
        n,
        rows,
        columns,
        secrets: (-1, 1),
        errors: (-2, 1),
        secret_variance: 666_667,
    }
}

impl Toy {
    /// Row `index` of M = [A | -q I] of an instance.
    pub(in crate::argument) fn row(&self, instance: usize, index: usize) -> Vec<i64> {
        let FamilyShape { n, columns, modulus, structure, .. } = self.shape;
        let (n, columns) = (n as usize, columns as usize);
        let entries = &self.matrices[instance][index / n];
        let x = index % n;
        let mut row = vec![0; columns * n + self.shape.errors_len()];
        for (unknown, out) in row[..columns * n].iter_mut().enumerate() {
            let (block, y) = (unknown / n, unknown % n);
            *out = match structure {
                Structure::Plain if x == y => entries[block].into(),
                Structure::Plain => 0,
                Structure::Ring if x >= y => entries[block * n + x - y].into(),
                Structure::Ring => -i64::from(entries[block * n + n + x - y]),
            };
        }
        row[columns * n + index] = -i64::from(modulus);
        row
    }

    /// Instances of uniform matrices, of which any messages of `height` rows have some errors in
    /// range.
    pub(in crate::argument) fn of_messages(
        shape: FamilyShape,
        instances: u64,
        (places, spread): (u32, u32),
        (height, messages): (usize, &[i64]),
    ) -> Self {
        let mut toy = Self { shape, matrices: vec![], targets: vec![], common: false };
        let blocks = (shape.rows as usize, shape.row_len());
        for instance in 0..instances {
            let mut bytes = vec![0; blocks.0 * blocks.1];
            Seed::from_bytes([9; 32]).stream(Label::new("test: toys"), instance).fill(&mut bytes);
            let entries: Vec<i16> = bytes.iter().map(|&x| i16::from(x % 97) - 48).collect();
            toy.matrices.push(entries.chunks(blocks.1).map(<[i16]>::to_vec).collect());
        }
        toy.with_targets(((places, spread), (height, messages)))
    }

    /// The same secrets and carries with the matrix of the first instance.
    pub(in crate::argument) fn with_common_matrix(mut self, at: Messages<'_>) -> Self {
        let first = self.matrices[0].clone();
        self.matrices.fill(first);
        self.with_targets(at)
    }

    /// Secrets and carries of an instance among messages.
    pub(in crate::argument) fn unknowns(
        &self,
        index: usize,
        ((places, spread), (height, messages)): Messages<'_>,
    ) -> Vec<i64> {
        let (shape, instances) = (self.shape, self.matrices.len() as u64);
        let placement = shape.placement(instances, places, spread).unwrap();
        let place = index % places as usize;
        let column = index / places as usize * spread as usize;
        let mut unknowns = Vec::new();
        for (block, count) in [
            (placement.first_block(SECRETS, place), shape.columns),
            (placement.first_block(CARRIES, place), shape.rows),
        ] {
            placement.for_entries(block, count, height, |_, at| {
                unknowns.push(messages[height * column + at]);
            });
        }
        unknowns
    }

    fn with_targets(mut self, at: Messages<'_>) -> Self {
        let (low, high) = self.shape.errors;
        let target = |index: usize, unknowns: &[i64], row: usize| {
            let width = (high - low + 1) as usize;
            let error = i64::from(low) + ((row + index) % width) as i64;
            let product = self.row(index, row);
            let product: i64 = product.iter().zip(unknowns).map(|(&a, &x)| a * x).sum();
            (product + error) as i32
        };
        let targets = (0..self.matrices.len()).map(|index| {
            let unknowns = self.unknowns(index, at);
            (0..self.shape.errors_len()).map(|row| target(index, &unknowns, row)).collect()
        });
        self.targets = targets.collect();
        self
    }

    pub(in crate::argument) fn relation(&self, places: u32, spread: u32) -> Relation {
        Relation::new(alloc::sync::Arc::new(self.clone()), places, spread).unwrap()
    }
}
