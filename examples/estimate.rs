//! How secure are these parameters, and how large would a proof be?
//!
//! `cargo run --release --example estimate -- --list`

#[path = "support/cli.rs"]
mod cli;

use std::process::ExitCode;

use cli::{Answer, Common, Failure, say};
use tautochrone::zk::{CustomParams, Goal, Params, Preset, Security};

/// Estimates binding (SIS) and hiding (LWE) of protocol parameters in core-SVP bits, and the size of a proof
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  estimate --list\n  estimate --w 32 --r 1088 --v 2688 --l 4096 --b 1\n  estimate --optimise --w 64 --b 127 --l 100000"
)]
struct Args {
    /// Show every preset as a table
    #[arg(long)]
    list: bool,
    /// Find the r, v and sigma of the smallest proof for the given w, b and l
    #[arg(long, conflicts_with_all = ["list", "r", "v", "n", "sigma"])]
    optimise: bool,
    /// Bits that binding and hiding must cost, with --optimise
    #[arg(long, value_name = "BITS", default_value_t = 128.0, requires = "optimise")]
    security: f64,
    /// Count quantum instead of classical operations, with --optimise
    #[arg(long, requires = "optimise")]
    quantum: bool,
    /// Rows of the witness that hold messages to commit to, with --optimise
    #[arg(long, value_name = "ROWS", default_value_t = 0, requires = "optimise")]
    message_rows: u32,
    /// Challenge distribution [default: the preset's, else ternary]
    #[arg(long, value_parser = ["ternary", "binary"])]
    challenge: Option<String>,
    /// A preset; the options below change it
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// log2 q: 32 or 64
    #[arg(long)]
    w: Option<u32>,
    /// Rows of A
    #[arg(long)]
    r: Option<u32>,
    /// Columns of A
    #[arg(long)]
    v: Option<u32>,
    /// Columns of the witness
    #[arg(long)]
    l: Option<u64>,
    /// Columns of the challenge [default: lambda + 2 + log2 l]
    #[arg(long)]
    n: Option<u32>,
    /// Bound on the witness' entries
    #[arg(long)]
    b: Option<u32>,
    /// Standard deviation [default: the smallest that hides the witness]
    #[arg(long)]
    sigma: Option<u64>,
    #[command(flatten)]
    common: Common,
}

impl Args {
    fn params(&self) -> Result<Params, Failure> {
        let named = self.preset.as_deref().map(Preset::named).transpose().map_err(Failure::new)?;
        if named.is_none()
            && (self.w, self.r, self.v, self.l, self.b) == (None, None, None, None, None)
        {
            return Err(Failure::new(
                "say which parameters: --list, --preset NAME, or --w --r --v --l --b",
            ));
        }
        let base = named.unwrap_or(Preset::T4_128).custom();
        let changed = named.is_none() || self.l.is_some() || self.v.is_some() || self.b.is_some();
        let binary = self.challenge.as_deref().map_or(base.binary, |kind| kind == "binary");
        if self.optimise {
            let goal = Goal {
                lambda: base.lambda,
                w: self.w.unwrap_or(base.w),
                b: self.b.unwrap_or(base.b),
                l: self.l.unwrap_or(base.l),
                message_rows: self.message_rows,
                bits: self.security,
                quantum: self.quantum,
                binary,
            };
            let found = goal.optimise().map_err(Failure::new)?;
            return found.validate(Security::Waived).map_err(Failure::new);
        }
        let custom = CustomParams {
            binary,
            w: self.w.unwrap_or(base.w),
            r: self.r.unwrap_or(base.r),
            v: self.v.unwrap_or(base.v),
            l: self.l.unwrap_or(base.l),
            b: self.b.unwrap_or(base.b),
            n: self.n.or(if changed { None } else { base.n }),
            sigma: self.sigma.or(if changed { None } else { base.sigma }),
            ..base
        };
        custom.validate(Security::Waived).map_err(Failure::new)
    }
}

fn main() -> ExitCode {
    cli::run(|args: Args| -> Result<Answer, Failure> {
        if args.list {
            return list(args.common.json);
        }
        let params = args.params()?;
        let estimate = params.estimate();
        let hiding = estimate.hiding();
        if args.common.json {
            say(json("custom", &params))?;
            return Ok(Answer::Yes);
        }
        say(format_args!(
            "q = 2^{}, A {} x {}, {} columns, n = {}",
            params.w(),
            params.r(),
            params.v(),
            params.l(),
            params.n()
        ))?;
        say(format_args!(
            "sigma               {} (at least {} is needed)",
            params.sigma(),
            params.needed_sigma()
        ))?;
        say(format_args!("4 B                 2^{:.1}", estimate.log2_4b))?;
        let row = |name, h: tautochrone::zk::estimate::Hardness| {
            say(format_args!(
                "{name:<19} {:.1} bits classical, {:.1} quantum (block size {})",
                h.classical, h.quantum, h.beta
            ))
        };
        row("binding (SIS)", estimate.sis)?;
        row("hiding, primal", estimate.hiding_primal)?;
        row("hiding, dual-hybrid", estimate.hiding_dual)?;
        row("hiding", hiding)?;
        say(format_args!(
            "proof               {:.1} KiB",
            params.expected_proof_bytes() as f64 / 1024.0
        ))?;
        say(format_args!("statement (T)       {:.1} MiB", params.t_bytes() as f64 / 1_048_576.0))?;
        if let Err(e) = params.check_security() {
            say(format_args!("NOT SECURE          {e}"))?;
        }
        Ok(Answer::Yes)
    })
}

fn list(as_json: bool) -> Result<Answer, Failure> {
    let presets = Preset::ALL.into_iter().map(|preset| {
        let params = preset.params(Security::Waived).map_err(Failure::new)?;
        Ok((preset.name(), params))
    });
    let presets: Vec<(&str, Params)> = presets.collect::<Result<_, Failure>>()?;
    if as_json {
        say(serde_json::Value::Array(
            presets.iter().map(|(name, params)| json(name, params)).collect(),
        ))?;
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

fn json(name: &str, p: &Params) -> serde_json::Value {
    let e = p.estimate();
    serde_json::json!({
        "name": name, "w": p.w(), "r": p.r(), "v": p.v(), "l": p.l(), "n": p.n(), "b": p.b(), "sigma": p.sigma(),
        "log2_4b": e.log2_4b, "secure": p.check_security().is_ok(),
        "sis_beta": e.sis.beta, "sis_classical": e.sis.classical, "sis_quantum": e.sis.quantum,
        "hiding_beta": e.hiding().beta, "hiding_classical": e.hiding().classical,
        "hiding_quantum": e.hiding().quantum,
        "proof_bytes": p.expected_proof_bytes(), "statement_bytes": p.t_bytes() as u64 + 112,
    })
}
