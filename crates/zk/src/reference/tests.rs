//! The real prover and verifier against the reference.

use super::*;
use crate::cases::{self, Case, flipped, waived};
use crate::error::{Error, MatrixProblem, RequestProblem};
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Security};
use crate::preset::Preset;
use crate::proof::Proof;
use crate::prover::Prover;
use crate::rows::{Distribution, RowGroup};
use crate::statement::Statement;
use crate::suite::{ChallengeKind, Expansion};
use crate::verifier::Verifier;
use crate::witness::RandomWitness;
use crate::witness::columns::read_columns;
use tautochrone_testkit::{scaled, step};

/// Otherwise a mistake in both would go unseen.
#[test]
fn hashes_of_the_reference_are_those_of_the_libraries() {
    let by_hand = b"\x10\0\0\0\0\0\0\0tautochrone-zk/2\x03\0\0\0\0\0\0\0tag\x01\0\0\0\0\0\0\0x";
    assert_eq!(input("tag", &[b"x"]), by_hand);
}

/// Words of every size, T whole and rounded, both challenges and hashes, groups of rows, narrow and
/// mixed masks, entries of one, two and four bytes; one column, one block, several blocks and
/// several groups of blocks.
fn settings() -> [CustomParams; 22] {
    let toy = |w, l, b| CustomParams { n: Some(9), ..CustomParams::new(w, 5, 14, l, b) };
    let binary = |custom| CustomParams { challenge: ChallengeKind::Binary, ..custom };
    let gaussian = Distribution::Gaussian { micros: 3_200_000 };
    let errors = RowGroup { rows: 5, bound: 30, distribution: gaussian };
    let narrow =
        |w, l, log2_proofs| CustomParams { n: Some(9), ..cases::narrow(w, 5, 14, l, log2_proofs) };
    let mixed = |w, messages, l| CustomParams { n: Some(9), ..cases::mixed(w, messages, 5, 14, l) };
    let message = RowGroup { rows: 2, bound: 100, distribution: Distribution::Any };
    [
        toy(25, 1, 1),
        toy(29, 700, 1),
        toy(32, 300, 2),
        CustomParams { round_t: Some(0), n: Some(16), ..toy(33, 1300, 1) },
        CustomParams { lambda: 256, ..toy(40, 256, 60) },
        CustomParams { round_t: Some(0), ..toy(64, 513, 127) },
        CustomParams { round_t: Some(14), ..toy(63, 20, 5) },
        binary(toy(40, 20, 64)),
        binary(CustomParams { lambda: 256, n: Some(16), ..toy(33, 300, 1) }),
        binary(CustomParams { norm_bound: Some(90), ..toy(32, 30, 1) }),
        CustomParams {
            groups: [Some(message), Some(RowGroup::uniform(7, 1)), Some(errors)],
            ..toy(36, 270, 1)
        },
        CustomParams { round_t: Some(0), ..toy(44, 1100, 1000) },
        CustomParams {
            groups: [Some(RowGroup::uniform(9, 1)), Some(RowGroup::uniform(5, 40_000)), None],
            ..toy(50, 300, 1)
        },
        CustomParams { round_t: Some(0), ..narrow(17, 1, 3) },
        narrow(18, 20, 4),
        narrow(20, 700, 10),
        narrow(21, 1300, 10),
        narrow(25, 300, 20),
        CustomParams { round_t: Some(0), ..mixed(25, 1, 1) },
        mixed(26, 3, 20),
        mixed(28, 4, 700),
        mixed(30, 8, 1300),
    ]
}

/// Rows of different bounds, of which some are looked up in products with challenges.
fn stripes() -> [CustomParams; 3] {
    let group = |(rows, bound)| Some(RowGroup { rows, bound, distribution: Distribution::Any });
    let toy = CustomParams { n: Some(17), ..CustomParams::new(29, 30, 90, 40, 1) };
    [[(40, 1), (13, 23), (7, 1)], [(11, 23), (9, 99), (40, 2)], [(20, 1), (10, 1), (20, 2)]]
        .map(|groups| CustomParams { groups: groups.map(group), ..toy })
}

fn real_proof(case: &Case, context: &[u8]) -> Vec<u8> {
    case.prover().prove(context, &case.witness, &Seed::from_bytes([3; 32])).unwrap().proof
}

/// On every instruction set; with T in its file and in memory, with what is rounded off it and
/// without.
#[test]
fn statements_and_proofs_are_those_of_the_reference() {
    // Many columns of C.
    let ternary = CustomParams { n: Some(142), ..CustomParams::new(29, 5, 14, 600, 1) };
    let binary = ChallengeKind::Binary;
    let binary = CustomParams { challenge: binary, n: Some(137), w: 40, ..ternary };
    let more = cases::long().into_iter().chain(stripes()).chain([ternary, binary]);
    for custom in settings().into_iter().chain(more) {
        let mut case = Case::new(custom, 1, 2);
        let file = compact::commit(&case.file[..256], None, &case.s());
        assert!(file == case.file, "statement: {custom:?}");
        let known = case.matrix.commit_and_know(&case.witness, &mut Vec::new(), true).unwrap();
        let loaded = Statement::load(&case.file, Security::Waived).unwrap();
        let is_rounded = case.params.round_t() > 0;
        assert!(known.rounded_off().is_some() || !is_rounded);
        for context in [&b""[..], b"context"] {
            let expected = compact::prove(&case.file, None, &case.s(), context, &[3; 32]);
            let proved = |statement| {
                let prover = Prover::new(&case.matrix, statement).unwrap().reproducible();
                prover.prove(context, &case.witness, &Seed::from_bytes([3; 32]))
            };
            for statement in [&known, &loaded] {
                assert!(proved(statement).unwrap().proof == expected, "{custom:?}");
                let verifier = Verifier::new(&case.matrix, statement).unwrap();
                verifier.verify(context, &expected).unwrap();
            }
            let unread = proved(&case.statement);
            let is_refused = matches!(unread, Err(Error::Request(RequestProblem::NotLoaded)));
            assert_eq!(is_refused, is_rounded, "{custom:?}");
            for isa in Isa::all() {
                case.matrix = PublicMatrix::new_on(isa, &case.params, [1; 32]);
                assert!(real_proof(&case, context) == expected, "proof on {isa}: {custom:?}");
            }
        }
    }
}

/// A prover rejects by rho = 2 where sigma is wide enough for it, and by 3 where it is the least
/// bit narrower: by 2 its proofs would depend on S. Sixteen proofs have attempts enough to tell one
/// from the other; and with a sigma near the length of S C, as no secure parameters have it, each
/// term of the acceptance probability, which it moves by tens of percent.
#[test]
fn rho_follows_from_sigma() {
    let toy = |preset: Preset| CustomParams { r: 8, v: 24, l: 12, n: Some(10), ..preset.custom() };
    let binary = CustomParams { challenge: ChallengeKind::Binary, ..toy(Preset::T4_128) };
    let presets = [Preset::T4_128, Preset::B4_128, Preset::T4_256].map(toy);
    for custom in presets.into_iter().chain([binary]) {
        let params = Case::new(custom, 1, 1).params;
        let (wide, least) = (params.sigma(), params.needed_sigma());
        assert!(2 * wide > 3 * least && least > 2);
        let short = crate::estimate::uniform_sd(custom.b) * f64::from(24 * 12 * 10 / 2).sqrt();
        let wider = [wide, wide + 1, 2 * wide].map(|sigma| (sigma, 2));
        let narrower = [wide - 1, least, least - 1, short as u64].map(|sigma| (sigma, 3));
        for (sigma, rho) in wider.into_iter().chain(narrower) {
            let case = Case::new(CustomParams { sigma: Some(sigma), ..custom }, 1, 1);
            assert_eq!(case.params.rho(), rho, "{custom:?}, {sigma}");
            for context in 0..16 {
                let expected = compact::prove(&case.file, None, &case.s(), &[context], &[3; 32]);
                assert!(real_proof(&case, &[context]) == expected, "{custom:?}, {sigma}");
            }
        }
    }
}

/// Every altered bit, or every fifth, and files that were cut, extended, or altered in Z alone and
/// encoded again.
#[test]
fn verdicts_are_those_of_the_reference() {
    let compare_all = |custom| {
        let case = Case::new(custom, 1, 2);
        let mut answers = Vec::new();
        let mut compare = |context: &[u8], proof: &[u8]| {
            let real = Answer::of(&case.verifier().verify(context, proof));
            let expected = compact::verify(&case.file, None, context, proof);
            assert_eq!(real, expected, "{custom:?}");
            answers.push(real);
        };
        let proof = real_proof(&case, b"");
        compare(b"", &proof);
        compare(b"other", &proof);
        let bits = (0..8 * proof.len()).step_by(step(1, 5));
        let lengths = (0..proof.len()).step_by(7);
        cases::damaged(&proof, bits, lengths, |altered, _| compare(b"", altered));
        let statement_digest = case.statement.digest(b"");
        let parsed = Proof::parse(&proof, &case.params, &statement_digest).unwrap();
        for (at, change) in [(0, 1), (13, -1), (7, 14 * case.params.sigma_z().cast_signed())] {
            let mut z = parsed.z.clone();
            z[at] += change;
            let largest = crate::codec::largest(case.params.sigma_z());
            if z[at].unsigned_abs() <= largest {
                compare(b"", &Proof { z, ..parsed.clone() }.to_bytes(&case.params));
            }
        }
        for (at, change) in [(0, 1), (3, -1), (7, 1)] {
            if let Some(hint) = parsed.hints.get(at) {
                let mut hints = parsed.hints.clone();
                hints[at] = hint + change;
                compare(b"", &Proof { hints, ..parsed.clone() }.to_bytes(&case.params));
            }
        }
        let count = |wanted| answers.iter().filter(|&&answer| answer == wanted).count();
        assert_eq!(count(Answer::Valid), 1);
        let enough = scaled(100);
        assert!(count(Answer::Invalid) > enough && count(Answer::Malformed) > enough);
    };
    cases::halves(|half| settings().into_iter().skip(half).step_by(2).for_each(compare_all));
}

/// An A' that is given: the same bytes, and its digest in the header. Another A', one of another
/// length, and entries of 2^w or more are refused, as are parameters that want a seed.
#[test]
fn a_given_matrix_is_that_of_the_reference() {
    for (w, lambda) in [(29_u32, 128), (40, 256), (64, 128)] {
        let width = w.div_ceil(8) as usize;
        let custom = CustomParams { lambda, n: Some(9), ..CustomParams::new(w, 5, 14, 20, 1) };
        let most = Some(14 * 20);
        let custom = CustomParams { frobenius_squared: most, ..custom };
        let given = CustomParams { expansion: Expansion::Given, ..custom };
        let params = waived(given);
        let mut stream = Seed::from_bytes([9; 32]).stream(Label::new("a given matrix"), w.into());
        let mut bytes = vec![0; 45 * width];
        stream.fill(&mut bytes);
        for entry in bytes.chunks_exact_mut(width) {
            entry[width - 1] &= u8::MAX >> (8 * width as u32 - w);
        }
        let matrix = PublicMatrix::given(&params, &bytes).unwrap();
        let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
        let mut entries = vec![0; 14 * 20];
        read_columns(&params, &witness, 0, &mut entries).unwrap();
        let s: Vec<i128> = entries.iter().map(|&s| s.into()).collect();
        let mut file = Vec::new();
        let statement = matrix.commit_and_hold(&witness, &mut file).unwrap();
        let digest = hash(params.hash(), "matrix", &[&bytes]);
        assert!(file[96..160].starts_with(digest.as_bytes()));
        assert!(file == compact::commit(&file[..256], Some(&bytes), &s), "w = {w}");
        let prover = Prover::new(&matrix, &statement).unwrap().reproducible();
        let seed = Seed::from_bytes([3; 32]);
        let proof = prover.prove(b"", &witness, &seed).unwrap().proof;
        assert!(proof == compact::prove(&file, Some(&bytes), &s, b"", &[3; 32]), "w = {w}");
        assert_eq!(compact::verify(&file, Some(&bytes), b"", &proof), Answer::Valid);

        let read = Statement::load(&file, Security::Waived).unwrap();
        Verifier::new(&matrix, &read).unwrap().verify(b"", &proof).unwrap();
        let is_foreign = |a: &PublicMatrix, statement: &Statement| {
            let foreign = RequestProblem::Matrix(MatrixProblem::Foreign);
            matches!(Verifier::new(a, statement), Err(Error::Request(problem)) if problem == foreign)
        };
        let other = flipped(&bytes, 8 * 7);
        let other = PublicMatrix::given(&params, &other).unwrap();
        // A header that names the matrix of no statement.
        let mut nothing = file.clone();
        nothing[96..96 + params.hash().digest_len()].fill(u8::MAX);
        let nothing = Statement::load(&nothing, Security::Waived).unwrap();
        for a in [PublicMatrix::new(&params, [1; 32]), PublicMatrix::new(&params, [u8::MAX; 32])] {
            assert!(is_foreign(&a, &nothing));
            assert!(
                Prover::new(&a, &a.commit_and_hold(&witness, &mut Vec::new()).unwrap()).is_err()
            );
        }
        // Of a seed that is the digest, too.
        for foreign in [other, PublicMatrix::new(&params, *read.seed_a())] {
            assert!(is_foreign(&foreign, &read));
        }
        let refused = |bytes: &[u8]| match PublicMatrix::given(&params, bytes).unwrap_err() {
            Error::Request(RequestProblem::Matrix(problem)) => problem,
            error => panic!("{error}"),
        };
        let (got, expected) = (bytes.len() as u64 - 1, bytes.len() as u64);
        assert_eq!(refused(&bytes[1..]), MatrixProblem::Length { got, expected });
        if w % 8 > 0 {
            let mut large = bytes.clone();
            large[12 * width + width - 1] |= 1 << (w % 8);
            assert_eq!(refused(&large), MatrixProblem::Entry { row: 1, column: 3, w });
        }
        let seeded = waived(custom);
        assert_error!(PublicMatrix::given(&seeded, &bytes), Error::Parameter(_));
    }
}
