//! What is sent hides the messages, and depends on nothing that it may not depend on; which
//! requests are refused.

use super::*;
use crate::argument::openings::Pads as Masks;
use crate::error::ParameterError;
use crate::owned::tests::check_prover;
use crate::suite::Encoding;
use crate::uses::sums::Sums;
use crate::witness::WitnessSource;

/// All that is sent before Y.
fn sent(toy: &Toy, ranges: &Ranges, table_bytes: usize) -> Vec<Element> {
    let rounds = toy.play(ranges, table_bytes);
    let ends = rounds.ends();
    let sent = rounds.send(ranges, toy.slot(), ends, Rounds::values);
    [&sent.messages[..], &ends.to_array(), &sent.values].concat()
}

/// Rounds that read S and rounds that have their table give the same messages, for every size of
/// the memory: groups of columns, tables that are stored from some round on, and never.
#[test]
fn messages_do_not_depend_on_memory() {
    for (ranges, l) in [
        (bits_and_trits(), 1),
        (trits(8), 1100),
        (trits(1), 1),
        (one_norm(), 1),
        (two_norms(), 1100),
    ] {
        let toy = Toy::new(toy(29, ranges.least_columns(l)), &ranges, 4);
        let all = sent(&toy, &ranges, usize::MAX);
        let columns = 24 * toy.params.l() as usize;
        for table_bytes in [0, columns, 3 * columns, 5 * columns, 9 * columns] {
            assert!(sent(&toy, &ranges, table_bytes) == all, "{table_bytes}");
        }
    }
}

/// All proofs of one claim about one T have the same messages: whatever the context, the seed, and
/// what the header says besides. Other challenges under the same pads would show the messages.
#[test]
fn one_claim_has_one_mask() {
    check_one_mask(&bits_and_trits());
    check_one_mask(&one_norm());
}

fn check_one_mask(ranges: &Ranges) {
    let custom = CustomParams { round_t: Some(3), ..toy(40, ranges.least_columns(1)) };
    let base = Toy::new(custom, ranges, 1);
    let of_proof =
        |proof: &RangeProof| [&proof.messages[..], &proof.ends.to_array(), &proof.values].concat();
    let first = base.try_prove(ranges).unwrap();
    assert!(of_proof(&first) == sent(&base, ranges, 0));
    for other in [
        CustomParams { n: Some(17), ..custom },
        CustomParams { sigma: Some(2 * base.params.sigma()), ..custom },
        CustomParams { encoding: Encoding::Rice, ..custom },
        CustomParams { round_w: Some(base.params.round_w() - 1), ..custom },
    ] {
        let other = validated(other);
        assert_ne!(other, base.params);
        let other = Toy::of(other, base.space, base.entries.clone());
        assert!(other.file[256..] == base.file[256..], "the same T");
        let proof = other.try_prove(ranges).unwrap();
        assert!(of_proof(&proof) == of_proof(&first));
        assert_ne!(proof.proof, first.proof);
    }
    for (context, seed) in [(&b"another"[..], 7), (CONTEXT, 9)] {
        let seed = Seed::from_bytes([seed; 32]);
        let proved = base.prover().prove_ranges(context, base.slot(), ranges, &base.witness, &seed);
        let proof = proved.unwrap().proof;
        assert!(of_proof(&proof) == of_proof(&first));
        assert_ne!(proof.proof, first.proof);
    }
}

/// Over fresh pads, every bit of what is sent is 0 or 1 with the same probability, though the
/// messages stay the same; with pads of 0 what is sent tells them.
#[test]
fn messages_are_uniform_over_fresh_pads() {
    check_uniform(&trits(2));
    let norm = RowNorm { first_row: 0, rows: 1, bound_squared: 1, first_bit: 1, bits: 1 };
    let parts = vec![range(0, 1, -1, 0), range(1, 1, 0, 1)];
    check_uniform(&Ranges::with_norms(parts, vec![norm]).unwrap());
}

/// Claims about rows 0 and 1.
fn check_uniform(ranges: &Ranges) {
    const TRIALS: usize = 400;
    let base = Toy::new(toy(29, ranges.least_columns(1)), ranges, 1);
    let v = base.params.v() as usize;
    let messages: Vec<i8> =
        base.entries.chunks(v).flat_map(|column| base.space.message(column).to_vec()).collect();
    let with_seed = |trial: usize, blank: Range<u32>| {
        let mut seed = [3; 32];
        seed[..8].copy_from_slice(&(trial as u64).to_le_bytes());
        let source = base.space.witness(&base.matrix, &messages, &Seed::from_bytes(seed)).unwrap();
        let mut entries = vec![0; base.entries.len()];
        source.read_columns(&base.params, 0, &mut entries).unwrap();
        for column in entries.chunks_mut(v) {
            column[(ROWS + blank.start) as usize..(ROWS + blank.end) as usize].fill(0);
        }
        let toy = Toy::of(base.params.clone(), base.space, entries);
        sent(&toy, ranges, 1 << 20)
    };
    let count = with_seed(0, 0..0).len();
    let mut ones = vec![0_usize; count * 3 * 61];
    for trial in 0..TRIALS {
        let elements = with_seed(trial, 0..0);
        let words = elements.iter().flat_map(|element| element.coefficients());
        for (word, ones) in words.zip(ones.chunks_mut(61)) {
            ones.iter_mut().enumerate().for_each(|(bit, ones)| *ones += (word >> bit & 1) as usize);
        }
    }
    let deviation = (TRIALS as f64 / 4.0).sqrt();
    for (place, ones) in ones.into_iter().enumerate() {
        let away = (ones as f64 - TRIALS as f64 / 2.0).abs() / deviation;
        assert!(away < 6.0, "bit {place}: {ones} of {TRIALS}");
    }
    // The control: which pads mask what.
    let end = count - base.params.l() as usize - 5;
    // Without gamma, the first round of ranges is a polynomial that is 0 at 0, and no pads add up to
    // X_2.
    let bare = with_seed(1, 81..162);
    assert!(!ranges.norms().is_empty() || bare[0] == Element::ZERO);
    assert!(bare[end + 2] == Element::ZERO);
    // Without kappa, Y_1 and Y_2.
    let bare = with_seed(1, 0..81);
    assert!(bare[end + 3] == Element::ZERO && bare[end + 4] == Element::ZERO);
    // Without beta, v and X_1 are what the messages and the point make of them.
    let play = |blank: bool| {
        let mut entries = base.entries.clone();
        for column in entries.chunks_mut(v).filter(|_| blank) {
            column[(ROWS + 162) as usize..(ROWS + 189) as usize].fill(0);
        }
        let toy = Toy::of(base.params.clone(), base.space, entries);
        let rounds = toy.play(ranges, 0);
        let weights = rounds.course.row_weights();
        let image = |column: &[i8]| {
            weights[0] * i64::from(column[0]).into() + weights[1] * i64::from(column[1]).into()
        };
        let images = toy.entries.chunks(v).map(image);
        images.zip(rounds.images.iter()).all(|(image, &got)| image == got)
    };
    assert!(play(true) && !play(false));
}

fn name<T: core::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::Parameter(ParameterError { name, .. })) => name,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_range() {
    let new = |parts: &[RowRange]| name(Ranges::new(parts.to_vec()));
    assert_eq!(new(&[]), "ranges");
    let many: Vec<RowRange> = (0..9).map(|i| range(i, 1, 0, 1)).collect();
    assert_eq!(new(&many), "ranges");
    assert!(Ranges::new(many[1..].to_vec()).is_ok());
    let overlapping = [range(0, 3, 0, 1), range(2, 1, 0, 1)];
    for parts in [&overlapping[..], &[range(5, 0, 0, 1)], &[range(5, 1, 0, 1), range(2, 1, 0, 1)]] {
        assert_eq!(new(parts), "rows of a range");
    }
    assert_eq!(new(&[range(u32::MAX, 2, 0, 1)]), "rows of a range");
    for (low, high) in [(0, 0), (1, 2), (-2, -1), (-9, 8), (0, 17), (i32::MIN, i32::MAX)] {
        assert_eq!(new(&[range(0, 1, low, high)]), "integers of a range");
    }
    assert!(Ranges::new(vec![range(0, 1, -8, 8), range(1, 1, 0, 16), range(3, 1, -1, 0)]).is_ok());
}

/// The least number of columns is one, and one less is none.
#[test]
fn pads_need_columns() {
    for ranges in [trits(1), trits(1024), bits_and_trits()] {
        for l in [1, 100, 129, 5000] {
            let least = ranges.least_columns(l);
            assert!(Shape::new(&ranges, least).has_columns());
            assert!((l..least).all(|l| !Shape::new(&ranges, l).has_columns()));
        }
    }
    // e = 4; 8 and 1 rows with that of beta, 2^7 columns.
    assert_eq!(trits(1024).least_columns(1), 4 * (11 + 8) + 64);
}

#[test]
fn requests_beyond_the_messages_are_refused() {
    let ranges = trits(8);
    let l = ranges.least_columns(1);
    let toy_ = Toy::new(toy(29, l), &ranges, 2);
    let refused = |ranges: &Ranges, slot: RangeSlot| {
        let seed = Seed::from_bytes([1; 32]);
        let prove = toy_.prover().prove_ranges(b"", slot, ranges, &toy_.witness, &seed);
        let verifier = Verifier::new(&toy_.matrix, &toy_.statement).unwrap();
        let verify = match verifier.verify_ranges_streaming(b"", slot, ranges, &toy_.file, &[]) {
            Err(VerifyError::NoVerdict(error)) => name::<()>(Err(error)),
            other => panic!("{other:?}"),
        };
        assert_eq!(name(prove), verify);
        verify
    };
    let beyond = Ranges::new(vec![range(ROWS, 1, -1, 1)]).unwrap();
    assert_eq!(refused(&beyond, toy_.slot()), "row of a range");
    let last = toy_.params.z_rows() - RANGE_PAD_ROWS;
    for first in [ROWS - 1, last + 1, u32::MAX] {
        assert_eq!(refused(&ranges, RangeSlot::new(ROWS, first)), "row of a pad");
    }
    assert!(RangeSlot::new(ROWS, last).check(&toy_.params, &ranges).is_ok());
    let wide = Ranges::new(vec![range(0, 8, -8, 8)]).unwrap();
    assert_eq!(refused(&wide, toy_.slot()), "l");
    assert_eq!(name(toy_.space.range_slot(1)), "range slot");
    let few = validated(toy(29, l - 1));
    assert_eq!(name(toy_.slot().check(&few, &ranges)), "l");
    let long = CustomParams { lambda: 256, ..toy(40, l) }.validate(Security::Waived).unwrap();
    assert_eq!(name(toy_.slot().check(&long, &ranges)), "lambda");
    let space = |slots| PaddedSpace::with_ranges(&toy_.params, ROWS, 0, slots, Security::Waived);
    assert_eq!(name(space(0)), "slots");
    assert_eq!(name(space(2)), "message rows");
    assert_eq!(name(space(u32::MAX)), "slots");
}

/// Where 2 B and more is p or more, an entry may be that of a range modulo p without being in it.
#[test]
fn residues_are_integers() {
    let ranges = trits(2);
    let toy = Toy::new(toy(64, ranges.least_columns(1)), &ranges, 2);
    let with_bound = |bound: u128| {
        let mut file = toy.file.clone();
        file[64..80].copy_from_slice(&(bound * bound).to_le_bytes());
        Statement::read(&file, Security::Waived).unwrap()
    };
    // 2 B + 1 < p.
    let most = u128::from(P / 2) - 1;
    let fits = with_bound(most);
    toy.slot().check(fits.params(), &ranges).unwrap();
    let statement = with_bound(most + 1);
    let matrix = PublicMatrix::new(statement.params(), *statement.seed_a());
    let verifier = Verifier::new(&matrix, &statement).unwrap();
    let proof = toy.prove(&ranges);
    let verdict = verifier.verify_ranges_streaming(CONTEXT, toy.slot(), &ranges, &toy.file, &proof);
    let Err(VerifyError::NoVerdict(error)) = verdict else { panic!("{verdict:?}") };
    assert_eq!(name::<()>(Err(error)), "log2 B");
}

/// Pads of facts and of ranges have rows of their own, and a seed gives others for another number
/// of slots.
#[test]
fn slots_do_not_overlap() {
    let goal =
        crate::Goal { message_rows: 64, pad_slots: 2, range_slots: 2, ..crate::Goal::new(1, 200) };
    let params = goal.optimise().unwrap().validate(Security::Required).unwrap();
    let space = PaddedSpace::with_ranges(&params, 64, 2, 2, Security::Required).unwrap();
    assert_eq!((space.slots(), space.range_slots()), (2, 2));
    let first = [0, 1].map(|index| space.range_slot(index).unwrap().first_row());
    assert_eq!(first, [64 + 2 * 81, 64 + 2 * 81 + 189]);
    assert_eq!(params.row_groups()[1].rows, 2 * 81 + 2 * 189);
    let a = PublicMatrix::new(&params, [1; 32]);
    let messages = vec![1; 64 * 200];
    let pads = |facts: u32, ranges: u32| {
        let space = PaddedSpace::with_ranges(&params, 64, facts, ranges, Security::Waived).unwrap();
        let source = space.witness(&a, &messages, &Seed::from_bytes([1; 32])).unwrap();
        let mut column = vec![0; params.v() as usize];
        source.read_columns(&params, 0, &mut column).unwrap();
        column[64..64 + 81].to_vec()
    };
    let all = [pads(2, 2), pads(2, 1), pads(2, 0), pads(1, 0), pads(1, 2)];
    for (i, pads) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|other| other != pads), "{i}");
    }
}

/// Pads of the front hide all that is sent, whatever else is opened; one column of it that masks a
/// message less, and they do not.
#[test]
fn openings_behind_the_front_show_nothing() {
    let bits = Ranges::new(vec![range(1, 3, 0, 1)]).unwrap();
    for ranges in [bits, trits(2), one_norm()] {
        let toy = Toy::new(toy(29, ranges.least_columns(1)), &ranges, 4);
        let course = toy.play(&ranges, 0).course;
        let messages = course.shape.all_messages();
        let pads = Masks {
            messages,
            first: 0,
            eq: &course.column_weights(),
            w: &course.pad_weights().0,
            of_beta: *course.row_weights().last().unwrap(),
            beta_in_f: true,
            masked_by_beta: Vec::new(),
        };
        let front = ranges.closed(toy.params.l()) as usize;
        assert_eq!(front, messages + 9);
        assert_eq!(pads.missing(|_| false), 0);
        assert_eq!(pads.missing(|j| j == front || j == front + 2), 0);
        assert_eq!(pads.missing(|j| j >= front), 0);
        for masks in 0..messages {
            assert!(pads.missing(|j| j >= front || j == masks) > 0, "{masks}");
        }
        assert!(pads.missing(|j| j >= messages) > 0, "the ends");
        let alone = pads.missing(|j| j == 1);
        assert_eq!(alone, 3, "one column that masks, and nothing else");
    }
}

/// A front is the least that is enough for itself and what is behind it.
#[test]
fn fronts_are_fixed_points() {
    for ranges in [trits(1), trits(1024), Ranges::new(vec![range(0, 1023, -8, 8)]).unwrap()] {
        for data in [0, 1, 100, 181, 182, 183, 4096 - 105, 4096, 1 << 20] {
            let front = ranges.front_for(data);
            assert!(ranges.closed(data + front) <= front);
            assert!((0..front).all(|f| ranges.closed(data + f) > f), "{data}");
        }
    }
    // Of docs/protocol.md, section 18: e = 3, 1024 rows, 4096 columns of data.
    let bits = Ranges::new(vec![range(0, 1024, 0, 1)]).unwrap();
    assert_eq!((bits.front_for(64), bits.front_for(1024), bits.front_for(4096)), (63, 75, 81));
}

/// What is in front is not opened, nor a sum that has it; without a front nothing is; and a front
/// that is too short for a claim is noticed by provers.
#[test]
fn columns_in_front_are_closed() {
    let ranges = trits(2);
    let l = ranges.least_columns(1);
    let toy = Toy::new(toy(29, l), &ranges, 1);
    let needed = ranges.closed(l);
    let open = |space: &PaddedSpace, j: u64| space.open(&toy.params, &toy.witness, j);
    assert!(matches!(open(&toy.space, l - 1), Err(Error::OpensMasks)));
    let space = toy.space.with_front(needed);
    assert_eq!(space.front(), needed);
    let v = toy.params.v() as usize;
    for j in [0, 1, needed - 1] {
        let error = open(&space, j).unwrap_err();
        let Error::ClosedColumn { column, closed } = error else { panic!("{error}") };
        assert_eq!((column, closed), (j, 0..needed));
    }
    for j in [needed, l - 1] {
        assert!(open(&space, j).unwrap()[..] == toy.entries[v * j as usize..][..v]);
    }
    assert_eq!(name(open(&space, l)), "column");
    let sums = vec![vec![(needed, 1), (l - 1, -2)], vec![(needed, 1), (needed - 1, 1)]];
    let sums = Sums::new(l, sums).unwrap();
    let sum_params = sums.params(&toy.params, Security::Waived).unwrap();
    let open_sum =
        |space: &PaddedSpace, k| space.open_sum(&toy.params, &toy.witness, (&sums, &sum_params), k);
    let entry = |j: u64, i: usize| i32::from(toy.entries[v * j as usize + i]);
    let expected = (0..v).map(|i| entry(needed, i) - 2 * entry(l - 1, i));
    assert!(open_sum(&space, 0).unwrap().iter().copied().eq(expected));
    assert!(matches!(open_sum(&space, 1), Err(Error::ClosedColumn { .. })));
    assert!(matches!(open_sum(&toy.space, 0), Err(Error::OpensMasks)));
    let prove = |space: PaddedSpace| {
        let slot = space.range_slot(0).unwrap();
        let seed = Seed::from_bytes([1; 32]);
        toy.prover().prove_ranges(b"", slot, &ranges, &toy.witness, &seed).map(|_| ())
    };
    prove(space).unwrap();
    let error = prove(toy.space.with_front(needed - 1)).unwrap_err();
    assert!(matches!(error, Error::Front { needed: n, has } if n == needed && has == needed - 1));
}

/// Provers answer about their own T alone.
#[test]
fn altered_statements_get_no_answer() {
    for (ranges, round_t) in [(trits(2), None), (trits(2), Some(0)), (one_norm(), None)] {
        let custom = CustomParams { round_t, ..toy(29, ranges.least_columns(1)) };
        let toy = Toy::new(custom, &ranges, 1);
        check_prover(&toy.statement, &toy.file, |statement, file| {
            let prover = Prover::new(&toy.matrix, statement)?.with_file(file).reproducible();
            let seed = Seed::from_bytes([1; 32]);
            let proved = prover.prove_ranges(b"", toy.slot(), &ranges, &toy.witness, &seed)?;
            Ok(proved.proof.to_bytes(&toy.params))
        });
    }
}
