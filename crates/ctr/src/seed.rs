//! [`Seed`] and [`Label`]: where streams come from.

use rand_core::SeedableRng;
use tautochrone_simd::{Isa, declassify};
use zeroize::{Zeroize, Zeroizing};

use crate::error::Error;
use crate::sizes::KeySize;
use crate::stream::Stream;

/// 32 secret bytes from which streams are derived. Erased when dropped; not `Clone`; never printed.
///
/// ```
/// use tautochrone_ctr::{Label, Seed};
///
/// let seed = Seed::from_os()?;
/// // An independent stream for each label and index.
/// let mut bytes = [0; 24];
/// seed.stream(Label::new("my masks"), 3).fill(&mut bytes);
/// # Ok::<(), tautochrone_ctr::Error>(())
/// ```
pub struct Seed([u8; 32]);

/// A domain label: the name of one use of a seed. Choose it once, as a `const`, and use it for
/// nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a>(&'a str);

impl<'a> Label<'a> {
    /// The label of that text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self(text)
    }
}

impl Seed {
    /// The seed of these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A fresh seed from the operating system.
    ///
    /// # Errors
    /// `Error::Entropy` if it delivers none, [`Error::Zeros`] if all it delivers is zeros (a
    /// working one does so with probability 2^-256), [`Error::NoSource`] always without the feature
    /// `os-rng`; there is no fallback.
    pub fn from_os() -> Result<Self, Error> {
        let mut bytes = Zeroizing::new([0; 32]);
        entropy(&mut bytes)?;
        if declassify(bytes.iter().fold(0, |any, byte| any | byte) == 0) {
            return Err(Error::Zeros);
        }
        Ok(Self(*bytes))
    }

    /// The AES-128 stream of (`label`, `index`).
    ///
    /// Key and first counter block are the first 16 bytes and the bytes 32..48 of the BLAKE3
    /// output, in key-derivation mode, over the label's length, the label, the key's bytes (one
    /// byte: 16), the index and the seed.
    #[must_use]
    pub fn stream(&self, label: Label<'_>, index: u64) -> Stream {
        self.stream_on(Isa::detect_vectors(), label, index)
    }

    /// As [`Self::stream`], on a chosen instruction set.
    #[must_use]
    pub fn stream_on(&self, isa: Isa, label: Label<'_>, index: u64) -> Stream {
        self.stream_with(isa, KeySize::Aes128, label, index)
    }

    /// As [`Self::stream_on`], with a chosen key size: AES-256 keys are the first 32 bytes of the
    /// output for 32.
    #[must_use]
    pub fn stream_with(&self, isa: Isa, key_size: KeySize, label: Label<'_>, index: u64) -> Stream {
        let mut hasher = blake3::Hasher::new_derive_key("tautochrone-ctr/1 stream");
        hasher.update(&(label.0.len() as u64).to_le_bytes());
        hasher.update(label.0.as_bytes());
        hasher.update(&[key_size as u8]);
        hasher.update(&index.to_le_bytes());
        hasher.update(&self.0);
        let mut output = Zeroizing::new([0; 48]);
        let mut reader = hasher.finalize_xof();
        reader.fill(&mut *output);
        // Both hold the seed.
        reader.zeroize();
        hasher.zeroize();
        let (key, counter) = output.split_at(32);
        let counter = u128::from_be_bytes(counter.try_into().expect("sixteen bytes"));
        Stream::new_on(isa, key_size, &key[..key_size.bytes()], counter)
    }

    /// The seed as bytes, for deriving from it by other means. Handle with care: they are the
    /// secret.
    #[must_use]
    pub const fn expose(&self) -> &[u8; 32] {
        &self.0
    }
}

#[cfg(feature = "os-rng")]
fn entropy(bytes: &mut [u8; 32]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(Error::Entropy)
}

#[cfg(not(feature = "os-rng"))]
fn entropy(_: &mut [u8; 32]) -> Result<(), Error> {
    Err(Error::NoSource)
}

impl Drop for Seed {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl core::fmt::Debug for Seed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Seed([REDACTED])")
    }
}

impl SeedableRng for Stream {
    type Seed = [u8; 32];

    /// The stream of label "rand" and index 0.
    fn from_seed(seed: [u8; 32]) -> Self {
        Seed::from_bytes(seed).stream(Label::new("rand"), 0)
    }
}
