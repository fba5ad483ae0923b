//! What a proof takes on average with rho = 3 and 2, in turn, with a seed of its own for every proof
//! and as many attempts as it happens to need.
//!
//! `cargo bench --bench attempts -- PRESET ISA PROOFS`, T4-128 or B4-128. Times are fitted by a
//! fixed part and one for each attempt, least squares; the last column is that for rho attempts.
//! RAYON_NUM_THREADS=1 for one thread. Witness and T are in memory.

use std::time::Instant;

use tautochrone::ctr::Seed;
use tautochrone::simd::Isa;
use tautochrone::zk::{
    CustomParams, Preset, Prover, PublicMatrix, RandomWitness, Security, Statement, Witness,
    WitnessSource,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A statement, its witness, and the proofs so far: attempts and milliseconds.
struct Case {
    name: &'static str,
    witness: Witness,
    matrix: PublicMatrix,
    statement: Statement,
    proofs: Vec<[f64; 2]>,
    bytes: usize,
}

impl Case {
    fn new(isa: Isa, name: &'static str, custom: CustomParams) -> Self {
        let params = custom.validate(Security::Required).expect("secure");
        let mut entries = vec![0; params.v() as usize * params.l() as usize];
        let random = RandomWitness::new(Seed::from_bytes([1; 32]));
        random.read_columns(&params, 0, &mut entries).expect("in memory");
        let witness = Witness::new(&params, entries).expect("within the bound");
        let matrix = PublicMatrix::new_on(isa, &params, [2; 32]);
        let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).expect("in memory");
        Self { name, witness, matrix, statement, proofs: Vec::new(), bytes: 0 }
    }

    fn prove(&mut self, index: u64) {
        let mut seed = [7; 32];
        seed[..8].copy_from_slice(&index.to_le_bytes());
        let seed = Seed::from_bytes(seed);
        let start = Instant::now();
        let prover = Prover::new(&self.matrix, &self.statement).expect("its own").reproducible();
        let proved = prover.prove(b"", &self.witness, &seed).expect("a proof");
        let time = start.elapsed().as_secs_f64() * 1e3;
        self.proofs.push([proved.attempts.into(), time]);
        self.bytes += proved.proof.to_bytes(self.statement.params()).len();
    }

    fn report(&self) {
        let count = self.proofs.len() as f64;
        let mean = |f: &dyn Fn(&[f64; 2]) -> f64| self.proofs.iter().map(f).sum::<f64>() / count;
        let (attempts, time) = (mean(&|proof| proof[0]), mean(&|proof| proof[1]));
        let covariance = mean(&|proof| (proof[0] - attempts) * (proof[1] - time));
        let each = covariance / mean(&|proof| (proof[0] - attempts).powi(2));
        let deviation = (mean(&|proof| (proof[1] - time).powi(2)) / count).sqrt();
        let fixed = time - each * attempts;
        let expected = fixed + each * f64::from(self.statement.params().rho().get());
        println!(
            "{:7} {:.1} KiB, {attempts:.2} attempts, mean {time:.2} +- {deviation:.2} ms; \
             {fixed:.2} + {each:.2} an attempt; {expected:.2} for rho",
            self.name,
            self.bytes as f64 / count / 1024.0
        );
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [preset, isa, proofs] = &args[..] else {
        println!("attempts PRESET ISA PROOFS");
        return;
    };
    let isa = Isa::named(isa).expect("an instruction set of this CPU");
    // With rho = 3 the dimensions are those that were found for it.
    let (preset, [w, r, k]) = match preset.as_str() {
        "T4-128" => (Preset::T4_128, [29, 1176, 1456]),
        "B4-128" => (Preset::B4_128, [34, 1432, 1160]),
        _ => panic!("T4-128 or B4-128"),
    };
    let narrow = CustomParams { rho: Some(3), w, r, v: r + k, ..preset.custom() };
    let all = [("rho = 3", narrow), ("rho = 2", preset.custom())];
    let mut cases = all.map(|(name, custom)| Case::new(isa, name, custom));
    for index in 0..proofs.parse().expect("a number of proofs") {
        for case in &mut cases {
            case.prove(index);
        }
    }
    cases.iter().for_each(Case::report);
}
