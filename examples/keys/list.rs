//! Lists and folders of keys.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use tautochrone_cli::{Failure, OPTION};
use tautochrone_zk_keys::{KeyList, Secret};
use zeroize::Zeroizing;

use super::args::Which;

/// Bytes of the longest list.
const LIST: u64 = 64 << 20;

/// A key of a list, whose files have not been read yet.
#[derive(Debug)]
pub(crate) struct Entry {
    identity: String,
    public: PathBuf,
    secret: Option<PathBuf>,
    /// Where it was found, for errors: a list and a line, or nothing.
    place: String,
}

impl Entry {
    /// NAME of a folder.
    fn of_folder(folder: &Path, name: &str, place: String) -> Self {
        let [public, secret] = ["pub", "priv"].map(|kind| folder.join(format!("{name}.{kind}")));
        Self { identity: name.to_owned(), public, secret: Some(secret), place }
    }

    /// Its files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        [Some(&*self.public), self.secret.as_deref()].into_iter().flatten()
    }

    fn failure(&self, problem: impl Display) -> Failure {
        Failure::new(format_args!("{}{problem}", self.place))
    }

    /// A file of a key, which may be secret.
    fn read(&self, path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
        tautochrone_cli::read(path, OPTION).map(Zeroizing::new).map_err(|e| self.failure(e))
    }
}

/// The keys that the flags name, in their order; at least one.
pub(crate) fn entries(which: &Which) -> Result<Vec<Entry>, Failure> {
    if which.ml_kem.is_some() && !which.set.is_ml_kem() {
        return Err(Failure::new(format!("--ml-kem: has no keys of {}; give --ids", which.set)));
    }
    let entries = match (&which.ids, &which.ml_kem) {
        (Some(list), folder) => listed(list, folder.as_deref())?,
        (None, folder) => in_folder(folder.as_deref().expect("one of the two is required"))?,
    };
    if entries.is_empty() {
        let (flag, path) = which.source();
        let expected = if flag == "ids" { "one a line" } else { "files NAME.pub" };
        return Err(tautochrone_cli::about_input(
            path,
            &format_args!("has no keys; expected {expected}"),
        ));
    }
    Ok(entries)
}

fn listed(list: &Path, folder: Option<&Path>) -> Result<Vec<Entry>, Failure> {
    let bytes = tautochrone_cli::read(list, LIST)?;
    let text = tautochrone_cli::text(&bytes);
    let text = text.map_err(|e| tautochrone_cli::about_input(list, &e))?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let entry = |(index, line): (usize, &str)| {
        let place = format_args!("line {}: ", index + 1);
        let place = tautochrone_cli::about_input(list, &place).to_string();
        let read = || match folder {
            // A name in this folder, and in no other.
            Some(folder) => (Path::new(line).file_name() == Some(line.as_ref()))
                .then(|| Entry::of_folder(folder, line, place.clone())),
            None => columns(list, line, place.clone()),
        };
        let expected = if folder.is_some() { "the NAME of a file NAME.pub" } else { COLUMNS };
        read().ok_or_else(|| Failure::new(format_args!("{place}expected {expected}")))
    };
    lines.map(entry).collect()
}

const COLUMNS: &str =
    "identity, file of the public key and file of the secret key, with tabs between";

/// A line with two or three columns, none of which is empty.
fn columns(list: &Path, line: &str, place: String) -> Option<Entry> {
    let file = |name: &str| list.parent().unwrap_or(Path::new("")).join(name);
    let columns: Vec<&str> = line.split('\t').collect();
    let (identity, public, secret) = match columns[..] {
        _ if columns.contains(&"") => return None,
        [identity, public] => (identity, public, None),
        [identity, public, secret] => (identity, public, Some(file(secret))),
        _ => return None,
    };
    Some(Entry { identity: identity.to_owned(), public: file(public), secret, place })
}

fn in_folder(folder: &Path) -> Result<Vec<Entry>, Failure> {
    let about = |e| Failure::file(folder, e);
    let mut names = Vec::new();
    for file in folder.read_dir().map_err(about)? {
        let path = PathBuf::from(file.map_err(about)?.file_name());
        if path.extension().is_some_and(|kind| kind == "pub") {
            let name = path.file_stem().and_then(|name| name.to_str());
            let problem = "is not UTF-8; expected a name that can be an identity";
            let name = name.ok_or_else(|| Failure::file(&folder.join(&path), problem))?;
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    Ok(names.iter().map(|name| Entry::of_folder(folder, name, String::new())).collect())
}

/// Reads the public keys.
pub(crate) fn public(which: &Which, entries: &[Entry]) -> Result<KeyList, Failure> {
    let mut keys = KeyList::new(which.set, which.purpose.as_bytes());
    for entry in entries {
        let file = entry.read(&entry.public)?;
        let pushed = keys.push_any(entry.identity.as_bytes(), &file);
        pushed.map_err(|e| entry.failure(Failure::file(&entry.public, e)))?;
    }
    Ok(keys)
}

/// Reads the secret keys of `keys`.
pub(crate) fn secrets(keys: &KeyList, entries: &[Entry]) -> Result<Vec<Secret>, Failure> {
    let secret = |(index, entry): (usize, &Entry)| {
        let missing = || entry.failure("expected the file of the secret key in a third column");
        let path = entry.secret.as_deref().ok_or_else(missing)?;
        let file = entry.read(path)?;
        keys.secret_any(index, &file).map_err(|e| entry.failure(Failure::file(path, e)))
    };
    // Each is as much work as the expansion of its matrix; the first error is the one of the first
    // line.
    let secrets: Vec<_> = entries.par_iter().enumerate().map(secret).collect();
    secrets.into_iter().collect()
}
