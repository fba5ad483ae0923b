//! Plain openings of rounded columns, and of sums of them.
//!
//! A published column t' is what is left of A x after rounding, so an opening is an x within its
//! bound for which A x differs from t' by at most 2^(dT-1) in every entry. Rounding does not
//! commute with addition: the statement for a sum of columns is the same sum of the published ones,
//! not rounded again, and its residual is as much larger as the weight of the sum.

use super::protocol::Statement;
use super::rounding::Rounding;

impl Statement {
    /// T' R modulo q for a public R of l x `columns`, given by its columns: the columns whose
    /// openings are S R.
    pub(super) fn sums(&self, combinations: &[Vec<i64>]) -> Vec<u64> {
        let (r, dt) = (self.shape.r as usize, self.shape.dt);
        let mut sums = Vec::new();
        for combination in combinations {
            let mut sum = vec![0_u64; r];
            for (&weight, column) in combination.iter().zip(self.t.chunks_exact(r)) {
                for (sum, t) in sum.iter_mut().zip(column) {
                    *sum = sum.wrapping_add((t << dt).wrapping_mul(weight.cast_unsigned()));
                }
            }
            sums.extend(sum);
        }
        sums
    }

    /// Whether x opens `column`, which is a sum of published columns with this weight (the sum of
    /// its coefficients' absolute values; 1 for a published column itself): its entries are at most
    /// `bound`, and |A x - t'| is at most weight 2^(dT-1) everywhere.
    pub(super) fn opens(&self, column: &[u64], x: &[i64], weight: u64, bound: u64) -> bool {
        let image = Self::times_a(&self.shape, &self.a, x, 1);
        let modulus = Rounding::new(self.shape.w, 0);
        let residual = weight * ((1 << self.shape.dt) >> 1);
        let close = image
            .iter()
            .zip(column)
            .all(|(image, t)| modulus.difference(*image, *t).unsigned_abs() <= residual);
        close && x.iter().all(|x| x.unsigned_abs() <= bound)
    }
}

#[cfg(test)]
mod tests {
    use tautochrone_ctr::{Label, Seed, Stream};

    use super::super::shape::{Rounded, Shape};
    use super::*;

    fn word(stream: &mut Stream) -> u64 {
        let mut bytes = [0; 8];
        stream.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// Entries in [-1, 1], 7 + 9 rows, 40 columns.
    fn case(rounded: Rounded) -> (Statement, Vec<i64>, Stream) {
        let mut stream =
            Seed::from_bytes([3; 32]).stream(Label::new("tautochrone-zk compact openings"), 0);
        let shape = Shape::new(128, 32, [7, 9, 12], 40, 1, 16 * 40, rounded, 0);
        let a = (0..7 * 9).map(|_| word(&mut stream)).collect();
        let s: Vec<i64> = (0..16 * 40).map(|_| (word(&mut stream) % 3) as i64 - 1).collect();
        (Statement::new(shape, a, &s), s, stream)
    }

    #[test]
    fn columns_open_to_their_witness() {
        for rounded in [Rounded::No, Rounded::Yes] {
            let (statement, s, _) = case(rounded);
            for (x, t) in s.chunks_exact(16).zip(statement.t.chunks_exact(7)) {
                let column: Vec<u64> = t.iter().map(|t| t << statement.shape.dt).collect();
                assert!(statement.opens(&column, x, 1, 1));
                let mut other = x.to_vec();
                other[3] ^= 1;
                assert!(!statement.opens(&column, &other, 1, 1), "another message");
                other[3] = 2;
                assert!(!statement.opens(&column, &other, 1, 1), "beyond the bound");
            }
        }
    }

    /// Just what rounding leaves, and not one more.
    #[test]
    fn residuals_are_bounded() {
        let (statement, s, _) = case(Rounded::Yes);
        let half = 1_u64 << (statement.shape.dt - 1);
        let image = Statement::times_a(&statement.shape, &statement.a, &s[..16], 1);
        for (offset, opens) in [(half, true), (half + 1, false)] {
            for away in [offset, offset.wrapping_neg()] {
                let mut column = image.clone();
                column[2] = column[2].wrapping_add(away);
                assert_eq!(statement.opens(&column, &s[..16], 1, 1), opens);
                assert!(statement.opens(&column, &s[..16], 2, 1), "a sum of two columns");
            }
        }
    }

    /// A sum of columns opens to the sum of their witnesses, within its weight. To round the image
    /// of the sum, as one might, gives other words than adding the rounded columns.
    #[test]
    fn sums_open_within_their_weight_but_are_not_rounded_again() {
        let (statement, s, mut stream) = case(Rounded::Yes);
        let mut differ = 0;
        for _ in 0..20 {
            let combination: Vec<i64> =
                (0..40).map(|_| (word(&mut stream) % 5) as i64 - 2).collect();
            let weight = combination.iter().map(|c| c.unsigned_abs()).sum();
            let mut x = vec![0; 16];
            for (c, s) in combination.iter().zip(s.chunks_exact(16)) {
                for (x, s) in x.iter_mut().zip(s) {
                    *x += c * s;
                }
            }
            let sum = statement.sums(&[combination]);
            assert!(statement.opens(&sum, &x, weight, weight));
            let image = Statement::times_a(&statement.shape, &statement.a, &x, 1);
            let rounding = statement.shape.of_t();
            differ += image
                .iter()
                .zip(&sum)
                .filter(|(image, sum)| rounding.high(**image) != rounding.high(**sum))
                .count();
        }
        assert!(differ > 20, "of 140 entries: {differ}");
    }
}
