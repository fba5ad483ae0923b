//! Use as a library: prove that you know secret inputs of a circuit.
//!
//! ```sh
//! circuit prove --sha256 secret.txt --statement s.lzs --proof p.lzp   # prints the digest
//! circuit verify --sha256 DIGITS --length 12 --statement s.lzs --proof p.lzp
//! ```
//!
//! The wires of the circuit are committed, and the proof shows that they satisfy every constraint,
//! exactly: here, that somebody knows a message of 12 bytes with this SHA-256 digest. With
//! `--poseidon2` it is a hash that was made for circuits, which has a thirtieth of the constraints.
//!
//! Circuits of your own come as files in circom's format .r1cs, over the field of 2^64 - 2^32 + 1
//! elements (circom's `--prime goldilocks`) or of 2^61 - 1:
//!
//! ```sh
//! circuit prove --r1cs c.r1cs --wtns w.wtns --public p.json --statement s.lzs --proof p.lzp
//! circuit verify --r1cs c.r1cs --public p.json --statement s.lzs --proof p.lzp
//! ```
//!
//! Values can be committed first, and circuits about them proved later, each as often as wanted. Of
//! a file they are its length and its bytes, so that no other file has the digest that is proved:
//!
//! ```sh
//! circuit commit --in secret.txt --statement c.lzs --key k
//! circuit prove --sha256 secret.txt --committed c.lzs --key k --proof p.lzp
//! circuit verify --sha256 DIGITS --length 12 --committed c.lzs --slot 0 --proof p.lzp
//! ```
//!
//! `circuit export` writes the circuit of a digest as circom does, so that other tools, and other
//! verifiers, can read which constraints hold. Public words of SHA-256 are read modulo 2^32: a
//! verifier of an exported circuit takes them from a digest, or compares them with 2^32.
//!
//! The statement is part of what a verifier needs: it holds the commitments to the wires, which one
//! proof, or any number of proofs of the same claim, are about.

mod args;
mod claim;
mod committed;
mod inputs;
mod key;
mod poseidon2;
mod report;
mod sha256;

use args::{Args, Export, Prove, Task, Verify};
use claim::{Either, Known, Stated};
use report::{context, report, verdict};
use tautochrone_cli::{Answer, Failure, Output, Privacy};
use tautochrone_zk::argument::{CircuitClaim, CircuitField, Claims};
use tautochrone_zk::{Prover, PublicMatrix, Security, Statement, Verifier};

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| match &args.task {
        Task::Commit(task) => committed::commit(task),
        Task::Prove(task) if task.committed.is_some() => committed::prove(task),
        Task::Prove(task) => prove(task),
        Task::Verify(task) if task.committed.is_some() => committed::verify(task),
        Task::Verify(task) => verify(task),
        Task::Export(task) => export(task),
    })
}

fn prove(task: &Prove) -> Result<Answer, Failure> {
    task.common.busy("building the circuit");
    match claim::known(task)? {
        Either::P61(known) => prove_known(task, &known),
        Either::Goldilocks(known) => prove_known(task, &known),
    }
}

fn prove_known<F: CircuitField>(task: &Prove, known: &Known<F>) -> Result<Answer, Failure> {
    let common = &task.common;
    let Known { circuit, assignment, line, .. } = known;
    let path = task.statement.as_deref().expect("required without --committed");
    let seed = common.hiding_seed()?;

    // 1. Parameters, and where the wires are: the shorter statement and proof are together, the
    //    better.
    common.busy("searching for parameters");
    let params = circuit.optimise()?.validate(Security::Required)?;
    let layout = circuit.layout(&params)?;

    // 2. The commitments. An assignment for which a constraint does not hold is refused here.
    common.busy("committing and proving");
    let seed_a = tautochrone_cli::public_part(&seed, "circuit: A");
    let a = PublicMatrix::new_on(common.isa(), &params, seed_a);
    let key = tautochrone_cli::part(&seed, "circuit: wires");
    let witness = circuit.witness(&a, assignment, &key).map_err(|e| known.explain(e))?;
    let mut file = Output::create(path, Privacy::Public)?;
    let statement = a.commit_and_hold(&witness, &mut file)?;

    // 3. The proof.
    let prover = Prover::new(&a, &statement)?;
    let context = context(&task.context);
    let slot = layout.slot(0)?;
    let claims = Claims::from(CircuitClaim::new(circuit, &assignment.public)?);
    let proof = prover.prove_claims(context.as_bytes(), &slot, &claims, &witness, &seed)?.proof;
    if let Some(path) = &task.public {
        let numbers = claim::public_file(&assignment.public)?;
        Output::write_whole(path, Privacy::Public, numbers.as_bytes())?;
    }
    file.finish()?;
    Output::write_whole(&task.proof, Privacy::Public, &proof)?;
    let line = line.clone().with("statement", [path.display()]);
    report(task, circuit, line, Some(params.statement_bytes() as u64), proof.len())
}

fn verify(task: &Verify) -> Result<Answer, Failure> {
    task.common.busy("reading the circuit");
    match claim::claimed(task)? {
        Either::P61(stated) => verify_stated(task, &stated),
        Either::Goldilocks(stated) => verify_stated(task, &stated),
    }
}

fn verify_stated<F: CircuitField>(task: &Verify, stated: &Stated<F>) -> Result<Answer, Failure> {
    let common = &task.common;
    common.busy("checking");
    let Stated { circuit, public, .. } = stated;
    let path = task.statement.as_deref().expect("required without --committed");
    let file = tautochrone_cli::open(path)?;
    let about = |e| Failure::file(path, e);
    let statement = Statement::read(&file, Security::Required).map_err(about)?;
    let params = statement.params();
    let layout = circuit.layout(params).map_err(about)?;
    layout.hiding(params).map_err(about)?;
    let slot = layout.slot(0).map_err(about)?;
    let claims = Claims::from(CircuitClaim::new(circuit, public)?);
    let a = PublicMatrix::new_on(common.isa(), params, *statement.seed_a());
    let proof = tautochrone_cli::read_proof(&task.proof, params);
    let proof = proof.map_err(|e| tautochrone_cli::about_input(&task.proof, &e))?;
    let verifier = Verifier::new(&a, &statement).map_err(about)?;
    let context = context(&task.context);
    let context = context.as_bytes();
    let answer = verifier.with_file(&file).verify_claims(context, &slot, &claims, &proof);
    verdict(task, circuit, None, answer)
}

fn export(task: &Export) -> Result<Answer, Failure> {
    let digits = [&task.what.sha256, &task.what.poseidon2].map(Option::as_deref);
    let (circuit, public) = claim::of_digest(digits, task.length, task.committed)?;
    let numbers = claim::public_file(&public)?;
    Output::write_whole(&task.r1cs, Privacy::Public, &circuit.to_r1cs())?;
    Output::write_whole(&task.public, Privacy::Public, numbers.as_bytes())?;
    report::exported(task, &circuit)
}
