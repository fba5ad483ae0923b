//! Use as a library: prove that you know the secret keys behind a batch of LWE public keys.
//!
//! ```sh
//! lwe_keys --keys 1000 --owner alice --statement keys.lzs --proof keys.lzp
//! ```
//!
//! A public key is t = A' s + e mod 2^32 with ternary s and e: a sample of LWE. Before a service
//! accepts a thousand of them, it may want to see that somebody knows what is behind them. One
//! proof covers them all, and its size hardly depends on how many they are.
//!
//! **What the service learns.** Somebody knows, for every key t, *some* short (s', e') with
//! t = A' s' + e', of Euclidean length at most 2 B, and made the proof for registering keys of this
//! owner. Two things it does not learn:
//!
//! * That a key is well formed. The ball of radius 2 B holds such vectors for every t there is, and
//!   whoever chooses the secrets chooses them as long as B allows: keys whose secrets and errors
//!   are all 127 are accepted where honest ones are ternary. Exact ranges would need a proof of
//!   another kind.
//! * Who made the proof. Whoever knows the secrets can make one in any owner's name, so the service
//!   asks for it on a channel that it has authenticated. But nobody can hand in *another's* keys as
//!   their own: without the secrets there is no proof in their own name, and a copied proof is for
//!   the name in its context.
//!
//! `verify` checks the statement and the proof, too, by the line that this program prints.

use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;

use tautochrone::ctr::{Label, Seed};
use tautochrone::zk::uses::lwe::LweWitness;
use tautochrone::zk::{Goal, Prover, PublicMatrix, Security, Verifier};
use tautochrone_cli::{Answer, Common, Failure, Output, Privacy, VerifyLine, say};
use zeroize::Zeroizing;

/// Makes LWE key pairs and proves knowledge of all their secrets at once
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Example:\n  lwe_keys --keys 1000 --owner alice --statement keys.lzs --proof keys.lzp"
)]
struct Args {
    /// How many key pairs
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    keys: u64,
    /// Whose keys these are; the proof is for this name only
    #[arg(long, value_name = "NAME")]
    owner: String,
    /// Statement file to write: the public keys
    #[arg(long, value_name = "OUT")]
    statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    proof: PathBuf,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    tautochrone_cli::run(|args: Args| {
        tautochrone_cli::named(&[("statement", &args.statement), ("proof", &args.proof)], &[])?;
        args.common.start_threads()?;
        let seed = args.common.secret_seed()?;

        // 1. The smallest parameters that are secure for so many keys. Ask for 128 bits on both
        //    sides: nobody finds a secret (LWE), nobody knows two secrets for one key (SIS).
        //    The keys are for others to use, so they are published whole.
        let goal = Goal { whole_t: true, ..Goal::new(1, args.keys) };
        let params = goal.optimise().map_err(Failure::new)?;
        let params = params.validate(Security::Required).map_err(Failure::new)?;
        let (secret_len, error_len) = (params.v() - params.r(), params.r());

        // 2. Keys. In real use each s and e comes from where keys come from; here they are drawn
        //    from one seed.
        let secrets = ternary(&seed, 0, u64::from(secret_len) * args.keys);
        let errors = ternary(&seed, 1, u64::from(error_len) * args.keys);
        let witness = LweWitness::new(&params, &secrets, &errors).map_err(Failure::new)?;

        // 3. T = A' S + E: the public keys, written as a statement file.
        let seed_a = tautochrone_cli::public_part(&seed, "lwe_keys: A");
        let a = PublicMatrix::new_on(args.common.isa, &params, seed_a);
        let mut file = BufWriter::new(Output::create(&args.statement, Privacy::Public)?);
        let busy = args.common.busy("making keys");
        let statement = a.commit(&witness, &mut file).map_err(Failure::new)?;
        let output = file.into_inner().map_err(|e| Failure::file(&args.statement, e.error()))?;
        output.finish()?;

        // 4. The proof. Its context says what it is for, and whose keys they are: it is not valid
        //    for anything else. The name comes last, so that no two names give one context.
        let context = format!("registration of keys: {}", args.owner);
        drop(busy);
        let busy = args.common.busy("proving");
        let prover = Prover::new(&a, &statement).map_err(Failure::new)?;
        let proved = prover.prove(context.as_bytes(), &witness, &seed).map_err(Failure::new)?;
        let proof = proved.proof.to_bytes(&params);
        Output::write_whole(&args.proof, Privacy::Public, &proof)?;
        drop(busy);

        // 5. What the service does: it has the two files and the context, and no secret.
        let file = tautochrone_cli::open(&args.statement)?;
        let busy = args.common.busy("checking");
        let verifier = Verifier::new(&a, &statement).map_err(Failure::new)?;
        verifier.verify_streaming(context.as_bytes(), &file, &proof).map_err(Failure::new)?;
        drop(busy);
        let line = VerifyLine {
            statement: &args.statement,
            proof: &args.proof,
            matrix: None,
            context: &context,
            message_rows: 0,
            insecure: false,
        };
        if args.common.json {
            say(serde_json::json!({
                "keys": args.keys, "secret_len": secret_len, "error_len": error_len,
                "proof_bytes": proof.len(), "attempts": proved.attempts, "valid": true,
                "verify": line.to_string(),
            }))?;
        } else {
            say(format_args!("keys     {}: {error_len} words each", args.keys))?;
            say(format_args!("secrets  {secret_len} + {error_len} entries of -1, 0, 1 each"))?;
            say(format_args!("proof    {} bytes, {} attempts", proof.len(), proved.attempts))?;
            say("check    valid")?;
            say(format_args!("again    {line}"))?;
        }
        Ok(Answer::Yes)
    })
}

/// Uniform entries of -1, 0, 1: bytes below 255 modulo 3. Erased when dropped.
fn ternary(seed: &Seed, index: u64, count: u64) -> Zeroizing<Vec<i8>> {
    let mut stream = seed.stream(Label::new("lwe_keys: secrets"), index);
    let mut bytes = Zeroizing::new([0_u8; 4096]);
    // Capacity for all from the start: growing would leave copies behind.
    let mut entries = Zeroizing::new(Vec::with_capacity(count as usize + bytes.len()));
    while entries.len() < count as usize {
        stream.fill(&mut *bytes);
        // floor(x / 3) = floor(171 x / 512) for bytes: no division by a secret, and only rejections
        // show.
        let remainders =
            bytes.iter().filter(|&&x| x < 255).map(|&x| x - 3 * (u16::from(x) * 171 >> 9) as u8);
        entries.extend(remainders.map(|r| r as i8 - 1));
    }
    entries.truncate(count as usize);
    entries
}
