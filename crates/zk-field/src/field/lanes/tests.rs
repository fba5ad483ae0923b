use proptest::prelude::*;
use tautochrone_simd::Isa;
use tautochrone_simd::vector::Emulated;

use super::*;
use crate::field::P127;
use crate::field::tests::element;

fn eight<F: Field>() -> impl Strategy<Value = [ElementOf<F>; 8]> {
    prop::array::uniform8(element())
}

/// An element that is p - 1 in all words: p itself and more where it is not reduced between.
fn maximal<F: Field>() -> ElementOf<F> {
    let minus_one = F::residue(-1);
    ElementOf::from_residues(F::Coefficients::ZERO.map(|_| minus_one))
}

/// Operands, of which there are as many as any lanes have.
type Eights<F> = [[ElementOf<F>; 8]; 2];

fn elements<F: Field, L: Lanes<F>>(x: L) -> Vec<ElementOf<F>> {
    let mut elements = vec![ElementOf::ZERO; L::LANES];
    x.scatter(&mut elements);
    assert!(elements.iter().all(|element| element.0.as_ref().iter().all(|&word| word < F::P)));
    elements
}

/// That lanes hold what they should.
#[track_caller]
fn is<F: Field, L: Lanes<F>>(got: L, expected: impl Fn(usize) -> ElementOf<F>) {
    let expected: Vec<_> = (0..L::LANES).map(expected).collect();
    assert!(elements(got) == expected);
}

/// All operations agree with those on single elements.
fn agrees<F: Field, L: Lanes<F>>(token: L::Token, [x, y]: &Eights<F>) {
    let [a, b] = [x, y].map(|x| L::gather(token, x));
    let check = |got: L, f: &dyn Fn(ElementOf<F>, ElementOf<F>) -> ElementOf<F>| {
        is(got, |lane| f(x[lane], y[lane]));
        is(L::load(token, &got.store()), |lane| f(x[lane], y[lane]));
    };
    // Compiled once each.
    let (mul, square) = (|x: L, y: L| x.mul(y), |x: L| x.square());
    let line_at = |x: L, y: L, t: L| x.line_at(y, t);
    let times_plus = |x: L, factor: i64, y: L, more: i64| x.times_plus(factor, y, more);
    check(a, &|x, _| x);
    check(a.add(b), &|x, y| x + y);
    check(a.sub(b), &|x, y| x - y);
    check(mul(a, b), &|x, y| x * y);
    check(square(a), &|x, _| x * x);
    // Operands that are not reduced.
    check(mul(a.sub(b), a.add(b)), &|x, y| (x - y) * (x + y));
    check(square(a.sub(b)), &|x, y| (x - y) * (x - y));
    check(square(square(a)).sub(square(b)), &|x, y| x * x * (x * x) - y * y);
    check(mul(L::splat(token, y[3]), a), &|x, _| x * y[3]);
    check(line_at(a, b, L::splat(token, y[3])), &|x, y0| x + (y0 - x) * y[3]);
    check(line_at(b.sub(a), a.sub(b), a), &|x, y| y - x + x * (x - y + x - y));
    for (factor, more) in
        [(0, 0), (145, -20736), (-288, 20736), ((1 << 20) - 1, -1), (1 - (1 << 20), 1)]
    {
        let expected = |x: ElementOf<F>, y: ElementOf<F>| x * factor.into() + y + more.into();
        check(times_plus(a, factor, b, more), &expected);
        check(times_plus(a.sub(b), factor, b.sub(a), more), &|x, y| expected(x - y, y - x));
    }
    let sum = elements(a).iter().fold(ElementOf::<F>::ZERO, |sum, &x| sum + x);
    assert!(a.sum() == sum);
    // Few elements: the rest is 0.
    if L::LANES > 1 {
        let few: L = L::gather(token, &x[..3]);
        is(few, |lane| if lane < 3 { x[lane] } else { ElementOf::ZERO });
        let mut scattered = [maximal(); 3];
        few.scatter(&mut scattered);
        assert!(scattered == x[..3]);
    }
}

/// Sums of as many products as are summed up before they are reduced.
fn sums_up<F: Field, L: Lanes<F>>(token: L::Token, [x, y]: &Eights<F>, most: usize) {
    let count = L::MAX_PRODUCTS.min(most);
    let sum = |add: &dyn Fn(&mut L::Products)| {
        let mut products = L::Products::zero(token);
        (0..count).for_each(|_| add(&mut products));
        products.reduce()
    };
    let times = ElementOf::<F>::from(count as i64);
    let [a, b] = [x, y].map(|x| L::gather(token, x));
    is(sum(&|products| products.add(a, b)), |lane| x[lane] * y[lane] * times);
    is(sum(&|products| products.add_square(a)), |lane| x[lane] * x[lane] * times);
    // Of factors that are as large as they get.
    let one = ElementOf::<F>::ZERO - maximal();
    let minus_one = L::splat(token, ElementOf::ZERO).sub(L::splat(token, maximal()));
    let (a, b) = (a.add(minus_one), b.add(minus_one));
    is(sum(&|products| products.add(a, b)), |lane| (x[lane] + one) * (y[lane] + one) * times);
}

/// Coefficients of z^3 - z on lines, of as many pairs as are summed up, of both kinds.
fn adds_cubes<F: Field, L: Lanes<F>>(
    token: L::Token,
    [x, y]: &Eights<F>,
    root: ElementOf<F>,
    most: usize,
) {
    let third = ElementOf::<F>::from(3).inverse();
    let count = L::MAX_PRODUCTS.min(most);
    // The first row is not reduced.
    let [a, b] = [x, y].map(|x| L::gather(token, x));
    let a = a.sub(L::splat(token, maximal()));
    let rows = [L::splat(token, maximal()).store(), a.store(), b.store()];
    let check = |weight: Weight<F>, root, f: &dyn Fn([ElementOf<F>; 2]) -> [ElementOf<F>; 3]| {
        let pairs = vec![Pair { row: 1, weight }; count];
        let got = L::cubes(token, &mut L::Factors::default(), &rows, &pairs, [root, third]);
        for (index, got) in got.into_iter().enumerate() {
            let of_pair = |lane: usize| f([x[lane] - maximal(), y[lane]])[index];
            is(got, |lane| of_pair(lane) * (count as i64).into());
        }
    };
    let w = y[3];
    check(Weight::Element(w), root, &|[x, y]| {
        let (x, d) = (x - root, y - x);
        [w * d * (x * x - third), w * x * d * d, w * d * d * d]
    });
    for power in 0..F::Coefficients::COUNT {
        let w = ElementOf::<F>::monomial(F::residue(1), power);
        let weight = Weight::Scaled { minus_square: x[2], power };
        check(weight, ElementOf::ZERO, &|[a, b]| {
            let d = b - a;
            [w * a * (a * a + x[2]), w * a * d * d, w * d * d * d]
        });
    }
}

/// Sums of products with small integers, products of which are small, too.
fn multiplies_integers<F: Field, L: Lanes<F>>(
    token: L::Token,
    integers: [i64; 8],
    weight: ElementOf<F>,
) {
    let of = |integer: i64| ElementOf::<F>::from(integer);
    let loaded = L::integers(token, &integers);
    let all = |x: L::Integer, count: usize| {
        let mut sum = L::Integers::zero(token);
        (0..count).for_each(|_| sum.add(x, weight));
        sum.reduce(weight * of(count as i64))
    };
    is(all(loaded, 1), |lane| weight * of(integers[lane]));
    let most = L::MAX_INTEGERS.min(1 << 13);
    is(all(loaded, most), |lane| weight * of(integers[lane] * most as i64));
    is(L::of_integers(loaded), |lane| of(integers[lane]));
    // Residues, and products of them with the weight.
    let of_residues = |x: L::Residue, count: usize| {
        let mut sum = L::Products::zero(token);
        (0..count).for_each(|_| sum.add_residues(x, weight));
        sum.reduce()
    };
    let residues = L::residues(loaded);
    let most = L::MAX_PRODUCTS.min(300);
    is(of_residues(residues, most), |lane| weight * of(integers[lane] * most as i64));
    let polynomial = residues.square().times_plus(-288, residues, 20736).sub(residues.number(7));
    is(of_residues(polynomial, 1), |lane| {
        let x = of(integers[lane]);
        weight * (x * x * of(-288) + x + of(20729))
    });
    let cube = residues.mul(residues).mul(residues).add(residues);
    is(of_residues(cube, 1), |lane| {
        let x = of(integers[lane]);
        (x * x * x + x) * weight
    });
    // Of parts of coefficients.
    let indices = 0..F::Coefficients::COUNT * F::PARTS;
    let part = |index: usize, lane: usize| integers[(index + lane) & 7] << 16;
    let parts = indices.clone().flat_map(|index| (0..8).map(move |lane| part(index, lane)));
    is(L::of_parts(token, &parts.collect::<Vec<_>>(), 8), |lane| {
        let terms = indices.clone().map(|index| {
            let unit = F::residue(1 << (F::PART_BITS as usize * (index % F::PARTS)));
            of(part(index, lane)) * ElementOf::monomial(unit, index / F::PARTS)
        });
        terms.fold(ElementOf::ZERO, |sum, term| sum + term)
    });
    // Lane by lane.
    let words = integers.map(|x| F::residue(x.into()));
    let loaded = L::load_residues(token, &words);
    is(L::of_residues(loaded), |lane| of(integers[lane]));
    let others = words.map(|x| weight * ElementOf::<F>::monomial(x, 1));
    let mut sum = L::Products::zero(token);
    (0..most).for_each(|_| sum.add_scaled(L::gather(token, &others), loaded));
    is(sum.reduce(), |lane| others[lane] * of(integers[lane]) * of(most as i64));
    // Below 2^20, so that products are below 2^42.
    let small = integers.map(|x| x >> 22);
    let loaded = L::integers(token, &small);
    let product = loaded.mul(loaded.add(loaded.number(1))).sub(loaded.number(5));
    is(all(product, 1), |lane| weight * of(small[lane] * (small[lane] + 1) - 5));
    is(L::of_integers(loaded), |lane| of(small[lane]));
}

/// In one lane, in the registers of an instruction set, and in these as they are emulated.
fn for_all<F: Field, E: Lanes<F, Token = ()>>(x: Eights<F>, integers: [i64; 8], most: usize) {
    fn check<F: Field, L: Lanes<F>>(
        token: L::Token,
        x: &Eights<F>,
        integers: [i64; 8],
        most: usize,
    ) {
        agrees::<F, L>(token, x);
        sums_up::<F, L>(token, x, most);
        for root in [ElementOf::ZERO, x[0][5]] {
            adds_cubes::<F, L>(token, x, root, most);
        }
        multiplies_integers::<F, L>(token, integers, x[0][0]);
    }
    // More than 128 bits hold.
    check::<F, ElementOf<F>>((), &x, integers, 70);
    check::<F, E>((), &x, integers, most);
    for isa in Isa::all() {
        with_lanes!(isa, L<F>, token => check::<F, L<F>>(token, &x, integers, most));
    }
}

fn extremes<F: Field, E: Lanes<F, Token = ()>>() {
    let all = [ElementOf::ZERO, ElementOf::one(), maximal::<F>()].map(|x| [x; 8]);
    let most = [(1 << 42) - 1, 1 - (1 << 42), 0, -1, 1, 1 << 41, -(1 << 41), 77];
    for x in all {
        for y in all {
            for_all::<F, E>([x, y], most, 1 << 13);
            for_all::<F, E>([x, y], [most[0]; 8], 1 << 13);
            for_all::<F, E>([x, y], [most[1]; 8], 1 << 13);
        }
    }
}

#[test]
fn extremes_agree() {
    extremes::<P61, Wide<Emulated<8>>>();
    extremes::<P127, Wide127<Emulated<8>>>();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn lanes_are_elements(
        (x, y) in (eight(), eight()),
        (u, v) in (eight(), eight()),
        integers in prop::array::uniform8(-(1_i64 << 42) + 1..1 << 42),
    ) {
        for_all::<P61, Wide<Emulated<8>>>([x, y], integers, 9);
        for_all::<P127, Wide127<Emulated<8>>>([u, v], integers, 9);
    }
}

#[test]
fn erased_registers_are_0() {
    let mut eight = Eight([[1; 8], [2; 8], [3; 8]]);
    eight.zeroize();
    assert_eq!(eight.0, Eight::<3>::default().0);
}
