//! Relations of both kinds on toy dimensions, besides the tests that all claims have in common.

pub(in crate::argument) mod toy;

use alloc::sync::Arc;
use core::ops::Range;

use tautochrone_ctr::Seed;

use super::{EquationShape, FamilyShape, Instances, Relation, Structure, UnknownPart};
use crate::argument::proof::stated_claims;
use crate::argument::ranges::Shape as RoundShape;
use crate::argument::tests::plain;
use crate::argument::{ArgumentWorker, Claims, Element, Layout, Request, Slot};
use crate::cases::{Case, name, replaced, validated};
use crate::error::{Error, WitnessProblem};
use crate::field::P127;
use crate::matrix::PublicMatrix;
use crate::params::{BLOCK, Params, Security};
use crate::reference::compact::claims as reference;
use crate::shard::Shard;
use crate::witness::WitnessSource;
use toy::{Shape, Term, Toy, dense, equations, wide_equations};

/// The relation with dense matrices.
pub(in crate::argument) fn of_reference(relation: &Relation) -> reference::Relation {
    let placement = relation.placement().unwrap();
    let of_row = |n: u32, unknowns, terms: &[Term]| dense(n as usize, unknowns, terms);
    let (places, spread) = (placement.places as usize, placement.spread as usize);
    match &relation.instances {
        Instances::Named => panic!("of known instances"),
        Instances::WithErrors(known) => {
            let (shape, family) = (known.shape, &known.family);
            let instance = |index: u64| {
                let mut target = vec![0; shape.errors_len()];
                family.target(index, &mut target);
                let mut matrix = Vec::new();
                family.rows(index, &mut |_, entries| {
                    let blocks = entries.chunks(entries.len() / shape.columns as usize);
                    let terms = blocks.map(|a| a.iter().map(|&a| a.into()).collect()).enumerate();
                    let terms: Vec<Term> = terms.collect();
                    matrix.extend(of_row(shape.n, shape.secrets_len(), &terms));
                });
                let encoding = family.encoding(index).to_vec();
                let target = target.into_iter().map(i128::from).collect();
                reference::Instance { encoding, matrix, target }
            };
            reference::Relation {
                name: shape.name,
                n: shape.n as usize,
                parts: vec![(shape.columns as usize, shape.secrets, true)],
                moduli: vec![shape.modulus.into(); shape.rows as usize],
                carries: reference::Carries::WithErrors {
                    structure: if shape.structure == Structure::Plain { 1 } else { 2 },
                    errors: shape.errors,
                },
                instances: (0..family.instances()).map(instance).collect(),
                places,
                spread,
            }
        }
        Instances::Equations(known) => {
            let (shape, family) = (&known.shape, &known.family);
            let part =
                |part: &UnknownPart| (part.blocks as usize, (part.low, part.high), part.is_shown);
            let instance = |index: u64| {
                let (mut matrix, mut all) = (Vec::new(), Vec::new());
                for row in 0..shape.moduli.len() {
                    let mut target = vec![0; shape.n as usize];
                    family.target(index, row, &mut target);
                    all.extend(target);
                    let mut terms: Vec<Term> = Vec::new();
                    family.row(index, row, &mut |block, coefficient| {
                        terms.push((
                            block,
                            match coefficient {
                                super::Coefficient::Integer(a) => vec![a],
                                super::Coefficient::Polynomial(a) => a.to_vec(),
                            },
                        ));
                    });
                    matrix.extend(of_row(shape.n, shape.unknowns_len(), &terms));
                }
                let encoding = family.encoding(index).to_vec();
                reference::Instance { encoding, matrix, target: all }
            };
            reference::Relation {
                name: shape.name,
                n: shape.n as usize,
                parts: shape.parts.iter().map(part).collect(),
                moduli: shape.moduli.iter().map(|&q| q as i128).collect(),
                carries: reference::Carries::Digits {
                    count: shape.carry_digits as usize,
                    header: family.header().to_vec(),
                },
                instances: (0..family.instances()).map(instance).collect(),
                places,
                spread,
            }
        }
    }
}

const SEED: [u8; 32] = [3; 32];

fn shape() -> FamilyShape {
    toy::shape(Structure::Ring, [4, 1, 2])
}

fn both_shapes() -> [Shape; 2] {
    [Shape::WithErrors(shape()), Shape::Equations(equations(4))]
}

/// Instances of random unknowns, each in a column of its own, and these.
fn instances(shape: &Shape, count: u64) -> (Toy, Vec<i8>) {
    Toy::random(shape, count, false, (1, 1))
}

fn params(relation: &Relation) -> Params {
    validated(plain(40, &relation.layout().unwrap()))
}

/// S of these unknowns, in a space of its own.
fn witness(relation: &Relation, unknowns: &[i8]) -> Result<Vec<i8>, Error> {
    let params = params(relation);
    let matrix = PublicMatrix::new(&params, [1; 32]);
    let witness = relation.witness(&matrix, unknowns, &Seed::from_bytes(SEED))?;
    let mut entries = vec![0; params.v() as usize * params.l() as usize];
    witness.read_columns(&params, 0, &mut entries)?;
    Ok(entries)
}

/// A statement in a space of its own, and a proof.
struct Proved {
    case: Case<i8>,
    slot: Slot,
    proof: Vec<u8>,
}

impl Proved {
    fn new(relation: &Relation, unknowns: &[i8]) -> Self {
        let case = Case::of(params(relation), 1, witness(relation, unknowns).unwrap());
        let slot = relation.layout().unwrap().slot(0).unwrap();
        let proof = case.prove_claims(&slot, &Claims::from(relation.clone())).unwrap();
        Self { case, slot, proof }
    }

    fn verify(&self, claims: impl Into<Claims>) -> Result<(), Error> {
        self.case.verify_claims(&self.slot, &claims.into(), &self.proof)
    }
}

/// Instances in any places have a proof, over the field that they need. Instances of one matrix have
/// the same proof whether prover and verifier know of the common matrix or not. The places follow
/// from the file, and instances do not; another target, coefficient, modulus, range or lift is
/// another claim.
#[test]
fn instances_are_proved_in_all_places() {
    let of = |structure, dimensions| Shape::WithErrors(toy::shape(structure, dimensions));
    let two = EquationShape { carry_digits: 2, ..equations(4) };
    for shape in [
        of(Structure::Ring, [8, 2, 1]),
        of(Structure::Plain, [8, 2, 3]),
        of(Structure::Plain, [1, 5, 7]),
        Shape::Equations(equations(4)),
        Shape::Equations(two),
        Shape::Equations(wide_equations(4)),
    ] {
        let spread = shape.n().min(4) as u32;
        for (places, spread) in [(1, 1), (3, 1), (8, 1), (9, 1), (1, spread)] {
            let (known, unknowns) = Toy::random(&shape, 7, true, (places, spread));
            let toy = Toy { common: false, ..known.clone() };
            let [relation, known] = [&toy, &known].map(|toy| toy.relation(places, spread));
            let layout = relation.layout().unwrap();
            let is_wide = matches!(&shape, Shape::Equations(shape) if shape.moduli[0] > 1 << 60);
            assert_eq!(layout.is_over::<P127>(), is_wide);
            let proved = Proved::new(&relation, &unknowns);
            assert!(Proved::new(&known, &unknowns).proof == proved.proof, "{places} {spread}");
            let (read, named) = stated_claims(&proved.proof, &proved.case.params).unwrap();
            let family = Arc::new(toy.clone());
            let again = match shape {
                Shape::WithErrors(_) => Relation::with_layout(family, read.layout()),
                Shape::Equations(_) => Relation::equations_with_layout(family, read.layout(), 0),
            };
            assert_eq!(again.unwrap(), relation);
            assert!(matches!(proved.verify(named), Err(Error::StatedByOthers)));
            let text = match shape {
                Shape::WithErrors(_) => "toys have secrets in [-1, 1] and errors in [-2, 1]",
                Shape::Equations(_) => "toy equations have unknowns in [-1, 1], [-3, 3]",
            };
            assert_eq!(relation.to_string(), format!("7 instances of {text}"));
            for relation in [relation, known] {
                proved.verify(relation).unwrap();
            }
            let changes: [fn(&mut Toy); 4] = [
                |toy| *toy.targets[6].last_mut().unwrap() += 1,
                |toy| toy.terms[0][1][0].1[0] += 1,
                |toy| match &mut toy.shape {
                    Shape::WithErrors(shape) => shape.modulus += 1,
                    Shape::Equations(shape) => shape.moduli[1] += 1,
                },
                |toy| match &mut toy.shape {
                    Shape::WithErrors(shape) => shape.secrets.1 += 1,
                    Shape::Equations(shape) => shape.parts[0].high += 1,
                },
            ];
            for change in changes {
                let mut other = toy.clone();
                change(&mut other);
                let verdict = proved.verify(other.relation(places, spread));
                assert!(matches!(verdict, Err(Error::Invalid(_))));
            }
            if let Shape::Equations(_) = shape {
                let verdict = proved.verify(toy.lifted(places, spread, 1));
                assert!(matches!(verdict, Err(Error::Invalid(_))));
            }
        }
    }
}

/// The same secrets in other lists, or in other places, have other pads and randomness.
#[test]
fn claims_have_columns_of_their_own() {
    let (toy, secrets) = instances(&Shape::WithErrors(shape()), 4);
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

/// Secrets of every part and errors one beyond their range, carries beyond a byte, and lists of
/// other lengths.
#[test]
fn unknowns_out_of_range_are_refused() {
    let of = |toy: &Toy, unknowns: &[i8]| witness(&toy.relation(1, 1), unknowns).map(|_| ());
    for (shape, beyond, got) in [
        (&both_shapes()[0], &[(4, 2)][..], 23),
        (&both_shapes()[1], &[(0, 2), (8, -4), (12, 8)], 47),
    ] {
        let (toy, unknowns) = instances(shape, 3);
        of(&toy, &unknowns).unwrap();
        for &(index, beyond) in beyond {
            let other = replaced(&unknowns, index, &[beyond]);
            assert!(matches!(of(&toy, &other), Err(Error::FalseFact)), "{index}");
        }
        // Errors of instance 0 are -2, -1, 0, 1; of equations there are none.
        for (index, step) in [(0, -1), (3, 1)] {
            let mut other = toy.clone();
            other.targets[0][index] += step;
            assert!(matches!(of(&other, &unknowns), Err(Error::FalseFact)), "{index}");
            other.targets[0][index] -= 2 * step;
            let is_within = of(&other, &unknowns).is_ok();
            assert_eq!(is_within, matches!(shape, Shape::WithErrors(_)), "{index}");
        }
        let q = if got == 23 { 97 } else { 12289 };
        let mut far = toy.clone();
        far.targets[1][2] += q * 200;
        let error = of(&far, &unknowns).unwrap_err();
        assert!(error.to_string().contains("carry"), "{error}");
        let length = of(&toy, &unknowns[1..]).unwrap_err();
        let problem = WitnessProblem::Messages { got, expected: got + 1 };
        assert_eq!(length.to_string(), Error::Witness(problem).to_string());
    }
}

#[test]
#[should_panic(expected = "targets of a family are at most 2^13 q")]
fn targets_beyond_the_bound_of_lemma_7_are_a_fault_of_the_family() {
    let (mut toy, unknowns) = instances(&Shape::Equations(equations(4)), 1);
    for (target, is_refused) in [(12289 << 13, true), ((12289 << 13) + 1, false)] {
        toy.targets[0][0] = target;
        let refused = witness(&toy.relation(1, 1), &unknowns);
        assert_eq!(matches!(refused, Err(Error::FalseFact)), is_refused);
    }
}

/// An instance with a carry of 130 is proved in a lift where it is less.
#[test]
fn wide_carries_are_proved_in_another_lift() {
    let mut shape = equations(4);
    shape.parts[2] = UnknownPart { low: -127, high: 127, ..shape.parts[2] };
    let (mut toy, mut unknowns) = instances(&Shape::Equations(shape.clone()), 1);
    // 127 q + 3 q, with the last three in block 2.
    toy.terms[0] = vec![vec![(2, vec![12289]), (3, vec![12289])], vec![(2, vec![1])]];
    toy.targets[0] = vec![0, 0, 0, 0, 3, 0, 0, 0];
    unknowns[8..16].copy_from_slice(&[3, 0, 0, 0, 127, 0, 0, 0]);
    let two = Shape::Equations(EquationShape { carry_digits: 2, ..shape });
    witness(&Toy { shape: two, ..toy.clone() }.relation(1, 1), &unknowns).unwrap();
    let lifted = |lift| toy.lifted(1, 1, lift);
    let error = witness(&lifted(0), &unknowns).unwrap_err();
    assert!(error.to_string().contains("carry"), "{error}");
    let fits = |lift: &u8| witness(&lifted(*lift), &unknowns).is_ok();
    let lift = (1..32).find(fits).expect("one of two lifts serves");
    let relation = lifted(lift);
    assert_ne!(relation, lifted(lift + 1));
    let proved = Proved::new(&relation, &unknowns);
    proved.verify(relation).unwrap();
    assert!(proved.verify(lifted(lift + 1)).is_err());
}

#[test]
fn shapes_and_places_out_of_range_are_refused() {
    let (toy, _) = instances(&Shape::WithErrors(shape()), 3);
    let name = |shape: FamilyShape| {
        let toy = Toy { shape: Shape::WithErrors(shape), ..toy.clone() };
        name(Relation::new(Arc::new(toy), 1, 1))
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
    let empty = Toy { terms: vec![], targets: vec![], ..toy.clone() };
    assert!(Relation::new(Arc::new(empty), 1, 1).is_err());
    for rows in [0, 1, 5, 18] {
        let layout = Layout::new(rows, 3);
        assert!(Relation::with_layout(Arc::new(toy.clone()), &layout).is_err(), "{rows}");
    }
}

#[test]
fn shapes_of_equations_out_of_range_are_refused() {
    let (toy, _) = instances(&Shape::Equations(equations(4)), 2);
    let name = |change: &dyn Fn(&mut EquationShape)| {
        let mut shape = equations(4);
        change(&mut shape);
        let toy = Toy { shape: Shape::Equations(shape), ..toy.clone() };
        name(Relation::equations(Arc::new(toy), 1, 1, 0))
    };
    assert_eq!(name(&|shape| shape.n = 3), "n of instances");
    assert_eq!(name(&|shape| shape.n = 1 << 15), "n of instances");
    assert_eq!(name(&|shape| shape.parts.clear()), "parts of the unknowns");
    assert_eq!(name(&|shape| shape.parts = vec![shape.parts[0]; 5]), "parts of the unknowns");
    assert_eq!(name(&|shape| shape.parts[1].blocks = 0), "blocks of instances");
    assert_eq!(name(&|shape| shape.moduli.clear()), "blocks of instances");
    assert_eq!(name(&|shape| shape.carry_digits = 0), "digits of a carry");
    assert_eq!(name(&|shape| shape.carry_digits = 3), "digits of a carry");
    assert_eq!(name(&|shape| shape.moduli[0] = 1), "q of instances");
    assert_eq!(name(&|shape| shape.moduli[0] = (1 << 64) + 1), "q of instances");
    assert_eq!(name(&|shape| shape.parts[0].low = 1), "integers of a range");
    assert_eq!(name(&|shape| shape.parts[0].high = 24), "integers of a range");
    assert_eq!(name(&|shape| shape.parts[2].high = 128), "integers of a range");
    assert_eq!(name(&|shape| shape.parts = vec![shape.parts[2]]), "ranges");
}

/// Where q 2 B reaches p, equations modulo p say nothing.
#[test]
fn equations_are_those_of_integers() {
    let with = |moduli| Shape::Equations(EquationShape { moduli, ..equations(4) });
    // 2^16 2 B + 2^31 is below 2^61 for B = 2^43, and not for B = 2^44; q (5 2 B + a few): a carry,
    // and four unknowns without a range.
    for (shape, cases) in [
        (
            Shape::WithErrors(FamilyShape { modulus: 1 << 16, ..shape() }),
            [(43, true), (44, false), (63, false)],
        ),
        (with(vec![1 << 20, 2]), [(37, true), (38, false), (63, false)]),
        (with(vec![1 << 64, 2]), [(58, true), (60, false), (63, false)]),
    ] {
        let relation = instances(&shape, 2).0.relation(1, 1);
        if let Shape::WithErrors(_) = shape {
            relation.check_norm_bound(params(&relation).message_norm_bound_squared()).unwrap();
        }
        for (log2, holds) in cases {
            assert_eq!(relation.check_norm_bound(1 << (2 * log2)).is_ok(), holds, "{log2}");
        }
    }
}

/// Sizes that are printed in docs/sizes.md: rows, columns and places.
#[test]
fn places_are_sought() {
    let (toy, _) = instances(&Shape::WithErrors(shape()), 200);
    let (relation, custom) = Relation::optimise(Arc::new(toy.clone())).unwrap();
    let params = custom.validate(Security::Required).unwrap();
    let layout = relation.layout().unwrap();
    assert_eq!(params.l(), layout.all_columns());
    layout.hiding(&params).unwrap();
    let bytes = |relation: &Relation| {
        let layout = relation.layout().unwrap();
        let norm = shape().column_norm_squared(relation.placement().unwrap());
        let custom = layout.goal_with_norm(shape().message_bound(), norm).optimise().unwrap();
        let params = custom.validate(Security::Required).unwrap();
        layout.expected_bytes(&params).into_iter().sum::<u128>()
    };
    let best = bytes(&relation);
    for (places, spread) in [(1, 4), (1, 1), (2, 1), (50, 1), (200, 1)] {
        assert!(bytes(&toy.relation(places, spread)) >= best, "{places} {spread}");
    }
}

/// Parameters are found, and the space is the layout's.
#[test]
fn places_of_equations_are_sought() {
    let (toy, _) = instances(&Shape::Equations(equations(8)), 40);
    for lift in [0, 1] {
        let (relation, custom) = Relation::optimise_equations(Arc::new(toy.clone()), lift).unwrap();
        let params = custom.validate(Security::Required).unwrap();
        let layout = relation.layout().unwrap();
        assert_eq!(params.l(), layout.all_columns());
        layout.hiding(&params).unwrap();
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
        let toy = Toy::of_messages(Shape::WithErrors(shape), count, ((1, 1), (height, &messages)));
        let relation = toy.relation(1, spread);
        let params = params(&relation);
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let secrets = vec![0; shape.secrets_len() * count as usize];
        let seed = Seed::from_bytes(SEED);
        let witness = relation.witness(&matrix, &secrets, &seed).unwrap();
        let (slot, claims) =
            (relation.layout().unwrap().slot(0).unwrap(), Claims::from(relation.clone()));
        let (data, spread) = (slot.data(), u64::from(spread));
        let challenges = RoundShape::new(relation.ranges(), slot.layout().columns()).challenges();
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
