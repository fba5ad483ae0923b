//! Uniform integers from a stream: [0, 2^k), [-2^(k-1), 2^(k-1)) and [0, n), all exactly uniform.
//!
//! A k-bit number takes the low k bits of a cell of 8, 16, 32 or 64 bits, the least that holds k;
//! cells follow each other in the stream, little-endian, so that no number of any width ever
//! straddles two words. Numbers below n take Lemire's multiplication (ACM TOMACS 2019), with cells
//! of 32 bits for n <= 2^24 and of 64 bits above: with w bits, a cell c gives floor(c n / 2^w) and
//! is rejected if c n mod 2^w < 2^w mod n. No cell is drawn that is not used or rejected, so a
//! stream ends after the last number's cell, on every instruction set.
//!
//! # Constant time
//! In the stream and the output, for a public n. [`fill_bits`] and [`fill_signed`] have no
//! rejection. [`fill_below`] and [`fill_range`] show which cells were rejected: a number is stored
//! where those before it end, so time and addresses follow the rejections. They are independent of
//! the output: each value comes from exactly floor(2^w / n) of the accepted cells, so the numbers
//! are independent and uniform even to an observer who knows which cells were rejected.
//!
//! # Speed
//! On AVX-512 with VAES, numbers are made from the registers of keystream
//! ([`Interleave`](tautochrone_ctr::Interleave)), which is not written to memory. Elsewhere, and
//! where a call begins or ends within a block, it goes through a buffer in the first-level cache:
//! for all of a call where cells straddle the blocks, as cells of 8 bytes do after an odd number of
//! 4 bytes. `benches/uniform.rs` compares with the keystream alone.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod integer;
mod portable;

use core::ops::RangeInclusive;

use tautochrone_ctr::Stream;
use tautochrone_simd::Isa;

pub use integer::{Signed, Unsigned};

use crate::buffer::Buffer;
use crate::error::Error;
use integer::Integer;
use portable::{Below, BitField};

/// Bytes of keystream asked for at a time.
const BUFFER: usize = 4096;

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
/// [`Error::Range`] if n = 0; [`Error::Width`] if n - 1 does not fit `T`.
#[expect(clippy::integer_division_remainder_used, reason = "n is public")]
pub fn fill_below<T: Unsigned>(stream: &mut Stream, n: u64, out: &mut [T]) -> Result<(), Error> {
    let largest = n.checked_sub(1).ok_or(Error::Range)?;
    check((u64::BITS - largest.leading_zeros()).max(1), T::BITS)?;
    if n <= 1 << 24 {
        below::<T, 4>(stream, Below::of_32_bits(n), out);
    } else {
        below::<T, 8>(stream, Below { n, least: n.wrapping_neg() % n }, out);
    }
    Ok(())
}

/// Fills `out` with independent numbers uniform in a range: its start plus a number of
/// [`fill_below`] each.
///
/// # Errors
/// [`Error::Range`] if the range is empty.
pub fn fill_range(
    stream: &mut Stream,
    range: RangeInclusive<i8>,
    out: &mut [i8],
) -> Result<(), Error> {
    let (low, high) = range.into_inner();
    if low > high {
        return Err(Error::Range);
    }
    // At most 2^8, so that no code for cells of 64 bits is compiled.
    below::<u8, 4>(stream, Below::of_32_bits(high.abs_diff(low) as u64 + 1), i8::bytes_mut(out));
    for x in out {
        *x = x.wrapping_add(low);
    }
    Ok(())
}

fn check(bits: u32, limit: u32) -> Result<(), Error> {
    if (1..=limit).contains(&bits) { Ok(()) } else { Err(Error::Width { bits, limit }) }
}

/// Every element from a cell of its own, of the least size that holds `bits`.
fn fill_cells<T: Integer>(stream: &mut Stream, bits: u32, out: &mut [T], sign: u64) {
    let field = BitField { mask: u64::MAX >> (64 - bits), sign };
    match bits.next_power_of_two().max(8) {
        cell if cell == T::BITS => in_place(stream, field, out),
        8 => widen::<T, 1>(stream, field, out),
        16 => widen::<T, 2>(stream, field, out),
        _ => widen::<T, 4>(stream, field, out),
    }
}

/// How many of the next cells of `size` bytes complete the block in which the stream stands; 0 if
/// none do.
#[expect(clippy::integer_division_remainder_used, reason = "positions are public")]
fn to_boundary(stream: &Stream, size: usize) -> usize {
    let bytes = (stream.position().wrapping_neg() % 16) as usize;
    if bytes.is_multiple_of(size) { bytes / size } else { 0 }
}

/// Cells of `size` bytes in a buffer.
#[expect(clippy::integer_division_remainder_used, reason = "sizes are public")]
const fn cells_of(size: usize) -> usize {
    BUFFER / size
}

/// Cells as wide as `T`: the keystream is generated where the numbers will be.
fn in_place<T: Integer>(stream: &mut Stream, field: BitField, out: &mut [T]) {
    let head = to_boundary(stream, size_of::<T>()).min(out.len());
    for piece in <[&mut [T]; 2]>::from(out.split_at_mut(head)) {
        #[cfg(target_arch = "x86_64")]
        let piece = avx512::extract(stream, field, piece);
        for piece in piece.chunks_mut(cells_of(size_of::<T>())) {
            stream.fill(T::bytes_mut(piece));
            portable::extract(field, piece);
        }
    }
}

/// Cells of `N` bytes, narrower than `T`.
fn widen<T: Integer, const N: usize>(stream: &mut Stream, field: BitField, out: &mut [T]) {
    let mut buffer = Buffer::<{ BUFFER.div_ceil(8) }>::new();
    for out in out.chunks_mut(cells_of(N)) {
        let cells = buffer.draw_bytes(stream, N * out.len()).as_chunks().0;
        portable::widen::<T, N>(field, cells, out);
    }
}

/// Numbers below n from cells of `N` bytes.
fn below<T: Integer, const N: usize>(stream: &mut Stream, rule: Below, out: &mut [T]) {
    let mut buffer = Buffer::<{ BUFFER.div_ceil(8) }>::new();
    let mut done = 0;
    // A pass draws at most as many cells as numbers are missing: all that it does not reject are
    // needed.
    while done < out.len() {
        let out = &mut out[done..];
        #[cfg(target_arch = "x86_64")]
        if let Some(count) = avx512::below::<T, N>(stream, rule, out) {
            done += count;
            continue;
        }
        let cells = match to_boundary(stream, N) {
            0 => cells_of(N),
            head => head,
        };
        let cells = buffer.draw_bytes(stream, N * cells.min(out.len())).as_chunks().0;
        done += below_pass::<T, N>(stream.isa(), rule, cells, out);
    }
}

/// Stores the numbers that `cells` give at the front of `out`, which is no shorter than `cells`;
/// returns how many there are.
fn below_pass<T: Integer, const N: usize>(
    isa: Isa,
    rule: Below,
    cells: &[[u8; N]],
    out: &mut [T],
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = isa.avx2() {
        return avx2::below::<T, N>(avx2, rule, cells, out);
    }
    let _ = isa;
    portable::below::<T, N>(rule, cells, out)
}

#[cfg(test)]
mod tests;
