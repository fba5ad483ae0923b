//! Witnesses in memory and in files, and the uniform distribution of random ones.

use super::*;
use crate::params::{CustomParams, Preset, Security};

#[test]
fn what_a_witness_does_not_have_is_an_error() {
    let custom = CustomParams { r: 16, v: 64, l: 300, n: Some(12), ..Preset::T4_128_V1.custom() };
    let params = custom.validate(Security::Waived).unwrap();
    let witness = Witness::new(&params, vec![1; 64 * 300]).unwrap();
    let read = |block, len| witness.read_columns(&params, block, &mut vec![0; len]);
    assert!(read(1, 64 * 44).is_ok() && read(1, 5).is_ok());
    for (block, len) in [(1, 64 * 44 + 1), (2, 1), (u64::MAX, 1), (1 << 50, 64)] {
        assert!(matches!(read(block, len), Err(Error::WitnessLength { .. })), "{block}");
    }
    assert!(witness.columns(&params, 0, usize::MAX).is_none());
    assert!(witness.columns(&params, u64::MAX, 1).is_none());
}

#[test]
fn files_in_memory_are_not_printed() {
    let custom = CustomParams { r: 16, v: 64, l: 3, n: Some(12), ..Preset::T4_128_V1.custom() };
    let params = custom.validate(Security::Waived).unwrap();
    let file = WitnessFile::new(&params, vec![1; 64 * 3]).unwrap();
    assert_eq!(format!("{file:?}"), "WitnessFile([REDACTED])");
}

#[test]
fn random_entries_are_uniform() {
    for b in [1, 3, 64, 127] {
        let mut entries = vec![0; 400_000];
        let mut stream = Seed::from_bytes([7; 32]).stream(RandomWitness::LABEL, 0);
        fill_uniform(&mut stream, b, &mut entries);
        let range = 2 * b as usize + 1;
        let mut counts = vec![0_u32; range];
        for s in entries {
            counts[(i32::from(s) + b.cast_signed()) as usize] += 1;
        }
        let expected = 400_000.0 / range as f64;
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
        let freedom = range as f64 - 1.0;
        assert!(
            (chi2 - freedom).abs() < 5.0 * (2.0 * freedom).sqrt() + 5.0,
            "b {b}: chi-square {chi2}"
        );
    }
}

#[test]
fn bad_witnesses_are_located() {
    let params =
        CustomParams { l: 3, ..Preset::T4_128_V1.custom() }.validate(Security::Waived).unwrap();
    let v = params.v() as usize;
    let mut entries = vec![1_i8; 3 * v];
    assert!(Witness::new(&params, entries.clone()).is_ok());
    entries[v + 5] = -2;
    let error = Witness::new(&params, entries.clone()).unwrap_err();
    assert!(matches!(error, Error::WitnessBound { row: 5, column: 1, b: 1 }), "{error}");
    entries[v + 5] = -128;
    assert!(Witness::new(&params, entries.clone()).is_err());
    entries.pop();
    assert!(matches!(Witness::new(&params, entries), Err(Error::WitnessLength { .. })));
}
