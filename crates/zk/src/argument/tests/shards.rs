//! Proofs by several workers are the bytes of one.

use super::*;
use crate::argument::ranges::Shape;
use crate::argument::request::Request;
use crate::cases::{name, shards};
use crate::error::ShardProblem;
use crate::shard::{Coordinator, ShardWitness, WitnessDigest, commit, multiply_tc};

#[test]
fn shards_prove_what_one_machine_proves() {
    let columns = 1500;
    for list in lists(columns) {
        let toy = Toy::new(40, columns, &[list], 17);
        let proof = toy.prove(0);
        for parts in [1, 2, 5] {
            let shards = shards::even(&toy.params, parts);
            for table_bytes in [0, 1 << 26] {
                let how = (Isa::detect(), table_bytes);
                let other = toy.prove_as(0, &mut Honest, &shards, how).unwrap();
                assert!(other == proof, "{parts} shards");
            }
        }
    }
}

/// The second half in shards as well.
#[test]
fn attempts_are_bound_to_an_argument() {
    let list = vec![Kind::Ranges(bits_and_trits()), Kind::Sum];
    let toy = Toy::new(40, 600, &[list], 17);
    let (slot, claims, prover) = (toy.slot(0), &toy.claims[0], toy.prover());
    let mut worker =
        <ArgumentWorker<'_>>::new(&toy.params, &toy.witness, toy.whole()[0], &slot, claims)
            .unwrap();
    let mut ask = |request: &Request| worker.answer(request);
    let argument = Argument::new(&prover, (&slot, claims), &mut ask).unwrap();
    let seed = Seed::from_bytes(SEED);
    let mut digest = WitnessDigest::default();
    let mut workers = Vec::new();
    for shard in shards::even(&toy.params, 3) {
        let hashes = commit(&toy.matrix, &toy.witness, shard, &mut shards::Forget).unwrap();
        digest.join(&hashes.s);
        workers.push(ShardWitness::new(&toy.matrix, &toy.witness, shard, 0));
    }
    let coordinator = Coordinator::new(&prover, CONTEXT, &digest, &seed).unwrap();
    let coordinator = coordinator.with_argument(&argument).unwrap();
    let (proof, _) = shards::attempt(&toy.params, &coordinator, &mut workers, |hash| {
        let (whole, hashes) = (toy.whole()[0], toy.statement.block_hashes());
        multiply_tc(&toy.matrix, &toy.file, whole, hashes, hash).unwrap()
    });
    let proof = argument.proof_file(&toy.params, &proof);
    toy.verify(0, claims, &proof).unwrap();
}

/// Answers of another length, masks of some columns alone, requests of other claims.
#[test]
fn wrong_answers_are_refused() {
    let list = vec![Kind::Ranges(bits_and_trits()), Kind::Circuit];
    let toy = Toy::new(40, 600, &[list], 18);
    let (slot, claims, prover) = (toy.slot(0), &toy.claims[0], toy.prover());
    let is_refused = |result: Result<(), Error>| {
        assert!(matches!(result, Err(Error::Shard(ShardProblem::Elements))), "{result:?}");
    };
    let whole = Shard::whole(&toy.params);
    let new =
        || <ArgumentWorker<'_>>::new(&toy.params, &toy.witness, whole, &slot, claims).unwrap();
    for wrong in [
        "no masks",
        "masks",
        "no sums",
        "sums",
        "no images",
        "images",
        "columns",
        "values",
        "places",
        "first places",
    ] {
        let (mut worker, mut places) = (new(), 0);
        let result = Argument::new(&prover, (&slot, claims), &mut |request| {
            let mut answer = worker.answer(request)?;
            match request {
                Request::Masks if wrong == "no masks" => answer.clear(),
                Request::Masks if wrong == "masks" => answer.push(Element::ZERO),
                Request::Begin { .. } if wrong == "no sums" => answer.clear(),
                Request::Bind(_) if wrong == "sums" => drop(answer.pop()),
                Request::BindLast(_) if wrong == "no images" => answer.clear(),
                Request::BindLast(_) if wrong == "images" => answer.push(Element::ZERO),
                Request::Columns(_) if wrong == "columns" => answer.push(Element::ZERO),
                Request::Values(_) if wrong == "values" => drop(answer.pop()),
                Request::Places if wrong == "places" => drop(answer.pop()),
                // The circuit asks for them first, and the rounds of rows again.
                Request::Places if wrong == "first places" && places == 0 => {
                    answer.push(Element::ZERO);
                }
                _ => (),
            }
            places += u32::from(matches!(request, Request::Places));
            Ok(answer)
        });
        is_refused(result.map(drop));
    }
    let mut worker = new();
    let one = Element::from(1);
    for (claim, count) in [(1, 12), (2, 12), (0, 1)] {
        let request = Request::Begin { claim, challenges: vec![one; count], mask: one };
        is_refused(worker.answer(&request).map(drop));
    }
    let columns = [Columns::Point(vec![one]), Columns::Some(vec![(600, one)])];
    let columns = columns.map(|columns| Request::Columns(vec![columns]));
    // Rounds that have not begun, points of other variables, columns that there are not.
    let requests = [Request::Bind(one), Request::BindLast(one), Request::Values(vec![one])];
    for request in requests.iter().chain(&columns) {
        is_refused(worker.answer(request).map(drop));
    }
    assert_eq!(format!("{worker:?}"), "ArgumentWorker([REDACTED])");
}

/// Workers look at what they are given as provers do: the masks of the slot, and its field.
#[test]
fn workers_of_other_slots_are_refused() {
    let toy = Toy::new(40, 600, &[vec![Kind::Sum], vec![Kind::Ranges(bits_and_trits())]], 23);
    let whole = Shard::whole(&toy.params);
    let (params, witness, slot) = (&toy.params, &toy.witness, toy.slot(0));
    let other = <ArgumentWorker<'_>>::new(params, witness, whole, &slot, &toy.claims[1]);
    assert_eq!(name(other), "masks of the claims");
    let field = ArgumentWorker::<P127>::new(params, witness, whole, &slot, &toy.claims[0]);
    assert_eq!(name(field), "p");
}

/// A worker refuses a round more than there are, and values before the last one.
#[test]
fn rounds_come_in_their_order() {
    let toy = Toy::new(40, 600, &[vec![Kind::Ranges(bits_and_trits())]], 19);
    let (slot, claims) = (toy.slot(0), &toy.claims[0]);
    let whole = Shard::whole(&toy.params);
    let one = Element::from(1);
    let Claim::Ranges(ranges) = &claims.claims()[0] else { panic!("of ranges") };
    let shape = Shape::new(ranges, slot.layout().columns());
    let begin = Request::Begin { claim: 0, challenges: vec![one; shape.challenges()], mask: one };
    for table_bytes in [0, 1 << 26] {
        let worker = ArgumentWorker::new(&toy.params, &toy.witness, whole, &slot, claims).unwrap();
        let mut worker = worker.on(Isa::detect(), table_bytes);
        worker.answer(&begin).unwrap();
        for left in (0..=shape.row_rounds).rev() {
            let (fit, unfit) = match left {
                0 => (None, vec![Request::Bind(one), Request::BindLast(one)]),
                1 => (Some(Request::BindLast(one)), vec![Request::Bind(one)]),
                _ => (Some(Request::Bind(one)), vec![Request::BindLast(one)]),
            };
            for request in unfit {
                let refused = worker.answer(&request).map(drop);
                let is_order = matches!(refused, Err(Error::Shard(ShardProblem::Elements)));
                assert!(is_order, "{request:?} with {left} rounds left");
            }
            if let Some(fit) = fit {
                worker.answer(&fit).unwrap();
            }
        }
    }
}
