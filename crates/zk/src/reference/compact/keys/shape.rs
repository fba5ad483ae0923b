//! The statement with dummy columns: what follows from a statement and a claim, [A' | A_x], T and
//! S.

use super::super::argument::{Chain, Element, P, variables};
use super::super::*;
use super::Claim;

/// What follows from a statement and a claim.
pub(super) struct Shape {
    /// Rows of secrets, of all of S, and columns.
    pub(super) k: usize,
    pub(super) v: usize,
    pub(super) l: usize,
    /// e, mu_1, mu_2.
    pub(super) e: usize,
    pub(super) mu1: usize,
    pub(super) mu2: usize,
    /// b', D, N_k.
    pub(super) bound: i128,
    pub(super) digits: usize,
    pub(super) uniform: usize,
    /// dT_x.
    pub(super) round: u32,
}

impl Shape {
    /// Of keys, and the header of the statement with dummies.
    pub(super) fn new(file: &File<'_>, claim: &Claim, header: &[u8]) -> Self {
        let (k, v, l) = (file.v - file.r, file.v, file.l);
        let e = 2 * claim.secret.max(claim.error) as usize + 2;
        let (mu1, mu2) = (variables(v + 1), variables(l));
        let squared = number(&file.bytes[80..96]) as f64;
        let pads = |bound: i128| {
            let base = 2 * bound + 1;
            let digits = (1..40).find(|&count| base.pow(count) > P).unwrap() as usize;
            let log2 = ((base as f64).log2() * 16.0).floor() / 16.0;
            let columns = (e * mu1).next_power_of_two().ilog2();
            let uniform = (f64::from(439 + 2 * columns) / log2).ceil() as usize;
            (digits, uniform)
        };
        let cost = |bound: i128| {
            let (digits, uniform) = pads(bound);
            let rows = (uniform + 3 * digits) as f64;
            let square = (e * mu1) as i128 * bound * (bound + 1) / 3;
            14.0 * rows * squared + k as f64 * rows * square as f64
        };
        let bound = (1..=106).reduce(|a, b| if cost(b) < cost(a) { b } else { a }).unwrap();
        let (digits, uniform) = pads(bound);
        let round = rounding(header, e * mu1);
        Self { k, v, l, e, mu1, mu2, bound, digits, uniform, round }
    }

    /// The statement with dummies.
    pub(super) fn file<'a>(&self, bytes: &'a [u8], given: &'a [u8]) -> File<'a> {
        let mut file = File::new(bytes, Some(given));
        file.last = (self.dummies(), self.round);
        file
    }

    /// T of dummies as a proof has it.
    pub(super) fn published(&self, file: &File<'_>) -> Vec<u8> {
        let high: Vec<i128> = file.t()[self.l * file.r..].iter().map(|t| t >> self.round).collect();
        pack(&high, file.r, file.w - self.round)
    }

    /// N.
    pub(super) fn rows(&self) -> usize {
        self.uniform + 3 * self.digits
    }

    /// N_d.
    pub(super) fn dummies(&self) -> usize {
        self.e * self.mu1
    }

    /// The row of S with dummies of a row of S.
    pub(super) fn row(&self, row: usize) -> usize {
        if row < self.k { row } else { row + self.rows() }
    }

    /// Weights of the digits of gamma by rows.
    pub(super) fn gamma(&self) -> Vec<(usize, Element)> {
        let first = self.k + self.uniform;
        let weight = |i: usize| {
            let mut weight = [0; 3];
            weight[i / self.digits] = (2 * self.bound + 1).pow((i % self.digits) as u32);
            (first + i, weight)
        };
        (0..3 * self.digits).map(weight).collect()
    }
}

/// dT_x = max(0, floor(log2(0.6 sigma sqrt(24 / N_d)))) for the sigma that F^2 of this header, 130
/// columns of C and its rho ask for.
fn rounding(header: &[u8], dummies: usize) -> u32 {
    let rho = File::new(header, None).rho();
    let squared = number(&header[80..96]);
    let n = 130;
    let sigma = (alpha(128, rho) * (squared as f64).sqrt() * ternary_factor(128, n)).ceil();
    (0.6 * sigma * (24.0 / dummies as f64).sqrt()).log2().max(0.0) as u32
}

/// The first entries, uniform in [-b, b], that a stream gives.
fn uniform(file: &File<'_>, key: &Digest, label: &str, j: usize, b: i128, out: &mut [i128]) {
    let label = format!("tautochrone-zk/2 dummy keys, {label}");
    let mut bytes = vec![0; 4 * out.len() + 4096];
    file.stream(key, true, Label::new(&label), j as u64).fill(&mut bytes);
    let range = 2 * b + 1;
    let accepted = bytes.iter().map(|&byte| i128::from(byte)).filter(|x| *x < 256 / range * range);
    let count = out.iter_mut().zip(accepted).map(|(out, x)| *out = x % range - b).count();
    assert_eq!(count, out.len());
}

/// The residue of 24 bytes in balanced digits.
fn digits(bytes: &[u8], bound: i128, out: &mut [i128]) {
    let residue = bytes.iter().rev().fold(0, |x, &byte| (256 * x + i128::from(byte)) % P);
    let mut x = if residue > P / 2 { residue - P } else { residue };
    for digit in out {
        *digit = (x + bound).rem_euclid(2 * bound + 1) - bound;
        x = (x - *digit) / (2 * bound + 1);
    }
    assert_eq!(x, 0);
}

/// [A' | A_x] in bytes, row after row.
pub(super) fn matrix(file: &File<'_>, shape: &Shape) -> Vec<u8> {
    let numbers = [file.bytes[11].into(), file.w as usize, file.r, file.v, shape.rows()];
    let fields = [&numbers.map(eight_bytes)[..], &[file.bytes[96..160].to_vec()]].concat();
    let id = hash(file.suite, "pad columns", &fields);
    let width = file.w.div_ceil(8) as usize;
    let word = |x: i128| x.to_le_bytes()[..width].to_vec();
    let a = file.a();
    let mut bytes = Vec::new();
    for (i, row) in a.chunks(shape.k).enumerate() {
        let mut more = vec![0; shape.rows() * width];
        file.stream(&id, false, Label::new("tautochrone-zk/2 A of pads"), i as u64).fill(&mut more);
        bytes.extend(row.iter().flat_map(|&x| word(x)));
        bytes.extend(more.chunks(width).flat_map(|x| word(reduce(number(x) as i128, file.w))));
    }
    bytes
}

pub(super) fn claim_fields(file: &File<'_>, shape: &Shape, claim: &Claim) -> Chain {
    let last = [
        shape.k,
        shape.bound as usize,
        4,
        shape.l,
        shape.uniform,
        shape.digits,
        claim.secret as usize,
        claim.error as usize,
        shape.round as usize,
    ];
    file.begin(&last.map(eight_bytes))
}

/// Where a prover may leave the protocol.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cheat {
    /// A change of the pads of column 0's key: (row of pads, digit added).
    pub(crate) digits: [(usize, i128); 2],
    /// A protocol whose theta leaves out the digits of gamma.
    pub(crate) weak_theta: bool,
}

/// A statement file whose key in column 0 has pads, which no key has.
pub(crate) fn commit_with_pads(
    header: &[u8],
    extended: &[u8],
    s: &[i128],
    claim: &Claim,
    cheat: Cheat,
) -> Vec<u8> {
    // The number of pads follows from the header, of no columns yet.
    let file = File::new(header, None);
    let shape = Shape::new(&file, claim, extended);
    let columns = with_pads(&shape, s, cheat);
    let given = matrix(&file, &shape);
    [header, &commit(extended, Some(&given), &columns)[256..]].concat()
}

/// Keys with rows of pads, which are 0 but for a cheat's.
fn with_pads(shape: &Shape, s: &[i128], cheat: Cheat) -> Vec<i128> {
    let mut all = Vec::new();
    for s in s.chunks(shape.v) {
        all.extend_from_slice(&s[..shape.k]);
        all.extend(vec![0; shape.rows()]);
        all.extend_from_slice(&s[shape.k..]);
    }
    for (row, digit) in cheat.digits {
        all[shape.k + row] += digit;
    }
    all
}

/// The statement file with dummy columns and the digits of cheats, and its S.
pub(super) fn extend(
    file: &File<'_>,
    given: &[u8],
    shape: &Shape,
    claim: &Claim,
    header: &[u8],
    s: &[i128],
    cheat: Cheat,
) -> (Vec<u8>, Vec<i128>) {
    let s_digest = file.s_digest(&file.s_hashes(s));
    let of_claim = claim_fields(file, shape, claim).state;
    let key = hash(file.suite, "dummy keys", &[s_digest.as_bytes(), of_claim.as_bytes()]);
    let mut all = with_pads(shape, s, cheat);
    for j in 0..shape.dummies() {
        let mut column = vec![0; shape.v + shape.rows()];
        let (secrets, rest) = column.split_at_mut(shape.k);
        let (random, rest) = rest.split_at_mut(shape.uniform);
        let (masks, errors) = rest.split_at_mut(3 * shape.digits);
        uniform(file, &key, "secrets", j, claim.secret.into(), secrets);
        uniform(file, &key, "digits", j, shape.bound, random);
        uniform(file, &key, "errors", j, claim.error.into(), errors);
        let mut bytes = [0; 72];
        file.stream(&key, true, Label::new("tautochrone-zk/2 dummy keys, masks"), j as u64)
            .fill(&mut bytes);
        for (bytes, out) in bytes.chunks(24).zip(masks.chunks_mut(shape.digits)) {
            digits(bytes, shape.bound, out);
        }
        all.extend(column);
    }
    let dummies = &all[shape.l * (shape.v + shape.rows())..];
    let of_t = File::new(header, Some(given)).a_times(dummies, shape.v + shape.rows());
    let rounded: Vec<i128> =
        of_t.iter().map(|&t| round(t, file.w, shape.round) << shape.round).collect();
    ([header, &file.bytes[256..], &pack(&rounded, file.r, file.w)].concat(), all)
}
