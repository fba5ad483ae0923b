//! What a reader does, who has neither the file nor its key: checks the proof and an opening.

use std::io::Write;

use tautochrone::zk::uses::commitment::MessageSpace;
use tautochrone::zk::{PublicMatrix, Security, Statement, Verifier, VerifyError};

use super::args::Check;
use super::pieces::{self, CONTEXT, ROWS};
use tautochrone_cli::{Answer, Common, Failure, Stdout, say};

pub(crate) fn check(task: &Check, common: &Common) -> Result<Answer, Failure> {
    common.start_threads()?;
    let file = tautochrone_cli::open(&task.statement)?;
    let busy = common.busy("checking");
    let statement = Statement::read(&file, Security::Required);
    let statement = statement.map_err(|e| Failure::file(&task.statement, e))?;
    let params = statement.params();
    // Secure with the rows of a message left out, too.
    let space = MessageSpace::new(params, ROWS, Security::Required).map_err(Failure::new)?;
    let a = PublicMatrix::new_on(common.isa, params, *statement.seed_a());
    let proof = tautochrone_cli::read_proof(&task.proof, params);
    let proof = proof.map_err(|e| tautochrone_cli::about_input(&task.proof, &e))?;
    let verifier = Verifier::new(&a, &statement).map_err(Failure::new)?;
    let context = CONTEXT.as_bytes();
    // What was committed to with --exact is proved to be bits.
    let exact = pieces::slots(params).1 > 0;
    let verdict = if exact {
        let slot = pieces::space(params)?.range_slot(0).map_err(Failure::new)?;
        verifier.verify_ranges_streaming(context, slot, &pieces::bits()?, &file, &proof)
    } else {
        verifier.verify_streaming(context, &file, &proof)
    };
    drop(busy);
    match verdict {
        Ok(()) => (),
        Err(e @ VerifyError::Invalid(_)) => return no(task, &e.to_string()),
        Err(VerifyError::NoVerdict(e)) => return Err(Failure::file(&task.proof, e)),
    }
    let column = tautochrone_cli::read_exactly(&task.opening, params.v() as usize, "an opening")?;
    let column: Vec<i8> = column.iter().map(|byte| byte.cast_signed()).collect();
    let t = statement.column(&file, task.piece).map_err(Failure::new)?;
    let piece = pieces::bytes(space.message(&column)).filter(|_| a.opens(&t, &column));
    let Some(piece) = piece else {
        return no(task, &format!("{} does not open piece {}", task.opening.display(), task.piece));
    };
    if common.json {
        say(serde_json::json!({
            "piece": task.piece, "valid": true, "exact": exact, "hex": hex::encode(piece),
        }))?;
    } else {
        let written = Stdout.write_all(&piece).and_then(|()| Stdout.flush());
        written.map_err(|e| Failure::new(format!("stdout: {e}")))?;
    }
    Ok(Answer::Yes)
}

/// A negative answer and its reason.
fn no(task: &Check, reason: &str) -> Result<Answer, Failure> {
    tautochrone_cli::warn(reason);
    if task.common.json {
        say(serde_json::json!({ "piece": task.piece, "valid": false, "reason": reason }))?;
    }
    Ok(Answer::No)
}
