//! Files made in shards are the files of one machine; hostile shards are named.

use super::*;
use crate::cases::shards::{attempt, even};
use crate::cases::{Case, flipped, long, waived};
use crate::error::{Fault, WitnessProblem};
use crate::internals::Malformation;
use crate::witness::columns::read_columns;
use crate::*;
use tautochrone_ctr::Seed;

struct Memory<'a> {
    params: &'a Params,
    file: Vec<u8>,
    /// (index, hash of S, hash of T) of blocks finished in an earlier run.
    finished: Vec<(u64, Digest, Digest)>,
    puts: usize,
}

impl BlockSink for Memory<'_> {
    fn finished(&mut self, index: u64, s_hash: &Digest) -> Result<Option<Digest>, Error> {
        let found = self.finished.iter().find(|(i, s, _)| *i == index && s == s_hash);
        Ok(found.map(|(_, _, t)| *t))
    }

    fn put(&mut self, index: u64, s: &Digest, t: &Digest, bytes: &[u8]) -> Result<(), Error> {
        let start = block_offset(self.params, index) as usize;
        self.file[start..start + bytes.len()].copy_from_slice(bytes);
        self.finished.push((index, *s, *t));
        self.puts += 1;
        Ok(())
    }
}

fn params(preset: Preset, l: u64) -> Params {
    waived(CustomParams { r: 48, v: 200, l, n: Some(20), ..preset.custom() })
}

/// In every form of packing, of which the reference has M and proofs of one machine; packed as a
/// whole, in part or not at all, before the first attempt or in it.
#[test]
fn shards_give_the_bytes_of_one_machine() {
    let short = |l| CustomParams { l, ..long()[0] };
    // Binary challenges are refused in shards.
    let ternary = |custom: &CustomParams| custom.challenge == ChallengeKind::Ternary;
    for custom in long().into_iter().filter(ternary).chain([short(1), short(256)]) {
        let case = Case::new(custom, 1, 2);
        let Case { params, matrix: a, statement: whole, file, .. } = &case;
        let (l, seed) = (params.l(), Seed::from_bytes([3; 32]));
        let entries: Vec<u8> = case.entries.iter().map(|&s| s as u8).collect();
        let witness = WitnessFile::new(params, entries).unwrap();
        let proof = case.prover().prove(b"c", &case.witness, &seed).unwrap();
        let bytes = &proof.proof;

        let ragged = [(512, l.saturating_sub(512)), (0, 512.min(l))];
        let ragged = ragged.map(|(first, count)| {
            Shard::of_columns(params, if count == 0 { 0 } else { first }, count).unwrap()
        });
        let divisions = [1, 1, 1, 3, 16].map(|parts| even(params, parts));
        for (k, shards) in (0..).zip(divisions.into_iter().chain([ragged.to_vec()])) {
            check_cover(params, &shards).unwrap();
            let mut sink = Memory { params, file: vec![0; file.len()], finished: vec![], puts: 0 };
            let header = statement_header(params, a.id());
            sink.file[..header.len()].copy_from_slice(&header);
            let mut hashes: Vec<_> = shards
                .iter()
                .map(|&s| (s.blocks().start, commit(a, &witness, s, &mut sink).unwrap()))
                .collect();
            assert_eq!(&sink.file, file);
            // A second run finds everything done; another witness finds nothing.
            sink.puts = 0;
            commit(a, &witness, shards[0], &mut sink).unwrap();
            assert_eq!(sink.puts, 0);
            let other = RandomWitness::new(Seed::from_bytes([9; 32]));
            let count = shards[0].blocks().count();
            commit(a, &other, shards[0], &mut sink).unwrap();
            assert_eq!(sink.puts, count);

            hashes.sort_by_key(|(first, _)| *first);
            let t: Vec<_> = hashes.iter().flat_map(|(_, h)| h.t.clone()).collect();
            let mut s = WitnessDigest::default();
            for (_, hashes) in &hashes {
                s.join(&hashes.s);
            }
            let made = statement(params, a.id, t).unwrap();
            assert_eq!(&made, whole);
            let prover_of_shards = Prover::new(a, &made).unwrap().reproducible();
            let coordinator = Coordinator::new(&prover_of_shards, b"c", &s, &seed).unwrap();
            // Capacity for nothing, for some groups of columns, for everything.
            let group = u64::from(params.v()) * 1024 + 1;
            let worker = |(groups, &shard): (u64, &Shard)| match groups % 2 {
                0 => ShardWitness::new(a, &witness, shard, groups * group),
                _ => ShardWitness::hashed(a, &witness, shard, groups * group).unwrap().0,
            };
            let mut workers: Vec<_> = (k..).zip(&shards).map(worker).collect();
            let (made_by_all, attempts) = attempt(params, &coordinator, &mut workers, |hash| {
                let part = |&shard: &Shard| {
                    multiply_tc(a, file, shard, hashes_of(&made, shard), hash).unwrap()
                };
                sum_of(shards.iter().map(part))
            });
            assert_eq!((made_by_all.to_bytes(params), attempts), (bytes.clone(), proof.attempts));

            verify(params, a, &made, file, &shards, bytes);
        }
    }
}

fn sum_of(mut parts: impl Iterator<Item = ModQ>) -> ModQ {
    let mut sum = parts.next().unwrap();
    for part in parts {
        sum.add(&part).unwrap();
    }
    sum
}

/// The hashes of a shard's blocks of T.
fn hashes_of(statement: &Statement, shard: Shard) -> &[Digest] {
    let blocks = shard.blocks();
    &statement.block_hashes()[blocks.start as usize..blocks.end as usize]
}

fn verify(
    params: &Params,
    a: &PublicMatrix,
    statement: &Statement,
    file: &Vec<u8>,
    shards: &[Shard],
    proof: &[u8],
) {
    assert_eq!(read_header(file, Security::Waived).unwrap().0, *params);
    assert_error!(read_header(file, Security::Required), Error::Insecure(_));
    for &shard in shards {
        assert_eq!(hash_blocks(file, params, shard).unwrap(), hashes_of(statement, shard));
    }
    let other = Check::begin(a, statement, b"other", proof);
    assert_error!(other, Error::Invalid(Reason::OtherStatement));
    let check = Check::begin(a, statement, b"c", proof).unwrap();
    let part = |file: &Vec<u8>, shard: Shard| {
        multiply_tc(a, file, shard, hashes_of(statement, shard), check.challenge_hash())
    };
    let sum = sum_of(shards.iter().map(|&shard| part(file, shard).unwrap()));
    check.finish(&sum).unwrap();
    let zeros = |len| match &sum {
        ModQ::W16(_) => ModQ::W16(vec![0; len]),
        ModQ::W32(_) => ModQ::W32(vec![0; len]),
        ModQ::W64(_) => ModQ::W64(vec![0; len]),
    };
    // E of something else may be too long, which is seen before the challenge is looked at.
    let wrong = match check.finish(&zeros(sum.len())) {
        Err(Error::Invalid(reason)) => reason,
        other => panic!("{other:?}"),
    };
    let too_long = matches!(wrong, Reason::Content(Fault::NormTooLarge { .. }));
    assert!(wrong == Reason::Content(Fault::Challenge) || too_long, "{wrong}");
    let other = match &sum {
        ModQ::W32(tc) => ModQ::W64(vec![0; tc.len()]),
        ModQ::W16(_) | ModQ::W64(_) => ModQ::W32(vec![0; sum.len()]),
    };
    assert!(sum.clone().add(&other).is_err() && sum.clone().add(&zeros(1)).is_err());
    for product in [zeros(sum.len() - 1), zeros(sum.len() + 1), other] {
        assert_error!(check.finish(&product), Error::Shard(ShardProblem::Product));
    }
    // The bytes that are multiplied are those that were hashed.
    let altered = flipped(file, 8 * params.statement_header_len());
    let owner = shards.iter().find(|shard| shard.blocks().contains(&0)).unwrap();
    assert_error!(part(&altered, *owner), Error::Malformed { problem: Malformation::Block(0), .. });
    assert_error!(
        multiply_tc(a, file, *owner, &[], check.challenge_hash()),
        Error::Shard(ShardProblem::Hashes { got: 0, .. })
    );
}

/// sigma hides what is within b l. Something else, from a worker that errs, is not published under
/// it.
#[test]
fn sums_that_cannot_be_are_refused() {
    let case = Case::of(params(Preset::T4_128, 300), 1, vec![0_i8; 200 * 300]);
    let whole = Shard::whole(&case.params);
    let (_, hashes) = ShardWitness::hashed(&case.matrix, &case.witness, whole, 0).unwrap();
    let (prover, seed) = (case.prover(), Seed::from_bytes([3; 32]));
    let coordinator = Coordinator::new(&prover, b"", &hashes, &seed).unwrap();
    for m in [vec![301; 200 * 20], vec![0; 200 * 20 - 1], vec![0; 200 * 20 + 1]] {
        assert_error!(coordinator.begin(0).unwrap().finish(&m), Error::Shard(ShardProblem::Sum));
    }
    assert!(coordinator.begin(0).unwrap().finish(&vec![300; 200 * 20]).is_ok());
}

#[test]
fn covers_are_checked() {
    let params = params(Preset::T4_128, 1000);
    let shard = |first, count| Shard::of_columns(&params, first, count);
    for (first, count) in [(1, 256), (0, 255), (0, 1001), (u64::MAX, 2), (768, 231)] {
        assert_error!(
            shard(first, count),
            Error::Shard(ShardProblem::Range { .. }),
            "{first} {count}"
        );
    }
    let all = [shard(512, 488), shard(0, 256), shard(256, 256)].map(Result::unwrap);
    check_cover(&params, &all).unwrap();
    let problem = |shards: &[Shard]| match check_cover(&params, shards) {
        Err(Error::Shard(problem)) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(problem(&all[..2]), ShardProblem::Gap { first: 256, end: 512 });
    assert_eq!(problem(&all[1..]), ShardProblem::Gap { first: 512, end: 1000 });
    let twice = [all[0], all[1], all[2], shard(256, 512).unwrap()];
    assert!(matches!(problem(&twice), ShardProblem::Overlap { column: 256 | 512, .. }));
    // A shard of longer parameters has no columns beyond these.
    let longer = Shard::whole(&self::params(Preset::T4_128, 5000));
    let columns = longer.groups(&params).map(|(_, columns)| columns).sum::<usize>();
    assert_eq!(columns, 1000);
}

#[test]
fn bad_shard_files_are_named() {
    let params = params(Preset::T4_128, 1000);
    let shard = Shard::of_columns(&params, 768, 232).unwrap();
    let mut file = shard_header(&params, shard).to_vec();
    file.resize(40 + 232 * 200, 1);
    let read = |file: &[u8]| WitnessFile::of_shard(&params, file.to_vec());
    let good = read(&file).unwrap();
    assert_eq!(good.shard(), shard);
    let mut out = vec![0; 232 * 200];
    good.read_columns(&params, 3, &mut out).unwrap();
    assert!(good.read_columns(&params, 2, &mut out).is_err(), "not its columns");

    let problem = |file: &[u8]| match read(file) {
        Err(Error::Shard(problem)) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(problem(&[]), ShardProblem::Magic);
    assert!(matches!(problem(&file[..file.len() - 1]), ShardProblem::Length { .. }));
    for (at, name) in [(8, "v"), (12, "b"), (16, "l")] {
        let got = problem(&flipped(&file, 8 * at));
        assert!(matches!(got, ShardProblem::Parameter { name: n, .. } if n == name), "{got}");
    }
    for at in [24, 31, 32, 39] {
        let mut other = file.clone();
        other[at] ^= 0x81;
        assert!(matches!(problem(&other), ShardProblem::Range { .. }));
    }
    file[60] = 2;
    assert_error!(
        read_columns(&params, &read(&file).unwrap(), 3, &mut out),
        Error::Witness(WitnessProblem::Bound { row: 20, column: 768, b: 1 })
    );
}
