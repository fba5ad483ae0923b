//! `--seed`, and a seed of its own for each part of a run. The programs of crates/zk-mpi, too,
//! take them from here: their files are the same as from `prove` with the same seed.

use tautochrone_ctr::{Label, Seed};
use zeroize::Zeroizing;

/// The bytes given with `--seed`: erased when dropped, and their `Debug` form shows nothing.
#[derive(Clone)]
pub struct SeedBytes(pub Zeroizing<[u8; 32]>);

impl std::fmt::Debug for SeedBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SeedBytes([REDACTED])")
    }
}

/// For clap.
pub fn parse(text: &str) -> Result<SeedBytes, String> {
    let mut bytes = Zeroizing::new([0; 32]);
    hex::decode_to_slice(text, &mut *bytes).map_err(|_| {
        format!(
            "expected 64 hexadecimal digits (32 bytes), got {} characters",
            text.chars().count()
        )
    })?;
    Ok(SeedBytes(bytes))
}

/// A seed of its own for one part of a run, which tells nothing about the other parts'.
#[must_use]
pub fn part(seed: &Seed, name: &'static str) -> Seed {
    Seed::from_bytes(public_part(seed, name))
}

/// The same for a part that gets published, such as the seed of A.
#[must_use]
pub fn public_part(seed: &Seed, name: &'static str) -> [u8; 32] {
    let mut bytes = [0; 32];
    seed.stream(Label::new(name), 0).fill(&mut bytes);
    bytes
}
