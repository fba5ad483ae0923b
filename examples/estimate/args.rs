//! The command line of `estimate`, and the parameters that it names or asks for.

use tautochrone_zk::{ChallengeKind, CustomParams, Goal, Params, Preset, Security};

use tautochrone_cli::{Common, Failure, MaskArgs};

/// Estimates binding (SIS) and hiding (LWE) of protocol parameters in core-SVP bits, and the size
/// of a proof
#[derive(Debug, clap::Parser)]
#[allow(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[command(
    after_help = "Examples:\n  estimate --list\n  estimate --w 29 --r 1240 --v 2704 --l 4096 --b 1\n  estimate --optimise --b 127 --l 100000\n  estimate --optimise --l 4096 --masks narrow --proofs 1024"
)]
pub(crate) struct Args {
    /// Show every preset as a table
    #[arg(long)]
    pub(crate) list: bool,
    /// Find the w, r, v and sigma of the smallest proof for the given b and l
    #[arg(long, conflicts_with_all = ["list", "r", "v", "n", "sigma"])]
    optimise: bool,
    /// Bits that binding and hiding must cost, with --optimise [default: the preset's lambda, else
    /// 128]
    #[arg(long, value_name = "BITS", requires = "optimise")]
    security: Option<f64>,
    /// Count quantum instead of classical operations, with --optimise
    #[arg(long, requires = "optimise")]
    quantum: bool,
    /// Rows of the witness that hold messages to commit to; they hide nothing
    #[arg(long, value_name = "ROWS", default_value_t = 0, conflicts_with = "list")]
    pub(crate) message_rows: u32,
    /// Challenge distribution [default: the preset's, else ternary]
    #[arg(long, value_parser = ["ternary", "binary"])]
    challenge: Option<String>,
    #[command(flatten)]
    masks: MaskArgs,
    /// Proofs for which T is published: it and they together are to be short, with --optimise
    /// [default: a proof alone is]
    #[arg(long, value_name = "COUNT", requires = "optimise")]
    per_statement: Option<u32>,
    /// A preset; the options below change it [default: T4-128]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Publish T whole, without rounding
    #[arg(long, conflicts_with = "list")]
    whole: bool,
    /// log2 q: 25 to 64 [default with --optimise: the best]
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
    /// Columns of the challenge [default: lambda + 2]
    #[arg(long)]
    n: Option<u32>,
    /// Bound on the witness' entries
    #[arg(long)]
    b: Option<u32>,
    /// Standard deviation [default: the smallest that hides the witness]
    #[arg(long)]
    sigma: Option<u64>,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Args {
    pub(crate) fn params(&self) -> Result<Params, Failure> {
        let named = self.preset.as_deref().map(str::parse::<Preset>).transpose()?;
        if named.is_none()
            && self.masks.masks.is_none()
            && (self.w, self.r, self.v, self.l, self.b) == (None, None, None, None, None)
        {
            return Err(Failure::new(
                "say which parameters: --list, --preset NAME, or --w --r --v --l --b",
            ));
        }
        let base = named.unwrap_or(Preset::T4_128).custom();
        let changed = named.is_none() || self.l.is_some() || self.v.is_some() || self.b.is_some();
        let challenge = match self.challenge.as_deref() {
            Some("binary") => ChallengeKind::Binary,
            Some(_) => ChallengeKind::Ternary,
            None => base.challenge,
        };
        if !self.optimise {
            self.masks.refuse("--optimise")?;
        }
        if self.optimise {
            let goal = Goal {
                masks: self.masks.masks(1),
                per_statement: self.per_statement,
                lambda: base.lambda,
                w: self.w,
                message_rows: self.message_rows,
                whole_t: self.whole,
                bits: self.security.unwrap_or(base.lambda.into()),
                quantum: self.quantum,
                challenge,
                ..Goal::new(self.b.unwrap_or(base.b), self.l.unwrap_or(base.l))
            };
            return Ok(goal.optimise()?.validate(Security::Waived)?);
        }
        let custom = CustomParams {
            challenge,
            round_w: if changed { None } else { base.round_w },
            round_t: if self.whole { Some(0) } else { base.round_t },
            w: self.w.unwrap_or(base.w),
            r: self.r.unwrap_or(base.r),
            v: self.v.unwrap_or(base.v),
            l: self.l.unwrap_or(base.l),
            b: self.b.unwrap_or(base.b),
            n: self.n.or(if changed { None } else { base.n }),
            sigma: self.sigma.or(if changed { None } else { base.sigma }),
            ..base
        };
        Ok(custom.validate(Security::Waived)?)
    }
}
