//! The checks of a reader, who has neither the file nor its key: of the proof and an opening.

use std::io::Write;

use tautochrone_zk::{Error, Shows};

use super::args::Check;
use super::layout::{self, PIECE};
use super::published::Published;
use tautochrone_cli::{Answer, Common, Failure, Stdout};

pub(crate) fn check(task: &Check, common: &Common) -> Result<Answer, Failure> {
    let piece = serde_json::json!({ "piece": task.piece });
    let no = |reason: String| common.verdict(Some(reason), piece.clone(), []);
    common.busy("checking");
    let published = Published::read(&task.statement, common)?;
    let proof = tautochrone_cli::read_proof(&task.proof, published.statement.params());
    let proof = proof.map_err(|e| tautochrone_cli::about_input(&task.proof, &e))?;
    let verdict = published.a.verify_batch(&[published.claim(&proof)?]).remove(0);
    match verdict {
        Ok(()) => (),
        Err(e @ Error::Invalid(_)) => return no(e.to_string()),
        Err(e) => return Err(Failure::file(&task.proof, e)),
    }
    let column = published.opening_len();
    let opening = tautochrone_cli::read_exactly(&task.opening, 2 * column, "an opening")?;
    let (length, piece) = opening.split_at(column);
    let opened = published.opened(layout::column(task.piece), piece)?;
    let length = published.length(length)?;
    let Some((bytes, length)) = opened.zip(length) else {
        return no(format!("{} does not open piece {}", task.opening.display(), task.piece));
    };
    // The bytes of the piece that are bytes of the file, and zeros behind them.
    let rest = length.saturating_sub(task.piece.saturating_mul(PIECE as u64));
    let (bytes, behind) = bytes.split_at(rest.min(PIECE as u64) as usize);
    if bytes.is_empty() || behind.iter().any(|&byte| byte != 0) {
        let problem = format!("which is not of a file of {length} bytes");
        return no(format!("{} opens piece {}, {problem}", task.opening.display(), task.piece));
    }
    if common.json {
        let json = serde_json::json!({
            "piece": task.piece, "exact": published.shows != Shows::Knowledge,
            "file_bytes": length, "hex": hex::encode(bytes),
        });
        return common.verdict(None, json, []);
    }
    let written = Stdout.write_all(bytes).and_then(|()| Stdout.flush());
    written.map_err(|e| Failure::new(format!("stdout: {e}")))?;
    Ok(Answer::Yes)
}
