//! Proofs about keys: the statement with its dummy columns as a file of its own, the sum-check by
//! its definition, and one equation.

mod shape;

use super::argument::{
    Argument, Chain, Element, P, ZERO, add, decode, dot, encode, eq, message_weights, minus,
    multiply, product, residue, scale, sum, times_line,
};
use super::*;
pub(crate) use shape::{Cheat, commit_with_pads};
use shape::{Shape, claim_fields, extend, matrix};

/// Bounds on secrets and errors, and hints.
#[derive(Clone, Copy)]
pub(crate) struct Claim {
    pub(crate) secret: i32,
    pub(crate) error: i32,
    pub(crate) hints: u32,
}

const MAGIC: &[u8; 8] = b"TCZKkey\0";

/// What both sides know behind the rounds.
struct End {
    chain: Chain,
    tau: Vec<Element>,
    r: Vec<Element>,
    theta: Vec<Element>,
}

impl End {
    fn weights(&self, shape: &Shape) -> Vec<Element> {
        message_weights(&self.r, shape.e)
    }

    /// Forms by rows: phi_R and theta.
    fn forms(&self, shape: &Shape) -> [Vec<(usize, Element)>; 2] {
        let rows = (0..shape.v).map(|a| (shape.row(a), eq(&self.r, a))).collect();
        [rows, (shape.k..).zip(self.theta.iter().copied()).collect()]
    }

    fn form(&self, shape: &Shape, rho: Element) -> Vec<(usize, Element)> {
        let [rows, theta] = self.forms(shape);
        let scaled = |form: Vec<(usize, Element)>, by: Element| {
            form.into_iter().map(move |(row, x)| (row, multiply(x, by)))
        };
        let gamma = scaled(shape.gamma(), multiply(rho, rho));
        theta.into_iter().chain(scaled(rows, rho)).chain(gamma).collect()
    }

    /// The last claim, given the hints of keys.
    fn last_claim(&self, shape: &Shape, claim: &Claim, hints: &[Element]) -> Element {
        let parts = [(claim.secret, 0..shape.k), (claim.error, shape.k..shape.v)];
        let of_part = |(range, rows): (i32, core::ops::Range<usize>)| {
            let rows = rows.map(|a| multiply(eq(&self.tau[..shape.mu1], a), eq(&self.r, a)));
            let value =
                |(j, &h)| multiply(eq(&self.tau[shape.mu1..], j), product(h, (-range, range)));
            multiply(sum(rows), sum(hints.iter().enumerate().map(value)))
        };
        sum(parts.into_iter().map(of_part))
    }
}

fn theta(chain: &mut Chain, shape: &Shape, weak: bool) -> Vec<Element> {
    let mut theta = chain.point("theta", shape.rows());
    if weak {
        theta[shape.uniform..].fill([0; 3]);
    }
    theta
}

fn image(form: &[(usize, Element)], s: &[i128]) -> Element {
    sum(form.iter().map(|&(row, weight)| scale(weight, s[row])))
}

/// The file that a reproducible prover writes; `header` belongs to the statement with dummies.
pub(crate) fn prove(
    file: &[u8],
    header: &[u8],
    s: &[i128],
    context: &[u8],
    claim: &Claim,
    seed: &[u8; 32],
    cheat: Cheat,
) -> Vec<u8> {
    let keys = File::new(file, None);
    let shape = Shape::new(&keys, claim, header);
    let given = matrix(&keys, &shape);
    let (all, s_all) = extend(&keys, &given, &shape, claim, header, s, cheat);
    let extended = shape.file(&all, &given);
    let (start, mut end, messages, table) =
        rounds(&extended, &shape, claim, s, &s_all, cheat.weak_theta);
    let hints = table[..shape.l].to_vec();
    let w = end.weights(&shape);
    let [rows, masks] = end.forms(&shape);
    // The preimages of what is published: errors less what is rounded off.
    let mut preimages = s_all.clone();
    for (s, low) in
        preimages.chunks_mut(extended.v).zip(extended.rounded_off(&s_all).chunks(extended.r))
    {
        s[extended.v - extended.r..].iter_mut().zip(low).for_each(|(s, low)| *s -= low);
    }
    let dummies: Vec<&[i128]> = preimages.chunks(extended.v).skip(shape.l).collect();
    let weighted = |form: &[(usize, Element)]| {
        dot(&w, &dummies.iter().map(|s| image(form, s)).collect::<Vec<_>>())
    };
    let ends = [&hints[..], &[weighted(&rows), weighted(&masks)]].concat();
    end.chain.absorb("ends", &ends);
    let rho = end.chain.challenge("rho");
    let form = end.form(&shape, rho);
    let y: Vec<Element> = dummies.iter().map(|s| image(&form, s)).collect();
    end.chain.absorb("values", &y);
    let argument = Argument { state: end.chain.state, form };
    let context = [&claim.hints.to_le_bytes(), context].concat();
    // Blocks that are full of keys are hashed without pads.
    let (mut hashes, of_all) = (keys.s_hashes(s), extended.s_hashes(&s_all));
    hashes.truncate(shape.l / BLOCK);
    hashes.extend_from_slice(&of_all[hashes.len()..]);
    let s_digest = extended.s_digest(&hashes);
    let respond = |argument| extended.respond(&s_all, &s_digest, &context, seed, Some(argument));
    let (digest, hash, z, h) = respond(&argument);
    let elements = [&messages[..], &ends, &y].concat();
    let dummies = shape.published(&extended);
    let between = between(&shape, claim, &start, &dummies, &elements);
    extended.proof_file(MAGIC, &between, &digest, &hash, [&z, &h])
}

/// D_0, what is known behind the rounds, the messages, and the table then.
fn rounds(
    file: &File<'_>,
    shape: &Shape,
    claim: &Claim,
    s: &[i128],
    s_all: &[i128],
    weak: bool,
) -> (Digest, End, Vec<Element>, Vec<Element>) {
    let gamma: Vec<Element> =
        s_all.chunks(file.v).skip(shape.l).map(|s| image(&shape.gamma(), s)).collect();
    let mut chain = claim_fields(file, shape, claim);
    let start = chain.state;
    let tau = chain.point("tau", shape.mu1 + shape.mu2);
    // The table over the cube, row variables lowest, and E: 0 beyond the rows and keys.
    let mut table = vec![[0; 3]; 1 << (shape.mu1 + shape.mu2)];
    let mut factors = [table.clone(), table.clone()];
    for j in 0..shape.l {
        for row in 0..shape.v {
            let at = row + (j << shape.mu1);
            table[at] = [s[j * shape.v + row].rem_euclid(P), 0, 0];
            factors[usize::from(row >= shape.k)][at] = eq(&tau, at);
        }
    }
    let (mut r, mut messages) = (Vec::new(), Vec::new());
    let line = |pair: &[Element]| [pair[0], minus(pair[1], pair[0])];
    for _ in 0..shape.mu1 {
        let mut polynomial = vec![ZERO; shape.e + 1];
        for (factors, bound) in factors.iter().zip([claim.secret, claim.error]) {
            for (pair, factors) in table.chunks(2).zip(factors.chunks(2)) {
                if factors != [ZERO; 2] {
                    let [low, slope] = line(pair);
                    let less = |i: i32| [minus(low, [residue(i.into()), 0, 0]), slope];
                    let terms = (-bound..=bound).map(less);
                    let terms = terms.fold(line(factors).to_vec(), |all, x| times_line(&all, x));
                    polynomial.iter_mut().zip(terms).for_each(|(sum, x)| *sum = add(*sum, x));
                }
            }
        }
        let coefficients = polynomial.iter().enumerate().filter(|(degree, _)| *degree != 1);
        let pads = gamma[messages.len()..].iter();
        let sent: Vec<Element> =
            coefficients.zip(pads).map(|((_, &x), &pad)| add(x, pad)).collect();
        chain.absorb("round", &sent);
        messages.extend(sent);
        let x = chain.challenge("r");
        r.push(x);
        let bind = |table: &[Element]| -> Vec<Element> {
            let at = |[low, slope]: [Element; 2]| add(low, multiply(x, slope));
            table.chunks(2).map(|pair| at(line(pair))).collect()
        };
        table = bind(&table);
        factors = factors.map(|factors| bind(&factors));
    }
    let theta = theta(&mut chain, shape, weak);
    (start, End { chain, tau, r, theta }, messages, table)
}

fn between(
    shape: &Shape,
    claim: &Claim,
    start: &Digest,
    dummies: &[u8],
    elements: &[Element],
) -> Vec<u8> {
    let words = [claim.secret as u32, claim.error as u32, claim.hints, shape.round];
    let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    [start.as_bytes(), &words, dummies, &encode(elements)].concat()
}

/// The checks of docs/format.md.
pub(crate) fn verify(
    file: &[u8],
    header: &[u8],
    context: &[u8],
    claim: &Claim,
    proof: &[u8],
    weak: bool,
) -> Answer {
    let keys = File::new(file, None);
    let shape = Shape::new(&keys, claim, header);
    let given = matrix(&keys, &shape);
    let bare = File::new(header, Some(&given));
    let width = bare.w - shape.round;
    let of_t = shape.dummies() * (bare.r * width as usize).div_ceil(8);
    let count = shape.l + 2 * shape.dummies() + 2;
    let first = 32 + 16;
    let longest = 24 + first + of_t + 24 * count + 64 + bare.longest_body();
    if is_malformed(MAGIC, longest, proof) {
        return Answer::Malformed;
    }
    let Some((head, _)) = proof[24..].split_at_checked(first + of_t + 24 * count) else {
        return Answer::Invalid;
    };
    let published = &head[first..first + of_t];
    let words: Vec<i128> =
        unpack(published, bare.r, width).iter().map(|t| t << shape.round).collect();
    let all = [header, &file[256..], &pack(&words, bare.r, bare.w)].concat();
    let extended = shape.file(&all, &given);
    let context = [&claim.hints.to_le_bytes(), context].concat();
    let digest = extended.digest(&context);
    let Some(elements) = decode(&head[first + of_t..]) else { return Answer::Invalid };
    let mut chain = claim_fields(&extended, &shape, claim);
    // Padding is 0 where the words give these bytes.
    let between = between(&shape, claim, &chain.state, &shape.published(&extended), &elements);
    let read = extended.read(MAGIC, &between, &digest, proof);
    let Some((challenge_hash, [z, hints, high])) = read else { return Answer::Invalid };
    let (messages, rest) = elements.split_at(shape.dummies());
    let (ends, y) = rest.split_at(shape.l + 2);
    let tau = chain.point("tau", shape.mu1 + shape.mu2);
    let r = chain.rounds(["round", "r"], messages, shape.e);
    let theta = theta(&mut chain, &shape, weak);
    chain.absorb("ends", ends);
    let rho = chain.challenge("rho");
    chain.absorb("values", y);
    let end = End { chain, tau, r, theta };
    let (h, last) = ends.split_at(shape.l);
    let w = end.weights(&shape);
    let rest = minus(dot(&w, messages), end.last_claim(&shape, claim, h));
    let expected = add(last[1], multiply(rho, add(last[0], multiply(rho, rest))));
    if dot(&w, y) != expected {
        return Answer::Invalid;
    }
    // phi of (z_k, -e_k).
    let e = extended.e(&extended.v(&z, &challenge_hash), &hints);
    let rows = extended.v - extended.r;
    let columns = z.chunks(rows).zip(e.chunks(extended.r));
    let columns: Vec<i128> =
        columns.flat_map(|(z, e)| z.iter().copied().chain(e.iter().map(|e| -e))).collect();
    let argument = Argument { state: end.chain.state, form: end.form(&shape, rho) };
    let values: Vec<Element> =
        h.iter().map(|&h| multiply(rho, h)).chain(y.iter().copied()).collect();
    let images = argument.images(&columns, extended.v);
    extended.answer([&digest, &challenge_hash], &high, &argument, images, &values)
}
