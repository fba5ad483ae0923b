//! The documentation is right.

mod assurance;
mod pages;

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root")
}

/// A file of the repository.
fn read(name: impl AsRef<Path>) -> String {
    std::fs::read_to_string(root().join(name)).expect("the file")
}

/// The files below a directory with this extension, but for what is built and the work of others.
fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in directory.read_dir().expect("readable") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != "vendor" && !name.starts_with('.') {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}
