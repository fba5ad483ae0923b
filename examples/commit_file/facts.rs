//! Facts about a committed file, proved and checked.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tautochrone_cli::{Answer, Common, Failure, Output, Privacy, Seeded};
use tautochrone_zk::argument::{Claims, Slot};
use tautochrone_zk::{Error, Prover, Shows, Statement};

use super::args::{Prove, Verify};
use super::claims::{self, Named, Values};
use super::layout::LENGTH;
use super::pieces::{self, Owner};
use super::published::Published;

/// The context of proofs of facts.
const CONTEXT: &str = "commit_file 2: a fact";
/// Most bytes of the record of a slot: 256 facts of two numbers.
const LONGEST_LINE: u64 = 1 << 16;

/// Slot `index` for facts, which is behind the one for the bits.
fn slot(published: &Published, path: &Path, index: u32) -> Result<Slot, Failure> {
    let layout = &published.layout;
    layout.slot(index.saturating_add(1)).map_err(|_| {
        let problem = match layout.slots() {
            0 | 1 => "no fact can be proved of it: it was not committed to with --facts".to_owned(),
            slots => format!("--slot {index}: the statement has {} slots for facts", slots - 1),
        };
        Failure::file(path, problem)
    })
}

/// Facts as one list.
fn claims(named: &[Named]) -> Result<Claims, Failure> {
    let facts = named.iter().map(|named| named.fact.clone().into()).collect();
    Claims::new(facts).map_err(Failure::new)
}

/// Refuses an output in the place of a record of a key.
pub(crate) fn spare_records(key: &Path, out: &Path) -> Result<(), Failure> {
    (0..8).try_for_each(|slot| {
        tautochrone_cli::distinct(&[("out", out)], &[("key", &record(key, slot))])
    })
}

/// Where it is remembered which facts a slot is used for.
fn record(key: &Path, slot: u32) -> PathBuf {
    let mut path = key.to_owned().into_os_string();
    path.push(format!(".slot{slot}"));
    PathBuf::from(path)
}

/// The record next to the key: which facts about which statement a slot has served for. A
/// slot that served others is refused: two lists under the same pads give equations about every
/// piece.
struct Record {
    slot: u32,
    path: PathBuf,
    line: String,
}

impl Record {
    fn new(task: &Prove, statement: &Statement, named: &[Named]) -> Self {
        let names: Vec<&str> = named.iter().map(|named| &named.name[..]).collect();
        let line = format!("{} of {:?}\n", names.join(", "), statement.digest(b""));
        Self { slot: task.slot, path: record(&task.key, task.slot), line }
    }

    /// Takes the slot.
    fn take(&self) -> Result<(), Failure> {
        let failure = |e: io::Error| Failure::file(&self.path, e);
        match OpenOptions::new().write(true).create_new(true).open(&self.path) {
            Ok(mut file) => {
                let written = file.write_all(self.line.as_bytes());
                written.and_then(|()| file.sync_all()).map_err(failure)
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => self.check(),
            Err(e) => Err(failure(e)),
        }
    }

    /// Refuses a slot that has served for anything else.
    fn check(&self) -> Result<(), Failure> {
        if !self.path.exists() {
            return Ok(());
        }
        let before = tautochrone_cli::read(&self.path, LONGEST_LINE)?;
        if before == self.line.as_bytes() {
            return Ok(());
        }
        let before = String::from_utf8_lossy(&before);
        let before = before.split(" of ").next().unwrap_or_default();
        let problem = format!("slot {} has served for {before}; take another", self.slot);
        Err(Failure::file(&self.path, problem))
    }
}

pub(crate) fn prove(task: &Prove, common: &Seeded) -> Result<Answer, Failure> {
    spare_records(&task.key, &task.out)?;
    claims::check(&task.what)?;
    let owner = Owner::read(&task.input, &task.key)?;
    let mut published = Published::read(&task.statement, common)?;
    published.statement = published.statement.with_owner_digest(*owner.key.owner);
    let slot = slot(&published, &task.statement, task.slot)?;
    if let Some(problem) = claims::beyond(&task.what, owner.file.len() as u64) {
        return Err(Failure::new(problem));
    }
    let Published { file, statement, a, layout, .. } = &published;
    let params = statement.params();
    let values = Values::of_file(&task.what, &owner.file);
    let named = values.facts(params, &task.what, owner.file.len() as u64)?;
    let claims = claims(&named)?;
    let record = Record::new(task, statement, &named);
    record.check()?;
    common.busy("proving");
    let messages = owner.messages(layout, &task.statement)?;
    let witness = pieces::witness(a, layout, &messages, &owner.key.seed)?;
    let about = |e: Error| owner.failure(&task.statement, e);
    let mut bytes = published.open(&witness, LENGTH).map_err(about)?;
    let prover = Prover::new(a, statement)?.with_file(file);
    let seed = common.secret_seed()?;
    let proved = prover.prove_claims(CONTEXT.as_bytes(), &slot, &claims, &witness, &seed);
    let proof = proved.map_err(about)?.proof;
    // A refused claim takes no slot; and nothing leaves this process before the slot is taken.
    record.take()?;
    bytes.extend_from_slice(&proof);
    Output::write_whole(&task.out, Privacy::Public, &bytes)?;
    let (slot, facts, size) = (task.slot, named.len(), bytes.len());
    common.report(
        serde_json::json!({ "slot": slot, "facts": facts, "proof_bytes": size }),
        [format!("proof of {size} bytes, facts: {facts}, in slot {slot}")],
    )
}

pub(crate) fn verify(task: &Verify, common: &Common) -> Result<Answer, Failure> {
    claims::check(&task.what)?;
    let values = Values::given(&task.what, &task.value)?;
    let published = Published::read(&task.statement, common)?;
    let slot = slot(&published, &task.statement, task.slot)?;
    let Published { statement, a, .. } = &published;
    let params = statement.params();
    if !task.what.sum.is_empty() && task.proof.is_none() {
        return Err(Failure::new(
            "--sum needs --proof, the proof of the statement: nothing else shows that what is added \
             up is bits",
        ));
    }
    let bits = task.proof.as_ref().map(|path| {
        let proof = tautochrone_cli::read_proof(path, params);
        proof.map_err(|e| tautochrone_cli::about_input(path, &e))
    });
    let bits = bits.transpose()?;
    let column = published.opening_len();
    let most = column as u64 + params.max_file_bytes();
    let bytes = tautochrone_cli::read(&task.fact, most)?;
    let Some((opening, proof)) = bytes.split_at_checked(column) else {
        let problem = format!("has {} bytes; expected the {column} of an opening", bytes.len());
        return Err(Failure::file(&task.fact, format!("{problem} and a proof")));
    };
    let no = |reason: String| common.verdict(Some(reason), serde_json::json!({}), []);
    let Some(length) = published.length(opening)? else {
        return no(format!("{} does not open the length", task.fact.display()));
    };
    if let Some(problem) = claims::beyond(&task.what, length) {
        return no(problem);
    }
    let named = values.facts(params, &task.what, length)?;
    let claims = claims(&named)?;
    let shows = Shows::Claims(slot, claims);
    let facts = published.verifier()?.claim(CONTEXT.as_bytes(), &shows, proof);
    // Both are about one statement, and so about the same entries.
    let of_bits = bits.as_ref().map(|proof| published.claim(proof)).transpose()?;
    let all: Vec<_> = [facts].into_iter().chain(of_bits).collect();
    common.busy("checking");
    let verdicts = a.verify_batch(&all);
    for (verdict, path) in verdicts.iter().zip([&task.fact].into_iter().chain(&task.proof)) {
        if let Err(e) = verdict
            && !matches!(e, Error::Invalid(_))
        {
            return Err(Failure::file(path, e));
        }
    }
    if let Some(e) = verdicts.iter().find_map(|verdict| verdict.as_ref().err()) {
        return no(e.to_string());
    }
    let facts = named.iter().map(|Named { name, over_the_integers, .. }| {
        serde_json::json!({ "fact": name, "over_the_integers": over_the_integers })
    });
    let facts: Vec<_> = facts.collect();
    let lines = named.iter().map(|Named { name, over_the_integers, .. }| {
        let holds = if *over_the_integers { "holds" } else { "holds modulo 2^61 - 1" };
        format!("{name}: the fact {holds}")
    });
    let json = serde_json::json!({ "exact": bits.is_some(), "file_bytes": length, "facts": facts });
    common.verdict(None, json, lines)
}
