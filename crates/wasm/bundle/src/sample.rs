//! The statement and the proof that the page offers to those who have none: small, as S is Gaussian,
//! and the same in every build.

use tautochrone_zk::{
    Error, Goal, Masks, Params, Prover, PublicMatrix, RandomWitness, Security, Seed, Statement,
};

/// Columns of S.
const COLUMNS: u64 = 16;
/// The context of the proof.
pub const CONTEXT: &str = "a sample";

/// The bytes of both files. Nothing is secret here.
pub fn files() -> Result<[Vec<u8>; 2], Error> {
    let goal = Goal { masks: Masks::Narrow { log2_proofs: 0 }, ..Goal::new(1, COLUMNS) };
    let params: Params = goal.optimise()?.validate(Security::Required)?;
    let a = PublicMatrix::new(&params, [1; 32]);
    let witness = RandomWitness::new(Seed::from_bytes([2; 32]));
    let mut file = Vec::new();
    let statement: Statement = a.commit_and_hold(&witness, &mut file)?;
    let prover = Prover::new(&a, &statement)?.reproducible();
    let done = prover.prove(CONTEXT.as_bytes(), &witness, &Seed::from_bytes([3; 32]))?;
    Ok([file, done.proof])
}
