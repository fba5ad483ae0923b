//! One matrix in many hands.
#![cfg(feature = "rayon")]

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use rayon::prelude::*;
use tautochrone_ctr::Seed;
use tautochrone_zk::*;

const ROUNDS: u32 = 100;

/// Threads, and tasks of a pool, that are the first to multiply by an A: none waits for the others
/// for ever. A round takes milliseconds, under a sanitizer a second: minutes are a deadlock.
#[test]
fn all_share_a_fresh_matrix() {
    // So large an A' is packed in parallel.
    let custom = CustomParams { r: 700, v: 2300, l: 1, ..Preset::T4_128.custom() };
    let params = custom.validate(Security::Waived).expect("in range");
    let (done, is_done) = std::sync::mpsc::channel();
    let worker = std::thread::spawn(move || {
        let a = PublicMatrix::new(&params, [1; 32]);
        let witness = RandomWitness::new(Seed::from_bytes([1; 32]));
        let mut file = Vec::new();
        let statement = a.commit(&witness, &mut file).expect("nothing can fail in memory");
        let t = statement.column(&file, 0).expect("a column");
        let s = uses::column_unchecked(&params, &witness, 0).expect("a column");
        for round in 0..ROUNDS {
            let fresh = PublicMatrix::new(&params, [1; 32]);
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| assert!(fresh.opens(&t, &s), "round {round}"));
                }
                assert!((0..64).into_par_iter().all(|_| fresh.opens(&t, &s)), "round {round}");
            });
            done.send(round).expect("the test waits");
        }
    });
    for round in 0..ROUNDS {
        match is_done.recv_timeout(Duration::from_mins(5)) {
            Ok(ended) => assert_eq!(ended, round),
            Err(RecvTimeoutError::Timeout) => panic!("round {round}: they wait for each other"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    worker.join().expect("every round holds");
}
