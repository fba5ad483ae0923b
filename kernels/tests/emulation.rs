//! The kernels' own sources, emulated, against the reference: bit for bit.
#![cfg(feature = "emulation")]

use proptest::prelude::*;
use tautochrone_gauss::facct::Facct;
use tautochrone_kernels::emulation::{self, Element};
use tautochrone_kernels::reference::{self, Key};

#[test]
fn uniform_is_bit_equal() {
    let key = Key::new(&core::array::from_fn(|i| 3 * i as u8), 0x0123_4567_89ab_cdef);
    for count in [0, 1, 7, 8, 9, 1023, 1024, 1025, 5000] {
        let (mut got, mut want) = (vec![0; count], vec![0; count]);
        emulation::uniform(&key, &mut got);
        reference::uniform(&key, &mut want);
        assert_eq!(got, want, "{count} words");
    }
}

#[test]
fn gaussian_is_bit_equal() {
    let key = Key::new(&core::array::from_fn(|i| 5 * i as u8), 77);
    for sigma in [2.0, 2.5, 3.7, 215.0, 1e6, 2e9, 4_294_967_295.5] {
        let sampler = Facct::try_new(sigma).expect("in range");
        for count in [0, 1, 31, 33, 1023, 1024, 1025, 2049, 20_000] {
            let (mut got, mut want) = (vec![i64::MIN; count], vec![i64::MIN; count]);
            emulation::gaussian(&sampler, &key, &mut got);
            reference::gaussian(&sampler, &key, &mut want);
            assert_eq!(got, want, "{count} samples of sigma {sigma}");
        }
    }
}

fn check<T: Element + PartialEq + std::fmt::Debug>(
    (m, n, k): (usize, usize, usize),
    entry: impl Fn(usize) -> u64,
    cut: impl Fn(u64) -> T,
) {
    let x: Vec<u64> = (0..m * k).map(&entry).collect();
    let y: Vec<u64> = (0..n * k).map(|i| entry(i + m * k)).collect();
    let narrow = |v: &[u64]| v.iter().map(|&e| cut(e)).collect::<Vec<_>>();
    let want = narrow(&reference::matmul(&x, &y, k));
    assert_eq!(emulation::matmul(&narrow(&x), &narrow(&y), k), want, "tensor {m} {n} {k}");
    assert_eq!(emulation::imad(&narrow(&x), &narrow(&y), k), want, "imad {m} {n} {k}");
}

fn check_widths(shape: (usize, usize, usize), entry: impl Fn(usize) -> u64 + Copy) {
    check(shape, entry, |e| e as u8);
    check(shape, entry, |e| e as u16);
    check(shape, entry, |e| e as u32);
    check(shape, entry, |e| e);
}

/// Sums of products of the largest bytes, beyond a whole span of 8192 terms.
#[test]
fn longest_carries() {
    check_widths((2, 1, 8192 + 33), |_| u64::MAX);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn products_are_bit_equal(m in 1_usize..40, n in 1_usize..20, k in 1_usize..70, seed: u64) {
        check_widths((m, n, k), |i| {
            (i as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xd6e8_feb8_6659_fd93)
        });
    }
}
