//! What a long run says while it works.

use std::fmt::Display;
use std::time::{Duration, Instant};

use tautochrone_cli::Common;

use crate::Comm;

/// Lines on stderr, at most one in five seconds; no bar, because a rank's stderr is no terminal.
#[derive(Clone, Debug)]
pub struct Progress(Option<Instant>);

impl Progress {
    /// Never prints.
    pub const SILENT: Self = Self(None);

    /// Prints at rank 0, unless one JSON object is all that it prints.
    pub fn new(comm: &Comm, options: &Common) -> Self {
        Self((comm.is_root() && !options.json).then(Instant::now))
    }

    /// Prints, if it is time.
    pub fn say(&mut self, line: impl Display) {
        if let Some(since) = &mut self.0
            && since.elapsed() > Duration::from_secs(5)
        {
            *since = Instant::now();
            eprintln!("{line}");
        }
    }
}
