//! A statement of some columns, and its stages.

use std::io::sink;
use std::time::Instant;

use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::{
    CustomParams, Params, Preset, Proved, Prover, PublicMatrix, RandomWitness, Security, Statement,
    Verifier, Witness,
};

use crate::clock::gigahertz;
use crate::heap::megabytes;

/// What is timed; the last two are computed from proofs of one and of more attempts: a rejected
/// attempt, and what a proof takes besides those.
pub(crate) const STAGES: [&str; 6] =
    ["expand", "commit", "verify-held", "verify-read", "attempt", "prove-once"];

/// Attempts of the longer proof, at least.
const SEVERAL: u32 = 3;
/// A stage runs again in a round until this many seconds have passed.
const ROUND: f64 = 0.02;

/// The least of some runs.
#[derive(Clone, Copy)]
pub(crate) struct Least {
    pub(crate) seconds: f64,
    pub(crate) cycles: f64,
}

impl Least {
    pub(crate) const NONE: Self = Self { seconds: f64::INFINITY, cycles: f64::INFINITY };

    /// Times runs of `work` for a round.
    fn run(&mut self, mut work: impl FnMut()) {
        let begin = Instant::now();
        while begin.elapsed().as_secs_f64() < ROUND {
            let before = gigahertz();
            let start = Instant::now();
            work();
            let seconds = start.elapsed().as_secs_f64();
            let clock = before.midpoint(gigahertz());
            self.seconds = self.seconds.min(seconds);
            self.cycles = self.cycles.min(seconds * clock * 1e9);
        }
    }

    /// `f` of these and those.
    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self { seconds: f(self.seconds, other.seconds), cycles: f(self.cycles, other.cycles) }
    }
}

/// A statement, its witness, and proofs of one and of more attempts; made on the best tier, since
/// all give the same bytes.
pub(crate) struct Case {
    params: Params,
    witness: Witness,
    statement: Statement,
    file: Vec<u8>,
    /// Contexts with one attempt and with several, and how many.
    contexts: [(u64, u32); 2],
}

/// r and v of a preset with other numbers of columns, and its w or, where the largest number needs
/// more, the least that suffices: the same for all.
pub(crate) fn parameters(preset: Preset, lengths: &[u64]) -> Vec<Params> {
    let all = |w| {
        let custom = |&l: &u64| CustomParams { l, w, ..preset.custom() };
        let params = lengths.iter().map(|l| custom(l).validate(Security::Waived).ok());
        params.collect::<Option<Vec<_>>>()
    };
    (preset.custom().w..=64).find_map(all).expect("dimensions for so many columns")
}

fn matrix(isa: Isa, params: &Params) -> PublicMatrix {
    PublicMatrix::new_on(isa, params, [2; 32])
}

impl Case {
    pub(crate) fn new(params: Params) -> Self {
        let source = RandomWitness::new(Seed::from_bytes([1; 32]));
        let witness = Witness::read(&params, &source).expect("in memory");
        let mut file = Vec::new();
        let matrix = matrix(Isa::detect(), &params);
        let statement = matrix.commit_and_hold(&witness, &mut file).expect("in memory");
        let (w, n, sigma) = (params.w(), params.n(), params.sigma());
        let bits = w - params.round_t();
        println!(
            "{} columns: w = {w}, n = {n}, sigma = {sigma}, {bits} bits a word of T",
            params.l()
        );
        let mut case = Self { params, witness, statement, file, contexts: [(0, 0); 2] };
        case.contexts = case.contexts(&matrix);
        case
    }

    fn prove(&self, matrix: &PublicMatrix, context: u64) -> Proved {
        Prover::new(matrix, &self.statement)
            .expect("its own")
            .reproducible()
            .prove(&context.to_le_bytes(), &self.witness, &Seed::from_bytes([3; 32]))
            .expect("a proof")
    }

    /// Contexts with one attempt and with several.
    fn contexts(&self, matrix: &PublicMatrix) -> [(u64, u32); 2] {
        let (mut one, mut several) = (None, None);
        for context in 0..1000 {
            match self.prove(matrix, context).attempts {
                1 => one = one.or(Some((context, 1))),
                more @ SEVERAL.. => several = several.or(Some((context, more))),
                _ => (),
            }
            if let (Some(one), Some(several)) = (one, several) {
                return [one, several];
            }
        }
        unreachable!("a thousand proofs, half of them of one attempt")
    }

    /// Prints what stages take beyond S, T, A' and the statement's file, which are in memory.
    pub(crate) fn print_memory(&self, isa: Isa) {
        let [(one, _), (several, attempts)] = self.contexts;
        let a = matrix(isa, &self.params);
        let print = |stage: &str, work: &mut dyn FnMut()| {
            for run in ["at first", "again"] {
                let (most, all) = megabytes(&mut *work);
                println!("{isa} {stage}, {run}: {most:.1} MB at a time, {all:.1} MB allocated");
            }
        };
        let read = Statement::read(&self.file, Security::Waived).expect("in memory");
        print("proof, 1 attempt", &mut || drop(self.prove(&a, one)));
        print(&format!("proof, {attempts} attempts"), &mut || drop(self.prove(&a, several)));
        let proof = self.prove(&a, one).proof.to_bytes(&self.params);
        for (stage, statement) in [("check, T held", &self.statement), ("check, T read", &read)] {
            let verifier = Verifier::new(&a, statement).expect("its own");
            print(stage, &mut || {
                let context = one.to_le_bytes();
                verifier.verify_streaming(&context, &self.file, &proof).expect("valid");
            });
        }
        print("commitment", &mut || {
            a.commit(&self.witness, &mut sink()).expect("a statement");
        });
    }

    /// A round of the wanted stages, in the order of [`STAGES`] but for the last two, which are
    /// proofs of one attempt and of several.
    pub(crate) fn round(
        &self,
        isa: Isa,
        least: &mut [Least; STAGES.len()],
        is_wanted: impl Fn(&str) -> bool,
    ) {
        let [expand, commit, held, read, short, long] = least;
        if is_wanted("expand") {
            expand.run(|| drop(matrix(isa, &self.params)));
        }
        let a = matrix(isa, &self.params);
        if is_wanted("commit") {
            commit.run(|| drop(a.commit(&self.witness, &mut sink()).expect("a statement")));
        }
        let [(one, _), (several, _)] = self.contexts;
        if is_wanted("verify-held") || is_wanted("verify-read") {
            let proof = self.prove(&a, one).proof.to_bytes(&self.params);
            let context = one.to_le_bytes();
            let verifier = Verifier::new(&a, &self.statement).expect("its own");
            held.run(|| verifier.verify(&context, &proof).expect("valid"));
            let statement = Statement::read(&self.file, Security::Waived).expect("in memory");
            let verifier = Verifier::new(&a, &statement).expect("its own");
            read.run(|| verifier.verify_streaming(&context, &self.file, &proof).expect("valid"));
        }
        if is_wanted("attempt") || is_wanted("prove-once") {
            short.run(|| drop(self.prove(&a, one)));
            long.run(|| drop(self.prove(&a, several)));
        }
    }

    /// The stages, from what rounds gave.
    pub(crate) fn stages(&self, least: [Least; STAGES.len()]) -> [Least; STAGES.len()] {
        let [expand, commit, held, read, short, long] = least;
        let [_, (_, attempts)] = self.contexts;
        let attempt = long.with(short, |long, short| (long - short) / f64::from(attempts - 1));
        let once = short.with(attempt, |short, attempt| short - attempt);
        [expand, commit, held, read, attempt, once]
    }
}
