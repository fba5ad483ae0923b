//! A proof of commitments, and its report.

use std::path::{Path, PathBuf};

use tautochrone_ctr::Seed;
use tautochrone_zk::{Params, Prover, PublicMatrix, Statement, Verifier, WitnessSource};

use tautochrone_cli::{CommandLine, Failure, Output, Privacy};

/// Answers in a record.
pub(crate) const ROWS: u32 = 26;
/// The contexts of the proofs of lines and of groups; their statements differ.
const CONTEXT: &str = "rollup";

/// Proves and, as anybody can, verifies; returns the proof file.
pub(crate) fn prove(
    a: &PublicMatrix,
    statement: &Statement,
    file: &[u8],
    witness: &dyn WitnessSource,
    seed: &Seed,
) -> Result<Vec<u8>, Failure> {
    let prover = Prover::new(a, statement)?.with_file(&file);
    let proof = prover.prove(CONTEXT.as_bytes(), witness, seed)?.proof;
    Verifier::new(a, statement)?.with_file(&file).verify(CONTEXT.as_bytes(), &proof)?;
    Ok(proof)
}

/// A statement and its proof on disk.
pub(crate) struct Files {
    pub(crate) statement: PathBuf,
    pub(crate) proof: PathBuf,
}

impl Files {
    /// NAME.lzs and NAME.lzp in a directory.
    pub(crate) fn new(directory: &Path, name: &str) -> Self {
        let path = |kind: &str| directory.join(format!("{name}.{kind}"));
        Self { statement: path("lzs"), proof: path("lzp") }
    }

    pub(crate) fn write(&self, statement: &[u8], proof: &[u8]) -> Result<(), Failure> {
        Output::write_whole(&self.statement, Privacy::Public, statement)?;
        Output::write_whole(&self.proof, Privacy::Public, proof)
    }

    pub(crate) fn verify_line(&self) -> CommandLine {
        CommandLine::new("verify")
            .with("statement", [self.statement.display()])
            .with("proof", [self.proof.display()])
            .with("context", [CONTEXT])
            .with("message-rows", [ROWS])
    }
}

/// The sizes of a statement and its proof, in a line.
pub(crate) fn sizes(what: &str, params: &Params, file: &[u8], proof: usize) -> String {
    let (l, bits, statement) = (params.l(), params.estimate().binding.classical, file.len());
    format!(
        "{l:5} {what:6}  statement {statement} bytes, proof {proof} bytes, binding {bits:.0} bits"
    )
}
