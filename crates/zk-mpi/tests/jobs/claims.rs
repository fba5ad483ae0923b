//! Ranges and norms: the same files, for any number of ranks; what is refused.

use tautochrone_cli::{ExactArgs, ExactClaim, MaskArgs};

use crate::support::Job;

/// The claim of these options.
fn claim(options: &[&str]) -> ExactClaim {
    let (mut exact, mut norm) = (Vec::new(), Vec::new());
    for pair in options.chunks(2) {
        match pair[0] {
            "--exact" => exact.push(pair[1].parse().unwrap()),
            "--norm" => norm.push(pair[1].parse().unwrap()),
            _ => (),
        }
    }
    let columns = options.iter().position(|&option| option == "--columns").unwrap();
    let columns = options[columns + 1].parse().unwrap();
    ExactArgs { exact, norm, masks: MaskArgs::default() }.claim(Some(columns)).unwrap().unwrap()
}

/// With the columns that mask, these are two blocks and a short one: four ranks are one more than
/// blocks.
#[test]
fn claims_have_the_files_of_one_rank() {
    let cases: [&[&str]; 2] = [
        &["--exact", "6:0:1", "--exact", "5:-2:3", "--columns", "100"],
        &["--exact", "6:-1:1", "--norm", "8:3.2", "--norm", "4:0.6", "--columns", "500"],
    ];
    for options in cases {
        let claim = claim(options);
        assert_eq!(claim.slot().layout().all_columns().div_ceil(256), 3);
        let mut first = None;
        for ranks in [1, 2, 3, 4] {
            let job = Job::empty();
            let run = job.prove(ranks, &[options, &["--json"]].concat());
            run.succeeds();
            job.holds(first.get_or_insert_with(|| job.files()));
            let answer = run.json();
            let shown = tautochrone_cli::ranges::json(&claim.shows());
            let (ranges, norms) = (&shown["ranges"], &shown["norms"]);
            assert_eq!((&answer["ranges"], &answer["norms"]), (ranges, norms));
            assert_eq!((&answer["exact"], &answer["preset"].is_null()), (&true.into(), &true));
            // What a rank sends: what is left of its columns of messages, then of all of its own;
            // besides, masks, hashes, sums, M and T C.
            let rows = answer["ranks"].as_array().unwrap();
            let phase = |row: &serde_json::Value, name: &str| {
                let phases = row["phases"].as_array().unwrap();
                let phase = phases.iter().find(|phase| phase["phase"] == name).unwrap();
                phase["bytes_sent"].as_u64().unwrap()
            };
            for row in &rows[1..] {
                let number = |place: usize| row["columns"][place].as_u64().unwrap();
                let closed = claim.slot().layout().closed();
                let messages = number(1).saturating_sub(number(0).max(closed));
                let columns = number(1) - number(0) + messages;
                let sent = phase(row, "columns");
                assert!((24 * columns..24 * columns + 50).contains(&sent), "{sent}");
            }
            let verify = job.verify(ranks, &[]);
            verify.succeeds();
            assert_eq!(verify.stdout, format!("valid, exact: {}\n", claim.shows()));
            let answer = job.verify(ranks, &["--json"]).json();
            assert_eq!((&answer["valid"], &answer["exact"]), (&true.into(), &true.into()));
            assert_eq!((&answer["ranges"], &answer["norms"]), (ranges, norms));
        }
    }
}

/// Messages of a file; blocks of T that an earlier run has left; what is said of the claim.
#[test]
fn messages_are_read_from_a_file() {
    let options = ["--exact", "3:-1:1", "--exact", "8:0:1", "--columns", "300"];
    let messages: Vec<u8> =
        (0..11 * 300).map(|i| if i % 11 < 3 { 255 } else { i as u8 & 1 }).collect();
    let [job, one] = [(); 2].map(|()| Job::empty());
    for job in [&job, &one] {
        std::fs::write(job.path("m"), &messages).unwrap();
    }
    one.prove(1, &[&options[..], &["--witness", "m"]].concat()).succeeds();
    // Of the same messages another claim, which is false, with the same parameters.
    let other = ["--exact", "3:0:1", "--exact", "8:-1:1", "--columns", "300"];
    let read = ["--witness", "m", "--resume"];
    // Rank 0 has columns of masks alone.
    job.prove(2, &[&other[..], &read].concat()).fails("rank 1: the fact, the ranges");
    assert!(job.path("s.lzs.resume/t").exists() && !job.path("s.lzs").exists());
    let run = job.prove(2, &[&options[..], &read, &["--json"]].concat());
    run.succeeds();
    job.holds(&one.files());
    let reused = |row: &serde_json::Value| row["blocks_reused"].as_u64().unwrap();
    let blocks = claim(&options).slot().layout().all_columns().div_ceil(256);
    assert_eq!(run.json()["ranks"].as_array().unwrap().iter().map(reused).sum::<u64>(), blocks);
    let said = job.prove(2, &[&options[..], &read].concat());
    said.succeeds();
    assert!(said.stdout.starts_with("exact       of the last "), "{}", said.stdout);
    let shown = " in front: rows 0 to 2 in [-1, 1], rows 3 to 10 in [0, 1]\n";
    assert!(said.stdout.contains(shown), "{}", said.stdout);
}

/// One rank's error is everybody's, and nothing is left behind.
#[test]
fn false_claims_and_bad_requests_end_all_ranks() {
    let options = ["--exact", "6:0:1", "--norm", "8:3.2", "--columns", "700", "--witness", "m"];
    let job = Job::empty();
    let mut messages = vec![1_u8; 14 * 700];
    let fails = |options: &[&str], message: &str| {
        let before = job.list();
        job.prove(3, options).fails(message);
        assert_eq!(job.list(), before);
    };
    // An entry of the last column, which rank 2 has, out of its range, then beyond every bound.
    messages[14 * 699 + 5] = 2;
    std::fs::write(job.path("m"), &messages).unwrap();
    fails(&options, "rank 2: the fact, the ranges or the circuit do not hold");
    messages[14 * 699 + 5] = 100;
    std::fs::write(job.path("m"), &messages).unwrap();
    fails(&options, "exceeds the bound");
    // A column that is longer than its norm allows.
    messages[14 * 699 + 5] = 1;
    messages[14 * 699 + 13] = 40;
    std::fs::write(job.path("m"), &messages).unwrap();
    fails(&options, "a column is longer than its bound");
    messages.pop();
    std::fs::write(job.path("m"), &messages).unwrap();
    fails(&options, "expected 9800 bytes (the messages)");
    std::fs::create_dir(job.path("folder")).unwrap();
    fails(&[&options[..7], &["folder"]].concat(), "expected no folder");
    fails(&["--exact", "6:0:1", "--preset", "T4-128"], "cannot be used with");

    // Ranks that were told different things.
    let each = |options: &str, message: &str| {
        job.prove_by_shell(2, &format!("--columns 300 {options}")).fails(message);
    };
    each(
        "--exact 6:-$OMPI_COMM_WORLD_RANK:$((1-OMPI_COMM_WORLD_RANK))",
        "rank 1 proves other claims",
    );
    std::fs::write(job.path("0"), vec![1; 6 * 300]).unwrap();
    std::fs::write(job.path("1"), [&[0][..], &vec![1; 6 * 300 - 1]].concat()).unwrap();
    each("--exact 6:0:1 --witness $OMPI_COMM_WORLD_RANK", "rank 1 has other messages");
}

/// Altered proofs and other contexts are invalid, and nothing is said to be exact.
#[test]
fn verdicts_on_claims() {
    let job = Job::empty();
    job.prove(2, &["--exact", "6:0:1", "--columns", "300"]).succeeds();
    job.has_one_proof();
}
