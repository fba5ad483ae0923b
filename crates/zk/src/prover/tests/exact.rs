//! What a prover computes, number by number: Y, and the sums of rejection.

use super::*;
use crate::error::WitnessProblem;
use crate::suite::ChallengeKind;

/// Two contexts, two statements, two witnesses that differ in one entry of the last block, for one
/// seed: two Y. Published proofs under one Y and two challenges would give S away.
#[test]
fn one_seed_never_gives_one_y_twice() {
    let custom = CustomParams { r: 8, v: 24, l: 1300, n: Some(10), ..Preset::T4_128.custom() };
    let one = Case::new(custom, 1, 1);
    let other_a = Case::new(custom, 2, 1);
    let mut entries = one.entries.clone();
    let last = entries.last_mut().unwrap();
    *last = if *last == 1 { 0 } else { *last + 1 };
    let other_witness = Witness::wide(&one.params, entries).unwrap();
    let seed = Seed::from_bytes([8; 32]);
    let y = |case: &Case, witness: &Witness, context: &[u8]| {
        let shard = Shard::whole(&case.params);
        let (_, hashes) = ShardWitness::hashed(&case.matrix, witness, shard, 0).unwrap();
        let s_digest = Zeroizing::new(*hashes.finish(&case.params));
        let (prover, digest) = (&case.prover(), case.statement.digest(context));
        let coordinator = Coordinator { prover, digest, s_digest, seed: &seed, opening: None };
        coordinator.begin(0).unwrap().y.to_vec()
    };
    let all = [
        y(&one, &one.witness, b""),
        y(&one, &one.witness, b"x"),
        y(&other_a, &one.witness, b""),
        y(&one, &other_witness, b""),
    ];
    for (i, y) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|other| y != other), "{i}");
    }
}

/// <Z, M> and ||M||^2 of columns whose sums are just beyond 2^63, all terms of one sign, and of
/// columns just below: where 64 bits are too few, 128 are taken. (Sums that wrapped would bias the
/// rejection, and leak S without a sign of it.)
#[test]
fn sums_beyond_64_bits_are_exact() {
    let reach = ((1_i64 << 31) - 8, (1_u64 << 31) / 127);
    assert_eq!(127 * reach.1 as i64, reach.0);
    let mut beyond = 0;
    for (v, l, sigma) in [
        // 2 (2^31 + 104) (2^31 - 8) is 2^63 + 192 * 2^31 - 1664.
        (2, reach.1, 8),
        (2, reach.1 - 1, 8),
        (2, reach.1 / 2, 8),
        (3, reach.1 / 2, 1 << 20),
        // Factors of less than 32 bits, with a sum of 1.013 * 2^63.
        (8, reach.1 / 2, 1 << 20),
        (40, reach.1, (1 << 32) - 1),
        (1 << 20, 1 << 8, 1 << 20),
        (1 << 20, reach.1, (1 << 32) - 1),
    ] {
        let params = waived(CustomParams {
            r: 1,
            v,
            l,
            b: 127,
            w: 64,
            n: Some(1),
            sigma: Some(sigma),
            ..Preset::T4_128.custom()
        });
        let (cap, reach) = (14 * i128::from(sigma), 127 * i128::from(l));
        for (y, m) in [(cap, reach), (-cap, -reach), (-cap, reach), (cap, -reach)] {
            let mut z = vec![y as i64; v as usize];
            let (inner, squared) = add_m(&params, &mut z, &vec![m as u32; v as usize]);
            assert!(z.iter().all(|&z| i128::from(z) == y + m));
            assert_eq!(inner, i128::from(v) * (y + m) * m, "v {v}, l {l}, sigma {sigma}");
            assert_eq!(squared, (i128::from(v) * m * m) as u128);
            beyond += u32::from(i64::try_from(inner).is_err());
        }
    }
    assert!(beyond > 8, "{beyond}");
}

/// With binary challenges sigma hides witnesses of a largest singular value up to the bound, and
/// `prove` itself refuses any other: entries of one, of which S has s1 = sqrt(v l).
#[test]
fn binary_provers_certify_the_operator_norm() {
    let custom = CustomParams {
        challenge: ChallengeKind::Binary,
        r: 8,
        v: 24,
        l: 300,
        n: Some(10),
        ..Preset::T4_128.custom()
    };
    let prove = |norm_bound| {
        let params = waived(CustomParams { norm_bound, ..custom });
        let case = Case::of(params, 1, vec![1; 24 * 300]);
        let proved = case.prover().prove(b"", &case.witness, &Seed::from_bytes([1; 32]));
        proved.map(drop)
    };
    // sqrt(24 * 300) is 84.9; by default the bound is ceil(sqrt(24) + sqrt(300)).
    assert_error!(prove(Some(84)), Error::Witness(WitnessProblem::OperatorNorm { bound: 84 }));
    assert_error!(prove(None), Error::Witness(WitnessProblem::OperatorNorm { bound: 23 }));
    prove(Some(85)).unwrap();
}
