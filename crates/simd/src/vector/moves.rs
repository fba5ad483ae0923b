//! Lanes and their parts moved within registers, to memory and from tables: [`Bytes`],
//! [`Compress`], [`Gather`], [`Halves`], [`Lanes`], [`LookUp`], [`LookUpBytes`].
#![allow(unsafe_code)]

use core::array::from_fn;

use super::emulated::{EmulatedMask, mask};
use super::pair::both;
use super::{Emulated, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Registers whose lanes can be moved.
pub trait Lanes: Vector {
    /// The mask that holds in lane i where bit i of `bits` is set.
    fn mask_from_bits(token: Self::Token, bits: u32) -> Self::Mask;

    /// Lane 0.
    fn first(self) -> u64;
    /// Element `at` of `registers`, counted in lanes, in all lanes; `at` is public.
    ///
    /// # Panics
    /// If there are fewer.
    fn splat_element(token: Self::Token, registers: &[Self], at: usize) -> Self;

    /// Lanes moved up by `n` < [`Vector::LANES`], which is public: the last `n` lanes of `below`,
    /// then the first ones of self.
    fn up(self, below: Self, n: usize) -> Self;
    /// The sum of all lanes modulo 2^64.
    fn sum(self) -> u64;
}

impl<const N: usize> Lanes for Emulated<N> {
    fn mask_from_bits((): (), bits: u32) -> EmulatedMask<N> {
        EmulatedMask(from_fn(|l| mask(bits >> l & 1 == 1)))
    }

    fn first(self) -> u64 {
        self.0[0]
    }
    #[expect(clippy::integer_division_remainder_used, reason = "places are public")]
    fn splat_element((): (), registers: &[Self], at: usize) -> Self {
        Self([registers[at / N].0[at % N]; N])
    }

    #[inline(never)]
    fn up(self, below: Self, n: usize) -> Self {
        Self(from_fn(|l| if l < n { below.0[N + l - n] } else { self.0[l - n] }))
    }
    fn sum(self) -> u64 {
        self.0.iter().fold(0, |sum, &x| sum.wrapping_add(x))
    }
}

/// Registers whose halves are registers of their own: four lanes of one number, and four of
/// another.
pub trait Halves: Vector {
    /// Lane `lane` of each half, in all lanes of that half; `lane` is public.
    ///
    /// # Panics
    /// If a half has fewer.
    fn splat_in_halves(self, lane: usize) -> Self;
    /// Lanes of each half moved up by `n`, which is public and less than they are: the last `n`
    /// lanes of the same half of `below`, then the first ones of self.
    fn up_in_halves(self, below: Self, n: usize) -> Self;
}

impl<const N: usize> Halves for Emulated<N> {
    #[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
    fn splat_in_halves(self, lane: usize) -> Self {
        let half = N / 2;
        assert!(lane < half, "a lane of a half");
        Self(from_fn(|l| self.0[if l < half { lane } else { half + lane }]))
    }
    #[inline(never)]
    #[expect(clippy::integer_division_remainder_used, reason = "lanes are public")]
    fn up_in_halves(self, below: Self, n: usize) -> Self {
        let half = N / 2;
        Self(from_fn(|l| if l % half < n { below.0[l + half - n] } else { self.0[l - n] }))
    }
}

/// Registers as blocks of 128 bits, each of two words of 64 bits, four double words, 16 bytes.
/// Every method does the same in each block.
pub trait Bytes: Vector {
    /// The same block everywhere.
    fn splat_128(token: Self::Token, words: [u64; 2]) -> Self;
    /// Byte i is the byte of self at the index that byte i of `indices` holds, if it is below 16,
    /// and zero if it is 0x80.
    fn shuffle_bytes(self, indices: Self) -> Self;
    /// (self_0, self_2, y_0, y_2), of double words.
    fn even_32(self, y: Self) -> Self;
    /// (self_1, self_3, y_1, y_3), of double words.
    fn odd_32(self, y: Self) -> Self;
    /// (self_0, y_0, self_1, y_1), of double words.
    fn interleave_low_32(self, y: Self) -> Self;
    /// (self_2, y_2, self_3, y_3), of double words.
    fn interleave_high_32(self, y: Self) -> Self;
    /// (self_0, y_0), of words.
    fn interleave_low_64(self, y: Self) -> Self;
    /// (self_1, y_1), of words.
    fn interleave_high_64(self, y: Self) -> Self;
    /// (self_1, y_0), of words.
    fn align_64(self, y: Self) -> Self;
    /// (self_1, self_0), of words.
    #[inline(always)]
    fn swap_64(self) -> Self {
        self.align_64(self)
    }
}

/// Registers of 64 bytes that can be indexed with secrets.
pub trait LookUpBytes: Vector {
    /// For every byte, the byte of `table` at the index that its low six bits say.
    fn look_up(self, table: Self) -> Self;
}

impl<const N: usize> Emulated<N> {
    /// Byte `i`.
    #[expect(clippy::integer_division_remainder_used, reason = "indices are public")]
    fn byte(self, i: usize) -> u8 {
        (self.0[i / 8] >> (8 * (i % 8))) as u8
    }

    fn from_bytes(f: impl Fn(usize) -> u8) -> Self {
        Self(from_fn(|word| u64::from_le_bytes(from_fn(|i| f(8 * word + i)))))
    }

    /// The double words at indices `from` within a block of self and then of `y`.
    #[inline(never)]
    #[expect(clippy::integer_division_remainder_used, reason = "indices are public")]
    fn double_words(self, y: Self, from: [usize; 4]) -> Self {
        let at = |i: usize| {
            let (block, index) = (i / 4 * 2, from[i % 4]);
            let register = if index < 4 { self } else { y };
            register.0[block + index % 4 / 2] >> (32 * (index % 2)) & u64::from(u32::MAX)
        };
        Self(from_fn(|word| at(2 * word) | at(2 * word + 1) << 32))
    }
}

/// All ones if a = b.
fn equal(a: u8, b: u8) -> u8 {
    (u16::from(a ^ b).wrapping_sub(1) >> 8) as u8
}

impl<const N: usize> Bytes for Emulated<N> {
    fn splat_128((): (), words: [u64; 2]) -> Self {
        Self(from_fn(|word| words[word & 1]))
    }
    #[inline(never)]
    fn shuffle_bytes(self, indices: Self) -> Self {
        // Every byte of the block is read, and at most one is selected.
        Self::from_bytes(|i| {
            let index = indices.byte(i);
            (0..16).fold(0, |selected, n| {
                selected | self.byte(i & !15 | usize::from(n)) & equal(index, n)
            })
        })
    }
    fn even_32(self, y: Self) -> Self {
        self.double_words(y, [0, 2, 4, 6])
    }
    fn odd_32(self, y: Self) -> Self {
        self.double_words(y, [1, 3, 5, 7])
    }
    fn interleave_low_32(self, y: Self) -> Self {
        self.double_words(y, [0, 4, 1, 5])
    }
    fn interleave_high_32(self, y: Self) -> Self {
        self.double_words(y, [2, 6, 3, 7])
    }
    fn interleave_low_64(self, y: Self) -> Self {
        self.double_words(y, [0, 1, 4, 5])
    }
    fn interleave_high_64(self, y: Self) -> Self {
        self.double_words(y, [2, 3, 6, 7])
    }
    fn align_64(self, y: Self) -> Self {
        self.double_words(y, [2, 3, 4, 5])
    }
}

impl LookUpBytes for Emulated<8> {
    #[inline(never)]
    fn look_up(self, table: Self) -> Self {
        // Every entry is read, and one is selected.
        Self::from_bytes(|i| {
            let index = self.byte(i) & 63;
            (0..64).fold(0, |selected, n| selected | table.byte(usize::from(n)) & equal(index, n))
        })
    }
}

/// Stores of the lanes whose bits are set in a word. That word is public: it decides where other
/// lanes are stored.
pub trait Compress: Vector {
    /// Stores the lanes whose bits are set in `lanes` at the front of the first [`Vector::LANES`]
    /// words, in order; the words after them are arbitrary.
    ///
    /// # Panics
    /// If there are fewer.
    fn compress_store(self, lanes: u32, words: &mut [u64]);
    /// As [`Self::compress_store`], of the low halves of the lanes.
    ///
    /// # Panics
    /// If there are fewer.
    fn compress_store_32(self, lanes: u32, halves: &mut [u32]);
}

/// The part of `out` after the lanes that the low `lanes` bits of `mask` select.
#[inline(always)]
fn after<T>(out: &mut [T], lanes: usize, mask: u32) -> &mut [T] {
    let count = (mask & ((1 << lanes) - 1)).count_ones() as usize;
    // Always so, but compilers do not know it of a count of ones, and would check the slice below.
    let count = if count < lanes { count } else { lanes };
    &mut out[count..2 * lanes]
}

impl<V: Compress> Compress for Pair<V> {
    #[inline(always)]
    fn compress_store(self, lanes: u32, words: &mut [u64]) {
        let words = &mut words[..2 * V::LANES];
        self.0.compress_store(lanes, words);
        self.1.compress_store(lanes >> V::LANES, after(words, V::LANES, lanes));
    }
    #[inline(always)]
    fn compress_store_32(self, lanes: u32, halves: &mut [u32]) {
        let halves = &mut halves[..2 * V::LANES];
        self.0.compress_store_32(lanes, halves);
        self.1.compress_store_32(lanes >> V::LANES, after(halves, V::LANES, lanes));
    }
}

impl<const N: usize> Compress for Emulated<N> {
    fn compress_store(self, lanes: u32, words: &mut [u64]) {
        let set = (0..N).filter(|i| lanes >> i & 1 == 1);
        for (word, i) in words[..N].iter_mut().zip(set) {
            *word = self.0[i];
        }
    }
    fn compress_store_32(self, lanes: u32, halves: &mut [u32]) {
        let set = (0..N).filter(|i| lanes >> i & 1 == 1);
        for (half, i) in halves[..N].iter_mut().zip(set) {
            *half = self.0[i] as u32;
        }
    }
}

/// Two-word rows into two registers. **Not for secret indices**: they become addresses.
pub trait Gather: Vector {
    /// The words with even indices and the words with odd indices, of self's lanes followed by the
    /// lanes of `y`.
    fn unzip(self, y: Self) -> (Self, Self);
    /// The first and the second words of the rows that the lanes are indices of.
    ///
    /// # Safety
    /// Every lane is below the number of rows.
    unsafe fn gather_rows(self, rows: &[[u64; 2]]) -> (Self, Self);
}

impl<const N: usize> Gather for Emulated<N> {
    fn unzip(self, y: Self) -> (Self, Self) {
        let word = |i: usize| if i < N { self.0[i] } else { y.0[i - N] };
        let every_second = |first| Self(from_fn(|i| word(first + 2 * i)));
        (every_second(0), every_second(1))
    }

    unsafe fn gather_rows(self, rows: &[[u64; 2]]) -> (Self, Self) {
        (self.map(|i| rows[i as usize][0]), self.map(|i| rows[i as usize][1]))
    }
}

/// Look-ups in tables of 128 bytes, which read every entry: the indices may be secret.
pub trait LookUp: Vector {
    /// A table.
    type Table: Copy;

    /// A table of 32-bit entries.
    fn table_32(token: Self::Token, entries: &[u32; 32]) -> Self::Table;
    /// A table of 64-bit entries.
    fn table_64(token: Self::Token, entries: &[u64; 16]) -> Self::Table;
    /// For each lane of 32 bits, the entry at the index lane mod 32, of a table of 32-bit entries.
    fn look_up_32(self, table: &Self::Table) -> Self;
    /// For each lane of 64 bits, the entry at the index lane mod 16, of a table of 64-bit entries.
    fn look_up_64(self, table: &Self::Table) -> Self;
    /// [`Self::look_up_64`] of self and of `y`: on AVX2 for the price of one.
    #[inline(always)]
    fn look_up_64_twice(self, y: Self, table: &Self::Table) -> (Self, Self) {
        (self.look_up_64(table), y.look_up_64(table))
    }

    /// The low half of each lane of self, below the low half of the same lane of `high`.
    fn low_halves(self, high: Self) -> Self;
    /// The high half of each lane of self, below the high half of the same lane of `high`.
    fn high_halves(self, high: Self) -> Self;
}

impl<V: LookUp> LookUp for Pair<V> {
    type Table = V::Table;

    #[inline(always)]
    fn table_32(token: V::Token, entries: &[u32; 32]) -> V::Table {
        V::table_32(token, entries)
    }
    #[inline(always)]
    fn table_64(token: V::Token, entries: &[u64; 16]) -> V::Table {
        V::table_64(token, entries)
    }
    #[inline(always)]
    fn look_up_32(self, table: &V::Table) -> Self {
        Self(self.0.look_up_32(table), self.1.look_up_32(table))
    }
    #[inline(always)]
    fn look_up_64(self, table: &V::Table) -> Self {
        let (first, second) = self.0.look_up_64_twice(self.1, table);
        Self(first, second)
    }

    both! {
        low_halves(high);
        high_halves(high);
    }
}

/// The entry at index mod N, a power of two; every entry is read, so no address is secret.
fn select_entry<const N: usize>(table: &[u64; N], index: u64) -> u64 {
    const { assert!(N.is_power_of_two()) };
    let index = index & (N as u64 - 1);
    (0..).zip(table).fold(0, |found, (i, entry)| found | entry & mask(i == index))
}

impl<const N: usize> LookUp for Emulated<N> {
    type Table = [u64; 32];

    fn table_32((): (), entries: &[u32; 32]) -> [u64; 32] {
        entries.map(u64::from)
    }
    fn table_64((): (), entries: &[u64; 16]) -> [u64; 32] {
        from_fn(|i| entries[i & 15])
    }
    fn look_up_32(self, table: &[u64; 32]) -> Self {
        self.map(|x| {
            let (low, high) = (x & u64::from(u32::MAX), x >> 32);
            select_entry(table, low) | select_entry(table, high) << 32
        })
    }
    fn look_up_64(self, table: &[u64; 32]) -> Self {
        self.map(|x| select_entry(table, x))
    }
    fn low_halves(self, high: Self) -> Self {
        self.zip(high, |x, y| x & u64::from(u32::MAX) | y << 32)
    }
    fn high_halves(self, high: Self) -> Self {
        self.zip(high, |x, y| x >> 32 | y >> 32 << 32)
    }
}
