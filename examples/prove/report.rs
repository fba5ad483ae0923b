//! The report of `prove` at its end, for people or for scripts, and its progress on the way.

use std::io::Write;
use std::path::Path;

use tautochrone_zk::argument::ExactKeys;
use tautochrone_zk::{Params, Requirement, Shows};

use super::args::Args;
use tautochrone_cli::device::Opened;
use tautochrone_cli::params::Revealing;
use tautochrone_cli::{CommandLine, ExactClaim, Failure, keys, ranges, say};

/// Seconds of each part.
#[derive(Default)]
pub(crate) struct Times {
    pub(crate) expand: f64,
    pub(crate) commit: f64,
    pub(crate) prove: f64,
    pub(crate) total: f64,
}

pub(crate) struct Report<'a> {
    pub(crate) args: &'a Args,
    pub(crate) params: &'a Params,
    /// The claim about messages, if there are any.
    pub(crate) exact: Option<&'a ExactClaim>,
    /// The claim about keys, if there is one.
    pub(crate) keys: Option<&'a ExactKeys<'a>>,
    pub(crate) attempts: u32,
    pub(crate) proof_bytes: usize,
    pub(crate) times: Times,
    pub(crate) device: &'a Opened,
}

impl Report<'_> {
    pub(crate) fn say(&self) -> Result<(), Failure> {
        if self.args.common.json { say(self.json()?) } else { self.text() }
    }

    /// What the proof shows.
    fn shows(&self) -> Shows {
        let keys = self.keys.map_or(Shows::Knowledge, |keys| Shows::Keys(*keys.claim()));
        self.exact.map_or(keys, ExactClaim::shows)
    }

    fn message_rows(&self) -> u32 {
        self.exact.map_or(0, ExactClaim::rows)
    }

    /// Bits of binding, and of hiding of all rows but messages: of keys with the hints that are
    /// then known.
    fn bits(&self) -> Result<(f64, f64), Failure> {
        let estimate = self.params.estimate();
        let (binding, hiding) = (estimate.binding.classical, estimate.hiding.classical);
        if let Some(keys) = self.keys.map(ExactKeys::estimate) {
            let with_hints = keys.hiding_with_hints.classical;
            return Ok((binding.min(keys.binding.classical), hiding.min(with_hints)));
        }
        let of_messages = self.exact.map(|exact| exact.hiding(self.params)).transpose()?;
        Ok((binding, of_messages.unwrap_or(hiding)))
    }

    fn verify_line(&self) -> CommandLine {
        let args = self.args;
        CommandLine::new("verify")
            .with("statement", [args.statement.display()])
            .with("proof", [args.proof.display()])
            .with("matrix", args.params.matrix.as_deref().map(Path::display))
            .with("public-keys", args.public_keys.as_deref().map(Path::display))
            .with("context", Some(&args.context).filter(|context| !context.is_empty()))
            .with("message-rows", self.exact.map(ExactClaim::rows))
            .with("require", self.exact.into_iter().flat_map(ExactClaim::required))
            .with("require", self.keys.map(|keys| Requirement::from(keys.claim())))
            .insecure(args.params.insecure)
    }

    fn json(&self) -> Result<serde_json::Value, Failure> {
        let Self { args, params, times, .. } = self;
        let (binding, hiding) = self.bits()?;
        let preset = args.params.preset(args.keys.hints()).filter(|_| args.exact.is_empty());
        let claims = ranges::json(&self.shows());
        Ok(serde_json::json!({
            "preset": preset, "w": params.w(), "r": params.r(), "v": params.v(),
            "l": params.l(), "n": params.n(), "sigma": params.sigma(),
            "lambda": params.lambda(), "sis_bits": binding,
            "hiding_bits": hiding, "given_matrix": args.params.matrix.is_some(),
            "given_keys": args.public_keys.is_some(),
            "exact": self.shows() != Shows::Knowledge, "ranges": claims["ranges"], "norms": claims["norms"],
            "keys": self.keys.map(|keys| keys::json(keys.claim(), &keys.estimate())),
            "attempts": self.attempts, "statement_bytes": params.statement_bytes() as u64,
            "proof_bytes": self.proof_bytes,
            "seconds": {
                "expand": times.expand, "commit": times.commit, "prove": times.prove,
                "total": times.total,
            },
            "isa": args.common.isa().name(), "threads": rayon::current_num_threads(), "device": self.device.name(),
            "valid": args.check.then_some(true), "verify": self.verify_line().to_string(),
        }))
    }

    fn text(&self) -> Result<(), Failure> {
        let Self { args, params, times, device, .. } = self;
        let (w, r, v, l, n, sigma) =
            (params.w(), params.r(), params.v(), params.l(), params.n(), params.sigma());
        say(format_args!(
            "parameters  q = 2^{w}, A {r} x {v}, {l} columns, n = {n}, sigma = {sigma}"
        ))?;
        say(format_args!("lambda      {} (hash, challenge)", params.lambda()))?;
        let (binding, hiding) = self.bits()?;
        say(format_args!(
            "security    binding {binding:.1} bits, hiding {hiding:.1} bits if {} (classical core-SVP)",
            tautochrone_cli::params::assumption(params, self.message_rows())
        ))?;
        let shows = self.shows();
        let kind = match &shows {
            Shows::Keys(_) => Revealing::Keys,
            Shows::Claims(..) => Revealing::Exact,
            _ => Revealing::Plain,
        };
        let of_keys = self.keys.is_none_or(|keys| keys.check_security().is_ok());
        let secure = !args.params.insecure || params.check_security().is_ok() && of_keys;
        let reveals = tautochrone_cli::params::reveals(params, kind, secure);
        say(format_args!("reveals     {reveals}"))?;
        if shows != Shows::Knowledge {
            say(format_args!("exact       {shows}"))?;
        }
        if let Some(keys) = self.keys {
            say(format_args!("keys        {}", keys::hiding(keys.claim(), &keys.estimate())))?;
            say("never       the same key in another batch or order, unless --hints counts it")?;
        }
        if let Some(path) = &args.public_keys {
            say(format_args!("keys        compared with {}", path.display()))?;
        }
        let bytes = params.statement_bytes();
        say(format_args!("statement   {bytes} bytes in {}", args.statement.display()))?;
        say(format_args!(
            "proof       {} bytes in {}, {:.1} bytes a column, {}",
            self.proof_bytes,
            args.proof.display(),
            self.proof_bytes as f64 / l as f64,
            tautochrone_cli::counted(self.attempts, "attempt")
        ))?;
        let threads = rayon::current_num_threads();
        let ms = [times.expand, times.commit, times.prove].map(|t| t * 1e3);
        say(format_args!(
            "time        A {:.1} ms, T {:.1} ms, proof {:.1} ms ({}, {threads} threads{device})",
            ms[0],
            ms[1],
            ms[2],
            args.common.isa()
        ))?;
        if args.check {
            say("check       valid")?;
        }
        say(format_args!("to check    {}", self.verify_line()))
    }
}

/// Counts what passes, for the progress bar.
pub(crate) struct Counted<'a, W>(pub(crate) W, pub(crate) &'a indicatif::ProgressBar);

impl<W: Write> Write for Counted<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.0.write(bytes)?;
        self.1.inc(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}
