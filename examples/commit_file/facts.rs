//! Facts about a committed file: bytes at a place, and sums of numbers over all pieces.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tautochrone::zk::argument::{Fact, PaddedSpace};
use tautochrone::zk::uses::column;
use tautochrone::zk::{
    Params, Prover, PublicMatrix, Security, Statement, Verifier, VerifyError, WitnessSource,
};
use tautochrone_cli::{Answer, Common, Failure, Output, Privacy, say};

use super::args::{Place, Prove, Value, Verify, What};
use super::pieces::{self, PIECE, ROWS};

/// The context of proofs of facts.
const CONTEXT: &str = "commit_file: a fact";
/// Most bytes of a number of a sum: its weights stay below p / 2.
const NUMBER: u64 = 7;

/// That these bytes stand at a place of the file. Beyond its end a file has bytes of 0.
fn bytes_at(offset: u64, bytes: &[u8]) -> Result<Fact, Failure> {
    let (piece, within) = (offset / PIECE as u64, offset % PIECE as u64);
    let bits = bytes.iter().flat_map(|byte| (0..8).map(move |i| i64::from(byte >> i & 1)));
    // The first byte of a message says how long its piece is.
    let row = 8 * (1 + within as u32);
    Fact::block(row, piece, 8 * bytes.len() as u32, bits.collect()).map_err(Failure::new)
}

/// That the little-endian numbers at a place of all `l` pieces add up to a value.
fn sum_at(place: Place, l: u64, value: u128) -> Result<Fact, Failure> {
    let row = 8 * (1 + place.offset as u32);
    let rows = (0..8 * place.length as u32).map(|i| (row + i, 1 << i)).collect();
    let columns = (0..l).map(|j| (j, 1)).collect();
    let value = i64::try_from(value).map_err(|_| Failure::new("the sum exceeds 2^60 - 1"))?;
    Fact::sum(rows, columns, value).map_err(Failure::new)
}

/// Refuses places that no fact is about.
fn check(what: &What) -> Result<(), Failure> {
    let (name, place, most) = match (what.bytes, what.sum) {
        (Some(place), _) => ("bytes", place, PIECE as u64),
        (None, Some(place)) => ("sum", place, NUMBER),
        (None, None) => return Err(Failure::new("--bytes or --sum is needed")),
    };
    let within = if what.bytes.is_some() { place.offset % PIECE as u64 } else { place.offset };
    let end = within.checked_add(place.length);
    let fits = end.is_some_and(|end| end <= PIECE as u64);
    if fits && (1..=most).contains(&place.length) {
        return Ok(());
    }
    let expected = format!("expected 1 to {most} bytes within one piece of {PIECE}");
    Err(Failure::new(format!("--{name} {place}: {expected}")))
}

/// The fact that is true of a file, given its messages.
fn of_messages(what: &What, messages: &[i8]) -> Result<Fact, Failure> {
    let pieces: Vec<Vec<u8>> = messages.chunks(ROWS as usize).filter_map(pieces::bytes).collect();
    if let Some(Place { offset, length }) = what.bytes {
        let file = pieces.concat();
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = file.get(start..).and_then(|rest| rest.get(..length as usize));
        let length = file.len();
        let bytes = bytes.ok_or_else(|| Failure::new(format!("the file has {length} bytes")))?;
        return bytes_at(offset, bytes);
    }
    let place = what.sum.ok_or_else(|| Failure::new("--sum is needed"))?;
    let number = |piece: &Vec<u8>| {
        let at = |i: u64| piece.get((place.offset + i) as usize).copied().unwrap_or(0);
        (0..place.length).map(|i| u128::from(at(i)) << (8 * i)).sum::<u128>()
    };
    sum_at(place, pieces.len() as u64, pieces.iter().map(number).sum())
}

/// The fact that a reader asks about.
fn of_value(what: &What, value: &Value, l: u64) -> Result<Fact, Failure> {
    match (what.bytes, what.sum) {
        (Some(place), _) => {
            let bytes = match (&value.text, &value.hex) {
                (Some(text), _) => text.clone().into_bytes(),
                (None, digits) => hex::decode(digits.as_deref().unwrap_or_default())
                    .map_err(|e| Failure::new(format!("--hex: {e}")))?,
            };
            if bytes.len() as u64 != place.length {
                let got = bytes.len();
                return Err(Failure::new(format!("--bytes {place}: {got} bytes are given")));
            }
            bytes_at(place.offset, &bytes)
        }
        (None, place) => {
            let place = place.ok_or_else(|| Failure::new("--sum is needed"))?;
            sum_at(place, l, value.total.unwrap_or_default().into())
        }
    }
}

/// The space of a statement, if facts can be proved of it.
fn space(params: &Params, statement: &Path) -> Result<PaddedSpace, Failure> {
    if pieces::slots(params).0 == 0 {
        let problem = "no fact can be proved of it: it was not committed to with --facts";
        return Err(Failure::file(statement, problem));
    }
    pieces::space(params)
}

/// Remembers next to the key which fact a slot is used for. A slot that served another fact is
/// refused: two facts under the same pads give equations about every piece.
fn reserve(task: &Prove, statement: &Statement) -> Result<(), Failure> {
    let (name, place) = match (task.what.bytes, task.what.sum) {
        (Some(place), _) => ("bytes", place.to_string()),
        (None, place) => ("sum", place.map(|place| place.to_string()).unwrap_or_default()),
    };
    let line = format!("{name} {place} of {:?}\n", statement.digest(b""));
    let mut path = task.key.clone().into_os_string();
    path.push(format!(".slot{}", task.slot));
    let path = PathBuf::from(path);
    let failure = |e: io::Error| Failure::file(&path, e);
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => {
            file.write_all(line.as_bytes()).and_then(|()| file.sync_all()).map_err(failure)
        }
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            let before = tautochrone_cli::read(&path, tautochrone_cli::OPTION)?;
            if before == line.as_bytes() {
                return Ok(());
            }
            let before = String::from_utf8_lossy(&before);
            let before = before.split(" of ").next().unwrap_or_default();
            let problem = format!("slot {} has served for {before}; take another", task.slot);
            Err(Failure::file(&path, problem))
        }
        Err(e) => Err(failure(e)),
    }
}

pub(crate) fn prove(task: &Prove, common: &Common) -> Result<Answer, Failure> {
    let inputs = [("in", &*task.input), ("statement", &*task.statement), ("key", &*task.key)];
    tautochrone_cli::named(&[("out", &*task.out)], &inputs)?;
    check(&task.what)?;
    common.start_threads()?;
    let mut messages = pieces::messages(&task.input)?;
    let key = pieces::key(&task.key)?;
    let file = tautochrone_cli::open(&task.statement)?;
    let statement = Statement::read(&file, Security::Required);
    let statement = statement.map_err(|e| Failure::file(&task.statement, e))?;
    let params = statement.params();
    pieces::fill(&mut messages, params.l());
    let slot = space(params, &task.statement)?.slot(task.slot).map_err(Failure::new)?;
    let fact = of_messages(&task.what, &messages)?;
    let a = PublicMatrix::new_on(common.isa, params, *statement.seed_a());
    let witness = pieces::witness(&a, params, &messages, &key)?;
    belongs(task, &a, &statement, &file, &*witness)?;
    reserve(task, &statement)?;
    let busy = common.busy("proving");
    let prover = Prover::new(&a, &statement).map_err(Failure::new)?.with_file(&file);
    let seed = common.secret_seed()?;
    let proved = prover.prove_fact(CONTEXT.as_bytes(), slot, &fact, &*witness, &seed);
    let proof = proved.map_err(Failure::new)?.proof.to_bytes(params);
    drop(busy);
    Output::write_whole(&task.out, Privacy::Public, &proof)?;
    let size = proof.len();
    if common.json {
        say(serde_json::json!({ "slot": task.slot, "proof_bytes": size }))?;
    } else {
        say(format_args!("proof of {size} bytes, in slot {}", task.slot))?;
    }
    Ok(Answer::Yes)
}

/// That file and key are those of the commitment, by its first piece; a proof of others would not
/// be valid, but would use up the slot.
fn belongs(
    task: &Prove,
    a: &PublicMatrix,
    statement: &Statement,
    file: &tautochrone::zk::FileSource,
    witness: &dyn WitnessSource,
) -> Result<(), Failure> {
    let column = column(statement.params(), witness, 0).map_err(Failure::new)?;
    let t = statement.column(file, 0).map_err(|e| Failure::file(&task.statement, e))?;
    if a.opens(&t, &column) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} and {} do not open {}; expected the file and the key of its commitment",
        task.input.display(),
        task.key.display(),
        task.statement.display()
    )))
}

pub(crate) fn verify(task: &Verify, common: &Common) -> Result<Answer, Failure> {
    check(&task.what)?;
    common.start_threads()?;
    let file = tautochrone_cli::open(&task.statement)?;
    let statement = Statement::read(&file, Security::Required);
    let statement = statement.map_err(|e| Failure::file(&task.statement, e))?;
    let params = statement.params();
    let slot = space(params, &task.statement)?.slot(task.slot).map_err(Failure::new)?;
    let fact = of_value(&task.what, &task.value, params.l())?;
    let a = PublicMatrix::new_on(common.isa, params, *statement.seed_a());
    let proof = tautochrone_cli::read(&task.fact, params.max_fact_bytes())?;
    let verifier = Verifier::new(&a, &statement).map_err(Failure::new)?;
    let verdict = verifier.verify_fact_streaming(CONTEXT.as_bytes(), slot, &fact, &file, &proof);
    let reason = match verdict {
        Ok(()) => None,
        Err(e @ VerifyError::Invalid(_)) => Some(e.to_string()),
        Err(VerifyError::NoVerdict(e)) => return Err(Failure::file(&task.fact, e)),
    };
    if let Some(reason) = &reason {
        tautochrone_cli::warn(reason);
    }
    let exact = fact.holds_over_the_integers(params);
    if common.json {
        let valid = reason.is_none();
        say(serde_json::json!({ "valid": valid, "exact": exact, "reason": reason }))?;
    } else if reason.is_none() {
        say(if exact { "the fact holds" } else { "the fact holds modulo 2^61 - 1" })?;
    }
    Ok(if reason.is_none() { Answer::Yes } else { Answer::No })
}
