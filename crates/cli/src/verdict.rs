//! [`Outcome`]: what programs that check proofs say of one.

use std::path::Path;

use tautochrone_zk::argument::{Claims, ExactKeys, KeyRanges, Slot};
use tautochrone_zk::{Error, Estimate, Reason, Requirement, Shows};

use crate::require::{self, RequireArgs};
use crate::{keys, ranges};

/// The exact claim of a proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Exact {
    /// Claims about the columns of messages.
    Claims(Slot, Claims),
    /// Every key is well formed; what that costs its owner, and whether it is secure.
    Keys(KeyRanges, Box<Estimate>, bool),
}

/// The verdict on a proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is valid, and shows this besides, if it says so.
    Valid(Option<Exact>),
    /// It is valid, and does not show this, which was required.
    Less(Option<Exact>, Vec<Requirement>),
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
        Self::of_valid(
            match shows {
                Shows::Claims(slot, claims) => Some(Exact::Claims(slot, claims)),
                _ => None,
            },
            unmet,
        )
    }

    /// The verdict on a valid proof about keys; `insecure`: whether weak ones are accepted.
    #[must_use]
    pub fn keys_shown(keys: &ExactKeys<'_>, required: &RequireArgs, insecure: bool) -> Self {
        let claim = *keys.claim();
        let secure = !insecure || keys.check_security().is_ok();
        let exact = Exact::Keys(claim, Box::new(keys.estimate()), secure);
        Self::of_valid(Some(exact), required.unmet(&Shows::Keys(claim)))
    }

    fn of_valid(exact: Option<Exact>, unmet: Vec<Requirement>) -> Self {
        if unmet.is_empty() { Self::Valid(exact) } else { Self::Less(exact, unmet) }
    }

    /// Whether it is valid and meets all requirements.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        matches!(self, Self::Valid(_))
    }

    /// The claim of a valid proof beyond knowledge.
    #[must_use]
    pub const fn exact(&self) -> Option<&Exact> {
        match self {
            Self::Valid(exact) | Self::Less(exact, _) => exact.as_ref(),
            Self::Invalid(_) | Self::Failed(_) => None,
        }
    }

    /// The estimate of the keys that a valid proof is about, and whether they are secure.
    #[must_use]
    pub const fn keys(&self) -> Option<(&Estimate, bool)> {
        match self.exact() {
            Some(Exact::Keys(_, estimate, secure)) => Some((estimate, *secure)),
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
            Self::Valid(_) => None,
            Self::Less(_, unmet) => Some(require::reason(unmet)),
            Self::Invalid(reason) => Some(reason.to_string()),
            Self::Failed(error) => Some(error.clone()),
        }
    }

    /// Bits of binding and of hiding: the least of these and, of a proof about keys, of the keys with
    /// the hints that are then known.
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

    /// For people, in a line. `secure`: whether the statement's parameters are.
    #[must_use]
    pub fn text(&self, secure: bool) -> String {
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
                keys::entries(claim),
                keys::hiding(claim, estimate),
            )),
            Some(Exact::Claims(slot, claims)) => Some(ranges::sentence(slot, claims)),
            None => None,
        };
        let shows = if self.is_valid() { ", exact: " } else { ", but that " };
        let shown = shown.map(|shown| format!("{shows}{shown}")).unwrap_or_default();
        let hint = self.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("{kind}{}{shown}{hint}", self.reason().unwrap_or_default())
    }

    /// For scripts, of the proof in a file.
    #[must_use]
    pub fn json(&self, path: &Path, secure: bool) -> serde_json::Value {
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
            Some(Exact::Keys(claim, estimate, _)) => keys::json(claim, estimate),
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
