//! What is sent hides the messages, and depends on nothing that it may not depend on; which
//! requests are refused.

use core::ops::Range;

use super::*;
use crate::argument::PaddedSpace;
use crate::argument::openings::Pads;
use crate::error::ParameterError;
use crate::owned::tests::check_prover;
use crate::params::Security;
use crate::prover::Prover;
use crate::witness::WitnessSource;

/// All that is sent before Y.
fn sent(proof: &FactsProof) -> Vec<Element> {
    [&proof.messages[..], &proof.ends.to_array(), &proof.values].concat()
}

/// All proofs of the same facts about one T have the same messages: whatever the context, the seed,
/// and what the header says besides. Other challenges under the same pads would show the messages.
#[test]
fn one_claim_has_one_mask() {
    let custom = CustomParams { round_t: Some(3), ..toy(40, 40) };
    let base = Toy::new(custom, 1);
    let facts = of(&all(&base));
    let first = base.try_prove_facts(0, &facts).unwrap();
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
        let proof = other.try_prove_facts(0, &facts).unwrap();
        assert!(sent(&proof) == sent(&first));
        assert_ne!(proof.proof, first.proof);
    }
    for (context, seed) in [(&b"another"[..], 7), (CONTEXT, 9)] {
        let (slot, seed) = (base.batch_slot(0), Seed::from_bytes([seed; 32]));
        let proved = base.prover().prove_facts(context, slot, &facts, &base.witness, &seed);
        let proof = proved.unwrap().proof;
        assert!(sent(&proof) == sent(&first));
        assert_ne!(proof.proof, first.proof);
    }
    let moved = base.try_prove_facts(1, &facts).unwrap();
    assert!(sent(&moved).iter().zip(sent(&first)).all(|(&x, y)| x != y), "other pads");
}

/// Over fresh pads, every bit of what is sent is 0 or 1 with the same probability, though the
/// messages stay the same; without a kind of pads some of it is not masked.
#[test]
fn messages_are_uniform_over_fresh_pads() {
    const TRIALS: usize = 400;
    let base = Toy::new(toy(29, 17), 1);
    let facts = of(&all(&base)[..3]);
    let v = base.params.v() as usize;
    let messages: Vec<i8> =
        base.entries.chunks(v).flat_map(|column| base.space.message(column).to_vec()).collect();
    let play = |trial: usize, blank: Range<u32>| {
        let mut seed = [3; 32];
        seed[..8].copy_from_slice(&(trial as u64).to_le_bytes());
        let source = base.space.witness(&base.matrix, &messages, &Seed::from_bytes(seed)).unwrap();
        let mut entries = vec![0; base.entries.len()];
        source.read_columns(&base.params, 0, &mut entries).unwrap();
        for column in entries.chunks_mut(v) {
            let rows = [blank.start, blank.end].map(|slot| (ROWS + PAD_ROWS * slot) as usize);
            column[rows[0]..rows[1]].fill(0);
        }
        Toy::of(base.params.clone(), base.space, entries).play_facts(&facts)
    };
    let all_sent = |rounds: Rounds| {
        let (messages, ends) = (rounds.messages.clone(), rounds.ends());
        let mut values = Vec::new();
        drop(rounds.send(base.batch_slot(0), ends, |rounds, rho| {
            values = rounds.values(rho);
            values.clone()
        }));
        [messages, ends.to_array().to_vec(), values].concat()
    };
    let mut ones = vec![0_usize; (2 * 8 + 5 + 17) * 3 * 61];
    for trial in 0..TRIALS {
        let elements = all_sent(play(trial, 0..0));
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
    // The controls: without kappa, Y_1 and Y_2 are 0, without gamma X_2.
    let bare = play(1, 0..1).ends();
    assert!(bare.kappas == Element::ZERO && bare.weighted_kappas == Element::ZERO);
    assert!(bare.gammas != Element::ZERO);
    let bare = play(1, 1..2);
    assert!(bare.ends().gammas == Element::ZERO && bare.ends().kappas != Element::ZERO);
    // Without gamma the messages are those of the round polynomials: the first is what the weights
    // make of rows with even numbers.
    let mut expected = Element::ZERO;
    for (equation, &scale) in bare.course.equations.iter().zip(&bare.course.scales) {
        for &(i, x) in equation.rows.iter().filter(|&&(i, _)| i % 2 == 0) {
            for &(j, g) in &equation.columns {
                let entry = base.entry(i as usize, j as usize) as i64;
                expected += scale * x * g * entry.into();
            }
        }
    }
    assert_eq!(bare.messages[0], expected);
    // Without beta, the images are those of the messages.
    let is_of_messages = |blank: bool| {
        let rounds = play(1, if blank { 2..3 } else { 0..0 });
        let form = rounds.course.images(base.batch_slot(0));
        let bare = |s: &[i8]| [&s[..ROWS as usize], &vec![0; v - ROWS as usize]].concat();
        let images = base.entries.chunks(v).map(|column| form.at(&bare(column)));
        images.zip(rounds.images.iter()).all(|(image, &got)| image == got)
    };
    assert!(is_of_messages(true) && !is_of_messages(false));
}

fn name<T: core::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::Parameter(ParameterError { name, .. })) => name,
        other => panic!("{other:?}"),
    }
}

/// How many facts and slots there are, and what facts may be about.
#[test]
fn requests_beyond_the_messages_are_refused() {
    let base = Toy::new(toy(29, 40), 2);
    let fact = base.sum(&[(0, 1)], &[(0, 1)]);
    assert_eq!(name(Facts::new(Vec::new())), "facts");
    assert_eq!(name(Facts::new(vec![fact.clone(); MAX_FACTS + 1])), "facts");
    assert_eq!(of(&vec![fact.clone(); MAX_FACTS]).facts().len(), MAX_FACTS);
    // Slots 0 to 3.
    assert!(base.space.batch_slot(1).is_ok());
    for first in [2, 3, 4, u32::MAX] {
        assert_eq!(name(base.space.batch_slot(first)), "slot", "{first}");
    }
    let refused = |toy: &Toy, facts: &Facts| {
        let verify = match toy.verify_facts(0, facts, &[]) {
            Err(VerifyError::NoVerdict(error)) => name::<()>(Err(error)),
            other => panic!("{other:?}"),
        };
        assert_eq!(name(toy.try_prove_facts(0, facts)), verify);
        verify
    };
    let sum = |row, column| Fact::sum(vec![(row, 1)], vec![(column, 1)], 0).unwrap();
    for (other, expected) in [
        (sum(ROWS, 0), "row of a fact"),
        (sum(u32::MAX, 0), "row of a fact"),
        (sum(0, 40), "column of a fact"),
        (sum(0, u64::MAX), "column of a fact"),
    ] {
        assert_eq!(refused(&base, &of(&[fact.clone(), other.clone()])), expected);
        assert_eq!(refused(&base, &of(&[other, fact.clone()])), expected);
    }
    // 6 and 2 rows with that of beta, 2^4 columns.
    let (many, few) = (of(&[block(&base, 0, 0, 6, 1)]), of(&[fact]));
    assert_eq!((many.least_columns(1), few.least_columns(1)), (15, 11));
    for l in [1, 11, 16, 17, 100] {
        let least = many.least_columns(l);
        assert!(Shape::new(&many, least).has_columns() && least >= l);
        assert!((l..least).all(|l| !Shape::new(&many, l).has_columns()));
    }
    for l in [13, 14, 15] {
        let toy = Toy::new(toy(29, l), 2);
        let many = of(&[block(&toy, 0, 0, 6, 1)]);
        assert!(toy.try_prove_facts(0, &of(&[toy.sum(&[(0, 1)], &[(0, 1)])])).is_ok());
        if l == 15 {
            assert!(toy.try_prove_facts(0, &many).is_ok());
        } else {
            assert_eq!(refused(&toy, &many), "l");
        }
    }
}

/// Pads of the front hide all that is sent, whatever else is opened; one column of it less, and
/// they do not.
#[test]
fn openings_behind_the_front_show_nothing() {
    let toy = Toy::new(toy(29, 40), 1);
    let facts = of(&all(&toy));
    let course = toy.play_facts(&facts).course;
    let messages = course.shape.messages();
    let pads = Pads {
        messages,
        first: 0,
        eq: &course.column_weights(),
        w: &course.pad_weights().0,
        of_beta: *course.row_weights().last().unwrap(),
        beta_in_f: false,
        masked_by_beta: Vec::new(),
    };
    let front = facts.closed(40) as usize;
    assert_eq!(front, messages + 1);
    assert_eq!(pads.missing(|_| false), 0);
    assert_eq!(pads.missing(|j| j >= front), 0);
    for mask in 0..front {
        assert!(pads.missing(|j| j >= front || j == mask) > 0, "{mask}");
    }
    // 6 rows with that of beta: 2 (3 + 5) + 1 of up to 32 columns, 2 more each time they double.
    let whole = of(&[block(&toy, 0, 0, 6, 1)]);
    let data = [13, 15, 16, 45, 46];
    assert_eq!(data.map(|data| whole.front_for(data)), [17, 17, 19, 19, 21]);
    assert!(data.iter().all(|&data| {
        let front = whole.front_for(data);
        whole.closed(data + front) <= front && whole.closed(data + front - 1) > front - 1
    }));
}

/// With three slots and no front, nothing is opened; a front that is too short is noticed.
#[test]
fn columns_in_front_are_closed() {
    let toy = Toy::new(toy(29, 40), 1);
    let facts = of(&all(&toy));
    assert!(matches!(toy.space.open(&toy.params, &toy.witness, 39), Err(Error::OpensMasks)));
    let two = PaddedSpace::new(&toy.params, ROWS, 2, Security::Waived).unwrap();
    assert!(two.open(&toy.params, &toy.witness, 0).is_ok(), "facts alone need no front");
    let needed = facts.closed(40);
    for front in [needed - 1, needed] {
        let space = toy.space.with_front(front);
        let (slot, seed) = (space.batch_slot(0).unwrap(), Seed::from_bytes([7; 32]));
        let proved = toy.prover().prove_facts(CONTEXT, slot, &facts, &toy.witness, &seed);
        assert_eq!(proved.is_ok(), front == needed);
        assert!(matches!(
            space.open(&toy.params, &toy.witness, front - 1),
            Err(Error::ClosedColumn { .. })
        ));
        assert!(space.open(&toy.params, &toy.witness, front).is_ok());
        // A fact alone.
        let slot = space.slot(3).unwrap();
        let fact = toy.sum(&[(0, 1)], &[(0, 1)]);
        assert!(toy.prover().prove_fact(CONTEXT, slot, &fact, &toy.witness, &seed).is_ok());
    }
}

/// Provers answer about their own T alone.
#[test]
fn altered_statements_get_no_answer() {
    for round_t in [None, Some(0)] {
        let toy = Toy::new(CustomParams { round_t, ..toy(29, 40) }, 1);
        let facts = of(&all(&toy));
        check_prover(&toy.statement, &toy.file, |statement, file| {
            let prover = Prover::new(&toy.matrix, statement)?.with_file(file).reproducible();
            let (slot, seed) = (toy.batch_slot(0), Seed::from_bytes([7; 32]));
            let proved = prover.prove_facts(CONTEXT, slot, &facts, &toy.witness, &seed)?;
            Ok(proved.proof.to_bytes(&toy.params))
        });
    }
}
