//! RLWE keys, ciphertexts of BFV and compact keys of TFHE that are made here, with products by
//! their definition.
#![allow(missing_docs, reason = "a test")]

use tautochrone_ctr::{Label, Seed};
use tautochrone_zk::{Error, PublicMatrix, Security, Statement, Verifier};
use tautochrone_zk_keys::{BfvKey, RingError, RingList, RingSecret, Small, prove, verify};

const N: usize = 64;
/// Primes of 20 and 21 bits, over the field of 2^61 - 1 elements.
const PRIMES: [u64; 2] = [786_433, 1_179_649];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        let mut word = [0];
        self.0 += 1;
        Seed::from_bytes([8; 32]).stream(Label::new("test: rings"), self.0).fill_u64(&mut word);
        word[0] % bound
    }

    fn small(&mut self, n: usize, bound: i64) -> Vec<i64> {
        (0..n).map(|_| self.below(2 * bound as u64 + 1) as i64 - bound).collect()
    }

    fn uniform(&mut self, n: usize, primes: &[u64]) -> Vec<Vec<u64>> {
        primes.iter().map(|&q| (0..n).map(|_| self.below(q)).collect()).collect()
    }
}

/// a s + e modulo X^n + 1 and each prime.
fn product(primes: &[u64], a: &[Vec<u64>], s: &[i64], e: &[i64]) -> Vec<Vec<u64>> {
    let of_prime = |(a, &q): (&Vec<u64>, &u64)| {
        let n = a.len();
        let mut all: Vec<i128> = e.iter().map(|&e| e.into()).collect();
        for (i, &a) in a.iter().enumerate() {
            for (j, &s) in s.iter().enumerate() {
                let sign = if i + j < n { 1 } else { -1 };
                all[(i + j) % n] += sign * i128::from(a) * i128::from(s);
            }
        }
        all.into_iter().map(|x| x.rem_euclid(q.into()) as u64).collect()
    };
    a.iter().zip(primes).map(of_prime).collect()
}

fn rlwe(primes: &[u64], bounds: [u32; 2]) -> (RingList, Vec<RingSecret>) {
    rlwe_of(primes, bounds, (b"purpose", "alice"), 0)
}

/// Keys for a purpose, the first of somebody; and a number added to the last coefficient.
fn rlwe_of(
    primes: &[u64],
    [s, e]: [u32; 2],
    (purpose, first): (&[u8], &str),
    added: u64,
) -> (RingList, Vec<RingSecret>) {
    let small = |bound| match bound {
        1 => Small::TERNARY,
        _ => Small::new(bound, 1_000_000 * u64::from(bound.min(3)).pow(2)).expect("up to 24"),
    };
    let mut list = RingList::rlwe(N, primes, small(s), small(e), purpose).expect("in range");
    let (mut secrets, mut random) = (vec![], Random(0));
    for identity in [first, "bob", "carol"] {
        let a = random.uniform(N, primes);
        let (s, e) = (random.small(N, s.into()), random.small(N, e.into()));
        let mut b = product(primes, &a, &s, &e);
        if identity == "carol" {
            let last = &mut b[primes.len() - 1][N - 1];
            *last = (*last + added) % primes[primes.len() - 1];
        }
        list.push_key(identity.as_bytes(), &a, &b).expect("canonical");
        secrets.push(list.rlwe_secret(&s, &e).expect("within bounds"));
    }
    (list, secrets)
}

#[test]
fn rlwe_keys_are_proved() {
    for bounds in [[1, 24], [20, 20], [2, 3]] {
        let (list, secrets) = rlwe(&PRIMES, bounds);
        let proof = prove(&list, &secrets).unwrap();
        verify(&list, &proof).unwrap();
        // Other secrets in the same list.
        let others: Vec<RingSecret> = secrets.into_iter().rev().collect();
        assert!(prove(&list, &others).is_err());
        let fewer = rlwe(&PRIMES[..1], bounds).0;
        assert!(verify(&fewer, &proof).is_err());
    }
}

/// Whoever has the files alone is told that the list is needed, over either field.
#[test]
fn files_without_their_list_have_no_verdict() {
    for prime in [PRIMES[0], (1 << 60) - 16_383] {
        let (list, secrets) = rlwe(&[prime], [1, 24]);
        let proof = prove(&list, &secrets).unwrap();
        let statement = Statement::load(&proof.statement.as_slice(), Security::Required).unwrap();
        let a = PublicMatrix::new(statement.params(), *statement.seed_a());
        let verifier = Verifier::new(&a, &statement).unwrap();
        let unknown = verifier.verify_file(b"", &proof.proof, &[]);
        assert!(matches!(unknown, Err(Error::StatedByOthers)));
    }
}

#[test]
fn lists_are_bound_to_their_proofs() {
    let (list, secrets) = rlwe(&PRIMES, [1, 24]);
    let proof = prove(&list, &secrets).unwrap();
    for (index, (purpose, first, added)) in [
        (&b"purpose"[..], "alice", 0),
        (b"other", "alice", 0),
        (b"purpose", "eve", 0),
        (b"purpose", "alice", 1),
    ]
    .into_iter()
    .enumerate()
    {
        let (other, _) = rlwe_of(&PRIMES, [1, 24], (purpose, first), added);
        assert_eq!(verify(&other, &proof).is_ok(), index == 0, "{index}");
    }
}

#[test]
fn ciphertexts_of_bfv_are_proved() {
    let mut random = Random(0);
    let error = Small::new(24, 10_000_000).unwrap();
    let key = BfvKey {
        c0: random.uniform(N, &PRIMES),
        c1: random.uniform(N, &PRIMES),
        scale: vec![12_345, 786_433],
        message_bound: 128,
    };
    let mut list = RingList::bfv(N, &PRIMES, &key, Small::TERNARY, error, b"").unwrap();
    let mut secrets = vec![];
    for index in 0..2 {
        let (u, e0, e1) = (random.small(N, 1), random.small(N, 24), random.small(N, 24));
        let m = random.small(N, 128);
        let mut c0 = product(&PRIMES, &key.c0, &u, &e0);
        for (c0, (&scale, &q)) in c0.iter_mut().zip(key.scale.iter().zip(&PRIMES)) {
            for (c0, &m) in c0.iter_mut().zip(&m) {
                let sum = i128::from(*c0) + i128::from(scale) * i128::from(m);
                *c0 = sum.rem_euclid(q.into()) as u64;
            }
        }
        let c1 = product(&PRIMES, &key.c1, &u, &e1);
        list.push_ciphertext(&[index], &c0, &c1).unwrap();
        secrets.push(list.bfv_secret(&u, &m, [&e0, &e1]).unwrap());
        let mut wide = m.clone();
        wide[0] = 137;
        let error = list.bfv_secret(&u, &wide, [&e0, &e1]).unwrap_err();
        assert_eq!(error, RingError::Secret("message"));
    }
    let proof = prove(&list, &secrets).unwrap();
    verify(&list, &proof).unwrap();
    let other = BfvKey { scale: vec![12_345, 786_432], ..key };
    let mut other = RingList::bfv(N, &PRIMES, &other, Small::TERNARY, error, b"").unwrap();
    for index in 0..2 {
        let zeros = vec![vec![0; N]; 2];
        other.push_ciphertext(&[index], &zeros, &zeros).unwrap();
    }
    assert!(verify(&other, &proof).is_err());
}

#[test]
fn what_is_no_key_is_refused() {
    let (mut list, _) = rlwe(&PRIMES, [1, 24]);
    let zeros = vec![vec![0; N]; 2];
    let mut wide = zeros.clone();
    wide[1][5] = PRIMES[1];
    let error = list.push_key(b"", &zeros, &wide).unwrap_err();
    assert_eq!(error, RingError::Coefficient { polynomial: 3, index: 5 });
    assert!(list.push_key(b"", &zeros[..1], &zeros).is_err());
    assert!(list.push_key(b"", &zeros, &[vec![0; N], vec![0; N - 1]]).is_err());
    assert!(list.push_ciphertext(b"", &zeros, &zeros).is_err());
    let secret = vec![0; N];
    let mut beyond = secret.clone();
    beyond[3] = -2;
    assert_eq!(list.rlwe_secret(&beyond, &secret).unwrap_err(), RingError::Secret("s"));
    beyond[3] = 25;
    assert_eq!(list.rlwe_secret(&secret, &beyond).unwrap_err(), RingError::Secret("e"));
    assert!(list.rlwe_secret(&secret[1..], &secret).is_err());
    assert!(list.tfhe_secret(&[0; N], &secret).is_err());
    assert!(list.bfv_secret(&secret, &secret, [&secret, &secret]).is_err());
    assert!(Small::new(0, 1).is_err() && Small::new(25, 1).is_err());
    assert!(Small::new(24, 576_000_000).is_ok() && Small::new(24, 576_000_001).is_err());
    assert!(RingList::rlwe(48, &PRIMES, Small::TERNARY, Small::TERNARY, b"").is_err());
    assert!(RingList::rlwe(N, &[], Small::TERNARY, Small::TERNARY, b"").is_err());
    assert!(RingList::rlwe(N, &[7], Small::TERNARY, Small::TERNARY, b"").is_err());
    let tfhe = RingList::tfhe(N, b"").unwrap();
    let mut errors = vec![0; N];
    for (error, fits) in [(1 << 17, true), (-(1 << 17), true), ((1 << 17) + 1, false)] {
        errors[7] = error;
        assert_eq!(tfhe.tfhe_secret(&[1; N], &errors).is_ok(), fits, "{error}");
    }
    assert_eq!(tfhe.tfhe_secret(&[2; N], &secret).unwrap_err(), RingError::Secret("s"));
}
