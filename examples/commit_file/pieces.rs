//! The owner's data: the file and its key, from which the witness is made.

use std::path::Path;

use tautochrone_cli::Failure;
use tautochrone_ctr::Seed;
use tautochrone_zk::argument::{Layout, PaddedMessages};
use tautochrone_zk::{Error, PublicMatrix};
use zeroize::Zeroizing;

use super::layout;

/// The randomness under the messages has a seed of its own.
const RANDOMNESS: &str = "commit_file: randomness";
/// Most bytes of a file, 64 MiB: its bits are in memory, a byte for each.
const LONGEST: u64 = 64 << 20;
/// The context of the proofs.
pub(crate) const CONTEXT: &str = "commit_file 2: pieces of 128 bytes";

/// The file to commit to.
pub(crate) fn file(path: &Path) -> Result<Vec<u8>, Failure> {
    let file = tautochrone_cli::read(path, LONGEST)?;
    if file.is_empty() {
        return Err(Failure::file(path, "is empty; there is nothing to commit to"));
    }
    Ok(file)
}

/// The file and its key, and what they are called.
pub(crate) struct Owner<'a> {
    paths: [&'a Path; 2],
    pub(crate) file: Vec<u8>,
    pub(crate) key: Key,
}

impl<'a> Owner<'a> {
    pub(crate) fn read(input: &'a Path, key: &'a Path) -> Result<Self, Failure> {
        Ok(Self { paths: [input, key], file: file(input)?, key: Key::read(key)? })
    }

    /// The messages of a statement that is said to be about the file.
    pub(crate) fn messages(&self, layout: &Layout, statement: &Path) -> Result<Vec<i8>, Failure> {
        let messages = layout::messages(layout, &self.file);
        messages.ok_or_else(|| self.failure(statement, Error::ForeignWitness))
    }

    /// Why something cannot be shown about the statement.
    pub(crate) fn failure(&self, statement: &Path, e: Error) -> Failure {
        if !matches!(e, Error::ForeignWitness) {
            return Failure::file(statement, e);
        }
        let [input, key] = self.paths.map(Path::display);
        Failure::new(format!(
            "{input} and {key} do not open {}; expected the file and the key of its commitment, and \
             the statement as it was written",
            statement.display()
        ))
    }
}

/// The witness: messages over pads, if there are any, over randomness from the key.
pub(crate) fn witness<'a>(
    a: &PublicMatrix,
    layout: &Layout,
    messages: &'a [i8],
    key: &Seed,
) -> Result<PaddedMessages<'a>, Failure> {
    let seed = tautochrone_cli::part(key, RANDOMNESS);
    layout.witness(a, messages, &seed).map_err(Failure::new)
}

/// The secret of a commitment, two lines of hexadecimal digits in a file.
pub(crate) struct Key {
    pub(crate) seed: Seed,
    /// The owner's digest of the statement, which may be altered wherever it is published.
    pub(crate) owner: Zeroizing<[u8; 32]>,
}

impl Key {
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = Zeroizing::new(tautochrone_cli::read(path, tautochrone_cli::OPTION)?);
        let line = |line: &[u8]| {
            let mut bytes = Zeroizing::new([0; 32]);
            hex::decode_to_slice(line, &mut *bytes).ok().map(|()| bytes)
        };
        let lines: Option<Vec<_>> = text
            .split_inclusive(|&byte| byte == b'\n')
            .map(|text| line(text.strip_suffix(b"\n")?))
            .collect();
        let Some([seed, owner]) = lines.as_deref() else {
            let expected = "expected two lines of 64 hexadecimal digits, as `commit` writes them";
            return Err(Failure::file(path, expected));
        };
        Ok(Self { seed: Seed::from_bytes(**seed), owner: owner.clone() })
    }

    /// The text of its file.
    pub(crate) fn text(&self) -> Zeroizing<String> {
        let [seed, owner] =
            [self.seed.expose(), &*self.owner].map(|bytes| Zeroizing::new(hex::encode(bytes)));
        Zeroizing::new([&seed[..], "\n", &owner, "\n"].concat())
    }
}
