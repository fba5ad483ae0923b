//! The block cipher ICE (Kwan, FSE 1997): Thin-ICE (level 0), ICE (level 1) and ICE-n, constant time.
//!
//! 64-bit blocks; level 0 has 8 rounds and a key of 8 bytes, level n >= 1 has 16 n rounds and a key of 8 n bytes.
//!
//! ```
//! use tautochrone_ice::Ice;
//!
//! let ice = Ice::new(1, &[0xde, 0xad, 0xbe, 0xef, 0x01, 0x23, 0x45, 0x67])?;
//! let mut blocks = [[0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10]];
//! ice.encrypt(&mut blocks);
//! assert_eq!(blocks, [[0x7d, 0x6e, 0xf1, 0xef, 0x30, 0xd4, 0x7a, 0x96]]);
//! ice.decrypt(&mut blocks);
//! # Ok::<(), tautochrone_ice::Error>(())
//! ```
//!
//! The types [`ThinIce`], [`Ice1`], [`Ice2`], .. and [`Ice`] implement the traits of the [`cipher`] crate, so that modes of
//! operation from other crates work on them.
//!
//! # What it is good for
//! Reading and writing files of programs that use ICE (game engines do, with published keys), and study. It is *not* for
//! new designs: 64-bit blocks collide after some gigabytes under one key (Bhargavan, Leurent 2016), Thin-ICE falls to
//! differential cryptanalysis (Van Rompay, Knudsen, Rijmen 1998), and what this crate calls bulk encryption is ECB, which
//! shows equal blocks as equal.
//!
//! # How
//! The S-boxes are seventh powers in fields of 256 elements, different ones for each row. All are isomorphic, so they can be
//! computed in one field, between linear maps chosen by the row (`field` derives them at compile time).
//!
//! | instructions | kernel | blocks at a time |
//! |---|---|---|
//! | GFNI and AVX-512 with VBMI | `gfni::wide`: field arithmetic by GFNI, linear maps by byte permutations | 128 or 64 |
//! | GFNI and AVX2 | `gfni::narrow`: all by GFNI | 32 |
//! | GFNI | `gfni::lanes`: matrices chosen by the row, for the least latency | 1, 2 |
//! | AVX-512, AVX2, any | `circuit`, `sliced`: the same as a Boolean circuit on bit planes | 512, 256, 64 |
//! | any | `scalar`: the definition, four S-boxes in a word | 1 |
//!
//! # Constant time
//! In key and data, everywhere: no branch, no address, no division depends on them. Level and number of blocks are public.
//! Round keys are erased when the cipher is dropped, copies of blocks when the call ends; what the compiler spills from
//! registers to the stack is not.
#![no_std]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_variables, reason = "some shared parts serve vector kernels only")
)]

extern crate alloc;

mod cipher_traits;
mod circuit;
mod engine;
mod error;
mod field;
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
mod gfni;
#[cfg(target_arch = "x86_64")]
mod registers;
mod scalar;
mod schedule;
mod sliced;

pub use cipher;
pub use cipher_traits::{Ice1, Ice2, Ice3, Ice4, ThinIce};
pub use error::Error;

use tautochrone_simd::Isa;

use engine::Engine;
use schedule::Schedule;

/// Overwrites secrets with `zero`, in a way that the compiler keeps.
fn erase<T: Copy>(secrets: &mut [T], zero: T) {
    secrets.fill(zero);
    zeroize::optimization_barrier(secrets);
}

/// Rounds of a level.
const fn rounds(level: u8) -> usize {
    if level == 0 { 8 } else { 16 * level as usize }
}

/// The cipher at any level, with a key. Erased when dropped; never printed.
pub struct Ice {
    isa: Isa,
    level: u8,
    engine: Engine,
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
    /// As [`Self::new`].
    pub fn new_on(isa: Isa, level: u8, key: &[u8]) -> Result<Self, Error> {
        let expected = Self::key_length(level);
        if key.len() != expected {
            return Err(Error::KeyLength { got: key.len(), expected, level });
        }
        Ok(Self { isa, level, engine: Engine::new(isa, Schedule::new(level, key)) })
    }

    /// The cipher by a kernel for GFNI, that for AVX-512 (`wide`) or that for AVX2, on registers that are arrays of bytes: for
    /// valgrind, which can not run the instructions. As slow as it sounds.
    ///
    /// # Errors
    /// As [`Self::new`].
    #[cfg(tautochrone_ctgrind)]
    pub fn new_emulated(wide: bool, level: u8, key: &[u8]) -> Result<Self, Error> {
        let mut ice = Self::new_on(Isa::PORTABLE, level, key)?;
        let schedule = Schedule::new(level, key);
        ice.engine = if wide {
            Engine::emulated_wide(&schedule)
        } else {
            Engine::emulated_narrow(&schedule)
        };
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
