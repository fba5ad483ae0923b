//! Tampered proofs are invalid, broken files are errors, and nothing panics. Proofs that are cut
//! off or extended are in the tests of the reference.
//!
//! A short run of mutations is part of the tests; a million are
//! `cargo test --release -p tautochrone-zk --lib hostile -- --ignored --nocapture`.

use proptest::prelude::*;
use tautochrone_ctr::{Label, Stream};
use tautochrone_testkit::step;

use super::*;
use crate::cases::{self, replaced, whole_t};
use crate::error::{ParameterError, WitnessProblem};
use crate::format::VERSION;
use crate::params::Params;
use crate::uses;
use crate::witness::{Witness, WitnessSource};

fn verify(case: &Case, context: &[u8], proof: &[u8]) -> Result<(), Error> {
    case.verifier().verify(context, proof)
}

fn proof_file(case: &Case, seed: u8) -> Vec<u8> {
    prove(case, seed).to_bytes(&case.params)
}

/// Ternary and binary, words of several sizes, both hashes, T whole and rounded, narrow masks.
fn toys() -> Vec<CustomParams> {
    vec![
        whole_t(Preset::T4_128),
        CustomParams { round_t: None, ..whole_t(Preset::T4_128) },
        CustomParams { challenge: ChallengeKind::Binary, ..whole_t(Preset::B4_128) },
        CustomParams { w: 64, ..whole_t(Preset::B4_128) },
        CustomParams { round_t: None, ..whole_t(Preset::T4_256) },
        CustomParams { n: Some(12), ..cases::narrow(19, 16, 64, 300, 10) },
        CustomParams { n: Some(12), ..cases::narrow(20, 16, 64, 300, 10) },
    ]
}

/// A proof is valid, in one encoding. Altered ones are malformed in exactly the bytes that say what
/// kind of file this is and how long: magic number and version, bytes 0 to 9, and the length, bytes
/// 16 to 23. Invalid everywhere else.
#[test]
fn every_single_flipped_bit_is_refused() {
    for custom in toys() {
        let case = Case::new(custom, 1, 1);
        let mut proof = proof_file(&case, 1);
        verify(&case, CONTEXT, &proof).unwrap();
        let parsed = Proof::parse(&proof, &case.params, &case.statement.digest(CONTEXT)).unwrap();
        assert_eq!(parsed.to_bytes(&case.params), proof, "canonical");
        let digest = 24..24 + case.params.hash().digest_len();
        for bit in (0..8 * proof.len()).step_by(step(1, 5)) {
            proof[bit / 8] ^= 1 << (bit % 8);
            let verdict = verify(&case, CONTEXT, &proof);
            let as_expected = match (bit / 8, &verdict) {
                (0..8, Err(Error::Malformed { what: "proof", problem })) => {
                    *problem == Malformation::Magic
                }
                (8..10, Err(Error::Malformed { what: "proof", problem })) => {
                    matches!(problem, Malformation::Version { known: VERSION, .. })
                }
                (16..24, Err(Error::Malformed { what: "proof", problem })) => {
                    matches!(problem, Malformation::Length { got, .. } if *got == proof.len() as u64)
                }
                (10, Err(Error::Invalid(reason))) => *reason == Reason::OtherStatement,
                (11..16, Err(Error::Invalid(reason))) => *reason == Reason::Content(Fault::Header),
                (at, Err(Error::Invalid(reason))) if digest.contains(&at) => {
                    *reason == Reason::OtherStatement
                }
                // The challenge hash and Z.
                (24.., Err(Error::Invalid(reason))) => {
                    !matches!(reason, Reason::OtherStatement | Reason::Content(Fault::Header))
                }
                _ => false,
            };
            assert!(as_expected, "bit {bit} of {}: {verdict:?}", 8 * proof.len());
            proof[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn another_statement_or_context_is_invalid() {
    let [one, two] = [1, 2].map(|seed| Case::new(whole_t(Preset::T4_128), seed, seed));
    let larger = Case::new(CustomParams { v: 80, ..whole_t(Preset::T4_128) }, 1, 1);
    let binary = CustomParams { challenge: ChallengeKind::Binary, ..whole_t(Preset::T4_128) };
    let binary = Case::new(binary, 1, 1);
    let proof = proof_file(&one, 1);
    for (case, context) in [
        (&one, &b"other"[..]),
        (&one, b""),
        (&two, CONTEXT),
        (&larger, CONTEXT),
        (&binary, CONTEXT),
    ] {
        assert_eq!(reason(verify(case, context, &proof)), Some(Reason::OtherStatement));
    }
}

/// Z_1 + q has the same image under A': only the norm tells them apart, and at w = 29 it must.
#[test]
fn adding_the_modulus_is_noticed() {
    let case = Case::new(whole_t(Preset::T4_128), 4, 4);
    let q = 1_i64 << case.params.w();
    assert!(q.unsigned_abs() > case.params.entry_bound());
    // Such an entry cannot even be encoded; of the nearest that can be, two are too long.
    let mut proof = prove(&case, 4);
    proof.z[5..7].fill(case.params.entry_bound().cast_signed());
    assert_eq!(
        reason(verify(&case, CONTEXT, &proof.to_bytes(&case.params))),
        Some(Reason::Content(Fault::NormTooLarge { column: 0 }))
    );
}

#[test]
fn cut_extended_and_foreign_files_are_errors() {
    for custom in toys() {
        let case = Case::new(custom, 6, 6);
        let (file, proof) = (&case.file, proof_file(&case, 6));
        let read = |file: &[u8]| Statement::read(&file, Security::Waived);
        for len in (0..300).chain([file.len() - 1]) {
            assert!(read(&file[..len]).is_err(), "statement cut to {len}");
        }
        assert!(read(&[&file[..], &[0]].concat()).is_err());
        assert!(read(&proof).is_err(), "a proof is no statement");
        assert!(verify(&case, CONTEXT, file).is_err(), "a statement is no proof");
    }
}

#[test]
fn absurd_dimensions_are_errors_before_anything_is_allocated() {
    let case = Case::new(whole_t(Preset::T4_128), 7, 7);
    let with = |fields: &[(usize, &[u8])]| {
        let replace = |file: Vec<u8>, &(at, bytes): &(usize, &[u8])| replaced(&file, at, bytes);
        let file = fields.iter().fold(case.file.clone(), replace);
        match Statement::read(&file, Security::Waived) {
            Err(Error::Malformed { what: "statement", problem }) => problem,
            other => panic!("{other:?}"),
        }
    };
    // Offsets of w, r, v, n, d, dT, the weight (four bytes), l, sigma (eight), B^2, F^2 (16), and
    // the rows and b of the first group (four) in the header.
    for (at, len) in [
        (20, 4),
        (24, 4),
        (28, 4),
        (32, 4),
        (36, 4),
        (40, 4),
        (44, 4),
        (48, 8),
        (56, 8),
        (64, 16),
        (80, 16),
        (160, 4),
        (164, 4),
    ] {
        // T is whole.
        for fill in [0x00, 0xff, 0x7f].into_iter().filter(|&fill| (at, fill) != (40, 0)) {
            with(&[(at, &vec![fill; len])]);
        }
    }
    // 2^40 columns, and the largest that are in range: the file is far too short for either.
    for l in [1_u64 << 40, (1 << 31) - 1] {
        with(&[(48, &l.to_le_bytes())]);
    }
    // A header must not make a verifier expand a matrix of terabytes.
    let [r, v] = [1_u32 << 14, (1 << 15) + 1].map(u32::to_le_bytes);
    let problem = with(&[(24, &r), (28, &v)]);
    let Malformation::Parameter(ParameterError { name, .. }) = problem else { panic!("{problem}") };
    assert_eq!(name, "number of entries of A'");
}

/// A loaded statement answers as its file does, without reading it again; without T in memory and
/// without its file there is no verdict.
#[test]
fn loaded_statements_give_the_same_verdicts() {
    for custom in [whole_t(Preset::T4_128), CustomParams { w: 64, ..whole_t(Preset::T4_128) }] {
        let case = Case::new(custom, 8, 8);
        let proof = proof_file(&case, 8);
        let loaded = Statement::load(&case.file, Security::Waived).unwrap();
        assert_eq!(loaded, case.statement);
        let verdict = |statement: &Statement, proof: &[u8]| {
            let verifier = Verifier::new(&case.matrix, statement).unwrap();
            reason(verifier.with_file(&Vec::new()).verify(CONTEXT, proof))
        };
        assert_eq!(verdict(&loaded, &proof), None);
        let unread = Verifier::new(&case.matrix, &case.statement).unwrap();
        assert_error!(unread.verify(CONTEXT, &proof), Error::Request(RequestProblem::NotLoaded));
        // The challenge hash.
        assert_eq!(verdict(&loaded, &flipped(&proof, 8 * (24 + 32))), CHALLENGE);
        // Another T is another statement.
        let file = flipped(&case.file, 8 * (case.file.len() - 1));
        let other = Statement::load(&file, Security::Waived).unwrap();
        assert_ne!(other, case.statement);
        assert_eq!(verdict(&other, &proof), Some(Reason::OtherStatement));
        assert!(Statement::load(&&file[..file.len() - 1], Security::Waived).is_err());
        assert!(Statement::load(&case.file, Security::Required).is_err());
    }
}

/// A source that breaks its contract, or was checked against other parameters, must not get a
/// proof: sigma hides entries up to b and no others.
#[test]
fn witnesses_beyond_the_bound_are_refused_whatever_their_source() {
    let case = Case::new(whole_t(Preset::T4_128), 9, 9);
    let wide = waived(CustomParams { b: 5, w: 64, ..whole_t(Preset::T4_128) });
    let mut entries = vec![1; 64 * 300];
    entries[64 * 299 + 7] = -5;
    let witness = Witness::new(&wide, entries).unwrap();
    let refused = |result: Error| {
        assert!(
            matches!(result, Error::Witness(WitnessProblem::Bound { row: 7, column: 299, b: 1 })),
            "{result}"
        );
    };
    for source in [Some(0), None, Some(1)].map(|less| Read(&witness, less)) {
        let source = &source;
        refused(case.matrix.commit(source, &mut Vec::new()).unwrap_err());
        refused(case.prover().prove(b"", source, &Seed::from_bytes([1; 32])).unwrap_err());
        refused(uses::column_unchecked(&case.params, source, 299).unwrap_err());
    }
}

/// A witness that is not lent, or that lends so many columns less than it is asked for.
struct Read<'a>(&'a Witness, Option<usize>);

impl WitnessSource for Read<'_> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        self.0.read_columns(params, first_block, out)
    }

    fn columns(&self, params: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        self.1.and_then(|less| self.0.columns(params, first_block, count - less))
    }
}

/// A witness that is lent, one that is read, and one that is lent by mistake in parts have the same
/// statement and proof.
#[test]
fn sources_do_not_matter() {
    let params = waived(whole_t(Preset::T4_128));
    let entries = (0..64 * 300).map(|i| (i * i % 3 - 1) as i8).collect();
    let witness = Witness::new(&params, entries).unwrap();
    let matrix = PublicMatrix::new(&params, [3; 32]);
    let sources = [Some(0), None, Some(1)].map(|less| Read(&witness, less));
    let files = sources.each_ref().map(|source| {
        let mut file = Vec::new();
        let statement = matrix.commit(source, &mut file).unwrap();
        let prover = Prover::new(&matrix, &statement).unwrap().reproducible();
        let proved = prover.prove(b"", source, &Seed::from_bytes([1; 32])).unwrap();
        (file, proved.proof)
    });
    assert!(files[0] == files[1] && files[0] == files[2]);
}

/// The digest binds every header field, T and the context; the statement is never taken from the
/// proof.
#[test]
fn the_statement_digest_binds_everything() {
    let case = Case::new(whole_t(Preset::T4_128), 8, 8);
    let digest = case.statement.digest(CONTEXT);
    let mut accepted = 0;
    for at in 8..case.file.len() {
        // Most header changes are refused outright; those that are not must change the digest.
        if let Ok(other) = Statement::read(&flipped(&case.file, 8 * at), Security::Waived) {
            assert_ne!(other.digest(CONTEXT), digest, "byte {at} does not enter the digest");
            accepted += 1;
        }
    }
    assert!(accepted > case.file.len() - 256, "T and the seed of A are free to change");
}

#[test]
fn a_proof_is_no_larger_than_its_z() {
    // 12 columns of 384 coefficients: T alone would be 3000 columns of 58 bytes.
    let case = Case::new(CustomParams { v: 400, l: 3000, ..whole_t(Preset::T4_128) }, 9, 9);
    let (len, expected) = (proof_file(&case, 9).len(), case.params.expected_proof_bytes());
    assert!((len as f64 / expected as f64 - 1.0).abs() < 0.03);
    assert!(len < 58 * 3000 / 8);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000), keep in 0_usize..300) {
        use std::sync::OnceLock;
        static CASE: OnceLock<(Case, Vec<u8>)> = OnceLock::new();
        let (case, proof) = CASE.get_or_init(|| {
            let case = Case::new(whole_t(Preset::T4_128), 10, 10);
            let proof = proof_file(&case, 10);
            (case, proof)
        });
        // A true beginning with a random rest gets further than random bytes alone.
        for whole in [proof, &case.file] {
            let mut file = whole[..keep.min(whole.len())].to_vec();
            file.extend(&bytes);
            let verdict = verify(case, CONTEXT, &file);
            prop_assert!(verdict.is_err());
            let _ = Statement::read(&file, Security::Waived);
        }
    }
}

/// A random number below `bound`, near enough to uniform for choosing places.
fn below(random: &mut Stream, bound: usize) -> usize {
    let mut word = [0];
    random.fill_u64(&mut word);
    (u128::from(word[0]) * bound as u128 >> 64) as usize
}

/// One to four changes, each of a kind that files suffer or that an attacker would try. `other` is
/// another valid proof of the same statement.
fn mutate(proof: &[u8], other: &[u8], random: &mut Stream) -> Vec<u8> {
    let mut bytes = proof.to_vec();
    for _ in 0..=below(random, 4) {
        let len = bytes.len();
        let at = below(random, len);
        let run = (below(random, 64) + 1).min(len - at);
        match below(random, 9) {
            0 => bytes[at] ^= 1 << below(random, 8),
            1 => bytes[at] = below(random, 256) as u8,
            2 => random.fill(&mut bytes[at..at + run]),
            3 => bytes[at..at + run].fill(if below(random, 2) == 0 { 0 } else { 0xff }),
            4 => bytes.copy_within(at..at + run, below(random, len - run + 1)),
            5 => {
                let end = other.len().min(at + run);
                bytes[at.min(end)..end].copy_from_slice(&other[at.min(end)..end]);
            }
            6 => bytes.truncate(len - below(random, len.min(16))),
            7 => bytes.extend_from_within(at..at + run),
            // The header and the digests, where single bytes decide most.
            _ => bytes[below(random, len.min(152))] ^= 1 << below(random, 8),
        }
    }
    bytes
}

/// Mutates valid proofs `count` times; returns how many came out unchanged, as errors and as
/// invalid.
fn mutate_all(count: usize) -> [usize; 3] {
    let mut tally = [0; 3];
    let toys = toys();
    for (index, &custom) in (0..).zip(&toys) {
        let case = Case::new(custom, index, index);
        let [proof, other] = [index, 100 + index].map(|seed| proof_file(&case, seed));
        let mut random = Seed::from_bytes([99; 32]).stream(Label::new("mutated"), index.into());
        for k in 0..count / toys.len() {
            let mutated = mutate(&proof, &other, &mut random);
            let answer = verify(&case, CONTEXT, &mutated);
            let is_honest = mutated == proof || mutated == other;
            let which = match answer {
                Ok(()) if is_honest => 0,
                Err(Error::Malformed { what: "proof", .. }) if !is_honest => 1,
                Err(Error::Invalid(_)) if !is_honest => 2,
                _ => panic!("toy {index}, mutation {k}: {answer:?}"),
            };
            tally[which] += 1;
        }
    }
    tally
}

#[test]
fn mutated_proofs_are_refused() {
    let [unchanged, errors, invalid] = mutate_all(10_000);
    // The mutations do something, and reach both kinds of answer.
    assert!(unchanged < 500 && errors > 2000 && invalid > 2000, "{unchanged} {errors} {invalid}");
}

#[test]
#[ignore = "minutes"]
fn a_million_mutated_proofs_are_refused() {
    let [unchanged, errors, invalid] = mutate_all(1_000_000);
    println!("{errors} malformed, {invalid} invalid, {unchanged} unchanged");
    assert!(errors + invalid > 950_000);
}
