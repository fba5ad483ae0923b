//! FrodoKEM: ISO/IEC 18033-2, amendment 2, and its designers' specification.

use alloc::vec::Vec;
use core::fmt;

use aes::cipher::{BlockCipherEncrypt as _, KeyInit as _};
use aes::{Aes128Enc, Block};
use shake::digest::{ExtendableOutput, Update, XofReader};
use shake::{Shake128, Shake256};
use tautochrone_simd::declassify_slice;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::secret::{Secret, Small};

/// The columns of s, e and t.
pub const COLUMNS: usize = 8;
/// The bytes of A's seed.
const SEED_LEN: usize = 16;
/// The largest n.
const MAX_ROWS: usize = 1344;

/// The parameter sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Set {
    /// FrodoKEM-640-AES.
    Aes640,
    /// FrodoKEM-640-SHAKE.
    Shake640,
    /// FrodoKEM-976-AES.
    Aes976,
    /// FrodoKEM-976-SHAKE.
    Shake976,
    /// FrodoKEM-1344-AES.
    Aes1344,
    /// FrodoKEM-1344-SHAKE.
    Shake1344,
}

impl Set {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Aes640,
        Self::Shake640,
        Self::Aes976,
        Self::Shake976,
        Self::Aes1344,
        Self::Shake1344,
    ];

    /// Name, n, D, bound, and bytes of the secret value s and of the hash of the public key.
    const fn table(self) -> (&'static str, usize, u32, i8, usize) {
        match self {
            Self::Aes640 => ("FrodoKEM-640-AES", 640, 15, 12, 16),
            Self::Shake640 => ("FrodoKEM-640-SHAKE", 640, 15, 12, 16),
            Self::Aes976 => ("FrodoKEM-976-AES", 976, 16, 10, 24),
            Self::Shake976 => ("FrodoKEM-976-SHAKE", 976, 16, 10, 24),
            Self::Aes1344 => ("FrodoKEM-1344-AES", MAX_ROWS, 16, 6, 32),
            Self::Shake1344 => ("FrodoKEM-1344-SHAKE", MAX_ROWS, 16, 6, 32),
        }
    }

    /// The standard's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.table().0
    }

    /// n: A has as many rows and columns, and s, e and t as many rows.
    #[must_use]
    pub const fn rows(self) -> usize {
        self.table().1
    }

    /// D: q = 2^D.
    #[must_use]
    pub const fn modulus_bits(self) -> u32 {
        self.table().2
    }

    /// The largest entry of s and of e.
    #[must_use]
    pub const fn bound(self) -> i8 {
        self.table().3
    }

    /// The bytes of a public key.
    #[must_use]
    pub const fn public_len(self) -> usize {
        SEED_LEN + self.rows() * self.modulus_bits() as usize
    }

    /// The bytes of a secret key.
    #[must_use]
    pub const fn secret_len(self) -> usize {
        self.public_len() + 2 * COLUMNS * self.rows() + 2 * self.table().4
    }

    /// The representative of `x` modulo q in [-q / 2, q / 2).
    #[inline(always)]
    const fn centred(self, x: u16) -> i16 {
        let unused = 16 - self.modulus_bits();
        (x << unused) as i16 >> unused
    }
}

/// A public key: t, and the seed of A.
#[derive(Clone)]
pub struct PublicKey {
    set: Set,
    bytes: Vec<u8>,
    t: Vec<i16>,
    /// The cipher of A's seed, for the sets with AES.
    aes: Option<Aes128Enc>,
}

impl PublicKey {
    /// Reads a public key; every string of the right length is one.
    ///
    /// # Errors
    /// [`Error::PublicLength`].
    pub fn from_bytes(set: Set, bytes: &[u8]) -> Result<Self, Error> {
        let (n, found, expected) = (set.rows(), bytes.len(), set.public_len());
        if found != expected {
            return Err(Error::PublicLength { set: set.name(), found, expected });
        }
        let (seed, packed) = bytes.split_at(SEED_LEN);
        let mut t = alloc::vec![0; COLUMNS * n];
        // Row by row, the highest bit first.
        let (mut packed, mut buffer, mut bits) = (packed.iter(), 0_u32, 0);
        for row in 0..n {
            for column in 0..COLUMNS {
                while bits < set.modulus_bits() {
                    let byte = packed.next().expect("the length is right");
                    (buffer, bits) = (buffer << 8 | u32::from(*byte), bits + 8);
                }
                bits -= set.modulus_bits();
                t[column * n + row] = set.centred((buffer >> bits) as u16);
            }
        }
        let aes = matches!(set, Set::Aes640 | Set::Aes976 | Set::Aes1344)
            .then(|| Aes128Enc::new_from_slice(seed).expect("a key of 16 bytes"));
        Ok(Self { set, bytes: bytes.to_vec(), t, aes })
    }

    /// The parameter set.
    #[must_use]
    pub fn set(&self) -> Set {
        self.set
    }

    /// The encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// t, which the standard calls B: its eight columns of n entries one after the other, in
    /// [-q / 2, q / 2).
    #[must_use]
    pub fn t(&self) -> &[i16] {
        &self.t
    }

    /// Row `i` of A, with t = A s + e, entries in [-q / 2, q / 2): expanded anew by each call.
    ///
    /// # Panics
    /// Unless `i` is below n and `row` has n entries.
    pub fn row(&self, i: usize, row: &mut [i16]) {
        let n = self.set.rows();
        assert!(i < n && row.len() == n, "A has n rows of n entries");
        let index = (i as u16).to_le_bytes();
        if let Some(aes) = &self.aes {
            let mut blocks = [Block::default(); MAX_ROWS >> 3];
            let blocks = &mut blocks[..n >> 3];
            for (j, block) in blocks.iter_mut().enumerate() {
                block[..2].copy_from_slice(&index);
                block[2..4].copy_from_slice(&(8 * j as u16).to_le_bytes());
            }
            aes.encrypt_blocks(blocks);
            self.read_row(blocks.iter().flat_map(|block| block.chunks_exact(2)), row);
        } else {
            let mut bytes = [0; 2 * MAX_ROWS];
            let mut shake = Shake128::default();
            shake.update(&index);
            shake.update(&self.bytes[..SEED_LEN]);
            shake.finalize_xof().read(&mut bytes[..2 * n]);
            self.read_row(bytes.chunks_exact(2), row);
        }
    }

    fn read_row<'a>(&self, words: impl Iterator<Item = &'a [u8]>, row: &mut [i16]) {
        for (x, word) in row.iter_mut().zip(words) {
            *x = self.set.centred(u16::from_le_bytes([word[0], word[1]]));
        }
    }

    /// s and e of the secret key `sk`, which has to be the one of this key, in columns as [`t`] is.
    ///
    /// # Constant time
    /// In s and e. Whether the key is refused, and why, is public.
    ///
    /// # Errors
    /// [`Error::SecretLength`], [`Error::OtherPublicKey`], [`Error::Hash`], [`Error::Secret`],
    /// [`Error::Mismatch`].
    ///
    /// [`t`]: Self::t
    pub fn secret(&self, sk: &[u8]) -> Result<Secret, Error> {
        let (n, bound) = (self.set.rows(), self.set.bound());
        let (found, expected) = (sk.len(), self.set.secret_len());
        if found != expected {
            return Err(Error::SecretLength { set: self.set.name(), found, expected, seed: None });
        }
        let (public, rest) = sk[self.set.table().4..].split_at(self.bytes.len());
        let (transposed, hash) = rest.split_at(2 * COLUMNS * n);
        declassify_slice(public);
        declassify_slice(hash);
        if public != self.bytes {
            return Err(Error::OtherPublicKey);
        }
        let mut own = [0; 32];
        let own = &mut own[..hash.len()];
        if n == 640 {
            Shake128::digest_xof(public, own);
        } else {
            Shake256::digest_xof(public, own);
        }
        if hash != own {
            return Err(Error::Hash);
        }
        let mut words = Zeroizing::new(alloc::vec![0; COLUMNS * n]);
        let mut s = Small::new(bound, words.len());
        for (word, bytes) in words.iter_mut().zip(transposed.chunks_exact(2)) {
            *word = i16::from_le_bytes([bytes[0], bytes[1]]);
            s.push(*word);
        }
        let s = s.finish(Error::Secret(bound))?;

        let mut error = Zeroizing::new(alloc::vec![0; COLUMNS * n]);
        let mut row = [0; MAX_ROWS];
        let row = &mut row[..n];
        for i in 0..n {
            self.row(i, row);
            for (column, words) in words.chunks_exact(n).enumerate() {
                let products = row.iter().zip(words).map(|(a, s)| a.wrapping_mul(*s));
                let product = products.fold(0, i16::wrapping_add);
                let at = column * n + i;
                error[at] = self.set.centred(self.t[at].wrapping_sub(product) as u16);
            }
        }
        let mut e = Small::new(bound, error.len());
        e.extend(&error);
        Ok(Secret { s, e: e.finish(Error::Mismatch(bound))? })
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("set", &self.set).finish_non_exhaustive()
    }
}
