//! Claims under one masking: a verifier by the definition, which adds up whole tables.

mod relation;
mod written;

use std::collections::BTreeSet;

use super::argument::{
    Argument, Chain, Element, Field, ZERO, add, chained, choose, decode, dot, encode, eq, field,
    message_weights, minus, multiply, power, product, residue, scale, sum, times, variables,
};
use super::*;
pub(crate) use relation::{Carries, Instance, Relation};

const MAGIC: &[u8; 8] = b"TCZKclm\0";

/// The squared norm of rows of every column, with bits in other rows: first row and rows of each.
#[derive(Clone)]
pub(crate) struct Norm {
    pub(crate) squared: (usize, usize),
    pub(crate) bits: (usize, usize),
    pub(crate) bound: u64,
}

/// First row, rows, least and largest entry.
pub(crate) type Range = (usize, usize, (i32, i32));

#[derive(Clone)]
pub(crate) enum Claim {
    Sum { rows: Vec<(usize, i64)>, columns: Vec<(usize, i64)>, value: i64 },
    Block { row: usize, column: usize, height: usize, values: Vec<i64> },
    Ranges { ranges: Vec<Range>, norms: Vec<Norm> },
    Circuit(Circuit),
    Relation(Relation),
}

/// Wires of a circuit by its coefficients: wire 0 is 1, then come the public inputs.
#[derive(Clone)]
pub(crate) struct Circuit {
    pub(crate) secret: usize,
    pub(crate) public: Vec<i128>,
    /// Places of the first secret wires, and of the first other one.
    pub(crate) inputs: Vec<usize>,
    pub(crate) first: usize,
    /// Rows of A, B and C.
    pub(crate) matrices: [Vec<Vec<(usize, i128)>>; 3],
}

impl Circuit {
    fn digest(&self) -> Digest {
        let constraints = self.matrices[0].len();
        let mut fields = [self.public.len(), self.secret, constraints].map(eight_bytes).to_vec();
        for matrix in &self.matrices {
            let (mut ends, mut entries) = (Vec::new(), Vec::new());
            for row in matrix {
                for &(wire, x) in row {
                    entries.extend((wire as u32).to_le_bytes());
                    entries.extend((x as u64).to_le_bytes());
                }
                ends.extend(eight_bytes(entries.len() / 12));
            }
            fields.extend([eight_bytes(entries.len() / 12), ends, entries]);
        }
        let name = if field() == Field::P61 { "circuit" } else { "circuit over Goldilocks" };
        chained(name, &fields)
    }

    /// mu_x, of the constraints and three on masks.
    fn variables(&self) -> usize {
        variables(self.matrices[0].len() + 3)
    }
}

/// Places and columns of messages, masks of each slot, the slot, and the claims.
#[derive(Clone)]
pub(crate) struct Claims {
    /// Whether places are elements of F, in eight digits to the base 199, or nine to the base 139.
    pub(crate) scalars: bool,
    pub(crate) field: Field,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) masks: Vec<usize>,
    pub(crate) slot: usize,
    pub(crate) list: Vec<Claim>,
}

/// Of a row, a column, a place or a mask.
type Weight = (usize, Element);

/// The sum of weighted places, column after column, and of weighted masks is a value.
struct Linear {
    places: Vec<Weight>,
    masks: Vec<Weight>,
    value: Element,
}

/// An element of F.
fn scalar(x: impl Into<i128>) -> Element {
    [residue(x.into()), 0, 0]
}

/// The weights of the digits of an element of K: base^u X^t.
fn digits(base: i128, count: u32) -> Vec<Element> {
    (0..field().degree)
        .flat_map(|t| (0..count).map(move |u| (t, base.pow(u))))
        .map(|(t, x)| {
            let mut weight = ZERO;
            weight[t] = x;
            weight
        })
        .collect()
}

/// The weights of places of columns of this height, each its row's times its column's.
fn weights(height: usize, rows: &[Weight], columns: &[Weight]) -> Vec<Weight> {
    let column =
        |&(j, g): &Weight| rows.iter().map(move |&(a, x)| (height * j + a, multiply(x, g)));
    columns.iter().flat_map(column).collect()
}

impl Claim {
    /// The rows of the table of ranges and norms, mu, and e.
    fn table(&self, columns: usize) -> (Vec<usize>, [usize; 2], usize) {
        if let Self::Relation(relation) = self {
            return relation.ranges().table(columns);
        }
        let Self::Ranges { ranges, norms } = self else { return (Vec::new(), [0; 2], 0) };
        let of_ranges = ranges.iter().map(|&(first, rows, _)| (first, rows));
        let of_norms = norms.iter().flat_map(|norm| [norm.squared, norm.bits]);
        let rows = of_ranges.chain(of_norms).flat_map(|(first, rows)| first..first + rows);
        let rows: Vec<usize> = rows.collect::<BTreeSet<_>>().into_iter().collect();
        let degrees = ranges.iter().map(|&(_, _, (low, high))| (high - low + 1) as usize);
        let e = degrees.chain(norms.iter().map(|_| 2)).max().unwrap() + 1;
        let mu = [rows.len() + 1, columns].map(variables);
        (rows, mu, e)
    }

    /// How many elements it sends, each under a mask of its own.
    fn sent(&self, columns: usize) -> usize {
        if let Self::Circuit(circuit) = self {
            return 3 * circuit.variables() + 3;
        }
        let (_, mu, e) = self.table(columns);
        if e == 0 { 0 } else { e * (mu[0] + mu[1]) + 1 }
    }

    /// Step 1, for columns of so many places, given all that it sends; its masks are those from
    /// `mask` on.
    fn reduce(
        &self,
        chain: &mut Chain,
        (height, all): (usize, usize),
        sent: &[Element],
        mask: usize,
    ) -> Vec<Linear> {
        match self {
            Self::Sum { rows, columns, value } => {
                let [rows, columns] = [rows, columns]
                    .map(|w| w.iter().map(|&(at, x)| (at, scalar(x))).collect::<Vec<_>>());
                let places = weights(height, &rows, &columns);
                vec![Linear { places, masks: vec![], value: scalar(*value) }]
            }
            Self::Block { row, column, height: rows, values } => {
                let [x, y] = ["rows", "columns"].map(|label| chain.challenge(label));
                let width = values.len() / rows;
                let term = |(k, &value): (usize, &i64)| {
                    multiply(multiply(power(x, k % rows), power(y, k / rows)), scalar(value))
                };
                let value = sum(values.iter().enumerate().map(term));
                let rows: Vec<_> = (0..*rows).map(|i| (row + i, power(x, i))).collect();
                let columns: Vec<_> = (0..width).map(|j| (column + j, power(y, j))).collect();
                vec![Linear { places: weights(height, &rows, &columns), masks: vec![], value }]
            }
            Self::Ranges { ranges, norms } => {
                let (rows, [mu1, mu2], e) = self.table(all);
                let place = |row: usize| rows.iter().position(|&other| other == row).unwrap();
                let tau = chain.point("tau", mu1 + mu2);
                let eta = if norms.is_empty() { ZERO } else { chain.challenge("eta") };
                let (messages, v) = (&sent[..sent.len() - 1], sent[sent.len() - 1]);
                let r = chain.rounds(["round", "r"], messages, e);
                chain.absorb("value", &[v]);
                let of_rows: Vec<_> = (0..=rows.len()).map(|a| eq(&r[..mu1], a)).collect();
                let of_columns: Vec<_> = (0..all).map(|j| eq(&r[mu1..], j)).collect();
                // Sum(r, v) but for the columns' factor.
                let mut last = ZERO;
                let mut count = |row: usize, weight: Element, value: Element| {
                    let a = place(row);
                    last = add(last, multiply(multiply(of_rows[a], weight), value));
                };
                for &(first, count_of_rows, range) in ranges {
                    for row in first..first + count_of_rows {
                        count(row, eq(&tau[..mu1], place(row)), product(v, range));
                    }
                }
                let mut bounds = ZERO;
                for (k, norm) in norms.iter().enumerate() {
                    let weight = power(eta, k + 1);
                    bounds = add(bounds, scale(weight, norm.bound.into()));
                    for i in 0..norm.squared.1 {
                        count(norm.squared.0 + i, weight, multiply(v, v));
                    }
                    for d in 0..norm.bits.1 {
                        count(norm.bits.0 + d, scale(weight, 1 << d), v);
                    }
                }
                // E_k is eq(tau_2, j) in all 2^mu_2 columns of the table.
                let columns = (0..1 << mu2).map(|j| multiply(eq(&tau[mu1..], j), eq(&r[mu1..], j)));
                let last = multiply(last, sum(columns));
                let first = multiply(bounds, sum((0..all).map(|j| eq(&tau[mu1..], j))));
                let first = r.iter().copied().fold(first, multiply);
                let w = message_weights(&r, e);
                let value = minus(add(dot(&w, messages), first), last);
                let of_beta = multiply(of_rows[rows.len()], of_columns[0]);
                let beta = (mask + messages.len(), of_beta);
                let rows: Vec<_> = rows.into_iter().zip(of_rows).collect();
                let columns: Vec<_> = of_columns.into_iter().enumerate().collect();
                let places = weights(height, &rows, &columns);
                vec![
                    Linear { places, masks: vec![beta], value: v },
                    Linear { places: vec![], masks: (mask..).zip(w).collect(), value },
                ]
            }
            Self::Circuit(circuit) => circuit.reduce(chain, sent, mask),
            Self::Relation(relation) => {
                let mut linear = relation.ranges().reduce(chain, (height, all), sent, mask);
                relation.reduce(chain, &mut linear, (height, all));
                linear
            }
        }
    }
}

impl Circuit {
    fn reduce(&self, chain: &mut Chain, sent: &[Element], mask: usize) -> Vec<Linear> {
        let mu = self.variables();
        let tau = chain.point("tau", mu);
        let (messages, v) = sent.split_at(3 * mu);
        let r = chain.rounds(["constraint round", "r_x"], messages, 3);
        chain.absorb("products", v);
        let alpha = chain.challenge("alpha");
        let constraints = self.matrices[0].len();
        let at_tau = sum((0..1 << mu).map(|i| multiply(eq(&tau, i), eq(&r, i))));
        let last = multiply(at_tau, minus(multiply(v[0], v[1]), v[2]));
        let w = message_weights(&r, 3);
        let value = minus(dot(&w, messages), last);
        let of_messages = Linear { places: vec![], masks: (mask..).zip(w).collect(), value };
        // A z + alpha B z + alpha^2 C z at r_x, without the wires that are known.
        let (mut places, mut of_betas) = (Vec::new(), [ZERO; 3]);
        let mut known = ZERO;
        for (k, matrix) in self.matrices.iter().enumerate() {
            let scale_by = power(alpha, k);
            for (i, row) in matrix.iter().enumerate() {
                let weight = multiply(scale_by, eq(&r, i));
                for &(wire, x) in row {
                    match wire.checked_sub(1 + self.public.len()) {
                        Some(k) => {
                            let other = || self.first + k - self.inputs.len();
                            let place = self.inputs.get(k).copied().unwrap_or_else(other);
                            places.push((place, scale(weight, x)));
                        }
                        None if wire == 0 => known = add(known, scale(weight, x)),
                        None => known = add(known, scale(weight, times(x, self.public[wire - 1]))),
                    }
                }
            }
        }
        // beta_0 0 = 0, 0 beta_1 = 0, beta_2 1 = beta_2.
        for (row, matrix, beta) in [(0, 0, 0), (1, 1, 1), (2, 0, 2), (2, 2, 2)] {
            let weight = multiply(power(alpha, matrix), eq(&r, constraints + row));
            of_betas[beta] = add(of_betas[beta], weight);
        }
        known = add(known, multiply(alpha, eq(&r, constraints + 2)));
        let products = (0..3).map(|k| multiply(power(alpha, k), v[k]));
        let masks = (mask + 3 * mu..).zip(of_betas).collect();
        vec![Linear { places, masks, value: minus(sum(products), known) }, of_messages]
    }
}

impl Claims {
    /// nu.
    fn rounds(&self) -> usize {
        variables(self.rows + 1)
    }

    /// The base of digits of elements, and how many one has.
    fn radix(&self) -> (i128, u32) {
        if self.field == Field::GOLDILOCKS { (139, 9) } else { (199, 8) }
    }

    /// The weights of the digits of an element of K in pads, and of the places of one in messages.
    fn weights(&self) -> [Vec<Element>; 2] {
        let (base, count) = self.radix();
        if self.scalars {
            [digits(base, count), digits(base, 1)]
        } else {
            let count = if self.field == Field::P127 { 55 } else { 27 };
            [(); 2].map(|()| digits(5, count))
        }
    }

    /// What the rows of a place are multiplied with.
    fn powers(&self) -> Vec<i128> {
        let (base, count) = self.radix();
        (0..if self.scalars { count } else { 1 }).map(|u| base.pow(u)).collect()
    }

    /// First columns of F_2, of F_1 and behind F_1 of a slot.
    fn block(&self, slot: usize) -> [usize; 3] {
        let first = if slot == 0 { 0 } else { self.block(slot - 1)[2] };
        let holding = first + 2 * self.rounds();
        let places = self.weights()[1].len() * self.masks[slot];
        [first, holding, holding + places.div_ceil(self.rows)]
    }

    /// F_1, and D.
    fn table(&self, l: usize) -> Vec<usize> {
        let [_, first, end] = self.block(self.slot);
        (first..end).chain(l - self.columns..l).collect()
    }

    /// W(a, j) and c_0: column after column of F_1 and D, of linear claims with powers of eta.
    fn combine(&self, linear: &[Linear], eta: Element) -> (Vec<Element>, Element) {
        let [_, first, end] = self.block(self.slot);
        let mut w = vec![ZERO; (end - first + self.columns) * self.rows];
        let (of_masks, of_data) = w.split_at_mut((end - first) * self.rows);
        let mut value = ZERO;
        let [_, of_places] = self.weights();
        for (k, claim) in linear.iter().enumerate() {
            let by = power(eta, k);
            value = add(value, multiply(by, claim.value));
            for &(mask, weight) in &claim.masks {
                let weight = multiply(by, weight);
                for (d, &place) in of_places.iter().enumerate() {
                    let at = &mut of_masks[of_places.len() * mask + d];
                    *at = add(*at, multiply(weight, place));
                }
            }
            for &(place, weight) in &claim.places {
                of_data[place] = add(of_data[place], multiply(by, weight));
            }
        }
        (w, value)
    }
}

/// The checks of docs/format.md.
pub(crate) fn verify(file: &[u8], context: &[u8], claims: &Claims, proof: &[u8]) -> Answer {
    choose(claims.field);
    let answer = verify_chosen(file, context, claims, proof);
    choose(Field::P61);
    answer
}

fn verify_chosen(file: &[u8], context: &[u8], claims: &Claims, proof: &[u8]) -> Answer {
    let file = File::new(file, None);
    let (digest, l, nu) = (file.digest(context), file.l, claims.rounds());
    let longest = 24 + 40 + (1 << 24) + 32 * (339_753 + l) + 64 + file.longest_body();
    if is_malformed(MAGIC, longest, proof) {
        return Answer::Malformed;
    }
    let claim = claims.bytes();
    let mut chain = file.begin(std::slice::from_ref(&claim));
    // Its length, and no columns.
    let len = (claim.len() as u64).to_le_bytes();
    let header = [chain.state.as_bytes(), &len[..], &claim].concat();
    let sent: usize = claims.list.iter().map(|claim| claim.sent(claims.columns)).sum();
    let count = sent + 2 * nu + 1 + l;
    let len = field().degree * field().word_len();
    let Some((between, _)) = proof[24..].split_at_checked(header.len() + len * count) else {
        return Answer::Invalid;
    };
    let Some(elements) = decode(&between[header.len()..]) else { return Answer::Invalid };
    let (mut of_claims, rest) = elements.split_at(sent);
    let (messages, rest) = rest.split_at(2 * nu);
    let table = claims.table(l);
    let (h, rest) = rest.split_at(table.len());
    let (x, others) = (rest[0], &rest[1..]);
    let (mut linear, mut mask) = (Vec::new(), 0);
    for claim in &claims.list {
        let (sent, behind) = of_claims.split_at(claim.sent(claims.columns));
        let shape = (claims.rows, claims.columns);
        linear.extend(claim.reduce(&mut chain, shape, sent, mask));
        (of_claims, mask) = (behind, mask + sent.len());
    }
    let (weights, value) = claims.combine(&linear, chain.challenge("eta"));
    let s = chain.rounds(["row round", "s"], messages, 2);
    chain.absorb("ends", h);
    chain.absorb("ends", &[x]);
    let rho = chain.challenge("rho");
    chain.absorb("values", others);
    let of_rows: Vec<Element> = (0..=claims.rows).map(|a| eq(&s, a)).collect();
    let at_s = weights.chunks(claims.rows).map(|column| dot(column, &of_rows));
    let last = sum(at_s.zip(h).map(|(weight, &h)| multiply(weight, h)));
    let w = message_weights(&s, 2);
    let first = s.iter().copied().fold(value, multiply);
    let lambda = minus(add(dot(&w, messages), first), last);
    let mut y = vec![ZERO; l];
    let free = (0..l).filter(|j| !table.contains(j));
    for (j, &value) in table.iter().copied().chain(free).zip(h.iter().chain(others)) {
        y[j] = value;
    }
    let [masking, end, _] = claims.block(claims.slot);
    let equation = dot(&w, &y[masking..end]) == add(x, multiply(rho, lambda));
    if !equation {
        return Answer::Invalid;
    }
    let between = [header, encode(&elements)].concat();
    let Some((challenge_hash, [z, _, high])) = file.read(MAGIC, &between, &digest, proof) else {
        return Answer::Invalid;
    };
    let ([of_pads, _], powers) = (claims.weights(), claims.powers());
    let end = claims.rows * powers.len();
    let pad = |index: usize, by: Element| {
        let rows = end + of_pads.len() * index..;
        rows.zip(of_pads.iter().map(move |&x| multiply(by, x)))
    };
    let places = of_rows[..claims.rows].iter();
    let of_places = places.flat_map(|&weight| powers.iter().map(move |&x| scale(weight, x)));
    let mut form: Vec<_> = of_places.enumerate().collect();
    form.extend(pad(0, rho).chain(pad(1 + claims.slot, of_rows[claims.rows])));
    let argument = Argument { state: chain.state, form };
    let images = argument.images(&z, file.v - file.r);
    file.answer([&digest, &challenge_hash], &high, &argument, images, &y)
}
