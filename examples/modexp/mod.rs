//! base^exponent mod modulus in constant time, for any modulus but zero; one, a batch, or a
//! measurement.
//!
//! `cargo run --release --example modexp -- --base 2 --exponent ff --modulus 10001`

mod args;
mod operands;

use std::process::ExitCode;
use std::time::Instant;

use args::{Args, Work};
use tautochrone::bignum::{Job, convert, modexp_batch};
use tautochrone_cli::{Answer, Failure, say};

fn main() -> ExitCode {
    program().main()
}

pub(crate) fn program() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| {
        let Work { common, method: way, operands, single } = args.work()?;
        let threads = common.start_threads()?;

        // Numbers are slices of 64-bit limbs, the least significant first. Jobs of equal widths
        // share vector lanes.
        let jobs: Vec<Job<'_>> = operands
            .iter()
            .map(|[base, exponent, modulus]| Job { base, exponent, modulus })
            .collect();
        let start = Instant::now();
        let busy = common.busy("raising to powers");
        let powers = modexp_batch(common.isa, way.method(), &jobs);
        drop(busy);
        let seconds = start.elapsed().as_secs_f64() / jobs.len().max(1) as f64;

        // An operand that cannot be used (modulus zero, an even one for Montgomery) fails alone.
        let mut results = Vec::new();
        for (i, power) in powers.into_iter().enumerate() {
            let power =
                power.map_err(|e| Failure::new(format!("exponentiation {}: {e}", i + 1)))?;
            results.push(convert::to_hex(&power));
        }
        let method = format!("{way:?}").to_lowercase();
        if common.json {
            let mut out = serde_json::json!({
                "seconds_per_modexp": seconds, "method": method, "isa": common.isa.name(), "threads": threads,
            });
            if single {
                out["result"] = results.swap_remove(0).into();
            } else {
                out["results"] = results.into();
            }
            say(out)?;
            return Ok(Answer::Yes);
        }
        for result in results {
            say(result)?;
        }
        let (ms, isa) = (seconds * 1e3, common.isa);
        say(format_args!("{ms:.3} ms per modexp, {method}, {isa}, {threads} threads"))?;
        Ok(Answer::Yes)
    })
}
