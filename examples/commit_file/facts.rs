//! Facts about a committed file, proved and checked.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use tautochrone_cli::{Answer, Common, Failure, Output, Privacy, say};
use tautochrone_zk::argument::PaddedSpace;
use tautochrone_zk::{self as zk, Error, Prover, Statement, VerifyError};

use super::args::{Prove, Verify, What};
use super::claims::{self, Claim, Named, Values};
use super::layout::bits;
use super::pieces::{self, Owner};
use super::published::Published;

/// The context of proofs of facts.
const CONTEXT: &str = "commit_file 2: a fact";
/// Most bytes of what is remembered of a slot: 256 facts of two numbers.
const LONGEST_LINE: u64 = 1 << 16;

/// The space of a statement, if facts can be proved of it.
fn space(published: &Published, path: &Path, what: &What) -> Result<PaddedSpace, Failure> {
    let space = published.layout.space.filter(|space| space.slots() > 0).ok_or_else(|| {
        let problem = "no fact can be proved of it: it was not committed to with --facts";
        Failure::file(path, problem)
    })?;
    if !what.sum.is_empty() && space.range_slots() == 0 {
        let problem = "no sum can be proved of it: it was not committed to with --exact, so nothing \
                       shows that what is added up is bits";
        return Err(Failure::file(path, problem));
    }
    Ok(space)
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

/// What is remembered next to the key: which facts about which statement slots have served for. A
/// slot that served others is refused: two claims under the same pads give equations about every
/// piece.
struct Slots<'a> {
    key: &'a Path,
    indices: Range<u32>,
    line: String,
}

impl<'a> Slots<'a> {
    fn new(task: &'a Prove, statement: &Statement, claim: &Claim, named: &[Named]) -> Self {
        let mut names: Vec<&str> = named.iter().map(|named| &named.name[..]).collect();
        let first = format!("in slots from {}", task.slot);
        // The same facts in other slots are another claim, whose slots may overlap with these.
        names.extend((named.len() > 1).then_some(&first[..]));
        let line = format!("{} of {:?}\n", names.join(", "), statement.digest(b""));
        Self { key: &task.key, indices: task.slot..task.slot + claim.slots(), line }
    }

    fn path(&self, slot: u32) -> PathBuf {
        record(self.key, slot)
    }

    /// Refuses slots of which one has served for anything else, before any of them is taken.
    fn check(&self) -> Result<(), Failure> {
        let mut slots = self.indices.clone().filter(|&slot| self.path(slot).exists());
        slots.try_for_each(|slot| self.served(slot))
    }

    /// Takes them.
    fn take(&self) -> Result<(), Failure> {
        for slot in self.indices.clone() {
            let path = self.path(slot);
            let failure = |e: io::Error| Failure::file(&path, e);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let written = file.write_all(self.line.as_bytes());
                    written.and_then(|()| file.sync_all()).map_err(failure)?;
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => self.served(slot)?,
                Err(e) => return Err(failure(e)),
            }
        }
        Ok(())
    }

    /// Refuses a slot that has served for anything else.
    fn served(&self, slot: u32) -> Result<(), Failure> {
        let path = self.path(slot);
        let before = tautochrone_cli::read(&path, LONGEST_LINE)?;
        if before == self.line.as_bytes() {
            return Ok(());
        }
        let before = String::from_utf8_lossy(&before);
        let before = before.split(" of ").next().unwrap_or_default();
        let problem = format!("slot {slot} has served for {before}; take another");
        Err(Failure::file(&path, problem))
    }
}

pub(crate) fn prove(task: &Prove, common: &Common) -> Result<Answer, Failure> {
    let records = records(&task.key);
    let mut inputs = vec![("in", &*task.input), ("statement", &task.statement), ("key", &task.key)];
    inputs.extend(records.iter().map(|path| ("key", &**path)));
    tautochrone_cli::named(&[("out", &*task.out)], &inputs)?;
    claims::check(&task.what)?;
    common.start_threads()?;
    let owner = Owner::read(&task.input, &task.key)?;
    let mut published = Published::read(&task.statement, common)?;
    published.statement = published.statement.with_owner_digest(owner.key.owner.clone());
    let space = space(&published, &task.statement, &task.what)?;
    if let Some(problem) = claims::beyond(&task.what, owner.file.len() as u64) {
        return Err(Failure::new(problem));
    }
    let Published { file, statement, a, layout } = &published;
    let params = statement.params();
    let values = Values::of_file(&task.what, &owner.file);
    let named = values.facts(layout, params, &task.what, owner.file.len() as u64)?;
    let claim = Claim::new(&space, task.slot, &named)?;
    let slots = Slots::new(task, statement, &claim, &named);
    slots.check()?;
    let busy = common.busy("proving");
    let messages = owner.messages(layout, &task.statement)?;
    let witness = pieces::witness(a, params, layout.space.as_ref(), &messages, &owner.key.seed)?;
    let about = |e: Error| owner.failure(&task.statement, e);
    let mut bytes = published.open(&*witness, layout.length_column()).map_err(about)?;
    let prover = Prover::new(a, statement).map_err(Failure::new)?.with_file(file);
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
    let proof = proof.map_err(about)?;
    drop(busy);
    // What is refused takes no slot; and nothing leaves this process before the slots are taken.
    slots.take()?;
    bytes.extend_from_slice(&proof);
    Output::write_whole(&task.out, Privacy::Public, &bytes)?;
    let (size, slots) = (bytes.len(), claim.slots());
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

pub(crate) fn verify(task: &Verify, common: &Common) -> Result<Answer, Failure> {
    claims::check(&task.what)?;
    let values = Values::given(&task.what, &task.value)?;
    common.start_threads()?;
    let published = Published::read(&task.statement, common)?;
    let space = space(&published, &task.statement, &task.what)?;
    let Published { file, statement, a, layout } = &published;
    let params = statement.params();
    if !task.what.sum.is_empty() && task.proof.is_none() {
        return Err(Failure::new(
            "--sum needs --proof, the proof of the statement: nothing else shows that what is added \
             up is bits",
        ));
    }
    if let Some(proof) = task.proof.as_ref().filter(|_| layout.range_slot().is_none()) {
        let problem = "shows nothing of the bytes: its statement was not committed to with --exact";
        return Err(Failure::file(proof, problem));
    }
    let ranges = task.proof.as_ref().map(|path| {
        let proof = tautochrone_cli::read_proof(path, params);
        proof.map_err(|e| tautochrone_cli::about_input(path, &e))
    });
    let ranges = ranges.transpose()?;
    let column = published.opening_len();
    let most = params.max_fact_bytes().max(params.max_facts_bytes());
    let bytes = tautochrone_cli::read(&task.fact, column as u64 + most)?;
    let Some((opening, proof)) = bytes.split_at_checked(column) else {
        let problem = format!("has {} bytes; expected the {column} of an opening", bytes.len());
        return Err(Failure::file(&task.fact, format!("{problem} and a proof")));
    };
    let Some(length) = published.length(opening).map_err(Failure::new)? else {
        return no(task, &format!("{} does not open the length", task.fact.display()));
    };
    if let Some(problem) = claims::beyond(&task.what, length) {
        return no(task, &problem);
    }
    let named = values.facts(layout, params, &task.what, length)?;
    let claim = Claim::new(&space, task.slot, &named)?;
    let (context, shows) = (CONTEXT.as_bytes(), claim.shows());
    let facts = zk::Claim { statement, statement_file: Some(file), context, shows, proof };
    let busy = common.busy("checking");
    let bits = bits().map_err(Failure::new)?;
    let verdict = match &ranges {
        Some(proof) => a.verify_in_ranges(&facts, &published.claim(&bits, proof)),
        None => a.verify_batch(&[facts]).remove(0),
    };
    drop(busy);
    match verdict {
        Ok(()) => (),
        Err(e @ VerifyError::Invalid(_)) => return no(task, &e.to_string()),
        Err(VerifyError::NoVerdict(e)) => {
            let files = [&task.fact].into_iter().chain(&task.proof);
            let files: Vec<_> = files.map(|path| path.display().to_string()).collect();
            return Err(Failure::new(format!("{}: {e}", files.join(" or "))));
        }
    }
    if common.json {
        let facts = named.iter().map(|Named { name, over_the_integers, .. }| {
            serde_json::json!({ "fact": name, "over_the_integers": over_the_integers })
        });
        let facts: Vec<_> = facts.collect();
        say(serde_json::json!({
            "valid": true, "exact": ranges.is_some(), "file_bytes": length, "facts": facts,
        }))?;
    } else {
        for Named { name, over_the_integers, .. } in &named {
            let holds = if *over_the_integers { "holds" } else { "holds modulo 2^61 - 1" };
            say(format_args!("{name}: the fact {holds}"))?;
        }
    }
    Ok(Answer::Yes)
}

/// A negative answer and its reason.
fn no(task: &Verify, reason: &str) -> Result<Answer, Failure> {
    tautochrone_cli::warn(reason);
    if task.common.json {
        say(serde_json::json!({ "valid": false, "reason": reason }))?;
    }
    Ok(Answer::No)
}
