//! A proof of commitments, and what is said of it.

use tautochrone::ctr::Seed;
use tautochrone::zk::{
    Params, Prover, PublicMatrix, Security, Statement, Validity, Verifier, WitnessSource,
};

use crate::cli::{Failure, say};

/// Proves and, as anybody can, verifies; returns the size of the proof.
pub(crate) fn prove(
    a: &PublicMatrix,
    statement: &Statement,
    file: &[u8],
    witness: &dyn WitnessSource,
    seed: &Seed,
) -> Result<usize, Failure> {
    let prover = Prover::new(a, statement, Security::Required).map_err(Failure::new)?;
    let proof = prover.prove(b"rollup", witness, seed).map_err(Failure::new)?.proof;
    let bytes = proof.to_bytes(statement.params());
    let verdict = Verifier::new(a, statement).verify(b"rollup", &file, &bytes);
    match verdict.map_err(Failure::new)? {
        Validity::Valid => Ok(bytes.len()),
        Validity::Invalid(reason) => Err(Failure::new(format!("a proof is invalid: {reason}"))),
    }
}

pub(crate) fn report(
    what: &str,
    params: &Params,
    file: &[u8],
    proof: usize,
) -> Result<(), Failure> {
    let (l, bits, statement) = (params.l(), params.estimate().sis.classical, file.len());
    say(format_args!(
        "{l:5} {what:6}  statement {statement} bytes, proof {proof} bytes, binding {bits:.0} bits"
    ))
}
