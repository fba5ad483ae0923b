use proptest::prelude::*;
use tautochrone_simd::Isa;
use tautochrone_simd::vector::Emulated;

use super::super::P;
use super::*;
use crate::field::{Element, residue};

/// Words that carry where they can: 0, 1, p - 1, those next to powers of two of the digits, and
/// any.
fn word() -> impl Strategy<Value = u64> {
    let near = [0, 1, 2, P - 1, P - 2, P / 2, P / 2 + 1, (1 << 52) - 1, 1 << 52, (1 << 60) - 1];
    prop_oneof![prop::sample::select(near.to_vec()), 0..P, Just(P - 1)]
}

fn element() -> impl Strategy<Value = Element> {
    [word(), word(), word()].prop_map(Element::from_residues)
}

fn eight() -> impl Strategy<Value = [Element; 8]> {
    prop::array::uniform8(element())
}

/// An element that is p - 1 in all words: p itself and more where it is not reduced between.
const MAXIMAL: Element = Element::from_residues([P - 1; 3]);

fn of<L: Lanes>(token: L::Token, x: &[Element; 8]) -> L {
    L::gather(token, x)
}

fn elements<L: Lanes>(x: L) -> Vec<Element> {
    let mut elements = vec![Element::ZERO; L::LANES];
    x.scatter(&mut elements);
    assert!(elements.iter().all(|element| element.0.iter().all(|&word| word < P)));
    elements
}

fn each(
    x: &[Element; 8],
    y: &[Element; 8],
    f: impl Fn(Element, Element) -> Element,
) -> Vec<Element> {
    x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect()
}

/// All operations agree with those on single elements.
fn agrees<L: Lanes>(token: L::Token, x: &[Element; 8], y: &[Element; 8]) {
    let (a, b) = (of::<L>(token, x), of::<L>(token, y));
    let check = |got: L, f: &dyn Fn(Element, Element) -> Element| {
        assert!(elements(got) == each(x, y, f)[..L::LANES]);
        assert!(elements(L::load(token, &got.store())) == each(x, y, f)[..L::LANES]);
    };
    check(a, &|x, _| x);
    check(a.add(b), &|x, y| x + y);
    check(a.sub(b), &|x, y| x - y);
    check(a.mul(b), &|x, y| x * y);
    check(a.square(), &|x, _| x * x);
    // Operands that are not reduced.
    check(a.sub(b).mul(a.add(b)), &|x, y| (x - y) * (x + y));
    check(a.sub(b).square(), &|x, y| (x - y) * (x - y));
    check(a.square().square().sub(b.square()), &|x, y| x * x * (x * x) - y * y);
    check(L::splat(token, y[3]).mul(a), &|x, _| x * y[3]);
    for (factor, more) in
        [(0, 0), (145, -20736), (-288, 20736), ((1 << 20) - 1, -1), (1 - (1 << 20), 1)]
    {
        let expected = |x: Element, y: Element| x * factor.into() + y + more.into();
        check(a.times_plus(factor, b, more), &expected);
        check(a.sub(b).times_plus(factor, b.sub(a), more), &|x, y| expected(x - y, y - x));
    }
    let sum = elements(a).iter().fold(Element::ZERO, |sum, &x| sum + x);
    assert!(a.sum() == sum);
    // Few elements: the rest is 0.
    if L::LANES > 1 {
        let mut few = vec![MAXIMAL; 3];
        L::gather(token, &x[..3]).scatter(&mut few);
        assert!(few == x[..3]);
        assert!(elements(L::gather(token, &x[..3]))[3..].iter().all(|x| *x == Element::ZERO));
    }
}

/// Sums of as many products as are summed up before they are reduced.
fn sums_up<L: Lanes>(token: L::Token, x: &[Element; 8], y: &[Element; 8], most: usize) {
    let mut products = L::Products::zero(token);
    let count = L::MAX_PRODUCTS.min(most);
    for _ in 0..count {
        products.add(of::<L>(token, x), of::<L>(token, y));
    }
    let mut squares = L::Products::zero(token);
    (0..count).for_each(|_| squares.add_square(of::<L>(token, x)));
    let count = Element::from(count as i64);
    assert!(elements(products.reduce()) == each(x, y, |x, y| x * y * count)[..L::LANES]);
    assert!(elements(squares.reduce()) == each(x, x, |x, y| x * y * count)[..L::LANES]);
    // Of factors that are as large as they get.
    let mut products = L::Products::zero(token);
    let minus_one = of::<L>(token, &[Element::ZERO; 8]).sub(of(token, &[MAXIMAL; 8]));
    let (a, b) = (of::<L>(token, x).add(minus_one), of::<L>(token, y).add(minus_one));
    for _ in 0..L::MAX_PRODUCTS.min(most) {
        products.add(a, b);
    }
    let one = Element::ZERO - MAXIMAL;
    let expected = each(x, y, |x, y| (x + one) * (y + one) * count);
    assert!(elements(products.reduce()) == expected[..L::LANES]);
}

/// Sums of products with small integers, products of which are small, too.
fn multiplies_integers<L: Lanes>(token: L::Token, integers: [i64; 8], weight: Element) {
    let loaded = L::integers(token, &integers);
    let lanes = |f: &dyn Fn(i64) -> i64| -> Vec<Element> {
        integers[..L::LANES].iter().map(|&x| weight * Element::from(f(x))).collect()
    };
    let all = |x: L::Integer, count: usize| {
        let mut sum = L::Integers::zero(token);
        (0..count).for_each(|_| sum.add(x, weight));
        elements(sum.reduce(weight * Element::from(count as i64)))
    };
    assert!(all(loaded, 1) == lanes(&|x| x));
    let most = L::MAX_INTEGERS.min(1 << 13);
    assert!(all(loaded, most) == lanes(&|x| x * most as i64));
    let expected: Vec<Element> = integers[..L::LANES].iter().map(|&x| x.into()).collect();
    assert!(elements(L::of_integers(loaded)) == expected);
    // Residues, and products of them with the weight.
    let of_residues = |x: L::Residue, count: usize| {
        let mut sum = L::Products::zero(token);
        (0..count).for_each(|_| sum.add_residues(x, weight));
        elements(sum.reduce())
    };
    let residues = L::residues(loaded);
    let most = L::MAX_PRODUCTS.min(300);
    assert!(of_residues(residues, most) == lanes(&|x| x * most as i64));
    let polynomial = residues.square().times_plus(-288, residues, 20736).sub(residues.number(7));
    let expected = |x: i64| {
        let x = Element::from(x);
        weight * (x * x * Element::from(-288) + x + Element::from(20729))
    };
    let expected: Vec<Element> = integers[..L::LANES].iter().map(|&x| expected(x)).collect();
    assert!(of_residues(polynomial, 1) == expected);
    let cube = residues.mul(residues).mul(residues).add(residues);
    let expected =
        integers[..L::LANES].iter().map(|&x| Element::from(x)).map(|x| (x * x * x + x) * weight);
    assert!(of_residues(cube, 1) == expected.collect::<Vec<_>>());
    // Lane by lane.
    let words = integers.map(|x| residue(x.into()));
    let loaded = L::load_residues(token, &words);
    let expected: Vec<Element> = integers[..L::LANES].iter().map(|&x| x.into()).collect();
    assert!(elements(L::of_residues(loaded)) == expected);
    let others = words.map(|x| weight * Element::monomial(x, 1));
    let mut sum = L::Products::zero(token);
    (0..most).for_each(|_| sum.add_scaled(L::gather(token, &others), loaded));
    let scaled = others.iter().zip(integers).map(|(&x, y)| x * Element::from(y));
    let count = Element::from(most as i64);
    let expected: Vec<Element> = scaled.map(|x| x * count).take(L::LANES).collect();
    assert!(elements(sum.reduce()) == expected);
    // Below 2^20, so that products are below 2^42.
    let small = integers.map(|x| x >> 22);
    let loaded = L::integers(token, &small);
    let product = loaded.mul(loaded.add(loaded.number(1))).sub(loaded.number(5));
    let expected: Vec<Element> =
        small[..L::LANES].iter().map(|&x| weight * Element::from(x * (x + 1) - 5)).collect();
    assert!(all(product, 1) == expected);
    assert!(elements(L::of_integers(loaded)) == small.map(Element::from)[..L::LANES]);
}

fn for_all(x: &[Element; 8], y: &[Element; 8], integers: [i64; 8], most: usize) {
    fn check<L: Lanes>(
        token: L::Token,
        x: &[Element; 8],
        y: &[Element; 8],
        integers: [i64; 8],
        most: usize,
    ) {
        agrees::<L>(token, x, y);
        sums_up::<L>(token, x, y, most);
        multiplies_integers::<L>(token, integers, x[0]);
    }
    check::<Element>((), x, y, integers, 20);
    check::<Wide<Emulated<8>>>((), x, y, integers, most);
    for isa in Isa::all() {
        with_lanes!(isa, L, token => check::<L>(token, x, y, integers, most));
    }
}

#[test]
fn extremes_agree() {
    let zero = [Element::ZERO; 8];
    let one = [Element::from_residues([1, 0, 0]); 8];
    let maximal = [MAXIMAL; 8];
    let most = [(1 << 42) - 1, 1 - (1 << 42), 0, -1, 1, 1 << 41, -(1 << 41), 77];
    for x in [zero, one, maximal] {
        for y in [zero, one, maximal] {
            for_all(&x, &y, most, 1 << 13);
            for_all(&x, &y, [most[0]; 8], 1 << 13);
            for_all(&x, &y, [most[1]; 8], 1 << 13);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn lanes_are_elements(
        x in eight(),
        y in eight(),
        integers in prop::array::uniform8(-(1_i64 << 42) + 1..1 << 42),
    ) {
        for_all(&x, &y, integers, 9);
    }
}
