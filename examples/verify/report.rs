//! What `verify` tells, for people or for scripts.

use std::path::Path;

use tautochrone::zk::argument::{KeyEstimate, KeyRanges, Ranges};
use tautochrone::zk::estimate::Hardness;
use tautochrone::zk::uses::commitment::MessageSpace;
use tautochrone::zk::{Expansion, Params, Reason, Security, VerifyError};

use super::args::Args;
use tautochrone_cli::device::Opened;
use tautochrone_cli::params::GIVEN;
use tautochrone_cli::{Failure, ranges, say};

/// What a proof shows exactly.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Exact {
    /// These rows are in these ranges, and have these norms.
    Rows(Ranges),
    /// Every key is well formed; and what that costs its owner.
    Keys(KeyRanges, KeyEstimate),
}

/// What becomes of a proof.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It is valid, and shows this besides, if it says so.
    Valid(Option<Exact>),
    Invalid(Reason),
    /// It is malformed or cannot be read, and why.
    Failed(String),
}

impl Outcome {
    pub(crate) fn new(verdict: Result<(), VerifyError>, exact: Option<Exact>) -> Self {
        match verdict {
            Ok(()) => Self::Valid(exact),
            Err(VerifyError::Invalid(reason)) => Self::Invalid(reason),
            Err(VerifyError::NoVerdict(e)) => Self::Failed(e.to_string()),
        }
    }

    pub(crate) const fn is_valid(&self) -> bool {
        matches!(self, Self::Valid(_))
    }

    /// What may help.
    fn hint(&self) -> Option<&'static str> {
        let other = *self == Self::Invalid(Reason::OtherStatement);
        other.then_some("is --context the text that the proof was made with?")
    }

    fn text(&self) -> String {
        match (self, self.hint()) {
            (Self::Valid(None), _) => "valid".to_owned(),
            (Self::Valid(Some(Exact::Keys(claim, estimate))), _) => format!(
                "valid, exact: every key is well formed, {}; {}",
                tautochrone_cli::keys::entries(claim),
                tautochrone_cli::keys::hiding(claim, estimate),
            ),
            (Self::Valid(Some(Exact::Rows(shown))), _) => {
                format!("valid, exact: {}", ranges::text(shown).join(", "))
            }
            (Self::Invalid(reason), None) => format!("invalid: {reason}"),
            (Self::Invalid(reason), Some(hint)) => format!("invalid: {reason}; {hint}"),
            (Self::Failed(error), _) => format!("error: {error}"),
        }
    }

    fn json(&self, path: &Path) -> serde_json::Value {
        let file = path.display().to_string();
        match self {
            Self::Valid(Some(Exact::Keys(claim, estimate))) => serde_json::json!({
                "file": file, "valid": true, "exact": true,
                "secret_bound": claim.secret_bound(), "error_bound": claim.error_bound(),
                "hints": claim.hints(), "binding_bits": estimate.binding.classical,
                "hiding_bits_with_hints": estimate.hiding_with_hints.classical,
            }),
            Self::Valid(exact) => {
                let shown = match exact {
                    Some(Exact::Rows(ranges)) => Some(ranges),
                    _ => None,
                };
                let (ranges, norms) = ranges::json(shown);
                serde_json::json!({
                    "file": file, "valid": true, "exact": exact.is_some(), "ranges": ranges, "norms": norms,
                })
            }
            Self::Invalid(reason) => {
                let (reason, hint) = (reason.to_string(), self.hint());
                serde_json::json!({ "file": file, "valid": false, "reason": reason, "hint": hint })
            }
            Self::Failed(error) => {
                serde_json::json!({ "file": file, "valid": false, "error": error })
            }
        }
    }
}

/// Says what became of one proof. A failure of the only one is left to stderr.
pub(crate) fn say_outcome(args: &Args, path: &Path, outcome: &Outcome) -> Result<(), Failure> {
    if args.common.json {
        Ok(())
    } else if args.proof.len() > 1 {
        say(format_args!("{}: {}", path.display(), outcome.text()))
    } else if let Outcome::Failed(_) = outcome {
        Ok(())
    } else {
        say(outcome.text())
    }
}

/// Seconds of each part.
pub(crate) struct Times {
    pub(crate) read: f64,
    pub(crate) expand: f64,
    pub(crate) verify: f64,
}

/// What is said once, after all proofs.
pub(crate) struct Report<'a> {
    pub(crate) args: &'a Args,
    pub(crate) params: &'a Params,
    pub(crate) hiding: Hardness,
    pub(crate) times: Times,
    pub(crate) threads: usize,
    pub(crate) device: &'a Opened,
}

impl Report<'_> {
    pub(crate) fn say(&self, outcomes: &[Outcome]) -> Result<(), Failure> {
        if self.args.common.json {
            say(self.json(outcomes))
        } else if let [Outcome::Failed(_)] = outcomes {
            Ok(())
        } else {
            self.text()
        }
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
        let Self { args, params, hiding, times: Times { read, expand, verify }, .. } = self;
        let all = || args.proof.iter().zip(outcomes);
        let first_bad = all().find(|(_, outcome)| !outcome.is_valid());
        let reason =
            first_bad.map(|(path, outcome)| format!("{}: {}", path.display(), outcome.text()));
        let secure = || match args.message_rows {
            0 => params.check_security().is_ok(),
            rows => MessageSpace::new(params, rows, Security::Required).is_ok(),
        };
        let proofs: Vec<_> = all().map(|(path, outcome)| outcome.json(path)).collect();
        serde_json::json!({
            "valid": reason.is_none(), "reason": reason, "proofs": proofs,
            "secure_parameters": !args.insecure || secure(), "lambda": params.lambda(),
            "sis_bits": params.estimate().sis.classical,
            "hiding_bits": hiding.classical, "hiding_assumes": self.assumption(),
            "log2_shown_length": self.log2_length(), "given_matrix": params.expansion() == Expansion::Given,
            "seconds": { "read": read, "expand": expand, "verify": verify },
            "isa": args.common.isa.name(), "threads": self.threads, "device": self.device.name(),
        })
    }

    fn text(&self) -> Result<(), Failure> {
        let Self { args, params, hiding, times, threads, device } = self;
        say(format_args!("lambda      {} (hash, challenge, statistical)", params.lambda()))?;
        say(format_args!(
            "security    binding {:.1} bits, hiding {:.1} bits if {} (classical core-SVP)",
            params.estimate().sis.classical,
            hiding.classical,
            self.assumption()
        ))?;
        if params.expansion() == Expansion::Given {
            say(GIVEN)?;
        }
        let (w, length) = (params.w(), self.log2_length());
        say(format_args!(
            "shown       of a valid proof: A s' = t mod 2^{w} and ||s'|| <= 2 B = 2^{length:.1} for every column t"
        ))?;
        let [read, expand, verify] =
            [times.read, times.expand, times.verify].map(|time| time * 1e3);
        let isa = args.common.isa;
        say(format_args!(
            "time        statement {read:.1} ms, A {expand:.1} ms, check {verify:.1} ms ({isa}, {threads} threads{device})"
        ))
    }
}
