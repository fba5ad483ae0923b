//! What a fresh process costs beyond the same work in one that has done it before, and how much
//! memory a proof touches: the examples `prove` and `verify`, started anew, in turn with the same
//! work in this process from the second time on.
//!
//! `cargo build --release --examples && cargo bench --bench cold -- PRESET TIER ROUNDS`. One thread,
//! files in TMPDIR, a proof of rho attempts. A fresh process is timed by itself (the times that it
//! reports) and from outside, from its start to its end. Linux.

use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::{
    Claim, Preset, Prover, PublicMatrix, RandomWitness, Security, Shown, Statement, Witness,
};
use tautochrone_cli::{Output, Privacy, part, public_part};

/// Seconds of some stages.
type Times = Vec<(&'static str, f64)>;

const SEED: [u8; 32] = [0x5e; 32];

/// A statement and a proof in files, made and checked again and again.
struct Job {
    preset: Preset,
    isa: Isa,
    context: String,
    statement: PathBuf,
    proof: PathBuf,
}

/// The time since the last stage ended.
struct Stages(Instant, Times);

impl Stages {
    fn new() -> Self {
        Self(Instant::now(), Times::new())
    }

    fn end(&mut self, name: &'static str) {
        let now = Instant::now();
        self.1.push((name, now.duration_since(self.0).as_secs_f64()));
        self.0 = now;
    }
}

impl Job {
    /// What the example `prove` does; also the attempts, and the memory of the proof.
    fn prove(&self) -> (Times, u32, Memory) {
        let mut stages = Stages::new();
        let params = self.preset.params(Security::Required).expect("secure");
        let seed = Seed::from_bytes(SEED);
        let a = PublicMatrix::new_on(self.isa, &params, public_part(&seed, "prove: seed of A"));
        stages.end("expand");
        let source = RandomWitness::new(part(&seed, "prove: witness"));
        let witness = Witness::read(&params, &source).expect("in memory");
        let output = Output::create(&self.statement, Privacy::Public).expect("a directory");
        let mut file = BufWriter::new(output);
        let statement = a.commit_and_hold(&witness, &mut file).expect("a statement");
        let output = file.into_inner().expect("a file");
        stages.end("commit");
        let before = Memory::now();
        let prover = Prover::new(&a, &statement).expect("its own").reproducible();
        let seed = part(&seed, "prove: Y");
        let proved = prover.prove(self.context.as_bytes(), &witness, &seed).expect("a proof");
        let touched = Memory::now().since(&before);
        stages.end("prove");
        let bytes = proved.proof.to_bytes(&params);
        stages.end("encode");
        output.finish().expect("a file");
        Output::write_whole(&self.proof, Privacy::Public, &bytes).expect("a file");
        stages.end("files");
        (stages.1, proved.attempts, touched)
    }

    /// What the example `verify` does.
    fn verify(&self) -> Times {
        let mut stages = Stages::new();
        let file = tautochrone_cli::open(&self.statement).expect("a statement");
        let statement = Statement::load(&file, Security::Required).expect("a statement");
        stages.end("read");
        let params = statement.params();
        let a = PublicMatrix::new_on(self.isa, params, *statement.seed_a());
        stages.end("expand");
        let proof = tautochrone_cli::read_proof(&self.proof, params).expect("a proof");
        let claim = Claim {
            statement: &statement,
            statement_file: Some(&file),
            context: self.context.as_bytes(),
            shows: Shown::Knowledge,
            proof: &proof,
        };
        assert!(a.verify_batch(&[claim]).remove(0).is_ok());
        stages.end("verify");
        stages.1
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.args(["--json", "--threads", "1", "--isa", self.isa.name()]);
        command.args(["--context", &self.context]);
        command.arg("--statement").arg(&self.statement).arg("--proof").arg(&self.proof);
        command
    }

    fn prove_command(&self, program: &Path) -> Command {
        let mut command = self.command(program);
        command.args(["--preset", self.preset.name(), "--reproducible", "--seed"]);
        command.arg(SEED.map(|byte| format!("{byte:02x}")).concat());
        command
    }
}

/// The times that a fresh process reports, and its page faults.
fn fresh(mut command: Command, stages: &[&'static str]) -> (Times, u64) {
    let faults = Memory::now().of_children;
    let start = Instant::now();
    let output = command.output().expect("build the examples first");
    let outside = start.elapsed().as_secs_f64();
    let faults = Memory::now().of_children - faults;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
    let of = |stage: &str| said["seconds"][stage].as_f64().expect("a number");
    let mut times: Times = stages.iter().map(|&stage| (stage, of(stage))).collect();
    times.push(("all", outside));
    (times, faults)
}

/// Pages and memory of this process, as Linux counts them.
struct Memory {
    /// First touches of pages, of 4 KiB or more.
    faults: u64,
    of_children: u64,
    /// KiB, since the last time that it was asked for.
    peak: u64,
    resident: u64,
}

impl Memory {
    fn now() -> Self {
        let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
        // Behind the name of the program, which may have spaces.
        let numbers: Vec<&str> = stat[stat.rfind(')').expect("a name")..].split(' ').collect();
        let number = |index: usize| numbers[index].parse().expect("a number");
        let status = fs::read_to_string("/proc/self/status").expect("Linux");
        let kib = |name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
            line.trim().trim_end_matches(" kB").parse().expect("a number")
        };
        let (peak, resident) = (kib("VmHWM:"), kib("VmRSS:"));
        // Resets the peak.
        fs::write("/proc/self/clear_refs", "5").expect("Linux");
        Self { faults: number(8), of_children: number(9), peak, resident }
    }

    /// What came since: page faults, KiB of the peak above what was resident.
    fn since(self, before: &Self) -> Self {
        Self {
            faults: self.faults - before.faults,
            peak: self.peak - before.resident.min(self.peak),
            ..self
        }
    }

    fn report(&self, name: &str) {
        let peak = self.peak as f64 * 1024.0 / 1e6;
        println!("{name}: {} page faults, peak {peak:.1} MB above the start", self.faults);
    }
}

/// Prints the least and the median of each stage, here and in fresh processes.
fn compare(name: &str, cold: &[Times], warm: &[Times]) {
    let summary = |all: &[Times], stage: usize| {
        let mut times: Vec<f64> = all.iter().map(|times| times[stage].1 * 1e3).collect();
        times.sort_by(f64::total_cmp);
        (times[0], times[times.len() / 2])
    };
    println!("{name}: ms fresh, least / median; warm, least / median; difference of the least");
    for stage in 0..warm[0].len() {
        let ((cold, cold_median), (warm_least, warm_median)) =
            (summary(cold, stage), summary(warm, stage));
        println!(
            "  {:8} {cold:7.2} / {cold_median:7.2}  {warm_least:7.2} / {warm_median:7.2}  {:+6.2}",
            warm[0][stage].0,
            cold - warm_least
        );
    }
}

/// Appends the sum of all stages, in the order in which fresh processes report theirs.
fn summed(mut times: Times, reported: &[&str]) -> Times {
    let all = times.iter().map(|(_, time)| time).sum();
    times.retain(|(stage, _)| reported.contains(stage));
    times.push(("all", all));
    times
}

fn main() {
    const PROVE: [&str; 4] = ["expand", "commit", "prove", "encode"];
    const VERIFY: [&str; 3] = ["read", "expand", "verify"];
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [preset, isa, rounds] = &args[..] else {
        println!("cold PRESET TIER ROUNDS");
        return;
    };
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("first use");
    // target/release/deps/cold-..., and target/release/examples.
    let here = std::env::current_exe().expect("a program");
    let examples = here.ancestors().nth(2).expect("a directory").join("examples");
    let dir = tempfile::tempdir().expect("a directory");
    let mut job = Job {
        preset: preset.parse().expect("a preset"),
        isa: Isa::named(isa).expect("an instruction set of this CPU"),
        context: "0".into(),
        statement: dir.path().join("s"),
        proof: dir.path().join("p"),
    };
    let (_, attempts, first) = job.prove();
    first.report(&format!("the first proof of this process, {attempts} attempts"));
    let rho = job.preset.params(Security::Required).expect("secure").rho().get();
    let mean = |job: &mut Job, context: u32| {
        job.context = context.to_string();
        job.prove().1 == rho
    };
    assert!((0..100).any(|context| mean(&mut job, context)), "likely");
    job.verify();

    let [mut cold, mut warm, mut cold_checks, mut warm_checks] = [const { Vec::new() }; 4];
    let mut pages = [0; 2];
    let mut touched = Vec::new();
    for _ in 0..rounds.parse().expect("a number of rounds") {
        let (times, faults) = fresh(job.prove_command(&examples.join("prove")), &PROVE);
        cold.push(times);
        pages[0] = faults;
        let proof = fs::read(&job.proof).expect("a proof");
        let (times, _, memory) = job.prove();
        warm.push(summed(times, &PROVE));
        touched.push(memory);
        assert!(fs::read(&job.proof).expect("a proof") == proof, "the same work");
        let (times, faults) = fresh(job.command(&examples.join("verify")), &VERIFY);
        cold_checks.push(times);
        pages[1] = faults;
        warm_checks.push(summed(job.verify(), &VERIFY));
    }
    compare(&format!("prove, {rho} attempts, {isa}"), &cold, &warm);
    compare(&format!("verify, {isa}"), &cold_checks, &warm_checks);
    println!("fresh processes: {} and {} page faults", pages[0], pages[1]);
    let last = touched.last().expect("a round");
    last.report("a proof of a warm process");
}
