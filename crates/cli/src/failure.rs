//! [`Failure`]: why a program ends with exit code 2.

use std::fmt::Display;
use std::path::Path;

/// A run that ends with exit code 2, and the one line that explains it.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// For any other error.
    pub fn new(message: impl Display) -> Self {
        Self(message.to_string())
    }

    /// For an error about a file.
    pub fn file(path: &Path, error: impl Display) -> Self {
        Self(format!("{}: {error}", path.display()))
    }
}

/// An error of the proof system; where it is about a file, [`Failure::file`] says which.
impl From<tautochrone_zk::Error> for Failure {
    fn from(error: tautochrone_zk::Error) -> Self {
        Self::new(error)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
