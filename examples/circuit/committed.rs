//! Commitments to values, and proofs about circuits that have them as their first secret wires.

use tautochrone_cli::{Answer, Failure, Output, Privacy};
use tautochrone_zk::argument::{CommittedCircuit, InputSpace, Inputs, PaddedMessages, Scalar};
use tautochrone_zk::{Error, PublicMatrix, Security, Seed, Statement};

use super::args::{Commit, Prove, Secret, Values, Verify};
use super::claim::{self, Known, Stated};
use super::inputs;
use super::key::{self, Key};
use super::report::{context, report, verdict};

pub(crate) fn commit(task: &Commit) -> Result<Answer, Failure> {
    let common = &task.common;
    let Values { input, values } = &task.what;
    let values = match (input, values) {
        (Some(path), _) => inputs::of_message(&claim::read_message(path)?),
        (None, Some(path)) => claim::read_numbers(path)?,
        (None, None) => unreachable!("one of the two is required"),
    };
    let seed = common.hiding_seed()?;
    let key_file = Output::create_new(&task.key, Privacy::Secret)?;
    common.busy("searching for parameters");
    let count = values.len() as u64;
    let params =
        InputSpace::optimise(count, task.slots, task.wires)?.validate(Security::Required)?;
    common.busy("committing");
    let seed_a = tautochrone_cli::public_part(&seed, "circuit: A");
    let a = PublicMatrix::new_on(common.isa(), &params, seed_a);
    let space = InputSpace::new(&params)?;
    let witness = witness(&space, &a, &values, &seed)?;
    let mut file = Output::create(&task.statement, Privacy::Public)?;
    a.commit(&witness, &mut file)?;
    // The key first: of published commitments whose key is lost nothing can ever be proved.
    key::write(key_file, &seed)?;
    file.finish()?;
    let bytes = params.statement_bytes() as u64;
    common.report(
        serde_json::json!({ "values": count, "slots": task.slots, "statement_bytes": bytes }),
        [
            format!("committed  {count} values, {bytes} bytes"),
            format!("claims     {} can be proved", task.slots),
        ],
    )
}

/// The witness of values, which is a function of these and the key.
fn witness(
    space: &InputSpace,
    a: &PublicMatrix,
    values: &[Scalar],
    seed: &Seed,
) -> Result<PaddedMessages<'static>, Failure> {
    let key = tautochrone_cli::part(seed, "circuit: values");
    Ok(space.witness(a, values, &key)?)
}

pub(crate) fn prove(task: &Prove) -> Result<Answer, Failure> {
    let common = &task.common;
    let committed = task.committed.as_deref().expect("the caller has looked");
    let key = task.key.as_deref().expect("required with --committed");
    common.busy("building the circuit");
    let mut known = claim::known(task)?.of_committed()?;
    let mut line = known.line.clone();
    let values = std::mem::take(&mut known.values);
    let Known { circuit, assignment, .. } = &known;
    let about = |e| Failure::file(committed, e);
    let values = match (&task.what, values) {
        (Secret { r1cs: Some(_), .. }, _) => {
            let path = task.values.as_deref();
            let path = path.ok_or_else(|| Failure::new("--values: required with --r1cs"))?;
            let values = claim::read_numbers(path)?;
            line = line.with("inputs", [values.len()]);
            values
        }
        (_, values) => values,
    };
    common.busy("reading the commitments");
    let file = tautochrone_cli::open(committed)?;
    let statement = Statement::read(&file, Security::Required).map_err(about)?;
    let params = statement.params();
    let space = InputSpace::new(params).map_err(about)?;
    let a = PublicMatrix::new_on(common.isa(), params, *statement.seed_a());
    let mut key = Key::open(key)?;
    let witness = witness(&space, &a, &values, &key.seed)?;
    // Before a slot is used: values, key and statement belong together, and the circuit holds of
    // them.
    let statement = check(&a, &witness, &statement, committed)?;
    if assignment.secret.get(..values.len()) != Some(&values[..]) {
        return Err(Failure::new(
            "the first secret wires are not the values that were committed to",
        ));
    }
    if circuit.first_violation(assignment)?.is_some() {
        return Err(known.explain(Error::FalseFact));
    }

    // The slot is used from here on, even if the proof fails.
    let first = Inputs::first(0, values.len() as u32);
    let place = (&space, &statement);
    let slot = key.take(|used| used.slot(place, circuit, assignment, &first.elements))?;
    let inputs = Inputs { slot, ..first };
    common.busy("committing and proving");
    let public = &assignment.public;
    let claim = CommittedCircuit::new(&a, &statement, circuit, public, &inputs);
    let claim = claim.map_err(about)?.with_file(&file);
    let context = context(&task.context);
    let seed = common.secret_seed()?;
    let proof = claim.prove(context.as_bytes(), &witness, assignment, &seed)?.proof;
    if let Some(path) = &task.public {
        let numbers = claim::public_file(public)?;
        Output::write_whole(path, Privacy::Public, numbers.as_bytes())?;
    }
    Output::write_whole(&task.proof, Privacy::Public, &proof)?;
    let line = line.with("committed", [committed.display()]).with("slot", [slot]);
    report(task, circuit, line, None, proof.len())
}

/// The statement, if its T belongs to the witness: whoever proves about another one shows the
/// values.
fn check(
    a: &PublicMatrix,
    witness: &PaddedMessages<'_>,
    statement: &Statement,
    path: &std::path::Path,
) -> Result<Statement, Failure> {
    let again = a.commit(witness, &mut std::io::sink())?;
    if again == *statement {
        return Ok(again);
    }
    Err(Failure::file(path, "is no commitment to these values with this key"))
}

pub(crate) fn verify(task: &Verify) -> Result<Answer, Failure> {
    let common = &task.common;
    let committed = task.committed.as_deref().expect("the caller has looked");
    common.busy("checking");
    let stated = claim::claimed(task)?.of_committed()?;
    let Stated { circuit, public, inputs: count } = stated;
    let slot = task.slot.expect("required with --committed");
    let inputs = Inputs::first(slot, count);
    let file = tautochrone_cli::open(committed)?;
    let about = |e| Failure::file(committed, e);
    let statement = Statement::read(&file, Security::Required).map_err(about)?;
    let a = PublicMatrix::new_on(common.isa(), statement.params(), *statement.seed_a());
    let claim = CommittedCircuit::new(&a, &statement, &circuit, &public, &inputs);
    let claim = claim.map_err(about)?.with_file(&file);
    let proof = tautochrone_cli::read(&task.proof, claim.max_proof_bytes())?;
    let answer = claim.verify(context(&task.context).as_bytes(), &proof);
    verdict(task, &circuit, Some((slot, count)), answer)
}
