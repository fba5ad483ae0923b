//! The statement of a proof, and its report.

use tautochrone_cli::{Answer, CommandLine, Failure};
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
    let json = serde_json::json!({
        "constraints": constraints, "secret_wires": wires, "circuit": format!("{:?}", circuit.digest()),
        "statement_bytes": statement_bytes, "proof_bytes": proof_bytes, "verify": line.to_string(),
    });
    let statement =
        statement_bytes.map(|bytes| format!("statement  {bytes} bytes: the commitments"));
    let lines = [
        Some(format!("circuit    {constraints} constraints, {wires} secret wires")),
        statement,
        Some(format!("proof      {proof_bytes} bytes")),
        Some(format!("to check   {line}")),
    ];
    task.common.report(json, lines.into_iter().flatten())
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
    let json = serde_json::json!({
        "constraints": circuit.constraints(),
        "slot": committed.map(|(slot, _)| slot), "inputs": committed.map(|(_, inputs)| inputs),
    });
    let inputs = committed.map_or_else(String::new, |(slot, inputs)| {
        format!("; the first {inputs} of them are the first committed values (slot {slot})")
    });
    let valid = format!(
        "valid: somebody knows secret wires for which all {} constraints hold{inputs}",
        circuit.constraints()
    );
    task.common.verdict(reason, json, [valid])
}

/// The written file, by the digest that names the circuit in proofs.
pub(crate) fn exported(task: &Export, circuit: &Circuit) -> Result<Answer, Failure> {
    let (constraints, wires) = (circuit.constraints(), circuit.secret_wires());
    let digest = format!("{:?}", circuit.digest());
    task.common.report(
        serde_json::json!({ "constraints": constraints, "secret_wires": wires, "circuit": digest }),
        [
            format!("circuit    {constraints} constraints, {wires} secret wires"),
            format!("digest     {digest}"),
        ],
    )
}
