//! Equations on toy dimensions.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use tautochrone_ctr::{Label, Seed};

use super::{Coefficient, EquationFamily, EquationShape, UnknownPart};
use crate::argument::Relation;
use crate::argument::proof::stated_claims;
use crate::argument::relation::tests::{Proved, witness};
use crate::cases::{CONTEXT, flipped, name, replaced};
use crate::error::{Error, WitnessProblem};
use crate::field::P127;
use crate::params::Security;
use crate::reference::Answer;
use crate::reference::compact::argument::Field;
use crate::reference::compact::claims as reference;

/// A coefficient other than 0 of a block of equations: which unknowns it is of, and what it is.
type Term = (usize, Vec<i64>);

/// Instances in full: of each its targets by blocks, and terms by blocks of equations; polynomials
/// of one coefficient are integers.
#[derive(Clone)]
pub(in crate::argument) struct Toy {
    pub(in crate::argument) shape: EquationShape,
    pub(in crate::argument) targets: Vec<Vec<Vec<i64>>>,
    pub(in crate::argument) terms: Vec<Vec<Vec<Term>>>,
    pub(in crate::argument) common: bool,
}

impl EquationFamily for Toy {
    fn shape(&self) -> EquationShape {
        self.shape.clone()
    }

    fn instances(&self) -> u64 {
        self.targets.len() as u64
    }

    fn is_common(&self) -> bool {
        self.common
    }

    fn header(&self) -> Cow<'_, [u8]> {
        b"toys"[..].into()
    }

    fn encoding(&self, instance: u64) -> Cow<'_, [u8]> {
        let instance = instance as usize;
        let targets = self.targets[instance].iter().flatten().copied();
        let terms = self.terms[instance].iter().flatten();
        let terms = terms.flat_map(|(block, a)| [&[*block as i64], &a[..]].concat());
        targets.chain(terms).flat_map(i64::to_le_bytes).collect()
    }

    fn target(&self, instance: u64, row: usize, out: &mut [i128]) {
        let targets = self.targets[instance as usize][row].iter();
        out.iter_mut().zip(targets).for_each(|(out, &t)| *out = t.into());
    }

    fn row(&self, instance: u64, row: usize, see: &mut dyn FnMut(usize, Coefficient<'_>)) {
        for (block, a) in &self.terms[instance as usize][row] {
            match a[..] {
                [a] if self.shape.n > 1 => see(*block, Coefficient::Integer(a)),
                _ => see(*block, Coefficient::Polynomial(a)),
            }
        }
    }
}

pub(in crate::argument) fn shape(n: u32) -> EquationShape {
    let part = |blocks, low, high, is_shown| UnknownPart {
        blocks,
        low,
        high,
        is_shown,
        variance: 4_000_000,
    };
    EquationShape {
        name: "toy equations",
        n,
        parts: vec![part(2, -1, 1, true), part(1, -3, 3, true), part(1, -8, 7, false)],
        moduli: vec![12289, 7681],
        carry_digits: 1,
        carry_variance: 1_000_000,
    }
}

/// Numbers below a bound.
fn numbers(count: usize, bound: u64, index: u64) -> Vec<i64> {
    let mut words = vec![0; count];
    Seed::from_bytes([5; 32]).stream(Label::new("test: equations"), index).fill_u64(&mut words);
    words.into_iter().map(|word| (word % bound) as i64).collect()
}

/// a b modulo X^n + 1, where b has n coefficients.
pub(in crate::argument::relation) fn negacyclic(a: &[i64], b: &[i64]) -> Vec<i128> {
    let n = b.len();
    let mut all = vec![0; n];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let sign = if i + j < n { 1 } else { -1 };
            all[(i + j) % n] += sign * i128::from(a) * i128::from(b);
        }
    }
    all
}

/// A x of a block of equations.
fn product(n: usize, terms: &[Term], x: &[i64]) -> Vec<i128> {
    let mut all = vec![0; n];
    for (block, a) in terms {
        let product = negacyclic(a, &x[block * n..][..n]);
        all.iter_mut().zip(product).for_each(|(sum, x)| *sum += x);
    }
    all
}

impl Toy {
    /// Instances of random unknowns, and these.
    fn random(n: u32, count: u64, common: bool) -> (Self, Vec<i8>) {
        Self::of_shape(&shape(n), count, common)
    }

    fn of_shape(shape: &EquationShape, count: u64, common: bool) -> (Self, Vec<i8>) {
        let n = shape.n;
        let mut toy = Self { shape: shape.clone(), targets: vec![], terms: vec![], common };
        let (mut all, wide) = (Vec::new(), n as usize);
        let word = |&q: &u128| u64::try_from(q).unwrap_or(u64::MAX);
        let moduli: Vec<u64> = shape.moduli.iter().map(word).collect();
        for instance in 0..count {
            let of_matrix = if common { 0 } else { instance };
            let polynomial = |row: u64, q: u64| -> Vec<i64> {
                let numbers = numbers(wide, q, 100 + 3 * of_matrix + row);
                numbers.into_iter().map(|x| (i128::from(x) - i128::from(q / 2)) as i64).collect()
            };
            let rows = vec![
                vec![(0, polynomial(0, moduli[0])), (2, vec![1]), (3, vec![500])],
                vec![(0, polynomial(1, moduli[1])), (1, polynomial(2, moduli[1])), (2, vec![-7])],
            ];
            let mut unknowns = Vec::new();
            for (index, part) in (0..).zip(&shape.parts) {
                let width = (part.high - part.low + 1) as u64;
                let count = part.blocks as usize * wide;
                let numbers = numbers(count, width, 1000 * (index + 1) + instance);
                unknowns.extend(numbers.into_iter().map(|x| x + i64::from(part.low)));
            }
            let target = |(terms, &q): (&Vec<Term>, &u128)| -> Vec<i64> {
                let all = product(wide, terms, &unknowns);
                let q = q as i128;
                all.into_iter().map(|x| ((x + q / 2).rem_euclid(q) - q / 2) as i64).collect()
            };
            toy.targets.push(rows.iter().zip(&shape.moduli).map(target).collect());
            toy.terms.push(rows);
            all.extend(unknowns.into_iter().map(|x| x as i8));
        }
        (toy, all)
    }

    fn relation(&self, places: u32, spread: u32) -> Relation {
        Relation::equations(Arc::new(self.clone()), places, spread, 0).unwrap()
    }
}

/// The claim with dense matrices.
fn of_reference(toy: &Toy, places: u32, spread: u32) -> reference::Equations {
    let EquationShape { name, n, parts, moduli, carry_digits, .. } = toy.shape();
    let wide = n as usize;
    let instance = |instance: usize| {
        let mut matrix = vec![];
        for terms in &toy.terms[instance] {
            for x in 0..wide {
                let mut row = vec![0; toy.shape.unknowns_len()];
                for (block, a) in terms {
                    for (i, &a) in a.iter().enumerate() {
                        let (y, sign) = if i <= x { (x - i, 1) } else { (wide + x - i, -1) };
                        row[block * wide + y] += sign * i128::from(a);
                    }
                }
                matrix.push(row);
            }
        }
        let target = toy.targets[instance].iter().flatten().map(|&t| t.into()).collect();
        (toy.encoding(instance as u64).to_vec(), matrix, target)
    };
    reference::Equations {
        name,
        n: wide,
        parts: parts.iter().map(|x| (x.blocks as usize, (x.low, x.high), x.is_shown)).collect(),
        carry_digits: carry_digits as usize,
        moduli: moduli.into_iter().map(|q| q as i128).collect(),
        header: toy.header().to_vec(),
        instances: (0..toy.targets.len()).map(instance).collect(),
        places: places as usize,
        spread: spread as usize,
    }
}

/// A proof, and altered ones, have the verdicts of the definition over either field.
#[test]
fn verdicts_are_those_of_the_reference() {
    let wide = |moduli: [u128; 2]| EquationShape { moduli: moduli.to_vec(), ..shape(4) };
    let two = |shape| EquationShape { carry_digits: 2, ..shape };
    for (shape, common, (places, spread)) in [
        (shape(4), false, (2, 1)),
        (shape(1), false, (3, 1)),
        (shape(8), true, (1, 4)),
        (two(shape(8)), false, (5, 1)),
        (two(shape(4)), true, (1, 2)),
        (two(wide([(1 << 61) + 1, 1 << 62])), true, (2, 1)),
        (wide([1 << 64, (1 << 60) - 3]), false, (1, 4)),
    ] {
        let (toy, unknowns) = Toy::of_shape(&shape, 3, common);
        let relation = toy.relation(places, spread);
        let layout = relation.layout().unwrap();
        let is_wide = toy.shape.moduli[0] > 1 << 60;
        assert_eq!(layout.is_over::<P127>(), is_wide);
        let proved = Proved::new(&relation, &unknowns);
        let proof = &proved.proof;
        let definition = reference::Claims {
            scalars: false,
            field: if is_wide { Field::P127 } else { Field::P61 },
            rows: layout.rows() as usize,
            columns: layout.columns() as usize,
            masks: layout.masks.iter().map(|&masks| masks as usize).collect(),
            slot: 0,
            list: vec![reference::Claim::Equations(of_reference(&toy, places, spread))],
        };
        let answers = |proof: &[u8]| {
            let real = proved.verify(relation.clone(), proof);
            [Answer::of(&real), reference::verify(&proved.case.file, CONTEXT, &definition, proof)]
        };
        assert_eq!(answers(proof), [Answer::Valid; 2], "{places} {spread} {is_wide}");
        for bit in (0..8 * proof.len()).step_by(8 * proof.len() / 150) {
            let [real, expected] = answers(&flipped(proof, bit));
            assert_eq!(real, expected, "{bit}");
        }
    }
}

/// A proof and a verdict, of instances in any places; of others there is none.
#[test]
fn equations_are_proved_in_all_places() {
    for (common, carry_digits, cases) in [
        (false, 1, &[(1, 1), (3, 1), (9, 1), (1, 2)][..]),
        (true, 2, &[(1, 1), (3, 1), (1, 4)][..]),
    ] {
        let (mut toy, unknowns) = Toy::random(4, 7, common);
        toy.shape.carry_digits = carry_digits;
        for &(places, spread) in cases {
            let relation = toy.relation(places, spread);
            let proved = Proved::new(&relation, &unknowns);
            let verify = |toy: &Toy, lift| {
                let family = Arc::new(toy.clone());
                let relation = Relation::equations(family, places, spread, lift).unwrap();
                proved.verify(relation, &proved.proof)
            };
            verify(&toy, 0).unwrap();
            verify(&Toy { common: false, ..toy.clone() }, 0).unwrap();
            let (read, named) = stated_claims(&proved.proof, &proved.case.params).unwrap();
            let family = Arc::new(toy.clone());
            let again = Relation::equations_with_layout(family, read.layout(), 0).unwrap();
            assert_eq!(again, relation);
            assert!(matches!(proved.verify(named, &proved.proof), Err(Error::StatedByOthers)));
            // Another target, coefficient, modulus, range or lift is another claim.
            let changes: [fn(&mut Toy); 4] = [
                |toy| toy.targets[6][1][0] += 1,
                |toy| toy.terms[0][1][0].1[3] += 1,
                |toy| toy.shape.moduli[1] += 1,
                |toy| toy.shape.parts[0].high += 1,
            ];
            for change in changes {
                let mut other = toy.clone();
                change(&mut other);
                assert!(matches!(verify(&other, 0), Err(Error::Invalid(_))));
            }
            assert!(matches!(verify(&toy, 1), Err(Error::Invalid(_))));
            let shown = "7 instances of toy equations have unknowns in [-1, 1], [-3, 3]";
            assert_eq!(relation.to_string(), shown);
        }
    }
}

#[test]
fn unknowns_out_of_range_are_refused() {
    let (toy, unknowns) = Toy::random(4, 3, false);
    let of = |toy: &Toy, unknowns: &[i8]| witness(&toy.relation(1, 1), unknowns).map(|_| ());
    of(&toy, &unknowns).unwrap();
    // One of each part of the first instance.
    for (index, beyond) in [(0, 2), (8, -4), (12, 8)] {
        let other = replaced(&unknowns, index, &[beyond]);
        assert!(matches!(of(&toy, &other), Err(Error::FalseFact)), "{index}");
    }
    let mut other = toy.clone();
    other.targets[2][0][3] += 1;
    assert!(matches!(of(&other, &unknowns), Err(Error::FalseFact)));
    let length = of(&toy, &unknowns[1..]).unwrap_err();
    assert!(matches!(length, Error::Witness(WitnessProblem::Messages { got: 47, expected: 48 })));
}

#[test]
#[should_panic(expected = "targets of a family are at most 2^13 q")]
fn targets_beyond_the_bound_of_lemma_7_are_a_fault_of_the_family() {
    let (mut toy, unknowns) = Toy::random(4, 1, false);
    for (target, is_refused) in [(12289 << 13, true), ((12289 << 13) + 1, false)] {
        toy.targets[0][0][0] = target;
        let refused = witness(&toy.relation(1, 1), &unknowns);
        assert_eq!(matches!(refused, Err(Error::FalseFact)), is_refused);
    }
}

/// An instance with a carry of 130 is proved in a lift where it is less.
#[test]
fn wide_carries_are_proved_in_another_lift() {
    let (mut toy, mut unknowns) = Toy::random(4, 1, false);
    toy.shape.parts[2] = UnknownPart { low: -127, high: 127, ..toy.shape.parts[2] };
    // 127 q + 3 q, with the last three in block 2.
    toy.terms[0][0] = vec![(2, vec![12289]), (3, vec![12289])];
    toy.targets[0][0] = vec![0; 4];
    unknowns[8..16].copy_from_slice(&[3, 0, 0, 0, 127, 0, 0, 0]);
    toy.terms[0][1] = vec![(2, vec![1])];
    toy.targets[0][1] = vec![3, 0, 0, 0];
    let mut two = toy.clone();
    two.shape.carry_digits = 2;
    witness(&two.relation(1, 1), &unknowns).unwrap();
    let lifted = |lift| Relation::equations(Arc::new(toy.clone()), 1, 1, lift).unwrap();
    let error = witness(&lifted(0), &unknowns).unwrap_err();
    assert!(error.to_string().contains("carry"), "{error}");
    let fits = |lift: &u8| witness(&lifted(*lift), &unknowns).is_ok();
    let lift = (1..32).find(fits).expect("one of two lifts serves");
    let relation = lifted(lift);
    assert_ne!(relation, lifted(lift + 1));
    let proved = Proved::new(&relation, &unknowns);
    proved.verify(relation, &proved.proof).unwrap();
    assert!(proved.verify(lifted(lift + 1), &proved.proof).is_err());
}

#[test]
fn shapes_out_of_range_are_refused() {
    let (toy, _) = Toy::random(4, 2, false);
    let name = |change: &dyn Fn(&mut EquationShape)| {
        let mut toy = toy.clone();
        change(&mut toy.shape);
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
    // q (5 2 B + a few): a carry, and four unknowns without a range.
    for (q, cases) in [
        (1 << 20, [(37, true), (38, false), (63, false)]),
        (1 << 64, [(58, true), (60, false), (63, false)]),
    ] {
        let (mut toy, _) = Toy::random(4, 2, false);
        toy.shape.moduli = vec![q, 2];
        let relation = toy.relation(1, 1);
        for (log2, holds) in cases {
            assert_eq!(relation.check_norm_bound(1 << (2 * log2)).is_ok(), holds, "{q} {log2}");
        }
    }
}

/// Parameters are found, and the space is the layout's.
#[test]
fn places_are_sought() {
    let (toy, _) = Toy::random(8, 40, false);
    for lift in [0, 1] {
        let (relation, custom) = Relation::optimise_equations(Arc::new(toy.clone()), lift).unwrap();
        let params = custom.validate(Security::Required).unwrap();
        let layout = relation.layout().unwrap();
        assert_eq!(params.l(), layout.all_columns());
        layout.hiding(&params).unwrap();
    }
}
