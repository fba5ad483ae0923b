//! The `verify` command line that accepts the files which an example has written.

use std::fmt::{Display, Formatter};
use std::path::Path;

use tautochrone_zk::Requirement;

/// Displayed as one line for a POSIX shell; in JSON a string of it.
#[derive(Debug)]
pub struct VerifyLine<'a> {
    /// The statement's file.
    pub statement: &'a Path,
    /// The proof's file.
    pub proof: &'a Path,
    /// The file of an A' that is given in full.
    pub matrix: Option<&'a Path>,
    /// The file of public keys that T must be.
    pub public_keys: Option<&'a Path>,
    /// The context of the proof.
    pub context: &'a str,
    /// Rows of S that are messages and hide nothing.
    pub message_rows: u32,
    /// Claims of the proof beyond knowledge, for a reader to ask for.
    pub require: Vec<Requirement>,
    /// Whether the parameters are insecure.
    pub insecure: bool,
}

impl Display for VerifyLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}verify", crate::suite::prefix())?;
        flag(f, "statement", &self.statement.to_string_lossy())?;
        flag(f, "proof", &self.proof.to_string_lossy())?;
        if let Some(matrix) = self.matrix {
            flag(f, "matrix", &matrix.to_string_lossy())?;
        }
        if let Some(keys) = self.public_keys {
            flag(f, "public-keys", &keys.to_string_lossy())?;
        }
        if !self.context.is_empty() {
            flag(f, "context", self.context)?;
        }
        if self.message_rows > 0 {
            flag(f, "message-rows", &self.message_rows.to_string())?;
        }
        for required in &self.require {
            flag(f, "require", &required.to_string())?;
        }
        f.write_str(if self.insecure { " --insecure" } else { "" })
    }
}

/// A command line of one of the programs, for a POSIX shell.
#[derive(Debug)]
pub struct CommandLine<'a> {
    /// The program, and its subcommand.
    pub program: &'a str,
    /// Names of flags and their values.
    pub flags: &'a [(&'a str, &'a str)],
}

impl Display for CommandLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", crate::suite::prefix(), self.program)?;
        self.flags.iter().try_for_each(|(name, value)| flag(f, name, value))
    }
}

/// ` --name value`, quoted where a shell would take it for something else.
fn flag(f: &mut Formatter<'_>, name: &str, value: &str) -> std::fmt::Result {
    // A value that begins like a flag must be joined to its own.
    let join = if value.starts_with('-') { '=' } else { ' ' };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        write!(f, " --{name}{join}{value}")
    } else {
        write!(f, " --{name}{join}'{}'", value.replace('\'', "'\\''"))
    }
}
