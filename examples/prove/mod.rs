//! Proves knowledge of short preimages and writes statement and proof to files.
//!
//! `cargo run --release --example prove -- --preset T4-128 --statement s.lzs --proof p.lzp --check`
//!
//! With `--exact 1024:0:1` it commits to messages of 1024 bits, and the proof shows that they are
//! bits, exactly. With `--norm 1024:3.2` the messages are Gaussian errors, and the proof shows
//! their norms, exactly; with `--preset N4-128` they are so, too, without a search for parameters.
//!
//! Published whole, T is LWE keys, t = A' s + e mod 2^w each: samples of LWE. They are made here,
//! by the samplers that the parameters name, or come from another program
//! (`tests/fixtures/lwe/generate.py` is one):
//!
//! ```sh
//! prove --whole --columns 1000 --context alice --statement keys.lzs --proof keys.lzp
//! prove --params params.json --whole --matrix matrix.bin --witness witness.bin \
//!     --public-keys keys.bin --context bob --statement keys.lzs --proof keys.lzp
//! ```
//!
//! **What such a proof shows.** Somebody knows, for every key t, *some* short (s', e') with t = A'
//! s' + e', of Euclidean length at most 2 B, and made the proof for this context. Three things it
//! does not show:
//!
//! * That a key is well formed. The ball of radius 2 B holds such vectors for every t there is, and
//!   whoever chooses the secrets chooses them as long as B allows: keys whose secrets and errors
//!   are all 127 are accepted where honest ones are ternary. (This prover refuses such secrets, but
//!   nobody has to use it.) `--exact-keys` makes a proof of another kind, which shows that every
//!   key is well formed: t = A' s + e with all entries of s and e within their bounds. It gives
//!   away a random linear combination of the entries of each key, in a field of 2^183 elements, so
//!   keys rest on LWE with such hints. The hint is the same for all proofs about these keys in this
//!   order; another batch with the same key gives away one more, and `--hints` says for how many
//!   the parameters are to be secure.
//! * That A' is as hard as a random one, where it was given: whoever chooses it may know a
//!   trapdoor.
//! * Who made the proof. Whoever knows the secrets can make one in any context, so a service that
//!   registers keys asks for it on a channel that it has authenticated. But nobody can hand in
//!   *another's* keys as their own: without the secrets there is no proof in their own name, and a
//!   copied proof is for the name in its context.

mod args;
mod report;
mod witness;

use std::time::Instant;

use args::Args;
use report::{Counted, Report, Times};
use tautochrone_cli::{Answer, ExactClaim, Failure, Output, Privacy, say};
use tautochrone_ctr::Seed;
use tautochrone_zk::argument::ExactKeys;
use tautochrone_zk::uses;
use tautochrone_zk::{
    Error, Params, Proved, Prover, RandomWitness, Verifier, Witness, WitnessSource,
};

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| {
        // Everything random in a run comes from one seed.
        let seed = args.common.hiding_seed()?;
        let job = |params, source| Job { args: &args, params, source, seed: &seed };
        let own = tautochrone_cli::part(&seed, "prove: witness");
        if let Some(exact) = args.exact.claim(args.params.columns)? {
            let messages = exact.messages(args.witness.as_deref(), &own)?;
            args.common.busy("searching for parameters");
            let params = exact.params(args.params.security()).map_err(Failure::new)?;
            return job(&params, Source::Messages(&exact, &messages, &own)).run();
        }
        let hints = args.keys.hints();
        args.common.busy("searching for parameters");
        let params = args.params.read(hints).map_err(Failure::new)?;
        if let Some(errors) = args.params.errors(hints).map_err(Failure::new)? {
            let exact = ExactClaim::of_errors(errors, &params)?;
            let messages = exact.messages(args.witness.as_deref(), &own)?;
            return job(&params, Source::Messages(&exact, &messages, &own)).run();
        }
        // The witness S: v rows of small integers, a column for each column of T.
        match &args.witness {
            None => job(&params, Source::Whole(&RandomWitness::new(own))).run(),
            Some(path) => job(&params, Source::Whole(&witness::open(path, &params)?)).run(),
        }
    })
}

/// Where S comes from.
#[derive(Clone, Copy)]
enum Source<'a> {
    Whole(&'a dyn WitnessSource),
    /// Messages, whether or not the claim holds, and the seed of the pads under them.
    Messages(&'a ExactClaim, &'a [i8], &'a Seed),
}

impl Source<'_> {
    fn exact(&self) -> Option<&ExactClaim> {
        match self {
            Self::Whole(_) => None,
            Self::Messages(exact, ..) => Some(exact),
        }
    }
}

/// One statement, and its proof.
struct Job<'a> {
    args: &'a Args,
    params: &'a Params,
    source: Source<'a>,
    seed: &'a Seed,
}

/// Most bytes of T, and of S, that are in memory until the proof is made.
const MAX_IN_MEMORY: u128 = 64 << 20;

impl Job<'_> {
    fn run(&self) -> Result<Answer, Failure> {
        let Self { args, params, source, seed } = *self;
        let device = args.device.open()?;
        let start = Instant::now();
        let mut times = Times::default();

        // 1. The public matrix A, r x v words modulo 2^w, expanded from a seed that goes into the
        //    statement.
        let seed_a = tautochrone_cli::public_part(seed, "prove: seed of A");
        args.common.busy("expanding A");
        let matrix = args.params.matrix.as_deref();
        let a = tautochrone_cli::params::matrix(args.common.isa(), params, matrix, seed_a)?;
        let a = device.attach(a);
        times.expand = start.elapsed().as_secs_f64();

        // 2. The statement: T = A S, written while it is computed.
        let own;
        let witness = match source {
            Source::Whole(witness) => witness,
            Source::Messages(exact, messages, seed) => {
                own = exact.witness(&a, messages, seed)?;
                &own
            }
        };
        let about_witness = |e: Error| match &args.witness {
            Some(path) => Failure::file(path, e),
            None => Failure::new(e),
        };
        // S is needed twice: a short one is read once, a long one is never in memory as a whole.
        let since = Instant::now();
        let read;
        let entries = u128::from(params.v()) * u128::from(params.l());
        let witness = if entries * params.entry_bytes() as u128 <= MAX_IN_MEMORY {
            read = Witness::read(params, witness).map_err(about_witness)?;
            &read
        } else {
            witness
        };
        let bar = args.common.progress("commit", params.t_bytes() as u64);
        let mut file = Counted(Output::create(&args.statement, Privacy::Public)?, &bar);
        let held = params.t_bytes() <= MAX_IN_MEMORY;
        let statement =
            if held { a.commit_and_hold(witness, &mut file) } else { a.commit(witness, &mut file) };
        let statement = statement.map_err(about_witness)?;
        let output = file.0;
        bar.finish_and_clear();
        times.commit = since.elapsed().as_secs_f64();

        // 3. Are these the keys that another program has published? A proof is about T, not about
        //    the keys that others may believe in.
        let file = output.reader();
        let about_statement = |e| Failure::file(&args.statement, e);
        if let Some(path) = &args.public_keys {
            args.common.busy("comparing keys");
            let keys = tautochrone_cli::open(path)?;
            let file = file.as_ref().map_err(about_statement)?;
            uses::check_keys(&statement, file, &keys).map_err(|e| Failure::file(path, e))?;
        }

        // 4. The proof: Z = S C + Y for a challenge C by hashing, repeated until Z is independent
        //    of S; rho times on average, two by default. Where T is rounded, or keys, it is read
        //    once more.
        let since = Instant::now();
        let mut prover = Prover::new(&a, &statement)?;
        let claim = args.keys.claim(params)?;
        let keys = claim.map(|claim| ExactKeys::new(&a, &statement, claim)).transpose();
        let mut keys = keys.map_err(|e| Failure::new(tautochrone_cli::waivable(&e)))?;
        if (params.round_t() > 0 || keys.is_some()) && !held {
            let file = file.as_ref().map_err(about_statement)?;
            prover = prover.with_file(file);
            keys = keys.map(|keys| keys.with_file(file));
        }
        if args.reproducible {
            prover = prover.reproducible();
            keys = keys.map(ExactKeys::reproducible);
        }
        let context = args.context.as_bytes();
        args.common.busy("proving");
        let y = tautochrone_cli::part(seed, "prove: Y");
        let proved = match (&keys, source.exact()) {
            (Some(keys), _) => keys.prove(context, witness, &y),
            (None, Some(exact)) => {
                prover.prove_claims(context, &exact.slot(), &exact.claims(), witness, &y)
            }
            (None, None) => prover.prove(context, witness, &y),
        };
        let Proved { proof: bytes, attempts } = proved.map_err(about_witness)?;
        times.prove = since.elapsed().as_secs_f64();

        if let Some(path) = &args.witness_out {
            witness::write(path, params, witness)?;
        }
        // 5. The statement gets its name before it is read back for the check, the proof only after
        //    it.
        output.finish()?;
        if args.check {
            let file = tautochrone_cli::open(&args.statement)?;
            let verifier = Verifier::new(&a, &statement)?;
            args.common.busy("checking");
            match verifier.with_file(&file).verify_file(context, &bytes, &[]) {
                Ok(_) => (),
                Err(Error::Invalid(reason)) => {
                    say(format_args!(
                        "invalid: {reason} (does the witness belong to this statement?)"
                    ))?;
                    return Ok(Answer::No);
                }
                Err(e) => return Err(Failure::new(e)),
            }
        }
        Output::write_whole(&args.proof, Privacy::Public, &bytes)?;
        times.total = start.elapsed().as_secs_f64();

        let (exact, keys, proof_bytes) = (source.exact(), keys.as_ref(), bytes.len());
        let device = &device;
        Report { args, params, exact, keys, attempts, proof_bytes, times, device }.say()?;
        Ok(Answer::Yes)
    }
}
