//! Bytes and verdicts agree with the reference, for bounds, numbers of rows and of keys of every
//! kind; honest proofs are valid.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::*;
use crate::cases::{damaged, of_length};
use crate::matrix_id::MatrixId;
use crate::reference::Answer;
use crate::reference::compact::{self, keys as reference};
use crate::rejection::Rho;
use crate::rows::{Distribution, RowGroup};
use crate::witness::{Witness, WitnessSource};

/// The claim as the reference has it.
pub(super) fn of_reference(claim: &KeyRanges) -> reference::Claim {
    let [secret, error] = [claim.secret_bound(), claim.error_bound()].map(u32::cast_signed);
    reference::Claim { secret, error, hints: claim.hints() }
}

/// The header of the statement with dummy columns.
pub(super) fn header(keys: &ExactKeys<'_>) -> Vec<u8> {
    keys.params().header(&keys.matrix.id)
}

pub(super) fn of_entries(entries: &[i8]) -> Vec<i128> {
    entries.iter().map(|&s| s.into()).collect()
}

fn check(custom: CustomParams, claim: KeyRanges, seed: u8) {
    let toy = Toy::new(custom, claim, seed);
    let (keys, s) = (toy.keys(), of_entries(&toy.entries));
    assert!(compact::commit(&toy.file[..256], None, &s) == toy.file);
    let (header, proof) = (header(&keys), toy.prove());
    let of_claim = of_reference(&claim);
    let cheat = reference::Cheat::default();
    let expected = reference::prove(&toy.file, &header, &s, CONTEXT, &of_claim, &[7; 32], cheat);
    assert!(proof == expected, "{custom:?} {claim:?}");
    assert_eq!(toy.reason(&proof), None);
    let verdict = reference::verify(&toy.file, &header, CONTEXT, &of_claim, &proof, false);
    assert_eq!(verdict, Answer::Valid);
    assert!(proof.len() as u64 <= keys.max_proof_bytes());
    assert!(keys.max_proof_bytes() <= toy.params.max_key_bytes());
    assert_eq!(stated_claim(&proof, &toy.params).unwrap(), claim);
    // T in memory, in two parts.
    let loaded = Statement::load(&toy.file, Security::Waived).unwrap();
    let of_memory = ExactKeys::new(&toy.matrix, &loaded, claim).unwrap().reproducible();
    of_memory.verify(CONTEXT, &proof).unwrap();
    assert!(toy.prove_by(&of_memory).unwrap() == proof);
}

#[test]
fn proofs_about_keys_are_those_of_the_reference() {
    // 15, 16 and 17 rows of the table, with the one that is 0; one key, a block and one more.
    check(toy(29, 9, 7, 1), ranges(1, 1), 1);
    check(toy(29, 10, 1, 1), ranges(1, 1), 2);
    check(toy(33, 11, 2, 1), ranges(1, 1), 3);
    check(toy(29, 3, 256, 1), ranges(1, 1), 4);
    check(toy(40, 2, 257, 1), ranges(1, 1), 5);
    // Other bounds, and bounds that are less than the header's.
    check(toy(29, 4, 3, 2), ranges(2, 2), 6);
    check(toy(36, 4, 3, 20), ranges(1, 2), 7);
    check(toy(29, 4, 3, 3), ranges(3, 1), 8);
    let gaussian = Distribution::Gaussian { micros: 3_000_000 };
    let groups = [
        Some(RowGroup::uniform(4, 1)),
        Some(RowGroup { rows: 5, bound: 8, distribution: gaussian }),
        None,
    ];
    check(CustomParams { groups, ..toy(29, 4, 3, 1) }, ranges(1, 2), 9);
    check(toy(32, 4, 5, 1), ranges(1, 1), 10);
    // rho = 3, of the statement and of that with dummies.
    let former = CustomParams { rho: Some(3), ..toy(29, 9, 7, 1) };
    check(former, ranges(1, 1), 11);
    let of_former = Toy::new(former, ranges(1, 1), 1);
    let rho = [of_former.params.rejection_rho(), of_former.keys().params().rejection_rho()];
    assert_eq!(rho, [Rho::Three; 2]);
}

#[test]
fn wide_ranges_are_proved() {
    let toy = Toy::new(toy(33, 20, 300, 8), ranges(8, 7), 1);
    assert_eq!(toy.reason(&toy.prove()), None);
}

/// Blocks that are full of keys are packed when they are hashed: what is proved of them is what
/// H(S) is of. The last block is read again, with dummy columns.
#[test]
fn full_blocks_are_read_for_rounds_alone_once_they_are_hashed() {
    struct Counted<'a>(&'a Witness, [AtomicUsize; 2]);
    impl WitnessSource for Counted<'_> {
        fn read_columns(&self, params: &Params, first: u64, out: &mut [i8]) -> Result<(), Error> {
            let blocks = out.len().div_ceil(256 * params.v() as usize);
            for counter in &self.1[first as usize..][..blocks] {
                counter.fetch_add(1, Relaxed);
            }
            self.0.read_columns(params, first, out)
        }
    }
    let toy = Toy::new(toy(33, 20, 300, 1), ranges(1, 1), 1);
    let counted = Counted(&toy.witness, Default::default());
    let proved = toy.keys().prove(CONTEXT, &counted, &Seed::from_bytes(SEED)).unwrap();
    assert!(proved.proof == toy.prove());
    let [full, last] = counted.1.map(AtomicUsize::into_inner);
    // H(S), the first rounds, and the table of the others.
    assert_eq!((full, last), (3, 4));
}

/// Altered bits, and files cut and extended: the verdicts are the same, and the claim is read, or
/// refused, without a panic.
#[test]
fn verdicts_are_those_of_the_reference() {
    let toy = Toy::new(toy(29, 2, 2, 1), ranges(1, 1), 1);
    let (keys, proof) = (toy.keys(), toy.prove());
    let header = header(&keys);
    let claim = of_reference(&toy.claim);
    let of_t = keys.dummies() as usize * keys.params().last_column_bytes();
    let elements = 24 + 32 + 16 + of_t;
    let places = (0..32).chain(56..73).chain([elements - 1, elements, elements + 7]);
    let places = places.chain((elements..proof.len()).step_by(997)).map(|at| 8 * at + 7);
    let lengths = (0..proof.len()).step_by(997).chain([55, 56, 71, 72]);
    damaged(&proof, places, lengths, |altered, place| {
        let expected = reference::verify(&toy.file, &header, CONTEXT, &claim, altered, false);
        let got = Answer::of(&toy.keys().verify(CONTEXT, altered));
        assert_eq!(got, expected, "{place}");
        assert_ne!(got, Answer::Valid, "{place}");
        let _ = stated_claim(altered, &toy.params);
    });
    // Cut, and of the length that the header says.
    for (len, is_read) in [(71, false), (72, true), (proof.len() - 1, true)] {
        let cut = stated_claim(&of_length(&proof, len), &toy.params);
        assert_eq!(cut.is_ok(), is_read, "{len}");
    }
}

/// The parameters of the statement with dummy columns, by their formulas.
#[test]
fn parameters_follow_from_statement_and_claim() {
    let custom = CustomParams { n: Some(12), ..toy(29, 30, 300, 2) };
    let toy = Toy::new(custom, ranges(1, 2), 1);
    let keys = toy.keys();
    let (params, pads) = (keys.params(), keys.extended.pads);
    // e = 6, and 36 rows with the one that is 0.
    assert_eq!(pads.columns, 36);
    assert_eq!((params.l(), params.v()), (336, 35 + pads.rows()));
    assert_eq!(params.n(), 12);
    let few = Toy::new(CustomParams { n: Some(12), ..self::toy(29, 30, 2, 2) }, toy.claim, 1);
    let (b, squares) = (f64::from(pads.bound), |b: f64| b * (b + 1.0) / 3.0);
    let variance =
        |b: f64| b * (b + 1.0) * (3.0 * b * b + 3.0 * b - 1.0) / 15.0 - squares(b).powi(2);
    let [mean, spread] = [&squares as &dyn Fn(f64) -> f64, &variance]
        .map(|f| 36.0 * (30.0 * f(1.0) + f64::from(pads.rows()) * f(b) + 5.0 * f(2.0)));
    let longer = (mean + 8.0 * spread.sqrt()).ceil() as u128;
    assert_eq!(params.frobenius_squared(), toy.params.frobenius_squared() + longer);
    // Keys are whole, and dummy columns rounded to as many bits as for n = 130.
    assert_eq!(params.round_t(), 0);
    let norm = (params.frobenius_squared() as f64).sqrt();
    let alpha = crate::params::alpha;
    let needed = |n| alpha(128, Rho::Two) * norm * crate::params::ternary_factor(128, n);
    let last = params.rounded_columns();
    assert_eq!(last.round_t, (0.6 * needed(130) * (24.0_f64 / 36.0).sqrt()).log2() as u32);
    assert_eq!(last.columns, 36);
    assert_eq!(params.sigma(), needed(12).ceil() as u64);
    let square = |x: f64| x * x;
    let of = |bits: u32| square(f64::from(bits).exp2() / params.sigma() as f64);
    let factor = 1.0 + of(params.round_w()) / 12.0 + 36.0 * of(last.round_t) / 24.0;
    let rows = f64::from(params.v() - params.r()) + f64::from(params.r()) * factor;
    let kappa = crate::params::sigma::kappa_squared(params.v(), params.n());
    let most = kappa * square(params.sigma() as f64) * rows;
    assert!((params.norm_bound_squared() as f64 / most - 1.0).abs() < 1e-9);
    // A narrower sigma has a rho of 3, and so has what follows from it.
    let narrow = Toy::new(CustomParams { rho: Some(3), ..custom }, toy.claim, 1);
    let of_narrow = narrow.keys();
    let ratio = alpha(128, Rho::Three) / alpha(128, Rho::Two);
    assert_eq!(of_narrow.params().sigma(), (ratio * needed(12)).ceil() as u64);
    let round_t = (ratio * 0.6 * needed(130) * (24.0_f64 / 36.0).sqrt()).log2() as u32;
    assert_eq!(of_narrow.params().rounded_columns().round_t, round_t);
    assert_ne!(*params.header(&keys.matrix.id), toy.file[..256]);
    // A' does not move, and is followed by the columns of pads.
    let id = |keys: &ExactKeys<'_>| keys.matrix.id;
    assert_ne!(id(&keys), MatrixId::of_seed([1; 32]));
    assert_ne!(id(&keys), id(&few.keys()));
}

/// Groups of columns that end before the dummies, among them and behind them: T in memory, which is
/// in two parts, and T in a file, give one verdict; on every instruction set the same bytes.
#[test]
fn t_is_read_in_groups() {
    for l in [999, 1000, 1023, 1024, 1025, 2040] {
        let toy = Toy::new(toy(29, 4, l, 1), ranges(1, 1), 1);
        let proof = toy.prove();
        assert_eq!(toy.reason(&proof), None, "{l}");
        let loaded = Statement::load(&toy.file, Security::Waived).unwrap();
        for isa in tautochrone_simd::Isa::all() {
            let matrix = PublicMatrix::new_on(isa, &toy.params, [1; 32]);
            let keys = ExactKeys::new(&matrix, &loaded, toy.claim).unwrap().reproducible();
            keys.verify(CONTEXT, &proof).unwrap();
            assert!(toy.prove_by(&keys).unwrap() == proof, "{l} on {}", isa.name());
        }
    }
}

/// A' with columns for pads is made once for all statements of the same parameters: who is told
/// how far checks are learns it of those after a first one, too.
#[test]
fn columns_for_pads_are_kept() {
    let [claim, wider] = [1, 2].map(|bound| ranges(bound, bound));
    let Case { matrix, statement, .. } = Toy::new(toy(29, 4, 3, 2), claim, 1).case;
    let of = |matrix: &PublicMatrix, claim| {
        Arc::clone(&ExactKeys::new(matrix, &statement, claim).unwrap().matrix)
    };
    let (first, other) = (of(&matrix, claim), of(&matrix, wider));
    assert!(Arc::ptr_eq(&first, &of(&matrix, claim)));
    assert!(other.params != first.params && other.params == of(&matrix, wider).params);
    let observed = matrix.with_observer(|_| core::ops::ControlFlow::Break(()));
    assert!(of(&observed, claim).observer.is_some() && first.observer.is_none());
}
