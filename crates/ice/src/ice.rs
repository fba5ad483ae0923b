//! [`Ice`]: the cipher on the kernel that its instruction set has.

use tautochrone_simd::Isa;

use crate::engine::{self, AnyEngine};
use crate::error::Error;
use crate::schedule::Schedule;
#[cfg(feature = "rayon")]
use crate::schedule::rounds;

/// The cipher at any level, with a key. Erased when dropped; never printed.
///
/// ```
/// use tautochrone_ice::Ice;
///
/// let ice = Ice::new(0, b"8 bytes.")?; // Thin-ICE
/// let mut blocks = [[1; 8]; 100];
/// ice.encrypt(&mut blocks);
/// ice.decrypt(&mut blocks);
/// assert_eq!(blocks, [[1; 8]; 100]);
/// # Ok::<(), tautochrone_ice::Error>(())
/// ```
pub struct Ice {
    isa: Isa,
    level: u8,
    engine: AnyEngine,
}

impl Ice {
    /// The cipher of this level on the best instruction set.
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless the key has 8 max(1, level) bytes.
    pub fn new(level: u8, key: &[u8]) -> Result<Self, Error> {
        Self::new_on(Isa::detect_vectors(), level, key)
    }

    /// The same on a chosen instruction set.
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless the key has 8 max(1, level) bytes.
    pub fn new_on(isa: Isa, level: u8, key: &[u8]) -> Result<Self, Error> {
        let expected = Self::key_length(level);
        if key.len() != expected {
            return Err(Error::KeyLength { got: key.len(), expected, level });
        }
        Ok(Self { isa, level, engine: engine::fastest(isa, Schedule::new(level, key)) })
    }

    /// The cipher by a kernel for GFNI, that for AVX-512 (`wide`) or that for AVX2, on emulated
    /// registers: for valgrind, which cannot run the instructions. Very slow.
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless the key has 8 max(1, level) bytes.
    #[cfg(tautochrone_ctgrind)]
    pub fn new_emulated(wide: bool, level: u8, key: &[u8]) -> Result<Self, Error> {
        let mut ice = Self::new_on(Isa::PORTABLE, level, key)?;
        ice.engine = engine::emulated(wide, Schedule::new(level, key));
        Ok(ice)
    }

    /// Bytes of a key: 8 for level 0, else 8 level.
    #[must_use]
    pub const fn key_length(level: u8) -> usize {
        8 * if level == 0 { 1 } else { level as usize }
    }

    /// The level.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// The instruction set in use.
    #[must_use]
    pub const fn isa(&self) -> Isa {
        self.isa
    }

    /// Encrypts blocks, each by itself (ECB).
    ///
    /// # Constant time
    /// In key and blocks.
    pub fn encrypt(&self, blocks: &mut [[u8; 8]]) {
        self.engine.process(false, blocks);
    }

    /// Decrypts blocks, each by itself (ECB).
    ///
    /// # Constant time
    /// In key and blocks.
    pub fn decrypt(&self, blocks: &mut [[u8; 8]]) {
        self.engine.process(true, blocks);
    }

    /// [`Self::encrypt`] on the ambient rayon pool, if there is work enough for two threads.
    #[cfg(feature = "rayon")]
    pub fn encrypt_parallel(&self, blocks: &mut [[u8; 8]]) {
        self.parallel(false, blocks);
    }

    /// [`Self::decrypt`] on the ambient rayon pool, if there is work enough for two threads.
    #[cfg(feature = "rayon")]
    pub fn decrypt_parallel(&self, blocks: &mut [[u8; 8]]) {
        self.parallel(true, blocks);
    }

    #[cfg(feature = "rayon")]
    #[expect(clippy::integer_division_remainder_used, reason = "levels are public")]
    fn parallel(&self, decrypt: bool, blocks: &mut [[u8; 8]]) {
        use rayon::prelude::*;
        let task = self.engine.task() / rounds(self.level);
        if blocks.len() < 2 * task {
            return self.engine.process(decrypt, blocks);
        }
        blocks.par_chunks_mut(task).for_each(|blocks| self.engine.process(decrypt, blocks));
    }
}

impl core::fmt::Debug for Ice {
    /// Level and instruction set; not the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Ice")
            .field("level", &self.level)
            .field("isa", &self.isa)
            .finish_non_exhaustive()
    }
}
