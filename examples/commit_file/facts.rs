//! Facts about a committed file, proved and checked.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tautochrone::zk::argument::PaddedSpace;
use tautochrone::zk::uses::column;
use tautochrone::zk::{
    Params, Prover, PublicMatrix, Security, Statement, Verifier, VerifyError, WitnessSource,
};
use tautochrone_cli::{Answer, Common, Failure, Output, Privacy, say};

use super::args::{Prove, Verify};
use super::claims::{self, Claim, Named};
use super::pieces;

/// The context of proofs of facts.
const CONTEXT: &str = "commit_file: a fact";
/// Most bytes of what is remembered of a slot: 256 facts of two numbers.
const LONGEST_LINE: u64 = 1 << 16;
/// The space of a statement, if facts can be proved of it.
fn space(params: &Params, statement: &Path) -> Result<PaddedSpace, Failure> {
    if pieces::slots(params).0 == 0 {
        let problem = "no fact can be proved of it: it was not committed to with --facts";
        return Err(Failure::file(statement, problem));
    }
    pieces::space(params)
}

/// All files of such records of a key, of which none may be replaced.
pub(crate) fn records(key: &Path) -> Vec<PathBuf> {
    (0..8).map(|slot| record(key, slot)).collect()
}

/// Where it is remembered which facts a slot is used for.
fn record(key: &Path, slot: u32) -> PathBuf {
    let mut path = key.to_owned().into_os_string();
    path.push(format!(".slot{slot}"));
    PathBuf::from(path)
}

/// Remembers next to the key which facts slots are used for. A slot that served others is refused:
/// two claims under the same pads give equations about every piece.
fn reserve(
    task: &Prove,
    statement: &Statement,
    claim: &Claim,
    named: &[Named],
) -> Result<(), Failure> {
    let mut names: Vec<&str> = named.iter().map(|named| &named.name[..]).collect();
    let first = format!("in slots from {}", task.slot);
    // The same facts in other slots are another claim, whose slots may overlap with these.
    names.extend((named.len() > 1).then_some(&first[..]));
    let line = format!("{} of {:?}\n", names.join(", "), statement.digest(b""));
    let slots = task.slot..task.slot + claim.slots();
    let path = |slot: u32| record(&task.key, slot);
    // All slots are looked at before one of them is taken.
    for slot in slots.clone().filter(|&slot| path(slot).exists()) {
        served(&path(slot), slot, &line)?;
    }
    for slot in slots {
        let path = path(slot);
        let failure = |e: io::Error| Failure::file(&path, e);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(line.as_bytes()).and_then(|()| file.sync_all()).map_err(failure)?;
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => served(&path, slot, &line)?,
            Err(e) => return Err(failure(e)),
        }
    }
    Ok(())
}

/// Refuses a slot that has served for anything but `line`.
fn served(path: &Path, slot: u32, line: &str) -> Result<(), Failure> {
    let before = tautochrone_cli::read(path, LONGEST_LINE)?;
    if before == line.as_bytes() {
        return Ok(());
    }
    let before = String::from_utf8_lossy(&before);
    let before = before.split(" of ").next().unwrap_or_default();
    let problem = format!("slot {slot} has served for {before}; take another");
    Err(Failure::file(path, problem))
}

pub(crate) fn prove(task: &Prove, common: &Common) -> Result<Answer, Failure> {
    let records = records(&task.key);
    let mut inputs = vec![("in", &*task.input), ("statement", &task.statement), ("key", &task.key)];
    inputs.extend(records.iter().map(|path| ("key", &**path)));
    tautochrone_cli::named(&[("out", &*task.out)], &inputs)?;
    claims::check(&task.what)?;
    common.start_threads()?;
    let mut messages = pieces::messages(&task.input)?;
    let key = pieces::key(&task.key)?;
    let file = tautochrone_cli::open(&task.statement)?;
    let statement = Statement::read(&file, Security::Required);
    let statement = statement.map_err(|e| Failure::file(&task.statement, e))?;
    let params = statement.params();
    pieces::fill(&mut messages, params.l());
    let named = claims::of_messages(&task.what, &messages)?;
    let claim = Claim::new(&space(params, &task.statement)?, task.slot, params.l(), &named)?;
    let a = PublicMatrix::new_on(common.isa, params, *statement.seed_a());
    let witness = pieces::witness(&a, params, &messages, &key)?;
    belongs(task, &a, &statement, &file, &*witness)?;
    reserve(task, &statement, &claim, &named)?;
    let busy = common.busy("proving");
    let prover = Prover::new(&a, &statement).map_err(Failure::new)?.with_file(&file);
    let seed = common.secret_seed()?;
    let context = CONTEXT.as_bytes();
    let proof = match &claim {
        Claim::One(slot, fact) => {
            let proved = prover.prove_fact(context, *slot, fact, &*witness, &seed);
            proved.map(|proved| proved.proof.to_bytes(params))
        }
        Claim::Several(slot, facts) => {
            let proved = prover.prove_facts(context, *slot, facts, &*witness, &seed);
            proved.map(|proved| proved.proof.to_bytes(params))
        }
    };
    let proof = proof.map_err(Failure::new)?;
    drop(busy);
    Output::write_whole(&task.out, Privacy::Public, &proof)?;
    let (size, slots) = (proof.len(), claim.slots());
    if common.json {
        let facts = named.len();
        say(serde_json::json!({
            "slot": task.slot, "slots": slots, "facts": facts, "proof_bytes": size,
        }))?;
    } else if let Claim::One(..) = claim {
        say(format_args!("proof of {size} bytes, in slot {}", task.slot))?;
    } else {
        let (facts, last) = (named.len(), task.slot + slots - 1);
        say(format_args!(
            "proof of {size} bytes of {facts} facts, in slots {} to {last}",
            task.slot
        ))?;
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
    claims::check(&task.what)?;
    common.start_threads()?;
    let file = tautochrone_cli::open(&task.statement)?;
    let statement = Statement::read(&file, Security::Required);
    let statement = statement.map_err(|e| Failure::file(&task.statement, e))?;
    let params = statement.params();
    let named = claims::of_values(&task.what, &task.value, params.l())?;
    let claim = Claim::new(&space(params, &task.statement)?, task.slot, params.l(), &named)?;
    let a = PublicMatrix::new_on(common.isa, params, *statement.seed_a());
    let verifier = Verifier::new(&a, &statement).map_err(Failure::new)?;
    let context = CONTEXT.as_bytes();
    let verdict = match &claim {
        Claim::One(slot, fact) => {
            let proof = tautochrone_cli::read(&task.fact, params.max_fact_bytes())?;
            verifier.verify_fact_streaming(context, *slot, fact, &file, &proof)
        }
        Claim::Several(slot, facts) => {
            let proof = tautochrone_cli::read(&task.fact, params.max_facts_bytes())?;
            verifier.verify_facts_streaming(context, *slot, facts, &file, &proof)
        }
    };
    let reason = match verdict {
        Ok(()) => None,
        Err(e @ VerifyError::Invalid(_)) => Some(e.to_string()),
        Err(VerifyError::NoVerdict(e)) => return Err(Failure::file(&task.fact, e)),
    };
    if let Some(reason) = &reason {
        tautochrone_cli::warn(reason);
    }
    let exact: Vec<bool> =
        named.iter().map(|named| named.fact.holds_over_the_integers(params)).collect();
    if common.json {
        let facts = named.iter().zip(&exact).map(|(named, exact)| {
            let name = &named.name;
            serde_json::json!({ "fact": name, "exact": exact })
        });
        let facts: Vec<_> = facts.collect();
        say(serde_json::json!({
            "valid": reason.is_none(), "exact": exact.iter().all(|&exact| exact),
            "reason": reason, "facts": facts,
        }))?;
    } else if reason.is_none() {
        for (named, exact) in named.iter().zip(exact) {
            let holds = if exact { "holds" } else { "holds modulo 2^61 - 1" };
            say(format_args!("{}: the fact {holds}", named.name))?;
        }
    }
    Ok(if reason.is_none() { Answer::Yes } else { Answer::No })
}
