//! Ranges that are proved in shards have the proof of one machine.

use super::*;
use crate::argument::sharded;
use crate::shard::ShardProblem;

fn prove_in(toy: &Toy, ranges: &Ranges, shards: &[Shard]) -> Vec<u8> {
    let (params, slot) = (&toy.params, toy.slot());
    let prover = toy.prover();
    let new = |&shard: &Shard| RangeWorker::new(params, &toy.witness, shard, slot, ranges).unwrap();
    let mut workers: Vec<RangeWorker<'_>> = shards.iter().map(new).collect();
    let pads: Vec<u8> = workers.iter().flat_map(|worker| worker.pads().to_vec()).collect();
    let mut coordinator = RangeCoordinator::new(&prover, slot, ranges, &pads).unwrap();
    for worker in &mut workers {
        assert_eq!(worker.challenges(), coordinator.tau().len());
        assert_eq!(worker.rounds(), coordinator.rounds());
        worker.begin(coordinator.tau());
    }
    for _ in 0..coordinator.rounds() {
        let mut sums = vec![Element::ZERO; ranges.degree() + 1];
        for worker in &mut workers {
            let part = worker.sums().unwrap();
            sums.iter_mut().zip(part.iter()).for_each(|(sum, &x)| *sum += x);
        }
        let r = coordinator.send(&sums).unwrap();
        for worker in &mut workers {
            worker.bind(r);
        }
    }
    let images: Vec<u8> =
        workers.into_iter().flat_map(|worker| worker.images().unwrap().to_vec()).collect();
    let argument = coordinator.finish(&images).unwrap();

    let seed = Seed::from_bytes([7; 32]);
    let made = (&toy.matrix, &toy.statement, &toy.file as &dyn crate::source::ReadAt);
    let proof = sharded::prove(made, &toy.witness, &prover, shards, (CONTEXT, &seed), |c| {
        c.with_ranges(&argument).unwrap()
    });
    argument.into_proof(proof).to_bytes(params)
}

#[test]
fn shards_give_the_proof_of_one_machine() {
    for ranges in [bits_and_trits(), two_norms()] {
        let toy = Toy::new(toy(29, 700), &ranges, 3);
        let one = toy.prove(&ranges);
        for parts in [1, 2, 3, 5] {
            let shards: Vec<Shard> =
                (0..parts).map(|index| Shard::even(&toy.params, index, parts)).collect();
            assert!(prove_in(&toy, &ranges, &shards) == one, "{parts} shards");
        }
    }
}

/// What workers send is checked; a worker whose columns are not in their ranges says so.
#[test]
fn hostile_parts_are_refused() {
    let ranges = bits_and_trits();
    let mut toy = Toy::new(toy(29, 300), &ranges, 3);
    let prover = toy.prover();
    let new = |pads: &[u8]| RangeCoordinator::new(&prover, toy.slot(), &ranges, pads);
    let pads = vec![0; 48 * 300];
    for wrong in [&pads[1..], &pads[24..], &vec![255; pads.len()], &[&pads[..], &[0; 48]].concat()]
    {
        assert!(matches!(new(wrong), Err(Error::Shard(ShardProblem::Elements))));
    }
    let mut coordinator = new(&pads).unwrap();
    for count in [0, 3, 5] {
        assert!(coordinator.send(&vec![Element::ZERO; count]).is_err());
    }
    for _ in 0..coordinator.rounds() {
        coordinator.send(&[Element::ZERO; 4]).unwrap();
    }
    assert!(coordinator.finish(&pads).is_err());
    // Column 290, in the second shard of two.
    let v = toy.params.v() as usize;
    toy.entries[290 * v + 2] = 2;
    let toy = Toy::of(toy.params, toy.space, toy.entries);
    let worker = |index| {
        let shard = Shard::even(&toy.params, index, 2);
        RangeWorker::new(&toy.params, &toy.witness, shard, toy.slot(), &ranges)
    };
    assert!(worker(0).is_ok());
    assert!(matches!(worker(1), Err(Error::FalseFact)));
    assert_eq!(format!("{:?}", worker(0).unwrap()), "RangeWorker([REDACTED])");
}
