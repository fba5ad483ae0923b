//! Verdicts agree with the reference, for claims, layouts, words and roundings of every kind;
//! honest proofs are valid.

use tautochrone_ctr::{Label, Seed};

use super::{bits_and_trits, range, two_norms};
use crate::argument::claims::{Claim, Claims};
use crate::argument::fact::{Fact, Kind};
use crate::argument::relation::tests::toy;
use crate::argument::relation::{self, Structure};
use crate::argument::{
    ArgumentProof, CircuitBuilder, CircuitClaim, CircuitField, Goldilocks, Layout, P61, P127,
    Ranges, RowNorm, RowRange, ScalarOf, Slot, Wire,
};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Security};
use crate::prover::Prover;
use crate::reference::Answer;
use crate::reference::compact::argument::Field;
use crate::reference::compact::{self, claims as reference};
use crate::rows::{Distribution, PAD_BOUND, RowGroup};
use crate::statement::Statement;
use crate::verifier::Verifier;
use crate::witness::{Witness, WitnessSource};

const CONTEXT: &[u8] = b"context";

/// Messages within 127 or of digits, pads, 16 rows of randomness and r = 5.
fn toy(w: u32, layout: &Layout) -> CustomParams {
    let any = |rows, bound| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let all = layout.all_rows() as u32;
    let groups = if layout.has_scalars() {
        [any(all, layout.radix().bound), None, None]
    } else {
        [any(layout.rows(), 127), any(layout.pad_rows(), PAD_BOUND), None]
    };
    let custom = CustomParams::new(w, 5, all + 16 + 5, layout.all_columns(), 1);
    let custom = CustomParams { n: Some(10), groups, ..custom };
    if w == 36 { super::mixed(custom) } else { custom }
}

/// Messages of which ranges and norms hold; other rows are within 9.
struct Messages {
    rows: u32,
    entries: Vec<i8>,
}

impl Messages {
    fn new(rows: u32, columns: u64, all: &[Ranges], seed: &Seed) -> Self {
        let mut bytes = vec![0; (u64::from(rows) * columns) as usize];
        seed.stream(Label::new("test: messages"), 0).fill(&mut bytes);
        let limits = |row: u32| {
            let mut parts = all.iter().flat_map(Ranges::parts);
            let part = parts.find(|part| part.all().contains(&row.into()));
            part.map_or((-9, 9), |part| (part.low, part.high))
        };
        let entry = |(i, &byte): (usize, &u8)| {
            let (low, high) = limits(i as u32 % rows);
            (low + i32::from(byte) % (high - low + 1)) as i8
        };
        let mut entries: Vec<i8> = bytes.iter().enumerate().map(entry).collect();
        // A norm without bits has one length: that of its first row.
        for norm in all.iter().flat_map(Ranges::norms).filter(|norm| norm.bits == 0) {
            for column in entries.chunks_mut(rows as usize) {
                let squared = &mut column[norm.first_row as usize..][..norm.rows as usize];
                squared.fill(0);
                squared[0] = norm.bound_squared.isqrt() as i8;
            }
        }
        for ranges in all {
            ranges.fill_slack(rows as usize, &mut entries).unwrap();
        }
        Self { rows, entries }
    }

    /// Small numbers as elements of F.
    fn scalars<F: CircuitField>(&self) -> Vec<ScalarOf<F>> {
        self.entries.iter().map(|&x| scalar(x.into())).collect()
    }

    /// Public products of neighbours among some places.
    fn circuit<F: CircuitField>(&self, inputs: &[u64], others: core::ops::Range<u64>) -> Claim {
        let mut builder = CircuitBuilder::<F>::default();
        let places = inputs.iter().copied().chain(others.clone());
        let at = |place: u64| scalar(self.entries[place as usize].into());
        let wires: Vec<Wire> = places.map(|place| builder.secret(at(place))).collect();
        for pair in wires.windows(2) {
            let sum = builder.sum(pair) + scalar(-3).into();
            let public = builder.public(builder.value(&sum) * builder.value(&pair[1].into()));
            builder.constrain(sum, pair[1], public);
        }
        let (circuit, assignment) = builder.finish().unwrap();
        let (public, inputs) = (&assignment.public, inputs.to_vec());
        CircuitClaim::with_inputs(&circuit, public, inputs, others.start).unwrap().into()
    }

    fn at(&self, row: u32, column: u64) -> i64 {
        self.entries[(u64::from(self.rows) * column + u64::from(row)) as usize].into()
    }

    fn sum(&self, rows: &[(u32, i64)], columns: &[(u64, i64)]) -> Claim {
        let of_column = |&(j, g): &(u64, i64)| -> i64 {
            g * rows.iter().map(|&(i, x)| x * self.at(i, j)).sum::<i64>()
        };
        let value = columns.iter().map(of_column).sum();
        Fact::sum(rows.to_vec(), columns.to_vec(), value).unwrap().into()
    }

    fn block(&self, (row, column): (u32, u64), (height, width): (u32, u64)) -> Claim {
        let of_column = |j: u64| (0..height).map(move |i| self.at(row + i, column + j));
        let values = (0..width).flat_map(of_column).collect();
        Fact::block(row, column, height, values).unwrap().into()
    }
}

/// Facts that follow from messages, in front of ranges and norms and behind them.
type Facts = fn(&Messages) -> [Vec<Claim>; 2];

/// A claim and its layout: rows and columns of messages, masks of slots before the one
/// that is used, more masks than are needed, and whether another slot is behind.
struct Case {
    /// Whether places are elements of F.
    scalars: bool,
    field: Field,
    rows: u32,
    columns: u64,
    ranges: Vec<Ranges>,
    facts: Facts,
    before: &'static [u32],
    more: u32,
    behind: bool,
}

impl Case {
    /// In the one slot of a layout.
    fn new(rows: u32, columns: u64, ranges: Vec<Ranges>, facts: Facts) -> Self {
        let (scalars, field, before, more, behind) = (false, Field::P61, &[][..], 0, false);
        Self { scalars, field, rows, columns, ranges, facts, before, more, behind }
    }

    /// About elements of F.
    fn of_scalars(rows: u32, columns: u64, facts: Facts) -> Self {
        Self { scalars: true, ..Self::new(rows, columns, Vec::new(), facts) }
    }

    /// About elements of the other field.
    fn of_goldilocks(rows: u32, columns: u64) -> Self {
        let case = Self::of_scalars(rows, columns, CIRCUITS_OVER_GOLDILOCKS);
        Self { field: Field::Goldilocks, ..case }
    }

    /// The same over 2^127 - 1.
    fn over_p127(self) -> Self {
        Self { field: Field::P127, ..self }
    }

    /// In the second slot of three.
    fn second(self) -> Self {
        Self { before: &[3], more: 2, behind: true, ..self }
    }
}

fn scalar<F: CircuitField>(x: i64) -> ScalarOf<F> {
    let magnitude = ScalarOf::new(x.unsigned_abs()).unwrap();
    if x < 0 { -magnitude } else { magnitude }
}

/// The squared norm of an entry within 9, with bits in rows 1 to 7.
fn one_norm() -> Ranges {
    let norm = RowNorm::at_most(0, 1, 81, 1);
    Ranges::with_norms(vec![range(1, norm.bits, 0, 1)], vec![norm]).unwrap()
}

const NONE: Facts = |_| [vec![], vec![]];
const SUM: Facts = |messages| {
    let sum = messages.sum(&[(1, 1), (2, -(1 << 40)), (5, 4)], &[(0, -3), (3, 1), (4, 900)]);
    [vec![sum], vec![]]
};
const CIRCUITS: Facts = |messages| {
    let end = messages.entries.len() as u64;
    let some = messages.circuit::<P61>(&[end - 1, 0, 3, 3], 2..4);
    let all = messages.circuit::<P61>(&[], 1..9);
    [vec![some], vec![messages.block((0, 4), (1, 1)), all]]
};
const CIRCUITS_OVER_GOLDILOCKS: Facts = |messages| {
    let end = messages.entries.len() as u64;
    let some = messages.circuit::<Goldilocks>(&[end - 1, 0, 3, 3], 2..4);
    [vec![some], vec![messages.circuit::<Goldilocks>(&[], 1..9)]]
};
const RELATIONS: Facts = |messages| {
    let values: Vec<i64> = messages.entries.iter().map(|&x| x.into()).collect();
    let height = messages.rows as usize;
    let columns = (values.len() / height) as u64;
    let of = |structure, shape, instances, (places, spread)| -> Claim {
        let shape = toy::shape(structure, shape);
        let placed = (places, spread);
        let toy = toy::Toy::of_messages(shape, instances, placed, (height, &values));
        toy.relation(places, spread).into()
    };
    let ring = of(Structure::Ring, [2, 1, 1], 2 * columns - 1, (2, 1));
    let spread = of(Structure::Ring, [8, 2, 2], columns / 4, (1, 4));
    [vec![ring, spread], vec![of(Structure::Plain, [4, 2, 2], columns / 2, (1, 2))]]
};
/// The rows of secrets of these.
fn secrets() -> Ranges {
    Ranges::new(vec![range(0, 4, -1, 1)]).unwrap()
}
const SUM_OF_THREE: Facts =
    |messages| [vec![], vec![messages.sum(&[(0, 3), (69, -1)], &[(0, 1), (2, -5)])]];
const SEVERAL: Facts = |messages| {
    let last = messages.entries.len() as u64 / u64::from(messages.rows) - 1;
    let whole = messages.block((0, 0), (messages.rows, 2));
    let columns: Vec<(u64, i64)> = (0..=last).map(|j| (j, 1 - 2 * j.cast_signed())).collect();
    let sums = [messages.sum(&[(0, 1)], &columns), messages.sum(&[(8, -7)], &[(last, 1)])];
    [vec![whole, sums[0].clone()], vec![messages.block((2, last), (3, 1)), sums[1].clone()]]
};

/// A statement, what its prover has, and the claims as the reference has them.
struct Toy {
    params: Params,
    matrix: PublicMatrix,
    statement: Statement,
    file: Vec<u8>,
    entries: Vec<i8>,
    slot: Slot,
    claims: Claims,
    reference: reference::Claims,
    proof: Vec<u8>,
}

impl Toy {
    fn new(case: &Case, seed: u8, custom: impl Fn(&Layout) -> CustomParams) -> Self {
        let seed = Seed::from_bytes([seed; 32]);
        let messages = Messages::new(case.rows, case.columns, &case.ranges, &seed);
        let [front, behind] = (case.facts)(&messages);
        let ranges = case.ranges.iter().cloned().map(Claim::from);
        let claims = Claims::new(front.into_iter().chain(ranges).chain(behind).collect()).unwrap();
        let new = match (case.field, case.scalars) {
            (Field::Goldilocks, _) => Layout::over::<Goldilocks>,
            (Field::P127, _) => Layout::of_large_integers,
            (_, true) => Layout::over::<P61>,
            _ => Layout::new,
        };
        let mut layout = new(case.rows, case.columns);
        for &masks in case.before {
            layout = layout.with_masks(masks).unwrap();
        }
        layout = {
            let masks = claims.masks(&layout) + case.more;
            layout.with_masks(masks).unwrap()
        };
        if case.behind {
            layout = layout.with_masks(1).unwrap();
        }
        let custom = custom(&layout);
        // Toys are too short to be near their mean.
        let params = custom.validate(Security::Waived).unwrap();
        let frobenius_squared = Some(params.largest_frobenius_squared());
        let params =
            CustomParams { frobenius_squared, ..custom }.validate(Security::Waived).unwrap();
        let slot = layout.slot(case.before.len() as u32).unwrap();
        let matrix = PublicMatrix::new(&params, [1; 32]);
        let source = match (case.field, case.scalars) {
            (Field::Goldilocks, _) => {
                let scalars = messages.scalars::<Goldilocks>();
                layout.witness_of_scalars(&matrix, &scalars, &[], &seed)
            }
            (_, true) => layout.witness_of_scalars(&matrix, &messages.scalars::<P61>(), &[], &seed),
            _ => layout.witness(&matrix, &messages.entries, &seed),
        };
        let source = source.unwrap();
        let mut entries = vec![0; params.v() as usize * params.l() as usize];
        source.read_columns(&params, 0, &mut entries).unwrap();
        let witness = Witness::new(&params, entries.clone()).unwrap();
        let mut file = Vec::new();
        let statement = matrix.commit(&witness, &mut file).unwrap();
        let prover = Prover::new(&matrix, &statement).unwrap().with_file(&file).reproducible();
        let proved = prover.prove_claims(CONTEXT, &slot, &claims, &witness, &seed).unwrap();
        assert!(proved.attempts > 0);
        let proof = proved.proof;
        let reference = of_reference(&slot, &claims);
        Self { params, matrix, statement, file, entries, slot, claims, reference, proof }
    }

    /// What both verifiers say.
    fn answers(&self, proof: &[u8]) -> [Answer; 2] {
        let verifier = Verifier::new(&self.matrix, &self.statement).unwrap();
        let (slot, claims) = (&self.slot, &self.claims);
        let real = verifier.with_file(&self.file).verify_claims(CONTEXT, slot, claims, proof);
        [Answer::of(&real), reference::verify(&self.file, CONTEXT, &self.reference, proof)]
    }
}

fn of_circuit<F: CircuitField>(claim: &CircuitClaim<F>) -> reference::Claim {
    let circuit = claim.known();
    reference::Claim::Circuit(reference::Circuit {
        secret: circuit.secret_wires() as usize,
        public: claim.public().iter().map(|x| x.value().into()).collect(),
        inputs: claim.inputs().iter().map(|&place| place as usize).collect(),
        first: claim.first() as usize,
        matrices: circuit.rows(),
    })
}

fn of_reference(slot: &Slot, claims: &Claims) -> reference::Claims {
    let claim = |claim: &Claim| match claim {
        Claim::Fact(Fact { kind: Kind::Sum { rows, columns, value } }) => reference::Claim::Sum {
            rows: rows.iter().map(|&(i, x)| (i as usize, x)).collect(),
            columns: columns.iter().map(|&(j, g)| (j as usize, g)).collect(),
            value: *value,
        },
        Claim::Fact(Fact { kind: Kind::Block { row, column, height, values } }) => {
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
        scalars: layout.has_scalars(),
        field: match (layout.is_over::<Goldilocks>(), layout.is_over::<P127>()) {
            (true, _) => Field::Goldilocks,
            (_, true) => Field::P127,
            _ => Field::P61,
        },
        rows: layout.rows() as usize,
        columns: layout.columns() as usize,
        masks: layout.masks().iter().map(|&masks| masks as usize).collect(),
        slot: slot.index() as usize,
        list: claims.claims().iter().map(claim).collect(),
    }
}

#[test]
fn honest_proofs_are_valid() {
    let wide = || Ranges::new(vec![range(0, 5, -8, 8), range(6, 2, -2, 0)]).unwrap();
    let exact = || {
        let norm = RowNorm { first_row: 30, rows: 3, bound_squared: 81, first_bit: 0, bits: 0 };
        Ranges::with_norms(vec![], vec![norm]).unwrap()
    };
    let cases = [
        (29, None, Case::new(9, 5, vec![], SUM)),
        (40, Some(0), Case::new(9, 700, vec![], SEVERAL)),
        (64, Some(9), Case::new(20, 9, vec![], SEVERAL).second()),
        (29, Some(0), Case::new(9, 5, vec![bits_and_trits()], NONE)),
        (40, None, Case::new(8, 17, vec![two_norms()], NONE)),
        (64, None, Case::new(60, 8, vec![one_norm()], NONE).second()),
        (36, None, Case::new(70, 256, vec![wide()], NONE)),
        (36, Some(3), Case::new(50, 1, vec![Ranges::new(vec![range(49, 1, 0, 1)]).unwrap()], NONE)),
        (36, None, Case::new(40, 10, vec![wide(), exact()], SUM).second()),
        (64, Some(0), Case::new(100, 600, vec![two_norms()], SEVERAL).second()),
        (40, None, Case::new(60, 8, vec![one_norm()], CIRCUITS)),
        (36, None, Case::of_scalars(7, 11, CIRCUITS)),
        (48, Some(0), Case::of_scalars(31, 9, CIRCUITS).second()),
        (64, Some(9), Case::of_scalars(15, 5, SUM).second()),
        (41, None, Case::of_scalars(1, 300, CIRCUITS)),
        (36, None, Case::of_goldilocks(7, 11)),
        (64, Some(0), Case::of_goldilocks(15, 9).second()),
        (29, None, Case::new(9, 5, vec![bits_and_trits()], SUM).over_p127()),
        (36, None, Case::new(40, 10, vec![wide(), exact()], SUM).second().over_p127()),
        (64, Some(0), Case::new(100, 300, vec![two_norms()], SEVERAL).second().over_p127()),
        (36, None, Case::new(11, 9, vec![secrets()], RELATIONS)),
        (36, Some(0), Case::new(8, 300, vec![secrets()], RELATIONS).second()),
    ];
    let check = |w: u32, round_t: Option<u32>, case: &Case, seed: u8| {
        let custom = |layout: &Layout| CustomParams { round_t, ..toy(w, layout) };
        let toy = Toy::new(case, seed, custom);
        let s: Vec<i128> = toy.entries.iter().map(|&s| s.into()).collect();
        assert!(compact::commit(&toy.file[..256], None, &s) == toy.file);
        assert_eq!(toy.answers(&toy.proof), [Answer::Valid; 2], "{:?}", toy.claims);
        assert!(toy.proof.len() as u64 <= toy.params.max_argument_bytes());
        let read = ArgumentProof::claims(&toy.proof, &toy.params).unwrap();
        assert_eq!(read, (toy.slot, toy.claims));
    };
    for (seed, (w, round_t, case)) in (0..).zip(&cases) {
        check(*w, *round_t, case, seed);
    }
}

/// Altered bits, and files cut and extended.
fn verdicts_agree(w: u32, case: &Case) {
    let toy = Toy::new(case, 4, |layout| toy(w, layout));
    let mut counts = [0; 3];
    let mut compare = |proof: &[u8], place: usize| {
        let [real, expected] = toy.answers(proof);
        assert_eq!(real, expected, "{place}");
        counts[real as usize] += 1;
    };
    compare(&toy.proof, 0);
    let claim = u32::from_le_bytes(*toy.proof[56..].first_chunk().unwrap()) as usize;
    let first = 8 * (60 + claim);
    let sent = toy.claims.sent(toy.slot.layout()) + 2 * toy.slot.layout().rounds() + 1;
    let bits = 8 * toy.slot.layout().element_len();
    let end = first + bits * (sent + toy.params.l() as usize);
    // Of every element many bits, as 7 and 35 are no divisors of 192 and 256. The response behind
    // them has the same code in proofs of knowledge, whose tests alter each of its bits.
    let full = std::env::var_os("TAUTOCHRONE_TESTS").is_some_and(|value| value == "full");
    let step = if full { 7 } else { 35 };
    for bit in (0..end).step_by(step).chain((end..8 * toy.proof.len()).step_by(35)) {
        let mut altered = toy.proof.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        compare(&altered, bit);
    }
    let with_length = |mut file: Vec<u8>| {
        if file.len() >= 24 {
            let len = file.len() as u64;
            file[16..24].copy_from_slice(&len.to_le_bytes());
        }
        file
    };
    let ends = [23, 24, 55, 56, 59, 60, first / 8 - 1, first / 8, end / 8 - 1, end / 8];
    for len in (0..toy.proof.len()).step_by(step).chain(ends).chain([toy.proof.len() - 1]) {
        compare(&toy.proof[..len], len);
        compare(&with_length(toy.proof[..len].to_vec()), len);
    }
    for extra in [1, 2, 10_000] {
        let longer = [&toy.proof[..], &vec![0; extra]].concat();
        compare(&longer, extra);
        compare(&with_length(longer), extra);
    }
    assert_eq!(counts[Answer::Valid as usize], 1);
    assert!(counts.iter().skip(1).all(|&count| count > 100), "{counts:?}");
}

#[test]
fn verdicts_of_facts_are_those_of_the_reference() {
    verdicts_agree(29, &Case::new(9, 5, vec![], SEVERAL));
}

#[test]
fn verdicts_of_norms_are_those_of_the_reference() {
    verdicts_agree(36, &Case::new(70, 3, vec![two_norms()], SUM_OF_THREE).second());
}

#[test]
fn verdicts_of_circuits_are_those_of_the_reference() {
    verdicts_agree(36, &Case::of_scalars(7, 5, CIRCUITS).second());
}

#[test]
fn verdicts_over_goldilocks_are_those_of_the_reference() {
    verdicts_agree(36, &Case::of_goldilocks(7, 5).second());
}

#[test]
fn verdicts_over_p127_are_those_of_the_reference() {
    verdicts_agree(36, &Case::new(9, 3, vec![bits_and_trits(), two_norms()], NONE).over_p127());
}

#[test]
fn verdicts_of_relations_are_those_of_the_reference() {
    verdicts_agree(29, &Case::new(8, 5, vec![secrets()], RELATIONS));
}
