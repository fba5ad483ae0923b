//! The challenge matrix C (l x n), derived from the challenge hash; any block of rows by itself.
//!
//! Row i is n magnitude bits, then (ternary only) n sign bits, each padded to whole bytes, least significant bit first:
//! c = magnitude (1 - 2 sign). Two accepting rows that differ in parity differ by an odd number of absolute value at
//! most 2, that is by +-1: extraction inverts nothing, and a row of one parity pattern has probability exactly 2^-n.
//! (Entries from {-1, 1} alone would not do: their differences are even, and 2 is not a unit modulo 2^w.)

use crate::hash::{Digest, Xof};
use crate::params::{BLOCK, Challenge, Params};

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
        for (j, column) in matrix.chunks_exact_mut(rows.max(1)).enumerate() {
            let (byte, bit) = (j / 8, j % 8);
            for (c, row) in column.iter_mut().zip(bits.chunks_exact(row_bytes)) {
                let magnitude = (row[byte] >> bit & 1) as i8;
                let sign =
                    if self.signed { (row[self.n.div_ceil(8) + byte] >> bit & 1) as i8 } else { 0 };
                *c = magnitude * (1 - 2 * sign);
            }
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Hasher;
    use crate::params::{CustomParams, Preset, Security};

    fn params(binary: bool) -> Params {
        CustomParams { binary, ..Preset::T4_128.custom() }.validate(Security::Waived).unwrap()
    }

    #[test]
    fn entries_have_the_right_frequencies() {
        for (binary, want) in [(false, [0.25, 0.5, 0.25]), (true, [0.0, 0.5, 0.5])] {
            let params = params(binary);
            let hash = Hasher::new(params.hash(), "test").finish();
            let c = ChallengeMatrix::new(&params, &hash).rows(0, 4096);
            for (value, want) in [-1, 0, 1].into_iter().zip(want) {
                let share = c.iter().filter(|&&c| c == value).count() as f64 / c.len() as f64;
                // Five standard deviations of 4096 * 142 draws.
                assert!(
                    (share - want).abs() < 5.0 * 0.5 / (c.len() as f64).sqrt(),
                    "{value}: {share}"
                );
            }
        }
    }

    #[test]
    fn blocks_are_parts_of_one_matrix() {
        let params = params(false);
        let hash = Hasher::new(params.hash(), "test").finish();
        let c = ChallengeMatrix::new(&params, &hash);
        let (whole, part) = (c.rows(0, 600), c.rows(1, 344));
        for j in 0..params.n() as usize {
            assert_eq!(whole[600 * j + 256..600 * (j + 1)], part[344 * j..344 * (j + 1)]);
        }
    }
}
