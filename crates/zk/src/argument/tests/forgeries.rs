//! Provers that leave the protocol: each would succeed if one check were missing.

use super::claim::{self, MASK, RHO, VALUES};
use super::fact::Equation;
use super::opening::{ColumnOpening, LinearForm};
use super::*;
use crate::challenge::ChallengeMatrix;
use crate::proof::Proof;
use crate::shard::Shard;

/// A prover that may choose its mask, its values, and what the challenge is bound to.
struct Forger<'a> {
    toy: &'a Toy,
    fact: &'a Fact,
    equation: Equation,
    /// sum over i of lambda_i s_ij, and val(kappa_j).
    data: Vec<Element>,
    pads: Vec<Element>,
}

impl<'a> Forger<'a> {
    fn new(toy: &'a Toy, fact: &'a Fact) -> Self {
        let mut transcript = claim::begin(&toy.statement, toy.slot(0), fact);
        let equation = fact.equation(&mut transcript);
        let at = |form: &LinearForm| -> Vec<Element> {
            toy.entries.chunks(toy.params.v() as usize).map(|column| form.at(column)).collect()
        };
        let data = at(&LinearForm::new(equation.rows.clone()));
        let pads = at(&claim::pad(toy.slot(0)));
        Self { toy, fact, equation, data, pads }
    }

    /// sum over j of g_j val(kappa_j).
    fn honest_mask(&self) -> Element {
        self.equation.sum(&self.pads)
    }

    /// rho as it follows from a mask.
    fn rho(&self, mask: Element) -> Element {
        let mut transcript = claim::begin(&self.toy.statement, self.toy.slot(0), self.fact);
        self.fact.equation(&mut transcript);
        transcript.absorb(MASK, &[mask]);
        transcript.challenge(RHO)
    }

    fn honest_values(&self, rho: Element) -> Vec<Element> {
        self.pads.iter().zip(&self.data).map(|(&pad, &data)| pad + rho * data).collect()
    }

    /// D_0, D_end, and the proof bound to them.
    fn prove(&self, mask: Element, values: &[Element]) -> (FactProof, ColumnOpening) {
        let mut transcript = claim::begin(&self.toy.statement, self.toy.slot(0), self.fact);
        let start = *transcript.state();
        self.fact.equation(&mut transcript);
        transcript.absorb(MASK, &[mask]);
        let rho = transcript.challenge(RHO);
        transcript.absorb(VALUES, values);
        let data = LinearForm::new(self.equation.rows.clone());
        let form = claim::pad(self.toy.slot(0)).plus(rho, &data);
        let opening = ColumnOpening::new(*transcript.state(), form);
        let seed = Seed::from_bytes([8; 32]);
        let prover = self.toy.prover();
        let proved = prover.prove_opening(CONTEXT, &self.toy.witness, &seed, Some(&opening));
        let proof = proved.unwrap().proof;
        (FactProof { start, mask, values: values.to_vec(), proof }, opening)
    }

    fn reason(&self, proof: &FactProof) -> Option<Reason> {
        self.toy.reason(0, self.fact, &proof.to_bytes(&self.toy.params))
    }
}

/// A fact that is false by 1, in column 2.
fn false_fact(toy: &Toy) -> Fact {
    let (rows, columns) = (vec![(0, 2), (3, 5)], vec![(2, 1), (4, -3)]);
    Fact::sum(rows.clone(), columns.clone(), toy.value(&rows, &columns) + 1).unwrap()
}

/// What the prover refuses, a verifier refuses: the equation is checked, and the values are those
/// of the columns.
#[test]
fn false_facts_have_no_proofs() {
    let toy = Toy::new(toy(29, 6), 1);
    let fact = false_fact(&toy);
    assert!(matches!(toy.try_prove(0, &fact), Err(Error::FalseFact)));
    let forger = Forger::new(&toy, &fact);
    let mask = forger.honest_mask();
    let rho = forger.rho(mask);
    // All as it should be.
    let values = forger.honest_values(rho);
    let (proof, _) = forger.prove(mask, &values);
    assert_eq!(forger.reason(&proof), Some(Reason::Equation));
    // Values of which the equation holds are not those of the columns: the prover's delta is not
    // what a verifier computes.
    let mut other = values.clone();
    other[2] += rho;
    assert!(forger.equation.sum(&other) == rho * forger.equation.value + mask);
    let (proof, _) = forger.prove(mask, &other);
    assert_eq!(forger.reason(&proof), Some(Reason::Challenge));
    // A mask of which the equation holds gives another rho.
    let late = forger.equation.sum(&values) - rho * forger.equation.value;
    let (proof, _) = forger.prove(late, &values);
    assert_eq!(forger.reason(&proof), Some(Reason::Equation));
    // The control: what the forger does for a true fact is valid.
    let (rows, columns) = (vec![(0, 2), (3, 5)], vec![(2, 1), (4, -3)]);
    let fact = toy.sum(&rows, &columns);
    let forger = Forger::new(&toy, &fact);
    let mask = forger.honest_mask();
    let (proof, _) = forger.prove(mask, &forger.honest_values(forger.rho(mask)));
    assert_eq!(forger.reason(&proof), None);
}

/// A vector other than 0 that is orthogonal to these, by elimination.
fn orthogonal(mut rows: Vec<Vec<Element>>) -> Vec<Element> {
    let width = rows[0].len();
    for column in 0..width {
        let Some(found) = (column..rows.len()).find(|&i| rows[i][column] != Element::ZERO) else {
            let mut x = vec![Element::ZERO; width];
            x[column] = Element::from(1);
            for (x, row) in x.iter_mut().zip(&rows[..column]) {
                *x = Element::ZERO - row[column];
            }
            return x;
        };
        rows.swap(column, found);
        let scale = rows[column][column].inverse();
        rows[column].iter_mut().for_each(|x| *x = *x * scale);
        let pivot = rows[column].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if i != column {
                row.iter_mut().zip(&pivot).for_each(|(x, &y)| *x = *x - factor * y);
            }
        }
    }
    panic!("as many independent rows as columns");
}

/// Values that change neither the equation nor delta, once C is known: the challenge is bound to
/// them by D_end alone.
#[test]
fn values_can_not_be_chosen_after_the_challenge() {
    let toy = Toy::new(toy(29, 20), 2);
    let (rows, columns) = weights(20);
    let fact = toy.sum(&rows, &columns);
    let honest = toy.try_prove(0, &fact).unwrap();
    let forger = Forger::new(&toy, &fact);
    let c = ChallengeMatrix::new(&toy.params, &honest.proof.challenge_hash).rows(0, 20);
    let mut constraints: Vec<Vec<Element>> =
        c.chunks(20).map(|c| c.iter().map(|&c| i64::from(c).into()).collect()).collect();
    let mut g = vec![Element::ZERO; 20];
    for &(j, weight) in &forger.equation.columns {
        g[j as usize] = weight;
    }
    constraints.push(g);
    let x = orthogonal(constraints);
    let mut forged = honest.clone();
    forged.values.iter_mut().zip(&x).for_each(|(value, &x)| *value += x);
    assert_ne!(forged, honest);
    assert_eq!(forger.reason(&forged), Some(Reason::Challenge));
    assert_eq!(forger.reason(&honest), None);
    // That it is D_end which differs: with the honest state the forged values give the same
    // challenge.
    let (_, opening) = forger.prove(honest.mask, &honest.values);
    let digest = toy.statement.digest(CONTEXT);
    let hash = |values: &[Element]| {
        let digests = [&digest, &honest.proof.challenge_hash];
        let errors = vec![Element::ZERO; toy.params.n() as usize];
        opening.recompute::<u32>(&toy.params, digests, &[], &honest.proof.z, &errors, values)
    };
    assert_eq!(hash(&forged.values), hash(&honest.values));
}

/// A proof without an argument, or of another one, in the place of the proof.
#[test]
fn proofs_are_bound_to_their_argument() {
    let toy = Toy::new(toy(29, 6), 3);
    let (rows, columns) = weights(6);
    let fact = toy.sum(&rows, &columns);
    let honest = toy.try_prove(0, &fact).unwrap();
    let other = toy.try_prove(1, &toy.sum(&rows[1..], &columns)).unwrap();
    let seed = Seed::from_bytes([7; 32]);
    let plain = toy.prover().prove(CONTEXT, &toy.witness, &seed).unwrap().proof;
    Verifier::new(&toy.matrix, &toy.statement)
        .unwrap()
        .verify_streaming(CONTEXT, &toy.file, &plain.to_bytes(&toy.params))
        .unwrap();
    let bytes = |proof: Proof| FactProof { proof, ..honest.clone() }.to_bytes(&toy.params);
    assert_eq!(toy.reason(0, &fact, &bytes(honest.proof.clone())), None);
    for proof in [plain, other.proof] {
        assert_eq!(toy.reason(0, &fact, &bytes(proof)), Some(Reason::Challenge));
    }
    // Nor is it a plain proof.
    let verifier = Verifier::new(&toy.matrix, &toy.statement).unwrap();
    let verdict =
        verifier.verify_streaming(CONTEXT, &toy.file, &honest.proof.to_bytes(&toy.params));
    assert!(matches!(verdict, Err(VerifyError::Invalid(Reason::Challenge))));
    let kind = verifier.verify_streaming(CONTEXT, &toy.file, &honest.to_bytes(&toy.params));
    assert!(matches!(kind, Err(VerifyError::NoVerdict(Error::Malformed { .. }))));
    assert!(toy.verify(0, &fact, &honest.proof.to_bytes(&toy.params)).is_err());
}

/// One seed and context, with and without an argument and with two of them: three Y. Two challenges
/// for one Y would give S away.
#[test]
fn arguments_have_a_y_of_their_own() {
    let toy = Toy::new(toy(29, 6), 4);
    let (rows, columns) = weights(6);
    let fact = toy.sum(&rows, &columns);
    let forger = Forger::new(&toy, &fact);
    let mask = forger.honest_mask();
    let values = forger.honest_values(forger.rho(mask));
    let mut other = values.clone();
    other[0] += Element::from(1);
    let openings = [Some(forger.prove(mask, &values).1), Some(forger.prove(mask, &other).1), None];
    let seed = Seed::from_bytes([7; 32]);
    let prover = toy.prover();
    let shard = Shard::whole(&toy.params);
    // Z_1 - (S C)_1.
    let y = |opening: Option<&ColumnOpening>| -> Vec<i64> {
        let proved = prover.prove_opening(CONTEXT, &toy.witness, &seed, opening).unwrap();
        let mut worker = crate::shard::ShardWitness::new(&toy.matrix, &toy.witness, shard, 0);
        let m = worker.multiply(&proved.proof.challenge_hash).unwrap();
        let (v, k) = (toy.params.v() as usize, toy.params.z_rows() as usize);
        let m = m.chunks(v).flat_map(|m| &m[..k]).map(|m| i64::from(m.cast_signed()));
        proved.proof.z.iter().zip(m).map(|(z, m)| z - m).collect()
    };
    let all = openings.each_ref().map(|opening| y(opening.as_ref()));
    assert_eq!(all[0], y(openings[0].as_ref()), "reproducible");
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let equal = all[one].iter().zip(&all[other]).filter(|(x, y)| x == y).count();
        assert!(equal < all[one].len() / 100, "{equal} entries are equal");
    }
}

/// Altered numbers, each with its reason.
#[test]
fn altered_numbers_are_named() {
    let toy = Toy::new(toy(29, 6), 5);
    let (rows, columns) = weights(6);
    let fact = toy.sum(&rows, &columns);
    let honest = toy.try_prove(0, &fact).unwrap();
    let reason = |change: &dyn Fn(&mut FactProof)| {
        let mut proof = honest.clone();
        change(&mut proof);
        toy.reason(0, &fact, &proof.to_bytes(&toy.params))
    };
    let one = Element::from(1);
    assert_eq!(reason(&|_| ()), None);
    assert_eq!(reason(&|proof| proof.mask += one), Some(Reason::Equation));
    // Columns that the equation is about, and one that it is not about.
    assert_eq!(reason(&|proof| proof.values[0] += one), Some(Reason::Equation));
    assert_eq!(reason(&|proof| proof.values.swap(2, 4)), Some(Reason::Equation));
    assert_eq!(reason(&|proof| proof.values[1] += one), Some(Reason::Challenge));
    assert_eq!(reason(&|proof| proof.values.swap(1, 3)), Some(Reason::Challenge));
    assert_eq!(reason(&|proof| proof.proof.z[3] += 1), Some(Reason::Challenge));
    assert_eq!(
        reason(&|proof| proof.proof.z[3..6].fill(toy.params.entry_bound().cast_signed())),
        Some(Reason::NormTooLarge { column: 0 })
    );
    // p in the place of 0: the same element, another encoding.
    let bytes = honest.to_bytes(&toy.params);
    for (index, word) in [(0_u64, 0), (0, 2), (3, 1), (6, 2)] {
        let at = 24 + 32 + 24 * index as usize + 8 * word;
        let mut altered = bytes.clone();
        let value = u64::from_le_bytes(altered[at..at + 8].try_into().unwrap());
        altered[at..at + 8].copy_from_slice(&(value + P).to_le_bytes());
        assert_eq!(toy.reason(0, &fact, &altered), Some(Reason::FieldElement { index }));
    }
}

/// A proof is for one fact, slot, T and context.
#[test]
fn proofs_are_for_one_fact_in_one_place() {
    let one = Toy::new(toy(29, 6), 6);
    let (rows, columns) = weights(6);
    let fact = one.sum(&rows, &columns);
    let proof = one.prove(0, &fact);
    let value = one.value(&rows, &columns);
    let mut moved = rows.clone();
    moved[2].0 = 4;
    let facts = [
        Fact::sum(rows.clone(), columns.clone(), value + 1),
        Fact::sum(moved, columns.clone(), value),
        Fact::sum(rows.clone(), columns[1..].to_vec(), value),
        Fact::block(0, 0, 1, vec![value % 1000]),
    ];
    for other in facts {
        assert_eq!(one.reason(0, &other.unwrap(), &proof), Some(Reason::OtherFact));
    }
    assert_eq!(one.reason(1, &fact, &proof), Some(Reason::OtherFact));
    // Another T, with the same messages.
    let mut entries = one.entries.clone();
    let last = entries.last_mut().unwrap();
    *last = i8::from(*last == 0);
    let params = validated(CustomParams { round_t: Some(0), ..toy(29, 6) });
    let whole = |entries: &[i8]| Toy::of(params.clone(), one.space, entries.to_vec());
    let (same, other) = (whole(&one.entries), whole(&entries));
    let proof = same.prove(0, &fact);
    assert_eq!(same.reason(0, &fact, &proof), None);
    assert_eq!(other.reason(0, &fact, &proof), Some(Reason::OtherFact));
    let verifier = Verifier::new(&same.matrix, &same.statement).unwrap();
    let verdict = verifier.verify_fact_streaming(b"", same.slot(0), &fact, &same.file, &proof);
    assert!(matches!(verdict, Err(VerifyError::Invalid(Reason::OtherStatement))));
}
