//! The report of `verify`, for people or for scripts.

use std::path::Path;

use tautochrone_zk::{Expansion, Hardness, Params};

use super::args::Args;
use tautochrone_cli::device::Opened;
use tautochrone_cli::params::{GIVEN, Revealing, reveals};
use tautochrone_cli::{Failure, Outcome, say};

/// Says what became of one proof. A failure of the only one is left to stderr.
pub(crate) fn say_outcome(
    args: &Args,
    path: &Path,
    outcome: &Outcome,
    secure: bool,
) -> Result<(), Failure> {
    if args.common.json {
        Ok(())
    } else if args.proof.len() > 1 {
        say(format_args!("{}: {}", path.display(), outcome.text(secure)))
    } else if let Outcome::Failed(_) = outcome {
        Ok(())
    } else {
        say(outcome.text(secure))
    }
}

/// Seconds of each part.
pub(crate) struct Times {
    pub(crate) read: f64,
    pub(crate) expand: f64,
    pub(crate) verify: f64,
}

/// The common report, after all proofs.
pub(crate) struct Report<'a> {
    pub(crate) args: &'a Args,
    pub(crate) params: &'a Params,
    pub(crate) hiding: Hardness,
    /// Whether the statement's parameters are secure.
    pub(crate) secure: bool,
    pub(crate) times: Times,
    pub(crate) device: &'a Opened,
}

impl Report<'_> {
    pub(crate) fn say(&self, outcomes: &[Outcome]) -> Result<(), Failure> {
        if self.args.common.json {
            say(self.json(outcomes))
        } else if let [Outcome::Failed(_)] = outcomes {
            Ok(())
        } else {
            self.text(outcomes)
        }
    }

    /// Whether all parameters that the valid proofs rest on are secure.
    fn is_secure(&self, outcomes: &[Outcome]) -> bool {
        outcomes.iter().all(|outcome| outcome.is_secure(self.secure))
    }

    /// Bits of binding and of hiding: the least for the statement and for the keys that proofs
    /// are about, with the hints that are then known.
    fn bits(&self, outcomes: &[Outcome]) -> (f64, f64) {
        let of_statement = (self.params.estimate().binding.classical, self.hiding.classical);
        outcomes.iter().fold(of_statement, |bits, outcome| outcome.bits(bits))
    }

    /// The condition on which the witness is hidden, which no statement can show.
    fn assumption(&self) -> String {
        tautochrone_cli::params::assumption(self.params, self.args.message_rows)
    }

    /// log2 of 2 B, which is all that a valid proof shows of the length of a preimage.
    fn log2_length(&self) -> f64 {
        self.params.estimate().log2_4b - 1.0
    }

    fn json(&self, outcomes: &[Outcome]) -> serde_json::Value {
        let Self { args, params, secure, times: Times { read, expand, verify }, .. } = self;
        let all = || args.proof.iter().zip(outcomes);
        let first_bad = all().find(|(_, outcome)| !outcome.is_valid());
        let reason = first_bad
            .map(|(path, outcome)| format!("{}: {}", path.display(), outcome.text(*secure)));
        let proofs: Vec<_> = all().map(|(path, outcome)| outcome.json(path, *secure)).collect();
        let (binding, hiding) = self.bits(outcomes);
        serde_json::json!({
            "valid": reason.is_none(), "reason": reason, "proofs": proofs,
            "secure_parameters": self.is_secure(outcomes),
            "lambda": params.lambda(), "sis_bits": binding,
            "hiding_bits": hiding, "hiding_assumes": self.assumption(),
            "log2_shown_length": self.log2_length(), "given_matrix": params.expansion() == Expansion::Given,
            "seconds": { "read": read, "expand": expand, "verify": verify },
            "isa": args.common.isa().name(), "threads": rayon::current_num_threads(), "device": self.device.name(),
        })
    }

    fn text(&self, outcomes: &[Outcome]) -> Result<(), Failure> {
        let Self { args, params, times, device, .. } = self;
        let (binding, hiding) = self.bits(outcomes);
        say(format_args!("lambda      {} (hash, challenge)", params.lambda()))?;
        say(format_args!(
            "security    binding {binding:.1} bits, hiding {hiding:.1} bits if {} (classical core-SVP)",
            self.assumption()
        ))?;
        let any = |is: &dyn Fn(&Outcome) -> bool| outcomes.iter().any(is);
        let kind = if any(&|outcome| outcome.keys().is_some()) {
            Revealing::Keys
        } else if any(&|outcome| outcome.exact().is_some()) {
            Revealing::Exact
        } else {
            Revealing::Plain
        };
        let reveals = reveals(params, kind, self.is_secure(outcomes));
        say(format_args!("reveals     {reveals}"))?;
        if params.expansion() == Expansion::Given {
            say(GIVEN)?;
        }
        let (w, length) = (params.w(), self.log2_length());
        say(format_args!(
            "shown       of a valid proof: A s' = t mod 2^{w} and ||s'|| <= 2 B = 2^{length:.1} for every column t"
        ))?;
        let [read, expand, verify] =
            [times.read, times.expand, times.verify].map(|time| time * 1e3);
        let (isa, threads) = (args.common.isa(), rayon::current_num_threads());
        say(format_args!(
            "time        statement {read:.1} ms, A {expand:.1} ms, check {verify:.1} ms ({isa}, {threads} threads{device})"
        ))
    }
}
