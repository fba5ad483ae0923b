//! Flags that the programs share, and what follows from them.

use std::io::{self, IsTerminal};
use std::ops::Deref;

use serde_json::Value;
use tautochrone_ctr::Seed;
use tautochrone_simd::Isa;

use crate::busy;
use crate::failure::Failure;
use crate::run::{Answer, say, warn};
use crate::seed::{self, SeedBytes};

/// Flags that every example takes; `#[command(flatten)]` it, or [`Seeded`].
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Instruction set: auto, portable, neon, avx2, avx2-gfni, avx512-base, avx512, amx; the
    /// variable TAUTOCHRONE_ISA caps it [default: auto]
    #[arg(long, value_name = "NAME", help_heading = "Common options")]
    isa: Option<Isa>,
    /// Worker threads [default: all processors]
    #[arg(long, value_name = "N", help_heading = "Common options", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
    /// Print exactly one JSON object on stdout and nothing else there
    #[arg(long, help_heading = "Common options")]
    pub json: bool,
}

/// [`Common`] and a seed, for examples that draw random numbers; `#[command(flatten)]` it.
#[derive(Debug, clap::Args)]
pub struct Seeded {
    #[command(flatten)]
    common: Common,
    /// 64 hex digits; makes the run, but for proofs, deterministic on every machine
    /// [default: the operating system's entropy]
    #[arg(long, value_name = "HEX", help_heading = "Common options", value_parser = seed::parse)]
    pub seed: Option<SeedBytes>,
}

impl Deref for Seeded {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}

impl Seeded {
    /// The seed of everything random in a run: `--seed`, else the operating system's
    /// entropy.
    pub fn secret_seed(&self) -> Result<Seed, Failure> {
        match &self.seed {
            Some(bytes) => Ok(Seed::from_bytes(*bytes.0)),
            None => Seed::from_os().map_err(Failure::new),
        }
    }

    /// The same for what hides secrets beyond the run, in commitments or proofs: with `--seed`
    /// there is a warning, as two commitments by one seed tell the difference of their secrets.
    pub fn hiding_seed(&self) -> Result<Seed, Failure> {
        if self.seed.is_some() {
            warn(
                "warning: with --seed secrets are only as secret as the seed, and two uses of it \
                 reveal how they differ",
            );
        }
        self.secret_seed()
    }
}

impl Common {
    /// Where to compute. Not a default value of the flag, which clap would parse in any case: that
    /// would ask the operating system for AMX even where another set was named.
    #[must_use]
    pub fn isa(&self) -> Isa {
        self.isa.unwrap_or_else(Isa::detect)
    }

    /// Ends a run that has done its work: one JSON object with `--json`, else these lines.
    pub fn report(
        &self,
        json: Value,
        lines: impl IntoIterator<Item = String>,
    ) -> Result<Answer, Failure> {
        if self.json {
            say(json)?;
        } else {
            lines.into_iter().try_for_each(say)?;
        }
        Ok(Answer::Yes)
    }

    /// Ends a check, with the reason of a negative answer: that is on stderr, and in the JSON
    /// object, which has `valid` besides; the lines are for a positive answer.
    pub fn verdict(
        &self,
        reason: Option<String>,
        mut json: Value,
        lines: impl IntoIterator<Item = String>,
    ) -> Result<Answer, Failure> {
        json["valid"] = reason.is_none().into();
        json["reason"] = reason.clone().into();
        let Some(reason) = reason else { return self.report(json, lines) };
        warn(reason);
        self.report(json, []).map(|_| Answer::No)
    }

    /// Says on stderr which work is being done, if it takes long, until other work is, or anything
    /// is printed: under the same conditions as [`Common::progress`].
    pub fn busy(&self, what: &'static str) {
        if self.shows_progress() {
            busy::show(what);
        }
    }

    fn shows_progress(&self) -> bool {
        !self.json && io::stderr().is_terminal()
    }

    /// A progress bar on stderr: hidden unless stderr is a terminal and JSON is off.
    #[must_use]
    pub fn progress(&self, what: &'static str, steps: u64) -> indicatif::ProgressBar {
        if !self.shows_progress() {
            return indicatif::ProgressBar::hidden();
        }
        busy::end();
        let style = indicatif::ProgressStyle::with_template(
            "{msg:>10} [{bar:40}] {percent:>3} %  {elapsed}",
        )
        .expect("the template is well formed");
        indicatif::ProgressBar::new(steps).with_style(style).with_message(what)
    }
}
