//! LWE samples, commitments to messages, sums of columns.

use tautochrone_ctr::{Label, Seed};

use super::{Sums, column_unchecked};
use crate::argument::{Claims, Fact, Layout};
use crate::cases::{CHALLENGE, CONTEXT, Case, name, reason, waived};
use crate::error::{Error, Malformation, WitnessProblem};
use crate::params::{CustomParams, Goal, Params, Security};
use crate::rows::{Distribution, RowGroup};
use crate::shard::{Shard, shard_header};
use crate::witness::columns::read_columns;
use crate::{Preset, PublicMatrix, RandomWitness, Statement, Witness, WitnessFile, WitnessSource};

const SEED: Seed = Seed::from_bytes([5; 32]);

/// Toy dimensions, T whole.
fn toy(l: u64) -> CustomParams {
    let round_t = Some(0);
    CustomParams { l, v: 96, r: 32, n: Some(16), w: 32, round_t, ..Preset::T4_128.custom() }
}

fn matrix(params: &Params) -> PublicMatrix {
    PublicMatrix::new(params, [1; 32])
}

/// The statement of a source that is not read before.
fn file_of(matrix: &PublicMatrix, witness: &dyn WitnessSource) -> Vec<u8> {
    let mut file = Vec::new();
    matrix.commit(witness, &mut file).unwrap();
    file
}

/// The verdict on a proof by this witness.
fn verdict<T>(case: &Case<T>, witness: &dyn WitnessSource) -> Result<(), Error> {
    let proof = case.prover().prove(CONTEXT, witness, &SEED).unwrap().proof;
    case.verifier().verify(CONTEXT, &proof)
}

/// The problem with the witness that is named.
fn problem<T>(result: Result<T, Error>) -> WitnessProblem {
    match result.map(drop) {
        Err(Error::Witness(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

/// Ternary entries from a stream of their own.
fn ternary(count: usize, index: u64) -> Vec<i8> {
    let mut bytes = vec![0; count];
    SEED.stream(Label::new("test: uses"), index).fill(&mut bytes);
    bytes.iter().map(|byte| (byte % 3) as i8 - 1).collect()
}

#[test]
fn lwe_samples() {
    let params = waived(toy(300));
    let (secrets, errors) = (ternary(64 * 300, 0), ternary(32 * 300, 1));
    let witness = Witness::of_lwe(&params, &secrets, &errors).unwrap();
    let case = Case::<i8>::read(&params, 1, &witness);
    verdict(&case, &witness).unwrap();
    // A sample minus its error is linear in the secret: the same secret with another error moves t
    // by the difference.
    let (a, t) = (&case.matrix, case.statement.column(&case.file, 299).unwrap());
    let mut column = [&secrets[64 * 299..], &errors[32 * 299..]].concat();
    assert!(a.opens(&t, &column));
    column[64] = if column[64] == 1 { 0 } else { column[64] + 1 };
    assert!(!a.opens(&t, &column));
    let mut moved = t.clone();
    let step = i64::from(column[64]) - i64::from(errors[32 * 299]);
    moved[0] = moved[0].wrapping_add(step as u64) & 0xFFFF_FFFF;
    assert!(a.opens(&moved, &column));
    column[0] = 2;
    assert!(!a.opens(&t, &column), "an entry beyond b opens nothing");
}

#[test]
fn what_is_no_batch_of_lwe_samples() {
    let (secrets, errors) = (vec![0; 64 * 3], vec![0; 32 * 3]);
    let params = waived(toy(3));
    let short = problem(Witness::of_lwe(&params, &secrets, &errors[1..]));
    assert_eq!(short, WitnessProblem::Length { got: 287, expected: 288 });
    // The total is right, the parts are not.
    let parts = problem(Witness::of_lwe(&params, &[0; 96], &[0; 96 * 2]));
    assert_eq!(parts, WitnessProblem::Length { got: 288, expected: 288 });
    let mut large = errors;
    large[33] = 2;
    let large = problem(Witness::of_lwe(&params, &secrets, &large));
    assert_eq!(large, WitnessProblem::Bound { row: 65, column: 1, b: 1 });
}

#[test]
fn commitments_open_to_their_messages() {
    let params = waived(CustomParams { b: 7, ..toy(600) });
    let messages: Vec<i8> = (0..40 * 600).map(|i| (i % 15) as i8 - 7).collect();
    let a = matrix(&params);
    let commit_to = |seed| Layout::new(40, 600).witness(&a, &messages, &seed).unwrap();
    let witness = commit_to(SEED);
    let case = Case::<i8>::read(&params, 1, &witness);
    assert_eq!(file_of(&a, &witness), case.file);
    verdict(&case, &witness).unwrap();
    let (mut last, mut randomness) = (Vec::new(), Vec::new());
    for (j, column) in case.entries.chunks_exact(96).enumerate().skip(512) {
        assert_eq!(column[..40], messages[40 * j..40 * (j + 1)]);
        assert!(a.opens(&case.statement.column(&case.file, j as u64).unwrap(), column));
        assert_ne!(last, column[40..], "fresh randomness for every message");
        last = column[40..].to_vec();
        randomness.extend_from_slice(&last);
    }
    // Uniform in [-7, 7]: mean 0, variance 56 / 3.
    let count = randomness.len() as f64;
    let sum: f64 = randomness.iter().map(|&x| f64::from(x)).sum();
    let squares: f64 = randomness.iter().map(|&x| f64::from(x).powi(2)).sum();
    assert!((sum / count).abs() < 5.0 * (56.0 / 3.0 / count).sqrt(), "mean {}", sum / count);
    assert!((squares / count - 56.0 / 3.0).abs() < 1.5, "variance {}", squares / count);
    // The same messages with another seed: another statement.
    assert_ne!(file_of(&a, &commit_to(Seed::from_bytes([6; 32]))), case.file);
}

/// Where 256 bits are claimed, too, messages are committed to; claims are not offered there.
#[test]
fn messages_are_committed_to_at_256_bits() {
    let params = waived(CustomParams { lambda: 256, ..toy(300) });
    let (a, layout) = (matrix(&params), Layout::new(40, 300));
    let messages: Vec<i8> = (0..40 * 300).map(|i| (i % 3) as i8 - 1).collect();
    let witness = layout.witness(&a, &messages, &SEED).unwrap();
    verdict(&Case::<i8>::read(&params, 1, &witness), &witness).unwrap();
    let claims = Claims::from(Fact::sum(vec![(0, 1)], vec![(0, 1)], 1).unwrap());
    let columns = 300 - layout.clone().with_slot(&claims).unwrap().closed();
    let with_slot = Layout::new(40, columns).with_slot(&claims).unwrap();
    assert_eq!(name(with_slot.hiding(&params)), "lambda");
}

/// A source delivers the same columns whether it is asked for all of them, for a group or for a
/// block. One that was made for other parameters, or is asked for what it does not have, says so.
#[test]
fn sources_deliver_any_block_by_itself() {
    let params = waived(toy(1300));
    let read = |source: &dyn WitnessSource, block: u64, columns: usize| {
        let mut out = vec![0; 96 * columns];
        source.read_columns(&params, block, &mut out).map(|()| out)
    };
    let random = RandomWitness::new(SEED);
    let all = read(&random, 0, 1300).unwrap();
    let bytes: Vec<u8> = all.iter().map(|s| s.cast_unsigned()).collect();
    let file = WitnessFile::new(&params, bytes.clone()).unwrap();
    let memory = Witness::new(&params, all.clone()).unwrap();
    let shard = Shard::of_columns(&params, 512, 788).unwrap();
    let mut shard_file = shard_header(&params, shard).to_vec();
    shard_file.extend(&bytes[512 * 96..]);
    let shard = WitnessFile::of_shard(&params, shard_file).unwrap();
    let zeros = vec![0; 40 * 1300];
    let messages = Layout::new(40, 1300).witness(&matrix(&params), &zeros, &SEED).unwrap();
    let groups = Sums::of_groups(1300, 1).unwrap();
    let sum_params = groups.params(&params, Security::Waived).unwrap();
    let sums = groups.witness(&params, &sum_params, &file).unwrap();
    let own = read(&messages, 0, 1300).unwrap();
    let sources: [(&dyn WitnessSource, u64, &[i8]); 6] = [
        (&random, 0, &all),
        (&file, 0, &all),
        (&memory, 0, &all),
        (&shard, 2, &all),
        (&messages, 0, &own),
        (&sums, 0, &all),
    ];
    for (which, (source, first, all)) in sources.into_iter().enumerate() {
        for block in first..6 {
            let start = block as usize * 256;
            for columns in [1, 256, 1300] {
                let columns = columns.min(1300 - start);
                let got = read(source, block, columns).unwrap();
                assert!(got == all[start * 96..(start + columns) * 96], "source {which}, {block}");
            }
        }
        // Random entries have no end.
        if which > 0 {
            // 2^56 blocks are 2^64 columns.
            for (block, columns) in [(5, 21), (6, 1), (1 << 56, 1), (u64::MAX, 1)] {
                assert!(read(source, block, columns).is_err(), "source {which}, block {block}");
            }
            let longer = matrix(&waived(toy(3000)));
            assert!(longer.commit(source, &mut Vec::new()).is_err(), "source {which}");
        }
    }
    let narrow = waived(CustomParams { v: 39, r: 8, ..toy(1300) });
    assert!(matrix(&narrow).commit(&messages, &mut Vec::new()).is_err());
    let mut blocks: Vec<&[i8]> = all.chunks_exact(256 * 96).collect();
    blocks.sort_unstable();
    blocks.dedup();
    assert_eq!(blocks.len(), 5);
}

#[test]
fn what_is_no_commitment() {
    let params = waived(toy(2));
    for rows in [0, 64, 65, u32::MAX] {
        assert_eq!(name(params.hiding_of_messages(rows, Security::Waived)), "message rows");
        assert!(Layout::new(rows, 2).hiding(&params).is_err());
    }
    let (a, layout) = (matrix(&params), Layout::new(40, 2));
    let short = problem(layout.witness(&a, &[0; 79], &SEED));
    assert_eq!(short, WitnessProblem::Messages { got: 79, expected: 80 });
    let mut messages = [0; 80];
    messages[41] = -2;
    let large = problem(layout.witness(&a, &messages, &SEED));
    assert_eq!(large, WitnessProblem::Bound { row: 1, column: 1, b: 1 });
}

/// Rows given to messages hide nothing: a preset that is just secure has no rows to spare for them,
/// parameters made for them do.
#[test]
fn messages_need_rows_of_their_own() {
    let preset = Preset::T4_128.custom().validate(Security::Required).unwrap();
    let error = preset.hiding_of_messages(512, Security::Required).unwrap_err();
    assert!(matches!(error, Error::Insecure(_)), "{error}");
    let goal = Goal { message_rows: 512, ..Goal::new(1, 100) };
    let params = goal.optimise().unwrap().validate(Security::Required).unwrap();
    assert!(Layout::new(512, 100).hiding(&params).unwrap().classical >= 128.0);
    let more = params.hiding_of_messages(520, Security::Required);
    assert!(more.is_err(), "no row to spare");
}

#[test]
fn columns_of_a_changed_file() {
    let params = waived(toy(300));
    let Case { statement, mut file, .. } = Case::<i8>::read(&params, 1, &RandomWitness::new(SEED));
    assert_eq!(name(statement.column(&file, 300)), "column");
    *file.last_mut().unwrap() ^= 1;
    assert!(statement.column(&file, 255).is_ok(), "another block");
    let error = statement.column(&file, 256).unwrap_err();
    assert!(matches!(error, Error::Malformed { problem: Malformation::Block(1), .. }), "{error}");
    file.pop();
    assert!(matches!(statement.column(&file, 256), Err(Error::Io { .. })));
}

/// S R, entry by entry.
fn summed(s: &[i8], v: usize, sums: &[Vec<(u64, i8)>]) -> Vec<i8> {
    let entry = |sum: &Vec<(u64, i8)>, i: usize| -> i8 {
        sum.iter().map(|&(j, c)| s[j as usize * v + i] * c).sum()
    };
    sums.iter().flat_map(|sum| (0..v).map(move |i| entry(sum, i))).collect()
}

/// The statement that anybody derives from T is the one that the prover would commit to, byte for
/// byte, and its proof verifies; for both word sizes, ragged blocks, negative and repeated terms.
#[test]
fn sums_of_columns() {
    for w in [32, 64] {
        let params = waived(CustomParams { w, b: 3, ..toy(600) });
        let s: Vec<i8> = ternary(96 * 600, 2).iter().map(|s| 3 * s).collect();
        let witness = Witness::new(&params, s.clone()).unwrap();
        let Case { statement, file, .. } = Case::of(params.clone(), 1, s.clone());

        let terms = |k: u64| match k % 4 {
            0 => vec![(k, 1), (599 - k, -2), (k, 3)],
            1 => vec![],
            2 => vec![(k * 7919 % 600, -9)],
            _ => (0..8).map(|i| ((k * 31 + 75 * i) % 600, 1)).collect(),
        };
        let terms: Vec<Vec<(u64, i8)>> = (0..300).map(terms).collect();
        let sums = Sums::new(600, terms.clone()).unwrap();
        assert_eq!(sums.weight(), 9);
        let sum_params = sums.params(&params, Security::Waived).unwrap();
        assert_eq!((sum_params.l(), sum_params.b()), (300, 27));
        let sum_witness = sums.witness(&params, &sum_params, &witness).unwrap();
        let direct = Case::of(sum_params.clone(), 1, summed(&s, 96, &terms));
        assert_eq!(file_of(&direct.matrix, &sum_witness), direct.file);
        let mut derived_file = Vec::new();
        let derived = sums.statement(&statement, &file, &sum_params, &mut derived_file).unwrap();
        assert!(derived_file == direct.file && derived == direct.statement);
        assert_eq!(Statement::read(&derived_file, Security::Waived).unwrap(), derived);
        let derived = Case { statement: derived, file: derived_file, ..direct };
        verdict(&derived, &sum_witness).unwrap();

        // T is read as it was hashed, in every block.
        for (column, block) in [(0, 0), (255, 0), (256, 1), (511, 1), (512, 2), (599, 2)] {
            let mut changed = file.clone();
            changed[256 + column * (file.len() - 256) / 600] ^= 1;
            let refused = sums.statement(&statement, &changed, &sum_params, &mut Vec::new());
            assert_error!(
                refused,
                Error::Malformed { what: "statement", problem: Malformation::Block(at) } if at == block
            );
        }

        // Sums that are not those of T: the proof does not verify against what the verifier
        // derives.
        let mut wrong = derived.entries.clone();
        wrong[17] += 1;
        let wrong = Witness::new(&sum_params, wrong).unwrap();
        assert_eq!(reason(verdict(&derived, &wrong)), CHALLENGE);

        let binding = sums.binding(&params, &sum_params);
        assert!(binding.classical <= sum_params.estimate().binding.classical);
    }
}

/// Toy dimensions with entries of more than a byte.
fn wide(b: u32) -> CustomParams {
    CustomParams { n: Some(16), ..CustomParams::new(50, 32, 96, 600, b) }
}

/// LWE samples with errors of standard deviation 100: committed, proved, opened; read again from a
/// file and from shards, which give the same bytes.
#[test]
fn lwe_samples_with_wide_errors() {
    let gaussian = Distribution::Gaussian { micros: 100_000_000 };
    let errors = RowGroup { rows: 32, bound: 1300, distribution: gaussian };
    let groups = [Some(RowGroup::uniform(64, 1)), Some(errors), None];
    let params = waived(CustomParams { groups, round_t: Some(0), ..wide(1) });
    assert_eq!(params.entry_bytes(), 2);
    let mut entries = vec![0_i32; 96 * 600];
    read_columns(&params, &RandomWitness::new(SEED), 0, &mut entries[..96 * 256]).unwrap();
    let (largest, bytes) = (entries.iter().map(|s| s.abs()).max().unwrap(), 96 * 600 * 2);
    assert!((300..=1300).contains(&largest), "{largest}");
    let secrets: Vec<i8> = entries.chunks(96).flat_map(|s| &s[..64]).map(|&s| s as i8).collect();
    let errors: Vec<i16> = entries.chunks(96).flat_map(|s| &s[64..]).map(|&s| s as i16).collect();
    let witness = Witness::of_lwe(&params, &secrets, &errors).unwrap();
    let case = Case::<i32>::read(&params, 1, &witness);
    assert_eq!(case.entries, entries);
    verdict(&case, &witness).unwrap();
    let t = case.statement.column(&case.file, 7).unwrap();
    let column = column_unchecked(&params, &witness, 7).unwrap();
    assert_eq!(column[..], entries[7 * 96..8 * 96]);
    assert!(case.matrix.opens(&t, &column));

    let mut stored: Vec<u8> = entries.iter().flat_map(|&s| (s as i16).to_le_bytes()).collect();
    let from_file = WitnessFile::new(&params, stored.clone()).unwrap();
    assert_eq!(file_of(&case.matrix, &from_file), case.file);
    verdict(&case, &from_file).unwrap();
    let shard = Shard::of_columns(&params, 256, 344).unwrap();
    let mut part = shard_header(&params, shard).to_vec();
    part.extend_from_slice(&stored[256 * 96 * 2..]);
    let source = WitnessFile::of_shard(&params, part.clone()).unwrap();
    let mut read = vec![0_i32; 96 * 256];
    read_columns(&params, &source, 1, &mut read).unwrap();
    assert_eq!(read, entries[96 * 256..2 * 96 * 256]);
    assert!(WitnessFile::of_shard(&params, part[1..].to_vec()).is_err());

    // One error beyond its bound, and one that is where a ternary secret belongs.
    for (row, value) in [(64, 1301), (63, 2)] {
        let at = 2 * (5 * 96 + row);
        let before = [stored[at], stored[at + 1]];
        stored[at..at + 2].copy_from_slice(&i16::to_le_bytes(value));
        let file = WitnessFile::new(&params, stored.clone()).unwrap();
        let refused = problem(case.matrix.commit(&file, &mut Vec::new()));
        let row = row as u64;
        assert!(matches!(refused, WitnessProblem::Bound { row: at, column: 5, .. } if at == row));
        stored[at..at + 2].copy_from_slice(&before);
    }
    assert_eq!(stored.len(), bytes);
}

/// Sums whose entries are wide, over columns of bytes and over wide ones.
#[test]
fn wide_sums() {
    for b in [100, 1000] {
        let params = waived(wide(b));
        let witness = RandomWitness::new(SEED);
        let Case { statement, file, .. } = Case::<i32>::read(&params, 1, &witness);
        let groups = Sums::of_groups(600, 5).unwrap();
        let sum_params = groups.params(&params, Security::Waived).unwrap();
        assert_eq!((sum_params.b(), sum_params.entry_bytes()), (5 * b, 2));
        let sums = groups.witness(&params, &sum_params, &witness).unwrap();
        let direct = Case::<i32>::read(&sum_params, 1, &sums);
        let mut derived_file = Vec::new();
        let derived = groups.statement(&statement, &file, &sum_params, &mut derived_file).unwrap();
        let derived = Case { statement: derived, file: derived_file, ..direct };
        let total = column_unchecked(&sum_params, &sums, 119).unwrap();
        for i in 0..96 {
            let part = |j| column_unchecked(&params, &witness, j).unwrap()[i];
            assert_eq!(total[i], (595..600).map(part).sum::<i32>());
        }
        let t = derived.statement.column(&derived.file, 119).unwrap();
        assert!(derived.matrix.opens(&t, &total));
        verdict(&derived, &sums).unwrap();
    }
}

/// (q, 0, .., 0) is in the kernel of every A: with sums that may be as long as q, nothing binds,
/// although each of the two statements is secure by itself.
#[test]
fn sums_as_long_as_the_modulus_bind_nothing() {
    let strong = CustomParams { lambda: 128, n: None, ..Preset::T4_256.custom() };
    let params = strong.validate(Security::Required).unwrap();
    let sums = |terms: u64| Sums::new(4096, vec![(0..terms).map(|j| (j, 1)).collect()]).unwrap();
    let binding = |terms| {
        let sums = sums(terms);
        let sum_params = sums.params(&params, Security::Required).unwrap();
        sums.binding(&params, &sum_params)
    };
    assert!(binding(8).classical > 128.0);
    assert_eq!(binding(127).beta, crate::estimate::MIN_BLOCK);
}

/// The sigma of sums is the least for the rho of what they are sums of.
#[test]
fn sums_have_the_rho_of_their_columns() {
    let groups = Sums::of_groups(10, 4).unwrap();
    let custom = CustomParams { n: Some(16), ..CustomParams::new(32, 32, 96, 10, 1) };
    let wide = waived(custom);
    let custom = CustomParams { rho: Some(3), ..custom };
    let narrow = waived(custom);
    let [of_wide, of_narrow] =
        [&wide, &narrow].map(|params| groups.params(params, Security::Waived).unwrap());
    assert_eq!([&wide, &of_wide].map(Params::rho), [2; 2]);
    assert_eq!([&narrow, &of_narrow].map(Params::rho), [3; 2]);
    assert_eq!(of_narrow.sigma(), of_wide.needed_sigma());
}

#[test]
fn groups_and_what_is_no_sum() {
    let groups = Sums::of_groups(10, 4).unwrap();
    let params = waived(toy(10));
    let sum_params = groups.params(&params, Security::Waived).unwrap();
    assert_eq!((groups.weight(), sum_params.l(), sum_params.b()), (4, 3, 4));

    assert_eq!(name(Sums::new(10, vec![])), "number of sums");
    assert_eq!(name(Sums::new(10, vec![vec![]])), "sum of the absolute coefficients");
    assert_eq!(
        name(Sums::new(10, vec![vec![(0, 64), (1, -64)]])),
        "sum of the absolute coefficients"
    );
    assert_eq!(name(Sums::new(10, vec![vec![(3, 1), (10, 1)]])), "column of a term");
    assert!(Sums::new(10, vec![vec![(0, 64), (1, -63)]]).is_ok());

    let other = waived(toy(11));
    assert_eq!(name(groups.params(&other, Security::Waived)), "l");
    let source = RandomWitness::new(SEED);
    assert!(groups.witness(&params, &params, &source).is_err(), "not the sums' parameters");
    // b' = 4 * 2^19 is beyond 2^20.
    let wide = waived(CustomParams { b: 1 << 19, w: 64, ..toy(10) });
    assert_eq!(name(groups.params(&wide, Security::Waived)), "b");
}
