//! Proofs about circuits: both sum-checks by their definition, over whole tables.

pub(crate) mod inputs;

use super::argument::{
    Argument, Chain, Element, ONE, P, ZERO, add, chained, dot, encode, eq, interpolate,
    message_weights, minus, multiply, power, scale, variables,
};
use super::*;

/// The claim: a circuit by its coefficients, wire 0 being 1, and its public inputs.
#[derive(Clone)]
pub(crate) struct Claim {
    /// Elements of F in a column.
    pub(crate) elements: usize,
    pub(crate) secret: usize,
    /// Columns that were committed before, and which of their elements the first wires are.
    pub(crate) committed: usize,
    pub(crate) inputs: Vec<usize>,
    /// Whose pads are used, of `slots`.
    pub(crate) slot: usize,
    pub(crate) slots: usize,
    pub(crate) public: Vec<i128>,
    /// Rows of A, B and C.
    pub(crate) matrices: [Vec<Vec<(usize, i128)>>; 3],
}

impl Claim {
    fn constraints(&self) -> usize {
        self.matrices[0].len()
    }

    fn digest(&self) -> Digest {
        let number = |number: usize| (number as u64).to_le_bytes().to_vec();
        let mut fields =
            vec![number(self.public.len()), number(self.secret), number(self.constraints())];
        for matrix in &self.matrices {
            let (mut ends, mut entries) = (Vec::new(), Vec::new());
            for row in matrix {
                for &(wire, x) in row {
                    entries.extend((wire as u32).to_le_bytes());
                    entries.extend((x as u64).to_le_bytes());
                }
                ends.extend(number(entries.len() / 12));
            }
            fields.extend([number(entries.len() / 12), ends, entries]);
        }
        chained("circuit", &fields.iter().map(|field| &field[..]).collect::<Vec<_>>())
    }

    /// mu_x, mu_1 and mu_2 for l columns.
    fn variables(&self, l: usize) -> [usize; 3] {
        [variables(self.constraints() + 3), variables(self.elements + 1), variables(l)]
    }

    /// The places of the table of wires, and what stands in them that is not secret: M z is the
    /// first times the table plus the second.
    fn rows(&self, matrix: usize, l: usize) -> Vec<(Vec<(usize, i128)>, i128)> {
        let height = self.elements + 1;
        let place = |k: usize| {
            let new = || self.committed * self.elements + k - self.inputs.len();
            let element = self.inputs.get(k).copied().unwrap_or_else(new);
            element % self.elements + height * (element / self.elements)
        };
        // New columns mask.
        let beta = |k: usize| self.elements + height * (self.committed + k);
        let mut rows: Vec<_> = self.matrices[matrix]
            .iter()
            .map(|row| {
                let (mut places, mut sum) = (Vec::new(), 0);
                for &(wire, x) in row {
                    match wire.checked_sub(1 + self.public.len()) {
                        Some(k) => places.push((place(k), x)),
                        None if wire == 0 => sum += x,
                        None => sum += x * self.public[wire - 1] % P,
                    }
                }
                (places, sum)
            })
            .collect();
        rows.extend(match matrix {
            0 => [(vec![(beta(0), 1)], 0), (vec![], 0), (vec![(beta(2), 1)], 0)],
            1 => [(vec![], 0), (vec![(beta(1), 1)], 0), (vec![], 1)],
            _ => [(vec![], 0), (vec![], 0), (vec![(beta(2), 1)], 0)],
        });
        assert!(beta(2) < height * l);
        rows
    }

    fn start(&self, file: &File<'_>) -> Chain {
        let number = |number: usize| (number as u64).to_le_bytes().to_vec();
        let public: Vec<u8> = self.public.iter().flat_map(|&x| (x as u64).to_le_bytes()).collect();
        let mut fields = vec![number(8 * self.elements + 72 * self.slot), number(2)];
        if self.committed == 0 {
            fields.push(number(7));
        } else {
            let inputs = self.inputs.iter().flat_map(|&input| number(input)).collect();
            fields.extend([number(8), number(self.committed), inputs]);
        }
        let circuit = self.digest().as_bytes().to_vec();
        fields.extend([number(self.elements), number(99), circuit, public]);
        file.begin(&fields)
    }

    fn magic(&self) -> &'static [u8] {
        if self.committed == 0 { b"TCZKcrc\0" } else { b"TCZKcci\0" }
    }

    /// The rows of kappa, gamma or beta with their weights.
    fn pad(&self, which: usize) -> impl Iterator<Item = (usize, Element)> {
        let first = 8 * self.elements + 72 * self.slot + 24 * which;
        (0..24).map(move |i| {
            let mut weight = ZERO;
            weight[i / 8] = 199_i128.pow((i % 8) as u32);
            (first + i, weight)
        })
    }

    fn pads(&self, s: &[i128], v: usize, which: usize) -> Vec<Element> {
        let value = |s: &[i128]| {
            self.pad(which).fold(ZERO, |sum, (row, weight)| add(sum, scale(weight, s[row])))
        };
        s.chunks(v).map(value).collect()
    }
}

/// What both sides know in the end.
struct Points {
    tau: Vec<Element>,
    x: Vec<Element>,
    alpha: Element,
    z: Vec<Element>,
}

/// The messages of a sum-check of f, of degree e, over some tables, which are bound.
pub(super) fn sum_check<const N: usize>(
    chain: &mut Chain,
    labels: [&str; 2],
    e: usize,
    tables: &mut [Vec<Element>; N],
    f: impl Fn([Element; N]) -> Element,
    gamma: &mut &[Element],
) -> (Vec<Element>, Vec<Element>) {
    let (mut r, mut messages) = (Vec::new(), Vec::new());
    let line = |pair: &[Element], x: Element| add(pair[0], multiply(x, minus(pair[1], pair[0])));
    while tables[0].len() > 1 {
        let at = |x: i128| {
            let mut sum = ZERO;
            for i in 0..tables[0].len() / 2 {
                let values = tables.each_ref().map(|table| line(&table[2 * i..], [x, 0, 0]));
                sum = add(sum, f(values));
            }
            sum
        };
        let polynomial = interpolate(&(0..=e as i128).map(at).collect::<Vec<_>>());
        let mut sent = Vec::new();
        for (degree, coefficient) in polynomial.into_iter().enumerate() {
            if degree != 1 {
                sent.push(add(coefficient, gamma[0]));
                *gamma = &gamma[1..];
            }
        }
        chain.absorb(labels[0], &sent);
        messages.extend(sent);
        let x = chain.challenge(labels[1]);
        r.push(x);
        for table in tables.iter_mut() {
            *table = table.chunks(2).map(|pair| line(pair, x)).collect();
        }
    }
    (r, messages)
}

const OUTER: [&str; 2] = ["constraint round", "r_x"];
const INNER: [&str; 2] = ["wire round", "r_z"];

impl File<'_> {
    /// M~(r_x, .) over the cube, for M = A + alpha B + alpha^2 C, and its public part times the
    /// public inputs.
    fn bound(&self, claim: &Claim, points: &Points) -> (Vec<Element>, Element) {
        let [_, mu1, mu2] = claim.variables(self.l);
        let (mut table, mut known) = (vec![ZERO; 1 << (mu1 + mu2)], ZERO);
        for matrix in 0..3 {
            for (i, (places, sum)) in claim.rows(matrix, self.l).into_iter().enumerate() {
                let weight = multiply(eq(&points.x, i), power(points.alpha, matrix));
                for (place, x) in places {
                    table[place] = add(table[place], scale(weight, x));
                }
                known = add(known, scale(weight, sum));
            }
        }
        (table, known)
    }

    fn circuit_weights(&self, points: &Points, chi: Element) -> Vec<Element> {
        let of_wires = message_weights(&points.z, 2).into_iter().map(|x| multiply(x, chi));
        let mut weights = message_weights(&points.x, 3);
        weights.extend(of_wires);
        weights.resize(self.l, ZERO);
        weights
    }

    fn circuit_form(&self, claim: &Claim, points: &Points, rho: Element) -> Vec<(usize, Element)> {
        let [_, mu1, _] = claim.variables(self.l);
        let row = |i: usize| multiply(rho, eq(&points.z[..mu1], i));
        let mut form = Vec::new();
        for i in 0..claim.elements {
            form.extend((0..8).map(|d| (8 * i + d, scale(row(i), 199_i128.pow(d as u32)))));
        }
        let square = multiply(rho, rho);
        for (which, factor) in [(0, ONE), (1, square), (2, row(claim.elements))] {
            form.extend(claim.pad(which).map(|(row, x)| (row, multiply(factor, x))));
        }
        form
    }

    fn circuit_proof(
        &self,
        claim: &Claim,
        elements: &[Element],
        digest: &Digest,
        challenge_hash: &Digest,
        response: [&[i128]; 2],
    ) -> Vec<u8> {
        let start = claim.start(self).state;
        let between = [start.as_bytes(), self.new_columns(claim), &encode(elements)[..]].concat();
        self.proof_file(claim.magic(), &between, digest, challenge_hash, response)
    }

    /// T of the columns that a proof brings with it.
    fn new_columns(&self, claim: &Claim) -> &[u8] {
        let first = if claim.committed == 0 { self.l } else { claim.committed };
        &self.bytes[256 + first * self.column_bytes()..]
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
    let [mu_x, mu1, mu2] = claim.variables(file.l);
    let pads = [0, 1, 2].map(|which| claim.pads(s, file.v, which));
    let [kappa, gamma, beta] = &pads;
    // The table of wires.
    let mut z = vec![ZERO; 1 << (mu1 + mu2)];
    for (j, s) in s.chunks(file.v).enumerate() {
        for i in 0..claim.elements {
            let digits = s[8 * i..8 * i + 8].iter().rev();
            let value = digits.fold(0, |sum, digit| (199 * sum + digit).rem_euclid(P));
            z[i + (j << mu1)] = [value, 0, 0];
        }
        z[claim.elements + (j << mu1)] = beta[j];
    }
    let product = |matrix: usize| -> Vec<Element> {
        let mut table: Vec<Element> = claim
            .rows(matrix, file.l)
            .into_iter()
            .map(|(places, sum)| {
                let terms = places.into_iter().map(|(place, x)| scale(z[place], x));
                terms.fold([sum.rem_euclid(P), 0, 0], add)
            })
            .collect();
        table.resize(1 << mu_x, ZERO);
        table
    };
    let mut chain = claim.start(&file);
    let tau: Vec<Element> = (0..mu_x).map(|_| chain.challenge("tau")).collect();
    let of_tau = (0..1 << mu_x).map(|i| eq(&tau, i)).collect();
    let mut tables = [of_tau, product(0), product(1), product(2)];
    let mut rest = &gamma[claim.committed..];
    let outer = |[e, a, b, c]: [Element; 4]| multiply(e, minus(multiply(a, b), c));
    let (x, mut elements) = sum_check(&mut chain, OUTER, 3, &mut tables, outer, &mut rest);
    let products = [tables[1][0], tables[2][0], tables[3][0]];
    chain.absorb("products", &products);
    elements.extend(products);
    let mut points = Points { tau, x, alpha: chain.challenge("alpha"), z: Vec::new() };
    let mut tables = [file.bound(claim, &points).0, z.clone()];
    let inner = |[m, z]: [Element; 2]| multiply(m, z);
    let (r, messages) = sum_check(&mut chain, INNER, 2, &mut tables, inner, &mut rest);
    points.z = r;
    let v = tables[1][0];
    elements.extend(messages);
    elements.push(v);
    chain.absorb("value", &[v]);
    let chi = chain.challenge("chi");
    let w = file.circuit_weights(&points, chi);
    let places: Vec<Element> = (0..file.l).map(|j| eq(&points.z[mu1..], j)).collect();
    let image = |j: usize| {
        let column = &z[j << mu1..(j + 1) << mu1];
        let terms = column.iter().enumerate().map(|(i, &x)| multiply(eq(&points.z[..mu1], i), x));
        terms.fold(ZERO, add)
    };
    let images: Vec<Element> = (0..file.l).map(image).collect();
    assert_eq!(dot(&places, &images), v);
    let weighted = |x: &[Element]| dot(&w, &x[claim.committed..]);
    let ends = [weighted(&images), dot(&places, gamma), weighted(kappa), dot(&places, kappa)];
    chain.absorb("ends", &ends);
    elements.extend(ends);
    let rho = chain.challenge("rho");
    let form = file.circuit_form(claim, &points, rho);
    let value =
        |s: &[i128]| form.iter().fold(ZERO, |sum, &(row, weight)| add(sum, scale(weight, s[row])));
    let y: Vec<Element> = s.chunks(file.v).map(value).collect();
    chain.absorb("values", &y);
    elements.extend(&y);
    let argument = Argument { state: chain.state, form };
    let (digest, challenge_hash, z, hints) = file.respond(s, context, seed, Some(&argument));
    file.circuit_proof(claim, &elements, &digest, &challenge_hash, [&z, &hints])
}

/// The checks of docs/format.md.
pub(crate) fn verify(file: &[u8], context: &[u8], claim: &Claim, proof: &[u8]) -> Answer {
    let file = File::new(file, None);
    let digest = file.digest(context);
    let [mu_x, mu1, mu2] = claim.variables(file.l);
    let mu_z = mu1 + mu2;
    let longest = 24 + 32 + 24 * (3 * 27 + 2 * 51 + 8 + file.l) + 64;
    let new = file.new_columns(claim).len();
    if is_malformed(claim.magic(), longest + new + file.longest_body(), proof) {
        return Answer::Malformed;
    }
    let count = 3 * mu_x + 2 * mu_z + 8 + file.l;
    let Some((between, body)) = proof[24..].split_at_checked(32 + new + 24 * count) else {
        return Answer::Invalid;
    };
    let element = |bytes: &[u8]| [0, 8, 16].map(|at| number(&bytes[at..at + 8]) as i128);
    let elements: Vec<Element> = between[32 + new..].chunks(24).map(element).collect();
    let reduced = elements.iter().flatten().all(|&word| word < P);
    let decoded = file.decode(body, &digest).filter(|(hash, z, hints)| {
        reduced && file.circuit_proof(claim, &elements, &digest, hash, [z, hints]) == proof
    });
    let Some((challenge_hash, z, hints)) = decoded else { return Answer::Invalid };
    let (outer, rest) = elements.split_at(3 * mu_x);
    let (products, rest) = rest.split_at(3);
    let (inner, rest) = rest.split_at(2 * mu_z);
    let (v, rest) = (rest[0], &rest[1..]);
    let (ends, y) = rest.split_at(4);
    let mut chain = claim.start(&file);
    let tau: Vec<Element> = (0..mu_x).map(|_| chain.challenge("tau")).collect();
    let round = |chain: &mut Chain, messages: &[Element], labels: [&str; 2]| {
        chain.absorb(labels[0], messages);
        chain.challenge(labels[1])
    };
    let x = outer.chunks(3).map(|messages| round(&mut chain, messages, OUTER)).collect();
    chain.absorb("products", products);
    let alpha = chain.challenge("alpha");
    let r = inner.chunks(2).map(|messages| round(&mut chain, messages, INNER)).collect();
    let points = Points { tau, x, alpha, z: r };
    chain.absorb("value", &[v]);
    let chi = chain.challenge("chi");
    chain.absorb("ends", ends);
    let rho = chain.challenge("rho");
    chain.absorb("values", y);
    let w = file.circuit_weights(&points, chi);
    let (table, known) = file.bound(claim, &points);
    let at_r = table.iter().enumerate().map(|(i, &x)| multiply(eq(&points.z, i), x));
    let at_r = at_r.fold(ZERO, add);
    let both = points.tau.iter().zip(&points.x);
    let both = both.map(|(&x, &y)| add(multiply(x, y), multiply(minus(ONE, x), minus(ONE, y))));
    let gate = minus(multiply(products[0], products[1]), products[2]);
    let outer_claim = multiply(both.fold(ONE, multiply), gate);
    let combined = (0..3).fold(ZERO, |sum, i| add(sum, multiply(products[i], power(alpha, i))));
    let first = points.z.iter().copied().fold(minus(combined, known), multiply);
    let inner_claim = minus(multiply(at_r, v), first);
    let messages = dot(&w, &[outer, inner].concat());
    let lambda = minus(minus(messages, outer_claim), multiply(chi, inner_claim));
    let &[x1, x2, y1, y2] = ends else { unreachable!("four") };
    let places: Vec<Element> = (0..file.l).map(|j| eq(&points.z[mu1..], j)).collect();
    let horner = |x: [Element; 3]| add(x[0], multiply(rho, add(x[1], multiply(rho, x[2]))));
    let equations = dot(&places, y) == horner([y2, v, x2])
        && dot(&w, &y[claim.committed..]) == horner([y1, x1, lambda]);
    let Some(high) = file.w_high(&z, &hints, &challenge_hash).filter(|_| equations) else {
        return Answer::Invalid;
    };
    let form = file.circuit_form(claim, &points, rho);
    let argument = Argument { state: chain.state, form };
    let images = argument.images(&z, file.v - file.r);
    file.answer([&digest, &challenge_hash], &high, &argument, images, y)
}
