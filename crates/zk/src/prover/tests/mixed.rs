//! Mixed masks on toy dimensions: rejection by the rows of messages alone; transcripts beside those of
//! the simulator; exact extraction within two norms; each check where it is needed.

use super::compact::{extract, part, residual, v_of};
use super::narrow::{seed, squares, statistics};
use super::setup as setup_of;
use super::*;
use crate::argument::{ExactKeys, KeyRanges, Layout, PaddedSpace};
use crate::cases;
use crate::error::Reason;
use crate::reference;
use crate::residual::check_norms_and_round;
use crate::rows::RowGroup;
use crate::uses::commitment::MessageSpace;
use crate::uses::sums::Sums;

/// Rows of messages, of columns of 48 with r = 8.
const ROWS: usize = 8;

/// Of l columns, n = 10, with a bound on messages that no witness exceeds.
fn toy(l: u64) -> Params {
    let custom = CustomParams { n: Some(10), ..cases::mixed(28, ROWS as u32, 8, 48, l) };
    custom.validate(Security::Waived).unwrap()
}

/// A proof takes two attempts on average. <Z, S C> is |S C|^2 in
/// Gaussian rows of real proofs, and 0 of simulated ones, which whoever knows S sees; all else is alike:
/// the simulator has Y in the rows of messages, and other Gaussians.
#[test]
fn simulated_proofs_look_like_real_ones() {
    const PROOFS: u32 = 2000;
    let params = toy(1200);
    let (r, k, round_t) = (8, 40, params.round_t());
    assert!(round_t > 2 && params.sigma_m() > 50 * params.sigma_z());
    let [setup, own] = [1, 2].map(|index| setup_of(&params, index));
    let prover = Prover::new(&setup.matrix, &setup.statement).unwrap();
    let prover = prover.reproducible().with_file(&setup.t);
    let (mut knows, mut simulates) = (prepared(&setup, &prover), prepared(&own, &prover));
    let mut stream = seed(0).stream(Label::new("T_0"), 0);
    let mut t_0 = vec![0; 2 * r * 1200];
    stream.fill(&mut t_0);
    let words = t_0.as_chunks::<2>().0.iter().map(|&word| u16::from_le_bytes(word));
    let centred = |word| i128::from(word % (1_u16 << round_t)) - (1 << (round_t - 1));
    let t_0: Vec<i128> = words.map(centred).collect();
    let rounding = params.rounding_of_w();
    let (mut real, mut simulated, mut correlations) = (Vec::new(), Vec::new(), [0.0; 2]);
    let mut correlate = |side: usize, z: &[i64], hash: &Digest| {
        let m = knows.multiply(hash).unwrap();
        let m: Vec<i64> = m.iter().map(|m| i64::from(m.cast_signed())).collect();
        let (z, m) = (part(z, k, ROWS..k), part(&m, 48, ROWS..k));
        let inner: f64 = z.iter().zip(&m).map(|(z, m)| (z * m) as f64).sum();
        correlations[side] += inner / squares(m.into_iter()) / f64::from(PROOFS);
    };
    let mut attempts = 0;
    for i in 0..PROOFS {
        let proved = prover.prove(b"", &setup.witness, &seed(i)).unwrap();
        attempts += proved.attempts;
        let proof = proved.proof;
        correlate(0, &proof.z, &proof.challenge_hash);
        let e = residual(&params, &v_of(&setup, &proof.z, &proof.challenge_hash), &proof.hints);
        real.push((proof.z, proof.hints, e));

        let hash = Hasher::new(params.hash(), "programmed").number(i.into()).finish();
        let samplers = (&prover.sampler, prover.of_messages.as_ref());
        let key = seed(PROOFS + i);
        let mut z = mask::sample_y(&setup.matrix, samplers, &key, Secrets::default()).unwrap();
        let mut m = simulates.multiply(&hash).unwrap();
        m.chunks_exact_mut(48).for_each(|m| m[..ROWS].fill(0));
        assert_eq!(add_m(&params, &mut z, &m), (0, 0), "of messages alone");
        let (z_1, z_2) = (part(&z, 48, 0..k), part(&z, 48, k..48));
        let c = reference::challenge(&params, &hash);
        let t_0_c = reference::times_challenge(&t_0, r, &c);
        let v = v_of(&setup, &z_1, &hash);
        let hint = |i: usize| {
            let w = i128::from(v[i]) + i128::from(z_2[i]) - t_0_c[i];
            rounding.difference(rounding.high(w as u64), rounding.high(v[i])) as i8
        };
        let hints: Vec<i8> = (0..v.len()).map(hint).collect();
        let e = residual(&params, &v, &hints);
        correlate(1, &z_1, &hash);
        simulated.push((z_1, hints, e));
    }
    assert!((f64::from(attempts) / f64::from(PROOFS) - 2.0).abs() < 0.15, "{attempts}");
    for rows in [0..ROWS, ROWS..k] {
        let of_rows = |transcripts: &[(Vec<i64>, Vec<i8>, Vec<i64>)]| {
            let of = transcripts
                .iter()
                .map(|(z, h, e)| (part(z, k, rows.clone()), h.clone(), e.clone()));
            statistics(&of.collect::<Vec<_>>())
        };
        for (real, simulated) in of_rows(&real).into_iter().zip(of_rows(&simulated)) {
            assert!((real / simulated - 1.0).abs() < 0.03, "{real}, {simulated}");
        }
    }
    let [real, simulated] = correlations;
    assert!((real - 1.0).abs() < 0.03 && simulated.abs() < 0.03, "{real}, {simulated}");
}

/// <Z, M> and |M|^2 of the rows of messages, for sums of 64 bits and of more.
#[test]
fn rejection_is_by_messages_alone() {
    for (bound, l) in [(5, 1200), (1 << 20, 1000)] {
        let custom = cases::mixed(40, ROWS as u32, 8, 48, l);
        let [first, last, _] = custom.groups;
        let groups = [first.map(|group| RowGroup { bound, ..group }), last, None];
        let frobenius_squared = Some(1 << 40);
        let params = CustomParams { n: Some(2), groups, w: 62, frobenius_squared, ..custom };
        let params = params.validate(Security::Waived).unwrap();
        let largest = i64::from(bound) * l.cast_signed();
        let y: Vec<i64> = (0..96).map(|i| 1000 * (i - 40)).collect();
        let m: Vec<i64> = (0..96).map(|i| if i % 2 == 0 { largest - i } else { i }).collect();
        let words: Vec<u32> = m.iter().map(|&m| m as u32).collect();
        let mut z = y.clone();
        let got = add_m(&params, &mut z, &words);
        let (mut inner, mut squared) = (0, 0);
        for i in 0..96 {
            assert_eq!(z[i], y[i] + m[i]);
            if i % 48 < ROWS {
                inner += i128::from(z[i]) * i128::from(m[i]);
                squared += u128::from(m[i].unsigned_abs()).pow(2);
            }
        }
        assert_eq!(got, (inner, squared), "{bound}");
    }
}

#[test]
fn published_columns_are_extracted_exactly() {
    for round_t in [0, 6] {
        let custom = cases::mixed(28, 8, 8, 48, 1);
        extract(CustomParams { n: Some(10), round_t: Some(round_t), ..custom });
    }
}

/// Messages that are too long, and Gaussian rows that are too long or too short.
#[test]
fn other_witnesses_are_refused() {
    let custom = CustomParams { n: Some(10), ..cases::mixed(28, 8, 8, 48, 300) };
    let custom = CustomParams { frobenius_squared: Some(300 * 8 * 9), ..custom };
    let params = custom.validate(Security::Waived).unwrap();
    let setup = setup_of(&params, 1);
    let mut entries = vec![0; 48 * 300];
    RandomWitness::new(Seed::from_bytes([1; 32])).read_columns(&params, 0, &mut entries).unwrap();
    let prove = |message: i8, rest: Option<i8>| {
        let mut entries = entries.clone();
        for column in entries.chunks_exact_mut(48) {
            column[..ROWS].fill(message);
            if let Some(rest) = rest {
                column[ROWS..].fill(rest);
            }
        }
        let witness = Witness::new(&params, entries).unwrap();
        let mut file = Vec::new();
        let statement = setup.matrix.commit(&witness, &mut file).unwrap();
        let prover = Prover::new(&setup.matrix, &statement).unwrap().with_file(&file);
        prover.prove(b"", &witness, &seed(1)).map(drop)
    };
    assert!(prove(3, None).is_ok());
    let error = prove(4, None).unwrap_err();
    assert!(matches!(error, Error::WitnessNorm { most } if most == 300 * 8 * 9), "{error}");
    let error = prove(0, Some(1)).unwrap_err();
    assert!(matches!(error, Error::WitnessShort { .. }), "{error}");
    let error = prove(0, Some(20)).unwrap_err();
    assert!(matches!(error, Error::WitnessNorm { .. }), "{error}");
}

/// A column with exactly this squared norm.
fn of_norm(mut rest: u128, len: usize) -> Vec<i64> {
    let mut entries = vec![0; len];
    for entry in &mut entries {
        let root = rest.isqrt();
        *entry = root as i64;
        rest -= root * root;
    }
    assert_eq!(rest, 0);
    entries
}

/// Both norms, and 14 sigma of each row, are bounds that verifiers check to the last unit.
#[test]
fn each_bound_is_checked() {
    let params = toy(300);
    let (n, k) = (10, 40);
    let check = |messages: u128, others: u128| {
        let column = [of_norm(messages, ROWS), of_norm(others, k - ROWS)].concat();
        let z = [vec![0; k * (n - 1)], column].concat();
        check_norms_and_round(&params, &z, &vec![0; 8 * n], &mut vec![0_u32; 8 * n])
    };
    let (most, of_others) = (params.message_norm_bound_squared(), params.norm_bound_squared());
    assert!(most > 100 * of_others);
    check(most, of_others).unwrap();
    for (messages, others) in [(most + 1, 0), (0, of_others + 1)] {
        assert_eq!(check(messages, others), Err(Reason::NormTooLarge { column: 9 }));
    }
    let entry = |row: usize, z: u64| {
        let mut all = vec![0; k * n];
        all[k + row] = -z.cast_signed();
        Proof::check_entries(&all, &params)
    };
    for (row, sigma) in [(ROWS - 1, params.sigma_m()), (ROWS, params.sigma_z())] {
        entry(row, 14 * sigma).unwrap();
        assert_eq!(entry(row, 14 * sigma + 1), Err(Reason::EntryTooLarge { column: 1 }));
    }
}

/// Where a check fails, no other attempt is made: it would be chosen by S.
#[test]
fn failed_checks_end_a_proof() {
    let params = toy(300);
    let setup = setup_of(&params, 1);
    let prover = Prover::new(&setup.matrix, &setup.statement).unwrap().with_file(&setup.t);
    let shard = Shard::whole(&params);
    let hashed = ShardWitness::hashed(&setup.matrix, &setup.witness, shard, u64::MAX);
    let (mut worker, digest) = hashed.unwrap();
    let seed = seed(1);
    let coordinator = Coordinator::new(&prover, b"", &digest, &seed).unwrap();
    assert!(coordinator.begin(1023).is_ok() && coordinator.begin(1024).is_err());
    let mut response = (0..1024)
        .find_map(|i| {
            let attempt = coordinator.begin(i).unwrap();
            let m = worker.multiply(attempt.challenge_hash()).unwrap();
            attempt.finish(&m).unwrap()
        })
        .unwrap();
    response.z[ROWS] = params.entry_bound().cast_signed();
    let file: &dyn ReadAt = &setup.t;
    let hash = *response.challenge_hash();
    let tc = multiply_by_challenges(&setup.matrix, &setup.statement, Some(file), &[&hash]);
    let error = response.into_proof(Some(&tc.unwrap()[0])).unwrap_err();
    assert!(matches!(error, Error::TooManyAttempts(1)), "{error}");
}

/// Keys, sums of columns, and messages in other rows.
#[test]
fn other_statements_are_refused() {
    let params = toy(300);
    let name = |error: Error| match error {
        Error::Parameter(error) => error.name,
        other => panic!("{other}"),
    };
    let sums = Sums::of_groups(300, 2).unwrap();
    assert_eq!(name(sums.params(&params, Security::Waived).unwrap_err()), "masks");
    let setup = setup_of(&params, 1);
    let keys = KeyRanges::new(1, 1).unwrap();
    assert_eq!(name(ExactKeys::new(&setup.matrix, &setup.statement, keys).unwrap_err()), "masks");
    assert!(MessageSpace::new(&params, 8, Security::Waived).is_ok());
    for rows in [7, 9] {
        let error = MessageSpace::new(&params, rows, Security::Waived).unwrap_err();
        assert_eq!(name(error), "message rows");
        let layout = Layout::new(rows, 300);
        let error = PaddedSpace::new(&params, layout, Security::Waived).unwrap_err();
        assert_eq!(name(error), "rows of messages");
    }
    assert!(PaddedSpace::new(&params, Layout::new(8, 300), Security::Waived).is_ok());
}
