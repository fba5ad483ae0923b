//! [`Source`]: where the samplers' random bits come from, a stream of this workspace or any
//! generator.

use bytemuck::cast_slice_mut;
use rand::{CryptoRng, Rng};
use tautochrone_ctr::Stream;

/// A source of uniform bytes for samplers: a [`Stream`], or any generator as a [`Generator`]. One
/// that delivers the bytes of a stream gives the samples of that stream.
pub trait Source {
    /// The next bytes.
    fn fill(&mut self, out: &mut [u8]);

    /// The next words, little-endian.
    fn fill_u64(&mut self, out: &mut [u64]) {
        self.fill(cast_slice_mut(out));
        for word in out {
            *word = u64::from_le(*word);
        }
    }

    /// The next word.
    fn word(&mut self) -> u64 {
        let mut word = [0];
        self.fill_u64(&mut word);
        word[0]
    }

    /// The stream that this is, if it is one: kernels may interleave its encryption with their
    /// work.
    fn stream(&mut self) -> Option<&mut Stream> {
        None
    }
}

impl Source for Stream {
    fn fill(&mut self, out: &mut [u8]) {
        Self::fill(self, out);
    }

    fn stream(&mut self) -> Option<&mut Stream> {
        Some(self)
    }
}

/// A generator as a [`Source`]. A fill from it is constant time if the generator is.
///
/// ```
/// use rand::SeedableRng;
/// use tautochrone_gauss::Generator;
/// use tautochrone_gauss::facct::Facct;
///
/// let mut drbg = rand_chacha::ChaCha20Rng::from_seed([7; 32]);
/// let mut noise = [0; 1000];
/// Facct::new(215.0)?.fill(&mut Generator::new(&mut drbg), &mut noise);
/// # Ok::<(), tautochrone_gauss::Error>(())
/// ```
pub struct Generator<'a, R: ?Sized>(pub(crate) &'a mut R);

impl<'a, R: CryptoRng + ?Sized> Generator<'a, R> {
    /// The bytes of `rng`.
    pub fn new(rng: &'a mut R) -> Self {
        Self(rng)
    }
}

impl<R: Rng + ?Sized> Source for Generator<'_, R> {
    fn fill(&mut self, out: &mut [u8]) {
        self.0.fill_bytes(out);
    }
}

/// Generators are not printed.
impl<R: ?Sized> core::fmt::Debug for Generator<'_, R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Generator")
    }
}
