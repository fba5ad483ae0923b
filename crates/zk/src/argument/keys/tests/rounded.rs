//! Rounded columns of dummies: how long E is, and what the header says of them.

use super::super::dummies::widen;
use super::*;
use crate::error::Fault;
use crate::keys::Extended;
use crate::matrix::with_engine;
use crate::opening::LinearForm;
use crate::params::sigma::RoundedColumns;
use crate::product::multiply_by_challenges;
use crate::residual::subtract_tc;
use crate::source::Appended;
use crate::sum_check::dot;
use crate::words::Word;

/// Entries of E have the variance that B and the coder of hints are computed from, to which what is
/// rounded off dummy columns adds its share.
#[test]
fn errors_are_as_long_as_stated() {
    let custom = CustomParams::new(33, 64, 96, 40, 1);
    let custom = CustomParams { n: Some(64), round_t: Some(0), ..custom };
    let toy = Toy::new(custom, ranges(1, 1), 1);
    let keys = toy.keys();
    let params = keys.params();
    let square = |x: f64| x * x;
    let sigma_squared = square(params.sigma() as f64);
    let mut sum = 0.0;
    let proofs = 10;
    for context in 0..proofs {
        let context = [context];
        let seed = Seed::from_bytes([5; 32]);
        let (sent, proof, _) = keys.argue(&context, &toy.witness, &seed).unwrap();
        let columns = widen(&keys.extended, &sent.argument.columns).unwrap();
        let statement = keys.extend(&columns).unwrap();
        let file = Appended { file: &toy.file, more: &columns };
        let Proof { challenge_hash, z, hints, .. } = &proof;
        let tc = multiply_by_challenges(&keys.matrix, &statement, Some(&file), &[challenge_hash]);
        let v: Vec<u64> = with_engine!(keys.matrix, engine => {
            let mut v = engine.apply_top(None, z).unwrap();
            subtract_tc(params, &mut v, &tc.unwrap()[0]);
            v.into_iter().map(Word::to_u64).collect()
        });
        let e = v.iter().zip(hints).map(|(&v, &hint)| {
            params.rounding_of_w().low(v) - (i64::from(hint) << params.round_w())
        });
        sum += e.map(|e| square(e as f64)).sum::<f64>();
    }
    let factor = sum / sigma_squared / (f64::from(proofs) * params.w_entries() as f64);
    let of = |bits: u32| square(f64::from(bits).exp2()) / sigma_squared;
    let whole = 1.0 + of(params.round_w()) / 12.0;
    let last = params.rounded_columns();
    let share = f64::from(last.columns) * of(last.round_t) / 24.0;
    assert!(share > 0.08 * whole, "{share} beside {whole} is seen");
    // Four standard deviations of the mean of 40 960 squares.
    assert!((factor / (whole + share) - 1.0).abs() < 0.03, "{factor}, stated: {}", whole + share);
    let [above, below] = params.hint_variance();
    let variance = above as f64 / below as f64;
    let expected = (1.0 + share) / of(params.round_w()) + 1.0 / 6.0;
    assert!((variance / expected - 1.0).abs() < 1e-9);
}

/// dT_x is in the file, where no value but the one that follows is accepted; and in D_0, where
/// another one would be another claim.
#[test]
fn the_number_of_rounded_bits_is_bound() {
    let toy = Toy::new(toy(29, 10, 7, 1), ranges(1, 1), 6);
    let (keys, proof) = (toy.keys(), toy.prove());
    let round_t = keys.extended.round_t();
    assert_eq!(proof[68..72], round_t.to_le_bytes());
    assert!(round_t > 8 && round_t < 29 - 5);
    for other in [0, 1, round_t - 1, round_t + 1, 28, 29, 64, 1 << 31, u32::MAX] {
        let altered = replaced(&proof, 68, &other.to_le_bytes());
        assert_eq!(toy.reason(&altered), Some(Reason::OtherFact), "{other}");
    }
    let keys_of = |round_t| {
        let mut keys = toy.keys();
        let last = RoundedColumns { round_t, ..keys.params().rounded_columns() };
        keys.extended.params = keys.extended.params.with_rounded_columns(last).unwrap();
        keys
    };
    // A prover who rounds to other numbers of bits has the length of such a file, at least.
    for other in [round_t - 1, round_t + 1] {
        let mut keys = keys_of(other);
        keys.matrix = toy.matrix.with_pad_columns(&keys.extended.params);
        let proof = toy.prove_by(&keys).unwrap();
        keys.verify(CONTEXT, &proof).unwrap();
        let mut altered = proof.clone();
        assert!(matches!(toy.keys().verify(CONTEXT, &proof), Err(Error::Invalid(_))));
        altered[68..72].copy_from_slice(&round_t.to_le_bytes());
        let reason = toy.reason(&altered);
        assert!(
            matches!(reason, Some(Reason::OtherFact | Reason::Content(Fault::Encoding))),
            "{reason:?}"
        );
    }
    // The same T and claim as keys of another dT_x have.
    assert_ne!(keys_of(round_t).claim_digest(), keys_of(round_t - 1).claim_digest());
}

/// The value of a dummy column itself, or in the weighted hints its row sum, is not the value of
/// what is published of it: the equation holds of such values, and the opening does not.
#[test]
fn values_are_those_of_what_is_published() {
    let toy = Toy::new(toy(29, 10, 7, 1), ranges(1, 1), 6);
    let bare = |form: &LinearForm| -> Vec<Element> {
        let dummies = toy.dummies();
        let height = dummies.columns().len() / toy.keys().dummies() as usize;
        dummies.columns().chunks(height).map(|column| form.at(column)).collect()
    };
    let ends = |rounds: &AfterRounds| {
        let weighted_hints = dot(&rounds.schedule.pad_weights(), &bare(&rounds.schedule.rows()));
        assert!(weighted_hints != rounds.ends().weighted_hints);
        FinalMessages { weighted_hints, ..rounds.ends() }
    };
    let values = |rounds: &AfterRounds, rho| bare(&rounds.schedule.form(rho));
    assert_eq!(toy.reason_of(ends, values), CHALLENGE);
    assert_eq!(toy.reason_of(ends, AfterRounds::values), EQUATION);
    assert_eq!(toy.reason_of(AfterRounds::ends, values), EQUATION);
    assert_eq!(toy.reason_of(AfterRounds::ends, AfterRounds::values), None);
}

/// Sizes for the dimensions of the specification's table, where rho is 3, and of the table of
/// docs/protocol.md, within a hundredth.
#[test]
fn proofs_have_the_sizes_that_are_stated() {
    for (rho, b, l, [w, r, k], expected) in [
        (3, 1, 1024, [28, 1152, 1416], 622),
        (3, 1, 4096, [29, 1200, 1464], 731),
        (3, 1, 65536, [31, 1296, 1560], 2254),
        (3, 2, 4096, [30, 1208, 1408], 780),
        (3, 3, 4096, [31, 1224, 1400], 843),
        (3, 8, 4096, [32, 1280, 1320], 1102),
        (3, 1, 4096, [32, 1088, 1600], 786),
        (2, 1, 1024, [28, 1200, 1424], 645),
        (2, 1, 4096, [29, 1248, 1464], 752),
        (2, 1, 65536, [31, 1344, 1560], 2275),
        (2, 2, 4096, [30, 1280, 1416], 794),
        (2, 3, 4096, [31, 1296, 1408], 857),
        (2, 8, 4096, [32, 1352, 1328], 1143),
    ] {
        let custom = CustomParams::new(w, r, r + k, l, b);
        let params = waived(CustomParams { rho: Some(rho), round_t: Some(0), ..custom });
        let claim = KeyRanges::of(&params).unwrap();
        let extended = Extended::of(&params, &claim, Security::Waived).unwrap();
        let kib = extended.expected_proof_bytes() as f64 / 1024.0;
        assert!((kib / f64::from(expected) - 1.0).abs() < 0.01, "{b} {l}: {kib:.1} KiB");
    }
}
