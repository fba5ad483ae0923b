//! [`RoundedOff`]: what a prover knows to be rounded off T.

use zeroize::Zeroizing;

use crate::erase::redacted;
use crate::rounding::Rounding;
use crate::words::ModQ;
use tautochrone_simd::{Isa, vectorize};

/// T_0 of the last columns of T, or of all: r rows each, column after column. The prover alone knows
/// it; proofs need not hide it.
#[derive(Clone)]
pub(crate) struct RoundedOff {
    rounding: Rounding,
    /// T modulo the size of words that hold T_0.
    t: Zeroizing<ModQ>,
}

redacted!("RoundedOff", RoundedOff);

impl RoundedOff {
    pub(crate) fn new(rounding: Rounding, t: ModQ) -> Self {
        Self { rounding, t: Zeroizing::new(t) }
    }

    /// Adds columns of T behind these.
    pub(crate) fn append(&mut self, t: &ModQ) {
        self.t.append(t);
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.t.len()
    }

    /// Puts what `f` makes of the words from `start` on into all of `out`.
    pub(crate) fn read<T>(&self, start: usize, out: &mut [T], f: impl Fn(i64) -> T) {
        vectorize!(
            Isa::detect_vectors(),
            self.t.read(start, out, |word| f(self.rounding.low(word))),
        );
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use proptest::prelude::*;

    use super::*;
    use crate::challenge::ChallengeMatrix;
    use crate::hash::Hasher;
    use crate::matrix::PublicMatrix;
    use crate::params::{BLOCK, CustomParams, Security};
    use crate::product::multiply_rounded_off;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// T_0 C of the last columns, or of all, is the sum that it stands for: of words that are
        /// largest, smallest and next to a border of rounding, of every size.
        #[test]
        fn products_are_those_with_the_last_rows_of_c(
            (w, d) in (20_u32..=64).prop_flat_map(|w| (Just(w), 1..w.min(40))),
            l in prop::sample::select(vec![1_u64, 255, 256, 300, 1024, 1300, 2400]),
            share in 0.0..1.0,
            seed: u64,
        ) {
            let custom = CustomParams { n: Some(9), ..CustomParams::new(w, 3, 8, l, 1) };
            let params = custom.validate(Security::Waived);
            prop_assume!(params.is_ok());
            let params = params.unwrap();
            let (r, columns) = (3, l - (share * l as f64) as u64);
            let edges = [0, 1 << (d - 1), (1 << (d - 1)) - 1, u64::MAX, u64::MAX << (d - 1), seed];
            let t: Vec<u64> = (0..columns as usize * r)
                .map(|i| edges[(seed.rotate_left(i as u32) as usize ^ i) % edges.len()])
                .collect();
            let rounding = Rounding::new(w, d);
            let mut rounded_off = RoundedOff::new(rounding, ModQ::with_capacity(d, t.len()));
            rounded_off.append(&ModQ::W64(t.clone()));
            let hash = Hasher::new(params.hash(), "programmed").number(seed).finish();
            let matrix = PublicMatrix::new(&params, [1; 32]);
            let product = multiply_rounded_off(&matrix, &rounded_off, &hash).unwrap();
            let c = ChallengeMatrix::new(&params, &hash);
            let blocks = 0..l.div_ceil(u64::from(BLOCK));
            let mut expected = vec![0_i64; r * 9];
            for block in blocks {
                let start = block * u64::from(BLOCK);
                let rows = (l - start).min(u64::from(BLOCK)) as usize;
                let c = c.rows(block, rows);
                for (row, column) in (start..start + rows as u64).enumerate() {
                    let Some(column) = column.checked_sub(l - columns) else { continue };
                    for (at, sum) in expected.iter_mut().enumerate() {
                        let low = rounding.low(t[column as usize * r + at % r]);
                        *sum = sum.wrapping_add(low * i64::from(c[at / r * rows + row]));
                    }
                }
            }
            let mut words = vec![0; r * 9];
            product.read(0, &mut words, |word| word);
            for (product, expected) in words.into_iter().zip(expected) {
                let difference = product.wrapping_sub(expected.cast_unsigned());
                prop_assert_eq!(rounding.reduce(difference), 0);
            }
        }
    }
}
