//! [`Outcome`]: what programs that check proofs say of one.

use std::path::Path;

use tautochrone_zk::argument::ExactKeys;
use tautochrone_zk::{Error, Estimate, Reason, Requirement, Shows};

use crate::require::{self, RequireArgs};
use crate::{keys, ranges};

/// The verdict on a proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is valid.
    Proved {
        /// What it shows.
        shows: Box<Shows>,
        /// Of keys: what that costs their owner, and whether they are secure.
        keys: Option<(Box<Estimate>, bool)>,
        /// What was required and is not shown.
        unmet: Vec<Requirement>,
    },
    /// It is not valid, and why.
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
    /// The verdict on a valid proof that shows this, but is not about keys.
    #[must_use]
    pub fn shown(shows: Shows, required: &RequireArgs) -> Self {
        let unmet = required.unmet(&shows);
        Self::Proved { shows: shows.into(), keys: None, unmet }
    }

    /// The verdict on a valid proof about keys; `insecure`: whether weak ones are accepted.
    #[must_use]
    pub fn keys_shown(keys: &ExactKeys<'_>, required: &RequireArgs, insecure: bool) -> Self {
        let shows = Shows::Keys(*keys.claim());
        let secure = !insecure || keys.check_security().is_ok();
        let unmet = required.unmet(&shows);
        let keys = Some((keys.estimate().into(), secure));
        Self::Proved { shows: shows.into(), keys, unmet }
    }

    /// Whether it is valid and meets all requirements.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        matches!(self, Self::Proved { unmet, .. } if unmet.is_empty())
    }

    /// The requirements that a valid proof does not meet.
    #[must_use]
    pub fn unmet(&self) -> Vec<String> {
        match self {
            Self::Proved { unmet, .. } => unmet.iter().map(Requirement::to_string).collect(),
            Self::Invalid(_) | Self::Failed(_) => Vec::new(),
        }
    }

    /// The claim of a valid proof beyond knowledge.
    #[must_use]
    pub fn exact(&self) -> Option<&Shows> {
        match self {
            Self::Proved { shows, .. } => {
                Some(&**shows).filter(|&shows| *shows != Shows::Knowledge)
            }
            Self::Invalid(_) | Self::Failed(_) => None,
        }
    }

    /// The estimate of the keys that a valid proof is about, and whether they are secure.
    #[must_use]
    pub fn keys(&self) -> Option<(&Estimate, bool)> {
        match self {
            Self::Proved { keys: Some((estimate, secure)), .. } => Some((estimate, *secure)),
            _ => None,
        }
    }

    /// Whether all parameters that a proof rests on are secure, if the statement's are.
    #[must_use]
    pub fn is_secure(&self, statement: bool) -> bool {
        statement && self.keys().is_none_or(|(_, secure)| secure)
    }

    /// Why a proof is not accepted.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Proved { unmet, .. } => (!unmet.is_empty()).then(|| require::reason(unmet)),
            Self::Invalid(reason) => Some(reason.to_string()),
            Self::Failed(error) => Some(error.clone()),
        }
    }

    /// Bits of binding and of hiding: the least of these and, of a proof about keys, of the keys
    /// with the hints that are then known.
    #[must_use]
    pub fn bits(&self, (binding, hiding): (f64, f64)) -> (f64, f64) {
        match self.keys() {
            Some((keys, _)) => {
                let with_hints = keys.hiding_with_hints.classical;
                (binding.min(keys.binding.classical), hiding.min(with_hints))
            }
            None => (binding, hiding),
        }
    }

    /// Advice.
    fn hint(&self) -> Option<&'static str> {
        let other = *self == Self::Invalid(Reason::OtherStatement);
        other.then_some("is --context the text that the proof was made with?")
    }

    /// Security of keys once a proof about them is published.
    fn cost(&self) -> String {
        match (self.exact(), self.keys()) {
            (Some(Shows::Keys(claim)), Some((estimate, _))) => {
                format!("; {}", keys::hiding(claim, estimate))
            }
            _ => String::new(),
        }
    }

    /// For people, in a line. `secure`: whether the statement's parameters are.
    #[must_use]
    pub fn text(&self, secure: bool) -> String {
        let kind = match self {
            Self::Proved { .. } if !self.is_valid() => "not enough: ",
            Self::Proved { .. } if self.is_secure(secure) => "valid",
            Self::Proved { .. } => "valid, but the parameters are insecure",
            Self::Invalid(_) => "invalid: ",
            Self::Failed(_) => "error: ",
        };
        let shows = if self.is_valid() { ", exact: " } else { ", but that " };
        let shown = self.exact().map(|shown| format!("{shows}{shown}{}", self.cost()));
        let shown = shown.unwrap_or_default();
        let hint = self.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("{kind}{}{shown}{hint}", self.reason().unwrap_or_default())
    }

    /// For scripts, of the proof in a file.
    #[must_use]
    pub fn json(&self, path: &Path, secure: bool) -> serde_json::Value {
        let file = path.display().to_string();
        let mut json = match self {
            Self::Proved { shows, .. } => self.json_of_valid(shows, secure),
            Self::Invalid(_) => serde_json::json!({ "reason": self.reason(), "hint": self.hint() }),
            Self::Failed(error) => serde_json::json!({ "error": error }),
        };
        json["file"] = file.into();
        json["valid"] = self.is_valid().into();
        json
    }

    fn json_of_valid(&self, shows: &Shows, secure: bool) -> serde_json::Value {
        let mut json = match (shows, self.keys()) {
            (Shows::Keys(claim), Some((estimate, _))) => keys::json(claim, estimate),
            _ => ranges::json(shows),
        };
        json["exact"] = self.exact().is_some().into();
        json["secure_parameters"] = self.is_secure(secure).into();
        if !self.is_valid() {
            json["reason"] = self.reason().into();
            json["unmet"] = self.unmet().into();
        }
        json
    }
}
