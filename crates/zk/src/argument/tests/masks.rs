//! What is sent hides the messages, and depends on nothing that it may not depend on; which
//! requests are refused.

use super::*;
use crate::error::ParameterError;
use crate::owned::tests::check_prover;
use crate::params::Preset;
use crate::suite::Encoding;

/// m and y of a proof.
fn sent(proof: &FactProof) -> (Element, Vec<Element>) {
    (proof.mask, proof.values.clone())
}

/// All proofs of one fact about one T have the same messages: whatever the context, the seed, and
/// what the header says besides. Other challenges under the same pads would show the messages.
#[test]
fn one_fact_has_one_mask() {
    let custom = CustomParams { round_t: Some(3), ..toy(40, 6) };
    let base = Toy::new(custom, 1);
    let (rows, columns) = weights(6);
    let fact = base.sum(&rows, &columns);
    let first = base.try_prove(0, &fact).unwrap();
    let others = [
        CustomParams { n: Some(17), ..custom },
        CustomParams { sigma: Some(2 * base.params.sigma()), ..custom },
        CustomParams { encoding: Encoding::Rice, ..custom },
        CustomParams { round_w: Some(base.params.round_w() - 1), ..custom },
    ];
    for other in others {
        let other = validated(other);
        assert_ne!(other, base.params);
        let other = Toy::of(other, base.space, base.entries.clone());
        assert!(other.file[256..] == base.file[256..], "the same T");
        let proof = other.try_prove(0, &fact).unwrap();
        assert_eq!(sent(&proof), sent(&first));
        assert_ne!(proof.proof, first.proof);
    }
    let again = |context: &[u8], seed: u8| {
        let seed = Seed::from_bytes([seed; 32]);
        let proved = base.prover().prove_fact(context, base.slot(0), &fact, &base.witness, &seed);
        let proof = proved.unwrap().proof;
        assert_ne!(proof.proof, first.proof);
        sent(&proof)
    };
    assert_eq!(again(b"another", 7), sent(&first));
    assert_eq!(again(CONTEXT, 9), sent(&first));
    assert_ne!(sent(&base.try_prove(1, &fact).unwrap()), sent(&first), "other pads");
}

/// Over fresh pads, every bit of what is sent for a column is 0 or 1 with the same probability, and
/// so are its sum with the next column's, though the messages stay the same; with pads of 0 what is
/// sent tells the messages.
#[test]
fn values_are_uniform_over_fresh_pads() {
    const TRIALS: usize = 1500;
    let custom = toy(29, 2);
    let base = Toy::new(custom, 1);
    let fact = base.sum(&[(0, 1), (1, 2)], &[(0, 1), (1, 1)]);
    let rows = ROWS as usize..(ROWS + PAD_ROWS) as usize;
    let ones = |fresh: bool| {
        let mut ones = vec![0_usize; 3 * 3 * 61];
        let trials = if fresh { TRIALS } else { 1 };
        for trial in 0..trials {
            let messages: Vec<i8> = base
                .entries
                .chunks(base.params.v() as usize)
                .flat_map(|column| base.space.message(column).to_vec())
                .collect();
            let mut seed = [3; 32];
            seed[..8].copy_from_slice(&(trial as u64).to_le_bytes());
            let source = base.space.witness(&base.matrix, &messages, &Seed::from_bytes(seed));
            let source = source.unwrap();
            let mut entries = vec![0; base.entries.len()];
            source.read_columns(&base.params, 0, &mut entries).unwrap();
            if !fresh {
                for column in entries.chunks_mut(base.params.v() as usize) {
                    column[rows.clone()].fill(0);
                }
            }
            let toy = Toy::of(base.params.clone(), base.space, entries);
            let (mask, values) = sent(&toy.try_prove(0, &fact).unwrap());
            if !fresh {
                assert_eq!(mask, Element::ZERO, "the control");
                assert_ne!(values[0], Element::ZERO);
                continue;
            }
            let all = [mask, values[0], values[1]].map(Element::coefficients);
            for (k, word) in all.into_iter().flatten().enumerate() {
                for bit in 0..61 {
                    ones[61 * k + bit] += (word >> bit & 1) as usize;
                }
            }
        }
        ones
    };
    ones(false);
    let deviation = (TRIALS as f64 / 4.0).sqrt();
    for (place, ones) in ones(true).into_iter().enumerate() {
        let away = (ones as f64 - TRIALS as f64 / 2.0).abs() / deviation;
        assert!(away < 5.0, "bit {place}: {ones} of {TRIALS}");
    }
}

/// Digits of pads are those of uniform residues, in rows of their own; messages and randomness are
/// those of a commitment without pads.
#[test]
fn pads_are_uniform_residues() {
    let toy = Toy::new(toy(29, 900), 4);
    let v = toy.params.v() as usize;
    let pads = ROWS as usize..(ROWS + SLOTS * PAD_ROWS) as usize;
    let (mut sum, mut count, mut squares) = (0.0, 0.0, 0.0);
    let mut seen = std::collections::HashSet::new();
    for column in toy.entries.chunks(v) {
        for digits in column[pads.clone()].chunks(27) {
            assert!(digits.iter().all(|digit| digit.abs() <= 2));
            let value = digits.iter().rev().fold(0_i128, |x, &digit| 5 * x + i128::from(digit));
            assert!(value.unsigned_abs() <= u128::from(P / 2));
            assert!(seen.insert(value), "a residue comes twice");
            let x = value as f64 / P as f64;
            (sum, count, squares) = (sum + x, count + 1.0, squares + x * x);
        }
    }
    // Uniform in [-1/2, 1/2]: variance 1/12, that of a square 1/180.
    assert!((sum / count).abs() < 5.0 * (1.0 / (12.0 * count)).sqrt());
    assert!((squares / count - 1.0 / 12.0).abs() < 5.0 * (1.0 / (180.0 * count)).sqrt());
}

/// One seed for other messages, another A, other parameters or another number of slots: other pads.
/// The same pads in two T would show the messages.
#[test]
fn pads_serve_one_statement() {
    let custom = toy(29, 3);
    let base = Toy::new(custom, 1);
    let seed = Seed::from_bytes([1; 32]);
    let messages = vec![1; 3 * ROWS as usize];
    let pads = |params: &Params, a: u8, slots: u32, messages: &[i8]| {
        let matrix = PublicMatrix::new(params, [a; 32]);
        let space = PaddedSpace::new(params, ROWS, slots, Security::Waived).unwrap();
        let source = space.witness(&matrix, messages, &seed).unwrap();
        let mut entries = vec![0; params.v() as usize * 3];
        source.read_columns(params, 0, &mut entries).unwrap();
        // Of the first column, the first slot; and the randomness.
        entries[ROWS as usize..params.v() as usize].to_vec()
    };
    let first = pads(&base.params, 1, 2, &messages);
    assert_eq!(pads(&base.params, 1, 2, &messages), first);
    let params = |custom: CustomParams| custom.validate(Security::Waived).unwrap();
    let mut other = messages.clone();
    other[17] = 0;
    let others = [
        pads(&base.params, 2, 2, &messages),
        pads(&base.params, 1, 1, &messages),
        pads(&base.params, 1, 2, &other),
        pads(&params(CustomParams { n: Some(11), ..custom }), 1, 2, &messages),
        pads(&params(CustomParams { b: 2, ..custom }), 1, 2, &messages),
        pads(&params(CustomParams { w: 30, ..custom }), 1, 2, &messages),
    ];
    for (i, pads) in others.into_iter().enumerate() {
        let slot = PAD_ROWS as usize;
        assert_ne!(pads[..slot], first[..slot], "{i}");
        assert_ne!(pads[2 * slot..], first[2 * slot..], "{i}");
    }
}

fn name<T: core::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::Parameter(ParameterError { name, .. })) => name,
        other => panic!("{other:?}"),
    }
}

/// What a fact may be about, and under which parameters.
#[test]
fn requests_beyond_the_messages_are_refused() {
    let toy = Toy::new(toy(29, 6), 2);
    let prove = |fact: &Fact| name(toy.try_prove(0, fact));
    let verify = |fact: &Fact| match toy.verify(0, fact, &[]) {
        Err(VerifyError::NoVerdict(error)) => name::<()>(Err(error)),
        other => panic!("{other:?}"),
    };
    let sum = |row, column| Fact::sum(vec![(row, 1)], vec![(column, 1)], 0).unwrap();
    for (fact, expected) in [
        (sum(ROWS, 0), "row of a fact"),
        (sum(u32::MAX, 0), "row of a fact"),
        (sum(0, 6), "column of a fact"),
        (sum(0, u64::MAX), "column of a fact"),
        (Fact::block(0, 0, ROWS + 1, vec![0; ROWS as usize + 1]).unwrap(), "row of a fact"),
        (Fact::block(0, 5, 1, vec![0; 2]).unwrap(), "column of a fact"),
    ] {
        assert_eq!((prove(&fact), verify(&fact)), (expected, expected));
    }
    assert_eq!(name(toy.space.slot(SLOTS)), "slot");
    let space = |rows, slots| PaddedSpace::new(&toy.params, rows, slots, Security::Waived);
    assert_eq!(name(space(0, 1)), "message rows");
    assert_eq!(name(space(ROWS, 0)), "slots");
    assert_eq!(name(space(ROWS, u32::MAX)), "slots");
    assert_eq!(name(space(ROWS, 3)), "message rows");
    // The third slot would lie in rows of b = 1; so do pads that begin behind their group.
    let narrow = space(ROWS + PAD_ROWS * SLOTS - 80, 1);
    assert_eq!(name(narrow), "b of rows of pads");
    assert!(space(ROWS + PAD_ROWS, 1).is_ok() && space(1, 2).is_ok());
    // A slot of other parameters.
    let slot = space(ROWS + PAD_ROWS, 1).unwrap().slot(0).unwrap();
    let small = CustomParams::new(29, 5, 100, 6, 2).validate(Security::Waived).unwrap();
    assert_eq!(name(slot.check(&small, &sum(0, 0))), "row of a pad");
    for custom in [
        Preset::T4_128_V1.custom(),
        CustomParams { lambda: 256, ..CustomParams::new(40, 5, 300, 6, 2) },
    ] {
        let params = custom.validate(Security::Waived).unwrap();
        let expected = if custom.lambda == 256 { "lambda" } else { "version" };
        assert_eq!(name(PaddedSpace::new(&params, 6, 1, Security::Waived)), expected);
        assert_eq!(name(slot.check(&params, &sum(0, 0))), expected);
    }
}

/// A space asks for all the security that a space of messages asks for, of messages and pads.
#[test]
fn pads_hide_nothing_else() {
    let goal = crate::Goal { message_rows: 64, pad_slots: 1, ..crate::Goal::new(1, 4) };
    let params = goal.optimise().unwrap().validate(Security::Required).unwrap();
    let space = PaddedSpace::new(&params, 64, 1, Security::Required).unwrap();
    assert!(space.hiding().classical >= 128.0);
    assert_eq!((space.rows(), space.slots()), (64, 1));
    let more = PaddedSpace::new(&params, 72, 1, Security::Required);
    assert!(matches!(more, Err(Error::Insecure { .. })), "rows of randomness are no rows of pads");
}

/// Nothing secret is printed.
#[test]
fn pads_are_not_printed() {
    let toy = Toy::new(toy(29, 2), 3);
    let messages = [5; 2 * ROWS as usize];
    let source = toy.space.witness(&toy.matrix, &messages, &Seed::from_bytes([1; 32])).unwrap();
    assert_eq!(format!("{source:?}"), "PaddedMessages([REDACTED])");
    let few = toy.space.witness(&toy.matrix, &messages[1..], &Seed::from_bytes([1; 32]));
    assert!(matches!(few, Err(Error::MessageLength { got: 11, expected: 12 })));
    let narrow = CustomParams::new(29, 5, 100, 2, 9).validate(Security::Waived).unwrap();
    let error = source.read_columns(&narrow, 0, &mut [0; 200]).unwrap_err();
    assert_eq!(name::<()>(Err(error)), "v");
}

/// Provers answer about their own T alone.
#[test]
fn altered_statements_get_no_answer() {
    for round_t in [None, Some(0)] {
        let toy = Toy::new(CustomParams { round_t, ..toy(29, 20) }, 1);
        let (rows, columns) = weights(20);
        let fact = toy.sum(&rows, &columns);
        check_prover(&toy.statement, &toy.file, |statement, file| {
            let prover = Prover::new(&toy.matrix, statement)?.with_file(file).reproducible();
            let seed = Seed::from_bytes([7; 32]);
            let proved = prover.prove_fact(CONTEXT, toy.slot(0), &fact, &toy.witness, &seed)?;
            Ok(proved.proof.to_bytes(&toy.params))
        });
    }
}
