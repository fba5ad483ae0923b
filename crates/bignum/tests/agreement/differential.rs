//! Every operation against num-bigint, on random and hostile operands, on every instruction set.
use num_bigint::BigUint;
use proptest::prelude::*;
use subtle::ConstantTimeEq as _;
use tautochrone_bignum::{
    Barrett, BoxedNumber, Error, Fixed, Method, Montgomery, Mul, convert, div, fz, limb, modexp,
    prime, shift,
};
use tautochrone_simd::Isa;

use crate::numbers::{big, number, products_are_right};

fn pair(widths: &'static [usize]) -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    prop::sample::select(widths).prop_flat_map(|n| (number(n), number(n)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn numbers_agree_with_num_bigint((x, y) in pair(&[1, 2, 3, 8, 17]), count in 0usize..1200) {
        let n = x.len();
        let (bx, by, b) = (big(&x), big(&y), BigUint::from(1u8) << (64 * n));
        let t = |f: &dyn Fn(&mut [u64])| { let mut t = x.clone(); f(&mut t); big(&t) };
        prop_assert_eq!(t(&|t| { fz::add(t, &y); }), (&bx + &by) % &b);
        prop_assert_eq!(t(&|t| { fz::sub(t, &y); }), (&bx + &b - &by) % &b);
        prop_assert_eq!(t(&|t| { fz::abs_diff(t, &y); }), if bx < by { &by - &bx } else { &bx - &by });
        prop_assert_eq!(t(&|t| fz::neg(t)), (&b - &bx) % &b);
        prop_assert_eq!(t(&|t| fz::xor(t, &y)), &bx ^ &by);
        prop_assert_eq!(fz::lt(&x, &y) != 0, bx < by);
        prop_assert_eq!(fz::gt(&x, &y) != 0, bx > by);
        prop_assert_eq!(fz::eq(&x, &y) != 0, bx == by);
        prop_assert_eq!(shift::measure(&x), bx.bits());
        prop_assert_eq!(shift::trailing_zeros(&x), bx.trailing_zeros().unwrap_or(64 * n as u64));
        prop_assert_eq!(t(&|t| shift::shl(t, count)), (&bx << count) % &b);
        prop_assert_eq!(t(&|t| shift::shr(t, count)), &bx >> count);
        let quiet = count % (64 * n);
        prop_assert_eq!(t(&|t| shift::quiet_shl(t, quiet as u64)), (&bx << quiet) % &b);
        prop_assert_eq!(t(&|t| shift::quiet_shr(t, quiet as u64)), &bx >> quiet);
        let sub = count % 64;
        prop_assert_eq!(t(&|t| shift::sublimb_shl_soft(t, sub as u64)), (&bx << sub) % &b);
        prop_assert_eq!(t(&|t| shift::sublimb_shr_soft(t, sub as u64)), &bx >> sub);
        let number = BoxedNumber::from_hex(&convert::to_hex(&x), n).expect("fits");
        prop_assert_eq!(&number[..], &x);
        let number = BoxedNumber::from_be_bytes(&convert::to_be_bytes(&x), n).expect("fits");
        prop_assert_eq!(&number[..], &x);
    }

    #[test]
    fn limbs_and_gated_operations_agree_with_num_bigint(
        (x, y) in pair(&[1, 2, 3, 8, 17]),
        w in number(3),
        gate in any::<bool>(),
        amount in 0u32..64,
    ) {
        let n = x.len();
        let (bx, by, b) = (big(&x), big(&y), BigUint::from(1u8) << (64 * n));
        let one = BigUint::from(1u8);
        let mask = limb::mask(u64::from(gate));
        let gated = |z: &BigUint| if gate { z.clone() } else { BigUint::ZERO };
        // The number and what comes out of it: a carry, a borrow, a mask.
        let t = |f: &dyn Fn(&mut [u64]) -> u64| { let mut t = x.clone(); let out = f(&mut t); (big(&t), out) };
        let sum = |z: BigUint| (&z % &b, u64::from(z >= b));
        let difference = |z: &BigUint| ((&bx + &b - z) % &b, u64::from(bx < *z));
        prop_assert_eq!(t(&|t| fz::add(t, &y)), sum(&bx + &by));
        prop_assert_eq!(t(&|t| fz::add_gated(t, &y, mask)), sum(&bx + gated(&by)));
        prop_assert_eq!(t(&|t| fz::add_limb(t, w[0])), sum(&bx + w[0]));
        prop_assert_eq!(t(&|t| fz::double(t, w[0] & 1)), sum(&bx + &bx + (w[0] & 1)));
        prop_assert_eq!(t(&|t| fz::sub(t, &y)), difference(&by));
        prop_assert_eq!(t(&|t| fz::sub_gated(t, &y, mask)), difference(&gated(&by)));
        prop_assert_eq!(t(&|t| { fz::neg_gated(t, mask); 0 }).0, if gate { (&b - &bx) % &b } else { bx.clone() });
        prop_assert_eq!(t(&|t| { fz::mux(t, &y, mask); 0 }).0, if gate { by.clone() } else { bx.clone() });
        prop_assert_eq!(t(&|t| { fz::and(t, &y); 0 }).0, &bx & &by);
        prop_assert_eq!(t(&|t| { fz::or(t, &y); 0 }).0, &bx | &by);
        prop_assert_eq!(t(&|t| { fz::not(t); 0 }).0, &b - &one - &bx);
        prop_assert_eq!(t(&|t| { fz::set_limb(t, w[0]); 0 }).0, BigUint::from(w[0]));
        prop_assert_eq!(t(&|t| { fz::clear(t); 0 }).0, BigUint::ZERO);
        prop_assert_eq!(fz::is_zero(&x) != 0, bx == BigUint::ZERO);
        prop_assert_eq!(fz::is_odd(&x) != 0, bx.bit(0));
        let (mut u, mut v) = (x.clone(), y.clone());
        fz::swap(&mut u, &mut v, mask);
        prop_assert_eq!((u, v), if gate { (y.clone(), x.clone()) } else { (x.clone(), y.clone()) });
        if fz::lt(&x, &y) != 0 {
            let mut twice = x.clone();
            let carry = fz::double(&mut twice, 0);
            let taken = fz::reduce_once(&mut twice, carry, &y, &mut vec![0; n]);
            prop_assert_eq!(big(&twice), (&bx + &bx) % &by);
            prop_assert_eq!(taken != 0, &bx + &bx >= by);
        }
        let sub = u64::from(amount);
        prop_assert_eq!(t(&|t| { shift::sublimb_shl(t, sub); 0 }).0, (&bx << amount) % &b);
        prop_assert_eq!(t(&|t| { shift::sublimb_shr(t, sub); 0 }).0, &bx >> amount);

        let [a, c, d] = [w[0], w[1], w[2]];
        prop_assert_eq!((limb::is_zero(a) != 0, limb::is_nonzero(a) != 0), (a == 0, a != 0));
        prop_assert_eq!(limb::mux(a, c, mask), if gate { c } else { a });
        prop_assert_eq!(limb::shl_gated(a, amount, mask), if gate { a << amount } else { a });
        prop_assert_eq!(limb::shr_gated(a, amount, mask), if gate { a >> amount } else { a });
        let (carry, [ba, bc, bd]) = (u64::from(gate), [a, c, d].map(BigUint::from));
        let two_words = |(low, high): (u64, u64)| big(&[low, high]);
        prop_assert_eq!(two_words(limb::add(a, c, carry)), &ba + &bc + carry);
        prop_assert_eq!(limb::sub(a, c, carry), (a.wrapping_sub(c).wrapping_sub(carry), u64::from(ba < &bc + carry)));
        prop_assert_eq!(two_words(limb::mac(a, c, d, a)), &ba * &bc + &bd + &ba);
    }

    #[test]
    fn products_agree_with_num_bigint(
        (x, y) in pair(&[1, 2, 7, 8, 9, 16, 24, 31, 32, 33, 34, 64, 66, 128]),
    ) {
        for mul in Isa::all().flat_map(|isa| {
            let mul = Mul::new_on(isa);
            [mul, mul.with_comba(32), mul.with_comba(8)]
        }) {
            products_are_right(mul, &x, &y);
        }
    }

    #[test]
    fn quotients_and_remainders_agree_with_num_bigint(
        (x, y) in pair(&[1, 2, 5, 8]),
        w in number(3),
    ) {
        // Narrower and wider than the divisor.
        for x in [x, w] {
            let (mut q, mut r) = (x.clone(), vec![0; y.len()]);
            div::div_rem(&mut q, &mut r, &y);
            if fz::is_zero(&y) == 0 {
                prop_assert_eq!((big(&q), big(&r)), (big(&x) / big(&y), big(&x) % big(&y)));
            } else {
                prop_assert!(q.iter().all(|&w| w == u64::MAX));
                let low = x.iter().copied().chain(std::iter::repeat(0));
                prop_assert_eq!(&r, &low.take(y.len()).collect::<Vec<u64>>());
            }
        }
    }

    #[test]
    fn modular_arithmetic_agrees_with_num_bigint(
        (x, m) in pair(&[1, 2, 3, 8, 16, 24, 32, 34]),
        e in number(1),
        high in any::<bool>(),
    ) {
        let n = m.len();
        prop_assume!(fz::is_zero(&m) == 0);
        let ring = Barrett::new(&m).expect("not zero");
        let wide: Vec<u64> = if high { [&x[..], &x[..]].concat() } else { [vec![u64::MAX; n], x.clone()].concat() };
        let mut r = vec![0; n];
        ring.reduce(&mut r, &wide).expect("widths");
        prop_assert_eq!(big(&r), big(&wide) % big(&m));
        ring.mul(&mut r, &x, &wide[..n]).expect("widths");
        prop_assert_eq!(big(&r), big(&x) * big(&wide[..n]) % big(&m));
        ring.square(&mut r, &x).expect("widths");
        prop_assert_eq!(big(&r), big(&x) * big(&x) % big(&m));
        let want = big(&x).modpow(&big(&e), &big(&m));
        for isa in Isa::all() {
            for method in [Method::Auto, Method::Barrett, Method::Montgomery] {
                if method == Method::Montgomery && m[0] & 1 == 0 {
                    continue;
                }
                modexp(isa, method, &mut r, &x, &e, &m).expect("not zero");
                prop_assert_eq!(big(&r), want.clone(), "{} {:?}", isa, method);
            }
        }
    }

    #[test]
    fn owned_numbers_print_as_num_bigint_does((x, _) in pair(&[1, 2, 5])) {
        let n = x.len();
        let (number, value) = (BoxedNumber::from_limbs(x.clone().into()), big(&x));
        prop_assert_eq!(format!("{number:x}"), format!("{value:0w$x}", w = 16 * n));
        prop_assert_eq!(format!("{number:X}"), format!("{value:0w$X}", w = 16 * n));
        prop_assert_eq!(format!("{number:#x}"), format!("{value:#0w$x}", w = 16 * n + 2));
        prop_assert_eq!(format!("{number:>99X}"), format!("{:>99}", format!("{number:X}")));
        let debugged = format!("{number:?} {number:#?} {number:x?} {number:X?}");
        let digits = debugged.chars().filter(char::is_ascii_digit).collect::<String>();
        prop_assert_eq!(digits, n.to_string().repeat(4), "no more than the width");
    }

    #[test]
    fn owned_numbers_are_equal_as_their_values_are(
        (x, y) in pair(&[1, 2, 5]),
        wider in 0usize..3,
        bit in 0usize..448,
    ) {
        let boxed = |x: &[u64]| BoxedNumber::from_limbs(x.into());
        prop_assert_eq!(boxed(&x) == boxed(&y), big(&x) == big(&y));
        // The same value in a wider number, and another one by a single bit.
        let mut z = x.clone();
        z.resize(x.len() + wider, 0);
        prop_assert_eq!(boxed(&x), boxed(&z));
        let bit = bit % (64 * z.len());
        z[bit / 64] ^= 1 << (bit % 64);
        for (a, b) in [(&x, &z), (&z, &x)] {
            prop_assert_ne!(boxed(a), boxed(b));
            prop_assert!(!bool::from(boxed(a).ct_eq(&boxed(b))));
        }
        let fixed = |x: &[u64]| Fixed::<5>::from_le_bytes(&convert::to_le_bytes(x)).expect("fits");
        prop_assert_eq!(fixed(&x) == fixed(&y), big(&x) == big(&y));
        prop_assert!(bool::from(fixed(&x).ct_eq(&fixed(&x))));
    }

    #[test]
    fn owned_numbers_from_a_limb_have_its_value(value in any::<u64>()) {
        prop_assert_eq!(&BoxedNumber::from(value)[..], &[value]);
        prop_assert_eq!(&Fixed::<1>::from(value)[..], &[value]);
        prop_assert_eq!(&Fixed::<3>::from(value)[..], &[value, 0, 0]);
    }
}

#[test]
fn miller_rabin_finds_the_small_primes() {
    for n in 0u64..600 {
        let prime = n > 1 && (2..n).all(|d| n % d != 0);
        // 2, 3, 5 and 7 are enough below 3 215 031 751 (Pomerance, Selfridge, Wagstaff 1980).
        let passed =
            [2, 3, 5, 7].iter().all(|&w| prime::miller_rabin(&[n, 0], &[w, 0]) == Ok(u64::MAX));
        assert_eq!(passed, prime, "{n}");
    }
    // 2^127 - 1 is prime, 2^128 - 159 is prime, 2^128 - 1 is not.
    assert_eq!(prime::miller_rabin(&[u64::MAX, u64::MAX >> 1], &[3, 0]), Ok(u64::MAX));
    assert_eq!(prime::miller_rabin(&[u64::MAX - 158, u64::MAX], &[3, 0]), Ok(u64::MAX));
    assert_eq!(prime::miller_rabin(&[u64::MAX, u64::MAX], &[3, 0]), Ok(0));
}

/// Rabin's test by its definition, for every witness of small numbers: multiples of n and their
/// neighbours say nothing of an odd n, and no witness speaks for 0, 1 or 8.
#[test]
fn every_witness_of_small_numbers_follows_the_definition() {
    for n in (3u64..130).step_by(2) {
        let twos = (n - 1).trailing_zeros();
        for w in 0..3 * n {
            let power = |e: u64| (0..e).fold(1, |x, _| x * w % n);
            let d = (n - 1) >> twos;
            let pass = w % n == 0 || power(d) == 1 || (0..twos).any(|i| power(d << i) == n - 1);
            let got = prime::miller_rabin(&[n], &[w]).expect("widths");
            assert_eq!(got, limb::mask(u64::from(pass)), "{n} {w}");
        }
    }
    for (n, w) in [0, 1, 8].into_iter().flat_map(|n| (0..12).map(move |w| (n, w))) {
        assert_eq!(prime::miller_rabin(&[n], &[w]), Ok(0), "{n} {w}");
    }
}

#[test]
fn owned_numbers_hold_what_they_were_made_from() {
    let hex = "0123456789abcdeffedcba9876543210";
    let limbs = [0xfedc_ba98_7654_3210, 0x0123_4567_89ab_cdef];
    let bytes = convert::to_le_bytes(&limbs);
    let reversed = convert::to_be_bytes(&limbs);
    for fixed in [
        Fixed::<2>::from_limbs(limbs),
        Fixed::from_hex(hex).expect("fits"),
        Fixed::from_le_bytes(&bytes).expect("fits"),
        Fixed::from_be_bytes(&reversed).expect("fits"),
    ] {
        assert_eq!(*fixed, limbs);
        assert_eq!(fixed.to_hex(), hex);
        assert_eq!(format!("{fixed:?}"), "Number { limbs: 2, .. }");
    }
    for heap in [
        BoxedNumber::from_limbs(Box::new([limbs[0], limbs[1], 0])),
        BoxedNumber::from_hex(hex, 3).expect("fits"),
        BoxedNumber::from_le_bytes(&bytes, 3).expect("fits"),
        BoxedNumber::from_be_bytes(&reversed, 3).expect("fits"),
    ] {
        assert_eq!(*heap, [limbs[0], limbs[1], 0]);
    }
    assert!(Fixed::<0>::zero().is_empty());
    assert_eq!(BoxedNumber::zero(3).len(), 3);
    assert_eq!(Fixed::<1>::from_hex(hex).err(), Some(Error::TooLong { limbs: 1 }));
    assert_eq!(Fixed::<1>::from_be_bytes(&bytes).err(), Some(Error::TooLong { limbs: 1 }));
    assert_eq!(BoxedNumber::from_hex("", 1).err(), Some(Error::Empty));

    // The kernels take both: x^2 by each.
    let (mut square, mut low) = (Fixed::<4>::zero(), BoxedNumber::zero(2));
    let x = Fixed::from_limbs(limbs);
    Mul::new().square(&mut square, &x);
    Mul::new().mul_low(&mut low, &x, &x);
    assert_eq!(square[..2], low[..]);
}

#[test]
fn bad_operands_are_refused() {
    let mut r = [0];
    for method in [Method::Auto, Method::Barrett, Method::Montgomery] {
        assert_eq!(
            modexp(Isa::PORTABLE, method, &mut r, &[1], &[1], &[0]),
            Err(Error::ZeroModulus)
        );
    }
    assert_eq!(
        modexp(Isa::PORTABLE, Method::Montgomery, &mut r, &[1], &[1], &[2]),
        Err(Error::EvenModulus)
    );
    let width = Error::Width { expected: 1, found: 2 };
    assert_eq!(modexp(Isa::PORTABLE, Method::Auto, &mut r, &[1, 0], &[1], &[2]), Err(width));
    let limb = |hex| BoxedNumber::from_hex(hex, 1).map(|x| x[0]);
    assert_eq!(limb("10000000000000000"), Err(Error::TooLong { limbs: 1 }));
    assert_eq!(limb("00ffffffffffffffff"), Ok(u64::MAX));
    assert_eq!(limb("0g"), Err(Error::NotHex { position: 1 }));
    // The first of several, counted from 1 in words.
    let text = |hex| limb(hex).expect_err("no number").to_string();
    assert_eq!(text("0x1z"), "character 2 is not a hexadecimal digit; expected digits alone");
    assert_eq!(text("g"), "character 1 is not a hexadecimal digit; expected digits alone");
    assert_eq!(limb(""), Err(Error::Empty));
}

#[test]
fn long_exponents_agree_with_num_bigint() {
    // Windows of 6 bits, and Barrett's own powers.
    let e: Vec<u64> = (1..=32u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    for n in [1, 3, 8, 16] {
        let (x, m) = (vec![u64::MAX - 4; n], vec![u64::MAX - 6; n]);
        let want = big(&x).modpow(&big(&e), &big(&m));
        for isa in Isa::all() {
            let mut r = vec![0; n];
            Barrett::new_on(isa, &m).expect("not zero").pow(&mut r, &x, &e).expect("widths");
            assert_eq!(big(&r), want, "{isa}");
            Montgomery::new_on(isa, &m).expect("odd").pow(&mut r, &x, &e).expect("widths");
            assert_eq!(big(&r), want, "{isa}");
        }
    }
}
