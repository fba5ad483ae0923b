//! Parameters as a table and as JSON.

use tautochrone::zk::{Params, Preset, Security};

use crate::cli::{Answer, Failure, say};

/// Every preset, a line each.
pub(crate) fn list(as_json: bool) -> Result<Answer, Failure> {
    let presets = Preset::ALL.into_iter().map(|preset| {
        let params = preset.params(Security::Waived).map_err(Failure::new)?;
        Ok((preset.name(), params))
    });
    let presets: Vec<(&str, Params)> = presets.collect::<Result<_, Failure>>()?;
    if as_json {
        let presets: Vec<_> = presets.iter().map(|(name, params)| json(name, params)).collect();
        say(serde_json::json!({ "presets": presets }))?;
        return Ok(Answer::Yes);
    }
    say(
        "preset     b  w      l     v     r    n      sigma   4B     SIS bits     hiding bits  proof KiB   T MiB",
    )?;
    for (name, p) in presets {
        let e = p.estimate();
        say(format_args!(
            "{name:<8} {:>3} {:>2} {:>6} {:>5} {:>5} {:>4} {:>10} 2^{:.1} {:>5.1}/{:<5.1}  {:>5.1}/{:<5.1}  {:>8.0} {:>9.1}",
            p.b(),
            p.w(),
            p.l(),
            p.v(),
            p.r(),
            p.n(),
            p.sigma(),
            e.log2_4b,
            e.sis.classical,
            e.sis.quantum,
            e.hiding().classical,
            e.hiding().quantum,
            p.expected_proof_bytes() as f64 / 1024.0,
            p.t_bytes() as f64 / 1_048_576.0
        ))?;
    }
    say(
        "bits: classical/quantum core-SVP; the preset `seed` is broken and there for comparison only",
    )?;
    Ok(Answer::Yes)
}

/// Everything about some parameters.
pub(crate) fn json(name: &str, p: &Params) -> serde_json::Value {
    let e = p.estimate();
    serde_json::json!({
        "name": name, "w": p.w(), "r": p.r(), "v": p.v(), "l": p.l(), "n": p.n(), "b": p.b(), "sigma": p.sigma(),
        "log2_4b": e.log2_4b, "secure": p.check_security().is_ok(),
        "sis_beta": e.sis.beta, "sis_classical": e.sis.classical, "sis_quantum": e.sis.quantum,
        "hiding_beta": e.hiding().beta, "hiding_classical": e.hiding().classical,
        "hiding_quantum": e.hiding().quantum,
        "proof_bytes": p.expected_proof_bytes(), "statement_bytes": p.statement_bytes() as u64,
    })
}
