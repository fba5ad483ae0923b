use crate::params::Security;
use tautochrone_ctr::{Label, Seed};
use tautochrone_gauss::bitslice::Bitslice;

use super::*;
use crate::argument::linear::Definition;
use crate::cases::{Case, name};
use crate::error::{Error, Reason, WitnessProblem};
use crate::matrix::PublicMatrix;

const PRESETS: [Preset; 2] = [Preset::N1_128, Preset::N4_128];

/// Nothing is smaller than a preset, its claim has as many rows as its messages, and hiding counts
/// neither errors nor pads.
#[test]
fn presets_are_what_is_sought() {
    for preset in PRESETS {
        let errors = GaussianErrors::of(preset).unwrap();
        let custom = preset.custom();
        let params = preset.params(Security::Required).unwrap();
        let layout = errors.layout(&params).unwrap();
        let columns = layout.columns();
        let best = errors.goal(columns).optimise().unwrap();
        assert_eq!(best.validate(Security::Required).unwrap(), params, "{preset:?}");
        assert_eq!(preset.for_columns(columns).l, custom.l);
        let for_columns = preset.for_columns(columns).frobenius_squared;
        assert_eq!(for_columns, Some(params.frobenius_squared()), "{preset:?}");
        let groups: Vec<_> =
            params.row_groups().iter().map(|group| (group.rows, group.bound)).collect();
        assert_eq!(groups[0], (errors.message_rows(), errors.bound()));
        assert_eq!(
            Definition::end(&errors.claim(), &Layout::new(1, 1)),
            (errors.message_rows().into(), 0)
        );
        let hiding = layout.hiding(&params).unwrap();
        assert!(hiding.classical >= 128.0);
        assert_eq!(hiding, params.estimate().hiding);
    }
}

/// Other numbers of columns have their own F^2, less than as many bounds on norms have; other
/// presets have none.
#[test]
fn longer_and_shorter_statements_follow() {
    for preset in PRESETS {
        let errors = GaussianErrors::of(preset).unwrap();
        for l in [118, 1000, 20_000] {
            let custom = preset.for_columns(l);
            let bound = errors.norm.bound_squared + 14;
            let by_bound = errors.layout_of(l).goal_with_norm(errors.bound(), bound);
            let of_bound = by_bound.custom(custom.w, custom.r, custom.v).frobenius_squared;
            assert!(custom.frobenius_squared < of_bound, "{preset:?} {l}");
            let least = u128::from(l) * 1024 * 1024 / 100;
            assert!(custom.frobenius_squared > Some(least), "{preset:?} {l}");
        }
        let sigma = |custom: CustomParams| custom.validate(Security::Required).unwrap().sigma();
        let fixed = CustomParams { l: 118, ..preset.custom() };
        assert!(sigma(preset.for_columns(118 - 30)) < sigma(fixed));
    }
    for &preset in Preset::ALL {
        if GaussianErrors::of(preset).is_none() {
            let (custom, named) = (preset.for_columns(999), preset.custom());
            assert_eq!((custom.l, custom.r, custom.v), (999, named.r, named.v));
            assert_eq!(custom.frobenius_squared, named.frobenius_squared);
        }
    }
}

/// Gaussian columns from a sampler.
fn sampled(errors: &GaussianErrors, l: u64) -> Vec<i8> {
    let sigma = errors.micros() as f64 / 1e6;
    let sampler = Bitslice::builder().sigma(sigma).build().unwrap();
    let mut words = vec![0_i32; errors.rows() as usize * l as usize];
    sampler.fill(&mut Seed::from_bytes([4; 32]).stream(Label::new("test: errors"), 0), &mut words);
    words.into_iter().map(|error| error as i8).collect()
}

/// With all rows of a preset and few columns, no security waived: a proof is valid, of this claim
/// alone, and as long as it is said to be.
#[test]
fn presets_prove_norms() {
    let errors = GaussianErrors::of(Preset::N1_128).unwrap();
    let (claim, columns) = (errors.claim(), 128);
    let claims = Claims::from(claim.clone());
    let custom = Preset::N1_128.for_columns(columns);
    let params = custom.validate(Security::Required).unwrap();
    let layout = errors.layout(&params).unwrap();
    let own = sampled(&errors, columns);
    let messages = errors.messages(&own).unwrap();
    let matrix = PublicMatrix::new(&params, [1; 32]);
    let witness = layout.witness(&matrix, &messages, &Seed::from_bytes([2; 32])).unwrap();
    let (case, slot) = (Case::<i8>::read(&params, 1, &witness), layout.slot(0).unwrap());
    let mut proof = case.prove_claims(&slot, &claims).unwrap();
    case.verify_claims(&slot, &claims, &proof).unwrap();
    // Eleven rounds for 1039 rows, seven for 128 columns; v; eleven for 1038 rows and one; X.
    let argument = 24 * (params.l() + 3 * (11 + 7) + 1 + 2 * 11 + 1);
    let expected = (params.expected_proof_bytes() + argument) as f64;
    assert!((proof.len() as f64 / expected - 1.0).abs() < 0.01, "{} {expected}", proof.len());
    let shorter = RowNorm { bound_squared: errors.norm.bound_squared - 1, ..errors.norm };
    let other = Ranges::with_norms(claim.parts().to_vec(), vec![shorter]).unwrap();
    let verdict = case.verify_claims(&slot, &other.into(), &proof);
    assert_error!(verdict, Error::Invalid(Reason::OtherFact));
    let place = proof.len() / 2;
    proof[place] ^= 1;
    assert!(case.verify_claims(&slot, &claims, &proof).is_err());

    // Within the bound on every norm, and longer than Gaussians all together.
    let mut long = vec![0; own.len()];
    for column in long.chunks_exact_mut(1024) {
        // 15 376 of 15 476.
        column[..961].fill(4);
    }
    let messages = errors.messages(&long).unwrap();
    let witness = layout.witness(&matrix, &messages, &Seed::from_bytes([2; 32])).unwrap();
    let refused = Case::<i8>::read(&params, 1, &witness).prove_claims(&slot, &claims);
    assert_error!(refused, Error::Witness(WitnessProblem::Norm { .. }));
}

#[test]
fn bits_lie_behind_errors() {
    let errors = GaussianErrors::new(3, 2_500_000).unwrap();
    let norm = errors.norm;
    assert_eq!((errors.rows(), errors.bound(), errors.message_rows()), (3, 25, 3 + norm.bits));
    let messages = errors.messages(&[1, -2, 3, 0, 0, -9]).unwrap();
    assert_eq!(messages.len() as u32, 2 * errors.message_rows());
    for (message, (own, square)) in
        messages.chunks(errors.message_rows() as usize).zip([([1, -2, 3], 14), ([0, 0, -9], 81)])
    {
        assert_eq!(message[..3], own);
        let bits = message[3..].iter().enumerate();
        let rest: u64 = bits.map(|(d, &bit)| (bit as u64) << d).sum();
        assert_eq!(square + rest, norm.bound_squared);
    }
    assert!(errors.messages(&[]).unwrap().is_empty());
    let refused = |own: &[i8]| errors.messages(own).unwrap_err();
    let length = |got, expected| Error::Witness(WitnessProblem::Messages { got, expected });
    assert_eq!(refused(&[1, 2]).to_string(), length(2, 3).to_string());
    assert_eq!(refused(&[1, 2, 3, 4]).to_string(), length(4, 6).to_string());
    assert!(matches!(refused(&[1, 2, 3, 25, 25, 25]), Error::FalseFact));
}

#[test]
fn errors_without_a_claim_are_refused() {
    let name = |rows, micros| name(GaussianErrors::new(rows, micros));
    assert_eq!(name(0, 3_200_000), "rows of a norm");
    for micros in [0, 1_999_999, 12_700_001, u64::MAX] {
        assert_eq!(name(8, micros), "standard deviation in millionths");
    }
    assert_eq!(name(u32::MAX, 3_200_000), "rows of a range");
    for (micros, bound) in [(2_000_000, 20), (3_200_000, 32), (3_200_001, 33), (12_700_000, 127)] {
        assert_eq!(GaussianErrors::new(8, micros).unwrap().bound(), bound);
    }
}
