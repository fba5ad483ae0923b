//! base^exponent mod modulus in constant time, for any modulus but zero; one, a batch, or a
//! measurement.
//!
//! `cargo run --release --example modexp -- --base 2 --exponent ff --modulus 10001`

mod args;
mod operands;

use args::{Args, Work};
use tautochrone::bignum::{Job, convert, modexp_batch};
use tautochrone_cli::{Answer, Failure, Rounds, say, warn};

pub(crate) fn main() -> tautochrone_cli::Program {
    tautochrone_cli::Program::new(|args: Args| {
        let Work { common, method: way, lines, batch, single } = args.work()?;

        // Numbers are slices of 64-bit limbs, the least significant first. Jobs of equal widths
        // share vector lanes.
        let operands = lines.iter().filter_map(|(_, operands)| operands.as_ref().ok());
        let jobs: Vec<Job<'_>> =
            operands.map(|[base, exponent, modulus]| Job { base, exponent, modulus }).collect();
        let count = jobs.len();
        common.busy("raising to powers");
        let mut powers = Vec::new();
        let raise = || {
            powers = modexp_batch(common.isa(), way.method(), &jobs);
            Ok(())
        };
        let is_bench = !single && batch.is_none();
        let rounds = Rounds::measure(if is_bench { 5 } else { 1 }, raise)?;
        let mut powers = powers.into_iter();
        let [seconds, best] = [rounds.median, rounds.least].map(|t| t / count.max(1) as f64);

        // A line that cannot be used (no number, modulus zero, an even one for Montgomery) fails
        // alone.
        let mut results = Vec::new();
        for (line, operands) in lines {
            let power = operands
                .and_then(|_| powers.next().expect("one for each job").map_err(Failure::new));
            match power {
                Err(failure) if single => return Err(failure),
                power => results.push((line, power.map(|power| convert::to_hex(&power)))),
            }
        }
        let errors =
            results.iter().filter_map(|(line, result)| Some((line, result.as_ref().err()?)));
        let method = format!("{way:?}").to_lowercase();
        let threads = rayon::current_num_threads();
        if common.json {
            let mut out = serde_json::json!({
                "seconds_per_modexp": seconds, "best_seconds_per_modexp": best, "method": method,
                "isa": common.isa().name(), "threads": threads,
            });
            let mut values = results.iter().map(|(_, result)| result.as_deref().ok());
            if single {
                out["result"] = values.next().into();
            } else {
                let error = |(line, e): (&usize, &Failure)| {
                    let e = e.to_string();
                    serde_json::json!({ "line": line, "error": e })
                };
                out["results"] = values.collect::<Vec<_>>().into();
                out["errors"] = errors.clone().map(error).collect::<Vec<_>>().into();
            }
            say(out)?;
        } else {
            for (line, result) in &results {
                match result {
                    Ok(power) => say(power)?,
                    Err(e) => say(format_args!("line {line}: error: {e}"))?,
                }
            }
            let (ms, best, isa) = (seconds * 1e3, best * 1e3, common.isa());
            // Apart from the results, which scripts read, and from errors.
            if errors.clone().next().is_none() {
                let at_best = if is_bench { format!(", at best {best:.3}") } else { String::new() };
                warn(format_args!(
                    "{ms:.3} ms per modexp{at_best}, {method}, {isa}, {threads} threads"
                ));
            }
        }
        match (batch, errors.clone().next()) {
            (Some(path), Some((line, e))) => {
                Err(tautochrone_cli::about_input(&path, &format!("line {line}: {e}")))
            }
            _ => Ok(Answer::Yes),
        }
    })
}
