//! Whole jobs under `mpirun`: the files are those of one rank, which `ci.sh` compares with those of
//! `prove`, and faults leave none.

mod claims;
mod keys;
mod support;

use std::time::{Duration, Instant};

use support::{Job, given_params, long_params, small_params};
use tautochrone_zk::Params;
use tautochrone_zk::shard::{Shard, shard_header};

/// Writes a witness of any entries in shards [first, first + count), one file a rank.
fn write_shards(job: &Job, params: &Params, ranges: &[(u64, u64)]) {
    let v = params.v() as usize;
    let whole = support::witness(params);
    std::fs::create_dir_all(job.path("shards")).unwrap();
    for (rank, &(first, count)) in ranges.iter().enumerate() {
        let shard = Shard::of_columns(params, first, count).unwrap();
        let mut file = shard_header(params, shard).to_vec();
        file.extend(&whole[first as usize * v..(first + count) as usize * v]);
        std::fs::write(job.path(&format!("shards/{rank}.shard")), file).unwrap();
    }
}

#[test]
fn any_number_of_ranks_writes_the_files_of_one() {
    for (word, l) in [(16, 1300), (32, 1300), (64, 1300), (32, 3)] {
        let params = small_params(word, l);
        assert_eq!((params.w() - params.round_t()).next_power_of_two(), word);
        let mut first = None;
        // 9 ranks are more than blocks.
        for ranks in [1, 2, 3, 4, 9] {
            let job = Job::new(&params);
            let run = job.prove(ranks, &["--json"]);
            run.succeeds();
            job.holds(first.get_or_insert_with(|| job.files()));
            let rows = run.json()["ranks"].as_array().unwrap().clone();
            assert_eq!(rows.len(), ranks);
            let mn = u64::from(params.v() * params.n()) * 4;
            // And once T C, in the narrowest words that hold T's and that MPI can add.
            let tc = u64::from(params.r() * params.n() * word.max(32) / 8);
            for row in &rows[1..] {
                let bytes = row["bytes_per_attempt"].as_u64().unwrap();
                assert!((mn..mn + tc + 200).contains(&bytes), "O(v n) an attempt: {bytes}");
                assert!(row["peak_memory"].as_u64().unwrap() > 1 << 16, "{row}");
            }
            let verify = job.verify(ranks, &[]);
            verify.succeeds();
            assert_eq!(verify.stdout, "valid, but the parameters are insecure\n");
        }
    }
}

/// What only its owner could read is not shown to others by being written anew.
#[test]
fn replacing_a_file_never_widens_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let job = Job::new(&small_params(32, 300));
    let mode = |name: &str| std::fs::metadata(job.path(name)).unwrap().permissions().mode() & 0o777;
    job.prove(2, &[]).succeeds();
    // For every umask the owner may read and write.
    let new = mode("s.lzs");
    assert_eq!((new & 0o600, mode("p.lzp")), (0o600, new));
    for name in ["s.lzs", "p.lzp"] {
        std::fs::set_permissions(job.path(name), PermissionsExt::from_mode(0o600)).unwrap();
    }
    job.prove(2, &[]).succeeds();
    assert_eq!((mode("s.lzs"), mode("p.lzp")), (0o600, 0o600));
}

#[test]
fn one_file_or_ragged_shards() {
    let params = small_params(32, 1500);
    let file = Job::new(&params);
    std::fs::write(file.path("witness"), support::witness(&params)).unwrap();
    file.prove(1, &["--witness", "witness"]).succeeds();
    let expected = file.files();
    file.prove(3, &["--witness", "witness", "--keep", "0"]).succeeds();
    file.holds(&expected);

    // Out of order, one of them empty.
    for ranges in [
        vec![(0, 1500)],
        vec![(256, 1244), (0, 256)],
        vec![(512, 256), (0, 0), (0, 512), (768, 732)],
    ] {
        let job = Job::new(&params);
        write_shards(&job, &params, &ranges);
        job.prove(ranges.len(), &["--witness", "shards"]).succeeds();
        job.holds(&expected);
    }
}

/// A' from outside: the files of one rank, and no verdict with another A' or without one.
#[test]
fn a_given_matrix_is_read_by_every_rank() {
    for word in [16, 64] {
        let (params, matrix) = given_params(word, 700);
        let (job, mut first) = (Job::new(&params), None);
        std::fs::write(job.path("witness"), support::witness(&params)).unwrap();
        std::fs::write(job.path("matrix"), &matrix).unwrap();
        let file = ["--matrix", "matrix"];
        let arguments = [&["--witness", "witness"], &file[..]].concat();
        for ranks in [1, 3] {
            job.prove(ranks, &arguments).succeeds();
            job.holds(first.get_or_insert_with(|| job.files()));
            let verify = job.verify(ranks, &file);
            verify.succeeds();
            let valid = "valid, but the parameters are insecure\nmatrix";
            assert!(verify.stdout.starts_with(valid), "{}", verify.stdout);
        }
        // The seed of an earlier run says nothing where there is none.
        job.prove(2, &[&arguments[..], &["--resume"]].concat()).succeeds();
        job.holds(first.get_or_insert_with(|| job.files()));
        job.verify(2, &[]).fails("say its file (--matrix)");
        let mut other = matrix.clone();
        other[0] ^= 1;
        std::fs::write(job.path("matrix"), &other).unwrap();
        job.verify(2, &file).fails("belongs to another statement");
        std::fs::write(job.path("0"), &matrix).unwrap();
        std::fs::write(job.path("1"), &other).unwrap();
        let each = "--witness witness --matrix $OMPI_COMM_WORLD_RANK";
        job.prove_by_shell(2, each).fails("rank 1 has another A'");
        other.pop();
        std::fs::write(job.path("matrix"), &other).unwrap();
        job.prove(2, &arguments).fails("matrix");
    }
}

#[test]
fn verdicts_and_malformed_files() {
    let params = small_params(64, 600);
    let job = Job::new(&params);
    job.prove(2, &[]).succeeds();
    job.verify_secure(2, &[]).fails("insecure parameters");
    job.has_one_proof();
    let statement = std::fs::read(job.path("s.lzs")).unwrap();
    let mut altered = statement.clone();
    *altered.last_mut().unwrap() ^= 1;
    std::fs::write(job.path("s.lzs"), altered).unwrap();
    assert_eq!(job.verify(3, &[]).code, Some(1), "T altered");
    std::fs::write(job.path("s.lzs"), &statement[..statement.len() - 1]).unwrap();
    job.verify(3, &[]).fails("s.lzs");
}

#[test]
fn bad_shards_end_the_job_with_one_message_and_no_file() {
    let params = small_params(32, 1500);
    let refused = |ranges: [(u64, u64); 3], damage: &dyn Fn(&Job), message: &str| {
        let job = Job::new(&params);
        write_shards(&job, &params, &ranges);
        damage(&job);
        let before = job.list();
        job.prove(3, &["--witness", "shards"]).fails(message);
        assert_eq!(job.list(), before, "{message}");
    };
    let ranges = [(0, 512), (512, 512), (1024, 476)];
    type Damage = fn(&mut Vec<u8>);
    let cases: [(u8, Damage, &str); 4] = [
        (2, |bytes| bytes.truncate(bytes.len() - 1), "2.shard: the shard has"),
        (2, |bytes| bytes[8] ^= 1, "the shard's v is"),
        (1, |bytes| bytes[40 + 5] = 2, "rank 1: "),
        (0, |bytes| *bytes = b"x".to_vec(), "not a witness shard"),
    ];
    for (rank, damage, message) in cases {
        let rewrite = |job: &Job| {
            let path = job.path(&format!("shards/{rank}.shard"));
            let mut bytes = std::fs::read(&path).unwrap();
            damage(&mut bytes);
            std::fs::write(path, bytes).unwrap();
        };
        refused(ranges, &rewrite, message);
    }
    let remove = |job: &Job| std::fs::remove_file(job.path("shards/1.shard")).unwrap();
    refused(ranges, &remove, "1.shard: No such file");
    refused([(0, 512), (256, 768), (1024, 476)], &|_| (), "both hold column 256");
    refused([(0, 512), (0, 0), (1024, 476)], &|_| (), "no shard holds columns 512 to 1023");
}

#[test]
fn bad_options_are_one_message() {
    let job = Job::new(&small_params(32, 300));
    let before = job.list();
    job.prove(2, &["--nonsense"]).fails("--nonsense");
    job.prove(2, &["--seed", "12"]).fails("64 hexadecimal digits");
    job.prove(2, &["--columns", "0"]).fails("");
    job.prove(2, &["--witness", "/nowhere"]).fails("/nowhere");
    job.prove(2, &["--statement", "/nowhere/s"]).fails("/nowhere/s");
    job.prove(2, &["--proof", "/nowhere/p"]).fails("");
    for output in ["./s.lzs", "params.json"] {
        job.prove(2, &["--proof", output]).fails("both name it");
    }
    assert_eq!(job.list(), before);
}

#[test]
fn finished_blocks_are_taken_over() {
    let params = small_params(32, 5000);
    let whole = support::witness(&params);
    let [job, other] = [(); 2].map(|()| Job::new(&params));
    std::fs::write(other.path("witness"), &whole).unwrap();
    other.prove(1, &["--witness", "witness"]).succeeds();
    let mut bad = whole.clone();
    *bad.last_mut().unwrap() = 2;
    std::fs::write(job.path("witness"), bad).unwrap();
    let options = ["--witness", "witness", "--resume", "--json"];
    job.prove(2, &options).fails("column 4999");
    assert!(job.path("s.lzs.resume/t").exists() && !job.path("s.lzs").exists());

    // A block that was damaged meanwhile, and one of which S is another now, are computed again.
    let mut t = std::fs::read(job.path("s.lzs.resume/t")).unwrap();
    t[112] ^= 1;
    std::fs::write(job.path("s.lzs.resume/t"), t).unwrap();
    std::fs::write(job.path("witness"), &whole).unwrap();
    let run = job.prove(3, &options);
    run.succeeds();
    job.holds(&other.files());
    let reused = |row: &serde_json::Value| row["blocks_reused"].as_u64().unwrap();
    let reused: u64 = run.json()["ranks"].as_array().unwrap().iter().map(reused).sum();
    assert!((4..20).contains(&reused), "{reused} of 20 blocks");
    assert!(!job.path("s.lzs.resume").exists());
}

#[test]
fn a_killed_rank_ends_the_job_without_files() {
    let job = Job::new(&long_params());
    let before = job.list();
    for victim in [0, 1, 2] {
        let mut child = job.start_prove(3);
        let since = Instant::now();
        while job.list() == before {
            assert!(since.elapsed() < Duration::from_mins(1), "T was not begun");
            std::thread::sleep(Duration::from_millis(10));
        }
        // The other ranks answer for the files only once rank 0 has told them.
        std::thread::sleep(Duration::from_millis(500));
        child.kill_rank(victim);
        child.wait().was_killed(victim);
        assert_eq!(job.list(), before);
    }
}
