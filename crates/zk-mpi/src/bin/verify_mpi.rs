//! Checks a proof on many machines: every rank hashes and multiplies its own columns of T.
//!
//! `mpirun -n 4 verify_mpi --statement s.lzs --proof p.lzp`

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use tautochrone_cli::params::GIVEN;
use tautochrone_cli::require::RequireArgs;
use tautochrone_cli::{Answer, Common, Outcome, keys, ranges, read_proof};
use tautochrone_zk::argument::ExactKeys;
use tautochrone_zk::shard::{self, Check, Hashes, Shard, WitnessDigest, digest_from_bytes};
use tautochrone_zk::{Digest, Error, FileSource, MatrixId, Params, PublicMatrix, Security, Shows};
use tautochrone_zk_mpi::{
    Comm, Fault, about, gather_hashes, gather_rows, gather_shards, matrix, run, same_params,
    sum_tc, text,
};

/// Checks that a proof shows knowledge of short preimages for a statement that all ranks can read
///
/// Of a proof of claims it says what they are, as `verify` does, and of one about keys
/// likewise, which rank 0 checks alone. Exit code 0: valid; 1: invalid, or less than `--require`
/// asks for; 2: a file is malformed, unreadable or has insecure parameters.
#[derive(Debug, clap::Parser)]
#[command(after_help = "Example:\n  mpirun -n 4 verify_mpi --statement s.lzs --proof p.lzp")]
struct Args {
    /// Statement file
    #[arg(long, value_name = "FILE")]
    statement: PathBuf,
    /// Proof file
    #[arg(long, value_name = "FILE")]
    proof: PathBuf,
    /// Purpose that the proof was made for
    #[arg(long, value_name = "TEXT", default_value = "")]
    context: String,
    /// A' of a statement that was made with a given one
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    /// Go on although the statement's parameters are insecure: a proof then shows little or nothing
    #[arg(long)]
    insecure: bool,
    #[command(flatten)]
    required: RequireArgs,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    run(verify)
}

fn verify(comm: &Comm, args: &Args) -> Result<Answer, Fault> {
    let fail = about(&args.statement);
    let security = if args.insecure { Security::Waived } else { Security::Required };
    let opened = File::open(&args.statement).and_then(FileSource::new).map_err(|e| fail(&e));
    let opened = opened.and_then(|file| {
        let (params, id) = shard::read_header(&file, security).map_err(|e| fail(&e))?;
        Ok((file, params, id))
    });
    let (file, params, id) = comm.agree(opened)?;
    same_params(comm, &params)?;
    let own = Shard::even(&params, comm.rank() as u64, comm.size() as u64);
    let shards = gather_shards(comm, &params, own)?;

    comm.enter("expand");
    let given = args.matrix.as_deref();
    let a = matrix(comm, args.common.isa(), &params, given, *id.seed())?;
    // Only a matrix that was given can be another one.
    let belongs =
        if *a.id() == id { Ok(()) } else { Err("the matrix A belongs to another statement") };
    comm.agree(belongs.map_err(|e| about(given.unwrap_or(&args.statement))(&e)))?;
    comm.enter("hash");
    let t = shard::hash_blocks(&file, &params, own).map_err(|e| fail(&e));
    comm.enter("hashes");
    let own_hashes = Hashes { t: comm.agree(t)?, s: WitnessDigest::default() };
    let t = gather_hashes(comm, &params, &shards, &own_hashes).t;

    comm.enter("challenge");
    let start = if comm.is_root() {
        begin(args, &a, &file, &params, id, t)
    } else {
        Ok((None, Outcome::shown(Shows::Knowledge, &args.required)))
    };
    let (check, mut outcome) = comm.agree(start)?;
    // Empty: rank 0 knows the verdict already.
    let challenge = check.as_ref().map(|check| check.challenge_hash().as_bytes().to_vec());
    let challenge = comm.broadcast_any(challenge.unwrap_or_default());
    if let Some(challenge) = digest_from_bytes(params.hash(), &challenge) {
        let tc = sum_tc(comm, &a, &file, own, &own_hashes.t, &challenge)?;
        comm.enter("decide");
        outcome = comm.agree(match check.map(|check| check.finish(&tc)) {
            Some(Err(e)) => invalid(e).map_err(|e| fail(&e)),
            _ => Ok(outcome),
        })?;
    }
    let mut valid = [u8::from(outcome.is_valid())];
    comm.broadcast(&mut valid);

    comm.enter("end");
    let rows = gather_rows(comm, serde_json::json!({}));
    if comm.is_root() {
        let secure = !args.insecure || params.check_security().is_ok();
        if args.common.json {
            println!("{}", json(args, &params, &outcome, secure, &rows));
        } else {
            println!("{}", outcome.text(secure));
            if given.is_some() {
                println!("{GIVEN}");
            }
        }
    }
    Ok(if valid == [1] { Answer::Yes } else { Answer::No })
}

/// The report for scripts; `secure`: whether the statement's parameters are.
fn json(
    args: &Args,
    params: &Params,
    outcome: &Outcome,
    secure: bool,
    rows: &[serde_json::Value],
) -> serde_json::Value {
    let claims = ranges::json(outcome.exact().unwrap_or(&Shows::Knowledge));
    let keys = match (outcome.exact(), outcome.keys()) {
        (Some(Shows::Keys(claim)), Some((estimate, _))) => Some(keys::json(claim, estimate)),
        _ => None,
    };
    let estimate = params.estimate();
    let (binding, hiding) = outcome.bits((estimate.binding.classical, estimate.hiding.classical));
    serde_json::json!({
        "valid": outcome.is_valid(), "reason": outcome.reason(), "unmet": outcome.unmet(),
        "exact": outcome.exact().is_some(), "ranges": claims["ranges"], "norms": claims["norms"],
        "keys": keys,
        "secure_parameters": outcome.is_secure(secure), "sis_bits": binding, "hiding_bits": hiding,
        "given_matrix": args.matrix.is_some(), "isa": args.common.isa().name(), "ranks": rows,
    })
}

/// Rank 0: what can be said before T C is known. A check that waits for that, and the verdict if it
/// succeeds, or if there is none.
fn begin<'a>(
    args: &Args,
    a: &'a PublicMatrix,
    file: &FileSource,
    params: &Params,
    id: MatrixId,
    t: Vec<Digest>,
) -> Result<(Option<Box<Check<'a>>>, Outcome), String> {
    let statement = shard::statement(params, id, t).map_err(text)?;
    let fail = about(&args.proof);
    let proof = read_proof(&args.proof, params).map_err(|e| fail(&e))?;
    let context = args.context.as_bytes();
    let opening = || {
        let shows = Shows::of(&proof, params)?;
        let check = match &shows {
            Shows::Keys(claim) => {
                let keys = ExactKeys::new(a, &statement, *claim)?.with_file(file);
                keys.verify(context, &proof)?;
                let outcome = Outcome::keys_shown(&keys, &args.required, args.insecure);
                return Ok((None, outcome));
            }
            Shows::Claims(slot, claims) => {
                Check::begin_claims(a, &statement, context, (slot, claims), &proof)?
            }
            _ => Check::begin(a, &statement, context, &proof)?,
        };
        Ok((Some(Box::new(check)), Outcome::shown(shows, &args.required)))
    };
    opening().or_else(|e| Ok((None, invalid(e)?))).map_err(|e: Error| fail(&e))
}

/// The negative verdict, or why there is none.
fn invalid(error: Error) -> Result<Outcome, Error> {
    match error {
        Error::Invalid(reason) => Ok(Outcome::Invalid(reason)),
        error => Err(error),
    }
}
