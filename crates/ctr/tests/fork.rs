//! A forked child inherits the state of randomness: the same, byte for byte.
#![cfg(all(unix, feature = "os-rng"))]

use std::io::{Read, Write};

use tautochrone_ctr::{Label, Seed};
use tautochrone_testkit::fork::in_child;

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
    assert!(in_child(|| writer.write_all(next().as_flattened()).is_ok()));
    let mut theirs = [[0; 32]; 3];
    reader.read_exact(theirs.as_flattened_mut()).expect("from the child");
    let ours = next();
    assert_eq!(theirs[..2], ours[..2], "copied state gives the same bytes");
    assert_ne!(theirs[2], ours[2], "fresh entropy does not");
}
