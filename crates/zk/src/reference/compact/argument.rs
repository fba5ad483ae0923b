//! What all arguments have: elements of K and polynomials over it, a transcript, and the values of
//! columns, to which the challenge is bound.

use std::cell::Cell;

use super::*;

/// p of all but some circuits.
pub(super) const P: i128 = (1 << 61) - 1;

/// A field F, and K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// p = 2^61 - 1, X^3 = 5.
    P61,
    /// p = 2^64 - 2^32 + 1, X^3 = 2.
    Goldilocks,
    /// p = 2^127 - 1, X^2 = -1.
    P127,
}

std::thread_local! {
    static FIELD: Cell<Field> = const { Cell::new(Field::P61) };
}

/// All is over this field from here on, on this thread.
pub(super) fn choose(field: Field) {
    FIELD.set(field);
}

/// p, D and X^D.
pub(super) fn field() -> (i128, usize, i128) {
    match FIELD.get() {
        Field::P61 => (P, 3, 5),
        Field::Goldilocks => ((1 << 64) - (1 << 32) + 1, 3, 2),
        Field::P127 => (i128::MAX, 2, i128::MAX - 1),
    }
}

/// Bytes of a coefficient.
pub(super) fn word_len() -> usize {
    if field().1 == 2 { 16 } else { 8 }
}

/// x modulo p = 2^BITS - C. As 2^BITS is C, what is above BITS bits counts C times.
#[inline(always)]
fn modulo<const BITS: u32, const C: u128>(mut x: u128) -> i128 {
    let (p, low) = ((1 << BITS) - C, (1 << BITS) - 1);
    while x >> BITS > 0 {
        x = (x & low) + (x >> BITS) * C;
    }
    (if x >= p { x - p } else { x }) as i128
}

/// x + y of residues modulo 2^BITS - C.
#[inline(always)]
fn plus_modulo<const BITS: u32, const C: u128>(x: i128, y: i128) -> i128 {
    let (sum, p) = (x as u128 + y as u128, (1 << BITS) - C);
    (if sum >= p { sum - p } else { sum }) as i128
}

/// x y of residues modulo 2^BITS - C.
#[inline(always)]
fn times_modulo<const BITS: u32, const C: u128>(x: i128, y: i128) -> i128 {
    let (modulo, plus) = (modulo::<BITS, C>, plus_modulo::<BITS, C>);
    let by = |x: u64, y: u64| u128::from(x) * u128::from(y);
    let (x0, y0) = (x as u64, y as u64);
    if BITS <= 64 {
        return modulo(by(x0, y0));
    }
    let (x1, y1) = ((x >> 64) as u64, (y >> 64) as u64);
    let middle = modulo(by(x0, y1) + by(x1, y0)) as u128;
    // 2^64 times that, and 2^128 = 2, as p is 2^127 - 1.
    let middle = modulo((middle % (1 << 63) << 64) + (middle >> 63));
    plus(plus(modulo(by(x0, y0)), modulo(2 * by(x1, y1))), middle)
}

/// x y of residues.
pub(super) fn times(x: i128, y: i128) -> i128 {
    match FIELD.get() {
        Field::P61 => times_modulo::<61, 1>(x, y),
        Field::Goldilocks => times_modulo::<64, 0xffff_ffff>(x, y),
        Field::P127 => times_modulo::<127, 1>(x, y),
    }
}

/// x + y of residues.
pub(super) fn plus(x: i128, y: i128) -> i128 {
    match FIELD.get() {
        Field::P61 => plus_modulo::<61, 1>(x, y),
        Field::Goldilocks => plus_modulo::<64, 0xffff_ffff>(x, y),
        Field::P127 => plus_modulo::<127, 1>(x, y),
    }
}

/// Any integer as a residue.
pub(super) fn residue(x: i128) -> i128 {
    let size = match FIELD.get() {
        Field::P61 => modulo::<61, 1>(x.unsigned_abs()),
        Field::Goldilocks => modulo::<64, 0xffff_ffff>(x.unsigned_abs()),
        Field::P127 => modulo::<127, 1>(x.unsigned_abs()),
    };
    if x < 0 && size > 0 { field().0 - size } else { size }
}

pub(super) const ZERO: Element = [0; 3];
pub(super) const ONE: Element = [1, 0, 0];

/// An element of K by its coefficients, 0 from D on.
pub(super) type Element = [i128; 3];

pub(super) fn add(x: Element, y: Element) -> Element {
    [0, 1, 2].map(|i| plus(x[i], y[i]))
}

/// By X^D = c.
#[inline(always)]
fn multiply_modulo<const BITS: u32, const C: u128, const D: usize>(
    (x, y): (Element, Element),
    c: i128,
) -> Element {
    let (plus, times) = (plus_modulo::<BITS, C>, times_modulo::<BITS, C>);
    let mut product = [0; 5];
    for i in 0..D {
        for j in 0..D {
            product[i + j] = plus(product[i + j], times(x[i], y[j]));
        }
    }
    for k in D..2 * D - 1 {
        product[k - D] = plus(product[k - D], times(c, product[k]));
        product[k] = 0;
    }
    [product[0], product[1], product[2]]
}

pub(super) fn multiply(x: Element, y: Element) -> Element {
    match FIELD.get() {
        Field::P61 => multiply_modulo::<61, 1, 3>((x, y), 5),
        Field::Goldilocks => multiply_modulo::<64, 0xffff_ffff, 3>((x, y), 2),
        Field::P127 => multiply_modulo::<127, 1, 2>((x, y), i128::MAX - 1),
    }
}

/// A rational number times an element.
pub(super) fn scale(x: Element, by: i128) -> Element {
    let by = residue(by);
    x.map(|coefficient| times(coefficient, by))
}

pub(super) fn encode(elements: &[Element]) -> Vec<u8> {
    let (degree, len) = (field().1, word_len());
    let words = elements.iter().flat_map(|element| &element[..degree]);
    words.flat_map(|word| word.to_le_bytes().into_iter().take(len)).collect()
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
    x.iter().zip(y).fold([0; 3], |sum, (&x, &y)| add(sum, multiply(x, y)))
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
            let terms = self.form.iter().map(|&(row, weight)| scale(weight, column[row]));
            terms.fold([0; 3], add)
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

    pub(super) fn challenge(&mut self, label: &str) -> Element {
        self.state = chained("argument challenge", &[self.state.as_bytes(), label.as_bytes()]);
        let input = input("argument element", &[self.state.as_bytes()]);
        let mut bytes = [0; 72];
        blake3::Hasher::new().update(&input).finalize_xof().fill(&mut bytes);
        let mut element = ZERO;
        let len = word_len() + 16;
        for (residue, bytes) in element[..field().1].iter_mut().zip(bytes.chunks(len)) {
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
