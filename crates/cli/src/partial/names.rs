//! The names of files that are being written.

use std::path::{Path, PathBuf};

/// Names are `.partial-`, so many letters and digits by chance, and `.out`. The end tells them from
/// the `.partial-NAME` of the programs that use MPI, which the next run takes over.
pub(super) const PREFIX: &str = ".partial-";
pub(super) const RANDOM: usize = 16;
pub(super) const SUFFIX: &str = ".out";

/// The names of such files, at random.
pub(super) fn names() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    builder
}

/// The directory that a name is in.
pub(crate) fn directory(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}
