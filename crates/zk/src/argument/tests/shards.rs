//! Facts that are proved in shards have the proof of one machine.

use proptest::prelude::*;

use super::*;
use crate::argument::sharded;
use crate::params::BLOCK;
use crate::shard::{Shard, ShardProblem};

/// By these shards, whatever their order in the proof.
fn prove_in(toy: &Toy, slot: u32, fact: &Fact, shards: &[Shard]) -> Result<Vec<u8>, Error> {
    let (params, slot) = (&toy.params, toy.slot(slot));
    let prover = toy.prover();
    let mut coordinator = FactCoordinator::new(&prover, slot, fact)?;
    let mut sums = vec![Element::ZERO; 2];
    let mut workers = Vec::new();
    for &shard in shards {
        let mut worker = FactWorker::new(params, &toy.witness, shard, slot, fact)?;
        let part = worker.sums(coordinator.challenges())?;
        sums.iter_mut().zip(part.iter()).for_each(|(sum, &x)| *sum += x);
        workers.push(worker);
    }
    let rho = coordinator.send(&sums)?;
    let values: Vec<u8> = workers.into_iter().flat_map(|worker| worker.values(rho)).collect();
    let argument = coordinator.finish(&values)?;
    let seed = Seed::from_bytes([7; 32]);
    let made = (&toy.matrix, &toy.statement, &toy.file as &dyn crate::source::ReadAt);
    let proof = sharded::prove(made, &toy.witness, &prover, shards, (CONTEXT, &seed), |c| {
        c.with_fact(&argument).unwrap()
    });
    Ok(argument.into_proof(proof).to_bytes(params))
}

/// A block of some entries.
fn block(toy: &Toy, row: u32, height: u32, column: u64, width: u64) -> Fact {
    let entry = |k: u64| {
        let (i, j) = (k % u64::from(height), k / u64::from(height));
        toy.entry((u64::from(row) + i) as usize, (column + j) as usize) as i64
    };
    let values = (0..u64::from(height) * width).map(entry).collect();
    Fact::block(row, column, height, values).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// For any division of the columns, empty parts and parts of which the fact does not speak
    /// among them, and facts of either kind.
    #[test]
    fn shards_give_the_proof_of_one_machine(
        l in 1_u64..1300,
        (w, round_t) in prop::sample::select(vec![(29, 3), (33, 0), (40, 9)]),
        cuts in prop::collection::vec(0_u64..=6, 0..5),
        (start, end) in (0_u64..1300, 0_u64..1300),
        is_block: bool,
        slot in 0..SLOTS,
    ) {
        let toy = Toy::new(CustomParams { round_t: Some(round_t), ..toy(w, l) }, 5);
        let column = start % l;
        let width = 1 + end % (l - column);
        let fact = if is_block {
            block(&toy, 2, 3, column, width)
        } else {
            let columns: Vec<(u64, i64)> =
                (column..column + width).step_by(3).map(|j| (j, 5 - 2 * j.cast_signed())).collect();
            toy.sum(&[(0, 7), (5, -HALF_P)], &columns)
        };
        let blocks = toy.params.blocks();
        let mut cuts: Vec<u64> = cuts.into_iter().map(|cut| cut.min(blocks)).collect();
        cuts.extend([0, blocks]);
        cuts.sort_unstable();
        let shard = |pair: &[u64]| {
            let columns = [pair[0], pair[1]].map(|cut| (cut * u64::from(BLOCK)).min(l));
            Shard::of_columns(&toy.params, columns[0], columns[1] - columns[0]).unwrap()
        };
        // A shard without columns behind the last block begins nowhere.
        let shards: Vec<Shard> = cuts.windows(2).map(shard).collect();
        let one = toy.prove(slot, &fact);
        prop_assert!(prove_in(&toy, slot, &fact, &shards).unwrap() == one, "{shards:?}");
    }
}

/// What workers send is checked: its length, that it is elements, and against what was sent before;
/// a fact that does not hold of all columns together is refused.
#[test]
fn hostile_parts_are_refused() {
    let toy = Toy::new(toy(29, 600), 3);
    let (rows, columns) = weights(600);
    let fact = toy.sum(&rows, &columns);
    let prover = toy.prover();
    let begin = || FactCoordinator::new(&prover, toy.slot(0), &fact).unwrap();
    let worker =
        |shard| FactWorker::new(&toy.params, &toy.witness, shard, toy.slot(0), &fact).unwrap();
    let is_refused = |result: Result<(), Error>| {
        assert!(matches!(result, Err(Error::Shard(ShardProblem::Elements))), "{result:?}");
    };
    let mut whole = worker(Shard::whole(&toy.params));
    let sums = whole.sums(&[]).unwrap();
    for wrong in [&sums[..1], &[&sums[..], &[Element::ZERO]].concat(), &[]] {
        is_refused(begin().send(wrong).map(drop));
    }
    let part = worker(Shard::even(&toy.params, 0, 2)).sums(&[]).unwrap();
    assert!(matches!(begin().send(&part), Err(Error::FalseFact)));
    let rho = begin().send(&sums).unwrap();
    let values = whole.values(rho);
    let finish = |values: &[u8]| {
        let mut coordinator = begin();
        coordinator.send(&sums).unwrap();
        coordinator.finish(values).map(drop)
    };
    finish(&values).unwrap();
    for wrong in [&values[1..], &values[24..], &[&values[..], &[0; 24]].concat(), &[]] {
        is_refused(finish(wrong));
    }
    // No element; and one that makes the equation false.
    let with = |byte: usize, bits: u8| {
        let mut other = values.clone();
        other[byte] ^= bits;
        other
    };
    is_refused(finish(&with(7, 0x80)));
    is_refused(finish(&with(0, 1)));
    // Of column 1 the fact does not speak: that such a value is another one, verifiers find.
    finish(&with(24, 1)).unwrap();
    let text = format!("{:?} {:?}", begin(), worker(Shard::whole(&toy.params)));
    assert!(text.contains("FactWorker([REDACTED])") && !text.contains("pads"), "{text}");
}

/// Rows and columns that are none of the statement's are refused by both.
#[test]
fn foreign_facts_are_refused() {
    let toy = Toy::new(toy(29, 3), 3);
    let prover = toy.prover();
    let shard = Shard::whole(&toy.params);
    for fact in [Fact::block(ROWS, 0, 1, vec![0]), Fact::block(0, 3, 1, vec![0])] {
        let fact = fact.unwrap();
        let slot = toy.slot(1);
        let coordinator = FactCoordinator::new(&prover, slot, &fact).map(drop);
        let worker = FactWorker::new(&toy.params, &toy.witness, shard, slot, &fact).map(drop);
        for result in [coordinator, worker] {
            assert!(matches!(result, Err(Error::Parameter(_))), "{result:?}");
        }
    }
}

#[test]
#[should_panic(expected = "the challenges are of another fact")]
fn challenges_of_another_fact_are_noticed() {
    let toy = Toy::new(toy(29, 3), 3);
    let fact = block(&toy, 0, 1, 0, 1);
    let shard = Shard::whole(&toy.params);
    let worker = FactWorker::new(&toy.params, &toy.witness, shard, toy.slot(0), &fact);
    drop(worker.unwrap().sums(&[]));
}
