//! Use as a library: commit to a file today, open single pieces of it later.
//!
//! ```sh
//! commit_file commit --in log.txt --statement s.lzs --proof p.lzp --key k     # publish s.lzs and p.lzp
//! commit_file open --in log.txt --statement s.lzs --key k --piece 3 --out o   # publish o
//! commit_file check --statement s.lzs --proof p.lzp --piece 3 --opening o     # prints the piece
//! ```
//!
//! With `commit --facts 2` facts can be proved twice, any number at once, and nothing else of the
//! file is revealed but its length:
//!
//! ```sh
//! commit_file prove --in log.txt --statement s.lzs --key k --slot 0 --bytes 300:5 --out f.lzf
//! commit_file verify --statement s.lzs --fact f.lzf --slot 0 --bytes 300:5 --text error
//! ```
//!
//! The proof then shows besides, as with `commit --exact`, that all entries are bits, exactly: that
//! every piece can be opened, and to bytes. `verify` says so. Only then can numbers be added up:
//!
//! ```sh
//! commit_file prove --in log.txt --statement s.lzs --key k --slot 1 --out f.lzf \
//!     --bytes 300:5 --bytes 9:1 --sum 5:2
//! commit_file verify --statement s.lzs --proof p.lzp --fact f.lzf --slot 1 \
//!     --bytes 300:5 --text error --bytes 9:1 --text x --sum 5:2 --value 77
//! ```
//!
//! A column of T commits to 1024 bits under uniform randomness. The first columns mask what proofs
//! of bits and facts send, and are never opened; behind them is one with the length of the file,
//! and then its pieces of 128 bytes (docs/format.md). The proof shows that all of them can be
//! opened. An opening reveals the length and one piece, and nothing about the others, before and
//! after any proofs. Openings and facts of one statement never contradict each other: they are
//! about the same length and the same bytes.

mod args;
mod check;
mod claims;
mod facts;
mod layout;
mod pieces;
mod published;

use args::{Args, Commit, Open, Task};
use layout::{BITS, LENGTH, PIECE, ROWS};
use pieces::{CONTEXT, Key, Owner};
use published::Published;
use tautochrone_cli::{Answer, CommandLine, Common, Failure, Output, Privacy, Seeded};
use tautochrone_zk::{Error, Prover, PublicMatrix, Requirement, Security};
use zeroize::Zeroizing;

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| match &args.task {
        Task::Commit(task) => commit(task, &task.common),
        Task::Open(task) => open(task, &task.common),
        Task::Check(task) => check::check(task, &task.common),
        Task::Prove(task) => facts::prove(task, &task.common),
        Task::Verify(task) => facts::verify(task, &task.common),
    })
}

fn commit(task: &Commit, common: &Seeded) -> Result<Answer, Failure> {
    let text = pieces::file(&task.input)?;
    let key = common.hiding_seed()?;
    let key_file = Output::create_new(&task.key, Privacy::Secret)?;
    common.busy("searching for parameters");
    let pieces = text.len().div_ceil(PIECE) as u64;
    let exact = task.exact || task.facts > 0;
    let slots = u32::from(exact) + task.facts;
    // This proof, and one a list of facts.
    let goal = task.masks.apply(layout::layout(slots, 1 + pieces)?.goal(1), 1 + task.facts);
    let params = goal.optimise()?.validate(Security::Required)?;
    let layout = layout::of(&params)?;
    let seed_a = tautochrone_cli::public_part(&key, "commit_file: A");
    let a = PublicMatrix::new_on(common.isa(), &params, seed_a);
    let messages = layout::messages(&layout, &text).expect("the columns are as many as it needs");
    let witness = pieces::witness(&a, &layout, &messages, &key)?;
    common.busy("committing and proving");
    let mut file = Output::create(&task.statement, Privacy::Public)?;
    let statement = a.commit_and_hold(&witness, &mut file)?;
    let prover = Prover::new(&a, &statement)?;
    let context = CONTEXT.as_bytes();
    let proof = if let Ok(slot) = layout.slot(0) {
        prover.prove_claims(context, &slot, &layout::bits(), &witness, &key)?.proof
    } else {
        prover.prove(context, &witness, &key)?.proof
    };
    // The key first: a published statement whose key is lost can never be opened.
    let owner = statement.owner_digest().expect("this process has made the statement");
    let owner = Zeroizing::new(*owner);
    key_file.finish_with(Key { seed: key, owner }.text().as_bytes())?;
    file.finish()?;
    Output::write_whole(&task.proof, Privacy::Public, &proof)?;
    let line = CommandLine::new("verify")
        .with("statement", [task.statement.display()])
        .with("proof", [task.proof.display()])
        .with("context", [CONTEXT])
        .with("message-rows", [ROWS])
        .with("require", exact.then(|| Requirement::from(BITS).of_columns(1 + pieces)));
    let (hiding, size) = (layout.hiding(&params)?.classical, proof.len());
    let json = serde_json::json!({
        "pieces": pieces, "exact": exact, "hiding_bits": hiding,
        "most_proofs": params.masks().proofs(), "proof_bytes": size, "verify": line.to_string(),
    });
    let most = params.masks().proofs().map(|most| {
        let proofs = if most == 1 { "proof" } else { "proofs" };
        format!("hidden by LWE, and of at most {most} {proofs} about the file")
    });
    let lines = [
        Some(format!("{pieces} pieces, {hiding:.0} bits of hiding, proof of {size} bytes")),
        most,
        Some(format!("to check the proof: {line}")),
    ];
    common.report(json, lines.into_iter().flatten())
}

fn open(task: &Open, common: &Common) -> Result<Answer, Failure> {
    facts::spare_records(&task.key, &task.out)?;
    let owner = Owner::read(&task.input, &task.key)?;
    let last = (owner.file.len() as u64 - 1) / PIECE as u64;
    if task.piece > last {
        return Err(Failure::new(format!("--piece {}; the last is {last}", task.piece)));
    }
    common.busy("making the opening");
    let published = Published::read(&task.statement, common)?;
    let Published { a, layout, .. } = &published;
    // The opening is two columns of the witness: message and randomness, made again from file and
    // key.
    let messages = owner.messages(layout, &task.statement)?;
    let witness = pieces::witness(a, layout, &messages, &owner.key.seed)?;
    let open = |index| {
        published.open(&witness, index).map_err(|e: Error| owner.failure(&task.statement, e))
    };
    let bytes = [open(LENGTH)?, open(layout::column(task.piece))?].concat();
    Output::write_whole(&task.out, Privacy::Public, &bytes)?;
    let json = serde_json::json!({ "piece": task.piece, "opening_bytes": bytes.len() });
    common.report(json, [])
}
