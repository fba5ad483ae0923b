//! Proofs of ranges and norms: the sum-check by its definition, over the whole table.

use super::facts::{Chain, Element, P, add, encode, multiply, pad, scale};
use super::*;

pub(super) const ONE: Element = [1, 0, 0];

pub(super) fn minus(x: Element, y: Element) -> Element {
    add(x, scale(y, -1))
}

pub(super) fn power(x: Element, exponent: usize) -> Element {
    (0..exponent).fold(ONE, |y, _| multiply(y, x))
}

/// 1 / x of a rational number, by Fermat.
fn inverse(x: i128) -> i128 {
    let (mut result, mut square, mut rest) = (1, x.rem_euclid(P), P - 2);
    while rest > 0 {
        if rest % 2 == 1 {
            result = result * square % P;
        }
        (square, rest) = (square * square % P, rest / 2);
    }
    result
}

/// eq(r, i).
pub(super) fn eq(r: &[Element], i: usize) -> Element {
    let factor = |(t, &r): (usize, &Element)| if i >> t & 1 == 1 { r } else { minus(ONE, r) };
    r.iter().enumerate().map(factor).fold(ONE, multiply)
}

/// prod of x - i.
pub(super) fn product(x: Element, (low, high): (i32, i32)) -> Element {
    (low..=high).fold(ONE, |y, i| multiply(y, minus(x, [i128::from(i).rem_euclid(P), 0, 0])))
}

/// The coefficients of the polynomial of degree e with these values at 0, .., e.
pub(super) fn interpolate(values: &[Element]) -> Vec<Element> {
    let mut sum = vec![[0; 3]; values.len()];
    for (x, &value) in (0..).zip(values) {
        let mut basis = vec![1];
        let mut denominator = 1;
        for y in (0..values.len() as i128).filter(|&y| y != x) {
            let times_x = [&[0], &basis[..]].concat();
            let times_y = basis.iter().map(|c| -y * c).chain([0]);
            basis = times_x.iter().zip(times_y).map(|(a, b)| (a + b).rem_euclid(P)).collect();
            denominator = (denominator * (x - y)).rem_euclid(P);
        }
        for (sum, basis) in sum.iter_mut().zip(basis) {
            *sum = add(*sum, scale(value, basis * inverse(denominator) % P));
        }
    }
    sum
}

/// The squared norm of rows of every column with bits in other rows.
#[derive(Clone)]
pub(crate) struct Norm {
    /// First row and rows, of entries and of bits.
    pub(crate) squared: (usize, usize),
    pub(crate) bits: (usize, usize),
    pub(crate) bound: u64,
}

/// The claim, and where its pads begin.
#[derive(Clone)]
pub(crate) struct Claim {
    pub(crate) first_row: usize,
    /// First row, rows, least and largest entry.
    pub(crate) parts: Vec<(usize, usize, (i32, i32))>,
    pub(crate) norms: Vec<Norm>,
}

/// A polynomial in an entry.
#[derive(Clone, Copy)]
enum Polynomial {
    Range((i32, i32)),
    Square,
    Entry,
}

impl Polynomial {
    fn at(self, x: Element) -> Element {
        match self {
            Self::Range(range) => product(x, range),
            Self::Square => multiply(x, x),
            Self::Entry => x,
        }
    }
}

/// Weights of rows of the table.
type Weights = Vec<(usize, Element)>;

impl Claim {
    /// The row of S for each row of the table.
    fn rows(&self) -> Vec<usize> {
        let of_parts = self.parts.iter().map(|&(first, rows, _)| (first, rows));
        let of_norms = self.norms.iter().flat_map(|norm| [norm.squared, norm.bits]);
        let rows = of_parts.chain(of_norms).flat_map(|(first, rows)| first..first + rows);
        rows.collect::<std::collections::BTreeSet<usize>>().into_iter().collect()
    }

    /// Polynomials, and what they count in rows of the table but for eq(tau_2, j).
    fn terms(&self, tau1: &[Element], eta: Element) -> Vec<(Polynomial, Weights)> {
        let rows = self.rows();
        let place = |row: usize| rows.iter().position(|&other| other == row).unwrap();
        let of_part = |&(first, rows, range): &(usize, usize, (i32, i32))| {
            let weights = (first..first + rows).map(|row| (place(row), eq(tau1, place(row))));
            (Polynomial::Range(range), weights.collect())
        };
        let mut terms: Vec<_> = self.parts.iter().map(of_part).collect();
        for (k, norm) in self.norms.iter().enumerate() {
            let weight = power(eta, k + 1);
            let (first, rows) = norm.squared;
            let squares = (first..first + rows).map(|row| (place(row), weight)).collect();
            let (first, rows) = norm.bits;
            let bit = |d: usize| (place(first + d), scale(weight, 1 << d));
            terms.push((Polynomial::Square, squares));
            terms.push((Polynomial::Entry, (0..rows).map(bit).collect()));
        }
        terms
    }

    /// c_0.
    fn first_claim(&self, tau2: &[Element], eta: Element, l: usize) -> Element {
        let of_norm = |(k, norm): (usize, &Norm)| scale(power(eta, k + 1), norm.bound.into());
        let of_column = self.norms.iter().enumerate().map(of_norm).fold([0; 3], add);
        multiply(of_column, (0..l).map(|j| eq(tau2, j)).fold([0; 3], add))
    }

    /// e.
    fn messages(&self) -> usize {
        let degree = |&(_, _, (low, high)): &(_, _, (i32, i32))| (high - low + 1) as usize;
        let of_norms = self.norms.iter().map(|_| 2);
        self.parts.iter().map(degree).chain(of_norms).max().unwrap() + 1
    }

    /// mu_1 and mu_2 for l columns.
    fn variables(&self, l: usize) -> [usize; 2] {
        let variables = |count: usize| (0..32).find(|&t| 1 << t >= count).unwrap();
        [variables(self.rows().len() + 1), variables(l)]
    }

    fn magic(&self) -> &'static [u8; 8] {
        if self.norms.is_empty() { b"TCZKrng\0" } else { b"TCZKnrm\0" }
    }

    fn bytes(&self) -> Vec<u8> {
        let word = |x: usize| (x as u32).to_le_bytes();
        let mut bytes = [word(self.parts.len()), word(self.first_row)].concat();
        for &(first, rows, (low, high)) in &self.parts {
            bytes.extend([word(first), word(rows), low.to_le_bytes(), high.to_le_bytes()].concat());
        }
        if !self.norms.is_empty() {
            bytes.extend(word(self.norms.len()));
            for Norm { squared, bits, bound } in &self.norms {
                bytes.extend([squared.0, squared.1, bits.0, bits.1].map(word).concat());
                bytes.extend(bound.to_le_bytes());
            }
        }
        bytes
    }
}

/// val of rows of three coefficients, or of one.
pub(super) fn value(s: &[i128], first: usize, coefficients: usize) -> Element {
    let terms = pad(first).take(27 * coefficients);
    terms.fold([0; 3], |sum, (row, weight)| add(sum, scale(weight, s[row])))
}

/// A transcript that has come to its end, and what both sides know then.
struct End {
    chain: Chain,
    tau: Vec<Element>,
    eta: Element,
    r: Vec<Element>,
}

impl File<'_> {
    fn start(&self, claim: &Claim) -> Chain {
        let number = |number: i64| number.to_le_bytes().to_vec();
        let kind = if claim.norms.is_empty() { 3 } else { 5 };
        let mut last = vec![number(claim.first_row as i64), number(2), number(kind)];
        last.push(number(claim.parts.len() as i64));
        for &(first, rows, (low, high)) in &claim.parts {
            last.extend([first as i64, rows as i64, low.into(), high.into()].map(number));
        }
        if !claim.norms.is_empty() {
            last.push(number(claim.norms.len() as i64));
        }
        for Norm { squared, bits, bound } in &claim.norms {
            let (bound, [first, rows]) = (*bound as i64, [squared.0, squared.1].map(|x| x as i64));
            last.extend([first, rows, bound, bits.0 as i64, bits.1 as i64].map(number));
        }
        self.begin(&last)
    }

    /// tau and eta, which is 0 where there are no norms.
    fn challenges(&self, claim: &Claim, chain: &mut Chain) -> (Vec<Element>, Element) {
        let mu = claim.variables(self.l).iter().sum();
        let tau = (0..mu).map(|_| chain.challenge("tau")).collect();
        (tau, if claim.norms.is_empty() { [0; 3] } else { chain.challenge("eta") })
    }

    /// The form phi, and w of all columns.
    fn form(&self, claim: &Claim, r: &[Element], rho: Element) -> Vec<(usize, Element)> {
        let [mu1, _] = claim.variables(self.l);
        let rows = claim.rows();
        let rho2 = multiply(rho, rho);
        let of_row = |(a, &row): (usize, &usize)| (row, multiply(rho, eq(&r[..mu1], a)));
        let mut form: Vec<_> = rows.iter().enumerate().map(of_row).collect();
        form.extend(pad(claim.first_row));
        form.extend(pad(claim.first_row + 81).map(|(row, x)| (row, multiply(rho2, x))));
        let last = multiply(rho, eq(&r[..mu1], rows.len()));
        form.extend(pad(claim.first_row + 162).take(27).map(|(row, x)| (row, multiply(last, x))));
        form
    }

    fn weights(&self, claim: &Claim, r: &[Element]) -> Vec<Element> {
        let mut weights = Vec::new();
        for (t, &x) in r.iter().enumerate() {
            let tail = r[t + 1..].iter().copied().fold(ONE, multiply);
            weights.push(multiply(tail, minus(minus(ONE, x), x)));
            for d in 2..=claim.messages() {
                weights.push(multiply(tail, minus(power(x, d), x)));
            }
        }
        weights.resize(self.l, [0; 3]);
        weights
    }

    /// sum of E_k(r) P_k(v).
    fn last_claim(&self, claim: &Claim, end: &End, v: Element) -> Element {
        let [mu1, _] = claim.variables(self.l);
        let mut sum = [0; 3];
        for (polynomial, weights) in claim.terms(&end.tau[..mu1], end.eta) {
            for (a, weight) in weights {
                let both = multiply(weight, eq(&end.r[..mu1], a));
                sum = add(sum, multiply(both, polynomial.at(v)));
            }
        }
        let both = end.tau[mu1..]
            .iter()
            .zip(&end.r[mu1..])
            .map(|(&x, &y)| add(multiply(x, y), multiply(minus(ONE, x), minus(ONE, y))));
        multiply(sum, both.fold(ONE, multiply))
    }
}

pub(super) fn dot(x: &[Element], y: &[Element]) -> Element {
    x.iter().zip(y).fold([0; 3], |sum, (&x, &y)| add(sum, multiply(x, y)))
}

/// The messages of the rounds.
fn rounds(
    file: &File<'_>,
    claim: &Claim,
    s: &[i128],
    gamma: &[Element],
) -> (End, Vec<Element>, Vec<Element>) {
    let (rows, e, [mu1, mu2]) = (claim.rows(), claim.messages(), claim.variables(file.l));
    let mut chain = file.start(claim);
    let (tau, eta) = file.challenges(claim, &mut chain);
    // The table and all weights over the cube, row variables lowest.
    let mut table = vec![[0; 3]; 1 << (mu1 + mu2)];
    let terms = claim.terms(&tau[..mu1], eta);
    let mut factors = vec![vec![[0; 3]; table.len()]; terms.len()];
    for j in 0..1 << mu2 {
        for (factors, (_, weights)) in factors.iter_mut().zip(&terms) {
            for &(a, weight) in weights {
                factors[a + (j << mu1)] = multiply(weight, eq(&tau[mu1..], j));
            }
        }
        if j < file.l {
            let s = &s[j * file.v..(j + 1) * file.v];
            for (a, &row) in rows.iter().enumerate() {
                table[a + (j << mu1)] = [s[row].rem_euclid(P), 0, 0];
            }
            table[rows.len() + (j << mu1)] = value(s, claim.first_row + 162, 1);
        }
    }
    let (mut r, mut messages) = (Vec::new(), Vec::new());
    let line = |pair: &[Element], x: i128| add(pair[0], scale(minus(pair[1], pair[0]), x));
    for _ in 0..mu1 + mu2 {
        let at = |x: i128| {
            let mut sum = [0; 3];
            for (factors, &(polynomial, _)) in factors.iter().zip(&terms) {
                for (pair, factors) in table.chunks(2).zip(factors.chunks(2)) {
                    if factors != [[0; 3]; 2] {
                        let value = polynomial.at(line(pair, x));
                        sum = add(sum, multiply(line(factors, x), value));
                    }
                }
            }
            sum
        };
        let polynomial = interpolate(&(0..=e as i128).map(at).collect::<Vec<_>>());
        let sent: Vec<Element> = polynomial
            .iter()
            .enumerate()
            .filter(|(degree, _)| *degree != 1)
            .zip(&gamma[messages.len()..])
            .map(|((_, &x), &pad)| add(x, pad))
            .collect();
        chain.absorb("round", &sent);
        messages.extend(sent);
        let x = chain.challenge("r");
        r.push(x);
        let bind = |table: &[Element]| -> Vec<Element> {
            let pairs = table.chunks(2);
            pairs.map(|pair| add(pair[0], multiply(x, minus(pair[1], pair[0])))).collect()
        };
        table = bind(&table);
        factors = factors.iter().map(|factors| bind(factors)).collect();
    }
    (End { chain, tau, eta, r }, messages, table)
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
    let at = |first: usize, coefficients: usize| -> Vec<Element> {
        s.chunks(file.v).map(|s| value(s, first, coefficients)).collect()
    };
    let (kappa, gamma) = (at(claim.first_row, 3), at(claim.first_row + 81, 3));
    let (mut end, messages, table) = rounds(&file, claim, s, &gamma);
    let [mu1, _] = claim.variables(file.l);
    let w = file.weights(claim, &end.r);
    let places: Vec<Element> = (0..file.l).map(|j| eq(&end.r[mu1..], j)).collect();
    let beta = at(claim.first_row + 162, 1);
    let rows = claim.rows();
    let phi = |(j, s): (usize, &[i128])| {
        let last = multiply(eq(&end.r[..mu1], rows.len()), beta[j]);
        let terms = rows.iter().enumerate();
        terms.fold(last, |sum, (a, &row)| add(sum, scale(eq(&end.r[..mu1], a), s[row])))
    };
    let phi: Vec<Element> = s.chunks(file.v).enumerate().map(phi).collect();
    let v = table[0];
    assert_eq!(dot(&places, &phi), v);
    let ends = [v, dot(&w, &phi), dot(&places, &gamma), dot(&w, &kappa), dot(&places, &kappa)];
    end.chain.absorb("ends", &ends);
    let rho = end.chain.challenge("rho");
    let form = file.form(claim, &end.r, rho);
    let image = |s: &[i128]| {
        form.iter().fold([0; 3], |sum, &(row, weight)| add(sum, scale(weight, s[row])))
    };
    let y: Vec<Element> = s.chunks(file.v).map(image).collect();
    end.chain.absorb("values", &y);
    let argument = Argument { state: end.chain.state, form };
    let (digest, challenge_hash, z, hints) = file.respond(s, context, seed, Some(&argument));
    let elements = [&messages[..], &ends, &y].concat();
    file.range_proof(claim, &elements, &digest, &challenge_hash, [&z, &hints])
}

impl File<'_> {
    fn range_proof(
        &self,
        claim: &Claim,
        elements: &[Element],
        digest: &Digest,
        challenge_hash: &Digest,
        response: [&[i128]; 2],
    ) -> Vec<u8> {
        let start = self.start(claim).state;
        let between = [start.as_bytes(), &claim.bytes(), &encode(elements)].concat();
        self.proof_file(claim.magic(), &between, digest, challenge_hash, response)
    }
}

/// The checks of docs/format.md.
pub(crate) fn verify(file: &[u8], context: &[u8], claim: &Claim, proof: &[u8]) -> Answer {
    let file = File::new(file, None);
    let digest = file.digest(context);
    let (e, mu) = (claim.messages(), claim.variables(file.l).iter().sum::<usize>());
    let longest = 24 + 32 + 8 + 8 * 16 + 4 + 4 * 24 + 24 * (18 * 51 + 5 + file.l) + 64;
    if is_malformed(claim.magic(), longest + file.longest_body(), proof) {
        return Answer::Malformed;
    }
    let header = 32 + claim.bytes().len();
    let count = e * mu + 5 + file.l;
    let Some((between, body)) = proof[24..].split_at_checked(header + 24 * count) else {
        return Answer::Invalid;
    };
    let element = |bytes: &[u8]| [0, 8, 16].map(|at| number(&bytes[at..at + 8]) as i128);
    let elements: Vec<Element> = between[header..].chunks(24).map(element).collect();
    let reduced = elements.iter().flatten().all(|&word| word < P);
    let decoded = file.decode(body, &digest).filter(|(hash, z, hints)| {
        reduced && file.range_proof(claim, &elements, &digest, hash, [z, hints]) == proof
    });
    let Some((challenge_hash, z, hints)) = decoded else { return Answer::Invalid };
    let (messages, rest) = elements.split_at(e * mu);
    let (ends, y) = rest.split_at(5);
    let mut chain = file.start(claim);
    let (tau, eta) = file.challenges(claim, &mut chain);
    let mut r = Vec::new();
    for messages in messages.chunks(e) {
        chain.absorb("round", messages);
        r.push(chain.challenge("r"));
    }
    chain.absorb("ends", ends);
    let rho = chain.challenge("rho");
    chain.absorb("values", y);
    let end = End { chain, tau, eta, r };
    let &[v, x1, x2, y1, y2] = ends else { unreachable!("five") };
    let [mu1, _] = claim.variables(file.l);
    let w = file.weights(claim, &end.r);
    let places: Vec<Element> = (0..file.l).map(|j| eq(&end.r[mu1..], j)).collect();
    let product = end.r.iter().copied().fold(ONE, multiply);
    let first = multiply(product, claim.first_claim(&end.tau[mu1..], eta, file.l));
    let rest = minus(add(dot(&w, messages), first), file.last_claim(claim, &end, v));
    let horner = |x: [Element; 3]| add(x[0], multiply(rho, add(x[1], multiply(rho, x[2]))));
    let equations = dot(&places, y) == horner([y2, v, x2]) && dot(&w, y) == horner([y1, x1, rest]);
    let Some(high) = file.w_high(&z, &hints, &challenge_hash).filter(|_| equations) else {
        return Answer::Invalid;
    };
    let form = file.form(claim, &end.r, rho);
    let argument = Argument { state: end.chain.state, form };
    let images = argument.images(&z, file.v - file.r);
    file.answer([&digest, &challenge_hash], &high, &argument, images, y)
}
