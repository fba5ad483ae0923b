//! Relations on toy dimensions, besides the tests that all claims have in common.

pub(in crate::argument) mod toy;

use alloc::sync::Arc;
use core::ops::Range;

use tautochrone_ctr::{Label, Seed};

use super::{FamilyShape, Relation, Structure};
use crate::argument::proof::stated_claims;
use crate::argument::ranges::Shape;
use crate::argument::tests::plain;
use crate::argument::{ArgumentWorker, Claims, Element, Layout, Request, Slot};
use crate::cases::{Case, name, replaced, validated};
use crate::error::{Error, WitnessProblem};
use crate::matrix::PublicMatrix;
use crate::params::{BLOCK, Params, Security};
use crate::reference::compact::claims as reference;
use crate::shard::Shard;
use crate::witness::WitnessSource;
use toy::Toy;

/// The relation with dense matrices.
pub(in crate::argument) fn of_reference(relation: &Relation) -> reference::Relation {
    let known = relation.known();
    let (shape, family) = (known.shape, &known.family);
    let mut toy = Toy { shape, matrices: vec![], targets: vec![], common: false };
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
        structure: if shape.structure == Structure::Plain { 1 } else { 2 },
        shape: [shape.n, shape.rows, shape.columns].map(|x| x as usize),
        secrets: shape.secrets,
        errors: shape.errors,
        places: known.placement.places as usize,
        spread: known.placement.spread as usize,
        instances: (0..toy.targets.len()).map(instance).collect(),
    }
}

pub(super) const SEED: [u8; 32] = [3; 32];

fn shape() -> FamilyShape {
    toy::shape(Structure::Ring, [4, 1, 2])
}

/// Instances of random secrets in range, and these.
fn instances(count: u64) -> (Toy, Vec<i8>) {
    let shape = shape();
    let mut bytes = vec![0; count as usize * shape.unknowns() as usize];
    Seed::from_bytes(SEED).stream(Label::new("test: secrets"), 0).fill(&mut bytes);
    let messages: Vec<i64> = bytes.iter().map(|&x| i64::from(x % 3) - 1).collect();
    let height = shape.unknowns() as usize;
    let toy = Toy::of_messages(shape, count, (1, 1), (height, &messages));
    let secrets = messages.chunks(height).flat_map(|column| &column[..shape.secrets_len()]);
    (toy, secrets.map(|&x| x as i8).collect())
}

pub(super) fn params(relation: &Relation) -> Params {
    validated(plain(40, &relation.layout().unwrap()))
}

/// S of these secrets, in a space of its own.
pub(super) fn witness(relation: &Relation, secrets: &[i8]) -> Result<Vec<i8>, Error> {
    let params = params(relation);
    let matrix = PublicMatrix::new(&params, [1; 32]);
    let witness = relation.witness(&matrix, secrets, &Seed::from_bytes(SEED))?;
    let mut entries = vec![0; params.v() as usize * params.l() as usize];
    witness.read_columns(&params, 0, &mut entries)?;
    Ok(entries)
}

/// A statement in a space of its own, and a proof.
pub(super) struct Proved {
    pub(super) case: Case<i8>,
    pub(super) slot: Slot,
    pub(super) proof: Vec<u8>,
}

impl Proved {
    pub(super) fn new(relation: &Relation, secrets: &[i8]) -> Self {
        let case = Case::of(params(relation), 1, witness(relation, secrets).unwrap());
        let slot = relation.layout().unwrap().slot(0).unwrap();
        let proof = case.prove_claims(&slot, &Claims::from(relation.clone())).unwrap();
        Self { case, slot, proof }
    }

    pub(super) fn verify(&self, claims: impl Into<Claims>, proof: &[u8]) -> Result<(), Error> {
        self.case.verify_claims(&self.slot, &claims.into(), proof)
    }
}

/// Instances in any places have a proof. Instances of one matrix have the same proof whether prover
/// and verifier know of the common matrix or not. The places follow from the file, and instances do
/// not.
#[test]
fn instances_are_proved_in_all_places() {
    for (structure, dimensions) in
        [(Structure::Ring, [8, 2, 1]), (Structure::Plain, [8, 2, 3]), (Structure::Plain, [1, 5, 7])]
    {
        let shape = toy::shape(structure, dimensions);
        let spread = shape.n.min(4);
        for (places, spread) in [(1, 1), (3, 1), (8, 1), (9, 1), (1, spread)] {
            let height = (shape.unknowns() as u32 * places / spread) as usize;
            let messages: Vec<i64> = (0..7 * shape.unknowns() as usize + 9 * height)
                .map(|i| (i * i + i / 5) as i64 % 3 - 1)
                .collect();
            let at = ((places, spread), (height, &messages[..]));
            let toy = Toy::of_messages(shape, 7, at.0, at.1).with_common_matrix(at);
            let mut secrets = vec![];
            for instance in 0..7 {
                secrets.extend(toy.unknowns(instance, at).drain(..shape.secrets_len()));
            }
            let secrets: Vec<i8> = secrets.into_iter().map(|x| x as i8).collect();
            let known = Toy { common: true, ..toy.clone() };
            let [relation, known] = [toy, known].map(|toy| toy.relation(places, spread));
            let proved = Proved::new(&relation, &secrets);
            let proof = &proved.proof;
            assert!(Proved::new(&known, &secrets).proof == *proof, "{places} {spread}");
            let (read, named) = stated_claims(proof, &proved.case.params).unwrap();
            let family = relation.known().family.clone();
            assert_eq!(Relation::with_layout(family, read.layout()).unwrap(), relation);
            assert!(matches!(proved.verify(named, proof), Err(Error::StatedByOthers)));
            assert!(relation.to_string().contains("7 instances of toys"));
            for relation in [relation, known] {
                proved.verify(relation, proof).unwrap();
            }
        }
    }
}

/// The same secrets in other lists, or in other places, have other pads and randomness.
#[test]
fn claims_have_columns_of_their_own() {
    let (toy, secrets) = instances(4);
    let own = witness(&toy.relation(1, 1), &secrets).unwrap();
    assert!(own == witness(&toy.relation(1, 1), &secrets).unwrap());
    let mut other = toy.clone();
    // Errors are from -2 to 1; one of 0 becomes -1.
    let target = other.targets[2].iter_mut().enumerate().find(|(row, _)| (row + 2) % 4 == 2);
    *target.unwrap().1 -= 1;
    let others = witness(&other.relation(1, 1), &secrets).unwrap();
    let v = params(&toy.relation(1, 1)).v() as usize;
    let rows = shape().unknowns() as usize;
    let data = own.len() / v - 4..own.len() / v;
    for j in data {
        let [x, y] = [&own, &others].map(|entries| entries[v * j..v * (j + 1)].split_at(rows));
        assert_eq!(x.0, y.0, "the messages");
        assert_ne!(x.1[81..], y.1[81..], "pads and randomness");
    }
}

/// Secrets and errors one beyond their range, carries beyond a byte, and lists of other lengths.
#[test]
fn unknowns_out_of_range_are_refused() {
    let (toy, secrets) = instances(3);
    let of = |toy: &Toy, secrets: &[i8]| witness(&toy.relation(1, 1), secrets).map(|_| ());
    of(&toy, &secrets).unwrap();
    assert!(matches!(of(&toy, &replaced(&secrets, 9, &[2])), Err(Error::FalseFact)));
    for (index, step) in [(0, -1), (3, 1)] {
        // Errors of instance 0 are -2, -1, 0, 1.
        let mut other = toy.clone();
        other.targets[0][index] += step;
        assert!(matches!(of(&other, &secrets), Err(Error::FalseFact)), "{index}");
        other.targets[0][index] -= 2 * step;
        of(&other, &secrets).unwrap();
    }
    let mut far = toy.clone();
    far.targets[1][2] += 97 * 200;
    let error = of(&far, &secrets).unwrap_err();
    assert!(error.to_string().contains("carry"), "{error}");
    let length = of(&toy, &secrets[1..]).unwrap_err();
    assert!(matches!(length, Error::Witness(WitnessProblem::Messages { got: 23, expected: 24 })));
}

#[test]
fn shapes_and_places_out_of_range_are_refused() {
    let (toy, _) = instances(3);
    let name = |shape: FamilyShape| {
        let toy = Arc::new(Toy { shape, ..toy.clone() });
        name(Relation::new(toy, 1, 1))
    };
    let shape = shape();
    assert_eq!(name(FamilyShape { modulus: 1, ..shape }), "q of instances");
    assert_eq!(name(FamilyShape { modulus: (1 << 16) + 1, ..shape }), "q of instances");
    assert_eq!(name(FamilyShape { n: 3, ..shape }), "n of instances");
    assert_eq!(name(FamilyShape { n: 1 << 13, ..shape }), "n of instances");
    assert_eq!(name(FamilyShape { rows: 0, ..shape }), "blocks of instances");
    assert_eq!(name(FamilyShape { columns: 1 << 15, ..shape }), "blocks of instances");
    for range in [(1, 2), (-3, -1), (0, 0), (-13, 12)] {
        assert_eq!(name(FamilyShape { secrets: range, ..shape }), "integers of a range");
        assert_eq!(name(FamilyShape { errors: range, ..shape }), "integers of a range");
    }
    let wide = FamilyShape { columns: 1 << 14, ..shape };
    assert_eq!(name(wide), "terms of instances");
    let empty = Toy { matrices: vec![], targets: vec![], ..toy.clone() };
    assert!(Relation::new(Arc::new(empty), 1, 1).is_err());
    for rows in [0, 1, 5, 18] {
        let layout = Layout::new(rows, 3);
        assert!(Relation::with_layout(Arc::new(toy.clone()), &layout).is_err(), "{rows}");
    }
}

/// Where q 2 B reaches p, equations modulo p say nothing.
#[test]
fn equations_are_those_of_integers() {
    let (mut toy, _) = instances(3);
    toy.shape.modulus = 1 << 16;
    let relation = toy.relation(1, 1);
    relation.check_norm_bound(params(&relation).message_norm_bound_squared()).unwrap();
    // 2^16 2 B + 2^31 is below 2^61 for B = 2^43, and not for B = 2^44.
    for (log2, holds) in [(43, true), (44, false), (63, false)] {
        assert_eq!(relation.check_norm_bound(1 << (2 * log2)).is_ok(), holds, "{log2}");
    }
}

/// Sizes that are printed in docs/sizes.md: rows, columns and places.
#[test]
fn places_are_sought() {
    let (toy, _) = instances(200);
    let (relation, custom) = Relation::optimise(Arc::new(toy.clone())).unwrap();
    let params = custom.validate(Security::Required).unwrap();
    let layout = relation.layout().unwrap();
    assert_eq!(params.l(), layout.all_columns());
    layout.hiding(&params).unwrap();
    let bytes = |relation: &Relation| {
        let layout = relation.layout().unwrap();
        let norm = shape().column_norm_squared(&relation.known().placement);
        let custom = layout.goal_with_norm(shape().message_bound(), norm).optimise().unwrap();
        let params = custom.validate(Security::Required).unwrap();
        layout.expected_bytes(&params).into_iter().sum::<u128>()
    };
    let best = bytes(&relation);
    for (places, spread) in [(1, 4), (1, 1), (2, 1), (50, 1), (200, 1)] {
        assert!(bytes(&toy.relation(places, spread)) >= best, "{places} {spread}");
    }
}

/// A worker that has some columns of an instance, but not all, cannot compute its errors.
#[test]
fn shards_have_whole_instances() {
    let mut seen = [0; 2];
    for (n, spread, count) in [(8, 8, 60), (8, 4, 120), (4, 2, 300), (4, 4, 100), (8, 2, 200)] {
        let shape = toy::shape(Structure::Ring, [n, 1, 2]);
        let height = shape.unknowns() as usize;
        let messages = vec![0; height * count as usize];
        let toy = Toy::of_messages(shape, count, (1, 1), (height, &messages));
        let relation = toy.relation(1, spread);
        let params = params(&relation);
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let secrets = vec![0; shape.secrets_len() * count as usize];
        let seed = Seed::from_bytes(SEED);
        let witness = relation.witness(&matrix, &secrets, &seed).unwrap();
        let (slot, claims) =
            (relation.layout().unwrap().slot(0).unwrap(), Claims::from(relation.clone()));
        let (data, spread) = (slot.data(), u64::from(spread));
        let challenges = Shape::new(relation.ranges(), slot.layout().columns()).challenges();
        let parts = params.l().div_ceil(BLOCK.into());
        for part in 0..parts {
            let shard = Shard::even(&params, part, parts);
            let mut worker = ArgumentWorker::new(&params, &witness, shard, &slot, &claims).unwrap();
            let Range { start, end } = shard.columns(&params);
            let whole = [start, end].into_iter().all(|column| {
                let at = column.clamp(data.start, data.end) - data.start;
                at % spread == 0 || at == data.end - data.start
            });
            let challenges = vec![Element::ZERO; challenges];
            let request = Request::Begin { claim: 0, challenges, mask: Element::ZERO };
            let answer = worker.answer(&request).map(|_| ());
            assert_eq!(answer.is_ok(), whole, "{answer:?}");
            seen[usize::from(whole)] += 1;
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}
