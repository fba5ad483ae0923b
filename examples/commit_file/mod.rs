//! Use as a library: commit to a file today, open single pieces of it later.
//!
//! ```sh
//! commit_file commit --in log.txt --statement s.lzs --proof p.lzp --key k     # publish s.lzs and p.lzp
//! commit_file open --in log.txt --statement s.lzs --key k --piece 3 --out o   # publish o
//! commit_file check --statement s.lzs --proof p.lzp --piece 3 --opening o     # prints the piece
//! ```
//!
//! With `commit --facts 2` two facts can be proved, and nothing else of the file is revealed:
//!
//! ```sh
//! commit_file prove --in log.txt --statement s.lzs --key k --slot 0 --bytes 300:5 --out f.lzf
//! commit_file verify --statement s.lzs --fact f.lzf --slot 0 --bytes 300:5 --text error
//! ```
//!
//! With three or more, any number of facts can be proved at once, in three of them:
//!
//! ```sh
//! commit_file prove --in log.txt --statement s.lzs --key k --slot 0 --out f.lzf \
//!     --bytes 300:5 --bytes 9:1 --sum 5:2
//! commit_file verify --statement s.lzs --fact f.lzf --slot 0 \
//!     --bytes 300:5 --text error --bytes 9:1 --text x --sum 5:2 --value 77
//! ```
//!
//! With `commit --exact` the proof shows besides that all entries are bits, exactly: that every
//! piece can be opened, and to bytes. `verify` says so.
//!
//! The file is cut into pieces of 127 bytes. Each is a message of 1024 bits under uniform
//! randomness, and a column of T commits to it. The proof shows that all pieces can be opened; an
//! opening reveals one piece and nothing about the others.

mod args;
mod check;
mod claims;
mod facts;
mod pieces;

use std::io::BufWriter;
use std::process::ExitCode;

use args::{Args, Commit, Open, Task};
use pieces::{CONTEXT, ROWS};
use tautochrone::zk::argument::BatchSlot;
use tautochrone::zk::uses::column;
use tautochrone::zk::uses::commitment::MessageSpace;
use tautochrone::zk::{Goal, Prover, PublicMatrix, Security, Statement};
use tautochrone_cli::{Answer, Common, Failure, Output, Privacy, VerifyLine, say};
use zeroize::Zeroizing;

fn main() -> ExitCode {
    program().main()
}

pub(crate) fn program() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| match &args.task {
        Task::Commit(task) => commit(task, &task.common),
        Task::Open(task) => open(task, &task.common),
        Task::Check(task) => check::check(task, &task.common),
        Task::Prove(task) => facts::prove(task, &task.common),
        Task::Verify(task) => facts::verify(task, &task.common),
    })
}

fn commit(task: &Commit, common: &Common) -> Result<Answer, Failure> {
    let outputs = [("statement", &*task.statement), ("proof", &*task.proof), ("key", &*task.key)];
    tautochrone_cli::named(&outputs, &[("in", &*task.input)])?;
    common.start_threads()?;
    let mut messages = pieces::messages(&task.input)?;
    let key = common.hiding_seed()?;
    let key_file = Output::create_new(&task.key, Privacy::Secret)?;
    // The rows of the message hide nothing, so parameters are sought with so many rows besides.
    let pieces = messages.len() as u64 / u64::from(ROWS);
    let bits = pieces::bits()?;
    // Of few columns too little could be proved: empty pieces fill them up.
    let mut l = if task.exact { bits.least_columns(pieces) } else { pieces };
    if task.facts >= BatchSlot::SLOTS {
        l = claims::least_pieces(l)?;
    }
    pieces::fill(&mut messages, l);
    let busy = common.busy("searching for parameters");
    let (pad_slots, range_slots) = (task.facts, task.exact.into());
    let goal = Goal { message_rows: ROWS, pad_slots, range_slots, ..Goal::new(1, l) };
    let params = goal.optimise().and_then(|p| p.validate(Security::Required));
    let params = params.map_err(Failure::new)?;
    drop(busy);
    let space = MessageSpace::new(&params, ROWS, Security::Required).map_err(Failure::new)?;
    let a = PublicMatrix::new_on(
        common.isa,
        &params,
        tautochrone_cli::public_part(&key, "commit_file: A"),
    );
    let witness = pieces::witness(&a, &params, &messages, &key)?;
    let busy = common.busy("committing and proving");
    let mut file = BufWriter::new(Output::create(&task.statement, Privacy::Public)?);
    let statement = a.commit_and_hold(&*witness, &mut file).map_err(Failure::new)?;
    let prover = Prover::new(&a, &statement).map_err(Failure::new)?;
    let context = CONTEXT.as_bytes();
    let proof = if task.exact {
        let slot = pieces::space(&params)?.range_slot(0).map_err(Failure::new)?;
        let proved = prover.prove_ranges(context, slot, &bits, &*witness, &key);
        proved.map_err(Failure::new)?.proof.to_bytes(&params)
    } else {
        let proved = prover.prove(context, &*witness, &key);
        proved.map_err(Failure::new)?.proof.to_bytes(&params)
    };
    drop(busy);
    // The key first: a published statement whose key is lost can never be opened.
    let digits = Zeroizing::new(hex::encode(key.expose()));
    key_file.finish_with(digits.as_bytes())?;
    file.into_inner().map_err(|e| Failure::file(&task.statement, e.error()))?.finish()?;
    Output::write_whole(&task.proof, Privacy::Public, &proof)?;
    let line = VerifyLine {
        statement: &task.statement,
        proof: &task.proof,
        matrix: None,
        public_keys: None,
        context: CONTEXT,
        message_rows: ROWS,
        require: if task.exact { vec![bits.parts()[0].into()] } else { vec![] },
        insecure: false,
    };
    let (hiding, size) = (space.hiding().classical, proof.len());
    if common.json {
        say(serde_json::json!({
            "pieces": pieces, "exact": task.exact, "hiding_bits": hiding, "proof_bytes": size, "verify": line.to_string(),
        }))?;
    } else {
        say(format_args!("{pieces} pieces, {hiding:.0} bits of hiding, proof of {size} bytes"))?;
        say(format_args!("to check the proof: {line}"))?;
    }
    Ok(Answer::Yes)
}

fn open(task: &Open, common: &Common) -> Result<Answer, Failure> {
    let records = facts::records(&task.key);
    let mut inputs = vec![("in", &*task.input), ("statement", &task.statement), ("key", &task.key)];
    inputs.extend(records.iter().map(|path| ("key", &**path)));
    tautochrone_cli::named(&[("out", &*task.out)], &inputs)?;
    common.start_threads()?;
    let mut messages = pieces::messages(&task.input)?;
    let key = pieces::key(&task.key)?;
    let file = tautochrone_cli::open(&task.statement)?;
    let busy = common.busy("making the opening");
    let statement = Statement::read(&file, Security::Required);
    let statement = statement.map_err(|e| Failure::file(&task.statement, e))?;
    let params = statement.params();
    pieces::fill(&mut messages, params.l());
    if task.piece >= params.l() {
        let last = params.l() - 1;
        return Err(Failure::new(format!("--piece {}; the last is {last}", task.piece)));
    }
    // The opening is the column of the witness: message and randomness, made again from file and
    // key.
    let a = PublicMatrix::new_on(common.isa, params, *statement.seed_a());
    let witness = pieces::witness(&a, params, &messages, &key)?;
    let column = column(params, &*witness, task.piece).map_err(Failure::new)?;
    // Before anything is published: under a wrong key the column opens nothing, shows the piece all
    // the same, and its randomness may be what hides another commitment.
    let t = statement.column(&file, task.piece).map_err(|e| Failure::file(&task.statement, e))?;
    if !a.opens(&t, &column) {
        return Err(Failure::new(format!(
            "{} and {} do not open piece {} of {}; expected the file and the key of its commitment",
            task.input.display(),
            task.key.display(),
            task.piece,
            task.statement.display()
        )));
    }
    let bytes: Vec<u8> = column.iter().map(|s| s.cast_unsigned()).collect();
    Output::write_whole(&task.out, Privacy::Public, &bytes)?;
    drop(busy);
    if common.json {
        say(serde_json::json!({ "piece": task.piece, "opening_bytes": bytes.len() }))?;
    }
    Ok(Answer::Yes)
}
