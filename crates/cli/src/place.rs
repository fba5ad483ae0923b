//! Paths that lead to the same file.

use std::path::{Path, PathBuf};

/// Where a path leads, under any of its names.
#[must_use]
pub fn place(path: &Path) -> PathBuf {
    let there = |path: &Path| path.canonicalize().ok();
    let in_parent = || {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        Some(there(parent.unwrap_or(Path::new(".")))?.join(path.file_name()?))
    };
    there(path).or_else(in_parent).unwrap_or_else(|| path.to_owned())
}
