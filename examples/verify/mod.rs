//! Checks proofs against a statement.
//!
//! `cargo run --release --example verify -- --statement s.lzs --proof p.lzp`

mod args;
mod report;

use std::path::PathBuf;
use std::time::Instant;

use args::Args;
use report::{Report, Times};
use tautochrone_cli::params::hiding;
use tautochrone_cli::{Answer, CommandLine, Failure, Outcome};
use tautochrone_zk::argument::{self, ExactKeys, KeyRanges};
use tautochrone_zk::uses;
use tautochrone_zk::{
    Claim, Error, FileSource, PublicMatrix, ReadAt, Security, Shows, Statement, Verifier,
};

/// Proofs read and checked together.
const BATCH: usize = 16;
/// Largest statement, in bytes, that is read into memory; longer ones are read once more while
/// proofs are checked.
const MAX_IN_MEMORY: u64 = 64 << 20;

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| {
        let device = args.device.open()?;

        // 1. The statement: parameters, the seed of A, and T.
        let start = Instant::now();
        args.common.busy("reading the statement");
        let file = tautochrone_cli::open(&args.statement)?;
        let read = if file.len() <= MAX_IN_MEMORY { Statement::load } else { Statement::read };
        let about = |e: Error| Failure::file(&args.statement, tautochrone_cli::waivable(&e));
        let statement = read(&file, args.security()).map_err(about)?;
        let hiding = |security| hiding(statement.params(), args.message_rows, security);
        let (secure, hiding) = (hiding(Security::Required).is_ok(), hiding(args.security()));
        let hiding = hiding.map_err(about)?;
        if let Some(path) = &args.public_keys {
            let keys = tautochrone_cli::open(path)?;
            uses::check_keys(&statement, &file, &keys).map_err(|e| Failure::file(path, e))?;
        }
        let read = start.elapsed().as_secs_f64();

        // 2. The public matrix A, expanded once for all proofs.
        args.common.busy("expanding A");
        let matrix = args.matrix.as_deref();
        let seed_a = *statement.seed_a();
        let a =
            tautochrone_cli::params::matrix(args.common.isa(), statement.params(), matrix, seed_a)?;
        // Only a matrix that was given can be another one.
        Verifier::new(&a, &statement)
            .map_err(|e| Failure::file(matrix.unwrap_or(&args.statement), e))?;
        let a = device.attach(a);
        let expand = start.elapsed().as_secs_f64() - read;

        // 3. The proofs. A malformed one is bad input, a well-formed one that does not hold is a
        //    negative answer; neither keeps the others from having their verdicts.
        let outcomes = check(&args, &a, (&statement, &file), secure)?;
        let verify = start.elapsed().as_secs_f64() - read - expand;

        let (params, times) = (statement.params(), Times { read, expand, verify });
        let device = &device;
        let report = Report { args: &args, params, hiding, secure, times, device };
        report.say(&outcomes)?;
        for (path, outcome) in args.proof.iter().zip(&outcomes) {
            if let Outcome::Failed(error) = outcome {
                return Err(tautochrone_cli::about_input(path, error));
            }
        }
        let valid = outcomes.iter().all(Outcome::is_valid);
        Ok(if valid { Answer::Yes } else { Answer::No })
    })
}

/// The verdict on each proof, in order, and said as soon as it is known; `secure`: whether the
/// statement's parameters are.
fn check(
    args: &Args,
    a: &PublicMatrix,
    (statement, file): (&Statement, &FileSource),
    secure: bool,
) -> Result<Vec<Outcome>, Failure> {
    let mut outcomes = Vec::new();
    let verifier = Verifier::new(a, statement)?.with_file(file);
    // A batch at a time, so that memory does not grow with the number of proofs.
    for paths in args.proof.chunks(BATCH) {
        let params = statement.params();
        let read = |path: &PathBuf| {
            let proof = tautochrone_cli::read_proof(path, params)
                .map_err(|e| Outcome::Failed(e.to_string()))?;
            let shows = Shows::of(&proof, params).map_err(|e| match e {
                // Only a circuit on committed values is refused here.
                Error::StatedByOthers => stated_by_others(&Shows::Knowledge),
                e => e.into(),
            })?;
            Ok((proof, shows))
        };
        let proofs: Vec<Result<(Vec<u8>, Shows), Outcome>> = paths.iter().map(read).collect();
        let context = args.context.as_bytes();
        let claims: Vec<Claim> = proofs
            .iter()
            .flatten()
            // The cost to the owner of keys is known to whoever makes the verifier for them.
            .filter(|(_, shows)| !matches!(shows, Shows::Keys(_)))
            .map(|(proof, shows)| verifier.claim(context, shows, proof))
            .collect();
        args.common.busy("checking");
        let mut verdicts = a.verify_batch(&claims).into_iter();
        let outcome = |proof: Result<(Vec<u8>, Shows), Outcome>| match proof {
            Ok((proof, Shows::Keys(claim))) => of_keys(args, a, (statement, file), claim, &proof),
            Ok((_, shows)) => match verdicts.next().expect("one verdict a claim") {
                Ok(()) => Outcome::shown(shows, &args.required),
                Err(Error::StatedByOthers) => stated_by_others(&shows),
                Err(e) => e.into(),
            },
            Err(outcome) => outcome,
        };
        let batch: Vec<Outcome> = proofs.into_iter().map(outcome).collect();
        for (path, outcome) in paths.iter().zip(batch) {
            report::say_outcome(args, path, &outcome, secure)?;
            outcomes.push(outcome);
        }
    }
    Ok(outcomes)
}

/// The verdict on a proof that names a circuit, public keys or ciphertexts by a digest.
fn stated_by_others(shows: &Shows) -> Outcome {
    let relation = |claim: &argument::Claim| matches!(claim, argument::Claim::Relation(_));
    let keys = matches!(shows, Shows::Claims(_, claims) if claims.claims().iter().any(relation));
    let program = if keys { "keys verify" } else { "circuit verify" };
    let line = CommandLine::new(program);
    // The digest does not say which.
    let rings = "; of homomorphic encryption, `verify` of the crate tautochrone-zk-keys does";
    let rings = if keys { rings } else { "" };
    Outcome::Failed(format!("{}; `{line}` checks it{rings}", Error::StatedByOthers))
}

/// The verdict on a proof about keys.
fn of_keys(
    args: &Args,
    a: &PublicMatrix,
    (statement, file): (&Statement, &FileSource),
    claim: KeyRanges,
    proof: &[u8],
) -> Outcome {
    let verdict = || {
        let keys = ExactKeys::new(a, statement, claim)?.with_file(file);
        keys.verify(args.context.as_bytes(), proof)?;
        Ok(Outcome::keys_shown(&keys, &args.required, args.insecure))
    };
    verdict().unwrap_or_else(|e: Error| e.into())
}
