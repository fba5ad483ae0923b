//! Paths that lead to the same file.

use std::io;
use std::path::{Path, PathBuf};

use crate::partial::directory;

/// Where a path leads, under any of its names.
#[must_use]
pub fn place(path: &Path) -> PathBuf {
    let there = |path: &Path| path.canonicalize().ok();
    let in_parent = || {
        let path = follow(path).ok()?;
        Some(there(&directory(&path))?.join(path.file_name()?))
    };
    there(path).or_else(in_parent).unwrap_or_else(|| path.to_owned())
}

/// The name behind symbolic links that no file need have yet.
pub(crate) fn follow(path: &Path) -> io::Result<PathBuf> {
    /// As many links as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..=MAX_LINKS {
        let Ok(link) = path.read_link() else { return Ok(path) };
        path = directory(&path).join(link);
    }
    Err(io::Error::other(format!("is a link that leads through over {MAX_LINKS} others")))
}
