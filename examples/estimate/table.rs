//! Parameters as a table and as JSON.

use tautochrone_zk::{Error, Params, Preset, Security};

use tautochrone_cli::params::hiding;
use tautochrone_cli::{Answer, Failure, say};

/// Every preset, a line each.
pub(crate) fn list(as_json: bool) -> Result<Answer, Failure> {
    let named = |preset: &Preset| Ok((preset.name(), preset.params(Security::Waived)?));
    let presets: Vec<_> = Preset::ALL.iter().map(named).collect::<Result<_, Error>>()?;
    if as_json {
        let json = |(name, params): &(&str, Params)| json(name, params, 0);
        let presets: Vec<_> = presets.iter().map(json).collect::<Result<_, Error>>()?;
        say(serde_json::json!({ "presets": presets }))?;
        return Ok(Answer::Yes);
    }
    say(
        "preset        b  w      l     v     r    n      sigma  d dT   4B     SIS bits     hiding bits  proof KiB   T MiB",
    )?;
    for (name, p) in presets {
        let e = p.estimate();
        say(format_args!(
            "{name:<11} {:>3} {:>2} {:>6} {:>5} {:>5} {:>4} {:>10} {:>2} {:>2} 2^{:.1} {:>5.1}/{:<5.1}  {:>5.1}/{:<5.1}  {:>8.0} {:>9.1}",
            p.b(),
            p.w(),
            p.l(),
            p.v(),
            p.r(),
            p.n(),
            p.sigma(),
            p.round_w(),
            p.round_t(),
            e.log2_4b,
            e.binding.classical,
            e.binding.quantum,
            e.hiding.classical,
            e.hiding.quantum,
            p.expected_proof_bytes() as f64 / 1024.0,
            p.t_bytes() as f64 / 1_048_576.0
        ))?;
    }
    say(
        "bits: classical/quantum core-SVP; the preset `seed` is broken and there for comparison only",
    )?;
    Ok(Answer::Yes)
}

/// Everything about some parameters, of whose S so many rows are messages.
pub(crate) fn json(name: &str, p: &Params, message_rows: u32) -> Result<serde_json::Value, Error> {
    let (e, secure) = (p.estimate(), hiding(p, message_rows, Security::Required).is_ok());
    let hiding = hiding(p, message_rows, Security::Waived)?;
    let (hiding_dimension, hiding_sd) = p.hiding_instance().unzip();
    Ok(serde_json::json!({
        "name": name, "lambda": p.lambda(), "w": p.w(), "r": p.r(), "v": p.v(), "l": p.l(),
        "n": p.n(), "b": p.b(), "sigma": p.sigma(), "rho": p.rho(),
        "most_proofs": p.masks().proofs(),
        "round_w": p.round_w(), "round_t": p.round_t(), "message_rows": message_rows,
        "log2_4b": e.log2_4b, "secure": secure,
        "sis_beta": e.binding.beta, "sis_classical": e.binding.classical,
        "sis_quantum": e.binding.quantum,
        "hiding_beta": hiding.beta, "hiding_classical": hiding.classical,
        "hiding_quantum": hiding.quantum, "hiding_dimension": hiding_dimension,
        "hiding_sd": hiding_sd,
        "proof_bytes": p.expected_proof_bytes(), "statement_bytes": p.statement_bytes() as u64,
    }))
}

/// Bits of an attack. The search for block sizes ends, and beyond its end only "more" is known.
pub(crate) fn bits(bits: f64) -> String {
    const MAX_BITS: f64 = 1000.0;
    if bits < MAX_BITS { format!("{bits:.1}") } else { format!(">= {MAX_BITS}") }
}
