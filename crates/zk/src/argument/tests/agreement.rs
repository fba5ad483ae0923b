//! Verdicts agree with the reference, for claims, layouts, words and roundings of every kind;
//! honest proofs are valid.

use super::Form::{LargeIntegers, Scalars};
use super::*;
use crate::argument::{fact, relation};
use crate::cases::{damaged, halves};
use crate::field::P127;
use crate::reference::Answer;
use crate::reference::compact::argument::Field;
use crate::reference::compact::{self, claims as reference};
use tautochrone_testkit::step;

/// Rows and columns of messages, and claims about them, in the one slot of a layout or in the
/// second of three, which has more masks than are needed.
struct Case {
    size: (u32, u64),
    list: Vec<Kind>,
    second: bool,
}

impl Case {
    fn new(rows: u32, columns: u64, list: Vec<Kind>) -> Self {
        Self { size: (rows, columns), list, second: false }
    }

    fn second(self) -> Self {
        Self { second: true, ..self }
    }
}

fn ranges(parts: Vec<RowRange>) -> Kind {
    Kind::Ranges(Ranges::new(parts).unwrap())
}

/// A whole block, sums, and a part of the last column.
fn several(rows: u32, columns: u64) -> Vec<Kind> {
    let blocks = [Kind::Block(0, 0, rows, 2), Kind::Block(2, columns - 1, 3, 1)];
    [&[Kind::Sum], &blocks[..], &[Kind::Row(0), Kind::Row(rows - 1)]].concat()
}

/// Circuits about some places and about all.
fn circuits() -> Vec<Kind> {
    vec![Kind::Circuit, Kind::Block(0, 4, 1, 1), Kind::Places]
}

/// The same over the other field, without facts.
fn goldilocks() -> Vec<Kind> {
    over(Form::Goldilocks, vec![Kind::Circuit, Kind::Places])
}

fn relations() -> Vec<Kind> {
    let all = [Instances::Ring, Instances::Spread, Instances::Plain].map(Kind::Relation);
    [&[ranges(vec![range(0, 4, -1, 1)])], &all[..]].concat()
}

/// A statement and a proof, and the claims as the reference has them.
struct Proved {
    toy: Toy,
    index: usize,
    reference: reference::Claims,
    proof: Vec<u8>,
}

impl Proved {
    fn new(case: &Case, seed: u8, custom: impl Fn(&Layout) -> CustomParams) -> Self {
        let index = usize::from(case.second);
        let slots = |layout: Layout, claims: &[Claims]| {
            let needed = claims[0].sent(&layout) as u32;
            let all = if case.second { &[3, needed + 2, 1][..] } else { &[needed] };
            all.iter().fold(layout, |layout, &masks| layout.with_masks(masks).unwrap())
        };
        let toy = Toy::laid_out(case.size, std::slice::from_ref(&case.list), seed, slots, custom);
        let reference = of_reference(&toy.slot(index), &toy.claims[0]);
        let proof = toy.try_prove(index, &toy.claims[0]).unwrap();
        Self { toy, index, reference, proof }
    }

    /// What both verifiers say.
    fn answers(&self, proof: &[u8]) -> [Answer; 2] {
        let real = self.toy.verify(self.index, &self.toy.claims[0], proof);
        [Answer::of(&real), reference::verify(&self.toy.file, CONTEXT, &self.reference, proof)]
    }
}

fn of_circuit<F: CircuitField>(claim: &CircuitClaim<F>) -> reference::Claim {
    let circuit = claim.known();
    reference::Claim::Circuit(reference::Circuit {
        secret: circuit.secret_wires() as usize,
        public: claim.public.iter().map(|x| x.value().into()).collect(),
        inputs: claim.inputs.iter().map(|&place| place as usize).collect(),
        first: claim.first as usize,
        matrices: circuit.rows(),
    })
}

fn of_reference(slot: &Slot, claims: &Claims) -> reference::Claims {
    let claim = |claim: &Claim| match claim {
        Claim::Fact(Fact { kind: fact::Kind::Sum { rows, columns, value } }) => {
            reference::Claim::Sum {
                rows: rows.iter().map(|&(i, x)| (i as usize, x)).collect(),
                columns: columns.iter().map(|&(j, g)| (j as usize, g)).collect(),
                value: *value,
            }
        }
        Claim::Fact(Fact { kind: fact::Kind::Block { row, column, height, values } }) => {
            let [row, height] = [*row, *height].map(|x| x as usize);
            let (column, values) = (*column as usize, values.clone());
            reference::Claim::Block { row, column, height, values }
        }
        Claim::Ranges(ranges) => {
            let part = |part: &RowRange| {
                (part.first_row as usize, part.rows as usize, (part.low, part.high))
            };
            let norm = |norm: &RowNorm| reference::Norm {
                squared: (norm.first_row as usize, norm.rows as usize),
                bits: (norm.first_bit as usize, norm.bits as usize),
                bound: norm.bound_squared,
            };
            reference::Claim::Ranges {
                ranges: ranges.parts().iter().map(part).collect(),
                norms: ranges.norms().iter().map(norm).collect(),
            }
        }
        Claim::Relation(relation) => {
            reference::Claim::Relation(relation::tests::of_reference(relation))
        }
        Claim::Circuit(claim) => of_circuit(claim),
        Claim::GoldilocksCircuit(claim) => of_circuit(claim),
    };
    let layout = slot.layout();
    reference::Claims {
        scalars: layout.scalars,
        field: match (layout.is_over::<Goldilocks>(), layout.is_over::<P127>()) {
            (true, _) => Field::GOLDILOCKS,
            (_, true) => Field::P127,
            _ => Field::P61,
        },
        rows: layout.rows() as usize,
        columns: layout.columns() as usize,
        masks: layout.masks.iter().map(|&masks| masks as usize).collect(),
        slot: slot.index as usize,
        list: claims.claims().iter().map(claim).collect(),
    }
}

#[test]
fn honest_proofs_are_valid() {
    let wide = || ranges(vec![range(0, 5, -8, 8), range(6, 2, -2, 0)]);
    let exact = || {
        let norm = RowNorm { first_row: 30, rows: 3, bound_squared: 81, first_bit: 0, bits: 0 };
        Kind::Ranges(Ranges::with_norms(vec![], vec![norm]).unwrap())
    };
    let norms = |rows, columns| {
        [several(rows, columns), vec![Kind::Ranges(two_norms())], several(rows, columns)].concat()
    };
    let bits_and_trits = || Kind::Ranges(bits_and_trits());
    let sum_and_circuits = [vec![Kind::Sum], circuits()].concat();
    let exact_ones = || vec![Kind::Sum, wide(), exact()];
    for (seed, (w, round_t, case)) in (0..).zip([
        (29, None, Case::new(9, 5, vec![Kind::Sum])),
        (36, Some(0), Case::new(9, 700, several(9, 700))),
        (64, Some(9), Case::new(20, 9, several(20, 9)).second()),
        (29, Some(0), Case::new(9, 5, vec![bits_and_trits()])),
        (36, None, Case::new(8, 17, vec![Kind::Ranges(two_norms())])),
        (64, None, Case::new(60, 8, vec![one_norm()]).second()),
        (40, None, Case::new(70, 256, vec![wide()])),
        (40, Some(3), Case::new(50, 1, vec![ranges(vec![range(49, 1, 0, 1)])])),
        (40, None, Case::new(40, 10, exact_ones()).second()),
        (64, Some(0), Case::new(100, 600, norms(100, 600)).second()),
        (36, None, Case::new(60, 8, [vec![one_norm()], circuits()].concat())),
        (40, None, Case::new(7, 11, over(Scalars, circuits()))),
        (48, Some(0), Case::new(81, 9, over(Scalars, circuits())).second()),
        (64, Some(9), Case::new(15, 5, over(Scalars, sum_and_circuits)).second()),
        (41, None, Case::new(1, 300, over(Scalars, circuits()))),
        (40, None, Case::new(7, 11, goldilocks())),
        (64, Some(0), Case::new(61, 9, goldilocks()).second()),
        (29, None, Case::new(9, 5, over(LargeIntegers, vec![Kind::Sum, bits_and_trits()]))),
        (40, None, Case::new(40, 10, over(LargeIntegers, exact_ones())).second()),
        (64, Some(0), Case::new(100, 300, over(LargeIntegers, norms(100, 300))).second()),
        (40, None, Case::new(11, 9, relations())),
        (40, Some(0), Case::new(8, 300, relations()).second()),
    ]) {
        let proved =
            Proved::new(&case, seed, |layout| CustomParams { round_t, ..custom(w, layout) });
        let Proved { toy, index, proof, .. } = &proved;
        let s: Vec<i128> = toy.entries.iter().map(|&s| s.into()).collect();
        assert!(compact::commit(&toy.file[..256], None, &s) == toy.file);
        assert_eq!(proved.answers(proof), [Answer::Valid; 2], "{:?}", toy.claims);
        assert!(proof.len() as u64 <= toy.params.max_argument_bytes());
        let (slot, claims) = stated_claims(proof, &toy.params).unwrap();
        assert_eq!((&slot, &claims), (&toy.slot(*index), &toy.claims[0]));
        // Of toys: streams are short, and their coder's state counts.
        let expected = claims.expected_proof_bytes(&toy.params, &slot);
        let away = (proof.len() as u64).abs_diff(expected);
        assert!(away < expected / 16 + 1024, "{} of {expected} bytes", proof.len());
    }
}

/// Altered bits, and files cut and extended, in steps or some of them; every other one of them in
/// each half.
fn verdicts_agree(w: u32, case: &Case, step: Option<usize>) {
    let proved = Proved::new(case, 4, |layout| custom(w, layout));
    let Proved { toy, index, proof, .. } = &proved;
    let compare = |proof: &[u8], place: usize| {
        let [real, expected] = proved.answers(proof);
        assert_eq!(real, expected, "{:?} {place}", toy.claims);
        real
    };
    assert_eq!(compare(proof, 0), Answer::Valid);
    let claim = u32::from_le_bytes(*proof[56..].first_chunk().unwrap()) as usize;
    let (slot, first) = (toy.slot(*index), 64 + claim);
    let sent = toy.claims[0].sent(slot.layout()) + 2 * slot.layout().rounds() + 1;
    let end = first + slot.layout().element_len() * (sent + toy.params.l() as usize);
    let ends = [55, 56, 59, 60, 63, 64, first - 1, first, end - 1, end];
    let (step, least) = step.map_or((8 * proof.len() / 150, 30), |step| (step, 100));
    let counts = halves(|half| {
        let mut counts = [0; 3];
        let bits = (0..8 * proof.len()).step_by(step).skip(half).step_by(2);
        let lengths = (0..proof.len()).step_by(step).chain(ends).skip(half).step_by(2);
        damaged(proof, bits, lengths, |altered, place| {
            counts[compare(altered, place) as usize] += 1;
        });
        counts
    });
    let [valid, others @ ..] = [0, 1, 2].map(|i| counts[0][i] + counts[1][i]);
    assert_eq!(valid, 0);
    assert!(others.iter().all(|&count| count > least), "{others:?}");
}

#[test]
fn verdicts_are_those_of_the_reference() {
    // Of every element many bits, as 13 and 65 are no divisors of 192 and 256.
    let every = Some(step(13, 65));
    let norms = vec![Kind::Ranges(two_norms()), Kind::Sum];
    let integers = [bits_and_trits(), two_norms()].map(Kind::Ranges).into();
    // Equations over both fields that they may need, beside errors that are not committed.
    let equations = || vec![Kind::Relation(Instances::Equations), Kind::Sum];
    let with_errors = [equations(), vec![Kind::Relation(Instances::Ring)]].concat();
    for (w, step, case) in [
        (29, every, Case::new(9, 5, several(9, 5))),
        (40, every, Case::new(70, 3, norms).second()),
        (40, every, Case::new(7, 5, over(Scalars, circuits())).second()),
        (40, every, Case::new(7, 5, goldilocks()).second()),
        (40, every, Case::new(9, 3, over(LargeIntegers, integers))),
        (29, every, Case::new(8, 5, relations())),
        (29, None, Case::new(9, 11, with_errors)),
        (40, None, Case::new(9, 17, equations()).second()),
        (40, None, Case::new(8, 13, over(LargeIntegers, equations())).second()),
        (64, None, Case::new(9, 5, over(LargeIntegers, equations()))),
    ] {
        verdicts_agree(w, &case, step);
    }
}
