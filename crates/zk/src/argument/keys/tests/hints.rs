//! What is sent hides all but the hints, and depends on nothing that it may not depend on; which
//! requests are refused.

use super::*;
use crate::cases::name;
use crate::error::Weakness;
use crate::hash::Hasher;
use crate::keys::{Extended, MAX_HINTS};
use crate::opening::transcript::decode;
use crate::owner::tests::check_prover;
use crate::rows::{Distribution, RowGroup};

/// All that is sent before Y but the hints of keys and X_1, of dummy columns under the key of a
/// trial.
fn sent(toy: &Toy, trial: u64, blank: core::ops::Range<u32>) -> Vec<Element> {
    let keys = toy.keys();
    let digest = Hasher::new(toy.params.hash(), "test").number(trial).finish();
    let mut dummies = Dummies::draw(&keys, &digest);
    dummies.blank(2, blank.start as usize..blank.end as usize);
    let rounds = toy.play(dummies, 1 << 20);
    let ends = rounds.ends();
    let sent = rounds.send(&keys, &ends, AfterRounds::values).argument.elements;
    let mut sent = decode(&sent, keys.extended.elements() as usize).unwrap().to_vec();
    let (dummies, keys) = (keys.dummies() as usize, toy.params.l() as usize);
    sent.drain(dummies..=dummies + keys);
    sent
}

fn small() -> Toy {
    Toy::new(toy(29, 2, 3, 1), ranges(1, 1), 1)
}

/// All proofs of one claim about one T send the same, hints above all: for every context,
/// seed, number of hints that the claim names, and other fields of the header.
#[test]
fn one_claim_has_one_hint() {
    let custom = toy(40, 10, 7, 1);
    let base = Toy::new(custom, ranges(1, 1), 1);
    let all = |sent: &Argument| (sent.start, sent.columns.clone(), sent.elements.clone());
    let hints = |toy: &Toy| -> Vec<Vec<u8>> {
        let sent = toy.try_prove().unwrap().0;
        let elements = sent.elements.chunks(24).skip(toy.keys().dummies() as usize);
        elements.take(toy.params.l() as usize).map(<[u8]>::to_vec).collect()
    };
    let (first, first_proof) = base.try_prove().unwrap();
    for other in [
        CustomParams { n: Some(900), ..custom },
        CustomParams { sigma: Some(2 * base.params.sigma()), ..custom },
    ] {
        let other = validated(other);
        assert_ne!(other, base.params);
        let other = Toy::of(other, base.claim, base.entries.clone());
        assert!(other.file[256..] == base.file[256..], "the same T");
        assert!(all(&other.try_prove().unwrap().0) == all(&first));
    }
    for (context, seed, hints) in [(&b"another"[..], 7, 1), (CONTEXT, 9, 1), (CONTEXT, 7, 8)] {
        let claim = base.claim.with_hints(hints).unwrap();
        let keys = ExactKeys::new(&base.matrix, &base.statement, claim).unwrap();
        let keys = keys.with_file(&base.file).reproducible();
        let seed = Seed::from_bytes([seed; 32]);
        let (sent, proof, _) = keys.argue(context, &base.witness, &seed).unwrap();
        assert!(all(&sent.argument) == all(&first));
        assert_ne!(proof, first_proof);
        keys.verify(context, &sent.argument.proof_file(keys.params(), &proof)).unwrap();
    }
    // Another claim, another batch, another order: other hints.
    let of_base = hints(&base);
    let twice = base.entries[..15].iter().chain(&base.entries[..90]).copied().collect();
    let mut swapped = base.entries.clone();
    swapped.rotate_left(15);
    for entries in [twice, swapped] {
        let other = hints(&Toy::of(base.params.clone(), base.claim, entries));
        assert!(other.iter().all(|hint| !of_base.contains(hint)));
    }
    let wide = Toy::new(toy(40, 10, 7, 2), ranges(1, 1), 1);
    let [one, other] = [wide.claim, ranges(1, 2)]
        .map(|claim| hints(&Toy::of(wide.params.clone(), claim, wide.entries.clone())));
    assert!(one.iter().all(|hint| !other.contains(hint)));
}

/// Over fresh dummy columns, every bit of what is sent but hints is 0 or 1 with the same
/// probability, though the keys stay the same; with pads of 0 what is sent tells them.
#[test]
fn messages_are_uniform_over_fresh_dummies() {
    const TRIALS: u64 = 400;
    let toy = small();
    let count = sent(&toy, 0, 0..0).len();
    let mut ones = vec![0_usize; count * 3 * 61];
    for trial in 0..TRIALS {
        let words = sent(&toy, trial, 0..0);
        let words = words.iter().flat_map(|element| element.coefficients());
        for (word, ones) in words.zip(ones.chunks_mut(61)) {
            ones.iter_mut().enumerate().for_each(|(bit, ones)| *ones += (word >> bit & 1) as usize);
        }
    }
    let deviation = (TRIALS as f64 / 4.0).sqrt();
    for (place, ones) in ones.into_iter().enumerate() {
        let away = (ones as f64 - TRIALS as f64 / 2.0).abs() / deviation;
        assert!(away < 6.0, "bit {place}: {ones} of {TRIALS}");
    }
    // The control: without gamma, the first round is a polynomial that is 0 at 0; without any pads,
    // nothing masks Y_1.
    let pads = toy.keys().extended.pads;
    let bare = sent(&toy, 1, pads.uniform..pads.rows());
    assert!(bare[0] == Element::ZERO);
    let bare = sent(&toy, 1, 0..pads.rows());
    assert!(bare[pads.columns as usize] == Element::ZERO);
    // Without uniform digits, Y_1 is what gamma makes of it: not 0, but masked by what masks m.
    assert!(sent(&toy, 1, 0..pads.uniform)[pads.columns as usize] != Element::ZERO);
}

#[test]
fn requests_that_can_not_be_are_refused() {
    assert_eq!(name(KeyRanges::new(0, 1)), "bound on secrets");
    assert_eq!(name(KeyRanges::new(1, 9)), "bound on errors");
    let one = ranges(1, 1);
    assert_eq!(name(one.with_hints(0)), "hints");
    assert_eq!(name(one.with_hints(MAX_HINTS + 1)), "hints");
    let new = |custom: CustomParams, claim: KeyRanges| {
        let params = waived(custom);
        name(Extended::of(&params, &claim, Security::Waived))
    };
    let base = toy(29, 10, 7, 1);
    assert_eq!(new(CustomParams { round_t: Some(1), ..base }, one), "round_t");
    assert_eq!(new(CustomParams { b: 128, w: 40, ..base }, one), "b");
    assert_eq!(new(base, ranges(2, 1)), "bound on secrets");
    assert_eq!(new(base, ranges(1, 2)), "bound on errors");
    assert_eq!(new(CustomParams { lambda: 256, ..base }, one), "lambda");
    let group = |rows| Some(RowGroup::uniform(rows, 1));
    let groups = [group(4), group(6), None];
    assert_eq!(new(CustomParams { groups, ..base }, one), "groups of rows");
    let groups = [group(9), group(6), None];
    assert_eq!(new(CustomParams { groups, ..base }, one), "groups of rows");
    // Who chose what of unknown distribution hides nothing.
    let any = |rows| Some(RowGroup { rows, bound: 1, distribution: Distribution::Any });
    let groups = [any(10), group(5), None];
    let params = waived(CustomParams { groups, ..base });
    let extended = Extended::of(&params, &one, Security::Waived).unwrap();
    assert_eq!(extended.hiding(0).beta, crate::estimate::MIN_BLOCK);
    assert_error!(Extended::of(&params, &one, Security::Required), Error::Insecure(_));
    assert_eq!(waived(CustomParams { b: 128, w: 40, ..base }).max_key_bytes(), 0);
    // The claim of a header.
    let of = |custom: CustomParams| KeyRanges::of(&waived(custom));
    assert_eq!(of(base).unwrap(), one);
    let groups = [Some(RowGroup::uniform(10, 3)), Some(RowGroup::uniform(5, 7)), None];
    let claim = of(CustomParams { groups, ..base }).unwrap();
    assert_eq!((claim.secret_bound(), claim.error_bound()), (3, 7));
    assert_eq!(name(of(CustomParams { b: 9, ..base })), "bound on secrets");
}

/// Provers answer about their own T alone: else each altered T would give one more hint a key.
#[test]
fn altered_statements_get_no_answer() {
    for l in [3, 256, 300] {
        let toy = Toy::new(toy(32, 12, l, 1), ranges(1, 1), 1);
        check_prover(&toy.statement, &toy.file, |statement, file| {
            let keys = ExactKeys::new(&toy.matrix, statement, toy.claim)?;
            toy.prove_by(&keys.with_file(file).reproducible())
        });
    }
}

/// The optimum is sought of the statement of keys, and no more hints may be known than
/// it is for.
#[test]
fn optima_are_for_as_many_hints_as_are_sought() {
    use crate::params::Goal;
    use crate::witness::RandomWitness;
    let goal = Goal { key_hints: 1, ..Goal::new(1, 300) };
    let params = goal.optimise().unwrap().validate(Security::Required).unwrap();
    let claim = KeyRanges::of(&params).unwrap();
    let extended = Extended::of(&params, &claim, Security::Required).unwrap();
    let a = PublicMatrix::new(&params, [1; 32]);
    let witness = RandomWitness::new(Seed::from_bytes([1; 32]));
    let mut file = Vec::new();
    let statement = a.commit(&witness, &mut file).unwrap();
    let keys = ExactKeys::new(&a, &statement, claim).unwrap();
    assert_eq!(keys.params(), &extended.params);
    let estimate = keys.estimate();
    assert!(estimate.binding.classical >= 128.0);
    assert!(estimate.hiding_with_hints.classical >= 128.0);
    assert!(estimate.hiding.classical > estimate.hiding_with_hints.classical);
    // Where more hints are known than these parameters stand.
    let error = ExactKeys::new(&a, &statement, claim.with_hints(8).unwrap());
    let Err(Error::Insecure(Weakness::Attack { attack, .. })) = error else { panic!("accepted") };
    assert!(attack.contains("hints"));
}
