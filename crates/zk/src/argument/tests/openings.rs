//! Columns of messages may be opened before and after proofs; no others, and no sums of others.

use super::*;
use crate::error::{ParameterError, RequestProblem};
use crate::owner::tests::check_prover;
use crate::uses::Sums;

#[test]
fn columns_of_messages_are_opened_and_no_others() {
    let toy = Toy::new(40, 5, &[vec![Kind::Ranges(bits_and_trits())], vec![Kind::Sum]], 20);
    let (params, layout, v) = (&toy.params, &toy.layout, toy.params.v() as usize);
    let closed = layout.closed();
    let proof = toy.prove(0);
    for index in 0..5 {
        let column = layout.open(params, &toy.witness, index).unwrap();
        let place = (closed + index) as usize;
        assert_eq!(column[..], toy.entries[v * place..v * (place + 1)]);
        // It is the column of T that was published.
        let t = toy.statement.column(&toy.file, closed + index).unwrap();
        assert!(toy.matrix.opens(&t, &column[..]));
    }
    for index in [5, closed, u64::MAX] {
        assert!(matches!(layout.open(params, &toy.witness, index), Err(Error::Parameter(_))));
    }
    // In a layout of other columns the first message is a column that is closed here.
    let open = Layout::new(ROWS, 5).open(params, &toy.witness, 0);
    assert!(matches!(open, Err(Error::Parameter(ParameterError { name: "l", .. }))));
    // Proofs after openings are those before.
    assert!(toy.prove(0) == proof);
    let proof = toy.prove(1);
    toy.verify(1, &toy.claims[1], &proof).unwrap();
}

/// A sum shows all of its columns, so none of them may be closed.
#[test]
fn sums_of_columns_of_messages_are_opened_and_no_others() {
    let toy = Toy::new(29, 5, &[vec![Kind::Sum]], 21);
    let (layout, v) = (&toy.layout, toy.params.v() as usize);
    let closed = layout.closed();
    let sums = vec![vec![(closed, 1), (closed + 4, -1)], vec![(closed, 1), (closed - 1, 1)]];
    let sums = Sums::new(toy.params.l(), sums).unwrap();
    let params = sums.params(&toy.params, Security::Waived).unwrap();
    let open = |k| layout.open_sum(&toy.params, &toy.witness, (&sums, &params), k);
    let entry = |j: u64, i: usize| i32::from(toy.entries[v * j as usize + i]);
    let expected = (0..v).map(|i| entry(closed, i) - entry(closed + 4, i));
    assert!(open(0).unwrap().iter().copied().eq(expected));
    let Err(Error::Request(RequestProblem::ClosedColumn { column, closed: columns })) = open(1)
    else {
        panic!("opened")
    };
    assert_eq!((column, columns), (closed - 1, 0..closed));
    let other = Layout::new(ROWS, 5).open_sum(&toy.params, &toy.witness, (&sums, &params), 1);
    assert!(matches!(other, Err(Error::Parameter(ParameterError { name: "l", .. }))));
}

/// Provers answer about their own T alone.
#[test]
fn altered_statements_get_no_answer() {
    let lists = [
        (vec![Kind::Sum], None),
        (vec![Kind::Ranges(two_norms())], Some(0)),
        (over(Form::Scalars, vec![Kind::Circuit]), None),
        (over(Form::Goldilocks, vec![Kind::Circuit]), None),
    ];
    for (list, round_t) in lists {
        let toy = Toy::with((ROWS, 4), &[list], 22, |layout| CustomParams {
            round_t,
            ..custom(29, layout)
        });
        check_prover(&toy.statement, &toy.file, |statement, file| {
            let prover = Prover::new(&toy.matrix, statement)?.with_file(file).reproducible();
            let seed = Seed::from_bytes(SEED);
            let (slot, claims) = (toy.slot(0), &toy.claims[0]);
            let proved = prover.prove_claims(CONTEXT, &slot, claims, &toy.witness, &seed)?;
            Ok(proved.proof)
        });
    }
}
