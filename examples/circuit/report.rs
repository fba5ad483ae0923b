//! The statement of a proof, and its report.

use tautochrone_cli::{Answer, CommandLine, Failure, say};
use tautochrone_zk::Error;
use tautochrone_zk::argument::{Circuit, CircuitField};

use super::args::{Export, Prove, Verify};

/// The context of a proof, which no other program uses.
pub(crate) fn context(text: &str) -> String {
    format!("circuit: {text}")
}

/// The sizes, and the line that checks a proof.
pub(crate) fn report<F: CircuitField>(
    task: &Prove,
    circuit: &Circuit<F>,
    line: CommandLine,
    statement_bytes: Option<u64>,
    proof_bytes: usize,
) -> Result<Answer, Failure> {
    let (constraints, wires) = (circuit.constraints(), circuit.secret_wires());
    let context = Some(&task.context).filter(|context| !context.is_empty());
    let line = line.with("context", context).with("proof", [task.proof.display()]);
    if task.common.json {
        say(serde_json::json!({
            "constraints": constraints, "secret_wires": wires, "circuit": format!("{:?}", circuit.digest()),
            "statement_bytes": statement_bytes, "proof_bytes": proof_bytes, "verify": line.to_string(),
        }))?;
    } else {
        say(format_args!("circuit    {constraints} constraints, {wires} secret wires"))?;
        if let Some(bytes) = statement_bytes {
            say(format_args!("statement  {bytes} bytes: the commitments"))?;
        }
        say(format_args!("proof      {proof_bytes} bytes"))?;
        say(format_args!("to check   {line}"))?;
    }
    Ok(Answer::Yes)
}

/// The result of a check; of committed values, in which slot and about how many.
pub(crate) fn verdict<F: CircuitField>(
    task: &Verify,
    circuit: &Circuit<F>,
    committed: Option<(u32, u32)>,
    answer: Result<(), Error>,
) -> Result<Answer, Failure> {
    let reason = match answer {
        Ok(()) => None,
        Err(e @ Error::Invalid(_)) => Some(e.to_string()),
        Err(e) => return Err(Failure::file(&task.proof, e)),
    };
    if let Some(reason) = &reason {
        tautochrone_cli::warn(reason);
    }
    if task.common.json {
        say(serde_json::json!({
            "valid": reason.is_none(), "reason": reason, "constraints": circuit.constraints(),
            "slot": committed.map(|(slot, _)| slot), "inputs": committed.map(|(_, inputs)| inputs),
        }))?;
    } else if reason.is_none() {
        let inputs = committed.map_or_else(String::new, |(slot, inputs)| {
            format!("; the first {inputs} of them are the first committed values (slot {slot})")
        });
        say(format_args!(
            "valid: somebody knows secret wires for which all {} constraints hold{inputs}",
            circuit.constraints()
        ))?;
    }
    Ok(if reason.is_none() { Answer::Yes } else { Answer::No })
}

/// The written file, by the digest that names the circuit in proofs.
pub(crate) fn exported(task: &Export, circuit: &Circuit) -> Result<Answer, Failure> {
    let (constraints, wires) = (circuit.constraints(), circuit.secret_wires());
    let digest = format!("{:?}", circuit.digest());
    if task.common.json {
        say(serde_json::json!({
            "constraints": constraints, "secret_wires": wires, "circuit": digest,
        }))?;
    } else {
        say(format_args!("circuit    {constraints} constraints, {wires} secret wires"))?;
        say(format_args!("digest     {digest}"))?;
    }
    Ok(Answer::Yes)
}
