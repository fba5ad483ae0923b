//! Proofs are of their very claims alone, and the same bytes however they are made.

use super::*;
use crate::cases::{name, of_length};
use crate::error::WitnessProblem;
use crate::observer::Stage;
use crate::observer::tests::check_reports;
use crate::suite::ChallengeKind;

/// A file beyond the longest is malformed before its claims are looked at.
#[test]
fn claims_are_read_from_whole_files() {
    let toy = Toy::new(40, 4, &[vec![Kind::Sum]], 1);
    let proof = toy.prove(0);
    let most = toy.params.max_argument_bytes() as usize;
    let read = |len| stated_claims(&of_length(&proof, len), &toy.params);
    assert_error!(read(most + 1), Error::Malformed { .. });
    assert!(read(most).is_ok(), "the control");
}

/// Several slots of one T: each serves its list, in any order and number.
#[test]
fn slots_serve_one_list_each() {
    let toy = Toy::new(40, 40, &lists_of_entries(40), 2);
    for index in [3, 0, 5, 0, 4, 2, 1] {
        let proof = toy.prove(index);
        toy.verify(index, &toy.claims[index], &proof).unwrap();
        for other in (0..toy.claims.len()).filter(|&other| other != index) {
            assert!(toy.verify(other, &toy.claims[other], &proof).is_err());
        }
    }
    // In a slot with masks enough.
    let last = toy.claims.len() - 1;
    let proof = toy.try_prove(last, &toy.claims[0]).unwrap();
    toy.verify(last, &toy.claims[0], &proof).unwrap();
    assert_eq!(toy.reason(0, &toy.claims[0], &proof), Some(Reason::OtherFact));
    let refused = toy.try_prove(0, &toy.claims[2]).unwrap_err();
    assert!(refused.to_string().contains("masks of the claims"), "{refused}");
}

/// On every instruction set, from memory and by reading S in every round.
fn has_one_proof(toy: &Toy, tables: &[usize]) {
    let proof = toy.prove(0);
    toy.verify(0, &toy.claims[0], &proof).unwrap();
    for isa in Isa::all() {
        for &table_bytes in tables {
            let other = toy.prove_as(0, None, &toy.whole(), (isa, table_bytes));
            assert!(proof == other, "{:?} {isa} {table_bytes}", toy.claims);
        }
    }
}

#[test]
fn bytes_do_not_depend_on_how_they_are_made() {
    for list in lists(300) {
        has_one_proof(&Toy::new(40, 300, &[list], 3), &[0, 1 << 14, 1 << 26]);
    }
}

#[test]
fn rounds_of_all_kinds_have_the_same_bytes() {
    for (ranges, rows) in kinds_of_rounds() {
        for columns in [133, 128] {
            // Short enough for norms of so many rows.
            let short = |layout: &Layout| {
                let mut custom = custom(40, layout);
                custom.groups[0] = custom.groups[0].map(|group| RowGroup { bound: 24, ..group });
                custom
            };
            let toy = Toy::with((rows, columns), &[vec![ranges.clone()]], 3, short);
            let tables: &[usize] = if rows > 1000 { &[1 << 26] } else { &[0, 1 << 12, 1 << 26] };
            has_one_proof(&toy, tables);
        }
    }
}

/// One entry beyond its range, in the first or the last column of messages, or a norm with another
/// bit.
#[test]
fn entries_beyond_their_range_are_refused() {
    for (ranges, row, entry) in [
        (bits_and_trits(), 1, 2),
        (bits_and_trits(), 3, -1),
        (bits_and_trits(), 7, 2),
        (two_norms(), 5, 0),
        (two_norms(), 2, 0),
    ] {
        let toy = Toy::new(40, 30, &[vec![Kind::Ranges(ranges)]], 5);
        let v = toy.params.v() as usize;
        let (first, last) = (toy.slot(0).data().start, toy.slot(0).data().end - 1);
        for column in [first, last] {
            let mut entries = toy.entries.clone();
            let place = &mut entries[v * column as usize + row];
            *place = if *place == entry { 1 } else { entry };
            let other = toy.with_entries(entries);
            let proof = other.try_prove(0, &other.claims[0]);
            assert_error!(proof, Error::FalseFact, "{row} {column}");
            // A worker gives no answer at all, and does not leave it to what all columns sum up to.
            let slot = other.slot(0);
            assert_error!(other.worker::<P61>(&slot, 0), Error::FalseFact, "{row} {column}");
        }
    }
}

#[test]
fn claims_of_other_rows_and_columns_are_refused() {
    let toy = Toy::new(40, 5, &[vec![Kind::Sum]], 6);
    for fact in [Fact::block(ROWS, 0, 1, vec![0]), Fact::block(0, 5, 1, vec![0])] {
        let claims = Claims::from(fact.unwrap());
        assert_error!(toy.try_prove(0, &claims), Error::Parameter(_));
        assert_error!(toy.verify(0, &claims, &[]), Error::Parameter(_));
        assert!(Layout::new(ROWS, 5).with_slot(&claims).is_err());
        // Every claim of a list is looked at.
        let list = vec![toy.claims[0].claims()[0].clone(), claims.claims()[0].clone()];
        let list = Claims::new(list).unwrap();
        assert_error!(Layout::new(ROWS, 5).with_slot(&list), Error::Parameter(_));
    }
    let many = vec![toy.claims[0].claims()[0].clone(); MAX_CLAIMS + 1];
    assert!(Claims::new(many[1..].to_vec()).is_ok());
    assert!(Claims::new(many).is_err() && Claims::new(Vec::new()).is_err());
}

/// Circuits are over their own field alone, and ranges over both that have integers.
#[test]
fn claims_over_other_fields_are_refused() {
    let messages = scalars(45, 1, false);
    let claims = |kind: &Kind, form| Claims::from(kind.claim(5, form, &messages).unwrap());
    let [circuit, goldilocks] =
        [Form::Entries, Form::Goldilocks].map(|form| claims(&Kind::Circuit, form));
    let ranges = Claims::from(bits_and_trits());
    for (claims, expected) in [
        (circuit, [true, false, false]),
        (goldilocks, [false, false, true]),
        (ranges, [true, true, false]),
    ] {
        let layouts: [fn(u32, u64) -> Layout; 3] =
            [Layout::new, Layout::of_large_integers, Layout::over::<Goldilocks>];
        let is_taken = layouts.map(|new| new(ROWS, 5).with_slot(&claims).is_ok());
        assert_eq!(is_taken, expected, "{claims:?}");
    }
}

/// Layouts that are none of these parameters.
#[test]
fn other_layouts_are_refused() {
    let toy = Toy::new(40, 5, &[vec![Kind::Sum]], 7);
    let layout = toy.layout.clone();
    let refused = |layout: &Layout, params: &Params| match layout.hiding(params) {
        Err(Error::Parameter(error)) => Some(error.name),
        other => other.map(|_| None).unwrap(),
    };
    assert_eq!(refused(&layout, &toy.params), None);
    assert_eq!(refused(&Layout::new(ROWS, 5), &toy.params), Some("l"));
    let none = Layout::new(0, layout.all_columns());
    assert_eq!(refused(&none, &toy.params), Some("rows and columns of messages"));
    assert_eq!(refused(&layout.clone().with_masks(0).unwrap(), &toy.params), Some("l"));
    // The same where masks are not mixed, which says nothing of the rows.
    let plain = validated(custom(33, &layout));
    assert_eq!(refused(&layout, &plain), None);
    let fewer = Layout::new(ROWS, 4).with_masks(toy.slot(0).masks()).unwrap();
    assert_eq!(refused(&fewer, &plain), Some("l"));
    let rows = toy.params.z_rows() - layout.pad_rows() + 1;
    let far = Layout::new(rows, 1).with_masks(0).unwrap();
    let custom_of = |l| CustomParams { l, ..custom(33, &layout) };
    let params = waived(custom_of(far.all_columns()));
    assert_eq!(refused(&far, &params), Some("v - r"));
    // Rows without room for digits, and challenges that arguments are not offered for.
    let l = layout.all_columns();
    let mut narrow = custom_of(l);
    narrow.groups = narrow.groups.map(|group| group.map(|group| RowGroup { bound: 1, ..group }));
    let narrow = waived(narrow);
    assert_eq!(refused(&layout, &narrow), Some("b of rows of digits"));
    let binary = CustomParams { challenge: ChallengeKind::Binary, n: None, ..custom_of(l) };
    let binary = waived(binary);
    assert_eq!(refused(&layout, &binary), Some("challenge"));
    // Rows of randomness that hide nothing, unless that was waived.
    let few = Layout::new(1200, 10);
    let custom = CustomParams { l: 10, ..crate::Preset::T4_128.custom() };
    let params = [Security::Required, Security::Waived].map(|it| custom.validate(it).unwrap());
    let drawn = params.map(|params| {
        let (matrix, seed) = (PublicMatrix::new(&params, [1; 32]), Seed::from_bytes([1; 32]));
        few.witness(&matrix, &[0; 12_000], &seed).map(|_| ())
    });
    assert!(matches!(drawn, [Err(Error::Insecure(_)), Ok(())]), "{drawn:?}");
    let messages = vec![0; 9 * 6];
    let wrong = toy.layout.witness(&toy.matrix, &messages, &Seed::from_bytes([1; 32]));
    assert_error!(wrong, Error::Witness(WitnessProblem::Messages { got: 54, expected: 45 }));
    // The columns of S are counted, of which the first are closed.
    let mut messages = vec![0; 9 * 5];
    messages[9 + 3] = i8::MIN;
    let wrong = toy.layout.witness(&toy.matrix, &messages, &Seed::from_bytes([1; 32]));
    let at = toy.layout.closed() + 1;
    assert_error!(
        wrong,
        Error::Witness(WitnessProblem::Bound { row: 3, column, .. }) if column == at
    );
}

/// Ranges are about entries of S, which elements of F are not: their digits are in its rows.
#[test]
fn ranges_of_elements_are_refused() {
    let toy = Toy::new(40, 5, &[over(Form::Scalars, vec![Kind::Circuit])], 8);
    let ranges = Claims::from(Ranges::new(vec![range(1, 2, 0, 1)]).unwrap());
    assert_eq!(name(toy.try_prove(0, &ranges)), "rows of a range");
    assert_eq!(name(toy.verify(0, &ranges, &[])), "rows of a range");
}

/// An observer is told of every round, and can end a proof before each.
#[test]
fn rounds_are_reported() {
    let toy = Toy::new(40, 30, &[vec![Kind::Ranges(bits_and_trits())]], 4);
    let reports = check_reports(&toy.params, |matrix| {
        let prover = Prover::new(matrix, &toy.statement)?.with_file(&toy.file).reproducible();
        let seed = Seed::from_bytes(SEED);
        let (slot, claims) = (toy.slot(0), &toy.claims[0]);
        Ok(prover.prove_claims(CONTEXT, &slot, claims, &toy.witness, &seed)?.proof)
    });
    let rounds: Vec<u64> = reports
        .iter()
        .filter(|report| report.stage == Stage::Argue)
        .map(|report| report.done)
        .collect();
    assert!(rounds.len() > 2 && rounds.iter().copied().eq(0..rounds.len() as u64), "{rounds:?}");
}
