//! A forked child inherits the result of detection.
#![cfg(unix)]

use std::io::{Read, Write};

use tautochrone_simd::{Isa, TIER_NAMES};
use tautochrone_testkit::fork::in_child;

/// A child detects by itself, and one that is made later inherits what its parent detected: the
/// same.
#[test]
fn a_forked_child_detects_what_its_parent_does() {
    // A bit for each tier, and for the best: before anything is detected here, so that the child is
    // the first.
    let seen = || {
        let tiers = Isa::all().fold(0_u8, |set, isa| set | 1 << rank(isa));
        u16::from(tiers) << 8 | rank(Isa::detect())
    };
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    assert!(in_child(|| writer.write_all(&seen().to_le_bytes()).is_ok()));
    drop(writer);
    let mut first = [0; 2];
    (&reader).read_exact(&mut first).expect("from the child");
    let here = seen();
    assert_eq!(u16::from_le_bytes(first), here);
    assert!(in_child(|| seen() == here));
    assert!(!in_child(|| seen() != here), "a child's answer arrives");
}

fn rank(isa: Isa) -> u16 {
    TIER_NAMES.iter().position(|&name| name == isa.name()).expect("a tier") as u16
}
