//! Jobs in folders of their own.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use tautochrone_ctr::{Label, Seed};
use tautochrone_zk::{CustomParams, Expansion, Params, Preset, Security};

const SEED: &str = "0707070707070707070707070707070707070707070707070707070707070707";

/// Insecure ones, for speed. T has words of 16 or 32 bits, rounded, or of 64 bits, whole.
pub(crate) fn small_params(word: u32, l: u64) -> Params {
    let (w, round_t) = match word {
        16 => (29, 13),
        32 => (29, 5),
        _ => (50, 0),
    };
    custom(w, round_t, 200, l).validate(Security::Waived).unwrap()
}

/// Ternary keys, published whole.
pub(crate) fn key_params(l: u64) -> Params {
    custom(29, 0, 200, l).validate(Security::Waived).unwrap()
}

/// [`small_params`] for an A' that is given, and that A'.
pub(crate) fn given_params(word: u32, l: u64) -> (Params, Vec<u8>) {
    let params = small_params(word, l);
    let custom = custom(params.w(), params.round_t(), params.v(), l);
    let custom = CustomParams { expansion: Expansion::Given, ..custom };
    let params = custom.validate(Security::Waived).unwrap();
    let mut matrix = vec![0; params.given_bytes() as usize];
    Seed::from_bytes([6; 32]).stream(Label::new("test matrix"), 0).fill(&mut matrix);
    let width = params.w().div_ceil(8) as usize;
    for entry in matrix.chunks_exact_mut(width) {
        entry[width - 1] &= 0xff >> (8 * width as u32 - params.w());
    }
    (params, matrix)
}

/// Of jobs that take many seconds on any machine, with files of a size that any disk takes.
pub(crate) fn long_params() -> Params {
    custom(40, 0, 6000, 1 << 20).validate(Security::Waived).unwrap()
}

fn custom(w: u32, round_t: u32, v: u32, l: u64) -> CustomParams {
    let preset = if w <= 32 { Preset::T4_128 } else { Preset::B4_128 }.custom();
    CustomParams { w, round_t: Some(round_t), r: 48, v, l, n: Some(20), ..preset }
}

/// Entries in {-1, 0, 1}, as bytes.
pub(crate) fn witness(params: &Params) -> Vec<u8> {
    let mut bytes = vec![0; (u64::from(params.v()) * params.l()) as usize];
    Seed::from_bytes([5; 32]).stream(Label::new("test witness"), 0).fill(&mut bytes);
    for byte in &mut bytes {
        *byte = (*byte % 3).wrapping_sub(1);
    }
    bytes
}

/// What a job writes.
pub(crate) struct Files {
    statement: Vec<u8>,
    proof: Vec<u8>,
}

/// Open MPI's own lines about exit codes would follow ours.
const QUIET: &[&str] = &["--quiet"];

/// The options of a prover, and of a verifier, where a test gives no others.
const PROVE: [&[&str]; 5] = [
    &["--seed", SEED, "--reproducible"],
    &["--context", "c"],
    &["--threads", "1"],
    &["--statement", "s.lzs"],
    &["--proof", "p.lzp"],
];
const VERIFY: &[&[&str]] = PROVE.split_at(1).1;

/// These options behind the ones of the list that are not among them.
fn with<'a>(list: &[&[&'a str]], options: &[&'a str]) -> Vec<&'a str> {
    let missing = list.iter().filter(|usual| !options.contains(&usual[0]));
    missing.chain([&options]).copied().flatten().copied().collect()
}

/// A folder, in which jobs write `s.lzs` and `p.lzp`.
pub(crate) struct Job {
    folder: tempfile::TempDir,
    /// Where `mpirun` keeps its sessions: jobs that start at one time fail now and then to make the
    /// folder that all of a user's jobs share.
    sessions: tempfile::TempDir,
    /// Options for the parameters in the folder, and for a verifier.
    params: &'static [&'static str],
    waiver: &'static [&'static str],
}

impl Job {
    /// With parameters, which are insecure.
    pub(crate) fn new(params: &Params) -> Self {
        let job =
            Self { params: &["--params", "params.json"], waiver: &["--insecure"], ..Self::empty() };
        let custom = custom(params.w(), params.round_t(), params.v(), params.l());
        let custom = serde_json::to_string(&custom).unwrap();
        std::fs::write(job.path("params.json"), custom).unwrap();
        job
    }

    /// Without parameters: claims find their own.
    pub(crate) fn empty() -> Self {
        let [folder, sessions] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        Self { folder, sessions, params: &[], waiver: &[] }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Names of all files in the folder.
    pub(crate) fn list(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The files that it wrote.
    pub(crate) fn files(&self) -> Files {
        let [statement, proof] = ["s.lzs", "p.lzp"].map(|name| std::fs::read(self.path(name)));
        Files { statement: statement.unwrap(), proof: proof.unwrap() }
    }

    pub(crate) fn holds(&self, expected: &Files) {
        let Files { statement, proof } = self.files();
        assert!(statement == expected.statement, "statement differs");
        assert!(proof == expected.proof, "proof differs");
    }

    /// A proof is invalid with another bit in any part, and with another context.
    pub(crate) fn has_one_proof(&self) {
        let Files { proof, .. } = self.files();
        for place in [24, 100, proof.len() / 2, proof.len() - 1] {
            let mut altered = proof.clone();
            altered[place] ^= 1;
            std::fs::write(self.path("p.lzp"), altered).unwrap();
            let answer = self.verify(3, &[]);
            assert_eq!((answer.code, &answer.stdout[..8]), (Some(1), "invalid:"), "byte {place}");
        }
        std::fs::write(self.path("p.lzp"), &proof[..20]).unwrap();
        self.verify(3, &[]).fails("p.lzp");
        std::fs::write(self.path("p.lzp"), proof).unwrap();
        let other = self.verify(2, &["--context", "other", "--json"]);
        let answer = other.json();
        assert_eq!((other.code, &answer["valid"]), (Some(1), &false.into()));
        assert_eq!(answer["exact"], false);
    }

    /// Starts a job of which `mpirun` itself will have to say how it ended.
    pub(crate) fn start_prove(&self, ranks: usize) -> Running {
        self.start(ranks, &[], env!("CARGO_BIN_EXE_prove_mpi"), &self.prove_args(&[]))
    }

    fn prove_args<'a>(&self, options: &[&'a str]) -> Vec<&'a str> {
        [self.params, self.waiver, &with(&PROVE, options)].concat()
    }

    pub(crate) fn prove(&self, ranks: usize, options: &[&str]) -> Run {
        let args = self.prove_args(options);
        self.start(ranks, QUIET, env!("CARGO_BIN_EXE_prove_mpi"), &args).wait()
    }

    /// With options that a shell reads on every rank, whose number is `$OMPI_COMM_WORLD_RANK`.
    pub(crate) fn prove_by_shell(&self, ranks: usize, options: &str) -> Run {
        let args = self.prove_args(&[]).join(" ");
        let line = format!("exec {} {args} {options}", env!("CARGO_BIN_EXE_prove_mpi"));
        self.start(ranks, QUIET, "sh", &["-c", &line]).wait()
    }

    pub(crate) fn verify(&self, ranks: usize, options: &[&str]) -> Run {
        self.verify_secure(ranks, &[self.waiver, options].concat())
    }

    /// Without the waiver that toy parameters need.
    pub(crate) fn verify_secure(&self, ranks: usize, options: &[&str]) -> Run {
        let args = with(VERIFY, options);
        self.start(ranks, QUIET, env!("CARGO_BIN_EXE_verify_mpi"), &args).wait()
    }

    fn start(&self, ranks: usize, mpi: &[&str], binary: &str, args: &[&str]) -> Running {
        let mut command = Command::new("mpirun");
        command
            .args(["--oversubscribe", "-n", &ranks.to_string()])
            .args(mpi)
            .arg(binary)
            .args(args);
        command.envs([
            ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
            ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
            // Containers forbid one process to read another's memory.
            ("OMPI_MCA_btl_vader_single_copy_mechanism", "none"),
        ]);
        command.env("OMPI_MCA_orte_tmpdir_base", self.sessions.path());
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        Running(
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("mpirun starts"),
        )
    }
}

/// A job that runs.
pub(crate) struct Running(Child);

impl Running {
    /// Kills rank number `rank`, one of our own processes.
    pub(crate) fn kill_rank(&mut self, rank: usize) {
        let children = format!("/proc/{0}/task/{0}/children", self.0.id());
        let children = std::fs::read_to_string(children).unwrap();
        let mut children: Vec<u32> =
            children.split_whitespace().map(|id| id.parse().unwrap()).collect();
        children.sort_unstable();
        let id = children[rank].to_string();
        assert!(Command::new("kill").args(["-9", &id]).status().unwrap().success());
    }

    pub(crate) fn wait(self) -> Run {
        let output = self.0.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// A job that ended.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    stderr: String,
}

impl Run {
    pub(crate) fn succeeds(&self) {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
    }

    /// Exit code 2, nothing on stdout, one line of error.
    pub(crate) fn fails(&self, message: &str) {
        assert_eq!((self.code, &*self.stdout), (Some(2), ""), "{message}: {}", self.stderr);
        let errors: Vec<_> =
            self.stderr.lines().filter(|line| !line.starts_with("warning: ")).collect();
        assert_eq!(errors.len(), 1, "{message}: {}", self.stderr);
        assert!(errors[0].starts_with("error: ") && errors[0].contains(message), "{errors:?}");
    }

    /// `mpirun` names the rank that was killed.
    pub(crate) fn was_killed(&self, rank: usize) {
        assert_eq!((self.code, &*self.stdout), (Some(128 + 9), ""), "{}", self.stderr);
        let line = self.stderr.lines().find(|line| line.contains("exited on signal 9"));
        assert!(line.is_some_and(|l| l.contains(&format!("rank {rank} "))), "{}", self.stderr);
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).expect("one JSON object")
    }
}
