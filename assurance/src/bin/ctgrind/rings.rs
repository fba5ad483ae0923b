//! Lists over rings: secrets, messages and errors are secret. That equations hold and that all are
//! within their bounds is public.

use std::hint::black_box;

use tautochrone_assurance::valgrind::secret;
use tautochrone_zk_keys::{self as zk_keys, BfvKey, RingList, RingSecret, Small};

use crate::report::Report;

const Q: u64 = (1 << 40) - 87;

fn uniform(n: usize, power: u32) -> Vec<u64> {
    (1..).map(|i: u64| i.wrapping_pow(power) % Q).take(n).collect()
}

/// Integers from -`bound` to it.
fn small(n: usize, bound: i64) -> Vec<i64> {
    (0..).map(|i| (i * i) % (2 * bound + 1) - bound).take(n).collect()
}

/// a s + e modulo X^n + 1 and q.
fn product(q: u128, a: &[u64], s: &[i64], e: &[i64]) -> Vec<u64> {
    let n = a.len();
    let mut sums: Vec<i128> = e.iter().map(|&e| e.into()).collect();
    for (i, &a) in a.iter().enumerate() {
        for (j, &s) in s.iter().enumerate() {
            let sign = if i + j < n { 1 } else { -1 };
            sums[(i + j) % n] += sign * i128::from(s) * i128::from(a);
        }
    }
    sums.into_iter().map(|sum| sum.rem_euclid(q.cast_signed()) as u64).collect()
}

fn prove(list: &RingList, secret: RingSecret) {
    black_box(zk_keys::prove(list, &[secret]).expect("well formed"));
}

/// An RLWE key, over 2^127 - 1.
fn rlwe(n: usize, s: &[i64], e: &[i64], [secrets, errors]: [Small; 2]) {
    let a = uniform(n, 5);
    let b = product(Q.into(), &a, s, e);
    let mut list = RingList::rlwe(n, &[Q], secrets, errors, b"").expect("in range");
    list.push_key(b"", &[a], &[b]).expect("canonical");
    let secret = list.rlwe_secret(&secret(s.to_vec()), &secret(e.to_vec()));
    prove(&list, secret.expect("within bounds"));
}

/// An encryption with a message of two digits, and errors of two.
fn bfv(n: usize) {
    let scale = Q / 256;
    let (u, m) = (small(n, 1), small(n, 128));
    let [e0, e1] = [20, 19].map(|bound| small(n, bound));
    let [a0, a1] = [5, 7].map(|power| uniform(n, power));
    let c0 = product(Q.into(), &a0, &u, &e0);
    let shifted = |(&c, &m): (&u64, &i64)| {
        (i128::from(c) + i128::from(scale) * i128::from(m)).rem_euclid(Q.into()) as u64
    };
    let c0 = c0.iter().zip(&m).map(shifted).collect();
    let c1 = product(Q.into(), &a1, &u, &e1);
    let key = BfvKey { c0: vec![a0], c1: vec![a1], scale: vec![scale], message_bound: 128 };
    let errors = Small::new(24, 130_000_000).expect("up to 24");
    let list = RingList::bfv(n, &[Q], &key, Small::TERNARY, errors, b"");
    let mut list = list.expect("in range");
    list.push_ciphertext(b"", &[c0], &[c1]).expect("canonical");
    let [u, m, e0, e1] = [u, m, e0, e1].map(secret);
    prove(&list, list.bfv_secret(&u, &m, [&e0, &e1]).expect("within bounds"));
}

/// A compact key of TFHE, its largest errors among them.
fn tfhe(n: usize) {
    let a = uniform(n, 11);
    let s: Vec<u64> = small(n, 1).into_iter().map(|s| u64::from(s > 0)).collect();
    let reversed: Vec<i64> = s.iter().rev().map(|s| s.cast_signed()).collect();
    let mut e = small(n, 70_001);
    e[..2].copy_from_slice(&[1 << 17, -(1 << 17)]);
    let b = product(1 << 64, &a, &reversed, &e);
    let mut list = RingList::tfhe(n, b"").expect("in range");
    list.push_key(b"", &[a], &[b]).expect("canonical");
    prove(&list, list.tfhe_secret(&secret(s), &secret(e)).expect("within bounds"));
}

pub fn check(report: &mut Report) {
    let errors = Small::new(20, 10_000_000).expect("up to 24");
    report.clean("zk-keys/RLWE", || {
        rlwe(64, &small(64, 1), &small(64, 20), [Small::TERNARY, errors]);
    });
    // Of so large a variance that carries take two digits.
    report.clean("zk-keys/RLWE, two digits", || {
        let wide = Small::new(24, 24 * 24 * 1_000_000).expect("up to 24");
        rlwe(512, &small(512, 24), &small(512, 20), [wide, errors]);
    });
    report.clean("zk-keys/BFV", || bfv(64));
    report.clean("zk-keys/TFHE", || tfhe(64));
}
