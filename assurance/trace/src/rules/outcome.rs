//! The outcome of trying rules.

use std::collections::BTreeMap;
use std::fmt;

/// The outcome of a rule.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Instructions that were tried, and pairs of executions.
    pub instructions: usize,
    pub pairs: u64,
    /// Names of instructions that cannot be tried, such as jumps, system calls and tiles, or that
    /// no pair could execute; how many of each.
    pub untried: BTreeMap<String, usize>,
    /// Bytes that a rule takes to be public, and that are not.
    pub wrong: Vec<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instructions, pairs, untried, wrong } = self;
        writeln!(f, "rules: {instructions} instructions, {pairs} pairs, {} wrong", wrong.len())?;
        let untried: Vec<_> =
            untried.iter().map(|(name, count)| format!("{name} ({count})")).collect();
        writeln!(f, "rules: not tried: {}", untried.join(" "))?;
        wrong.iter().try_for_each(|wrong| writeln!(f, "rules: wrong: {wrong}"))
    }
}
