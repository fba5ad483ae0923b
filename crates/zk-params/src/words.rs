//! Words modulo q = 2^w, and matrices of them: one code for every type that holds them. Bits above
//! the lowest w mean nothing until they are masked, before words are compared, rounded or hashed.

pub(crate) mod packing;

use alloc::vec;
use alloc::vec::Vec;
use core::mem::take;

use zeroize::Zeroize;

use crate::erase::erase;
use crate::error::{Error, ShardProblem};

/// An unsigned integer that holds a word.
pub trait Word: Copy + Default + PartialEq + Send + Sync + Zeroize {
    /// Bits that it has.
    const BITS: u32;
    /// The low bits of a number.
    fn from_u64(x: u64) -> Self;
    /// The same number.
    fn to_u64(self) -> u64;
    /// The words of a matrix, if they are of this type.
    fn of(matrix: &ModQ) -> Option<&[Self]>;
    /// The matrix of these words.
    fn wrap(words: Vec<Self>) -> ModQ;

    // Not generic, so that they are compiled once, in the one codegen unit of this crate.
    /// Packs columns of `rows` words, each below 2^`width`, `width` at most 64.
    fn pack(words: &[Self], rows: usize, width: u32) -> Vec<u8>;
    /// Unpacks columns of `rows` words into `words`; whether all padding is zero.
    ///
    /// # Panics
    /// If `bytes` are not as many as the columns have.
    #[must_use]
    fn unpack(bytes: &[u8], rows: usize, width: u32, words: &mut [Self]) -> bool;
    /// Words of `width` bytes, little-endian; the bits of `mask` count.
    fn from_bytes(bytes: &[u8], width: usize, mask: u64, words: &mut [Self]);
}

macro_rules! word {
    ($t:ty, $variant:ident) => {
        impl Word for $t {
            const BITS: u32 = <$t>::BITS;
            #[inline(always)]
            fn from_u64(x: u64) -> Self {
                x as Self
            }
            #[inline(always)]
            fn to_u64(self) -> u64 {
                self.into()
            }
            fn of(matrix: &ModQ) -> Option<&[Self]> {
                if let ModQ::$variant(words) = matrix { Some(words) } else { None }
            }
            fn wrap(words: Vec<Self>) -> ModQ {
                ModQ::$variant(words)
            }
            fn pack(words: &[Self], rows: usize, width: u32) -> Vec<u8> {
                packing::pack_words(words, rows, width)
            }
            fn unpack(bytes: &[u8], rows: usize, width: u32, words: &mut [Self]) -> bool {
                packing::unpack_words(bytes, rows, width, words)
            }
            fn from_bytes(bytes: &[u8], width: usize, mask: u64, words: &mut [Self]) {
                words_of_bytes(bytes, width, mask, words);
            }
        }
    };
}

word!(u16, W16);
word!(u32, W32);
word!(u64, W64);

/// A matrix modulo a power of two, column after column, in words of the least size that holds them.
/// Parts of a sum add up modulo the size of a word.
#[derive(Clone, PartialEq, Eq)]
pub enum ModQ {
    /// Up to 16 bits: of T where it is rounded.
    W16(Vec<u16>),
    /// Up to 32 bits.
    W32(Vec<u32>),
    /// Up to 64 bits.
    W64(Vec<u64>),
}

/// Runs `$body` with `$words` as the words of a matrix, of any size.
#[macro_export]
macro_rules! with_words {
    ($matrix:expr, $words:ident => $body:expr) => {
        match $matrix {
            $crate::words::ModQ::W16($words) => $body,
            $crate::words::ModQ::W32($words) => $body,
            $crate::words::ModQ::W64($words) => $body,
        }
    };
}
pub use with_words;

impl ModQ {
    /// How many words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        with_words!(self, words => words.len())
    }

    /// Adds the words of another matrix, wrapping around.
    ///
    /// # Errors
    /// [`Error::Shard`] if they are of another size or of another number.
    pub fn add(&mut self, part: &Self) -> Result<(), Error> {
        macro_rules! add {
            ($sum:expr, $part:expr) => {
                for (sum, part) in $sum.iter_mut().zip($part) {
                    *sum = sum.wrapping_add(*part);
                }
            };
        }
        let same_length = self.len() == part.len();
        match (self, part) {
            (Self::W16(sum), Self::W16(part)) if same_length => add!(sum, part),
            (Self::W32(sum), Self::W32(part)) if same_length => add!(sum, part),
            (Self::W64(sum), Self::W64(part)) if same_length => add!(sum, part),
            _ => return Err(Error::Shard(ShardProblem::Product)),
        }
        Ok(())
    }

    /// An empty matrix in words of at least `bits` bits, with memory for `words` of them.
    #[doc(hidden)]
    pub fn with_capacity(bits: u32, words: usize) -> Self {
        match bits {
            0..=16 => Self::W16(Vec::with_capacity(words)),
            17..=32 => Self::W32(Vec::with_capacity(words)),
            _ => Self::W64(Vec::with_capacity(words)),
        }
    }

    /// Puts the words of another matrix behind these, modulo the size of these.
    #[doc(hidden)]
    pub fn append(&mut self, more: &Self) {
        fn append<W: Word>(words: &mut Vec<W>, more: &ModQ) {
            let start = words.len();
            words.resize(start + more.len(), W::default());
            more.read(0, &mut words[start..], W::from_u64);
        }
        with_words!(self, words => append(words, more));
    }

    /// Puts what `f` makes of the words from `start` on into all of `out`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn read<T>(&self, start: usize, out: &mut [T], f: impl Fn(u64) -> T) {
        #[inline(always)]
        fn read<W: Word, T>(words: &[W], out: &mut [T], f: impl Fn(u64) -> T) {
            // A loop: `Vec::extend` is not inlined into code of an instruction set.
            let words = &words[..out.len()];
            for (i, out) in out.iter_mut().enumerate() {
                *out = f(words[i].to_u64());
            }
        }
        with_words!(self, words => read(&words[start..], out, f));
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Zeroize for ModQ {
    fn zeroize(&mut self) {
        with_words!(self, words => erase(&mut take(words)));
    }
}

/// Too long to be printed.
impl core::fmt::Debug for ModQ {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let name = match self {
            Self::W16(_) => "W16",
            Self::W32(_) => "W32",
            Self::W64(_) => "W64",
        };
        write!(f, "{name}({} words)", self.len())
    }
}

/// The low `width` bytes of each word, little-endian.
pub fn to_bytes<W: Word>(words: &[W], width: usize) -> Vec<u8> {
    fn fixed<W: Word, const N: usize>(words: &[W]) -> Vec<u8> {
        let mut bytes = vec![0; N * words.len()];
        for (bytes, word) in bytes.as_chunks_mut::<N>().0.iter_mut().zip(words) {
            *bytes = *word.to_u64().to_le_bytes().first_chunk().expect("at most eight bytes");
        }
        bytes
    }
    match width {
        1 => fixed::<W, 1>(words),
        2 => fixed::<W, 2>(words),
        3 => fixed::<W, 3>(words),
        4 => fixed::<W, 4>(words),
        5 => fixed::<W, 5>(words),
        6 => fixed::<W, 6>(words),
        7 => fixed::<W, 7>(words),
        _ => fixed::<W, 8>(words),
    }
}

fn words_of_bytes<W: Word>(bytes: &[u8], width: usize, mask: u64, words: &mut [W]) {
    fn fixed<W: Word, const N: usize>(bytes: &[u8], mask: u64, words: &mut [W]) {
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<N>().0) {
            let mut eight = [0; 8];
            *eight.first_chunk_mut().expect("at most eight bytes") = *bytes;
            *word = W::from_u64(u64::from_le_bytes(eight) & mask);
        }
    }
    match width {
        1 => fixed::<W, 1>(bytes, mask, words),
        2 => fixed::<W, 2>(bytes, mask, words),
        3 => fixed::<W, 3>(bytes, mask, words),
        4 => fixed::<W, 4>(bytes, mask, words),
        5 => fixed::<W, 5>(bytes, mask, words),
        6 => fixed::<W, 6>(bytes, mask, words),
        7 => fixed::<W, 7>(bytes, mask, words),
        _ => fixed::<W, 8>(bytes, mask, words),
    }
}

/// Runs `$body` with `$word` as the type of the words of T under these parameters.
#[macro_export]
macro_rules! with_t_word {
    ($params:expr, $word:ident => $body:expr) => {
        match $params.t_width() {
            ..=16 => {
                type $word = u16;
                $body
            }
            ..=32 => {
                type $word = u32;
                $body
            }
            _ => {
                type $word = u64;
                $body
            }
        }
    };
}
pub use with_t_word;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_any_width_are_read_as_they_were_written() {
        for width in 1..=8 {
            let mask = u64::MAX >> (64 - 8 * width);
            let words: Vec<u64> =
                (1..20_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask).collect();
            let bytes = to_bytes(&words, width);
            let by_hand = words.iter().flat_map(|word| word.to_le_bytes()[..width].to_vec());
            assert!(bytes.iter().copied().eq(by_hand), "{width}");
            let mut read = vec![0_u64; words.len()];
            u64::from_bytes(&bytes, width, mask, &mut read);
            assert_eq!(read, words, "{width}");
        }
    }
}
