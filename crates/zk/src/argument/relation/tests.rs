//! Relations of both kinds on toy dimensions, besides the tests that all claims have in common.

pub(in crate::argument) mod toy;

use alloc::sync::Arc;
use core::ops::Range;

use tautochrone_ctr::Seed;

use super::space::column_norm_squared;
use super::{Coefficient, FamilyShape, InstanceErrors, Relation, Structure, UnknownPart};
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
use toy::{Term, Toy, carries_of, dense, equations, wide_equations, with_errors};

/// The relation with dense matrices.
pub(in crate::argument) fn of_reference(relation: &Relation) -> reference::Relation {
    let known = relation.known().unwrap();
    let (shape, family, placement) = (&known.shape, &known.family, &known.placement);
    let n = shape.n as usize;
    let part = |part: &UnknownPart| (part.blocks as usize, (part.low, part.high), part.is_shown);
    let instance = |index: u64| {
        let (mut matrix, mut all) = (Vec::new(), Vec::new());
        for row in 0..shape.moduli.len() {
            let mut target = vec![0; n];
            family.target(index, row, &mut target);
            all.extend(target);
            let mut terms: Vec<Term> = Vec::new();
            family.row(index, row, &mut |block, coefficient| match coefficient {
                Coefficient::Integer(a) => terms.push((block, vec![a])),
                Coefficient::Polynomial(a) => terms.push((block, a.to_vec())),
                Coefficient::Row(a) => {
                    let blocks = a.chunks(a.len() / shape.blocks() as usize);
                    let polynomials = blocks.map(|a| a.iter().map(|&a| a.into()).collect());
                    terms.extend(polynomials.enumerate());
                }
            });
            matrix.extend(dense(n, shape.unknowns_len(), &terms));
        }
        let encoding = family.encoding(index).to_vec();
        reference::Instance { encoding, matrix, target: all }
    };
    let carries = match shape.errors {
        InstanceErrors::NotCommitted { low, high, structure } => reference::Carries::WithErrors {
            structure: if structure == Structure::Plain { 1 } else { 2 },
            errors: (low, high),
        },
        InstanceErrors::Committed { carry_digits, .. } => reference::Carries::Digits {
            count: carry_digits as usize,
            header: family.header().to_vec(),
        },
    };
    reference::Relation {
        name: shape.name,
        n,
        parts: shape.parts.iter().map(part).collect(),
        moduli: shape.moduli.iter().map(|&q| q as i128).collect(),
        carries,
        instances: (0..family.instances()).map(instance).collect(),
        places: placement.places as usize,
        spread: placement.spread as usize,
    }
}

const SEED: [u8; 32] = [3; 32];

fn shape() -> FamilyShape {
    with_errors(Structure::Ring, [4, 1, 2])
}

/// Instances of random unknowns, each in a column of its own, and these.
fn instances(shape: &FamilyShape, count: u64) -> (Toy, Vec<i8>) {
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

/// Instances in any places have a proof, over the field that they need. Instances of one matrix
/// have the same proof whether prover and verifier know of the common matrix or not. The places
/// follow from the file, and instances do not; another target, coefficient, modulus, range or lift
/// is another claim.
#[test]
fn instances_are_proved_in_all_places() {
    let two = FamilyShape { errors: carries_of(2), ..equations(4) };
    for shape in [
        with_errors(Structure::Ring, [8, 2, 1]),
        with_errors(Structure::Plain, [8, 2, 3]),
        with_errors(Structure::Plain, [1, 5, 7]),
        equations(4),
        two,
        wide_equations(4),
    ] {
        let spread = shape.n.min(4);
        for (places, spread) in [(1, 1), (3, 1), (8, 1), (9, 1), (1, spread)] {
            let (known, unknowns) = Toy::random(&shape, 7, true, (places, spread));
            let toy = Toy { common: false, ..known.clone() };
            let [relation, known] = [&toy, &known].map(|toy| toy.relation(places, spread));
            let layout = relation.layout().unwrap();
            assert_eq!(layout.is_over::<P127>(), shape.moduli[0] > 1 << 60);
            let proved = Proved::new(&relation, &unknowns);
            assert!(Proved::new(&known, &unknowns).proof == proved.proof, "{places} {spread}");
            let (read, named) = stated_claims(&proved.proof, &proved.case.params).unwrap();
            let family = Arc::new(toy.clone());
            assert_eq!(Relation::with_layout(family, read.layout(), 0).unwrap(), relation);
            assert!(matches!(proved.verify(named), Err(Error::StatedByOthers)));
            let text = match shape.name {
                "toys" => "toys have unknowns in [-1, 1] and errors in [-2, 1]",
                _ => "toy equations have unknowns in [-1, 1], [-3, 3]",
            };
            assert_eq!(relation.to_string(), format!("7 instances of {text}"));
            for relation in [relation, known] {
                proved.verify(relation).unwrap();
            }
            let changes: [fn(&mut Toy); 4] = [
                |toy| *toy.targets[6].last_mut().unwrap() += 1,
                |toy| toy.terms[0][1][0].1[0] += 1,
                |toy| toy.shape.moduli.iter_mut().for_each(|q| *q -= 1),
                |toy| toy.shape.parts[0].high += 1,
            ];
            for change in changes {
                let mut other = toy.clone();
                change(&mut other);
                let verdict = proved.verify(other.relation(places, spread));
                assert!(matches!(verdict, Err(Error::Invalid(_))));
            }
            let verdict = proved.verify(toy.lifted(places, spread, 1));
            assert!(matches!(verdict, Err(Error::Invalid(_))));
        }
    }
}

/// The same secrets in other lists, or in other places, have other pads and randomness.
#[test]
fn claims_have_columns_of_their_own() {
    let (toy, secrets) = instances(&shape(), 4);
    let own = witness(&toy.relation(1, 1), &secrets).unwrap();
    assert!(own == witness(&toy.relation(1, 1), &secrets).unwrap());
    let mut other = toy.clone();
    // Errors are from -2 to 1; one of 0 becomes -1.
    let target = other.targets[2].iter_mut().enumerate().find(|(row, _)| (row + 2) % 4 == 2);
    *target.unwrap().1 -= 1;
    let others = witness(&other.relation(1, 1), &secrets).unwrap();
    let v = params(&toy.relation(1, 1)).v() as usize;
    let rows = shape().all_unknowns() as usize;
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
    for (shape, beyond, got) in
        [(&shape(), &[(4, 2)][..], 23), (&equations(4), &[(0, 2), (8, -4), (12, 8)], 47)]
    {
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
            assert_eq!(is_within, shape.name == "toys", "{index}");
        }
        let mut far = toy.clone();
        far.targets[1][2] += 200 * shape.moduli[0] as i128;
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
    let (mut toy, unknowns) = instances(&equations(4), 1);
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
    let (mut toy, mut unknowns) = instances(&shape, 1);
    // 127 q + 3 q, with the last three in block 2.
    toy.terms[0] = vec![vec![(2, vec![12289]), (3, vec![12289])], vec![(2, vec![1])]];
    toy.targets[0] = vec![0, 0, 0, 0, 3, 0, 0, 0];
    unknowns[8..16].copy_from_slice(&[3, 0, 0, 0, 127, 0, 0, 0]);
    let two = FamilyShape { errors: carries_of(2), ..shape };
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
    let refused = |shape: &FamilyShape, change: &dyn Fn(&mut FamilyShape)| {
        let (mut toy, _) = instances(shape, 2);
        change(&mut toy.shape);
        name(Relation::new(Arc::new(toy), 1, 1, 0))
    };
    let name = |change: &dyn Fn(&mut FamilyShape)| {
        let [first, second] = [shape(), equations(4)].map(|shape| refused(&shape, change));
        assert_eq!(first, second);
        first
    };
    assert_eq!(name(&|shape| shape.n = 3), "n of instances");
    assert_eq!(name(&|shape| shape.n = 1 << 15), "n of instances");
    assert_eq!(name(&|shape| shape.parts.clear()), "parts of the unknowns");
    assert_eq!(name(&|shape| shape.parts = vec![shape.parts[0]; 5]), "parts of the unknowns");
    assert_eq!(name(&|shape| shape.parts[0].blocks = 0), "blocks of instances");
    assert_eq!(name(&|shape| shape.parts[0].blocks = 1 << 15), "blocks of instances");
    assert_eq!(name(&|shape| shape.moduli.clear()), "blocks of instances");
    assert_eq!(name(&|shape| shape.moduli[0] = 1), "q of instances");
    assert_eq!(name(&|shape| shape.moduli[0] = (1 << 64) + 1), "q of instances");
    for (low, high) in [(1, 2), (-3, -1), (0, 0), (-13, 12)] {
        let change = |part: &mut UnknownPart| (part.low, part.high) = (low, high);
        assert_eq!(name(&|shape| change(&mut shape.parts[0])), "integers of a range");
        let structure = Structure::Ring;
        let errors = InstanceErrors::NotCommitted { low, high, structure };
        assert_eq!(refused(&shape(), &|shape| shape.errors = errors), "integers of a range");
    }
    let hide = |parts: &mut [UnknownPart]| parts.iter_mut().for_each(|part| part.is_shown = false);
    assert_eq!(name(&|shape| hide(&mut shape.parts)), "ranges");

    let name = |change: &dyn Fn(&mut FamilyShape)| refused(&shape(), change);
    assert_eq!(name(&|shape| shape.n = 1 << 13), "n of instances");
    assert_eq!(name(&|shape| shape.parts = vec![shape.parts[0]; 2]), "parts of the unknowns");
    assert_eq!(name(&|shape| shape.moduli[0] = (1 << 16) + 1), "q of instances");
    assert_eq!(name(&|shape| shape.moduli.push(98)), "q of instances");
    assert_eq!(name(&|shape| shape.parts[0].blocks = 1 << 14), "terms of instances");
    let name = |change: &dyn Fn(&mut FamilyShape)| refused(&equations(4), change);
    assert_eq!(name(&|shape| shape.errors = carries_of(0)), "digits of a carry");
    assert_eq!(name(&|shape| shape.errors = carries_of(3)), "digits of a carry");
    assert_eq!(name(&|shape| shape.parts[1].blocks = 1 << 9), "blocks of instances");
    assert_eq!(name(&|shape| shape.parts[2].high = 128), "integers of a range");

    let (toy, _) = instances(&shape(), 3);
    let empty = Toy { terms: vec![], targets: vec![], ..toy.clone() };
    assert!(Relation::new(Arc::new(empty), 1, 1, 0).is_err());
    for rows in [0, 1, 5, 18] {
        let layout = Layout::new(rows, 3);
        assert!(Relation::with_layout(Arc::new(toy.clone()), &layout, 0).is_err(), "{rows}");
    }
}

/// Where q 2 B reaches p, equations modulo p say nothing.
#[test]
fn equations_are_those_of_integers() {
    let with = |moduli| FamilyShape { moduli, ..equations(4) };
    // 2^16 2 B + 2^31 is below 2^61 for B = 2^43, and not for B = 2^44; q (5 2 B + a few): a carry,
    // and four unknowns without a range.
    for (shape, cases) in [
        (FamilyShape { moduli: vec![1 << 16], ..shape() }, [(43, true), (44, false), (63, false)]),
        (with(vec![1 << 20, 2]), [(37, true), (38, false), (63, false)]),
        (with(vec![1 << 64, 2]), [(58, true), (60, false), (63, false)]),
    ] {
        let relation = instances(&shape, 2).0.relation(1, 1);
        if !shape.commits_to_errors() {
            relation.check_norm_bound(params(&relation).message_norm_bound_squared()).unwrap();
        }
        for (log2, holds) in cases {
            assert_eq!(relation.check_norm_bound(1 << (2 * log2)).is_ok(), holds, "{log2}");
        }
    }
}

/// Parameters are found, and the space is the layout's; no other places are better.
#[test]
fn places_are_sought() {
    for (shape, count, lift) in [(shape(), 200, 0), (equations(8), 40, 0), (equations(8), 40, 1)] {
        let (toy, _) = instances(&shape, count);
        let (relation, custom) = Relation::optimise(Arc::new(toy.clone()), lift).unwrap();
        let params = custom.validate(Security::Required).unwrap();
        let layout = relation.layout().unwrap();
        assert_eq!(params.l(), layout.all_columns());
        layout.hiding(&params).unwrap();
        if shape.commits_to_errors() {
            continue;
        }
        let bytes = |relation: &Relation| {
            let layout = relation.layout().unwrap();
            let norm =
                column_norm_squared(&relation.known().unwrap().placement, shape.norm_squared(0));
            let custom = layout.goal_with_norm(shape.message_bound(0), norm).optimise().unwrap();
            let params = custom.validate(Security::Required).unwrap();
            layout.expected_bytes(&params).into_iter().sum::<u128>()
        };
        let best = bytes(&relation);
        for (places, spread) in [(1, 4), (1, 1), (2, 1), (50, 1), (200, 1)] {
            assert!(bytes(&toy.relation(places, spread)) >= best, "{places} {spread}");
        }
    }
}

/// A worker that has some columns of an instance, but not all, cannot compute its errors.
#[test]
fn shards_have_whole_instances() {
    let mut seen = [0; 2];
    for (n, spread, count) in [(8, 8, 60), (8, 4, 120), (4, 2, 300), (4, 4, 100), (8, 2, 200)] {
        let shape = with_errors(Structure::Ring, [n, 1, 2]);
        let height = shape.all_unknowns() as usize;
        let messages = vec![0; height * count as usize];
        let secrets = vec![0; shape.unknowns_len() * count as usize];
        let toy = Toy::of_messages(shape, count, ((1, 1), (height, &messages)));
        let relation = toy.relation(1, spread);
        let params = params(&relation);
        let matrix = PublicMatrix::new(&params, [1; 32]);
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
