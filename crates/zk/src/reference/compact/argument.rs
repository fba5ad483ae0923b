//! What all arguments have: elements of K and polynomials over it, a transcript, and the values of
//! columns, to which the challenge is bound.

use std::cell::Cell;

use super::*;

/// p of all but some circuits.
pub(super) const P: i128 = Field::P61.p();

/// F of p = 2^bits - c elements, and K = F[X] / (X^degree - power).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    bits: u32,
    c: u128,
    pub(super) degree: usize,
    power: i128,
}

impl Field {
    pub(crate) const P61: Self = Self { bits: 61, c: 1, degree: 3, power: 5 };
    pub(crate) const GOLDILOCKS: Self = Self { bits: 64, c: (1 << 32) - 1, degree: 3, power: 2 };
    pub(crate) const P127: Self = Self { bits: 127, c: 1, degree: 2, power: i128::MAX - 1 };

    pub(super) const fn p(self) -> i128 {
        ((1 << self.bits) - self.c) as i128
    }

    /// Bytes of a coefficient.
    pub(super) fn word_len(self) -> usize {
        8 * self.bits.div_ceil(64) as usize
    }

    /// x modulo p. As 2^bits is c, what is above so many bits counts c times.
    #[inline(always)]
    fn modulo(self, mut x: u128) -> i128 {
        while x >> self.bits > 0 {
            x = x % (1 << self.bits) + (x >> self.bits) * self.c;
        }
        let p = self.p() as u128;
        (if x >= p { x - p } else { x }) as i128
    }

    /// x + y of residues.
    #[inline(always)]
    fn plus(self, x: i128, y: i128) -> i128 {
        let (sum, p) = (x as u128 + y as u128, self.p() as u128);
        (if sum >= p { sum - p } else { sum }) as i128
    }

    /// x y of residues.
    #[inline(always)]
    fn times(self, x: i128, y: i128) -> i128 {
        let by = |x: u64, y: u64| u128::from(x) * u128::from(y);
        let ([x0, x1], [y0, y1]) = ([x, x >> 64].map(|x| x as u64), [y, y >> 64].map(|y| y as u64));
        if self.bits <= 64 {
            return self.modulo(by(x0, y0));
        }
        let middle = self.modulo(by(x0, y1) + by(x1, y0)) as u128;
        // 2^64 times that, and 2^128 = 2, as p is 2^127 - 1.
        let middle = self.modulo((middle % (1 << 63) << 64) + (middle >> 63));
        self.plus(self.plus(self.modulo(by(x0, y0)), self.modulo(2 * by(x1, y1))), middle)
    }

    #[inline(always)]
    fn multiply(self, x: Element, y: Element) -> Element {
        let mut product = [0; 5];
        for i in 0..self.degree {
            for j in 0..self.degree {
                product[i + j] = self.plus(product[i + j], self.times(x[i], y[j]));
            }
        }
        for k in self.degree..2 * self.degree - 1 {
            let high = self.times(self.power, core::mem::take(&mut product[k]));
            product[k - self.degree] = self.plus(product[k - self.degree], high);
        }
        [product[0], product[1], product[2]]
    }
}

std::thread_local! {
    static FIELD: Cell<Field> = const { Cell::new(Field::P61) };
}

/// All is over this field from here on, on this thread.
pub(super) fn choose(field: Field) {
    FIELD.set(field);
}

pub(super) fn field() -> Field {
    FIELD.get()
}

/// f of the field, compiled for each: its numbers are constants.
#[inline(always)]
fn in_field<T>(f: impl Fn(Field) -> T) -> T {
    match FIELD.get() {
        Field::P61 => f(Field::P61),
        Field::GOLDILOCKS => f(Field::GOLDILOCKS),
        _ => f(Field::P127),
    }
}

/// x y of residues.
pub(super) fn times(x: i128, y: i128) -> i128 {
    in_field(|field| field.times(x, y))
}

/// x + y of residues.
pub(super) fn plus(x: i128, y: i128) -> i128 {
    in_field(|field| field.plus(x, y))
}

/// Any integer as a residue.
pub(super) fn residue(x: i128) -> i128 {
    let size = in_field(|field| field.modulo(x.unsigned_abs()));
    if x < 0 && size > 0 { field().p() - size } else { size }
}

pub(super) const ZERO: Element = [0; 3];
pub(super) const ONE: Element = [1, 0, 0];

/// An element of K by its coefficients, 0 from D on.
pub(super) type Element = [i128; 3];

pub(super) fn add(x: Element, y: Element) -> Element {
    [0, 1, 2].map(|i| plus(x[i], y[i]))
}

pub(super) fn multiply(x: Element, y: Element) -> Element {
    in_field(|field| field.multiply(x, y))
}

/// A rational number times an element.
pub(super) fn scale(x: Element, by: i128) -> Element {
    let by = residue(by);
    x.map(|coefficient| times(coefficient, by))
}

pub(super) fn encode(elements: &[Element]) -> Vec<u8> {
    let (degree, len) = (field().degree, field().word_len());
    let words = elements.iter().flat_map(|element| &element[..degree]);
    words.flat_map(|word| word.to_le_bytes().into_iter().take(len)).collect()
}

/// The elements of these bytes, if all coefficients are residues.
pub(super) fn decode(bytes: &[u8]) -> Option<Vec<Element>> {
    let words: Vec<u128> = bytes.chunks(field().word_len()).map(number).collect();
    let element = |words: &[u128]| {
        let word = |i| words.get(i).map_or(0, |&word| word as i128);
        [0, 1, 2].map(word)
    };
    let reduced = words.iter().all(|&word| word < field().p() as u128);
    reduced.then(|| words.chunks(field().degree).map(element).collect())
}

pub(super) fn minus(x: Element, y: Element) -> Element {
    add(x, y.map(|y| residue(-y)))
}

pub(super) fn power(x: Element, exponent: usize) -> Element {
    (0..exponent).fold(ONE, |y, _| multiply(y, x))
}

/// eq(r, i).
pub(super) fn eq(r: &[Element], i: usize) -> Element {
    let factor = |(t, &r): (usize, &Element)| if i >> t & 1 == 1 { r } else { minus(ONE, r) };
    r.iter().enumerate().map(factor).fold(ONE, multiply)
}

/// prod of x - i.
pub(super) fn product(x: Element, (low, high): (i32, i32)) -> Element {
    (low..=high).fold(ONE, |y, i| multiply(y, minus(x, [residue(i.into()), 0, 0])))
}

/// The coefficients of a polynomial times a + b X.
pub(super) fn times_line(polynomial: &[Element], [a, b]: [Element; 2]) -> Vec<Element> {
    let (zero, same) = ([ZERO], polynomial.iter());
    let shifted = zero.iter().chain(polynomial);
    shifted.zip(same.chain(&zero)).map(|(&x, &y)| add(multiply(b, x), multiply(a, y))).collect()
}

pub(super) fn dot(x: &[Element], y: &[Element]) -> Element {
    sum(x.iter().zip(y).map(|(&x, &y)| multiply(x, y)))
}

/// The sum of some elements.
pub(super) fn sum(elements: impl Iterator<Item = Element>) -> Element {
    elements.fold(ZERO, add)
}

/// The least number of variables with so many places.
pub(super) fn variables(count: usize) -> usize {
    (0..64).find(|&t| 1 << t >= count).unwrap()
}

/// What the coefficients of 1, X^2, .., X^e that rounds send count of the last claim.
pub(super) fn message_weights(r: &[Element], e: usize) -> Vec<Element> {
    let mut weights = Vec::new();
    for (t, &x) in r.iter().enumerate() {
        let tail = r[t + 1..].iter().copied().fold(ONE, multiply);
        weights.push(multiply(tail, minus(minus(ONE, x), x)));
        weights.extend((2..=e).map(|d| multiply(tail, minus(power(x, d), x))));
    }
    weights
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
            sum(self.form.iter().map(|&(row, weight)| scale(weight, column[row])))
        };
        columns.chunks(rows).map(image).collect()
    }

    pub(super) fn delta(&self, y: &[i128], rows: usize) -> Vec<u8> {
        encode(&self.images(y, rows))
    }
}

/// A transcript.
pub(super) struct Chain {
    pub(super) state: Digest,
}

pub(super) fn chained(tag: &str, fields: &[impl AsRef<[u8]>]) -> Digest {
    hash(HashSuite::Blake3, tag, fields)
}

impl Chain {
    pub(super) fn absorb(&mut self, label: &str, message: &[Element]) {
        let fields = [self.state.as_bytes(), label.as_bytes(), &encode(message)];
        self.state = chained("argument message", &fields);
    }

    /// Absorbs the messages of rounds, each of so many elements, and draws the point of their
    /// challenges.
    pub(super) fn rounds(
        &mut self,
        [message, challenge]: [&str; 2],
        all: &[Element],
        len: usize,
    ) -> Vec<Element> {
        let round = |sent: &[Element]| {
            self.absorb(message, sent);
            self.challenge(challenge)
        };
        all.chunks(len).map(round).collect()
    }

    /// So many challenges.
    pub(super) fn point(&mut self, label: &str, count: usize) -> Vec<Element> {
        (0..count).map(|_| self.challenge(label)).collect()
    }

    pub(super) fn challenge(&mut self, label: &str) -> Element {
        self.state = chained("argument challenge", &[self.state.as_bytes(), label.as_bytes()]);
        let input = input("argument element", &[self.state.as_bytes()]);
        let mut bytes = [0; 72];
        blake3::Hasher::new().update(&input).finalize_xof().fill(&mut bytes);
        let mut element = ZERO;
        let len = field().word_len() + 16;
        for (residue, bytes) in element[..field().degree].iter_mut().zip(bytes.chunks(len)) {
            let bytes = bytes.iter().rev();
            *residue = bytes.fold(0, |number, &byte| plus(times(256, number), byte.into()));
        }
        element
    }
}

impl File<'_> {
    /// The transcript from D_0 on, which ends with these fields.
    pub(super) fn begin(&self, last: &[Vec<u8>]) -> Chain {
        let first = [
            eight_bytes(self.w as usize),
            eight_bytes(self.bytes[11].into()),
            self.bytes[96..160].to_vec(),
            eight_bytes(self.r),
            eight_bytes(self.v),
            eight_bytes(self.l),
            eight_bytes(self.dt as usize),
        ];
        let (rows, _, of_messages) = self.messages;
        let mut last = last.to_vec();
        if rows > 0 {
            let bounds = [of_messages, self.norm_bound_squared].map(|b| b.to_le_bytes().to_vec());
            last.splice(0..0, [eight_bytes(rows)].into_iter().chain(bounds));
        }
        let blocks = self.block_hashes();
        Chain { state: hash_list(HashSuite::Blake3, "argument", &first, &blocks, &last) }
    }

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
