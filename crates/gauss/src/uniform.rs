//! Uniform integers from a stream: [0, 2^k), [-2^(k-1), 2^(k-1)) and [0, n), all exactly uniform.
//!
//! A k-bit number takes the low k bits of a cell of 8, 16, 32 or 64 bits, the least that holds k; cells follow each other in
//! the stream, little-endian, so that no number ever straddles two words, whatever its width. Numbers below n take
//! Lemire's multiplication (ACM TOMACS 2019), with cells of 32 bits for n <= 2^24 and of 64 bits above.
//!
//! # Constant time
//! In the stream and the output. [`fill_bits`] and [`fill_signed`] have no rejection; [`fill_below`] is branch-free, and its
//! time shows how many cells were rejected, which is independent of the values kept.

use tautochrone_ctr::Stream;
use zeroize::Zeroizing;

use crate::error::Error;

/// Bytes of keystream asked for at a time.
const BUFFER: usize = 4096;

mod sealed {
    /// An integer type, and how the low 64 bits of a number become one.
    pub trait Integer: Copy {
        /// Its width.
        const BITS: u32;
        /// The low bits.
        fn cut(word: u64) -> Self;
    }
}
use sealed::Integer;

/// A type that [`fill_bits`] fills: unsigned, 8 to 64 bits.
pub trait Unsigned: Integer {}
/// A type that [`fill_signed`] fills: signed, 8 to 64 bits.
pub trait Signed: Integer {}

macro_rules! integers {
    ($kind:ident: $($t:ty)*) => {$(
        impl Integer for $t {
            const BITS: u32 = <$t>::BITS;
            #[inline]
            fn cut(word: u64) -> Self {
                word as Self
            }
        }
        impl $kind for $t {}
    )*};
}
integers!(Unsigned: u8 u16 u32 u64);
integers!(Signed: i8 i16 i32 i64);

/// Fills `out` with independent numbers uniform in [0, 2^bits).
///
/// # Errors
/// [`Error::Width`] unless 1 <= `bits` <= the width of `T`.
pub fn fill_bits<T: Unsigned>(stream: &mut Stream, bits: u32, out: &mut [T]) -> Result<(), Error> {
    check(bits, T::BITS)?;
    fill_cells(stream, bits, out, 0);
    Ok(())
}

/// Fills `out` with independent numbers uniform in [-2^(bits-1), 2^(bits-1)).
///
/// # Errors
/// [`Error::Width`] unless 1 <= `bits` <= the width of `T`.
pub fn fill_signed<T: Signed>(stream: &mut Stream, bits: u32, out: &mut [T]) -> Result<(), Error> {
    check(bits, T::BITS)?;
    fill_cells(stream, bits, out, 1 << (bits - 1));
    Ok(())
}

/// Fills `out` with independent numbers uniform in [0, n).
///
/// # Errors
/// [`Error::Range`] if n = 0.
pub fn fill_below(stream: &mut Stream, n: u64, out: &mut [u64]) -> Result<(), Error> {
    match n {
        0 => return Err(Error::Range),
        // 2^32 mod n, of 2^32, are rejected: less than one in 256.
        1..=0x100_0000 => {
            let least = (1_u64 << 32) % n;
            below(stream, out, |cell: [u8; 4]| {
                let product = u64::from(u32::from_le_bytes(cell)) * n;
                (product >> 32, product & 0xffff_ffff >= least)
            });
        }
        _ => {
            let least = n.wrapping_neg() % n;
            below(stream, out, |cell: [u8; 8]| {
                let product = u128::from(u64::from_le_bytes(cell)) * u128::from(n);
                ((product >> 64) as u64, product as u64 >= least)
            });
        }
    }
    Ok(())
}

fn check(bits: u32, limit: u32) -> Result<(), Error> {
    if (1..=limit).contains(&bits) { Ok(()) } else { Err(Error::Width { bits, limit }) }
}

/// Every element from a cell of its own, of the least size that holds `bits`: (low bits ^ sign) - sign, which extends the
/// sign where `sign` is the highest bit. No operation carries downwards, so the compiler does it in lanes as wide as `T`.
fn fill_cells<T: Integer>(stream: &mut Stream, bits: u32, out: &mut [T], sign: u64) {
    let mask = u64::MAX >> (64 - bits);
    let keep = |cell: u64| (cell & mask ^ sign).wrapping_sub(sign);
    match bits {
        ..=8 => spread(stream, out, |cell| keep(u8::from_le_bytes(cell).into())),
        9..=16 => spread(stream, out, |cell| keep(u16::from_le_bytes(cell).into())),
        17..=32 => spread(stream, out, |cell| keep(u32::from_le_bytes(cell).into())),
        _ => spread(stream, out, |cell| keep(u64::from_le_bytes(cell))),
    }
}

#[inline]
fn spread<T: Integer, const N: usize>(
    stream: &mut Stream,
    out: &mut [T],
    keep: impl Fn([u8; N]) -> u64,
) {
    let mut buffer = Zeroizing::new([0; BUFFER]);
    for out in out.chunks_mut(BUFFER / N) {
        let bytes = &mut buffer[..N * out.len()];
        stream.fill(bytes);
        for (out, cell) in out.iter_mut().zip(bytes.as_chunks().0) {
            *out = T::cut(keep(*cell));
        }
    }
}

/// `draw` gives a number and whether it counts; the store moves on only past one that does.
#[inline]
fn below<const N: usize>(
    stream: &mut Stream,
    out: &mut [u64],
    draw: impl Fn([u8; N]) -> (u64, bool),
) {
    let mut buffer = Zeroizing::new([0; BUFFER]);
    let mut done = 0;
    while done < out.len() {
        let cells = (out.len() - done).min(BUFFER / N);
        let bytes = &mut buffer[..N * cells];
        stream.fill(bytes);
        for cell in bytes.as_chunks().0 {
            let (value, counts) = draw(*cell);
            // Never past the end: at most `cells` numbers are missing, and this is one of as many cells.
            out[done] = value;
            done += usize::from(counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tautochrone_ctr::{Label, Seed};

    fn stream(index: u64) -> Stream {
        Seed::from_bytes([5; 32]).stream(Label::new("uniform tests"), index)
    }

    /// The bytes of a cell of that many bits.
    fn cell(bits: u32) -> usize {
        (bits.next_power_of_two() / 8).max(1) as usize
    }

    proptest! {
        #[test]
        fn numbers_are_the_low_bits_of_their_cells(bits in 1_u32..=64, len in 0_usize..1500, index: u64) {
            let mut bytes = vec![0; len * cell(bits)];
            stream(index).fill(&mut bytes);
            let (mut plain, mut signed) = (vec![0_u64; len], vec![0_i64; len]);
            fill_bits(&mut stream(index), bits, &mut plain).unwrap();
            fill_signed(&mut stream(index), bits, &mut signed).unwrap();
            for ((bytes, &plain), &signed) in bytes.chunks(cell(bits)).zip(&plain).zip(&signed) {
                let word = bytes.iter().rev().fold(0_u128, |w, &b| w << 8 | u128::from(b));
                let want = word % (1 << bits);
                prop_assert_eq!(u128::from(plain), want);
                let wrapped = if want >> (bits - 1) == 1 { want as i128 - (1 << bits) } else { want as i128 };
                prop_assert_eq!(i128::from(signed), wrapped);
            }
        }

        #[test]
        fn every_type_gives_the_same_numbers(bits in 1_u32..=8, len in 0_usize..300, index: u64) {
            let mut wide = vec![0_i64; len];
            fill_signed(&mut stream(index), bits, &mut wide).unwrap();
            macro_rules! same { ($($t:ty)*) => {$(
                let mut narrow = vec![0 as $t; len];
                fill_signed(&mut stream(index), bits, &mut narrow).unwrap();
                prop_assert!(narrow.iter().zip(&wide).all(|(&n, &w)| i64::from(n) == w));
            )*} }
            same!(i8 i16 i32);
        }

        #[test]
        fn numbers_below_n_are_below_n(n in prop_oneof![1_u64..20, 1_u64.., Just(1 << 24), Just((1 << 24) + 1), Just(1 << 63), Just((1 << 63) + 1), Just(u64::MAX)], index: u64) {
            let mut out = vec![u64::MAX; 700];
            fill_below(&mut stream(index), n, &mut out).unwrap();
            prop_assert!(out.iter().all(|&x| x < n));
        }
    }

    /// A bit reader that joins two words with the wrong shift, or none, leaves some bits biased and neighbours dependent:
    /// every bit of every width, and every pair of neighbouring numbers, must be fair. 15 and 20 bits straddle words
    /// when they are packed.
    #[test]
    fn every_bit_is_fair_and_neighbours_are_independent() {
        const N: usize = 1 << 14;
        for bits in [1, 7, 8, 15, 20, 33, 64] {
            let mut out = vec![0_i64; N];
            fill_signed(&mut stream(bits.into()), bits, &mut out).unwrap();
            let fair =
                |count: usize| (count as f64 - N as f64 / 2.0).abs() / (N as f64 / 4.0).sqrt();
            for b in 0..bits {
                let ones = out.iter().filter(|x| *x >> b & 1 == 1).count();
                assert!(fair(ones) < 5.0, "{bits} bits: bit {b} is set {ones} times of {N}");
                for d in 0..bits {
                    let equal = |pair: &[i64]| pair[0] >> b & 1 == pair[1] >> d & 1;
                    let count = out.windows(2).filter(|pair| equal(pair)).count();
                    assert!(
                        fair(count) < 5.5,
                        "{bits} bits: bits {b} and {d} of neighbours: {count}"
                    );
                }
            }
        }
    }

    #[test]
    fn small_ranges_are_uniform() {
        const N: usize = 1 << 20;
        for n in [2, 3, 5, 6, 7, 100, 255] {
            let mut out = vec![0; N];
            fill_below(&mut stream(n), n, &mut out).unwrap();
            let mut counts = vec![0_u64; n as usize];
            for x in out {
                counts[x as usize] += 1;
            }
            let want = N as f64 / n as f64;
            let chi: f64 = counts.iter().map(|&c| (c as f64 - want).powi(2) / want).sum();
            let freedom = (n - 1) as f64;
            assert!(
                (chi - freedom).abs() < 6.0 * (2.0 * freedom).sqrt(),
                "n = {n}: chi-square {chi}"
            );
        }
    }

    /// The middle of a range that rejects half of all cells.
    #[test]
    fn wide_ranges_have_the_right_mean() {
        let n = (1 << 63) + 1;
        let mut out = vec![0; 1 << 16];
        fill_below(&mut stream(0), n, &mut out).unwrap();
        let mean = out.iter().map(|&x| x as f64 / n as f64).sum::<f64>() / out.len() as f64;
        assert!((mean - 0.5).abs() < 5.0 / (12.0 * out.len() as f64).sqrt(), "mean {mean}");
    }

    #[test]
    fn bad_widths_and_ranges_are_refused() {
        let mut stream = stream(0);
        assert_eq!(fill_bits(&mut stream, 0, &mut [0_u8]), Err(Error::Width { bits: 0, limit: 8 }));
        assert_eq!(
            fill_signed(&mut stream, 9, &mut [0_i8]),
            Err(Error::Width { bits: 9, limit: 8 })
        );
        assert_eq!(
            fill_bits(&mut stream, 65, &mut [0_u64]),
            Err(Error::Width { bits: 65, limit: 64 })
        );
        assert_eq!(fill_below(&mut stream, 0, &mut [0]), Err(Error::Range));
    }
}
