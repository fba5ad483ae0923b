//! Command lines that the programs print.

use std::fmt::{Display, Formatter, Write};

/// A command line of one of the programs, for a POSIX shell; in JSON a string of it.
#[derive(Clone, Debug)]
pub struct CommandLine(String);

impl CommandLine {
    /// The program, and its subcommand.
    #[must_use]
    pub fn new(program: &str) -> Self {
        Self(format!("{}{program}", crate::suite::prefix()))
    }

    /// With ` --name value` for each value, quoted where a shell would take it for something else.
    #[must_use]
    pub fn with(mut self, name: &str, values: impl IntoIterator<Item = impl Display>) -> Self {
        for value in values {
            let value = value.to_string();
            // A value that begins like a flag must be joined to its own.
            let join = if value.starts_with('-') { '=' } else { ' ' };
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
            let is_plain = !value.is_empty() && value.chars().all(plain);
            let value =
                if is_plain { value } else { format!("'{}'", value.replace('\'', "'\\''")) };
            let _ = write!(self.0, " --{name}{join}{value}");
        }
        self
    }

    /// With `--insecure`, if the parameters are.
    #[must_use]
    pub fn insecure(mut self, insecure: bool) -> Self {
        self.0 += if insecure { " --insecure" } else { "" };
        self
    }
}

impl Display for CommandLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
