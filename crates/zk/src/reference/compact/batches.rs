//! Proofs of several facts: the sum-check by its definition, over the whole table.

use super::circuits::{sum_check, variables};
use super::facts::{Argument, Chain, Element, P, Sum, add, encode, multiply, pad, scale};
use super::ranges::{ONE, dot, eq, minus, power, value};
use super::*;

const ZERO: Element = [0; 3];
const LABELS: [&str; 2] = ["round", "r"];

/// A fact: a sum, whose first row does not count, or the values of a block.
#[derive(Clone)]
pub(crate) enum Fact {
    Sum(Sum),
    Block { row: usize, column: usize, height: usize, values: Vec<i64> },
}

/// The facts, and where their pads begin.
#[derive(Clone)]
pub(crate) struct Claim {
    pub(crate) first_row: usize,
    pub(crate) facts: Vec<Fact>,
}

/// Weights of rows and of columns, and the value.
type Equation = (Vec<(usize, Element)>, Vec<(usize, Element)>, Element);

fn integer(x: i64) -> Element {
    [i128::from(x).rem_euclid(P), 0, 0]
}

impl Fact {
    fn rows(&self) -> usize {
        match self {
            Self::Sum(sum) => sum.rows.last().unwrap().0 + 1,
            Self::Block { row, height, .. } => row + height,
        }
    }

    fn fields(&self) -> Vec<Vec<u8>> {
        let number = |number: usize| (number as u64).to_le_bytes().to_vec();
        match self {
            Self::Sum(sum) => sum.fields(),
            Self::Block { row, column, height, values } => {
                let values = values.iter().flat_map(|value| value.to_le_bytes()).collect();
                vec![number(2), number(*row), number(*column), number(*height), values]
            }
        }
    }

    fn equation(&self, chain: &mut Chain) -> Equation {
        match self {
            Self::Sum(sum) => {
                let of = |pairs: &[(usize, i64)]| {
                    pairs.iter().map(|&(at, x)| (at, integer(x))).collect()
                };
                (of(&sum.rows), of(&sum.columns), integer(sum.value))
            }
            Self::Block { row, column, height, values } => {
                let x = chain.challenge("rows");
                let y = chain.challenge("columns");
                let mut sum = ZERO;
                for (at, &value) in values.iter().enumerate() {
                    let weight = multiply(power(x, at % height), power(y, at / height));
                    sum = add(sum, scale(weight, value.into()));
                }
                let rows = (0..*height).map(|i| (row + i, power(x, i))).collect();
                let width = values.len() / height;
                (rows, (0..width).map(|j| (column + j, power(y, j))).collect(), sum)
            }
        }
    }
}

impl Claim {
    fn rows(&self) -> usize {
        self.facts.iter().map(Fact::rows).max().unwrap()
    }

    fn start(&self, file: &File<'_>) -> Chain {
        let number = |number: usize| (number as u64).to_le_bytes().to_vec();
        let mut fields =
            vec![number(self.first_row), number(2), number(9), number(self.facts.len())];
        fields.extend(self.facts.iter().flat_map(Fact::fields));
        file.begin(&fields)
    }

    /// W over the cube, and c_0.
    fn weights(&self, chain: &mut Chain, [mu1, mu2]: [usize; 2]) -> (Vec<Element>, Element) {
        let equations: Vec<Equation> = self.facts.iter().map(|fact| fact.equation(chain)).collect();
        let eta = chain.challenge("eta");
        let (mut table, mut sum) = (vec![ZERO; 1 << (mu1 + mu2)], ZERO);
        for (k, (rows, columns, value)) in equations.into_iter().enumerate() {
            let factor = power(eta, k);
            for &(i, x) in &rows {
                for &(j, y) in &columns {
                    let place = &mut table[i + (j << mu1)];
                    *place = add(*place, multiply(factor, multiply(x, y)));
                }
            }
            sum = add(sum, multiply(factor, value));
        }
        (table, sum)
    }

    fn form(&self, r: &[Element], rho: Element) -> Vec<(usize, Element)> {
        let rows = self.rows();
        let mut form: Vec<_> = (0..rows).map(|a| (a, multiply(rho, eq(r, a)))).collect();
        form.extend(pad(self.first_row));
        let factors = [multiply(rho, rho), multiply(rho, eq(r, rows))];
        for (k, factor) in (1..).zip(factors) {
            let pads = pad(self.first_row + 81 * k);
            form.extend(pads.map(|(row, x)| (row, multiply(factor, x))));
        }
        form
    }
}

impl File<'_> {
    fn variables_of(&self, claim: &Claim) -> [usize; 2] {
        [variables(claim.rows() + 1), variables(self.l)]
    }

    fn facts_weights(&self, r: &[Element]) -> Vec<Element> {
        let mut weights = Vec::new();
        for (t, &x) in r.iter().enumerate() {
            let tail = r[t + 1..].iter().copied().fold(ONE, multiply);
            weights.push(multiply(tail, minus(minus(ONE, x), x)));
            weights.push(multiply(tail, minus(multiply(x, x), x)));
        }
        weights.resize(self.l, ZERO);
        weights
    }

    fn facts_proof(
        &self,
        claim: &Claim,
        elements: &[Element],
        digest: &Digest,
        challenge_hash: &Digest,
        response: [&[i128]; 2],
    ) -> Vec<u8> {
        let between = [claim.start(self).state.as_bytes(), &encode(elements)[..]].concat();
        self.proof_file(b"TCZKfcs\0", &between, digest, challenge_hash, response)
    }
}

/// The file that a reproducible prover writes.
pub(crate) fn prove(
    file: &[u8],
    s: &[i128],
    context: &[u8],
    claim: &Claim,
    seed: &[u8; 32],
) -> Vec<u8> {
    let file = File::new(file, None);
    let [mu1, mu2] = file.variables_of(claim);
    let pads = [0, 1, 2].map(|k| -> Vec<Element> {
        s.chunks(file.v).map(|s| value(s, claim.first_row + 81 * k, 3)).collect()
    });
    let [kappa, gamma, beta] = &pads;
    let mut table = vec![ZERO; 1 << (mu1 + mu2)];
    for (j, s) in s.chunks(file.v).enumerate() {
        for a in 0..claim.rows() {
            table[a + (j << mu1)] = [s[a].rem_euclid(P), 0, 0];
        }
        table[claim.rows() + (j << mu1)] = beta[j];
    }
    let mut chain = claim.start(&file);
    let (weights, _) = claim.weights(&mut chain, [mu1, mu2]);
    let mut tables = [weights, table.clone()];
    let product = |[weight, x]: [Element; 2]| multiply(weight, x);
    let mut rest = &gamma[..];
    let (r, mut elements) = sum_check(&mut chain, LABELS, 2, &mut tables, product, &mut rest);
    let places: Vec<Element> = (0..file.l).map(|j| eq(&r[mu1..], j)).collect();
    let image = |j: usize| {
        let column = table[j << mu1..(j + 1) << mu1].iter().enumerate();
        column.fold(ZERO, |sum, (a, &x)| add(sum, multiply(eq(&r[..mu1], a), x)))
    };
    let images: Vec<Element> = (0..file.l).map(image).collect();
    let (w, v) = (file.facts_weights(&r), tables[1][0]);
    assert_eq!(dot(&places, &images), v);
    let ends = [v, dot(&w, &images), dot(&places, gamma), dot(&w, kappa), dot(&places, kappa)];
    chain.absorb("ends", &ends);
    let rho = chain.challenge("rho");
    let form = claim.form(&r[..mu1], rho);
    let of_column =
        |s: &[i128]| form.iter().fold(ZERO, |sum, &(row, weight)| add(sum, scale(weight, s[row])));
    let y: Vec<Element> = s.chunks(file.v).map(of_column).collect();
    chain.absorb("values", &y);
    elements.extend(ends.iter().chain(&y));
    let argument = Argument { state: chain.state, form };
    let (digest, challenge_hash, z, hints) = file.respond(s, context, seed, Some(&argument));
    file.facts_proof(claim, &elements, &digest, &challenge_hash, [&z, &hints])
}

/// The checks of docs/format.md.
pub(crate) fn verify(file: &[u8], context: &[u8], claim: &Claim, proof: &[u8]) -> Answer {
    let file = File::new(file, None);
    let digest = file.digest(context);
    let [mu1, mu2] = file.variables_of(claim);
    let longest = 24 + 32 + 24 * (2 * 51 + 5 + file.l) + 64;
    if is_malformed(b"TCZKfcs\0", longest + file.longest_body(), proof) {
        return Answer::Malformed;
    }
    let count = 2 * (mu1 + mu2) + 5 + file.l;
    let Some((between, body)) = proof[24..].split_at_checked(32 + 24 * count) else {
        return Answer::Invalid;
    };
    let element = |bytes: &[u8]| [0, 8, 16].map(|at| number(&bytes[at..at + 8]) as i128);
    let elements: Vec<Element> = between[32..].chunks(24).map(element).collect();
    let reduced = elements.iter().flatten().all(|&word| word < P);
    let decoded = file.decode(body, &digest).filter(|(hash, z, hints)| {
        reduced && file.facts_proof(claim, &elements, &digest, hash, [z, hints]) == proof
    });
    let Some((challenge_hash, z, hints)) = decoded else { return Answer::Invalid };
    let (messages, rest) = elements.split_at(2 * (mu1 + mu2));
    let (ends, y) = rest.split_at(5);
    let mut chain = claim.start(&file);
    let (weights, first) = claim.weights(&mut chain, [mu1, mu2]);
    let mut r = Vec::new();
    for messages in messages.chunks(2) {
        chain.absorb(LABELS[0], messages);
        r.push(chain.challenge(LABELS[1]));
    }
    chain.absorb("ends", ends);
    let rho = chain.challenge("rho");
    chain.absorb("values", y);
    let &[v, x1, x2, y1, y2] = ends else { unreachable!("five") };
    let w = file.facts_weights(&r);
    let places: Vec<Element> = (0..file.l).map(|j| eq(&r[mu1..], j)).collect();
    let at_r = weights.iter().enumerate().map(|(i, &x)| multiply(eq(&r, i), x)).fold(ZERO, add);
    let first = r.iter().copied().fold(first, multiply);
    let lambda = minus(add(dot(&w, messages), first), multiply(at_r, v));
    let horner = |x: [Element; 3]| add(x[0], multiply(rho, add(x[1], multiply(rho, x[2]))));
    let equations =
        dot(&places, y) == horner([y2, v, x2]) && dot(&w, y) == horner([y1, x1, lambda]);
    let Some(high) = file.w_high(&z, &hints, &challenge_hash).filter(|_| equations) else {
        return Answer::Invalid;
    };
    let form = claim.form(&r[..mu1], rho);
    let argument = Argument { state: chain.state, form };
    let images = argument.images(&z, file.v - file.r);
    file.answer([&digest, &challenge_hash], &high, &argument, images, y)
}
