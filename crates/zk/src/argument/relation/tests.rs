//! Relations on toy dimensions, besides the tests that all claims have in common.

pub(in crate::argument) mod toy;

use toy::Toy;

use super::Relation;
use crate::reference::compact::claims as reference;

/// The relation with dense matrices.
pub(in crate::argument) fn of_reference(relation: &Relation) -> reference::Relation {
    let known = relation.known();
    let (shape, family) = (known.shape, &known.family);
    let mut toy = Toy { shape, matrices: vec![], targets: vec![] };
    for instance in 0..family.instances() {
        let mut target = vec![0; shape.errors_len()];
        family.target(instance, &mut target);
        toy.targets.push(target);
        let mut rows = Vec::new();
        family.rows(instance, &mut |_, entries| rows.push(entries.to_vec()));
        toy.matrices.push(rows);
    }
    let instance = |index: usize| reference::Instance {
        encoding: family.encoding(index as u64).to_vec(),
        matrix: (0..shape.errors_len()).map(|row| toy.row(index, row)).collect(),
        target: toy.targets[index].iter().map(|&t| t.into()).collect(),
    };
    reference::Relation {
        name: shape.name,
        modulus: shape.modulus.into(),
        structure: if shape.structure == super::Structure::Plain { 1 } else { 2 },
        shape: [shape.n, shape.rows, shape.columns].map(|x| x as usize),
        secrets: shape.secrets,
        errors: shape.errors,
        places: known.placement.places as usize,
        spread: known.placement.spread as usize,
        instances: (0..toy.targets.len()).map(instance).collect(),
    }
}
