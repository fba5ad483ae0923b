//! Use as a library: prove that you know secret inputs of a circuit.
//!
//! ```sh
//! circuit prove --sha256 secret.txt --statement s.lzs --proof p.lzp   # prints the digest
//! circuit verify --sha256 DIGITS --length 12 --statement s.lzs --proof p.lzp
//! ```
//!
//! The wires of the circuit are committed, and the proof shows that they satisfy every constraint,
//! exactly: here, that somebody knows a message of 12 bytes with this SHA-256 digest. With
//! `--poseidon2` it is a hash that was made for circuits, which has a fiftieth of the constraints.
//!
//! Circuits of your own come from circom's tool chain, over the field of 2^61 - 1 elements:
//!
//! ```sh
//! circuit prove --r1cs c.r1cs --wtns w.wtns --public p.json --statement s.lzs --proof p.lzp
//! circuit verify --r1cs c.r1cs --public p.json --statement s.lzs --proof p.lzp
//! ```
//!
//! The statement is part of what a verifier needs: it holds the commitments to the wires, which one
//! proof, or any number of proofs of the same claim, are about.

mod args;
mod claim;
mod poseidon2;
mod sha256;

use std::io::BufWriter;
use std::process::ExitCode;

use args::{Args, Prove, Task, Verify};
use claim::Known;
use tautochrone::zk::argument::{Circuit, CircuitSpace};
use tautochrone::zk::{Prover, PublicMatrix, Security, Statement, Verifier, VerifyError};
use tautochrone_cli::{Answer, CommandLine, Failure, Output, Privacy, say};

fn main() -> ExitCode {
    program().main()
}

pub(crate) fn program() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| match &args.task {
        Task::Prove(task) => prove(task),
        Task::Verify(task) => verify(task),
    })
}

/// What a proof is for: a context that no other program uses.
fn context(text: &str) -> String {
    format!("circuit: {text}")
}

fn prove(task: &Prove) -> Result<Answer, Failure> {
    let common = &task.common;
    common.start_threads()?;
    let busy = common.busy("building the circuit");
    let Known { circuit, assignment, flags } = Known::read(task)?;
    let seed = common.secret_seed()?;
    drop(busy);

    // 1. Parameters, and where the wires are: the shorter statement and proof are together, the
    //    better.
    let busy = common.busy("searching for parameters");
    let params = CircuitSpace::optimise(&circuit).and_then(|p| p.validate(Security::Required));
    let params = params.map_err(Failure::new)?;
    let space = CircuitSpace::new(&params, &circuit, Security::Required).map_err(Failure::new)?;
    drop(busy);

    // 2. The commitments. An assignment for which a constraint does not hold is refused here.
    let busy = common.busy("committing and proving");
    let a = PublicMatrix::new_on(
        common.isa,
        &params,
        tautochrone_cli::public_part(&seed, "circuit: A"),
    );
    let key = tautochrone_cli::part(&seed, "circuit: wires");
    let witness = space.witness(&a, &circuit, &assignment, &key).map_err(Failure::new)?;
    let mut file = BufWriter::new(Output::create(&task.statement, Privacy::Public)?);
    let statement = a.commit_and_hold(&witness, &mut file).map_err(Failure::new)?;

    // 3. The proof.
    let prover = Prover::new(&a, &statement).map_err(Failure::new)?;
    let context = context(&task.context);
    let proved =
        prover.prove_circuit(context.as_bytes(), &circuit, &assignment.public, &witness, &seed);
    let proof = proved.map_err(Failure::new)?.proof.to_bytes(&params);
    if let Some(path) = &task.public {
        let numbers = claim::public_file(&assignment.public)?;
        Output::write_whole(path, Privacy::Public, numbers.as_bytes())?;
    }
    file.into_inner().map_err(|e| Failure::file(&task.statement, e.error()))?.finish()?;
    Output::write_whole(&task.proof, Privacy::Public, &proof)?;
    drop(busy);
    report(task, &circuit, &flags, params.statement_bytes(), proof.len())
}

fn report(
    task: &Prove,
    circuit: &Circuit,
    flags: &[(&str, String)],
    statement_bytes: u128,
    proof_bytes: usize,
) -> Result<Answer, Failure> {
    let (constraints, wires) = (circuit.constraints(), circuit.secret_wires());
    let names = [&task.statement, &task.proof].map(|path| path.to_string_lossy());
    let mut all: Vec<(&str, &str)> = flags.iter().map(|(name, value)| (*name, &**value)).collect();
    if !task.context.is_empty() {
        all.push(("context", &task.context));
    }
    all.extend([("statement", &*names[0]), ("proof", &*names[1])]);
    let line = CommandLine { program: "circuit verify", flags: &all };
    if task.common.json {
        say(serde_json::json!({
            "constraints": constraints, "secret_wires": wires, "circuit": format!("{:?}", circuit.digest()),
            "statement_bytes": statement_bytes as u64, "proof_bytes": proof_bytes, "verify": line.to_string(),
        }))?;
    } else {
        say(format_args!("circuit    {constraints} constraints, {wires} secret wires"))?;
        say(format_args!("statement  {statement_bytes} bytes: the commitments"))?;
        say(format_args!("proof      {proof_bytes} bytes"))?;
        say(format_args!("to check   {line}"))?;
    }
    Ok(Answer::Yes)
}

fn verify(task: &Verify) -> Result<Answer, Failure> {
    let common = &task.common;
    common.start_threads()?;
    let busy = common.busy("checking");
    let (circuit, public) = claim::claimed(task)?;
    let file = tautochrone_cli::open(&task.statement)?;
    let about = |e| Failure::file(&task.statement, e);
    let statement = Statement::read(&file, Security::Required).map_err(about)?;
    let params = statement.params();
    CircuitSpace::new(params, &circuit, Security::Required).map_err(about)?;
    let a = PublicMatrix::new_on(common.isa, params, *statement.seed_a());
    let proof = tautochrone_cli::read_proof(&task.proof, params);
    let proof = proof.map_err(|e| tautochrone_cli::about_input(&task.proof, &e))?;
    let verifier = Verifier::new(&a, &statement).map_err(about)?;
    let context = context(&task.context);
    let verdict =
        verifier.verify_circuit_streaming(context.as_bytes(), &circuit, &public, &file, &proof);
    drop(busy);
    let reason = match verdict {
        Ok(()) => None,
        Err(e @ VerifyError::Invalid(_)) => Some(e.to_string()),
        Err(VerifyError::NoVerdict(e)) => return Err(Failure::file(&task.proof, e)),
    };
    if let Some(reason) = &reason {
        tautochrone_cli::warn(reason);
    }
    if common.json {
        say(serde_json::json!({
            "valid": reason.is_none(), "reason": reason, "constraints": circuit.constraints(),
        }))?;
    } else if reason.is_none() {
        say(format_args!(
            "valid: somebody knows secret wires for which all {} constraints hold",
            circuit.constraints()
        ))?;
    }
    Ok(if reason.is_none() { Answer::Yes } else { Answer::No })
}
