//! Use as a library: prove that the ML-KEM or FrodoKEM public keys of a list are well formed, and
//! that you know all of their secrets.
//!
//! ```sh
//! keys prove --set ML-KEM-768 --ml-kem certs --purpose 'CA, 2026-11-27' --statement s.lzs --proof p.lzp
//! keys verify --set ML-KEM-768 --ml-kem certs --purpose 'CA, 2026-11-27' --statement s.lzs --proof p.lzp
//! ```
//!
//! `certs` has `NAME.pub` and `NAME.priv`, as other programs write them; whoever verifies has the
//! former alone. Other files, FrodoKEM keys among them, are named by a list:
//!
//! ```sh
//! keys prove --set FrodoKEM-640-SHAKE --ids list.txt --purpose 'round 7' --statement s.lzs --proof p.lzp
//! ```
//!
//! docs/keys.md says what this shows and what not.

mod args;
mod list;
mod report;

use args::{Args, Prove, Task, Verify};
use tautochrone_cli::{Answer, Failure, Output, Privacy};
use tautochrone_zk_keys::{self as zk_keys, KeysProof};

/// Bytes of the longest statement and of the longest proof.
const LONGEST: u64 = 256 << 20;

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| match &args.task {
        Task::Prove(task) => prove(task),
        Task::Verify(task) => verify(task),
    })
}

fn prove(task: &Prove) -> Result<Answer, Failure> {
    let Prove { which, common, .. } = task;
    common.busy("reading keys");
    let entries = list::entries(which)?;
    let (flag, _) = which.source();
    let files: Vec<_> =
        entries.iter().flat_map(list::Entry::files).map(|path| (flag, path)).collect();
    let outputs = [("statement", &*task.statement), ("proof", &*task.proof)];
    tautochrone_cli::distinct(&outputs, &files)?;
    let keys = list::public(which, &entries)?;
    let secrets = list::secrets(&keys, &entries)?;
    let seed = common.hiding_seed()?;

    common.busy("proving");
    let outputs = [&task.statement, &task.proof].map(|path| Output::create(path, Privacy::Public));
    let [statement_file, proof_file] = outputs;
    let (statement_file, proof_file) = (statement_file?, proof_file?);
    let proved = zk_keys::prove_on(common.isa(), &keys, &secrets, &seed);
    let KeysProof { statement, proof } = proved.map_err(Failure::new)?;
    statement_file.finish_with(&statement)?;
    proof_file.finish_with(&proof)?;
    report::proved(task, &keys, statement.len(), proof.len())
}

fn verify(task: &Verify) -> Result<Answer, Failure> {
    let Verify { which, common, .. } = task;
    common.busy("reading keys");
    let keys = list::public(which, &list::entries(which)?)?;

    common.busy("checking");
    let read = |path| tautochrone_cli::read(path, LONGEST);
    let proof = KeysProof { statement: read(&task.statement)?, proof: read(&task.proof)? };
    let answer = zk_keys::verify_on(common.isa(), &keys, &proof);
    report::verdict(task, &keys, answer)
}
