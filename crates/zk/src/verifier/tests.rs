//! Forgeries made for particular mistakes of a verifier.

use super::*;
use crate::cases::{CHALLENGE, CONTEXT, Case, flipped, reason, waived};
use crate::error::{Fault, Malformation, MatrixProblem, Reason, RequestProblem};
use crate::hash::Digest;
use crate::owner::Owner;
use crate::params::{CustomParams, Security};
use crate::preset::Preset;
use crate::proof::Proof;
use crate::prover::Prover;
use crate::reference::compact;
use crate::shard::{self, Shard, WitnessDigest};
use crate::suite::ChallengeKind;
use tautochrone_ctr::Seed;

mod hostile;
mod mixed;

/// Over two groups of 1024 columns, of which the second ends within a block.
fn toy(preset: Preset) -> CustomParams {
    CustomParams { r: 16, v: 64, l: 1300, n: Some(12), ..preset.custom() }
}

fn prove(case: &Case, seed: u8) -> Proof {
    let seed = Seed::from_bytes([seed; 32]);
    case.prover().prove_opening(CONTEXT, &case.witness, &seed, None).unwrap().0
}

fn claim<'a>(statement: &'a Statement, file: &'a dyn ReadAt, proof: &'a [u8]) -> Claim<'a> {
    let shows = &Shows::Knowledge;
    Claim { statement, statement_file: Some(file), context: CONTEXT, shows, proof }
}

/// The answers to a batch, all of which must be verdicts.
fn verdicts(case: &Case, claims: &[Claim<'_>]) -> Vec<Option<Reason>> {
    case.matrix.verify_batch(claims).into_iter().map(reason).collect()
}

/// A proof without a witness, made for a verifier that takes T C of the challenge `first` where
/// it should take the proof's: any short Z_1, and V = A' Z_1 - T C(first).
fn forged_for(case: &Case, first: &Digest, z: i64) -> Vec<u8> {
    let z: Vec<i64> = (0..case.params.z_entries() as i64).map(|i| z + i % 5).collect();
    compact::forge(&case.file, CONTEXT, &z, first).0
}

/// Proofs of one statement with challenges of their own verify in every order; and where T C of one
/// of them is taken for another, as by a batch that multiplies once a statement, anybody can forge:
/// such a forgery is refused at every place, whichever of the others it was made for, whether T is
/// held or read.
#[test]
fn every_proof_of_a_batch_is_checked_against_its_own_challenge() {
    for preset in [Preset::T4_128, Preset::B4_128] {
        let case = Case::new(toy(preset), 1, 1);
        let held = Statement::load(&case.file, Security::Waived).unwrap();
        let proofs: Vec<Proof> = (1..=4).map(|seed| prove(&case, seed)).collect();
        let files: Vec<Vec<u8>> = proofs.iter().map(|p| p.to_bytes(&case.params)).collect();
        for statement in [&case.statement, &held] {
            for shift in 0..files.len() {
                let mut order = files.clone();
                order.rotate_left(shift);
                let claims: Vec<_> =
                    order.iter().map(|proof| claim(statement, &case.file, proof)).collect();
                assert_eq!(verdicts(&case, &claims), [None; 4]);
            }
            for (made_for, proof) in proofs.iter().enumerate() {
                let forged = forged_for(&case, &proof.challenge_hash, 3);
                assert_eq!(verdicts(&case, &[claim(statement, &case.file, &forged)]), [CHALLENGE]);
                for place in 0..=files.len() {
                    let mut order: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
                    order.insert(place, &forged);
                    let mut expected = [None; 5];
                    expected[place] = CHALLENGE;
                    let claims: Vec<_> =
                        order.iter().map(|proof| claim(statement, &case.file, proof)).collect();
                    assert_eq!(verdicts(&case, &claims), expected, "{made_for} at {place}");
                }
            }
        }
    }
}

/// Runs of claims on two statements over one A, held and read, longer than a product takes at once:
/// each claim is checked against T of its own statement and against its own challenge, and a
/// forgery made for any other is refused.
#[test]
fn mixed_runs_are_checked_against_their_own_statements() {
    let (one, two) = (Case::new(toy(Preset::T4_128), 1, 1), Case::new(toy(Preset::T4_128), 1, 2));
    let held = [&one, &two].map(|case| Statement::load(&case.file, Security::Waived).unwrap());
    let file = |case: &Case, seed| prove(case, seed).to_bytes(&case.params);
    let ones: Vec<Vec<u8>> = (1..=3).map(|seed| file(&one, seed)).collect();
    let twos: Vec<Vec<u8>> = (1..=3).map(|seed| file(&two, seed)).collect();
    let first = [prove(&one, 1), prove(&two, 1)].map(|proof| proof.challenge_hash);
    let forged: Vec<Vec<u8>> =
        [&one, &two].iter().flat_map(|case| first.map(|hash| forged_for(case, &hash, 1))).collect();
    // Whether T is held or read; the held ones all name the same file, which is not read.
    let nothing: Vec<u8> = Vec::new();
    let [of_one, of_two] = [
        [(&held[0], &nothing), (&one.statement, &one.file)],
        [(&held[1], &nothing), (&two.statement, &two.file)],
    ];
    let mut claims = Vec::new();
    let mut expected = Vec::new();
    for (one, two) in of_one.into_iter().zip(of_two) {
        for ((statement, file), proofs, verdict) in [
            (one, &ones[..], None),
            (one, &forged[..2], CHALLENGE),
            (two, &twos[..], None),
            (two, &forged[2..], CHALLENGE),
        ] {
            claims.extend(proofs.iter().map(|proof| claim(statement, file, proof)));
            expected.extend(proofs.iter().map(|_| verdict));
        }
    }
    assert!(claims.len() > BATCH);
    assert_eq!(verdicts(&one, &claims), expected);
    claims.reverse();
    expected.reverse();
    assert_eq!(verdicts(&one, &claims), expected);
}

/// The statement T = 0, of which anybody knows a witness, and a proof file for it with any Z_1.
fn zero_statement(custom: CustomParams) -> Case {
    let params = waived(custom);
    let len = params.v() as usize * params.l() as usize;
    Case::of(params, 7, vec![0; len])
}

/// With the low parts of V = A' Z_1.
fn proof_for_zero(case: &Case, z: &[i64]) -> (Vec<u8>, Vec<i128>) {
    let any = Digest::from_slice(&vec![0; case.params.hash().digest_len()]);
    compact::forge(&case.file, CONTEXT, z, &any)
}

/// The same statement with this B^2 in its header.
fn with_norm_bound(custom: CustomParams, squared: u128) -> Case {
    let mut case = zero_statement(custom);
    case.file[64..80].copy_from_slice(&squared.to_le_bytes());
    case.statement = Statement::read(&case.file, Security::Waived).unwrap();
    case.params = case.statement.params().clone();
    case.matrix = PublicMatrix::new(&case.params, [7; 32]);
    case
}

/// The verdict of the check in shards, one shard for all columns.
fn verdict_in_shards(case: &Case, proof: &[u8]) -> Option<Reason> {
    let check = match Check::begin(&case.matrix, &case.statement, CONTEXT, proof) {
        Ok(check) => check,
        Err(error) => return reason(Err(error)),
    };
    let shard = Shard::even(&case.params, 0, 1);
    let hashes = case.statement.block_hashes();
    let tc = shard::multiply_tc(&case.matrix, &case.file, shard, hashes, check.challenge_hash());
    reason(check.finish(&tc.unwrap()))
}

/// A proof whose equation holds, with a column (z, e) of squared length B^2 exactly, is valid; with
/// one of B^2 + 1 it is not. So it is for one proof, in a batch and in shards, in the first column
/// and in the last.
#[test]
fn b_squared_is_accepted_and_one_more_is_not() {
    for preset in [Preset::T4_128, Preset::B4_128, Preset::T4_256] {
        let case = zero_statement(toy(preset));
        let (k, n) = (case.params.z_rows() as usize, case.params.n() as usize);
        let r = case.params.r() as usize;
        for column in [0, n - 1] {
            let mut z = vec![0; k * n];
            for (i, z) in (-24..).zip(&mut z[column * k..][..k]) {
                *z = i * case.params.sigma().cast_signed() / 24;
            }
            let (_, e) = proof_for_zero(&case, &z);
            let entries = z.iter().map(|&z| z.into()).chain(e[column * r..][..r].iter().copied());
            let squared: u128 = entries.map(|x: i128| x.unsigned_abs().pow(2)).sum();
            let too_long = Some(Reason::Content(Fault::NormTooLarge { column: column as u32 }));
            for (bound, verdict) in [
                (squared + 1, None),
                (squared, None),
                (squared - 1, too_long),
                (squared / 2, too_long),
            ] {
                let case = with_norm_bound(toy(preset), bound);
                let (proof, _) = proof_for_zero(&case, &z);
                let (other, _) = proof_for_zero(&case, &vec![0; k * n]);
                let claim = |proof| claim(&case.statement, &case.file, proof);
                assert_eq!(verdicts(&case, &[claim(&proof)]), [verdict]);
                assert_eq!(
                    verdicts(&case, &[claim(&other), claim(&proof), claim(&other)]),
                    [None, verdict, None]
                );
                assert_eq!(verdict_in_shards(&case, &proof), verdict);
            }
        }
    }
}

/// The same for entries: 14 sigma is accepted where the column is short enough, one more is not.
#[test]
fn fourteen_sigma_is_accepted_and_one_more_is_not() {
    let case = zero_statement(CustomParams { v: 400, ..toy(Preset::T4_128) });
    let cap = case.params.entry_bound().cast_signed();
    for (entry, verdict) in [
        (cap, None),
        (-cap, None),
        (cap + 1, Some(Reason::Content(Fault::EntryTooLarge { column: 11 }))),
        (-cap - 1, Some(Reason::Content(Fault::EntryTooLarge { column: 11 }))),
    ] {
        let mut z = vec![0; case.params.z_entries()];
        *z.last_mut().unwrap() = entry;
        let (proof, _) = proof_for_zero(&case, &z);
        assert_eq!(verdicts(&case, &[claim(&case.statement, &case.file, &proof)]), [verdict]);
        assert_eq!(verdict_in_shards(&case, &proof), verdict);
    }
}

/// Whoever takes a matrix and a statement refuses an A of another seed, and one of other
/// parameters.
#[test]
fn foreign_matrices_are_refused_by_all_who_take_one() {
    let case = Case::new(toy(Preset::T4_128), 1, 1);
    let other_seed = Case::new(toy(Preset::T4_128), 2, 1);
    let other_sigma = Case::new(CustomParams { sigma: Some(50_000), ..toy(Preset::T4_128) }, 1, 1);
    let proof = prove(&case, 1).to_bytes(&case.params);
    for (matrix, belongs) in
        [(&case.matrix, true), (&other_seed.matrix, false), (&other_sigma.matrix, false)]
    {
        let statement = &case.statement;
        let batch = || {
            let mut answers = matrix.verify_batch(&[claim(statement, &case.file, &proof)]);
            answers.remove(0)
        };
        for (name, taken) in [
            ("Prover::new", Prover::new(matrix, statement).map(drop)),
            ("Verifier::new", Verifier::new(matrix, statement).map(drop)),
            ("verify_batch", batch()),
            ("Check::begin", Check::begin(matrix, statement, CONTEXT, &proof).map(drop)),
        ] {
            match taken {
                Ok(()) => assert!(belongs, "{name}"),
                Err(error) => {
                    assert!(
                        matches!(
                            error,
                            Error::Request(RequestProblem::Matrix(MatrixProblem::Foreign))
                        ) && !belongs,
                        "{name}: {error}"
                    );
                }
            }
        }
    }
}

/// One hash for every block, no fewer and no more, wherever hashes come in.
#[test]
fn as_many_hashes_as_blocks() {
    let case = Case::new(CustomParams { l: 600, ..toy(Preset::T4_128) }, 1, 1);
    let hashes = case.statement.block_hashes();
    let seed = Seed::from_bytes([1; 32]);
    // The right number of hashes, of another S.
    let statement = case.statement.clone().with_owner(Owner::Unknown);
    let prover = Prover::new(&case.matrix, &statement).unwrap();
    let digest = case.statement.digest(b"");
    let shard = Shard::of_columns(&case.params, 256, 344).unwrap();
    let problem = |result: Result<(), Error>| match result {
        Ok(()) => None,
        Err(Error::Shard(shard::ShardProblem::Hashes { got, expected })) => Some((got, expected)),
        Err(other) => panic!("{other}"),
    };
    let longer = [hashes, hashes].concat();
    for count in 0..=4 {
        let list = &longer[..count];
        let wrong = |expected| (count as u64 != expected).then_some((count as u64, expected));
        let made = shard::statement(&case.params, case.matrix.id, list.to_vec()).map(drop);
        assert_eq!(problem(made), wrong(3), "statement");
        let of_s = WitnessDigest::new(list.to_vec(), [0; 2]);
        let coordinator = shard::Coordinator::new(&prover, b"", &of_s, &seed);
        assert_eq!(problem(coordinator.map(drop)), wrong(3), "Coordinator::new");
        let of_shard = &longer[1..=count];
        let part = shard::multiply_tc(&case.matrix, &case.file, shard, of_shard, &digest);
        assert_eq!(problem(part.map(drop)), wrong(2), "multiply_tc");
    }
}

/// Binary challenges need a norm of the whole witness, which no shard can certify.
#[test]
fn binary_challenges_are_refused_in_shards() {
    let case =
        Case::new(CustomParams { challenge: ChallengeKind::Binary, ..toy(Preset::T4_128) }, 1, 1);
    let seed = Seed::from_bytes([1; 32]);
    let hashes = WitnessDigest::new(case.statement.block_hashes().to_vec(), [0; 2]);
    let prover = Prover::new(&case.matrix, &case.statement).unwrap();
    let coordinator = shard::Coordinator::new(&prover, b"", &hashes, &seed);
    assert!(matches!(coordinator, Err(Error::Shard(shard::ShardProblem::Binary))));
}
