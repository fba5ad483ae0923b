//! The definition of what the kernels compute, sample for sample.
//!
//! # The random stream
//! ChaCha20 (RFC 8439) with the last row of its state (thread, round, nonce low, nonce high), so
//! one key and nonce give 2^32 threads 2^32 blocks each. Rounds from 2^31 belong to [`uniform`],
//! those below to [`gaussian`]: the two never share a block. A (key, nonce) pair must be used once.

use tautochrone_gauss::facct::Facct;
use tautochrone_simd::declassify;
use zeroize::{Zeroize as _, Zeroizing};

use crate::Error;

/// Lanes of a warp.
pub const WARP: usize = 32;
/// Samples that a warp makes in [`gaussian`].
pub const SHARE: usize = 1024;

/// Words of [`uniform`] from one key and nonce: 8 from each of 2^32 threads.
pub const UNIFORM_LIMIT: u64 = 1 << 35;
/// Samples of [`gaussian`] from one key and nonce: [`SHARE`] from each of 2^27 warps.
pub const GAUSSIAN_LIMIT: u64 = 1 << 37;

/// Key and nonce as the kernels take them.
#[repr(C)]
pub struct Key {
    words: [u32; 8],
    nonce: u64,
}

impl Drop for Key {
    fn drop(&mut self) {
        self.words.zeroize();
    }
}

impl core::fmt::Debug for Key {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Key([REDACTED])")
    }
}

impl Key {
    /// From 32 bytes, words little-endian as in RFC 8439.
    #[must_use]
    pub fn new(key: &[u8; 32], nonce: u64) -> Self {
        let (words, _) = key.as_chunks();
        Self { words: core::array::from_fn(|i| u32::from_le_bytes(words[i])), nonce }
    }
}

/// One block of the stream: 16 words.
#[must_use]
#[expect(clippy::integer_division_remainder_used, reason = "indices are public")]
pub fn block(key: &Key, thread: u32, round: u32) -> Zeroizing<[u32; 16]> {
    let mut start = Zeroizing::new([0; 16]);
    start[..4].copy_from_slice(&[0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
    start[4..12].copy_from_slice(&key.words);
    start[12..].copy_from_slice(&[thread, round, key.nonce as u32, (key.nonce >> 32) as u32]);
    let mut x = start.clone();
    for _ in 0..10 {
        for i in 0..4 {
            quarter(&mut x, [i, 4 + i, 8 + i, 12 + i]);
        }
        for i in 0..4 {
            quarter(&mut x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
        }
    }
    for (x, start) in x.iter_mut().zip(start.iter()) {
        *x = x.wrapping_add(*start);
    }
    x
}

fn quarter(x: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (first, second) in [(16, 12), (8, 7)] {
        x[a] = x[a].wrapping_add(x[b]);
        x[d] = (x[d] ^ x[a]).rotate_left(first);
        x[c] = x[c].wrapping_add(x[d]);
        x[b] = (x[b] ^ x[c]).rotate_left(second);
    }
}

/// Kernel `uniform(out, count, key)`: thread t writes the eight 64-bit words of its block at round
/// 2^31 to `out[8 t ..]`. One thread for every eight words.
///
/// # Errors
/// [`Error::Count`] beyond [`UNIFORM_LIMIT`].
///
/// # Constant time
/// In the key and the output.
pub fn uniform(key: &Key, out: &mut [u64]) -> Result<(), Error> {
    limit(out.len(), UNIFORM_LIMIT)?;
    for (thread, out) in (0..).zip(out.chunks_mut(8)) {
        let words = block(key, thread, 1 << 31);
        for (out, pair) in out.iter_mut().zip(words.as_chunks().0) {
            let [low, high]: [u32; 2] = *pair;
            *out = u64::from(high) << 32 | u64::from(low);
        }
    }
    Ok(())
}

/// `count` as the kernels take it, unless it exceeds what one key and nonce give.
pub(crate) fn limit(count: usize, most: u64) -> Result<u64, Error> {
    let got = count as u64;
    if got <= most { Ok(got) } else { Err(Error::Count { got, most }) }
}

/// Kernel `facct(out, count, share, key, constants)` with share = [`SHARE`]: warp i (threads 32 i
/// .. 32 i + 32) writes the samples 1024 i .. 1024 (i + 1), or as many as are wanted.
///
/// Each round every lane makes three trials ([`Facct::trial`]) from its block: trial i takes the
/// cell from word 4 i, the acceptance and sign bits from word 4 i + 1, the offset from words 4 i +
/// 2 and 4 i + 3 (low first), the shared bits from bit 21 i of words 12 and 13. Accepted values are
/// stored in the order (round, trial, lane). Every sample is delivered.
///
/// Decisions are the fast ones: each acceptance probability 2^-E is off by less than 2^-50 max(1, E
/// / 2) of itself and a rounding to 2^-64, so that R_2 - 1 is below 2^-95 a sample.
///
/// # Errors
/// [`Error::Count`] beyond [`GAUSSIAN_LIMIT`].
///
/// # Constant time
/// In the key and the samples; the time shows which trials were rejected, which is independent of
/// the accepted values.
pub fn gaussian(sampler: &Facct, key: &Key, out: &mut [i64]) -> Result<(), Error> {
    limit(out.len(), GAUSSIAN_LIMIT)?;
    for (warp, out) in (0..).zip(out.chunks_mut(SHARE)) {
        share(sampler, key, warp, out);
    }
    Ok(())
}

fn share(sampler: &Facct, key: &Key, warp: u32, out: &mut [i64]) {
    let mut done = 0;
    for round in 0_u32.. {
        let lanes: Vec<_> =
            (0..WARP as u32).map(|lane| block(key, WARP as u32 * warp + lane, round)).collect();
        for i in 0..3 {
            for w in &lanes {
                if done == out.len() {
                    return;
                }
                let wide = |i: usize| u64::from(w[i + 1]) << 32 | u64::from(w[i]);
                let (z, accepted) =
                    sampler.trial(w[4 * i], w[4 * i + 1], wide(4 * i + 2), wide(12) >> (21 * i));
                out[done] = z;
                // Which trials are rejected is public, and independent of the accepted values.
                done += usize::from(declassify(accepted));
            }
        }
    }
}

/// Products where Z is u64: of the m x k matrix X by the k x n matrix Y modulo 2^64; X row after
/// row, Y column after column, the product row after row. Narrower Z is this, cut; signed entries
/// are extended to 64 bits first.
///
/// Kernels `imad_Z_X_Y(z, x, y, shape)`, one thread for each entry in blocks of 128; `direct_Z_X_Y`
/// of the same parameters, one block of 128 threads for each tile; `split_E(planes, entries,
/// operand)`, one warp for each fragment in blocks of 128 threads, and `tiled_Z_X_Y(z, x_planes,
/// y_planes, shape)`, one block of 256 threads for each tile. See [`Method`](crate::Method).
///
/// # Errors
/// [`Error::Entries`] unless x and y have m k and k n entries.
///
/// # Constant time
/// In the entries.
pub fn matmul(x: &[u64], y: &[u64], (m, k, n): (usize, usize, usize)) -> Result<Vec<u64>, Error> {
    for (entries, rows, columns) in [(x.len(), m, k), (y.len(), k, n)] {
        if rows.checked_mul(columns) != Some(entries) {
            return Err(Error::Entries { entries, rows, columns });
        }
    }
    if k == 0 {
        // Slices show that m k and k n exist, not that m n does.
        let len = m.checked_mul(n).filter(|&len| len <= isize::MAX as usize >> 3);
        return len.map(|len| vec![0; len]).ok_or(Error::Large { rows: m, columns: n });
    }
    let dot = |row: &[u64], column: &[u64]| {
        row.iter().zip(column).fold(0_u64, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(*y)))
    };
    Ok(x.chunks(k).flat_map(|row| y.chunks(k).map(move |column| dot(row, column))).collect())
}
