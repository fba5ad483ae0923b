//! Witnesses in memory and in files.

use tautochrone_ctr::Seed;

use super::columns::read_columns;
use super::*;
use crate::cases::{Unchecked, waived};
use crate::error::WitnessProblem;
use crate::params::CustomParams;
use crate::preset::Preset;

#[test]
fn what_a_witness_does_not_have_is_an_error() {
    let custom = CustomParams { r: 16, v: 64, l: 300, n: Some(12), ..Preset::T4_128.custom() };
    let params = waived(custom);
    let witness = Witness::new(&params, vec![1; 64 * 300]).unwrap();
    let read = |block, len| witness.read_columns(&params, block, &mut vec![0; len]);
    assert!(read(1, 64 * 44).is_ok() && read(1, 5).is_ok());
    for (block, len) in [(1, 64 * 44 + 1), (2, 1), (u64::MAX, 1), (1 << 50, 64)] {
        assert_error!(read(block, len), Error::Witness(WitnessProblem::Length { .. }), "{block}");
    }
    assert!(witness.columns(&params, 0, usize::MAX).is_none());
    assert!(witness.columns(&params, u64::MAX, 1).is_none());
}

/// In bytes and in words, over more than a group of blocks; what the source does wrong is found.
#[test]
fn a_witness_is_read_once() {
    for b in [1, 200] {
        let sigma = Some(1 << 31);
        let custom = CustomParams { n: Some(13), sigma, ..CustomParams::new(60, 16, 64, 1100, b) };
        let params = waived(custom);
        let random = RandomWitness::new(Seed::from_bytes([5; 32]));
        let witness = Witness::read(&params, &random).unwrap();
        let mut want = vec![0_i32; 64 * 1100];
        for (block, part) in want.chunks_mut(64 * 256).enumerate() {
            read_columns(&params, &random, block as u64, part).unwrap();
        }
        let mut got = vec![0_i32; want.len()];
        read_columns(&params, &witness, 0, &mut got).unwrap();
        assert!(got == want, "b = {b}");
    }
    let custom = CustomParams { r: 16, v: 64, l: 1100, n: Some(13), ..Preset::T4_128.custom() };
    let params = waived(custom);
    let mut entries = vec![1; 64 * 1100];
    assert!(Witness::read(&params, &Unchecked(entries.clone())).is_ok());
    entries[64 * 1027 + 7] = 2;
    assert_error!(
        Witness::read(&params, &Unchecked(entries)),
        Error::Witness(WitnessProblem::Bound { row: 7, column: 1027, b: 1 })
    );
}

#[test]
fn files_in_memory_are_not_printed() {
    let custom = CustomParams { r: 16, v: 64, l: 3, n: Some(12), ..Preset::T4_128.custom() };
    let params = waived(custom);
    let file = WitnessFile::new(&params, vec![1; 64 * 3]).unwrap();
    assert_eq!(format!("{file:?}"), "WitnessFile([REDACTED])");
}

/// Bounds above 127, of which two bytes hold some.
fn wide(b: u32) -> Params {
    let sigma = Some(1 << 31);
    waived(CustomParams { n: Some(12), sigma, ..CustomParams::new(60, 16, 64, 300, b) })
}

/// Files and memory give the same entries, in as many bytes as the largest bound needs.
#[test]
fn wide_entries_are_read_as_they_are_written() {
    for (b, width) in [(127, 1), (128, 2), (32_767, 2), (32_768, 4), (1 << 20, 4)] {
        let params = wide(b);
        assert_eq!(
            (params.entry_bytes(), params.witness_bytes()),
            (width, 64 * 300 * width as u128)
        );
        let mut entries = vec![0; 64 * 300];
        let random = RandomWitness::new(Seed::from_bytes([5; 32]));
        read_columns(&params, &random, 0, &mut entries).unwrap();
        entries[..2].copy_from_slice(&[b.cast_signed(), -b.cast_signed()]);
        let bytes: Vec<u8> =
            entries.iter().flat_map(|s| s.to_le_bytes()[..width].to_vec()).collect();
        let file = WitnessFile::new(&params, bytes.clone()).unwrap();
        let memory = Witness::wide(&params, entries.clone()).unwrap();
        for source in [&file as &dyn WitnessSource, &memory] {
            let mut read = vec![0_i32; 64 * 44];
            read_columns(&params, source, 1, &mut read).unwrap();
            assert_eq!(read, entries[64 * 256..]);
        }
        assert_eq!(memory.columns(&params, 1, 44).map(<[i8]>::len), Some(64 * 44 * width));
        for wrong in [&bytes[1..], &[&bytes[..], &[0]].concat()] {
            let error = WitnessFile::new(&params, wrong.to_vec()).unwrap_err();
            assert!(
                matches!(error, Error::Witness(WitnessProblem::FileLength { width: w, .. }) if w == width)
            );
        }
        // One entry is larger than the bound, if its type can hold one.
        entries[64 + 3] = -b.cast_signed() - 1;
        let error = Witness::wide(&params, entries.clone()).unwrap_err();
        assert!(
            matches!(error, Error::Witness(WitnessProblem::Bound { row: 3, column: 1, b: got }) if got == b)
        );
        if width == 1 {
            let bytes: Vec<i8> = entries.iter().map(|&s| s as i8).collect();
            let few = bytes[1..].to_vec();
            assert_error!(
                Witness::new(&params, few),
                Error::Witness(WitnessProblem::Length { .. })
            );
            assert_error!(
                Witness::new(&params, bytes),
                Error::Witness(WitnessProblem::Bound { row: 3, column: 1, b: 127 })
            );
        }
        let bytes: Vec<u8> =
            entries.iter().flat_map(|s| s.to_le_bytes()[..width].to_vec()).collect();
        let file = WitnessFile::new(&params, bytes).unwrap();
        assert_error!(
            read_columns(&params, &file, 0, &mut vec![0_i32; 64 * 256]),
            Error::Witness(WitnessProblem::Bound { row: 3, column: 1, .. })
        );
    }
}

/// A witness in bytes serves parameters that allow more.
#[test]
fn bytes_are_widened() {
    let params = wide(1000);
    let entries: Vec<i8> = (0..64 * 300).map(|i| (i % 255 - 127) as i8).collect();
    let witness = Witness::new(&params, entries.clone()).unwrap();
    let mut read = vec![0_i32; 64 * 256];
    read_columns(&params, &witness, 0, &mut read).unwrap();
    assert!(read.iter().zip(&entries).all(|(&wide, &byte)| wide == i32::from(byte)));
}
