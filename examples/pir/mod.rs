//! Private information retrieval from one server, on files.
//!
//! ```sh
//! pir setup --in file --block 4096 --hint h               # server, once; publish h
//! pir query --hint h --index 3 --query q --secret k       # client; send q
//! pir answer --in file --query q --answer a               # server; send a
//! pir recover --hint h --secret k --answer a --out block  # client
//! ```
//!
//! The server works on the whole file for every query, so nothing that it does shows the index;
//! what it receives is a sample of LWE.
//!
//! The hint has a hash of each block, and hint, query, secret and answer a digest of these. The
//! server refuses a query for another file than its own, and the client every block but the one of
//! the hint, whether the server errs or lies. A hint is believed: whoever makes it decides what the
//! file is. And a server that answers falsely about some blocks learns whether one of them was
//! asked for, if it learns that the client has refused the answer.

mod args;
mod files;
mod scheme;

use std::path::Path;
use std::time::Instant;

use args::{Args, Task};
use files::{Header, Kind};
use scheme::Shape;
use tautochrone_cli::{Answer, Common, Failure, Output, Privacy};
use tautochrone_ctr::Seed;
use zeroize::Zeroizing;

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| match &args.task {
        Task::Setup(task) => setup(task),
        Task::Query(task) => query(task),
        Task::Answer(task) => answer(task),
        Task::Recover(task) => recover(task),
    })
}

/// The file, zeros up to the end of its last block, and its own length.
fn served(path: &Path, rows: u32, common: &Common) -> Result<(Vec<u8>, u64), Failure> {
    common.busy("reading the file");
    let mut file = tautochrone_cli::read(path, tautochrone_cli::DATA)?;
    let bytes = file.len() as u64;
    if bytes == 0 {
        return Err(tautochrone_cli::about_input(path, &"is empty; expected a file to serve"));
    }
    file.resize(file.len().next_multiple_of(rows as usize), 0);
    Ok((file, bytes))
}

fn setup(task: &args::SetupArgs) -> Result<Answer, Failure> {
    let (file, bytes) = served(&task.input, task.block, &task.common)?;
    let shape = Shape::new(bytes, task.block)?;
    let seed_a = tautochrone_cli::public_part(&task.common.secret_seed()?, "pir: A");
    task.common.busy("making the hint");
    let mut hint = scheme::hint(shape, &seed_a, &file, task.common.isa())?;
    let hashes = files::hashes(shape, &file);
    let digest = files::digest(&hashes);
    hint.extend(hashes);
    files::write(&task.hint, Kind::Hint, Header { shape, bytes, seed_a, digest }, &hint)?;
    let (size, security) = (4 * hint.len(), shape.security());
    let (query, answer, n) = (4 * shape.columns, 4 * shape.rows, shape.secret);
    task.common.report(
        serde_json::json!({
            "blocks": shape.columns, "block_bytes": shape.rows, "lwe_dimension": n,
            "security_bits": security, "hint_bytes": size, "query_bytes": query,
            "answer_bytes": answer,
        }),
        [
            format!("blocks    {} of {} bytes", shape.columns, shape.rows),
            format!("security  {security:.1} bits (LWE of dimension {n}, core-SVP)"),
            format!("hint      {size} bytes in {}, once", task.hint.display()),
            format!("a query   {query} bytes, its answer {answer}"),
        ],
    )
}

fn query(task: &args::QueryArgs) -> Result<Answer, Failure> {
    let (header, _) = files::read(&task.hint, Kind::Hint)?;
    let shape = header.shape;
    if task.index >= shape.columns {
        let (index, last) = (task.index, shape.columns - 1);
        return Err(Failure::new(format!("--index {index}; the last block is {last}")));
    }
    let common = &task.common;
    if common.seed.is_some() {
        tautochrone_cli::warn("warning: two queries with the same --seed show what they ask for");
    }
    let seed = tautochrone_cli::part(&common.secret_seed()?, "pir: query");
    common.busy("encrypting the query");
    let u = scheme::query(shape, &header.seed_a, &seed, task.index, common.isa())?;
    let words = seed.expose().as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
    let secret: Zeroizing<Vec<u32>> = Zeroizing::new(words.chain([task.index]).collect());
    // The secret first: without it, an answer is worth nothing.
    files::write(&task.secret, Kind::Secret, header, &secret)?;
    files::write(&task.query, Kind::Query, header, &u)?;
    common.report(serde_json::json!({ "query_bytes": 4 * u.len() }), [])
}

fn answer(task: &args::AnswerArgs) -> Result<Answer, Failure> {
    let (header, u) = files::read(&task.query, Kind::Query)?;
    let (file, bytes) = served(&task.input, header.shape.rows, &task.common)?;
    if bytes != header.bytes {
        let what = format!("the query is for a file of {} bytes, not {bytes}", header.bytes);
        return Err(tautochrone_cli::about_input(&task.input, &what));
    }
    if files::digest(&files::hashes(header.shape, &file)) != header.digest {
        let what = "is not the file of the query; make a new hint of it, and queries of that";
        return Err(tautochrone_cli::about_input(&task.input, &what));
    }
    let start = Instant::now();
    task.common.busy("answering");
    let z = scheme::answer(header.shape, &file, &u, task.common.isa())?;
    let seconds = start.elapsed().as_secs_f64();
    files::write(&task.answer, Kind::Answer, header, &z)?;
    let rate = file.len() as f64 / seconds / 1e9;
    task.common.report(
        serde_json::json!({ "seconds": seconds, "gigabytes_per_second": rate }),
        [format!("answered in {:.3} ms, {rate:.1} GB/s", seconds * 1e3)],
    )
}

fn recover(task: &args::RecoverArgs) -> Result<Answer, Failure> {
    let (header, hint) = files::read(&task.hint, Kind::Hint)?;
    let (of_secret, secret) = files::read(&task.secret, Kind::Secret)?;
    let (of_answer, z) = files::read(&task.answer, Kind::Answer)?;
    for (path, other) in [(&task.secret, of_secret), (&task.answer, of_answer)] {
        if other != header {
            let what = format!("belongs to another hint than {}", task.hint.display());
            return Err(tautochrone_cli::about_input(path, &what));
        }
    }
    let (index, shape) = (secret[8], header.shape);
    if index >= shape.columns {
        return Err(Failure::file(&task.secret, "names a block beyond the last"));
    }
    let mut seed = Zeroizing::new([0; 32]);
    for (bytes, word) in seed.as_chunks_mut().0.iter_mut().zip(&*secret) {
        *bytes = word.to_le_bytes();
    }
    let seed = Seed::from_bytes(*seed);
    let (h, hashes) = files::split(shape, &hint);
    let block = scheme::recover(shape, h, &seed, &z, task.common.isa())?;
    if files::hash(&block) != hashes.as_chunks().0[index as usize] {
        let what = format!(
            "does not give the block of {}: it is altered, or of another file",
            task.hint.display()
        );
        return Err(tautochrone_cli::about_input(&task.answer, &what));
    }
    // The last block may be shorter than the others.
    let first = u64::from(index) * u64::from(shape.rows);
    let len = (header.bytes - first).min(block.len() as u64) as usize;
    Output::write_whole(&task.out, Privacy::Secret, &block[..len])?;
    task.common.report(serde_json::json!({ "block": index, "bytes": len }), [])
}
