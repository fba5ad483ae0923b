//! Keys that are well formed: the same files, for any number of ranks; what is refused.

use crate::support::{Job, key_params, witness};

const EXACT: &str = "--exact-keys";

/// 700 keys are two blocks and a short one, 512 have no short one, 100 are that alone: four ranks
/// are more than blocks.
#[test]
fn keys_have_the_files_of_one_rank() {
    for l in [700, 512, 100] {
        let params = key_params(l);
        let mut first = None;
        for ranks in [1, 2, 3, 4] {
            let job = Job::new(&params);
            let run = job.prove(ranks, &[EXACT, "--json"]);
            run.succeeds();
            job.holds(first.get_or_insert_with(|| job.files()));
            let answer = run.json();
            let keys = serde_json::json!({ "secret_bound": 1, "error_bound": 1, "hints": 1 });
            assert_eq!((&answer["exact"], &answer["keys"]), (&true.into(), &keys));
            let verify = job.verify(ranks, &[]);
            verify.succeeds();
            let shown =
                "every column is a key with secrets in [-1, 1] and errors in [-1, 1]; hiding";
            let valid = "valid, but the parameters are insecure";
            assert!(verify.stdout.starts_with(&format!("{valid}, exact: {shown}")));
        }
    }
    let job = Job::new(&key_params(300));
    let said = job.prove(2, &[EXACT]);
    said.succeeds();
    let exact = "exact       every column is a key with secrets in [-1, 1] and errors in [-1, 1]\n";
    assert!(said.stdout.starts_with(exact), "{}", said.stdout);
    let answer = job.verify(3, &["--json"]).json();
    assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &true.into()));
    let keys = &answer["keys"];
    assert_eq!((&keys["error_bound"], &keys["hints"]), (&1.into(), &1.into()));
    assert_eq!(answer["secure_parameters"], false);
    let least = |answer: &serde_json::Value| answer.as_f64().expect("bits");
    assert!(least(&answer["sis_bits"]) <= least(&keys["binding_bits"]), "{answer}");
    assert!(least(&answer["hiding_bits"]) <= least(&keys["hiding_bits_with_hints"]), "{answer}");
    // What a reader asks for, and what this does not show.
    let verify = |required| job.verify(2, &["--require", required]);
    verify("exact-keys:2:1").succeeds();
    let less = verify("range:8:-1:1");
    let expected =
        "not enough: a valid proof, but it does not show range:8:-1:1, but that every column";
    assert_eq!((less.code, less.stdout.starts_with(expected)), (Some(1), true), "{}", less.stdout);
}

/// One rank's error is everybody's, and nothing is left behind; altered proofs are invalid.
#[test]
fn keys_that_are_not_well_formed_have_no_proof() {
    let params = key_params(700);
    let job = Job::new(&params);
    let mut entries = witness(&params);
    std::fs::write(job.path("m"), &entries).unwrap();
    let options = [EXACT, "--witness", "m"];
    job.prove(3, &options).succeeds();
    job.has_one_proof();
    // An entry of the last key, which rank 2 has.
    let last = entries.len() - 3;
    entries[last] = 2;
    std::fs::write(job.path("m"), &entries).unwrap();
    let before = job.list();
    job.prove(3, &options).fails("exceeds the bound");
    assert_eq!(job.list(), before);
    // Claims of messages.
    let claims = [EXACT, "--exact", "6:0:1", "--columns", "300"];
    Job::empty().prove(2, &claims).fails("cannot be used with");
}
