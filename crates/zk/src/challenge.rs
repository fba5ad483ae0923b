//! The challenge matrix C (l x n), derived from the challenge hash; any block of rows by itself.
//!
//! Row i is n magnitude bits, then (ternary only) n sign bits, each padded to whole bytes, least
//! significant bit first: c = magnitude (1 - 2 sign). Two accepting rows that differ in parity
//! differ by an odd number of absolute value at most 2, that is by +-1: extraction inverts nothing,
//! and a row of one parity pattern has probability exactly 2^-n. (Entries from {-1, 1} alone would
//! not do: their differences are even, and 2 is not a unit modulo 2^w.)

use alloc::vec::Vec;

use tautochrone_simd::transpose_bits;
use zeroize::Zeroizing;

use crate::hash::{Digest, Hasher, Xof};
use crate::parallel::for_chunks;
use crate::params::{BLOCK, Params};
use crate::suite::Challenge;
use crate::words::{Word, to_bytes};

/// H("challenge", D, round_d(W)), column after column, in little-endian words of ceil((w - d) / 8)
/// bytes. With an argument H("challenge with argument", D, D_end, round_d(W), delta): bound to the
/// last state of its transcript, too, and to delta in bytes.
pub(crate) fn challenge_hash<W: Word>(
    params: &Params,
    digest: &Digest,
    w_high: &[W],
    argument: Option<(&Digest, &[u8])>,
) -> Digest {
    // An attempt that is rejected reveals its challenge, and nothing else of W.
    let bytes =
        Zeroizing::new(to_bytes(w_high, (params.w() - params.round_w()).div_ceil(8) as usize));
    let new = |tag| Hasher::new(params.hash(), tag).field(digest.as_bytes());
    match argument {
        None => new("challenge").field(&bytes),
        Some((state, delta)) => {
            new("challenge with argument").field(state.as_bytes()).field(&bytes).field(delta)
        }
    }
    .finish()
}

/// The public matrix C of one attempt.
pub(crate) struct ChallengeMatrix {
    xof: Xof,
    n: usize,
    signed: bool,
}

impl ChallengeMatrix {
    pub(crate) fn new(params: &Params, challenge_hash: &Digest) -> Self {
        Self {
            xof: Xof::new(params.hash(), "challenge-matrix", challenge_hash),
            n: params.n() as usize,
            signed: params.challenge() == Challenge::Ternary,
        }
    }

    /// Bytes of a row.
    fn row_bytes(&self) -> usize {
        self.n.div_ceil(8) * if self.signed { 2 } else { 1 }
    }

    /// `rows` rows from block `first_block` on, as a column-major matrix of `rows` x n.
    pub(crate) fn rows(&self, first_block: u64, rows: usize) -> Vec<i8> {
        let row_bytes = self.row_bytes();
        let mut bits = vec![0; rows * row_bytes];
        self.xof.read_at(first_block * u64::from(BLOCK) * row_bytes as u64, &mut bits);
        let mut matrix = vec![0_i8; rows * self.n];
        for_chunks(&mut matrix, (8 * rows).max(1), |byte, columns| {
            for (row, bits) in (0..rows).step_by(8).zip(bits.chunks(8 * row_bytes)) {
                // Byte i of these is a column's, bit j of it row j's.
                let magnitudes = transpose_bits(eight(bits, row_bytes, byte));
                let signs = if self.signed {
                    transpose_bits(eight(bits, row_bytes, self.n.div_ceil(8) + byte))
                } else {
                    0
                };
                let negative = (magnitudes & signs).to_le_bytes();
                let magnitudes = magnitudes.to_le_bytes();
                for (i, column) in columns.chunks_exact_mut(rows).enumerate() {
                    // 1, and -1 where all bits are set.
                    let entries = spread(magnitudes[i]) | 0xff * spread(negative[i]);
                    let entries: [i8; 8] = bytemuck::cast(entries.to_le());
                    let column = &mut column[row..];
                    match column.first_chunk_mut() {
                        Some(eight) => *eight = entries,
                        None => column.copy_from_slice(&entries[..column.len()]),
                    }
                }
            }
        });
        matrix
    }
}

/// Byte `byte` of each of at most eight rows.
#[inline]
fn eight(rows: &[u8], row_bytes: usize, byte: usize) -> u64 {
    let rows = rows.chunks_exact(row_bytes).take(8).enumerate();
    rows.fold(0, |bytes, (i, row)| bytes | u64::from(row[byte]) << (8 * i))
}

/// Bit i to the lowest bit of byte i.
const fn spread(bits: u8) -> u64 {
    let apart = bits as u64 * 0x0101_0101_0101_0101 & 0x8040_2010_0804_0201;
    // A bit is at most 0x80, so no sum leaves its byte.
    (apart + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101
}
