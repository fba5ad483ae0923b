//! Mixed masks on toy dimensions: rejection by the rows of messages alone; transcripts beside the
//! simulator's; each check where it is needed.

use super::narrow::{PROOFS, seed, simulated_proofs_look_like_real_ones};
use super::setup as setup_of;
use super::*;
use crate::error::{Fault, Reason, WitnessProblem};
use crate::residual::check_norms_and_round;
use crate::rows::RowGroup;

/// Rows of messages, of columns of 48 with r = 8.
const ROWS: usize = 8;

/// Of l columns, n = 10, with a bound on messages that no witness exceeds.
pub(super) fn toy(l: u64) -> Params {
    waived(CustomParams { n: Some(10), ..cases::mixed(28, ROWS as u32, 8, 48, l) })
}

/// A proof takes two attempts on average.
#[test]
fn simulated_proofs_look_real() {
    let params = toy(1200);
    assert!(params.sigma_m() > 50 * params.sigma_z());
    let attempts = on_one_thread(|| simulated_proofs_look_like_real_ones(&params, ROWS, 0.03));
    assert!((f64::from(attempts) / f64::from(PROOFS) - 2.0).abs() < 0.15, "{attempts}");
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
        let params = waived(params);
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

/// Messages that are too long, and Gaussian rows that are too long or too short.
#[test]
fn other_witnesses_are_refused() {
    let custom = CustomParams { n: Some(10), ..cases::mixed(28, 8, 8, 48, 300) };
    let params = waived(CustomParams { frobenius_squared: Some(300 * 8 * 9), ..custom });
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
    assert_error!(
        prove(4, None),
        Error::Witness(WitnessProblem::Norm { most }) if most == 300 * 8 * 9
    );
    assert_error!(prove(0, Some(1)), Error::Witness(WitnessProblem::Short { .. }));
    assert_error!(prove(0, Some(20)), Error::Witness(WitnessProblem::Norm { .. }));
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
        assert_eq!(
            check(messages, others),
            Err(Reason::Content(Fault::NormTooLarge { column: 9 }))
        );
    }
    let entry = |row: usize, z: u64| {
        let mut all = vec![0; k * n];
        all[k + row] = -z.cast_signed();
        Proof::check_entries(&all, &params)
    };
    for (row, sigma) in [(ROWS - 1, params.sigma_m()), (ROWS, params.sigma_z())] {
        entry(row, 14 * sigma).unwrap();
        assert_eq!(
            entry(row, 14 * sigma + 1),
            Err(Reason::Content(Fault::EntryTooLarge { column: 1 }))
        );
    }
}

/// Where a check fails, no other attempt is made: it would be chosen by S.
#[test]
fn failed_checks_end_a_proof() {
    let params = toy(300);
    let setup = setup_of(&params, 1);
    let (prover, (mut worker, digest)) = (setup.prover(), hashed(&setup));
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
    let file: &dyn ReadAt = &setup.file;
    let hash = *response.challenge_hash();
    let tc = multiply_by_challenges(&setup.matrix, &setup.statement, Some(file), &[&hash]);
    assert_error!(response.into_proof(Some(&tc.unwrap()[0])), Error::TooManyAttempts(1));
}
