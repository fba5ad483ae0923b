//! How long a proof with narrow masks takes, and its check, beside one with wide masks: in turn, in one
//! process, so that ratios mean something on a busy machine.
//!
//! `RAYON_NUM_THREADS=1 cargo test --release -p tautochrone-zk --test ratios -- --ignored --nocapture`
#![allow(clippy::unwrap_used)] // the helpers of tests, which clippy does not know for tests
#![allow(clippy::disallowed_methods, reason = "oracles of tests")]

use std::time::Instant;

use tautochrone_zk::*;

/// Pairs that are timed.
const PAIRS: usize = 60;

struct Case {
    params: Params,
    matrix: PublicMatrix,
    witness: Witness,
    statement: Statement,
    contexts: Vec<[u8; 8]>,
    proofs: Vec<Vec<u8>>,
}

impl Case {
    fn new(preset: Preset) -> Self {
        let params = preset.params(Security::Required).unwrap();
        let random = RandomWitness::new(Seed::from_bytes([1; 32]));
        let mut entries = vec![0; params.v() as usize * params.l() as usize];
        random.read_columns(&params, 0, &mut entries).unwrap();
        let witness = Witness::new(&params, entries).unwrap();
        let matrix = PublicMatrix::new(&params, [2; 32]);
        let statement = matrix.commit_and_hold(&witness, &mut Vec::new()).unwrap();
        let mut case =
            Self { params, matrix, witness, statement, contexts: vec![], proofs: vec![] };
        // Proofs that take the mean number of attempts.
        for context in (0_u64..).map(u64::to_le_bytes) {
            let Proved { proof, attempts } = case.prove(&context);
            if attempts == case.params.rho() {
                case.contexts.push(context);
                case.proofs.push(proof);
            }
            if case.contexts.len() == 4 {
                return case;
            }
        }
        unreachable!("a proof in rho takes rho attempts")
    }

    fn prove(&self, context: &[u8]) -> Proved {
        let prover = Prover::new(&self.matrix, &self.statement).unwrap().reproducible();
        prover.prove(context, &self.witness, &Seed::from_bytes([3; 32])).unwrap()
    }

    fn times(&self, i: usize) -> [f64; 3] {
        let (context, proof) = (&self.contexts[i % 4], &self.proofs[i % 4]);
        let mut start = Instant::now();
        let mut lap = || {
            let time = start.elapsed().as_secs_f64();
            start = Instant::now();
            time
        };
        self.matrix.commit(&self.witness, &mut Vec::new()).unwrap();
        let commit = lap();
        self.prove(context);
        let prove = lap();
        Verifier::new(&self.matrix, &self.statement).unwrap().verify(context, proof).unwrap();
        [commit, prove, lap()]
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[test]
#[ignore = "it measures"]
fn narrow_masks_beside_wide_ones() {
    let [wide, narrow] = [Preset::T4_128, Preset::H4_128].map(Case::new);
    let times: Vec<_> = (0..PAIRS).map(|i| [wide.times(i), narrow.times(i)]).collect();
    for (name, stage) in ["commit", "prove", "verify"].into_iter().zip(0..) {
        let of = |side: usize| median(times.iter().map(|pair| pair[side][stage]).collect());
        let ratio =
            median(times.iter().map(|[wide, narrow]| narrow[stage] / wide[stage]).collect());
        println!(
            "{name}: {:.1} ms for {:.1} ms; median of {PAIRS} ratios {ratio:.2}",
            1e3 * of(1),
            1e3 * of(0)
        );
    }
    let [of_wide, of_narrow] = [&wide, &narrow].map(|case| case.proofs[0].len());
    println!("proof: {of_narrow} bytes for {of_wide}");
}
