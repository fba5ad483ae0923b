//! Proofs by several workers are the bytes of one.

use super::*;
use crate::argument::ranges::Shape;
use crate::argument::request::Request;
use crate::cases::{name, shards};
use crate::error::ShardProblem;

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
                assert!(toy.prove_as(0, None, &shards, how) == proof, "{parts} shards");
            }
        }
    }
}

/// Answers of another length, masks of some columns alone, requests of other claims.
#[test]
fn wrong_answers_are_refused() {
    let list = vec![Kind::Ranges(bits_and_trits()), Kind::Circuit];
    let toy = Toy::new(40, 600, &[list], 18);
    let (slot, claims, prover) = (toy.slot(0), &toy.claims[0], toy.prover());
    let new = || toy.worker::<P61>(&slot, 0).unwrap();
    for wrong in 0..10 {
        let (mut worker, mut places) = (new(), 0);
        let result = Argument::new(&prover, (&slot, claims), &mut |request| {
            let mut answer = worker.answer(request)?;
            match (wrong, request) {
                (0, Request::Masks) | (1, Request::Begin { .. }) | (2, Request::BindLast(_)) => {
                    answer.clear();
                }
                (3, Request::Masks) | (4, Request::BindLast(_)) | (5, Request::Columns(_)) => {
                    answer.push(Element::ZERO);
                }
                (6, Request::Bind(_)) | (7, Request::Values(_)) | (8, Request::Places) => {
                    answer.pop();
                }
                // The circuit asks for them first, and the rounds of rows again.
                (9, Request::Places) if places == 0 => answer.push(Element::ZERO),
                _ => (),
            }
            places += u32::from(matches!(request, Request::Places));
            Ok(answer)
        });
        assert_error!(result, Error::Shard(ShardProblem::Elements), "{wrong}");
    }
    let mut worker = new();
    let one = Element::from(1);
    for (claim, count) in [(1, 12), (2, 12), (0, 1)] {
        let request = Request::Begin { claim, challenges: vec![one; count], mask: one };
        assert_error!(worker.answer(&request), Error::Shard(ShardProblem::Elements));
    }
    let columns = [Columns::Point(vec![one]), Columns::Some(vec![(600, one)])];
    let columns = columns.map(|columns| Request::Columns(vec![columns]));
    // Rounds that have not begun, points of other variables, columns that there are not.
    let requests = [Request::Bind(one), Request::BindLast(one), Request::Values(vec![one])];
    for request in requests.iter().chain(&columns) {
        assert_error!(worker.answer(request), Error::Shard(ShardProblem::Elements));
    }
    assert_eq!(format!("{worker:?}"), "ArgumentWorker([REDACTED])");
}

/// Workers look at what they are given as provers do: the masks of the slot, and its field.
#[test]
fn workers_of_other_slots_are_refused() {
    let toy = Toy::new(40, 600, &[vec![Kind::Sum], vec![Kind::Ranges(bits_and_trits())]], 23);
    let slot = toy.slot(0);
    assert_eq!(name(toy.worker::<P61>(&slot, 1)), "masks of the claims");
    assert_eq!(name(toy.worker::<P127>(&slot, 0)), "p");
}

/// A worker refuses a round more than there are, and values before the last one.
#[test]
fn rounds_come_in_their_order() {
    let toy = Toy::new(40, 600, &[vec![Kind::Ranges(bits_and_trits())]], 19);
    let (slot, claims) = (toy.slot(0), &toy.claims[0]);
    let one = Element::from(1);
    let Claim::Ranges(ranges) = &claims.claims()[0] else { panic!("of ranges") };
    let shape = Shape::new(ranges, slot.layout().columns());
    let begin = Request::Begin { claim: 0, challenges: vec![one; shape.challenges()], mask: one };
    for table_bytes in [0, 1 << 26] {
        let mut worker = toy.worker::<P61>(&slot, 0).unwrap().on(Isa::detect(), table_bytes);
        worker.answer(&begin).unwrap();
        for left in (0..=shape.row_rounds).rev() {
            let (fit, unfit) = match left {
                0 => (None, vec![Request::Bind(one), Request::BindLast(one)]),
                1 => (Some(Request::BindLast(one)), vec![Request::Bind(one)]),
                _ => (Some(Request::Bind(one)), vec![Request::BindLast(one)]),
            };
            for request in unfit {
                let refused = worker.answer(&request);
                assert_error!(refused, Error::Shard(ShardProblem::Elements), "{request:?} {left}");
            }
            if let Some(fit) = fit {
                worker.answer(&fit).unwrap();
            }
        }
    }
}
