//! How many products of words the rounds for rows take an entry, by numbers that count, beside what
//! methods of the literature take: figures of benches/record.

use core::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::field::{Element, Integers, Products, Ring};

/// Numbers of so many words below p, or small integers, that count the products of words.
#[derive(Clone, Copy)]
struct Counted<R, const WORDS: usize>(R);

type Elements = Counted<Element, 3>;
type Residues = Counted<<Element as Lanes>::Residue, 1>;

/// Products of integers, and of words below p.
static COUNTS: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

fn count(words: usize) {
    COUNTS[usize::from(words > 0)].fetch_add(words.max(1), Ordering::Relaxed);
}

impl<R: Ring, const WORDS: usize> Ring for Counted<R, WORDS> {
    fn number(self, value: i64) -> Self {
        Self(self.0.number(value))
    }
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0))
    }
    fn mul(self, other: Self) -> Self {
        count(WORDS * WORDS);
        Self(self.0.mul(other.0))
    }
    fn square(self) -> Self {
        count(WORDS * (WORDS + 1) / 2);
        Self(self.0.square())
    }
    fn times_plus(self, a: i64, other: Self, b: i64) -> Self {
        count(WORDS);
        Self(self.0.times_plus(a, other.0, b))
    }
}

impl Products<Self> for Elements {
    fn zero((): ()) -> Self {
        Self(Element::ZERO)
    }
    fn add(&mut self, x: Self, y: Self) {
        *self = Ring::add(*self, x.mul(y));
    }
    fn add_square(&mut self, x: Self) {
        *self = Ring::add(*self, x.square());
    }
    fn add_scaled(&mut self, x: Self, residue: Residues) {
        count(3);
        Products::<Element>::add_scaled(&mut self.0, x.0, residue.0);
    }
    fn add_residues(&mut self, x: Residues, weight: Element) {
        count(3);
        Products::<Element>::add_residues(&mut self.0, x.0, weight);
    }
    fn reduce(self) -> Self {
        self
    }
}

impl Integers<Elements> for Counted<<Element as Lanes>::Integers, 3> {
    fn zero((): ()) -> Self {
        Self(Integers::zero(()))
    }
    fn add(&mut self, integer: Counted<i64, 0>, weight: Element) {
        count(3);
        Integers::<Element>::add(&mut self.0, integer.0, weight);
    }
    fn reduce(self, weights: Element) -> Elements {
        Counted(Integers::<Element>::reduce(self.0, weights))
    }
}

impl Lanes for Elements {
    type Token = ();
    type Stored = Element;
    type Integer = Counted<i64, 0>;
    type Residue = Residues;
    type Products = Self;
    type Integers = Counted<<Element as Lanes>::Integers, 3>;
    type Factors = ();

    const LANES: usize = 1;
    const MAX_PRODUCTS: usize = <Element as Lanes>::MAX_PRODUCTS;
    const MAX_INTEGERS: usize = <Element as Lanes>::MAX_INTEGERS;

    fn token(self) {}
    fn splat((): (), x: Element) -> Self {
        Self(x)
    }
    fn load((): (), stored: &Element) -> Self {
        Self(*stored)
    }
    fn store(self) -> Element {
        self.0
    }
    fn gather((): (), elements: &[Element]) -> Self {
        Self(elements[0])
    }
    fn scatter(self, elements: &mut [Element]) {
        elements[0] = self.0;
    }
    fn integers((): (), words: &[i64]) -> Counted<i64, 0> {
        Counted(words[0])
    }
    fn of_integers(integers: Counted<i64, 0>) -> Self {
        Self(integers.0.into())
    }
    fn residues(integers: Counted<i64, 0>) -> Residues {
        Counted(Element::residues(integers.0))
    }
    fn load_residues((): (), words: &[u64]) -> Residues {
        Counted(Element::load_residues((), words))
    }
    fn of_residues(residues: Residues) -> Self {
        Self(Element::of_residues(residues.0))
    }
    fn sum(self) -> Element {
        self.0
    }
    fn table(tables: &mut Tables<P61>) -> &mut Option<Zeroizing<Vec<Element>>> {
        &mut tables.one
    }
}

/// Words an entry of the sum-check whose rounds are all in K, for P of degree d: of a pair of entries
/// all d + 1 values of the round polynomial beside the claim, each with d - 1 products for P and one
/// for its weight, one product to halve the table and one for the weights; there are as many pairs in
/// all rounds as entries in the first (Thaler, CRYPTO 2013).
const fn in_field(degree: usize) -> usize {
    9 * ((degree + 1) * degree + 2)
}

/// The same with eq factored out (Gruen, eprint 2024/108) and the first t rounds in small integers, as
/// t is best (Bagad, Dao, Domb, Thaler, eprint 2025/1117): (d + 1)^t - 2^t products of an integer with
/// an element for 2^t entries, and one for each entry to bind t variables; then d values of a pair
/// beside the claim, each with d - 1 products and one for its weight, and one to halve the table.
fn small_values(degree: usize) -> f64 {
    let words = |t: i32| {
        let (points, block) = ((degree as f64 + 1.0).powi(t), 2_f64.powi(t));
        3.0 * (points / block - 1.0) + 3.0 + 9.0 * (degree * degree + 1) as f64 / block
    };
    (1..8).map(words).fold(f64::INFINITY, f64::min)
}

#[test]
fn products_are_as_few_as_those_of_known_methods() {
    const ROWS: u32 = 512;
    let columns = 64;
    let bits = RowRange { first_row: 0, rows: ROWS, low: 0, high: 1 };
    let norm =
        RowNorm { first_row: 0, rows: ROWS, bound_squared: 100_000, first_bit: ROWS, bits: 2 };
    let bit_rows = RowRange { first_row: ROWS, rows: 2, ..bits };
    let wide =
        |low, high| (Ranges::new(vec![RowRange { low, high, ..bits }]).unwrap(), high - low + 1);
    let norms = Ranges::with_norms(vec![bit_rows], vec![norm]).unwrap();
    let mut ours = Vec::new();
    for (ranges, degree) in [
        wide(0, 1),
        wide(-1, 1),
        wide(-2, 2),
        wide(-8, 8),
        wide(-10, 10),
        wide(-12, 12),
        (norms, 2),
    ] {
        let case = Case::new(ranges, ROWS + 2, columns);
        let got = case.play::<Elements>((Isa::PORTABLE, ()), 1 << 26, true);
        assert!(got == case.play::<Element>((Isa::PORTABLE, ()), 1 << 26, true));
        let entries = f64::from(ROWS) * columns as f64;
        let [integers, words] =
            COUNTS.each_ref().map(|count| count.swap(0, Ordering::Relaxed) as f64 / entries);
        let known = small_values(degree as usize);
        println!(
            "| {degree} | {integers:.1} | {words:.1} | {known:.1} | {} |",
            in_field(degree as usize)
        );
        ours.push((words, known));
    }
    for (words, known) in ours {
        // The sums of every column are multiplied with its weight, too.
        assert!(words < 1.1 * known, "{words} {known}");
    }
}
