//! `--masks WIDTH` and `--proofs COUNT` on a command line.

use tautochrone_zk::{Goal, Masks};

use crate::failure::Failure;

/// How wide Y is where parameters are sought; `#[command(flatten)]` it.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct MaskArgs {
    /// How wide the masks of a proof are where parameters are sought. Wide ones hide any S in any
    /// number of proofs. Mixed ones hide messages likewise and the randomness below them, a
    /// Gaussian, by LWE, in --proofs proofs alone: these are three tenths shorter. Narrow ones hide
    /// a Gaussian S without messages, in --proofs proofs a third as long [default: wide]
    #[arg(long, value_name = "WIDTH", value_parser = ["wide", "mixed", "narrow"])]
    pub masks: Option<String>,
    /// Proofs that are made about one S, for which T and all of them together are to be short: with
    /// masks that are not wide, T hides nothing any more after many more than the next power of two
    #[arg(long, value_name = "COUNT", requires = "masks", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub proofs: Option<u32>,
}

impl MaskArgs {
    /// The masks, for so many proofs, rounded up to a power of two, where the command line does not
    /// say how many.
    #[must_use]
    pub fn masks(&self, proofs: u32) -> Masks {
        let log2_proofs = self.proofs.unwrap_or(proofs).next_power_of_two().ilog2();
        match self.masks.as_deref() {
            Some("narrow") => Masks::Narrow { log2_proofs },
            Some("mixed") => Masks::Mixed { log2_proofs },
            _ => Masks::Wide,
        }
    }

    /// A goal with these masks, for T and so many proofs where the command line does not say how
    /// many; as it is if nothing is said of masks.
    #[must_use]
    pub fn apply(&self, goal: Goal, proofs: u32) -> Goal {
        if self.masks.is_none() {
            return goal;
        }
        let masks = self.masks(proofs);
        Goal { masks, per_statement: Some(self.proofs.unwrap_or(proofs)), ..goal }
    }

    /// Refuses them where no parameters are sought; `with` says where they are.
    pub fn refuse(&self, with: &str) -> Result<(), Failure> {
        match self.masks {
            Some(_) => Err(Failure::new(format!("--masks: only with {with}"))),
            None => Ok(()),
        }
    }
}
