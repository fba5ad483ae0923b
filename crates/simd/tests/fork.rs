//! What a forked child inherits of detection.
#![cfg(unix)]
#![allow(unsafe_code)]

use std::io::{Read, Write};

use tautochrone_simd::{Isa, TIER_NAMES};

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

/// What `f` is in a child process.
fn in_child(f: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child is a copy of this thread. It calls `f`, which takes no lock that another
    // thread of a test with one function holds, and ends at once, without the parent's handlers.
    let child = unsafe { fork() };
    if child == 0 {
        let status = i32::from(!f());
        // SAFETY: ends the child.
        unsafe { _exit(status) }
    }
    assert!(child > 0, "fork failed");
    let mut status = -1;
    // SAFETY: `status` is writable and outlives the call; the child is ours.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    status == 0
}

/// A child detects by itself, and one that is made later has what its parent detected: the same.
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
