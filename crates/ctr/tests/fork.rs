//! What a forked child inherits of randomness: the same, byte for byte.
#![cfg(unix)]
#![allow(unsafe_code)]

use std::io::{Read, Write};

use tautochrone_ctr::{Label, Seed};

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

/// As the crate's documentation warns: seeds and streams are copied, and only the operating
/// system's entropy is not.
#[test]
fn after_a_fork_streams_repeat_and_fresh_seeds_do_not() {
    const LABEL: Label = Label::new("fork");
    let seed = Seed::from_os().expect("entropy");
    let mut stream = seed.stream(LABEL, 0);
    let mut bytes = [0; 100];
    stream.fill(&mut bytes);
    // The next bytes of a stream that was begun, the first of a new one of the old seed, and of a
    // new seed.
    let mut next = || -> [[u8; 32]; 3] {
        let mut next = [[0; 32]; 3];
        stream.fill(&mut next[0]);
        seed.stream(LABEL, 1).fill(&mut next[1]);
        Seed::from_os().expect("entropy").stream(LABEL, 0).fill(&mut next[2]);
        next
    };
    let (mut reader, mut writer) = std::io::pipe().expect("a pipe");
    // SAFETY: the child is a copy of this thread, the only test of its program. It writes to a pipe
    // and ends at once, without the parent's handlers.
    let child = unsafe { fork() };
    if child == 0 {
        let written = writer.write_all(next().as_flattened());
        // SAFETY: ends the child.
        unsafe { _exit(i32::from(written.is_err())) }
    }
    assert!(child > 0, "fork failed");
    let mut status = -1;
    // SAFETY: `status` is writable and outlives the call; the child is ours.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0);
    let mut theirs = [[0; 32]; 3];
    reader.read_exact(theirs.as_flattened_mut()).expect("from the child");
    let ours = next();
    assert_eq!(theirs[..2], ours[..2], "copied state gives the same bytes");
    assert_ne!(theirs[2], ours[2], "fresh entropy does not");
}
