//! Keys that are proved in shards have the proof of one machine.

use super::*;
use crate::argument::request::{Combine, Request};
use crate::argument::tests::combine;
use crate::cases::shards;
use crate::error::WitnessProblem;
use crate::shard::{ShardProblem, WitnessDigest};

fn prove_in(toy: &Toy, shards: &[Shard]) -> Vec<u8> {
    let keys = toy.keys();
    let (mut workers, mut digest, mut tail) = (Vec::new(), WitnessDigest::default(), Vec::new());
    for &shard in shards {
        let (worker, of_shard) = KeyWorker::new(&keys, &toy.witness, shard).unwrap();
        digest.join(&of_shard);
        tail.extend_from_slice(&worker.tail().unwrap());
        workers.push(worker);
    }
    let argument = KeyArgument::new(&keys, digest, &tail, &mut |request| {
        combine(request, workers.iter_mut().map(|worker| worker.answer(request)))
    });
    let argument = argument.unwrap();

    // Packed, and read again.
    let capacity = |index: usize| (index as u64 % 2) << 20;
    let of_workers = workers.iter().enumerate();
    let mut witnesses: Vec<_> =
        of_workers.map(|(index, worker)| worker.witness(capacity(index))).collect();
    witnesses.push(argument.witness(capacity(workers.len())));
    let (seed, prover) = (Seed::from_bytes(SEED), argument.prover().unwrap());
    let coordinator = argument.coordinator(&prover, CONTEXT, &seed).unwrap();
    let no_product = |_: &_| panic!("T of keys is whole");
    let (proof, _) = shards::attempt(keys.params(), &coordinator, &mut witnesses, no_product);
    argument.proof_file(&proof)
}

/// Of keys whose last block is full, or not, or all that there is.
#[test]
fn shards_give_the_proof_of_one_machine() {
    let claim = ranges(1, 2);
    for l in [700, 512, 200, 1025] {
        let toy = Toy::new(toy(33, 4, l, 2), claim, 3);
        let one = toy.prove();
        for parts in [1, 2, 3, 5] {
            let shards = shards::even(&toy.params, parts);
            assert!(prove_in(&toy, &shards) == one, "{l} keys in {parts} shards");
        }
    }
}

/// What workers send is checked; a worker whose keys are not well formed says so.
#[test]
fn hostile_parts_are_refused() {
    let toy = Toy::new(toy(33, 4, 300, 2), ranges(1, 1), 3);
    let keys = toy.keys();
    let (worker, digest) = KeyWorker::new(&keys, &toy.witness, Shard::whole(&toy.params)).unwrap();
    let tail = worker.tail().unwrap();
    assert_eq!(tail.len(), 44 * 9);
    let argued = |digest: &WitnessDigest, tail: &[u8], sums: usize, hints: usize| {
        KeyArgument::new(&keys, digest.clone(), tail, &mut |request| {
            let count = match request.combine() {
                Combine::Sum => sums,
                Combine::Concatenate => hints,
            };
            Ok(vec![Element::ZERO; count].into())
        })
    };
    for wrong in [&[][..], &tail[1..], &tail[9..], &[&tail[..], &[0; 9]].concat()] {
        assert_error!(argued(&digest, wrong, 4, 300), Error::Shard(ShardProblem::Sum));
    }
    let mut twice = digest.clone();
    twice.join(&digest);
    for wrong in [&WitnessDigest::default(), &twice] {
        assert_error!(argued(wrong, &tail, 4, 300), Error::Shard(ShardProblem::Hashes { .. }));
    }
    for (sums, hints) in [(0, 300), (3, 300), (5, 300), (4, 0), (4, 299), (4, 301)] {
        let refused = argued(&digest, &tail, sums, hints);
        assert_error!(refused, Error::Shard(ShardProblem::Elements), "{sums} {hints}");
    }
    // A tail of other entries, beyond their bound or not.
    let beyond = argued(&digest, &vec![3; tail.len()], 4, 300);
    assert_error!(beyond, Error::Witness(WitnessProblem::Bound { .. }));
    assert_error!(argued(&digest, &vec![0; tail.len()], 4, 300), Error::ForeignWitness);
    let argument = argued(&digest, &tail, 4, 300).unwrap();
    let redacted = format!("{worker:?} {argument:?}");
    assert_eq!(redacted, "KeyWorker([REDACTED]) KeyArgument([REDACTED])");
    // Rounds come in their order, and requests belong to this claim.
    let begin = |count| {
        let challenges = vec![Element::ZERO; count];
        Request::Begin { claim: 0, challenges, mask: Element::ZERO }
    };
    let count = keys.shape().challenges();
    for (first, second) in [
        (None, Request::Bind(Element::ZERO)),
        (None, begin(count - 1)),
        (None, begin(count + 1)),
        (Some(begin(count)), Request::Places),
    ] {
        let mut worker = KeyWorker::new(&keys, &toy.witness, Shard::whole(&toy.params)).unwrap().0;
        if let Some(first) = &first {
            worker.answer(first).unwrap();
        }
        let refused = worker.answer(&second);
        assert_error!(refused, Error::Shard(ShardProblem::Elements), "{second:?}");
    }
    // A column in the first shard of two, and one in the second, whose block is not full.
    for (shard, column) in [(0, 20), (1, 290)] {
        let toy = toy.with_entry(column * 9 + 2, 2);
        let keys = toy.keys();
        let worker =
            |index| KeyWorker::new(&keys, &toy.witness, Shard::even(&toy.params, index, 2));
        assert!(worker(1 - shard).is_ok());
        assert_error!(worker(shard), Error::FalseFact);
        assert_error!(toy.try_prove(), Error::FalseFact);
    }
}
