//! The secret key file of commitments: in its first line the key that values were committed with,
//! and in each further one the claim of a slot that is used.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use tautochrone_cli::{Failure, Output};
use tautochrone_zk::argument::UsedSlots;
use tautochrone_zk::{Error, Seed};
use zeroize::Zeroizing;

/// Bytes of the longest key file: the key and eight claims, in hexadecimal digits.
const MAX_LEN: u64 = 9 * 65;

/// A key file that is locked: no other process takes a slot at the same time.
pub(crate) struct Key<'a> {
    path: &'a Path,
    file: File,
    pub(crate) seed: Seed,
    used: UsedSlots,
}

/// Writes the file of a key with no used slot.
pub(crate) fn write(file: Output, seed: &Seed) -> Result<(), Failure> {
    let line = Zeroizing::new(hex::encode(seed.expose()) + "\n");
    file.finish_with(line.as_bytes())
}

impl<'a> Key<'a> {
    pub(crate) fn open(path: &'a Path) -> Result<Self, Failure> {
        let about = |e: std::io::Error| Failure::file(path, e);
        let file = File::options().read(true).append(true).open(path).map_err(about)?;
        if !file.metadata().map_err(about)?.is_file() {
            return Err(Failure::file(
                path,
                "is no regular file, in which slots could be recorded",
            ));
        }
        file.lock().map_err(about)?;
        let mut text = Zeroizing::new(String::with_capacity(MAX_LEN as usize + 2));
        (&file).take(MAX_LEN + 1).read_to_string(&mut text).map_err(about)?;
        // A line that is cut off is a slot that was used, and nobody knows for what.
        let whole = text.len() as u64 <= MAX_LEN && text.ends_with('\n');
        let line = |line: &str| {
            let mut bytes = Zeroizing::new([0; 32]);
            hex::decode_to_slice(line, &mut *bytes).ok().map(|()| bytes)
        };
        let lines: Option<Vec<_>> = text.lines().map(line).collect();
        let Some([seed, claims @ ..]) = lines.as_deref().filter(|_| whole) else {
            let expected =
                "expected lines of 64 hexadecimal digits, as `circuit commit` writes them";
            return Err(Failure::file(path, expected));
        };
        let used = UsedSlots::new(claims.iter().map(|claim| **claim).collect());
        Ok(Self { path, file, seed: Seed::from_bytes(**seed), used })
    }

    /// Takes the slot that `choose` finds, and records it on disk if it was not used before.
    pub(crate) fn take(
        &mut self,
        choose: impl FnOnce(&mut UsedSlots) -> Result<u32, Error>,
    ) -> Result<u32, Failure> {
        let before = self.used.claims().len();
        let slot = choose(&mut self.used).map_err(|e| Failure::file(self.path, e))?;
        if let Some(claim) = self.used.claims().get(before) {
            let line = Zeroizing::new(hex::encode(claim) + "\n");
            let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_all());
            written.map_err(|e| Failure::file(self.path, e))?;
        }
        Ok(slot)
    }
}
