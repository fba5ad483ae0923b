//! The report of `verify`, for people or for scripts.

use std::path::Path;

use tautochrone_zk::argument::{Claims, KeyRanges, Slot};
use tautochrone_zk::{Error, Estimate, Expansion, Hardness, Params, Reason, Requirement};

use super::args::Args;
use tautochrone_cli::device::Opened;
use tautochrone_cli::params::{GIVEN, Revealing, reveals};
use tautochrone_cli::{Failure, ranges, require, say};

/// The exact claim of a proof.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Exact {
    /// Claims about the columns of messages.
    Claims(Slot, Claims),
    /// Every key is well formed; what that costs its owner, and whether it is secure.
    Keys(KeyRanges, Box<Estimate>, bool),
}

/// The verdict on a proof.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It is valid, and shows this besides, if it says so.
    Valid(Option<Exact>),
    /// It is valid, and does not show this, which was required.
    Less(Option<Exact>, Vec<Requirement>),
    Invalid(Reason),
    /// It is malformed or cannot be read, and why.
    Failed(String),
}

impl From<Error> for Outcome {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(reason) => Self::Invalid(reason),
            e => Self::Failed(e.to_string()),
        }
    }
}

impl Outcome {
    /// The verdict on a valid proof that does not meet all requirements.
    pub(crate) fn of_valid(exact: Option<Exact>, unmet: Vec<Requirement>) -> Self {
        if unmet.is_empty() { Self::Valid(exact) } else { Self::Less(exact, unmet) }
    }

    pub(crate) const fn is_valid(&self) -> bool {
        matches!(self, Self::Valid(_))
    }

    /// The claim of a valid proof beyond knowledge.
    const fn exact(&self) -> Option<&Exact> {
        match self {
            Self::Valid(exact) | Self::Less(exact, _) => exact.as_ref(),
            Self::Invalid(_) | Self::Failed(_) => None,
        }
    }

    /// The estimate of the keys that a valid proof is about, and whether they are secure.
    const fn keys(&self) -> Option<(&Estimate, bool)> {
        match self.exact() {
            Some(Exact::Keys(_, estimate, secure)) => Some((estimate, *secure)),
            _ => None,
        }
    }

    /// Whether all parameters that a proof rests on are secure, if the statement's are.
    fn is_secure(&self, statement: bool) -> bool {
        statement && self.keys().is_none_or(|(_, secure)| secure)
    }

    /// Why a proof is not accepted.
    fn reason(&self) -> Option<String> {
        match self {
            Self::Valid(_) => None,
            Self::Less(_, unmet) => Some(require::reason(unmet)),
            Self::Invalid(reason) => Some(reason.to_string()),
            Self::Failed(error) => Some(error.clone()),
        }
    }

    /// Advice.
    fn hint(&self) -> Option<&'static str> {
        let other = *self == Self::Invalid(Reason::OtherStatement);
        other.then_some("is --context the text that the proof was made with?")
    }

    /// `secure`: whether the statement's parameters are.
    fn text(&self, secure: bool) -> String {
        let kind = match self {
            Self::Valid(_) if self.is_secure(secure) => "valid",
            Self::Valid(_) => "valid, but the parameters are insecure",
            Self::Less(..) => "not enough: ",
            Self::Invalid(_) => "invalid: ",
            Self::Failed(_) => "error: ",
        };
        let shown = match self.exact() {
            Some(Exact::Keys(claim, estimate, _)) => Some(format!(
                "every key is well formed, {}; {}",
                tautochrone_cli::keys::entries(claim),
                tautochrone_cli::keys::hiding(claim, estimate),
            )),
            Some(Exact::Claims(slot, claims)) => Some(ranges::sentence(slot, claims)),
            None => None,
        };
        let shows = if self.is_valid() { ", exact: " } else { ", but that " };
        let shown = shown.map(|shown| format!("{shows}{shown}")).unwrap_or_default();
        let hint = self.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("{kind}{}{shown}{hint}", self.reason().unwrap_or_default())
    }

    fn json(&self, path: &Path, secure: bool) -> serde_json::Value {
        let file = path.display().to_string();
        let mut json = match self {
            Self::Valid(_) | Self::Less(..) => self.json_of_valid(secure),
            Self::Invalid(_) => serde_json::json!({ "reason": self.reason(), "hint": self.hint() }),
            Self::Failed(error) => serde_json::json!({ "error": error }),
        };
        json["file"] = file.into();
        json["valid"] = self.is_valid().into();
        json
    }

    fn json_of_valid(&self, secure: bool) -> serde_json::Value {
        let mut json = match self.exact() {
            Some(Exact::Keys(claim, estimate, _)) => serde_json::json!({
                "secret_bound": claim.secret_bound(), "error_bound": claim.error_bound(),
                "hints": claim.hints(), "binding_bits": estimate.binding.classical,
                "hiding_bits_with_hints": estimate.hiding_with_hints.classical,
            }),
            Some(Exact::Claims(slot, claims)) => {
                let (ranges, norms) = ranges::json(Some(claims));
                let first = slot.layout().closed();
                serde_json::json!({ "ranges": ranges, "norms": norms, "first_column": first })
            }
            None => serde_json::json!({ "ranges": [], "norms": [] }),
        };
        json["exact"] = self.exact().is_some().into();
        json["secure_parameters"] = self.is_secure(secure).into();
        if let Self::Less(_, unmet) = self {
            json["reason"] = self.reason().into();
            json["unmet"] = unmet.iter().map(Requirement::to_string).collect();
        }
        json
    }
}

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
        outcomes.iter().filter_map(Outcome::keys).fold(
            of_statement,
            |(binding, hiding), (keys, _)| {
                let with_hints = keys.hiding_with_hints.classical;
                (binding.min(keys.binding.classical), hiding.min(with_hints))
            },
        )
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
            "isa": args.common.isa().name(), "threads": self.threads, "device": self.device.name(),
        })
    }

    fn text(&self, outcomes: &[Outcome]) -> Result<(), Failure> {
        let Self { args, params, times, threads, device, .. } = self;
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
        let isa = args.common.isa();
        say(format_args!(
            "time        statement {read:.1} ms, A {expand:.1} ms, check {verify:.1} ms ({isa}, {threads} threads{device})"
        ))
    }
}
