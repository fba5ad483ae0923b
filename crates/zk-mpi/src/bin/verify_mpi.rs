//! Checks a proof on many machines: every rank hashes and multiplies its own columns of T.
//!
//! `mpirun -n 4 verify_mpi --statement s.lzs --proof p.lzp`

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use tautochrone::zk::argument::{Claims, ExactKeys, KeyRanges, Slot};
use tautochrone::zk::shard::{self, Check, Hashes, Shard, WitnessDigest, digest_from_bytes};
use tautochrone::zk::{
    Digest, Error, Estimate, FileSource, MatrixId, Params, PublicMatrix, Reason, Requirement,
    Security, Shows,
};
use tautochrone_cli::params::GIVEN;
use tautochrone_cli::require::{self, RequireArgs};
use tautochrone_cli::{Answer, Common, keys, ranges, read_proof};
use tautochrone_zk_mpi::{
    Comm, Fault, about, gather_hashes, gather_rows, gather_shards, matrix, peak_memory, run,
    same_params, sum_tc, text,
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
    let opened = args.common.start_threads().map_err(text).and_then(|_| {
        let file = File::open(&args.statement).map_err(|e| fail(&e))?;
        let file = FileSource::new(file).map_err(|e| fail(&e))?;
        let security = if args.insecure { Security::Waived } else { Security::Required };
        let (params, id) = shard::read_header(&file, security).map_err(|e| fail(&e))?;
        Ok((file, params, id))
    });
    let (file, params, id) = comm.agree(opened)?;
    same_params(comm, &params)?;
    let own = Shard::even(&params, comm.rank() as u64, comm.size() as u64);
    let shards = gather_shards(comm, &params, own)?;

    comm.enter("expand");
    let given = args.matrix.as_deref();
    let a = matrix(comm, args.common.isa, &params, given, *id.seed())?;
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
    let begun =
        if comm.is_root() { begin(args, &a, &file, &params, id, t).map(Some) } else { Ok(None) };
    let begun = comm.agree(begun)?;
    // Empty: rank 0 knows the verdict already.
    let challenge = match &begun {
        Some(Ok(CheckState::Waits(check, _))) => check.challenge_hash().as_bytes().to_vec(),
        _ => Vec::new(),
    };
    let challenge = digest_from_bytes(params.hash(), &comm.broadcast_any(challenge));

    let mut tc = None;
    if let Some(challenge) = challenge {
        tc = Some(sum_tc(comm, &a, &file, own, &own_hashes.t, &challenge)?);
    }
    comm.enter("decide");
    let verdict = match (begun, tc) {
        (Some(Err(reason)), _) => Ok(Err(reason)),
        (Some(Ok(CheckState::Decided(shown))), _) => Ok(Ok(shown)),
        (Some(Ok(CheckState::Waits(check, shown))), Some(tc)) => {
            verdict(check.finish(&tc).map(|()| shown)).map_err(|e| fail(&e))
        }
        // Not rank 0.
        _ => Ok(Ok(Shown::Nothing)),
    };
    let verdict = comm.agree(verdict)?;
    let unmet = match &verdict {
        Ok(shown) if comm.is_root() => args.required.unmet(&shown.shows()),
        _ => Vec::new(),
    };
    let mut valid = [u8::from(verdict.is_ok() && unmet.is_empty())];
    comm.broadcast(&mut valid);

    comm.enter("end");
    let meter = comm.meter();
    let (sent, received) = meter.bytes();
    let rows = gather_rows(
        comm,
        &serde_json::json!({
            "rank": comm.rank(), "phases": meter.json(), "bytes_sent": sent, "bytes_received": received,
            "peak_memory": peak_memory(),
        }),
    );
    if comm.is_root() {
        let (shown, reason) = match verdict {
            Ok(shown) if unmet.is_empty() => (shown, None),
            Ok(shown) => (shown, Some(require::reason(&unmet))),
            Err(reason) => (Shown::Nothing, Some(reason.to_string())),
        };
        let secure = !args.insecure || params.check_security().is_ok() && shown.is_secure();
        let (binding, hiding) = shown.bits(&params);
        if args.common.json {
            let isa = args.common.isa.name();
            let (ranges, norms) = ranges::json(shown.claims());
            let unmet: Vec<String> = unmet.iter().map(Requirement::to_string).collect();
            let answer = serde_json::json!({
                "valid": valid == [1], "reason": reason, "unmet": unmet, "exact": shown.text().is_some(),
                "ranges": ranges, "norms": norms, "keys": shown.keys(), "secure_parameters": secure,
                "sis_bits": binding, "hiding_bits": hiding, "given_matrix": given.is_some(), "isa": isa,
                "ranks": rows,
            });
            println!("{answer}");
        } else {
            let valid = if secure { "valid" } else { "valid, but the parameters are insecure" };
            println!(
                "{}",
                match (reason, shown.text()) {
                    (Some(reason), _) if unmet.is_empty() => format!("invalid: {reason}"),
                    (Some(reason), _) => format!("not enough: {reason}"),
                    (None, Some(exact)) => format!("{valid}, exact: {exact}"),
                    (None, None) => valid.to_owned(),
                }
            );
            if given.is_some() {
                println!("{GIVEN}");
            }
        }
    }
    Ok(if valid == [1] { Answer::Yes } else { Answer::No })
}

/// The exact claim of a valid proof.
enum Shown {
    Nothing,
    Claims(Slot, Claims),
    /// And whether they are secure.
    Keys(KeyRanges, Estimate, bool),
}

impl Shown {
    /// The claim that requirements are compared with.
    fn shows(&self) -> Shows {
        match self {
            Self::Nothing => Shows::Knowledge,
            Self::Claims(slot, claims) => Shows::Claims(slot.clone(), claims.clone()),
            Self::Keys(claim, ..) => Shows::Keys(*claim),
        }
    }

    const fn claims(&self) -> Option<&Claims> {
        if let Self::Claims(_, claims) = self { Some(claims) } else { None }
    }

    const fn is_secure(&self) -> bool {
        !matches!(self, Self::Keys(.., false))
    }

    /// Bits of binding and of hiding: the least for the statement and for keys.
    fn bits(&self, params: &Params) -> (f64, f64) {
        let estimate = params.estimate();
        let (binding, hiding) = (estimate.binding.classical, estimate.hiding.classical);
        match self {
            Self::Keys(_, keys, _) => {
                (binding.min(keys.binding.classical), hiding.min(keys.hiding_with_hints.classical))
            }
            _ => (binding, hiding),
        }
    }

    fn keys(&self) -> Option<serde_json::Value> {
        let Self::Keys(claim, estimate, _) = self else { return None };
        Some(serde_json::json!({
            "secret_bound": claim.secret_bound(), "error_bound": claim.error_bound(),
            "hints": claim.hints(), "binding_bits": estimate.binding.classical,
            "hiding_bits_with_hints": estimate.hiding_with_hints.classical,
        }))
    }

    fn text(&self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Claims(slot, claims) => Some(ranges::sentence(slot, claims)),
            Self::Keys(claim, estimate, _) => {
                let (entries, hiding) = (keys::entries(claim), keys::hiding(claim, estimate));
                Some(format!("every key is well formed, {entries}; {hiding}"))
            }
        }
    }
}

/// Rank 0's check before T C is known.
enum CheckState<'a> {
    /// A proof that waits for T C, and what it then shows.
    Waits(Box<Check<'a>>, Shown),
    /// A valid one.
    Decided(Shown),
}

/// Rank 0: what can be said before T C is known.
fn begin<'a>(
    args: &Args,
    a: &'a PublicMatrix,
    file: &FileSource,
    params: &Params,
    id: MatrixId,
    t: Vec<Digest>,
) -> Result<Result<CheckState<'a>, Reason>, String> {
    let statement = shard::statement(params, id, t).map_err(text)?;
    let fail = about(&args.proof);
    let proof = read_proof(&args.proof, params).map_err(|e| fail(&e))?;
    let context = args.context.as_bytes();
    let begun = || match Shows::of(&proof, params)? {
        Shows::Claims(slot, claims) => {
            let check = Check::begin_claims(a, &statement, context, (&slot, &claims), &proof)?;
            Ok(CheckState::Waits(Box::new(check), Shown::Claims(slot, claims)))
        }
        Shows::Keys(claim) => {
            let keys = ExactKeys::new(a, &statement, claim)?.with_file(file);
            keys.verify(context, &proof)?;
            let secure = !args.insecure || keys.check_security().is_ok();
            Ok(CheckState::Decided(Shown::Keys(claim, keys.estimate(), secure)))
        }
        _ => {
            let check = Check::begin(a, &statement, context, &proof)?;
            Ok(CheckState::Waits(Box::new(check), Shown::Nothing))
        }
    };
    verdict(begun()).map_err(|e| fail(&e))
}

/// The verdict, or why there is none.
fn verdict<T>(result: Result<T, Error>) -> Result<Result<T, Reason>, Error> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Error::Invalid(reason)) => Ok(Err(reason)),
        Err(error) => Err(error),
    }
}
