//! Unpacking, on the widest registers of the CPU.
//!
//! Eight times as many words as an integer of 64 bits has space for are whole bytes, a *run*. They
//! are loaded as eight such integers, each from the byte in which its first word begins; each is
//! shifted to that word, and its words are moved apart.

use core::array::from_fn;

use tautochrone_simd::vector::{U64x1, Vector};
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x4, U64x8};
use tautochrone_simd::{Isa, Token, vectorize};

use super::column_bytes;
use crate::codec::bits::{field, is_padded};
use crate::words::Word;

/// [`Word::unpack`].
pub(in crate::words) fn unpack_words<W: Word>(
    bytes: &[u8],
    rows: usize,
    width: u32,
    words: &mut [W],
) -> bool {
    let size = column_bytes(rows, width);
    assert_eq!(bytes.len() * rows, words.len() * size, "as many columns of words as of bytes");
    if width == W::BITS {
        W::from_bytes(bytes, size_of::<W>(), u64::MAX, words);
        return true;
    }
    let isa = Isa::detect_vectors();
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = isa.avx512() {
        return unpack_on::<U64x8<_>, W>(token, bytes, rows, width, words);
    } else if let Some(token) = isa.avx2() {
        return unpack_on::<U64x4<_>, W>(token, bytes, rows, width, words);
    }
    let _ = isa;
    unpack_on::<U64x1, W>((), bytes, rows, width, words)
}

/// The same on registers of a kind, for words of fewer bits than their type.
fn unpack_on<V: Vector, W: Word>(
    token: V::Token,
    bytes: &[u8],
    rows: usize,
    width: u32,
    words: &mut [W],
) -> bool {
    // A load has its words, and up to seven bits before them: multiples of N, as runs of N bytes
    // times the width are.
    match (W::BITS, width) {
        (16, ..=15) => unpack_runs::<V, W, 4>(token, bytes, rows, width, words),
        (32, ..=29) => unpack_runs::<V, W, 2>(token, bytes, rows, width, words),
        (_, ..=57) => unpack_runs::<V, W, 1>(token, bytes, rows, width, words),
        _ => {
            let columns = bytes.chunks_exact(column_bytes(rows, width));
            words.chunks_exact_mut(rows).zip(columns).fold(true, |clean, (words, bytes)| {
                let size = width as usize;
                for (i, word) in words.iter_mut().enumerate() {
                    *word = W::from_u64(field(bytes, i * size, width));
                }
                clean & is_padded(bytes, rows * size)
            })
        }
    }
}

/// The same, `N` words of a load.
fn unpack_runs<V: Vector, W: Word, const N: usize>(
    token: V::Token,
    bytes: &[u8],
    rows: usize,
    width: u32,
    words: &mut [W],
) -> bool {
    let columns = words.chunks_exact_mut(rows).zip(bytes.chunks_exact(column_bytes(rows, width)));
    vectorize!(token, {
        let run = Run::<V, N>::new::<W>(token, width);
        columns.fold(true, |clean, (words, bytes)| clean & run.column(bytes, words))
    })
}

/// Loads of a run.
const LOADS: usize = 8;

/// How the words of a run lie: `N` in each of eight loads.
struct Run<V: Vector, const N: usize> {
    /// Bytes of a run.
    size: usize,
    width: u32,
    /// Where loads begin.
    places: [usize; LOADS],
    /// The bits before their first words, in as many registers as have eight lanes.
    before: [V; LOADS],
    /// How far each word of a load is moved up, and the bits that it then has.
    fields: [(V, V); N],
}

impl<V: Vector, const N: usize> Run<V, N> {
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
    fn new<W: Word>(token: V::Token, width: u32) -> Self {
        let bits = |load: usize| load * N * width as usize;
        let before: [u64; 2 * LOADS] = from_fn(|i| (bits(i) % 8) as u64);
        Self {
            size: N * width as usize,
            width,
            places: from_fn(|i| bits(i) / 8),
            before: from_fn(|i| V::load(token, &before[i * V::LANES & (LOADS - 1)..])),
            fields: from_fn(|i| {
                let mask = u64::MAX >> (64 - width) << (i as u32 * W::BITS);
                let up = i as u32 * (W::BITS - width);
                (V::splat(token, up.into()), V::splat(token, mask))
            }),
        }
    }

    /// Unpacks a run, whose bytes are followed by eight others.
    #[inline(always)]
    #[expect(clippy::integer_division_remainder_used, reason = "constants")]
    fn unpack<W: Word>(&self, bytes: &[u8], words: &mut [W]) {
        let bytes = &bytes[..self.size + 8];
        // Plain loops: functions of arrays and iterators are not all inlined across codegen units.
        let (mut loaded, mut apart) = ([0; LOADS], [0; LOADS]);
        for (i, &place) in self.places.iter().enumerate() {
            let bytes = bytes[place..].first_chunk().expect("eight bytes at least");
            loaded[i] = u64::from_le_bytes(*bytes);
        }
        let mut place = 0;
        while place < LOADS {
            let before = self.before[place / V::LANES];
            let loaded = V::load(before.token(), &loaded[place..]).shr_each(before);
            let mut all = V::zero(before.token());
            for (up, mask) in self.fields {
                all = all.or(loaded.shl_each(up).and(mask));
            }
            all.store(&mut apart[place..]);
            place += V::LANES;
        }
        let words = &mut words[..LOADS * N];
        for (load, &apart) in apart.iter().enumerate() {
            for i in 0..N {
                words[load * N + i] = W::from_u64(apart >> (i as u32 * W::BITS));
            }
        }
    }

    /// Unpacks a column; whether its padding is zero.
    #[inline(always)]
    fn column<W: Word>(&self, mut bytes: &[u8], words: &mut [W]) -> bool {
        let mut runs = words.chunks_exact_mut(LOADS * N);
        for words in &mut runs {
            if let Some(whole) = bytes.get(..self.size + 8) {
                self.unpack(whole, words);
            } else {
                self.last(bytes, words);
            }
            bytes = &bytes[self.size..];
        }
        let rest = runs.into_remainder();
        if rest.is_empty() {
            return true;
        }
        self.last(bytes, rest);
        is_padded(bytes, rest.len() * self.width as usize)
    }

    /// Unpacks the last words of a column, no more than a run.
    #[inline(always)]
    fn last<W: Word>(&self, bytes: &[u8], words: &mut [W]) {
        /// Bytes of a run whose words have fewer than 64 bits each, and the bytes behind it.
        const PADDED: usize = 64 + 8;
        let (mut padded, mut all) = ([0; PADDED], [W::default(); 4 * LOADS]);
        let size = bytes.len().min(PADDED);
        padded[..size].copy_from_slice(&bytes[..size]);
        self.unpack(&padded, &mut all);
        words.copy_from_slice(&all[..words.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tautochrone_simd::vector::{Emulated, Pair};

    /// Words of any bits, whether `pack` has the bits of the definition, and whether `unpack` makes
    /// words of these bytes, and says that another bit is a word's or padding.
    fn is_right<W: Word + PartialEq + core::fmt::Debug>(
        unpack: impl Fn(&[u8], usize, u32, &mut [W]) -> bool,
    ) {
        for width in 1..=W::BITS {
            for rows in [1, 5, 8, 16, 31, 32, 33, 70] {
                let word = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - width);
                let words: Vec<W> = (1..=3 * rows as u64).map(word).map(W::from_u64).collect();
                let mut bytes = W::pack(&words, rows, width);
                let (bits, size) = (rows * width as usize, column_bytes(rows, width));
                assert_eq!(bytes.len(), 3 * size);
                for (words, column) in words.chunks(rows).zip(bytes.chunks(size)) {
                    for bit in 0..bits {
                        let (word, place) = (bit / width as usize, bit % width as usize);
                        let expected = words[word].to_u64() >> place & 1;
                        assert_eq!(u64::from(column[bit / 8] >> (bit % 8) & 1), expected);
                    }
                }
                let mut got = vec![W::from_u64(u64::MAX); words.len()];
                assert!(unpack(&bytes, rows, width, &mut got), "{rows} words of {width} bits");
                assert_eq!(got, words, "{rows} words of {width} bits");
                for column in 0..3 {
                    for bit in (0..8 * size).step_by(101).chain(bits..8 * size).chain([bits - 1]) {
                        let flip = 1 << (bit % 8);
                        let at = column * rows + bit / width as usize;
                        let mut expected = words.clone();
                        if bit < bits {
                            let flipped = words[at].to_u64() ^ 1 << (bit % width as usize);
                            expected[at] = W::from_u64(flipped);
                        }
                        bytes[column * size + bit / 8] ^= flip;
                        let clean = unpack(&bytes, rows, width, &mut got);
                        bytes[column * size + bit / 8] ^= flip;
                        assert_eq!(clean, bit < bits, "bit {bit}, {rows} words of {width} bits");
                        assert!(got == expected, "bit {bit}, {rows} words of {width} bits");
                    }
                }
            }
        }
    }

    /// On every kind of registers, in words of every size.
    #[test]
    fn every_register_unpacks_what_was_packed() {
        fn all<W: Word + PartialEq + core::fmt::Debug>() {
            is_right::<W>(W::unpack);
            is_right::<W>(|bytes, rows, width, words| {
                if width == W::BITS {
                    return W::unpack(bytes, rows, width, words);
                }
                let mut others = words.to_vec();
                let clean = unpack_on::<U64x1, W>((), bytes, rows, width, words);
                for emulated in [
                    unpack_on::<Emulated<2>, W>,
                    unpack_on::<Emulated<8>, W>,
                    unpack_on::<Pair<Emulated<2>>, W>,
                ] {
                    assert_eq!(emulated((), bytes, rows, width, &mut others), clean);
                    assert!(others == words);
                }
                #[cfg(target_arch = "x86_64")]
                for isa in Isa::all() {
                    if let Some(token) = isa.avx2() {
                        let same = unpack_on::<U64x4<_>, W>(token, bytes, rows, width, &mut others);
                        assert!(same == clean && others == words);
                    }
                }
                clean
            });
        }
        all::<u16>();
        all::<u32>();
        all::<u64>();
    }
}
