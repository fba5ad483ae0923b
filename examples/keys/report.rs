//! The report of `keys`: sizes, and the claim.

use std::path::Path;

use tautochrone_cli::{Answer, CommandLine, Failure};
use tautochrone_zk::{Error, Reason};
use tautochrone_zk_keys::KeyList;

use super::args::{Prove, Verify, Which};

/// The sizes, and the line that checks the proof.
pub(crate) fn proved(
    task: &Prove,
    keys: &KeyList,
    statement_bytes: usize,
    proof_bytes: usize,
) -> Result<Answer, Failure> {
    let Which { set, ids, ml_kem, purpose } = &task.which;
    let line = CommandLine::new("keys verify")
        .with("set", [set])
        .with("ids", ids.as_deref().map(Path::display))
        .with("ml-kem", ml_kem.as_deref().map(Path::display))
        .with("purpose", [purpose])
        .with("statement", [task.statement.display()])
        .with("proof", [task.proof.display()])
        .with("require", [required(keys.len())]);
    let json = serde_json::json!({
        "set": set.name(), "keys": keys.len(), "statement_bytes": statement_bytes,
        "proof_bytes": proof_bytes, "verify": line.to_string(),
    });
    let lines = [
        format!("keys       {} of {set}", keys.len()),
        format!("statement  {statement_bytes} bytes: commitments to the secrets"),
        format!("proof      {proof_bytes} bytes"),
        format!("to check   {line}"),
    ];
    task.common.report(json, lines)
}

fn required(keys: usize) -> String {
    format!("keys:{keys}")
}

/// The result of a verifier.
pub(crate) fn verdict(
    task: &Verify,
    keys: &KeyList,
    answer: Result<(), Error>,
) -> Result<Answer, Failure> {
    let (set, count) = (keys.set(), keys.len());
    let unmet = task.require.filter(|&least| count < least).map(required);
    let reason = match (answer, &unmet) {
        (Ok(()), None) => None,
        (Ok(()), Some(unmet)) => {
            Some(format!("a valid proof, but it does not show {unmet}: it is about {count} keys"))
        }
        (Err(Error::Invalid(reason)), _) => Some(match reason {
            Reason::OtherFact => "the proof is for other keys, or another order of them".to_owned(),
            Reason::OtherStatement => "the proof is for other identities, another purpose or \
                                       another statement"
                .to_owned(),
            reason => reason.to_string(),
        }),
        (Err(e), _) => {
            let of_proof = matches!(e, Error::Malformed { what: "proof", .. });
            let path = if of_proof { &task.proof } else { &task.statement };
            return Err(tautochrone_cli::about_input(path, &e));
        }
    };
    let json = serde_json::json!({ "unmet": unmet, "set": set.name(), "keys": count });
    let (keys, secrets) = match count {
        1 => (format!("the key of {set} is"), "its secret"),
        _ => (format!("all {count} keys of {set} are"), "the secrets of all of them"),
    };
    let purpose = &task.which.purpose;
    let lines = [
        format!(
            "valid: {keys} well formed, exactly, t = A s + e with s and e as small as the standard \
             says, and whoever made the proof for {purpose:?} knows {secrets}"
        ),
        "not shown: that secrets are random, or that it is the owners who know them".to_owned(),
    ];
    task.common.verdict(reason, json, lines)
}
