//! The report of `lwe_keys`: the files that were made, and what exactly they show.

use std::path::Path;

use tautochrone_cli::{CommandLine, Failure, say};
use tautochrone_zk::argument::KeyRanges;
use tautochrone_zk::{Estimate, Params, Requirement};

use super::args::Args;

pub(crate) struct Report<'a> {
    pub(crate) args: &'a Args,
    pub(crate) params: &'a Params,
    pub(crate) context: &'a str,
    pub(crate) proof_bytes: usize,
    pub(crate) attempts: u32,
    /// The exact claim, and its cost.
    pub(crate) exact: Option<(KeyRanges, Estimate)>,
}

impl Report<'_> {
    pub(crate) fn say(&self) -> Result<(), Failure> {
        if self.args.common.json { say(self.json()) } else { self.text() }
    }

    fn verify_line(&self) -> CommandLine {
        let Self { args, context, exact, .. } = self;
        CommandLine::new("verify")
            .with("statement", [args.statement.display()])
            .with("proof", [args.proof.display()])
            .with("matrix", args.matrix.as_deref().map(Path::display))
            .with("public-keys", args.public_keys.as_deref().map(Path::display))
            .with("context", [context])
            .with("require", exact.as_ref().map(|(claim, _)| Requirement::from(claim)))
            .insecure(args.insecure)
    }

    /// log2 of 2 B, which is all that a proof shows of the length of (s', e'); and the length that
    /// honest keys have in the root mean square.
    fn lengths(&self) -> (f64, f64) {
        let params = self.params;
        let honest = params.frobenius_squared() as f64 / params.l() as f64;
        (params.estimate().log2_4b - 1.0, honest.sqrt())
    }

    fn json(&self) -> serde_json::Value {
        let Self { args, params, proof_bytes, attempts, .. } = self;
        let (shown, honest) = self.lengths();
        let exact = self.exact.map(|(claim, estimate)| {
            serde_json::json!({
                "secret_bound": claim.secret_bound(), "error_bound": claim.error_bound(),
                "hints": claim.hints(), "binding_bits": estimate.binding.classical,
                "hiding_bits": estimate.hiding.classical,
                "hiding_bits_with_hints": estimate.hiding_with_hints.classical,
            })
        });
        serde_json::json!({
            "keys": params.l(), "secret_len": params.v() - params.r(), "error_len": params.r(),
            "given_matrix": args.matrix.is_some(), "given_keys": args.public_keys.is_some(),
            "log2_shown_length": shown, "honest_length": honest,
            "proof_bytes": proof_bytes, "attempts": attempts, "valid": true, "exact": exact,
            "verify": self.verify_line().to_string(),
        })
    }

    fn text(&self) -> Result<(), Failure> {
        let Self { args, params, proof_bytes, attempts, .. } = self;
        let (r, l) = (params.r(), params.l());
        let as_given = match &args.public_keys {
            Some(path) => format!(", those of {}", path.display()),
            None => String::new(),
        };
        say(format_args!("keys     {l}: {r} words each{as_given}"))?;
        let secrets = params.v() - r;
        say(format_args!("secrets  {secrets} entries of s and {r} of e each"))?;
        say(format_args!(
            "proof    {proof_bytes} bytes, {}",
            tautochrone_cli::counted(*attempts, "attempt")
        ))?;
        say("check    valid")?;
        if let Some((claim, estimate)) = &self.exact {
            self.exact_text(claim, estimate)?;
        } else {
            self.relaxed_text()?;
        }
        if args.matrix.is_some() {
            say("claimed  by whoever chose A', and not checked: that LWE and SIS are hard for it")?;
        }
        say(format_args!("again    {}", self.verify_line()))
    }

    fn exact_text(&self, claim: &KeyRanges, estimate: &Estimate) -> Result<(), Failure> {
        let w = self.params.w();
        say(format_args!(
            "shown    every key is well formed, exactly: for every key t somebody knows s, e with \
             A' s + e = t mod 2^{w}, {}",
            tautochrone_cli::keys::entries(claim)
        ))?;
        say(format_args!(
            "given    one random linear combination of the entries of every key: {}",
            tautochrone_cli::keys::hiding(claim, estimate)
        ))?;
        say(
            "never    the same key in another batch or order, or under another claim, unless --hints counts it",
        )
    }

    fn relaxed_text(&self) -> Result<(), Failure> {
        let w = self.params.w();
        let (shown, honest) = self.lengths();
        say(format_args!(
            "shown    for every key t somebody knows s', e' with A' s' + e' = t mod 2^{w} exactly and \
             ||(s', e')|| <= 2 B = 2^{shown:.1}"
        ))?;
        say(format_args!(
            "not      that they are as short as honest ones ({honest:.0}), nor any bound on an entry"
        ))?;
        match self.params.masks().proofs() {
            Some(most) => say(format_args!(
                "never    a key in more than {most} proofs, of all statements: masks are narrow"
            )),
            None => Ok(()),
        }
    }
}
