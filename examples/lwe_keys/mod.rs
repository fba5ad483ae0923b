//! Use as a library: prove that you know the secret keys behind a batch of LWE public keys.
//!
//! ```sh
//! lwe_keys --keys 1000 --owner alice --statement keys.lzs --proof keys.lzp
//! ```
//!
//! A public key is t = A' s + e mod 2^w with short s and e: a sample of LWE. Before a service
//! accepts a thousand of them, it may want to see that somebody knows the secrets behind them. One
//! proof covers them all, and its size hardly depends on how many they are.
//!
//! Keys are made here, by the samplers that the parameters name, or come from another program:
//!
//! ```sh
//! lwe_keys --params params.json --matrix matrix.bin --witness witness.bin --public-keys keys.bin \
//!     --owner bob --statement keys.lzs --proof keys.lzp
//! ```
//!
//! `tests/fixtures/lwe/generate.py` is such a program. Its A' is given in full, and what A' s + e
//! gives here is compared with its keys before anything is proved.
//!
//! **What the service learns.** Somebody knows, for every key t, *some* short (s', e') with
//! t = A' s' + e', of Euclidean length at most 2 B, and made the proof for registering keys of this
//! owner. Three things it does not learn:
//!
//! * That a key is well formed. The ball of radius 2 B holds such vectors for every t there is, and
//!   whoever chooses the secrets chooses them as long as B allows: keys whose secrets and errors
//!   are all 127 are accepted where honest ones are ternary. (This prover refuses such secrets, but
//!   nobody has to use it.) `--exact` makes a proof of another kind, which shows that every key is
//!   well formed; see below.
//! * That A' is as hard as a random one, where it was given: whoever chooses it may know a
//!   trapdoor.
//! * Who made the proof. Whoever knows the secrets can make one in any owner's name, so the service
//!   asks for it on a channel that it has authenticated. But nobody can hand in *another's* keys as
//!   their own: without the secrets there is no proof in their own name, and a copied proof is for
//!   the name in its context.
//!
//! **What `--exact` adds.** Every key t is A' s + e with entries of s and e within their bounds,
//! and not only for honest provers. Each proof of that kind gives away a random linear combination
//! of the entries of each key, in a field of 2^183 elements, so keys rest on LWE with such hints.
//! The hint is the same for all proofs about these keys in this order; another batch with the same
//! key gives away one more, and `--hints` says for how many the parameters are to be secure.
//!
//! `verify` checks the statement and the proof, too, by the line that this program prints.

mod args;
mod report;

use std::io::BufWriter;

use args::Args;
use report::Report;
use tautochrone_cli::{Answer, Failure, Output, Privacy};
use tautochrone_ctr::Seed;
use tautochrone_zk::argument::{ExactKeys, KeyRanges};
use tautochrone_zk::uses;
use tautochrone_zk::{Params, Proved, Prover, RandomWitness, Verifier, WitnessFile, WitnessSource};

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| {
        args.check()?;
        args.common.start_threads()?;
        let busy = args.common.busy("searching for parameters");
        let params = args.params()?;
        drop(busy);
        let seed = args.common.hiding_seed()?;
        // 1. Secrets and errors. In real use each s and e comes from where keys come from; without
        //    a file they are drawn from one seed, uniform or Gaussian as the parameters say.
        if let Some(path) = &args.witness {
            let file = tautochrone_cli::open(path)?;
            let witness = WitnessFile::new(&params, file).map_err(|e| Failure::file(path, e))?;
            register(&args, &params, &seed, &witness)
        } else {
            let witness = RandomWitness::new(tautochrone_cli::part(&seed, "lwe_keys: secrets"));
            register(&args, &params, &seed, &witness)
        }
    })
}

fn register(
    args: &Args,
    params: &Params,
    seed: &Seed,
    witness: &dyn WitnessSource,
) -> Result<Answer, Failure> {
    // 2. T = A' S + E: the public keys, written as a statement file. It gets its name when there is
    //    a proof.
    let seed_a = tautochrone_cli::public_part(seed, "lwe_keys: A");
    let busy = args.common.busy("making keys");
    let isa = args.common.isa();
    let a = tautochrone_cli::params::matrix(isa, params, args.matrix.as_deref(), seed_a)?;
    let mut file = BufWriter::new(Output::create(&args.statement, Privacy::Public)?);
    let about_witness = |e| match &args.witness {
        Some(path) => Failure::file(path, e),
        None => Failure::new(e),
    };
    let statement = a.commit(witness, &mut file).map_err(about_witness)?;
    let output = file.into_inner().map_err(|e| Failure::file(&args.statement, e.error()))?;
    let file = output.reader().map_err(|e| Failure::file(&args.statement, e))?;
    drop(busy);

    // 3. Are these the keys that the other program has published? A proof is about T, not about
    //    the keys that others may believe in.
    if let Some(path) = &args.public_keys {
        let _busy = args.common.busy("comparing keys");
        let keys = tautochrone_cli::open(path)?;
        uses::check_keys(&statement, &file, &keys).map_err(|e| Failure::file(path, e))?;
    }

    // 4. The proof. Its context says what it is for, and whose keys they are: it is not valid for
    //    anything else. The name comes last, so that no two names give one context.
    let context = format!("registration of keys: {}", args.owner);
    let busy = args.common.busy("proving");
    let keys = if args.exact {
        let claim = KeyRanges::of(params).and_then(|claim| claim.with_hints(args.hints));
        let keys = claim.and_then(|claim| ExactKeys::new(&a, &statement, claim));
        let keys = keys.map_err(|e| Failure::new(tautochrone_cli::waivable(&e)))?;
        Some(keys.with_file(&file))
    } else {
        None
    };
    let proved = if let Some(keys) = &keys {
        keys.prove(context.as_bytes(), witness, seed)
    } else {
        Prover::new(&a, &statement)?.prove(context.as_bytes(), witness, seed)
    };
    let Proved { proof, attempts } = proved.map_err(about_witness)?;
    output.finish()?;
    Output::write_whole(&args.proof, Privacy::Public, &proof)?;
    drop(busy);

    // 5. What the service does: it has the two files and the context, and no secret.
    let busy = args.common.busy("checking");
    if let Some(keys) = &keys {
        keys.verify(context.as_bytes(), &proof)?;
    } else {
        Verifier::new(&a, &statement)?.with_file(&file).verify(context.as_bytes(), &proof)?;
    }
    drop(busy);
    let exact = keys.map(|keys| (*keys.claim(), keys.estimate()));
    let proof_bytes = proof.len();
    Report { args, params, context: &context, proof_bytes, attempts, exact }.say()?;
    Ok(Answer::Yes)
}
