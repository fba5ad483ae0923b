//! Proofs of facts: a transcript of m, rho and the values of columns, to which the challenge is
//! bound.

use super::*;

pub(super) const P: i128 = (1 << 61) - 1;

/// An element of K by its coefficients.
pub(super) type Element = [i128; 3];

pub(super) fn add(x: Element, y: Element) -> Element {
    [0, 1, 2].map(|i| (x[i] + y[i]).rem_euclid(P))
}

/// By X^3 = 5.
pub(super) fn multiply(x: Element, y: Element) -> Element {
    let mut product = [0; 3];
    for (i, x) in x.into_iter().enumerate() {
        for (j, y) in y.into_iter().enumerate() {
            let factor = if i + j < 3 { 1 } else { 5 };
            let place = (i + j) % 3;
            product[place] = (product[place] + x * y % P * factor) % P;
        }
    }
    product
}

/// A rational number times an element.
pub(super) fn scale(x: Element, by: i128) -> Element {
    multiply(x, [by.rem_euclid(P), 0, 0])
}

pub(super) fn encode(elements: &[Element]) -> Vec<u8> {
    elements.iter().flatten().flat_map(|&word| (word as u64).to_le_bytes()).collect()
}

/// What the challenge of a proof is bound to: D_end, and phi by rows.
pub(crate) struct Argument {
    pub(super) state: Digest,
    pub(super) form: Vec<(usize, Element)>,
}

impl Argument {
    /// phi of columns of so many rows.
    pub(super) fn images(&self, columns: &[i128], rows: usize) -> Vec<Element> {
        let image = |column: &[i128]| {
            let terms = self.form.iter().map(|&(row, weight)| scale(weight, column[row]));
            terms.fold([0; 3], add)
        };
        columns.chunks(rows).map(image).collect()
    }

    pub(super) fn delta(&self, y: &[i128], rows: usize) -> Vec<u8> {
        encode(&self.images(y, rows))
    }
}

/// sum over rows i and columns j of lambda_i g_j s_ij = value, in the slot of pads from a row on.
#[derive(Clone)]
pub(crate) struct Sum {
    pub(crate) first_row: usize,
    pub(crate) rows: Vec<(usize, i64)>,
    pub(crate) columns: Vec<(usize, i64)>,
    pub(crate) value: i64,
}

impl Sum {
    /// As it enters D_0.
    pub(super) fn fields(&self) -> Vec<Vec<u8>> {
        let number = |number: usize| (number as u64).to_le_bytes().to_vec();
        let pairs = |pairs: &[(usize, i64)]| -> Vec<u8> {
            pairs
                .iter()
                .flat_map(|&(at, x)| [number(at), x.to_le_bytes().to_vec()].concat())
                .collect()
        };
        let value = self.value.to_le_bytes().to_vec();
        vec![number(1), pairs(&self.rows), pairs(&self.columns), value]
    }
}

/// A fact in its transcript.
pub(super) struct Chain {
    pub(super) state: Digest,
}

pub(super) fn chained(tag: &str, fields: &[&[u8]]) -> Digest {
    hash(Function { suite: HashSuite::Blake3, domain: "tautochrone-zk/2" }, tag, fields)
}

impl Chain {
    pub(super) fn absorb(&mut self, label: &str, message: &[Element]) {
        let fields = [self.state.as_bytes(), label.as_bytes(), &encode(message)];
        self.state = chained("argument message", &fields);
    }

    pub(super) fn challenge(&mut self, label: &str) -> Element {
        self.state = chained("argument challenge", &[self.state.as_bytes(), label.as_bytes()]);
        let input = input("tautochrone-zk/2", "argument element", &[self.state.as_bytes()]);
        let mut bytes = [0; 72];
        blake3::Hasher::new().update(&input).finalize_xof().fill(&mut bytes);
        let residue = |at: usize| {
            let bytes = bytes[24 * at..24 * (at + 1)].iter().rev();
            bytes.fold(0, |number, &byte| (256 * number + i128::from(byte)) % P)
        };
        [residue(0), residue(1), residue(2)]
    }
}

impl File<'_> {
    /// The transcript of a sum from D_0 on.
    fn chain(&self, sum: &Sum) -> Chain {
        let number = |number: usize| (number as u64).to_le_bytes().to_vec();
        let start = vec![number(sum.first_row), number(2)];
        self.begin(&[start, sum.fields()].concat())
    }

    /// The transcript from D_0 on, which ends with these fields.
    pub(super) fn begin(&self, last: &[Vec<u8>]) -> Chain {
        let number = |number: usize| (number as u64).to_le_bytes().to_vec();
        let first = [
            (P as u64).to_le_bytes().to_vec(),
            number(self.w as usize),
            number(self.bytes[11].into()),
            self.bytes[96..160].to_vec(),
            number(self.r),
            number(self.v),
            number(self.l),
            number(self.dt as usize),
        ];
        let [first, last] = [&first[..], last]
            .map(|fields| fields.iter().map(|field| &field[..]).collect::<Vec<_>>());
        let function = Function { suite: HashSuite::Blake3, domain: "tautochrone-zk/2" };
        Chain { state: hash_list(function, "argument", &first, &self.block_hashes(), &last) }
    }

    /// rho, and the argument that m and y make.
    fn argument(
        &self,
        sum: &Sum,
        m: Element,
        y: impl FnOnce(Element) -> Vec<Element>,
    ) -> (Element, Argument, Vec<Element>) {
        let mut chain = self.chain(sum);
        chain.absorb("mask", &[m]);
        let rho = chain.challenge("rho");
        let y = y(rho);
        chain.absorb("values", &y);
        let data = sum.rows.iter().map(|&(row, weight)| (row, scale(rho, weight.into())));
        let form = data.chain(pad(sum.first_row)).collect();
        (rho, Argument { state: chain.state, form }, y)
    }
}

impl File<'_> {
    /// Whether W_H and delta, which the forms' images of Z and the values of the columns give, hash
    /// to the challenge.
    pub(super) fn answer(
        &self,
        [digest, challenge_hash]: [&Digest; 2],
        high: &[i128],
        argument: &Argument,
        images: Vec<Element>,
        y: &[Element],
    ) -> Answer {
        let c = self.challenge(challenge_hash);
        let delta = images.into_iter().enumerate().map(|(k, image)| {
            y.iter().zip(&c).fold(image, |sum, (&y, row)| add(sum, scale(y, -i128::from(row[k]))))
        });
        let delta = (&argument.state, encode(&delta.collect::<Vec<_>>()));
        if self.challenge_hash(digest, high, Some(delta)) == *challenge_hash {
            Answer::Valid
        } else {
            Answer::Invalid
        }
    }
}

/// The weights of a pad.
pub(super) fn pad(first_row: usize) -> impl Iterator<Item = (usize, Element)> {
    (0..81).map(move |i| {
        let mut weight = [0; 3];
        weight[i / 27] = 5_i128.pow((i % 27) as u32);
        (first_row + i, weight)
    })
}

fn weighted(x: &[Element], weights: &[(usize, i64)]) -> Element {
    weights.iter().fold([0; 3], |sum, &(j, g)| add(sum, scale(x[j], g.into())))
}

/// The file that a reproducible prover writes.
pub(crate) fn prove(
    file: &[u8],
    s: &[i128],
    context: &[u8],
    sum: &Sum,
    seed: &[u8; 32],
) -> Vec<u8> {
    let file = File::new(file, None);
    let at = |form: &[(usize, Element)]| -> Vec<Element> {
        let image = |s: &[i128]| {
            form.iter().fold([0; 3], |x, &(row, weight)| add(x, scale(weight, s[row])))
        };
        s.chunks(file.v).map(image).collect()
    };
    let data = at(&sum
        .rows
        .iter()
        .map(|&(row, x)| (row, [i128::from(x).rem_euclid(P), 0, 0]))
        .collect::<Vec<_>>());
    let pads = at(&pad(sum.first_row).collect::<Vec<_>>());
    let m = weighted(&pads, &sum.columns);
    let values =
        |rho| pads.iter().zip(&data).map(|(&pad, &x)| add(pad, multiply(rho, x))).collect();
    let (_, argument, y) = file.argument(sum, m, values);
    let (digest, challenge_hash, z, hints) = file.respond(s, context, seed, Some(&argument));
    file.fact_proof(sum, m, &y, &digest, &challenge_hash, [&z, &hints])
}

impl File<'_> {
    fn fact_proof(
        &self,
        sum: &Sum,
        m: Element,
        y: &[Element],
        digest: &Digest,
        challenge_hash: &Digest,
        response: [&[i128]; 2],
    ) -> Vec<u8> {
        let between = [self.chain(sum).state.as_bytes(), &encode(&[m]), &encode(y)].concat();
        self.proof_file(b"TCZKfct\0", &between, digest, challenge_hash, response)
    }
}

/// The checks of docs/format.md.
pub(crate) fn verify(file: &[u8], context: &[u8], sum: &Sum, proof: &[u8]) -> Answer {
    let file = File::new(file, None);
    let digest = file.digest(context);
    let header = 24 + 32 + 24 * (1 + file.l);
    if is_malformed(b"TCZKfct\0", header + 64 + file.longest_body(), proof) {
        return Answer::Malformed;
    }
    let Some((between, body)) = proof[24..].split_at_checked(header - 24) else {
        return Answer::Invalid;
    };
    let element = |bytes: &[u8]| [0, 8, 16].map(|at| number(&bytes[at..at + 8]) as i128);
    let mut elements: Vec<Element> = between[32..].chunks(24).map(element).collect();
    let m = elements.remove(0);
    let reduced = elements.iter().chain([&m]).flatten().all(|&word| word < P);
    let decoded = file.decode(body, &digest).filter(|(hash, z, hints)| {
        reduced && file.fact_proof(sum, m, &elements, &digest, hash, [z, hints]) == proof
    });
    let Some((challenge_hash, z, hints)) = decoded else { return Answer::Invalid };
    let (rho, argument, y) = file.argument(sum, m, |_| elements);
    let equation = weighted(&y, &sum.columns) == add(scale(rho, sum.value.into()), m);
    let Some(w) = file.w_high(&z, &hints, &challenge_hash).filter(|_| equation) else {
        return Answer::Invalid;
    };
    let images = argument.images(&z, file.v - file.r);
    file.answer([&digest, &challenge_hash], &w, &argument, images, &y)
}
